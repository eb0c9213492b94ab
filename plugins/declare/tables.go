package declare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// found is a finding about an item.
type found = work.Found[*item]

// work adapts the kind to the rules of package work, which other workflows have, too.
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
			at := expr.Place(i.v)
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
				if i.other != nil && i.other.is == status.Done && i.is.Left() {
					list = append(list, work.Pair[*item]{Was: i.other, Is: i})
				}
			}
			return list
		},
		Lost: func(m *run) []work.Loss[*item] { return m.lost(k) },
	}
}

// needs returns what an item depends on. It evaluates the expression once per item.
func (m *run) needs(i *item) []work.Need[*item] {
	if i.known {
		return i.needs
	}
	all, past := m.items(m.now, i.kind), &itemList{}
	if i.kind.keep {
		_, past = m.pair(i.kind)
	}
	v := i.kind.needs.Eval(i.scope).Open()
	ids := v.List
	if v.Kind != expr.List {
		ids = []*expr.Value{v}
	}
	for _, id := range ids {
		switch id.Open().Kind {
		case expr.Null, expr.Unknown:
			continue
		case expr.Bool, expr.List, expr.Map:
			panic(expr.Wrong("needs of "+i.Called()+" has "+id.Kind.String()+", expected keys", id))
		}
		n := work.Need[*item]{ID: id.String(), At: m.place(id, i.v)}
		n.On, n.Exists = all.byKey[n.ID]
		was := past.byKey[n.ID] // a lost item is reported by another rule
		n.Unclear = !all.known() || was != nil && was.other == nil
		if n.ID != "" {
			i.needs = append(i.needs, n)
		}
	}
	i.known = true
	return i.needs
}

// lost returns the missing items. Each is located at the item that preceded it, or at the list.
func (m *run) lost(k *kind) (list []work.Loss[*item]) {
	now, past := m.pair(k)
	if !now.known() {
		return nil
	}
	before := m.place(now.value)
	if len(now.list) > 0 && expr.Place(now.value).Path == "" {
		before = m.named(now.list[0])
	}
	for _, i := range past.list {
		if i.other != nil {
			before = m.named(i.other)
		}
		if i.other != nil || past.byKey[i.key] != i || now.byKey[i.key] != nil {
			continue
		}
		loss := work.Loss[*item]{Items: []*item{i}, At: before}
		if file := i.v.Also; file != nil { // the item is a file
			loss.At = sdk.At(file.Get("path").String())
		}
		list = append(list, loss)
	}
	if len(list) > 20 { // too many to have been removed one by one: report them together
		all := work.Loss[*item]{Of: len(past.list), At: list[0].At, Many: true}
		for _, loss := range list {
			all.Items = append(all.Items, loss.Items...)
		}
		list = []work.Loss[*item]{all}
	}
	return list
}

// tables returns the rules that follow from what the declaration says about items. ITEM, ITEMS, STATE, KEY and ONE in
// their texts stand for the declaration's own words.
func (k *kind) tables() (list []*rule) {
	shared := k.work()
	add := func(applies bool, name, doc, why, fix string, find func(*report, *run)) *rule {
		r := &rule{}
		r.Name, r.Doc, r.Why, r.Fix = strings.ReplaceAll(k.name, "_", "-")+"-"+name, k.named(doc), why, k.named(fix)
		r.Severity, r.Find = sdk.Error, find
		if applies {
			list = append(list, r)
		}
		return r
	}
	keyed, knowsDone := k.key != nil, k.knowsDone()
	unread := add(true, "unread", "No ITEM was found, or an ITEM has no KEY.",
		"Items that are not found are not checked.", "Correct the file, or `each` and `key` in the declaration.",
		func(c *report, m *run) { m.unread(k, c) })
	unread.SeverityIf = "Warning if one has no " + k.id + "."
	if !k.required {
		unread.Severity, unread.SeverityIf = sdk.Warning, "Info if none was found."
	}
	add(keyed && k.key.Member() != "path", // two files never have the same path
		work.IDRepeated, "Two ITEMS have the same KEY.", "A reference to one of them may mean the other.",
		"Give one of them a different KEY.", func(c *report, m *run) {
			shared.IDRepeated(c, m, func(f *found) {
				f.Range = m.named(f.Item)
				f.See(m.named(f.Others[0]), "the first one")
			})
		})
	add(len(k.words) > 0, "status-unknown", "The STATE of an ITEM is not one of the known words.",
		"Its progress is unknown.", "Use one of: "+strings.Join(k.words, ", ")+".",
		func(c *report, m *run) { m.unknownWord(k, c) })
	past := len(list)
	add(k.keep, "lost", "An ITEM in the base is missing.", "Removing agreed work from the list does not complete it.",
		"Restore it from the base.", func(c *report, m *run) {
			shared.ItemLost(c, m, nil)
		})
	add(len(k.moves) > 0, "status-jumped", "The STATE of an ITEM changed in a way that `moves` does not permit.",
		"A workflow step was skipped.", "Go through the steps in between.",
		func(c *report, m *run) { m.jumped(k, c) })
	reopened := add(keyed && len(k.moves) == 0 && knowsDone, "reopened",
		"An ITEM that was done in the base is open again.", "It was reopened, or a merge restored an old file.",
		"Close it again, or explain why it is open.",
		func(c *report, m *run) {
			shared.TickLost(c, m, func(f *found) {
				is, was := f.Item, f.Others[0]
				if is.state != nil {
					set(f.Finding, is.state, was.state, "Set "+k.word+" back to "+say.Clip(was.state.String()))
				} else if k.doneWhen.Member() != "" {
					set(f.Finding, is.mark, was.mark, "Set "+k.doneWhen.Member()+" back to "+was.mark.String())
				}
			})
		})
	reopened.Severity = sdk.Warning
	add(len(k.frozen) > 0, "rewritten", "The promise of an ITEM differs from the base.",
		"If promises may change, any work can be declared done.", "Restore the text from the base.",
		func(c *report, m *run) { m.rewritten(k, c) })
	for _, r := range list[past:] {
		r.Needs = check.OnBase
	}
	add(k.one != "", "several", "More than one ITEM is ONE.", "The next session continues only one of them.",
		"Keep only one of them ONE.", func(c *report, m *run) { m.several(k, c) })
	add(k.needs != nil, work.DependencyMissing, "An ITEM depends on an ITEM that does not exist.",
		"It never becomes ready.", "Name the intended ITEM, or remove the dependency.",
		func(c *report, m *run) { shared.DependencyMissing(c, m, nil) })
	add(k.needs != nil, work.DependencyCircular, "Some ITEMS depend on each other in a circle.",
		"None of them can begin.", "Remove one of the dependencies.", func(c *report, m *run) {
			if m.items(m.now, k).known() {
				shared.DependencyCircular(c, m, nil)
			}
		})
	add(k.needs != nil && knowsDone, work.DependencyOpen, "An ITEM is done, but an ITEM that it depends on is not.",
		"It was built on unfinished work.", "Finish what it depends on, or reopen it.",
		func(c *report, m *run) { shared.DependencyOpen(c, m, nil) })
	return list
}

