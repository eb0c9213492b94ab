package declare

import (
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
	other *item // what it was in the base, or of one of the base what it is now; nil if it is new or gone
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
	switch {
	case i.key == "" && i.title != "":
		return i.kind.name + " " + say.Quote(i.title)
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
	switch {
	case i.state != nil && i.state.Kind != expr.Null:
		return say.Clip(i.state.String())
	case i.is == status.Unknown:
		return "there"
	}
	return i.is.String()
}

func (i *item) At() sdk.Range { return expr.Place(i.state, i.mark, i.at, i.id, i.v) }

func (i *item) Assign(f *check.Finding) { f.About(i.key) }

// An itemList are the items of one kind in one revision.
type itemList struct {
	value  *expr.Value // the list as expressions see it
	list   []*item
	byKey  map[string]*item // the first with each key
	paired bool             // with the base
}

// known reports whether the list holds every item.
func (l *itemList) known() bool { return l.value.Kind != expr.Unknown && !l.value.Partial }

// items reads the items of a kind.
func (m *run) items(s *state, k *kind) *itemList {
	if l := s.items[k]; l != nil {
		return l
	}
	l := &itemList{value: expr.NoValue, byKey: map[string]*item{}}
	s.items[k] = l // an expression of the kind that names the kind sees nothing
	if s.unseen {
		return l
	}
	read := false
	defer func() {
		if !read { // an expression failed, and fails again for the next rule
			delete(s.items, k)
		}
	}()
	if v := k.each.List(s.scope, "each of "+k.name); v.Kind != expr.Unknown {
		value := &expr.Value{Kind: expr.List, List: v.List, Partial: v.Partial, From: v.From,
			Named: map[string]*expr.Value{}}
		for _, e := range v.List {
			i := &item{kind: k, v: e, scope: s.scope.With("it", e)}
			i.read()
			l.list = append(l.list, i)
			if i.key != "" && l.byKey[i.key] == nil {
				l.byKey[i.key], value.Named[i.key] = i, e
			}
		}
		l.value = value
	}
	read = true
	return l
}

func (i *item) read() {
	k := i.kind
	text := func(n *expr.Node) (v *expr.Value, text string) {
		if n != nil {
			v = n.Eval(i.scope)
			if v.Kind == expr.String || v.Kind == expr.Number {
				text = strings.TrimSpace(v.String())
			}
		}
		return v, text
	}
	i.id, i.key = text(k.key)
	_, i.title = text(k.title)
	i.at, _ = text(k.at)
	if i.state, _ = text(k.state); i.state != nil {
		i.scope = i.scope.With("state", i.state.Open())
		if i.state.Kind == expr.String {
			i.is = k.means(i.state.Text)
		}
	}
	if k.doneWhen == nil {
		return
	}
	switch i.mark = k.doneWhen.Eval(i.scope); {
	case i.mark.Is():
		i.is = status.Done
	case i.mark.Kind == expr.Unknown:
		i.is = status.Unknown
	case i.mark.Kind != expr.Bool && i.mark.Kind != expr.Null:
		panic(expr.Wrong("done of "+k.name+" is "+i.mark.Kind.String()+", expected a boolean", i.mark))
	case i.state == nil:
		i.is = status.Open
	}
}

// pair finds out what each item was in the base: by its key, or by a title that only one of those has whose keys are
// gone or new. It returns the items now, and those of the base.
func (m *run) pair(k *kind) (now, past *itemList) {
	now, past = m.items(m.now, k), m.items(m.past, k)
	if now.paired {
		return now, past
	}
	if k.same != nil && !k.same.Eval(m.now.scope).Is() {
		past.list, past.byKey = nil, nil
	}
	now.paired = true
	for key, i := range now.byKey {
		if was := past.byKey[key]; was != nil {
			i.other, was.other = was, i
		}
	}
	gone := past.alone()
	for title, i := range now.alone() {
		if was := gone[title]; i != nil && was != nil {
			i.other, was.other = was, i
		}
	}
	return now, past
}

// alone returns the items that are not paired by their titles; nil where several have the same.
func (l *itemList) alone() map[string]*item {
	by := map[string]*item{}
	for _, i := range l.list {
		if title := i.title; i.other == nil && title != "" && l.byKey[i.key] == i {
			if _, several := by[title]; several {
				i = nil
			}
			by[title] = i
		}
	}
	return by
}

// compared is the scope of an item with what it was in the base: null if it is new.
func (m *run) compared(i *item) *expr.Scope {
	old, was := expr.Nothing, expr.Nothing
	switch {
	case i.other != nil:
		if old = i.other.v; i.other.state != nil {
			was = i.other.state
		}
	case m.past.unseen || !m.items(m.past, i.kind).known():
		old, was = expr.NoValue, expr.NoValue
	}
	return i.scope.With("old", old).With("was", was)
}
