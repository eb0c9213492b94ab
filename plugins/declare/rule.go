package declare

import (
	"strconv"

	"github.com/stategate/stategate/plugins/declare/expr"
)

// check looks for what one rule finds.
func (m *run) check(c *report, r *rule) {
	if r.find != nil {
		r.find(m, c)
		return
	}
	m.said = map[string]bool{}
	m.visit(&r.scan, func(i *item, it *expr.Value, s *expr.Scope) { m.judge(c, r, i, it, s) })
}

// visit goes through what a scan is about. The item is nil for other values.
func (m *run) visit(r *scan, do func(*item, *expr.Value, *expr.Scope)) {
	if r.kind == nil {
		m.nest(r.each, expr.Nothing, m.now.scope, func(it *expr.Value, s *expr.Scope) { do(nil, it, s) })
		return
	}
	m.pair(r.kind)
	for _, i := range m.items(m.now, r.kind).list {
		do(i, i.v, m.compared(i))
	}
}

// nest goes through nested lists and visits each element of the last one.
func (m *run) nest(lists []named, it *expr.Value, s *expr.Scope, do func(*expr.Value, *expr.Scope)) {
	if len(lists) == 0 {
		do(it, s)
		return
	}
	for _, e := range elements(lists[0].expr.Eval(s)) {
		inner := s
		if lists[0].name != "" {
			inner = inner.With(lists[0].name, e)
		}
		m.nest(lists[1:], e, inner.With("it", e), do)
	}
}

// elements are those of a list; none of null and of what is unknown.
func elements(v *expr.Value) []*expr.Value {
	switch v.Open().Kind {
	case expr.List, expr.Null, expr.Unknown:
		for _, e := range v.List {
			e.Open()
		}
		return v.List
	}
	panic(expr.Wrong("each is "+v.Kind.String()+", expected a list", v))
}

// judge reports what a rule finds on one value: it as a whole, or the elements that when selects.
func (m *run) judge(c *report, r *rule, i *item, it *expr.Value, s *expr.Scope) {
	switch w := r.when.Eval(s).Open(); w.Kind {
	case expr.List:
		for _, e := range w.List {
			m.report(c, r, i, nil, e.Open(), s.With("it", e))
		}
	case expr.Bool:
		if w.Bool {
			m.report(c, r, i, i, it, s)
		}
	case expr.Null, expr.Unknown:
	default:
		panic(expr.Wrong("when is "+w.Kind.String()+", expected a boolean or a list", w))
	}
}

// report makes a finding. Of an item, whole is the item if the finding is about it, and nil if it is about a part.
func (m *run) report(c *report, r *rule, i, whole *item, it *expr.Value, s *expr.Scope) {
	at := it
	if r.at != nil {
		at = r.at.Eval(s)
	} else if whole != nil && whole.at != nil {
		at = whole.at
	}
	place, text := m.place(at, it), r.say.Text(s)
	said := text + "\n" + place.Path + place.Pointer + ":" + strconv.Itoa(place.Line+place.Start)
	if m.said[said] { // sections overlap: one link is in each section around it
		return
	}
	m.said[said] = true
	f := c.At(place, text)
	if i != nil {
		f.About(i.key)
	}
	switch {
	case r.key != nil:
		f.Keyed(r.key.Eval(s).String())
	case whole == nil && it.Kind == expr.String:
		f.Keyed(it.Text)
	}
	if r.see != nil {
		if place := r.see.Eval(s).Place(); place.Path != "" {
			f.See(place, r.seeSay.Text(s))
		}
	}
	for n := range r.fixes {
		x := &r.fixes[n]
		title := x.title.Text(s)
		if x.set == nil {
			steps := make([]string, len(x.steps))
			for i, t := range x.steps {
				steps[i] = t.Text(s)
			}
			f.Advise(title, steps...)
			continue
		}
		set(f, x.set.Eval(s), x.to.Value(s), title)
	}
}
