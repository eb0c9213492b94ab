// Package admit is the parent's own check of a worker's reply. The worker has checked the plugin's report against the texts;
// this check holds even if a guest controls its worker.
package admit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/vet"
	"github.com/stategate/stategate/sdk/wire"
)

// Reply reports the first thing in a reply about the instance at root that an honest worker never sends.
func Reply(m *wire.Manifest, root string, r *exchange.Reply, lim limits.Limits) error {
	if n := len(r.Findings); n > 2*lim.Diagnostics+1000 {
		return fmt.Errorf("the worker reports %d findings", n)
	}
	for i := range r.Findings {
		if err := findingOf(m, root, &r.Findings[i]); err != nil {
			return fmt.Errorf("finding %d (%s): %w", i, r.Findings[i].Rule, err)
		}
	}
	if err := snapshot.Identity(m, r.Identity); err != nil {
		return err
	}
	for i := range r.Detections {
		if err := detection(m, &r.Detections[i]); err != nil {
			return fmt.Errorf("detection %d: %w", i, err)
		}
	}
	for i := range r.Recoveries {
		if err := remedy(m, root, &r.Recoveries[i]); err != nil {
			return fmt.Errorf("recovery %d: %w", i, err)
		}
	}
	return nil
}

func findingOf(m *wire.Manifest, root string, f *finding.Finding) error {
	if f.Severity < wire.Info || f.Severity > wire.Error {
		return fmt.Errorf("invalid severity %d", f.Severity)
	}
	if err := rule(m, f); err != nil {
		return err
	}
	if len(f.RelatedPlaces) != len(f.Related) {
		return fmt.Errorf("%d related notes at %d places", len(f.Related), len(f.RelatedPlaces))
	}
	for _, p := range append([]finding.Place{f.Place}, f.RelatedPlaces...) {
		if err := place(p); err != nil {
			return err
		}
	}
	for i := range f.Remedies {
		if f.Host && !own(f, &f.Remedies[i]) {
			return fmt.Errorf("a remedy of the host changes another document")
		}
		if err := remedy(m, root, &f.Remedies[i]); !f.Host && err != nil {
			return err
		}
	}
	return nil
}

// own reports whether a remedy changes the document of its finding alone.
func own(f *finding.Finding, r *wire.Remedy) bool {
	return !slices.ContainsFunc(r.Edits, func(e wire.Edit) bool { return e.Op != wire.Replace || e.Range.Path != f.Place.Path })
}

func rule(m *wire.Manifest, f *finding.Finding) error {
	if f.Host {
		if !slices.Contains(wire.HostRules, f.Rule) {
			return fmt.Errorf("no rule of the host has this name")
		}
		return nil
	}
	at := slices.IndexFunc(m.Rules, func(r wire.Rule) bool { return r.Name == f.Rule })
	if at < 0 || f.Severity > m.Rules[at].Severity {
		return fmt.Errorf("the rule or its severity is not declared")
	}
	return nil
}

func place(p finding.Place) error {
	if p.Path != "" {
		// A name that the host itself found may hold a backslash, or stand for bytes that are not UTF-8 with one.
		if err := snapshot.CleanPath(strings.ReplaceAll(p.Path, `\`, "_")); err != nil {
			return err
		}
	}
	if min(p.Line, p.Column, p.EndLine, p.EndColumn, p.Start) < 0 || p.End < p.Start {
		return fmt.Errorf("invalid location %+v", p)
	}
	return nil
}

func detection(m *wire.Manifest, d *wire.Detection) error {
	if !slices.ContainsFunc(m.Lifecycles, func(l wire.Lifecycle) bool { return l.Name == d.Lifecycle }) {
		return fmt.Errorf("the lifecycle %q is not declared", d.Lifecycle)
	}
	if d.Progress.Done < 0 || d.Progress.Done > d.Progress.Total {
		return fmt.Errorf("the progress is %d of %d", d.Progress.Done, d.Progress.Total)
	}
	for _, f := range d.Facts {
		for _, row := range f.Value.Rows {
			if len(row) != len(f.Value.Columns) {
				return fmt.Errorf("the fact %q is not a table", f.Name)
			}
		}
	}
	return nil
}

// remedy checks the paths that edits name; MoveRoot is checked when applied.
func remedy(m *wire.Manifest, root string, r *wire.Remedy) error {
	if err := snapshot.Bounded(r.Edits); err != nil {
		return err
	}
	for i := range r.Edits {
		e := &r.Edits[i]
		if e.Op == wire.MoveRoot {
			continue
		}
		if err := snapshot.CleanPath(e.Range.Path); err != nil {
			return err
		}
		if e.Op == wire.Move {
			if err := snapshot.CleanPath(e.To); err != nil {
				return err
			}
		}
	}
	if why := vet.Outside(m, root, r.Edits); why != "" {
		return errors.New(why)
	}
	return nil
}
