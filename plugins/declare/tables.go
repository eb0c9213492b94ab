package declare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// found is a finding about an item.
type found = work.Found[*item]

func ruleName(item string) string { return strings.ReplaceAll(item, "_", "-") }

// kinds of work are the same for all kinds of items but for their name.
func (k *kind) work() *work.Kind[*run, *item] {
	return &work.Kind[*run, *item]{
		Noun:  k.name,
		Lists: func(m *run) [][]*item { return [][]*item{m.items(m.now, k).list} },
		Needs: func(m *run, i *item) []work.Need[*item] { return m.needs(i) },
		Parts: func(*item) []*item { return nil },
		Apart: func(i *item) string {
			if i.Titled() != "" {
				return say.Quote(i.title)
			}
			at := i.v.Place()
			return cmp.Or(at.Pointer, at.Path)
		},
		Twice: func(m *run) (list []work.Pair[*item]) {
			l := m.items(m.now, k)
			for _, i := range l.list {
				if first := l.byKey[i.key]; i.key != "" && first != i {
					list = append(list, work.Pair[*item]{Was: first, Is: i})
				}
			}
			return list
		},
		Undone: func(m *run) (list []work.Pair[*item]) {
			now, _ := m.pair(k)
			for _, i := range now.list {
				if i.was != nil && i.was.is == status.Done && i.is.Left() {
					list = append(list, work.Pair[*item]{Was: i.was, Is: i})
				}
			}
			return list
		},
		Lost: func(m *run) []work.Loss[*item] { return m.lost(k) },
	}
}

func (m *run) needs(i *item) []work.Need[*item] {
	if !i.known {
		i.needs, i.known = m.readNeeds(i), true
	}
	return i.needs
}

func (m *run) readNeeds(i *item) (list []work.Need[*item]) {
	v := i.kind.needs.Eval(i.scope)
	ids := v.Elements()
	switch v.Kind {
	case expr.String, expr.Number:
		ids = []*expr.Value{v}
	case expr.List, expr.Null, expr.Unknown:
	default:
		panic(expr.Wrong("needs of "+i.Called()+" is "+v.Kind.String()+", expected a list of keys", v))
	}
	all, past := m.items(m.now, i.kind), &itemList{}
	if i.kind.keep {
		_, past = m.pair(i.kind)
	}
	for _, id := range ids {
		switch id.Open().Kind {
		case expr.String, expr.Number:
		case expr.Null, expr.Unknown:
			continue
		default:
			panic(expr.Wrong("needs of "+i.Called()+" has "+id.Kind.String()+", expected keys", id))
		}
		n := work.Need[*item]{ID: id.String(), At: m.place(id, i.v), Unclear: !all.known()}
		n.On, n.Exists = all.byKey[n.ID]
		if was := past.byKey[n.ID]; was != nil && was.isNow == nil {
			n.Unclear = true // the item was lost, and that is reported
		}
		if n.ID != "" {
			list = append(list, n)
		}
	}
	return list
}

// many is how many items may be lost as single ones.
const many = 20

func (m *run) lost(k *kind) (list []work.Loss[*item]) {
	now, past := m.pair(k)
	if !now.known() {
		return nil
	}
	before := now.value.Place() // of the item that comes before those that are lost, or of the list
	if before.Path == "" && len(now.list) > 0 {
		before = m.named(now.list[0])
	}
	for _, i := range past.list {
		if i.isNow != nil {
			before = m.named(i.isNow)
		}
		if i.key == "" || past.byKey[i.key] != i || i.isNow != nil || now.byKey[i.key] != nil {
			continue
		}
		loss := work.Loss[*item]{Items: []*item{i}, At: before}
		if before.Path == "" {
			loss.At = m.place()
		}
		if file := i.v.Also; file != nil { // the item is a file
			loss.At = sdk.At(file.Get("path").String())
		}
		list = append(list, loss)
	}
	if len(list) > many {
		all := work.Loss[*item]{Of: len(past.list), At: list[0].At, Many: true}
		for _, loss := range list {
			all.Items = append(all.Items, loss.Items...)
		}
		return []work.Loss[*item]{all}
	}
	return list
}

// rule makes a rule of a table. In its texts, ITEM, ITEMS, STATE, KEY and ONE stand for the words of the declaration.
func (k *kind) rule(suffix string, severity sdk.Severity, doc, why, fix string, find func(*run, *report)) *rule {
	one := " " + k.name
	if strings.IndexByte("aeio", k.name[0]) >= 0 {
		one = "n" + one
	}
	text := func(s string) string {
		for _, w := range [...][2]string{{"ITEMS", k.plural}, {"n ITEM", one}, {"ITEM", k.name},
			{"STATE", k.word}, {"KEY", k.id}, {"ONE", k.one}} {
			s = strings.ReplaceAll(s, w[0], w[1])
		}
		return s
	}
	return &rule{name: ruleName(k.name) + "-" + suffix, severity: severity, doc: text(doc), why: why, fix: text(fix),
		find: find}
}

