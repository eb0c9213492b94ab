package declare

import (
	"strconv"
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/plugins/declare/view"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

type report = check.Report

// Workflow returns the workflow that the declaration describes.
func (d *Declaration) Workflow() *sdk.Workflow {
	life := &sdk.Lifecycle{Name: d.name, Doc: d.doc, Phases: d.steps()}
	table := make([]check.Rule[*run], len(d.rules))
	for i, r := range d.rules {
		if r.Find == nil {
			r.Find = func(c *report, m *run) { m.check(c, r) }
		}
		if r.Fix != "" {
			r.Advice = "Correct it"
		}
		if r.SeverityIf == "" && r.Severity > sdk.Info {
			r.SeverityIf = "Always " + r.Severity.String() + "."
		}
		table[i] = r.Rule
	}
	w := &sdk.Workflow{
		Name: d.name, Version: d.version, Doc: d.doc, Requires: []string{"base", "outline"}, Roots: d.roots,
		Keep: d.keeps(), Schemas: d.schemas, Lifecycles: []*sdk.Lifecycle{life},
		Rules:   check.Declare(table, func(c *report) (*run, check.Needs) { return c.Model.(*run), 0 }),
		Prepare: func(p *sdk.Pass) (any, error) { return newRun(d, p), nil },
		Detect: func(p *sdk.Pass) ([]sdk.Detection, error) {
			return []sdk.Detection{p.Model.(*run).detect(life)}, nil
		},
		Resume: func(p *sdk.Pass, x *sdk.Detection, found []sdk.Diagnostic) { p.Model.(*run).resume(p, x, found) },
	}
	for _, r := range w.Rules {
		find := r.Check
		r.Check = func(p *sdk.Pass) error { return p.Model.(*run).try(func() error { return find(p) }) }
	}
	for _, x := range d.documents {
		w.Documents = append(w.Documents, x.spec)
	}
	return w
}

// keeps returns which runs must not vanish: all, if some items are required; the unfinished ones, if lost items are
// reported.
func (d *Declaration) keeps() (keep sdk.Keep) {
	for _, k := range d.kinds {
		switch {
		case k.required:
			return sdk.KeepAll
		case k.keep:
			keep = sdk.KeepUnfinished
		}
	}
	return keep
}

// A run evaluates a declaration in one pass.
type run struct {
	d    *Declaration
	p    *sdk.Pass
	env  *expr.Env
	now  *state
	past *state // the base; everything in it is unknown if there is none

	said map[string]bool // the messages of the current rule with their locations
}

// A state is the content of the documents in one revision.
type state struct {
	docs   sdk.Docs
	past   bool
	unseen bool // there is no such revision
	values map[string]*expr.Value
	items  map[*kind]*itemList
	scope  *expr.Scope
}

func newRun(d *Declaration, p *sdk.Pass) *run {
	m := &run{d: d, p: p}
	m.env = &expr.Env{Global: func(name string, past bool) *expr.Value {
		if past {
			return m.global(m.past, name)
		}
		return m.global(m.now, name)
	}}
	of := func(docs sdk.Docs, past bool) *state {
		return &state{docs: docs, past: past, values: map[string]*expr.Value{}, items: map[*kind]*itemList{},
			scope: expr.NewScope(m.env, past)}
	}
	m.now, m.past = of(p.Docs, false), of(p.Base.Docs, true)
	m.past.unseen = p.Base.State != sdk.BaseAt
	return m
}

// global returns the value of a document, a let or a kind of items.
func (m *run) global(s *state, name string) *expr.Value {
	v, known := s.values[name]
	if !known {
		v = expr.NoValue
		if define := m.d.defined[name]; define != nil && !s.unseen {
			v = define(m, s)
		}
		s.values[name] = v
	}
	return v
}

// value returns the document, or the list of the documents that the glob matches.
func (x *document) value(_ *run, s *state) *expr.Value {
	if !x.many {
		switch d := s.docs.Get(x.spec.Glob); {
		case d != nil:
			return view.Document(d, x.names, s.past)
		case !s.docs.Known(x.spec.Glob):
			return expr.NoValue
		case s.past:
			return expr.Nothing
		}
		at := &expr.Source{At: func() sdk.Range { return sdk.At(x.spec.Glob) }}
		return &expr.Value{Kind: expr.Null, From: at}
	}
	dir := x.spec.Glob[:strings.IndexAny(x.spec.Glob+"*", "*?[{")]
	v := &expr.Value{Kind: expr.List, Partial: !s.docs.CompleteBelow(dir[:strings.LastIndexByte(dir, '/')+1])}
	for _, d := range s.docs.Match(x.spec.Glob) {
		if e := view.Document(d, x.names, s.past); e.Kind == expr.Unknown {
			v.Partial = true
		} else {
			v.List = append(v.List, e)
		}
	}
	return v
}

// try calls do and returns the failure of an expression as an error.
func (m *run) try(do func() error) (err error) {
	m.env.Steps = 0
	defer func() {
		switch e := recover().(type) {
		case nil:
		case expr.Failure:
			err = e
		default:
			panic(e)
		}
	}()
	return do()
}

// place returns the location of the first value that has one, or else the first document.
func (m *run) place(vs ...*expr.Value) sdk.Range {
	at := expr.Place(vs...)
	for _, x := range m.d.documents {
		if found := m.p.Docs.Match(x.spec.Glob); at.Path == "" && len(found) > 0 {
			at.Path = found[0].Path
		}
	}
	return at
}

// check reports the findings of one rule.
func (m *run) check(c *report, r *rule) {
	m.said = map[string]bool{}
	m.visit(&r.scan, func(i *item, it *expr.Value, s *expr.Scope) {
		at := it
		if i != nil && i.at != nil {
			at = i.at
		}
		switch w := r.when.Eval(s).Open(); {
		case w.Is():
			m.report(c, r, i, at, it, s)
		case w.Kind == expr.List: // each element is a finding
			for _, e := range w.List {
				m.report(c, r, i, e, e.Open(), s.With("it", e))
			}
		case w.Kind == expr.Number || w.Kind == expr.String || w.Kind == expr.Map:
			panic(expr.Wrong("when is "+w.Kind.String()+", expected a boolean or a list", w))
		}
	})
}

// visit calls do for everything that a scan goes through. The item is nil unless the scan goes through items.
func (m *run) visit(r *scan, do func(*item, *expr.Value, *expr.Scope)) {
	if r.kind == nil {
		m.nest(r.each, expr.Nothing, m.now.scope, do)
		return
	}
	now, _ := m.pair(r.kind)
	for _, i := range now.list {
		do(i, i.v, m.compared(i))
	}
}

// nest goes through nested lists, and calls do for each element of the innermost one.
func (m *run) nest(lists []named, it *expr.Value, s *expr.Scope, do func(*item, *expr.Value, *expr.Scope)) {
	if len(lists) == 0 {
		do(nil, it, s)
		return
	}
	for _, e := range lists[0].expr.List(s, "each").List {
		m.nest(lists[1:], e, s.With(lists[0].name, e).With("it", e), do)
	}
}

// report adds a finding, unless the same rule already reported it.
func (m *run) report(c *report, r *rule, i *item, at, it *expr.Value, s *expr.Scope) {
	if r.at != nil {
		at = r.at.Eval(s)
	}
	place, text := m.place(at, it), r.say.Text(s)
	said := text + "\n" + place.Path + place.Pointer + ":" + strconv.Itoa(place.Line+place.Start)
	if m.said[said] { // sections overlap: a link is also in every section around its own
		return
	}
	m.said[said] = true
	f := c.At(place, text)
	if i != nil {
		f.About(i.key)
	}
	if r.key != nil {
		f.Keyed(r.key.Text(s))
	} else if it.Kind == expr.String {
		f.Keyed(it.Text)
	}
	if r.see != nil {
		if place := expr.Place(r.see.Eval(s)); place.Path != "" {
			f.See(place, r.seeSay.Text(s))
		}
	}
	for _, x := range r.fixes {
		if x.set != nil {
			set(f, x.set.Eval(s), x.to.Eval(s).Open(), x.title.Text(s))
			continue
		}
		steps := make([]string, len(x.steps))
		for i, t := range x.steps {
			steps[i] = t.Text(s)
		}
		f.Advise(x.title.Text(s), steps...)
	}
}
