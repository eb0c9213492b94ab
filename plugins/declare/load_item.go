package declare

import (
	"cmp"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/plugins/declare/view"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// loadKind reads one kind of items.
func (l *loader) loadKind(m jsondoc.Member) {
	v := m.Value
	k := &kind{name: m.Key, plural: say.Plural(m.Key), words: strs(get(v, "words")),
		active: strs(get(v, "active")), dropped: strs(get(v, "dropped")), one: str(get(v, "one")),
		keep: truth(get(v, "keep")), required: truth(get(v, "required")), moves: map[string][]string{}}
	var list *expr.Shape
	if k.each, list = parsed(get(v, "each"), l.names, expr.Parse); list != nil {
		k.shape = list.Elem
	}
	if fields := strs(get(v, "fields")); len(fields) > 0 && (k.shape == nil || !k.shape.Folded) {
		k.shape = view.FieldsShape(fields, k.shape)
	}
	k.state = node(v, "state", l.names.With("it", k.shape))
	k.shape = k.shape.WithWords(k.state.Member(), k.words)
	l.define(m, expr.ListOfShape(k.shape), func(m *run, s *state) *expr.Value { return m.items(s, k).value })
	names := l.names.With("it", k.shape)
	k.key, k.title, k.at = node(v, "key", names), node(v, "title", names), node(v, "at", names)
	k.needs, k.same = node(v, "needs", names), node(v, "same", l.names)
	k.frozenWhen = node(v, "frozen_when", k.names(l.names))
	k.word, k.id = cmp.Or(k.state.Member(), "status"), cmp.Or(k.key.Member(), "key")
	if done := get(v, "done"); done.Kind() == jsondoc.Array {
		k.done = strs(done)
		refuse(k.state == nil, done, "a list of words needs state; add state, or use an expression such as it.passes")
	} else {
		k.doneWhen = node(v, "done", k.names(l.names))
	}
	for _, e := range get(v, "frozen").Members() {
		k.frozen = append(k.frozen, named{e.Key, node(get(v, "frozen"), e.Key, names)})
	}
	for _, e := range get(v, "frozen").Elements() {
		n, _ := parsed(e, names, expr.Parse)
		refuse(n.Member() == "", e, "this expression needs a name; use frozen: {NAME: EXPRESSION}")
		k.frozen = append(k.frozen, named{n.Member(), n})
	}
	for _, e := range get(v, "moves").Members() {
		k.moves[e.Key] = strs(e.Value)
	}
	k.checkWords(v)
	l.d.kinds = append(l.d.kinds, k)
}

// names adds the names that only expressions about an item can use.
func (k *kind) names(n expr.Names) expr.Names {
	n = n.With("it", k.shape).With("old", k.shape)
	if k.state != nil {
		is := &expr.Shape{Kind: expr.String, Words: k.words}
		n = n.With("state", is).With("was", is)
	}
	return n
}

// checkWords refuses words in done, active, dropped, one and moves that are missing from words.
func (k *kind) checkWords(v jsondoc.Value) {
	if expr.Unchecked {
		return
	}
	known := func(word string, at jsondoc.Value) {
		message := (&expr.Shape{Words: k.words}).Refuses(word)
		refuse(message != "", at, message)
	}
	all := append(get(v, "done").Elements(), get(v, "active").Elements()...)
	all = append(append(all, get(v, "dropped").Elements()...), get(v, "one"))
	for _, e := range get(v, "moves").Members() {
		known(e.Key, e.Value)
		all = append(all, list(e.Value)...)
	}
	for _, e := range all {
		known(str(e), e)
	}
}

// loadProgress reads which items are counted. By default, these are the items of the first kind that can be done.
func (l *loader) loadProgress(v jsondoc.Value) {
	for _, k := range l.d.kinds {
		if k.knowsDone() && (k.name == str(v) || !v.Exists()) {
			l.d.progress = k
			return
		}
	}
	refuse(v.Exists(), v, str(v)+" is not an item that can be done"+expr.Nearest(str(v), l.names.All()))
}
