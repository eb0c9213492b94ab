package declare

import (
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

// An item is an element of a list that a declaration calls items. It is a work.Item.
type item struct {
	kind  *kind
	v     *expr.Value
	scope *expr.Scope // with it
	key   string      // "" without one
	id    *expr.Value // the key, with its place
	title string
	state *expr.Value // nil where items have none
	mark  *expr.Value // what done is, nil where words say it
	is    status.Status
	at    *expr.Value
	needs []work.Need[*item]
	known bool  // needs are read
	was   *item // what it was in the base, or nil if it is new
	isNow *item // of the base: what it is now, or nil if it is gone
}

func (i *item) Key() string { return i.key }

// Titled returns the title where it says more than the key.
func (i *item) Titled() string {
	if i.title == i.key {
		return ""
	}
	return i.title
}

func (i *item) Is() status.Status { return i.is }

// Called returns the name of the kind with the key, or else the title.
func (i *item) Called() string {
	if i.key == "" && i.title != "" {
		return i.kind.name + " " + say.Quote(i.title)
	}
	switch {
	case i.key == "":
		return "an unnamed " + i.kind.name
	case strings.HasPrefix(words.Lower(i.key), i.kind.name+" "):
		return say.Clip(i.key)
	}
	return i.kind.name + " " + say.Clip(i.key)
}

func (i *item) Brief() string {
	if i.Titled() == "" {
		return say.Clip(i.key)
	}
	return strings.TrimSpace(say.Clip(i.key) + " " + say.Quote(i.title))
}

// Says returns the status as it is written, or what it means.
func (i *item) Says() string {
	if i.state != nil && i.state.Kind != expr.Null {
		return say.Clip(i.state.String())
	}
	if i.is == status.Unknown {
		return "there"
	}
	return i.is.String()
}

func (i *item) At() sdk.Range {
	for _, v := range []*expr.Value{i.state, i.mark, i.at, i.id, i.v} {
		if at := v.Place(); at.Path != "" {
			return at
		}
	}
	return sdk.Range{}
}

func (i *item) Assign(f *check.Finding) { f.About(i.key) }

// An itemList are the items of one kind in one revision.
type itemList struct {
	value *expr.Value // the list as expressions see it
	list  []*item
	byKey map[string]*item // the first with each key

	failed *expr.Failure // why the list is not whole
}

// known reports whether the list holds every item.
func (l *itemList) known() bool { return l.value.Kind != expr.Unknown && !l.value.Partial }

// items reads the items of a kind.
func (m *run) items(s *state, k *kind) *itemList {
	if l := s.items[k]; l != nil {
		if l.failed != nil {
			panic(l.failed)
		}
		return l
	}
	l := &itemList{value: expr.NoValue, byKey: map[string]*item{}}
	s.items[k] = l // an expression of the kind that names the kind sees nothing
	if s.unseen {
		return l
	}
	defer func() {
		if e := recover(); e != nil {
			l.failed, _ = e.(*expr.Failure)
			panic(e)
		}
	}()
	v := k.each.Eval(s.scope).Open()
	switch v.Kind {
	case expr.Unknown:
		return l
	case expr.Null:
		v = &expr.Value{Kind: expr.List, From: v.From}
	case expr.List:
	default:
		panic(expr.Wrong("each of "+k.name+" is "+v.Kind.String()+", expected a list", v))
	}
	l.value = &expr.Value{Kind: expr.List, List: v.List, Partial: v.Partial, From: v.From,
		Named: map[string]*expr.Value{}}
	l.list = make([]*item, len(v.List))
	for n, e := range v.List {
		i := &item{kind: k, v: e.Open(), scope: s.scope.With("it", e)}
		l.list[n] = i
		i.read()
		if i.key != "" && l.byKey[i.key] == nil {
			l.byKey[i.key] = i
			l.value.Named[i.key] = e
		}
	}
	return l
}

func (i *item) read() {
	k := i.kind
	text := func(n *expr.Node) (*expr.Value, string) {
		if n == nil {
			return nil, ""
		}
		v := n.Eval(i.scope)
		if v.Kind != expr.String && v.Kind != expr.Number {
			return v, ""
		}
		return v, strings.TrimSpace(v.String())
	}
	i.id, i.key = text(k.key)
	_, i.title = text(k.title)
	if k.at != nil {
		i.at = k.at.Eval(i.scope)
	}
	if k.state != nil {
		i.state = k.state.Eval(i.scope).Open()
		i.scope = i.scope.With("state", i.state)
	}
	i.is = i.means()
}

// means returns how far the item is.
func (i *item) means() status.Status {
	k := i.kind
	if k.doneWhen != nil {
		i.mark = k.doneWhen.Eval(i.scope)
		switch v := i.mark; v.Kind {
		case expr.Unknown:
			return status.Unknown
		case expr.Null:
		case expr.Bool:
			if v.Bool {
				return status.Done
			}
		default:
			panic(expr.Wrong("done of "+k.name+" is "+v.Kind.String()+", expected a boolean", v))
		}
		if i.state == nil {
			return status.Open
		}
	}
	if i.state == nil || i.state.Kind != expr.String {
		return status.Unknown
	}
	return k.means(i.state.Text)
}

// means returns what a word says. Where the declaration lists the words of a meaning, no other has it.
func (k *kind) means(word string) status.Status {
	switch {
	case slices.Contains(k.done, word):
		return status.Done
	case slices.Contains(k.dropped, word):
		return status.Cancelled
	case word == k.one && word != "" || slices.Contains(k.active, word):
		return status.InProgress
	case !k.knows(word):
		return status.Unknown
	}
	is := status.Of(word)
	if is == status.Done && (len(k.done) > 0 || k.doneWhen != nil) {
		is = status.Review
	}
	if is == status.Cancelled && len(k.dropped) > 0 || is.Started() && len(k.active) > 0 ||
		is == status.Unknown && len(k.words) > 0 {
		return status.Open
	}
	return is
}

// pair finds out what each item was in the base: by its key, or by a title that only one of those has whose keys are
// gone or new. It returns the items now, and those of the base.
func (m *run) pair(k *kind) (now, past *itemList) {
	now, past = m.items(m.now, k), m.items(m.past, k)
	if m.paired[k] {
		return now, past
	}
	m.paired[k] = true
	if k.same != nil && !k.same.Eval(m.now.scope).Is() {
		m.items(m.past, k).list, m.items(m.past, k).byKey = nil, nil
	}
	past = m.items(m.past, k)
	renamed := map[string][]*item{}
	for _, i := range now.list {
		if i.key == "" || now.byKey[i.key] != i || i.was != nil {
			continue
		}
		if was := past.byKey[i.key]; was != nil {
			i.was, was.isNow = was, i
		} else if i.title != "" {
			renamed[i.title] = append(renamed[i.title], i)
		}
	}
	gone := map[string][]*item{}
	for _, i := range past.list {
		if i.key != "" && past.byKey[i.key] == i && i.isNow == nil && i.title != "" {
			gone[i.title] = append(gone[i.title], i)
		}
	}
	for title, list := range renamed {
		if was := gone[title]; len(list) == 1 && len(was) == 1 {
			list[0].was, was[0].isNow = was[0], list[0]
		}
	}
	return now, past
}

// compared is the scope of an item with what it was in the base: null if it is new.
func (m *run) compared(i *item) *expr.Scope {
	old, was := expr.Nothing, expr.Nothing
	switch {
	case i.was != nil:
		if old = i.was.v; i.was.state != nil {
			was = i.was.state
		}
	case m.past.unseen || !m.items(m.past, i.kind).known():
		old, was = expr.NoValue, expr.NoValue
	}
	return i.scope.With("old", old).With("was", was)
}
