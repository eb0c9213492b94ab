package declare

import (
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/plugins/declare/view"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
)

type report = check.Report

// Workflow makes the workflow that a declaration describes. Its manifest follows without a pass.
func (d *Declaration) Workflow() *sdk.Workflow {
	life := &sdk.Lifecycle{Name: d.name, Doc: d.doc, Phases: d.steps()}
	table := make([]check.Rule[*run], len(d.rules))
	for i, r := range d.rules {
		table[i] = check.Rule[*run]{Name: r.name, Severity: r.severity, Doc: r.doc, Why: r.why, Fix: r.fix,
			SeverityIf: r.severityIf, Find: func(c *report, m *run) { m.check(c, r) }}
		if r.fix != "" {
			table[i].Advice = "Correct it"
		}
		if table[i].SeverityIf == "" && r.severity > sdk.Info {
			table[i].SeverityIf = "Always " + r.severity.String() + "."
		}
		if r.base {
			table[i].Needs = check.OnBase
		}
	}
	w := &sdk.Workflow{
		Name: d.name, Version: d.version, Doc: d.doc, Requires: []string{"base", "outline"}, Roots: d.roots,
		Keep: d.keeps(), Schemas: d.schemas, Lifecycles: []*sdk.Lifecycle{life},
		Rules:   check.Declare(table, func(c *report) (*run, check.Needs) { return c.Model.(*run), 0 }),
		Prepare: func(p *sdk.Pass) (any, error) { return newRun(d, p), nil },
	}
	for i, r := range w.Rules {
		find := r.Check
		r.Check = func(p *sdk.Pass) (err error) {
			m := p.Model.(*run)
			if failed := m.try(func() { err = find(p) }); failed != nil {
				err = failed
			}
			if i == 0 && err == nil { // Detect has no rule to fail
				err = m.unclear
			}
			return err
		}
	}
	for _, x := range d.documents {
		w.Documents = append(w.Documents, x.spec)
	}
	w.Detect = func(p *sdk.Pass) ([]sdk.Detection, error) {
		return []sdk.Detection{p.Model.(*run).detect(life)}, nil
	}
	w.Resume = func(p *sdk.Pass, x *sdk.Detection, found []sdk.Diagnostic) { p.Model.(*run).resume(p, x, found) }
	return w
}

// keeps says which runs must not vanish: those with required items, and unfinished ones with items that must not.
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

// A run is one pass of a declaration.
type run struct {
	d    *Declaration
	p    *sdk.Pass
	env  *expr.Env
	now  *state
	past *state // of the base; everything is unknown where there is none

	said    map[string]bool // the messages of one rule, with their places
	paired  map[*kind]bool
	unclear error // why Detect does not know how far the run is
}

// A state is what the documents of one revision hold.
type state struct {
	docs   sdk.Docs
	past   bool
	unseen bool // there is no such revision
	values map[string]*expr.Value
	items  map[*kind]*itemList
	scope  *expr.Scope
}

func newRun(d *Declaration, p *sdk.Pass) *run {
	m := &run{d: d, p: p, paired: map[*kind]bool{}}
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

// global returns what a document, a let or a kind of items is.
func (m *run) global(s *state, name string) *expr.Value {
	v, known := s.values[name]
	if !known {
		v = m.define(s, name)
		s.values[name] = v
	}
	return v
}

func (m *run) define(s *state, name string) *expr.Value {
	if s.unseen {
		return expr.NoValue
	}
	for _, x := range m.d.documents {
		if x.name == name {
			return x.value(s)
		}
	}
	for _, l := range m.d.lets {
		if l.name == name {
			return l.expr.Eval(s.scope)
		}
	}
	if k := m.d.kindCalled(name); k != nil {
		return m.items(s, k).value
	}
	return expr.NoValue
}

// value is a document, or the list of those that a glob matches.
func (x *document) value(s *state) *expr.Value {
	if !x.many {
		switch d := s.docs.Get(x.spec.Glob); {
		case d != nil:
			return view.Document(d, x.names, s.past)
		case !s.docs.Known(x.spec.Glob):
			return expr.NoValue
		case s.past:
			return expr.Nothing
		}
		return view.Absent(x.spec.Glob)
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

// try turns the failure of an expression into an error.
func (m *run) try(do func()) (err error) {
	m.env.Steps = 0
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *expr.Failure:
			err = e
		default:
			panic(e)
		}
	}()
	do()
	return nil
}

// place is where the first value is that has a place.
func (m *run) place(vs ...*expr.Value) sdk.Range {
	for _, v := range vs {
		if at := v.Place(); at.Path != "" {
			return at
		}
	}
	for _, x := range m.d.documents {
		if found := m.p.Docs.Match(x.spec.Glob); len(found) > 0 {
			return sdk.At(found[0].Path)
		}
	}
	return sdk.At("")
}
