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

// An item is an element of a list that the declaration names under items. It implements work.Item.
type item struct {
	kind  *kind
	v     *expr.Value
	scope *expr.Scope // with "it" bound to the item
	key   string      // "" if the item has none
	id    *expr.Value // the key, with its location
	title string
	state *expr.Value // nil if items of this kind have no state
	mark  *expr.Value // the value of done; nil if the state decides
	is    status.Status
	at    *expr.Value
	needs []work.Need[*item]
	known bool  // needs were read
	other *item // the same item in the base, or the current item for one in the base; nil if it is new or was removed
}

func (i *item) Key() string { return i.key }

// Titled returns the title, or "" if it only repeats the key.
func (i *item) Titled() string {
	if i.title == i.key {
		return ""
	}
	return i.title
}

func (i *item) Is() status.Status { return i.is }

// Called returns the kind's name and the key, or the title if there is no key.
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

// Says returns the state as the document writes it, or else what it means.
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

// An itemList contains the items of one kind in one revision.
type itemList struct {
	value  *expr.Value // the list as expressions see it
	list   []*item
	byKey  map[string]*item // the first item with each key
	paired bool             // with the items of the base
}

// known reports whether list is certain to contain every item.
func (l *itemList) known() bool { return l.value.Kind != expr.Unknown && !l.value.Partial }

// items reads the items of a kind, once for each revision.
func (m *run) items(s *state, k *kind) *itemList {
	if l := s.items[k]; l != nil {
		return l
	}
	l := &itemList{value: expr.NoValue, byKey: map[string]*item{}}
	s.items[k] = l // empty for now, so that an expression of the kind can refer to the kind without recursion
	if s.unseen {
		return l
	}
	read := false
	defer func() {
		if !read { // an expression failed; try again, so that it fails for the next rule too
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

// pair finds the counterpart of each item in the base: the item with the same key, or, if only one item without a
// counterpart has its title on each side, that one. It returns the current items and those of the base.
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

// alone returns the items without a counterpart, by title. A title that several of them have maps to nil.
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

// compared returns the scope of an item in which "old" is its counterpart in the base, or null if the item is new.
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
