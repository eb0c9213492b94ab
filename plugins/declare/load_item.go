package declare

import (
	"slices"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/plugins/declare/view"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// loadKind reads a kind of items.
func (l *loader) loadKind(m jsondoc.Member) {
	v := m.Value
	members(v, "each", "key", "title", "at", "fields", "state", "words", "done", "moves", "one", "keep", "frozen",
		"frozen_when", "needs", "required")
	k := &kind{name: m.Key, words: strs(v.Get("words")), one: str(v.Get("one")), keep: truth(v.Get("keep")),
		required: truth(v.Get("required"))}
	if !wire.IsName(ruleName(m.Key)) {
		panic(&Error{Pointer: v.Pointer(), Key: true, At: -1, Message: m.Key +
			" begins the names of rules; use lowercase letters, digits and single underscores"})
	}
	var list *expr.Shape
	if k.each, list = l.expr(need(v, "each"), l.names); list != nil {
		k.shape = list.Elem
	}
	if fields := strs(v.Get("fields")); len(fields) > 0 && (k.shape == nil || !k.shape.Folded) {
		k.shape = view.FieldsShape(fields, k.shape)
	}
	l.define(m, expr.ListOfShape(k.shape))
	names := l.names.With("it", k.shape)
	k.key, k.title, k.at = l.node(v.Get("key"), names), l.node(v.Get("title"), names), l.node(v.Get("at"), names)
	k.state, k.needs = l.node(v.Get("state"), names), l.node(v.Get("needs"), names)
	k.frozenWhen = l.node(v.Get("frozen_when"), names.With("old", k.shape))
	if k.word = k.state.Member(); k.word == "" {
		k.word = "status"
	}
	if done := v.Get("done"); done.Kind() == jsondoc.Array {
		k.done = strs(done)
	} else {
		k.doneWhen = l.node(done, names)
	}
	l.frozen(k, v.Get("frozen"), names)
	for _, e := range members(v.Get("moves")) {
		if k.moves == nil {
			k.moves = map[string][]string{}
		}
		k.moves[e.Key] = []string{}
		if e.Value.Kind() != jsondoc.Null {
			k.moves[e.Key] = strs(e.Value)
		}
	}
	k.complete(v)
	l.d.kinds = append(l.d.kinds, k)
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
		if what == "" {
			fail(e, "an expression needs a name here: frozen: {NAME: EXPRESSION}")
		}
		k.frozen = append(k.frozen, named{what, n})
	}
}

// complete refuses members that need others.
func (k *kind) complete(v jsondoc.Value) {
	if expr.Unchecked {
		return
	}
	for _, need := range []struct {
		is     bool
		member string
		of     bool
		what   string
	}{
		{len(k.words) > 0, "words", k.state != nil, "state"}, {len(k.done) > 0, "done", k.state != nil, "state"},
		{k.moves != nil, "moves", k.state != nil, "state"}, {k.one != "", "one", k.state != nil, "state"},
		{k.moves != nil, "moves", k.key != nil, "key"}, {k.keep, "keep", k.key != nil, "key"},
		{len(k.frozen) > 0, "frozen", k.key != nil, "key"}, {k.needs != nil, "needs", k.key != nil, "key"},
		{k.frozenWhen != nil, "frozen_when", len(k.frozen) > 0, "frozen"},
	} {
		if need.is && !need.of {
			fail(v.Get(need.member), need.member+" needs "+need.what+", which this item does not have")
		}
	}
	if len(k.words) == 0 {
		return
	}
	known := func(at jsondoc.Value, word string) {
		if word != "" && !slices.Contains(k.words, word) {
			fail(at, word+" is not one of words"+expr.Nearest(word, k.words))
		}
	}
	for _, e := range v.Get("done").Elements() {
		known(e, str(e))
	}
	known(v.Get("one"), k.one)
	for _, e := range v.Get("moves").Members() {
		known(e.Value, e.Key)
		for _, to := range strs(e.Value) {
			known(e.Value, to)
		}
	}
}

// loadPhases reads how far a run is. Without phases, they follow from the first kind of items that can be done.
func (l *loader) loadPhases(v jsondoc.Value) {
	d := l.d
	for _, p := range v.Get("phases").Elements() {
		members(p, "name", "doc", "when")
		d.phases = append(d.phases, phase{str(need(p, "name")), str(p.Get("doc")), l.node(p.Get("when"), l.names)})
	}
	d.claimed = l.node(v.Get("claimed"), l.names)
	p := v.Get("progress")
	members(p, "each", "done", "unit")
	if p.Exists() {
		each, list := l.expr(need(p, "each"), l.names)
		var elem *expr.Shape
		if list != nil {
			elem = list.Elem
		}
		d.progress = &progress{each: each, unit: str(p.Get("unit")),
			done: l.node(need(p, "done"), l.names.With("it", elem))}
		return
	}
	for _, k := range d.kinds {
		if k.knowsDone() {
			d.progress = &progress{kind: k, unit: k.name + "s"}
			break
		}
	}
}
