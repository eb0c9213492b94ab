// Package admit is the parent process's check of a worker's reply. The worker already checks the plugin's report
// against the documents. This second check is effective even if a guest controls its worker.
package admit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/engine/vet"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// Reply checks a reply about the instance at root. It returns the first problem that an honest worker could not cause.
func Reply(m *wire.Manifest, root string, r *exchange.Reply, lim limits.Limits) error {
	if n := len(r.Findings); n > 2*lim.Diagnostics+1000 {
		return fmt.Errorf("the worker reports %d findings", n)
	}
	if len(r.Ask) > 0 {
		return snapshot.CheckAsk(m, r.Ask)
	}
	return cmp.Or(
		each(r.Findings, "finding", func(f *finding.Finding) error { return findingOf(m, root, f) }),
		snapshot.Identity(m, r.Identity), snapshot.Chooses(r.Chooses),
		each(r.Detections, "detection", func(d *wire.Detection) error { return detection(m, d) }),
		each(r.Recoveries, "recovery", func(r *wire.Remedy) error { return remedy(m, root, r) }),
	)
}

func each[T any](list []T, what string, check func(*T) error) error {
	for i := range list {
		if err := check(&list[i]); err != nil {
			return fmt.Errorf("%s %d: %w", what, i, err)
		}
	}
	return nil
}

func findingOf(m *wire.Manifest, root string, f *finding.Finding) error {
	at := slices.IndexFunc(m.Rules, func(r wire.Rule) bool { return r.Name == f.Rule })
	switch {
	case f.Severity < wire.Info || f.Severity > wire.Error:
		return fmt.Errorf("invalid severity %d of %s", f.Severity, f.Rule)
	case f.Host && !slices.Contains(wire.HostRules, f.Rule):
		return fmt.Errorf("no rule of the host is called %s", f.Rule)
	case !f.Host && (at < 0 || f.Severity > m.Rules[at].Severity):
		return fmt.Errorf("the rule %s or its severity is not declared", f.Rule)
	case len(f.RelatedPlaces) != len(f.Related):
		return fmt.Errorf("%d related notes at %d places", len(f.Related), len(f.RelatedPlaces))
	}
	if err := snapshot.Runs(m, &f.Diagnostic); err != nil {
		return err
	}
	for _, p := range append([]finding.Place{f.Place}, f.RelatedPlaces...) {
		// A name that the host itself found may contain a backslash, or use one to escape bytes that are not UTF-8.
		if err := snapshot.CleanPath(strings.ReplaceAll(p.Path, `\`, "_")); p.Path != "" && err != nil {
			return err
		}
		if min(p.Line, p.Column, p.EndLine, p.EndColumn, p.Start) < 0 || p.End < p.Start {
			return fmt.Errorf("invalid location %+v", p)
		}
	}
	return each(f.Remedies, "remedy", func(r *wire.Remedy) error {
		if !f.Host {
			return remedy(m, root, r)
		}
		if slices.ContainsFunc(r.Edits, func(e wire.Edit) bool {
			return e.Op != wire.Replace && (e.Op != wire.Restore || r.Safety != wire.Review) ||
				e.Range.Path != f.Place.Path
		}) {
			return errors.New("a remedy of the host does more than repair or restore the document of its finding")
		}
		return nil
	})
}

func detection(m *wire.Manifest, d *wire.Detection) error {
	if !slices.ContainsFunc(m.Lifecycles, func(l wire.Lifecycle) bool { return l.Name == d.Lifecycle }) {
		return fmt.Errorf("the lifecycle %q is not declared", d.Lifecycle)
	}
	if d.Progress.Done < 0 || d.Progress.Done > d.Progress.Total {
		return fmt.Errorf("the progress is %d of %d", d.Progress.Done, d.Progress.Total)
	}
	if err := snapshot.Files(d); err != nil {
		return err
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

// remedy checks the paths that edits name. MoveRoot is checked when it is applied.
func remedy(m *wire.Manifest, root string, r *wire.Remedy) error {
	if err := snapshot.Bounded(r.Edits); err != nil {
		return err
	}
	for _, e := range r.Edits {
		if err := snapshot.CleanPath(e.Range.Path); e.Op != wire.MoveRoot && err != nil {
			return err
		}
		if err := snapshot.CleanPath(e.To); e.Op == wire.Move && err != nil {
			return err
		}
	}
	if why := vet.Outside(m, root, r.Edits); why != "" {
		return errors.New(why)
	}
	return nil
}