// named replaces the placeholders in a text with the declaration's own words.
func (k *kind) named(text string) string {
	one := " " + k.name
	if strings.IndexByte("aeio", k.name[0]) >= 0 {
		one = "n" + one
	}
	for _, w := range [...][2]string{{"ITEMS", k.plural}, {"n ITEM", one}, {"ITEM", k.name},
		{"STATE", k.word}, {"KEY", k.id}, {"ONE", k.one}} {
		text = strings.ReplaceAll(text, w[0], w[1])
	}
	return text
}

// named returns the location that identifies an item: the value of at, or else the key.
func (m *run) named(i *item) sdk.Range { return m.place(i.at, i.id, i.v) }

// unread reports an empty list, and items without a key.
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
		if k.key != nil && i.key == "" && i.id.Kind != expr.Unknown {
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
		is := i.state.Kind == expr.String
		if i.state.Kind == expr.Unknown || is && k.knows(i.state.Text) {
			continue
		}
		shown, near := i.state.String(), ""
		if is {
			shown, near = say.Quote(shown), words.Nearest(i.state.Text, k.words)
		} else if i.state.Kind == expr.Null {
			shown = "missing"
		}
		f := c.At(m.place(i.state, i.v), say.Wrong("the "+k.word+" of "+i.Called(), shown, say.Or(k.words...))).
			About(i.key)
		if near != "" {
			set(f, i.state, expr.Str(near), "Set "+k.word+" to "+near)
		}
	}
}

func (m *run) several(k *kind, c *report) {
	var first *item
	for _, i := range m.items(m.now, k).list {
		switch {
		case i.state.Kind != expr.String || i.state.Text != k.one:
		case first == nil:
			first = i
		default:
			c.At(m.place(i.state, i.v), i.Called()+" is "+k.one+", and so is "+first.Called()).About(i.key).
				See(m.place(first.state, first.v), "the first one")
		}
	}
}

func (m *run) jumped(k *kind, c *report) {
	now, _ := m.pair(k)
	for _, i := range now.list {
		if i.other == nil || i.state.Kind != expr.String || i.other.state.Kind != expr.String {
			continue
		}
		from, to := i.other.state.Text, i.state.Text
		next, known := k.moves[from]
		if from == to || !known || slices.Contains(next, to) || !k.knows(to) {
			continue
		}
		expected := "expected " + say.Or(next...)
		if len(next) == 0 {
			expected = from + " is the last step"
		}
		f := c.At(m.place(i.state, i.v), i.Called()+" went from "+say.Clip(from)+" to "+say.Clip(to)+"; "+expected).
			About(i.key)
		set(f, i.state, i.other.state, "Set "+k.word+" back to "+say.Clip(from))
	}
}

func (m *run) rewritten(k *kind, c *report) {
	now, _ := m.pair(k)
	for _, i := range now.list {
		if i.other == nil || k.frozenWhen != nil && !k.frozenWhen.Eval(m.compared(i)).Is() {
			continue
		}
		for _, what := range k.frozen {
			is, was := what.expr.Eval(i.scope).Open(), what.expr.Eval(i.other.scope).Open()
			if is.Kind == expr.Unknown || was.Kind == expr.Unknown || was.Kind == expr.Null || expr.Equal(is, was) {
				continue
			}
			verb := " was rewritten"
			if is.Kind == expr.Null {
				verb = " is missing"
			}
			message := what.name + " of " + i.Called() + verb + "; in the base it is " + say.Quote(was.String())
			f := c.At(m.place(is, i.v), message).About(i.key).Keyed(what.name)
			set(f, is, was, "Restore the "+strings.TrimPrefix(what.name, "the ")+" from the base")
		}
	}
}

// set offers a remedy that writes a value, such as the value in the base.
func set(f *check.Finding, at, to *expr.Value, title string) {
	if at == nil || at.From == nil || at.From.Set == nil || to.Kind == expr.Null || to.Kind == expr.Unknown {
		return
	}
	if e, ok := at.From.Set(to); ok {
		f.Offer(sdk.Review, title, e)
	}
}
