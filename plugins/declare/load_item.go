package declare

import (
	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/plugins/declare/view"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// loadKind reads a kind of items.
func (l *loader) loadKind(m jsondoc.Member) {
	v := m.Value
	k := &kind{name: m.Key, plural: say.Plural(m.Key), words: strs(get(v, "words")),
		active: strs(get(v, "active")), dropped: strs(get(v, "dropped")), one: str(get(v, "one")),
		keep: truth(get(v, "keep")), required: truth(get(v, "required"))}
	var list *expr.Shape
	if k.each, list = l.expr(get(v, "each"), l.names); list != nil {
		k.shape = list.Elem
	}
	if fields := strs(get(v, "fields")); len(fields) > 0 && (k.shape == nil || !k.shape.Folded) {
		k.shape = view.FieldsShape(fields, k.shape)
	}
	k.state = l.node(get(v, "state"), l.names.With("it", k.shape))
	k.shape = k.shape.WithWords(k.state.Member(), k.words)
	l.define(m, expr.ListOfShape(k.shape))
	names := l.names.With("it", k.shape)
	k.key, k.title, k.at = l.node(get(v, "key"), names), l.node(get(v, "title"), names), l.node(get(v, "at"), names)
	k.needs = l.node(get(v, "needs"), names)
	k.same = l.node(get(v, "same"), l.names)
	k.frozenWhen = l.node(get(v, "frozen_when"), k.names(l.names))
	if k.word = k.state.Member(); k.word == "" {
		k.word = "status"
	}
	if k.id = k.key.Member(); k.id == "" {
		k.id = "key"
	}
	if done := get(v, "done"); done.Kind() == jsondoc.Array {
		k.done = strs(done)
		if !expr.Unchecked && k.state == nil {
			fail(done, "a list of words needs state; add state, or use an expression such as it.passes")
		}
	} else {
		k.doneWhen = l.node(done, k.names(l.names))
	}
	l.frozen(k, get(v, "frozen"), names)
	for _, e := range get(v, "moves").Members() {
		if k.moves == nil {
			k.moves = map[string][]string{}
		}
		k.moves[e.Key] = strs(e.Value)
	}
	k.checkWords(v)
	l.d.kinds = append(l.d.kinds, k)
}

// names are those that expressions about an item and its base may use.
func (k *kind) names(n expr.Names) expr.Names {
	n = n.With("it", k.shape).With("old", k.shape)
	if k.state != nil {
		is := &expr.Shape{Kind: expr.String, Words: k.words}
		n = n.With("state", is).With("was", is)
	}
	return n
}

// frozen reads what must not change: expressions, or a name for each.
func (l *loader) frozen(k *kind, v jsondoc.Value, names expr.Names) {
	if v.Kind() == jsondoc.Object {
		for _, e := range v.Members() {
			k.frozen = append(k.frozen, named{e.Key, l.node(e.Value, names)})
		}
		return
	}
	for _, e := range v.Elements() {
		n := l.node(e, names)
		what := n.Member()
		if !expr.Unchecked && what == "" {
			fail(e, "this expression needs a name; use frozen: {NAME: EXPRESSION}")
		}
		k.frozen = append(k.frozen, named{what, n})
	}
}

// checkWords refuses a value that `words` does not list.
func (k *kind) checkWords(v jsondoc.Value) {
	if expr.Unchecked {
		return
	}
	known := func(at jsondoc.Value, word string) {
		if message := (&expr.Shape{Words: k.words}).Refuses(word); message != "" {
			fail(at, message)
		}
	}
	for _, key := range []string{"done", "active", "dropped"} {
		for _, e := range get(v, key).Elements() {
			known(e, str(e))
		}
	}
	known(get(v, "one"), k.one)
	for _, e := range get(v, "moves").Members() {
		known(e.Value, e.Key)
		for _, to := range list(e.Value) {
			known(to, str(to))
		}
	}
}

// loadProgress reads which items are counted: by default, the first kind that can be done.
func (l *loader) loadProgress(v jsondoc.Value) {
	d := l.d
	if d.progress = d.kindCalled(str(v)); v.Exists() {
		if !expr.Unchecked && (d.progress == nil || !d.progress.knowsDone()) {
			fail(v, str(v)+" is not an item that can be done"+expr.Nearest(str(v), l.names.All))
		}
		return
	}
	for _, k := range d.kinds {
		if k.knowsDone() {
			d.progress = k
			break
		}
	}
}