// tables are the rules that follow from what the declaration says of items.
func (k *kind) tables() (list []*rule) {
	shared := k.work()
	list = append(list, k.rule("unread", sdk.Warning, "No ITEM was found, or an ITEM has no KEY.",
		"Items that are not found are not checked.", "Correct the file, or `each` and `key` in the declaration.",
		func(m *run, c *report) { m.unread(k, c) }))
	list[0].severityIf = "Info if none was found."
	if k.required {
		list[0].severity, list[0].severityIf = sdk.Error, "Warning if one has no "+k.id+"."
	}
	if k.key != nil && k.key.Member() != "path" { // of files no two have one path
		list = append(list, k.rule("id-repeated", sdk.Error, "Two ITEMS have the same KEY.",
			"A reference to one of them may mean the other.", "Give one of them a different KEY.",
			func(m *run, c *report) {
				shared.IDRepeated(c, m, func(f *found) {
					f.Range = m.named(f.Item)
					f.See(m.named(f.Others[0]), "the first one")
				})
			}))
	}
	if len(k.words) > 0 {
		list = append(list, k.rule("status-unknown", sdk.Error, "The STATE of an ITEM is not one of the known words.",
			"Its progress is unknown.", "Use one of: "+strings.Join(k.words, ", ")+".",
			func(m *run, c *report) { m.unknownWord(k, c) }))
	}
	if k.key != nil {
		list = append(list, k.history(shared)...)
	}
	if k.one != "" {
		list = append(list, k.rule("several", sdk.Error, "More than one ITEM is ONE.",
			"The next session continues only one of them.", "Keep only one of them ONE.",
			func(m *run, c *report) { m.several(k, c) }))
	}
	if k.needs == nil {
		return list
	}
	list = append(list, k.rule(work.DependencyMissing, sdk.Error, "An ITEM depends on an ITEM that does not exist.",
		"It never becomes ready.", "Name the intended ITEM, or remove the dependency.",
		func(m *run, c *report) { shared.DependencyMissing(c, m, nil) }))
	list = append(list, k.rule(work.DependencyCircular, sdk.Error, "Some ITEMS depend on each other in a circle.",
		"None of them can begin.", "Remove one of the dependencies.", func(m *run, c *report) {
			if m.items(m.now, k).known() {
				shared.DependencyCircular(c, m, nil)
			}
		}))
	if k.knowsDone() {
		list = append(list, k.rule(work.DependencyOpen, sdk.Error,
			"An ITEM is done, but an ITEM that it depends on is not.",
			"It was built on unfinished work.", "Finish what it depends on, or reopen it.",
			func(m *run, c *report) { shared.DependencyOpen(c, m, nil) }))
	}
	return list
}

// named is the place that names an item: what at says, or the key.
func (m *run) named(i *item) sdk.Range { return m.place(i.at, i.id, i.v) }

// unread finds lists without items, and items without a key.
func (m *run) unread(k *kind, c *report) {
	l := m.items(m.now, k)
	if len(l.list) == 0 && l.known() {
		f := c.At(m.place(l.value), "no "+k.name+" was found here, so no rule about "+k.plural+" can report anything")
		if !k.required {
			f.As(sdk.Info)
		}
		return
	}
	for _, i := range l.list {
		if k.key != nil && i.key == "" {
			if v := k.key.Eval(i.scope); v.Kind == expr.Unknown {
				continue
			}
			f := c.At(m.place(i.v), "this "+k.name+" has no "+k.id+", so it is not compared with the base").
				Keyed(i.title)
			if c.Rule.Severity > sdk.Warning {
				f.As(sdk.Warning)
			}
		}
	}
}

func (m *run) unknownWord(k *kind, c *report) {
	for _, i := range m.items(m.now, k).list {
		if i.state.Kind == expr.Unknown || i.state.Kind == expr.String && slices.Contains(k.words, i.state.Text) {
			continue
		}
		shown := i.state.String()
		switch i.state.Kind {
		case expr.String:
			shown = say.Quote(shown)
		case expr.Null:
			shown = "missing"
		}
		f := c.At(m.place(i.state, i.v), say.Wrong("the "+k.word+" of "+i.Called(), shown, say.Or(k.words...))).
			About(i.key)
		near := ""
		if i.state.Kind == expr.String {
			near = words.Nearest(i.state.Text, k.words)
		}
		if near != "" && i.state.From != nil {
			if e, ok := i.state.From.Edit(expr.Str(near)); ok {
				f.Offer(sdk.Review, "Set "+k.word+" to "+near, e)
			}
		}
	}
}

func (m *run) several(k *kind, c *report) {
	var first *item
	for _, i := range m.items(m.now, k).list {
		if i.state.Kind != expr.String || i.state.Text != k.one {
			continue
		}
		if first == nil {
			first = i
			continue
		}
		c.At(m.place(i.state, i.v), i.Called()+" is "+k.one+", and so is "+first.Called()).About(i.key).
			See(m.place(first.state, first.v), "the first one")
	}
}
