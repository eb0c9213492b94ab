package sdk

import (
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// Manifest returns everything that a host can know about the workflow without running it.
func (w *Workflow) Manifest() *wire.Manifest {
	m := &wire.Manifest{
		ABI: wire.ABI, Name: w.Name, Version: w.Version, Doc: w.Doc, Requires: w.Requires,
		License: w.License, Source: w.Source, Homepage: w.Homepage, MadeFor: w.MadeFor, Dropped: w.Dropped,
		Roots: w.Roots, Documents: w.Documents, Schemas: w.Schemas, Options: w.Options, AsksFor: w.AsksFor,
		Keep: w.Keep,
	}
	if w.Identity != nil {
		m.Identity = w.Identity.Noun
	}
	for i := range w.Documents {
		if w.Documents[i].Format == wire.YAML && !slices.Contains(m.Requires, "yaml") {
			m.Requires = append(slices.Clone(m.Requires), "yaml")
		}
	}
	for _, l := range w.Lifecycles {
		m.Lifecycles = append(m.Lifecycles, l.manifest())
	}
	for _, r := range w.Rules {
		m.Rules = append(m.Rules, r.manifest())
	}
	return m
}

func (l *Lifecycle) manifest() wire.Lifecycle {
	m := wire.Lifecycle{Name: l.Name, Doc: l.Doc, Unit: l.Unit, Transitions: l.Transitions}
	for _, p := range l.Phases {
		m.Phases = append(m.Phases, *p)
	}
	return m
}

func (r *Rule) manifest() wire.Rule {
	m := wire.Rule{Name: r.Name, Group: r.Group, Doc: r.Doc, Why: r.Why, Fix: r.Fix, Severity: r.Severity, Form: r.Form,
		SeverityIf: r.SeverityIf, NeedsBase: r.NeedsBase, OffByDefault: r.OffByDefault, URL: r.URL,
		Replaces: r.Replaces}
	for _, h := range r.Hides {
		m.Hides = append(m.Hides, h.Name)
	}
	return m
}
