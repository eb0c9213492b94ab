package declare

import (
	"github.com/stategate/stategate/plugins/declare/expr"
)

// check looks for what one rule finds.
func (m *run) check(c *report, r *rule) {
	switch {
	case r.find != nil:
		r.find(m, c)
	case r.kind != nil:
		m.pair(r.kind)
		for _, i := range m.items(m.now, r.kind).list {
			m.judge(c, r, i, i.v, m.compared(i))
		}
	default:
		m.nest(c, r, r.each, expr.Nothing, m.now.scope)
	}
}

// nest goes through nested lists and judges each element of the last one.
func (m *run) nest(c *report, r *rule, rest []named, it *expr.Value, s *expr.Scope) {
	if len(rest) == 0 {
		m.judge(c, r, nil, it, s)
		return
	}
	for _, e := range elements(rest[0].expr.Eval(s), "each of "+r.name) {
		inner := s
		if rest[0].name != "" {
			inner = inner.With(rest[0].name, e)
		}
		m.nest(c, r, rest[1:], e, inner.With("it", e))
	}
}

// elements are those of a list; none of null and of what is unknown.
func elements(v *expr.Value, what string) []*expr.Value {
	switch v.Open().Kind {
	case expr.List, expr.Null, expr.Unknown:
		for _, e := range v.List {
			e.Open()
		}
		return v.List
	}
	panic(&expr.Failure{Message: what + " is " + v.Kind.String() + ", expected a list"})
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
		panic(&expr.Failure{Message: "when is " + w.Kind.String() + ", expected a boolean or a list"})
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
	f := c.At(m.place(at, it), r.say.Text(s))
	if r.as != nil {
		if severity, ok := severities[r.as.Eval(s).String()]; ok && severity < r.severity {
			f.As(severity)
		}
	}
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
		to := x.to.Value(s)
		if x.value != nil {
			to = x.value.Eval(s)
		}
		set(f, x.set.Eval(s), to, title)
	}
}
