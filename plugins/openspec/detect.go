package openspec

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
)

// phase returns the phase that a change's checkboxes show.
func (c *change) phase() *sdk.Phase {
	switch {
	case c.complete() && c.archived, c.archived && c.total() == 0:
		return life.Phases[3]
	case c.complete():
		return life.Phases[2]
	case c.done > 0:
		return life.Phases[1]
	}
	return life.Phases[0]
}

// detect describes the open changes, or the last archived change if none is open.
func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	if strings.Contains("/"+p.Root, "/openspec/") {
		return nil, sdk.NotMine("it is inside another openspec directory, as an example in a change")
	}
	m := p.Model.(*model)
	shown := m.active
	if len(shown) == 0 && len(m.archived) > 0 {
		shown = m.archived[len(m.archived)-1:]
	}
	if len(shown) == 0 && len(m.specs) == 0 && p.Docs.Get("project.md") == nil && p.Docs.Get("AGENTS.md") == nil &&
		p.Docs.Get("config.yaml") == nil && p.Docs.Get("config.yml") == nil {
		return nil, sdk.NotMine("it contains no change, spec, project.md, AGENTS.md or config.yaml")
	}
	list := make([]sdk.Detection, 0, len(shown))
	for _, c := range shown {
		d := sdk.Detection{Lifecycle: life, Subject: c.subject(), Observed: c.phase(), Fit: sdk.Consistent,
			Files:    []string{sdk.FilesBelow(c.dir)},
			Progress: sdk.Progress{Done: c.done, Total: c.total(), Unit: "tasks"}}
		if c.unread() {
			d.Observed, d.Fit = nil, sdk.FitUnknown
		} else {
			d.Claimed = d.Observed.Name
		}
		if c.archived {
			d.Claimed = "archived"
			if d.Observed != nil && d.Observed.Number < 4 {
				d.Fit = sdk.Ahead
			}
		}
		if c.list != nil {
			d.Because = []sdk.Range{sdk.At(c.list.Path)}
		}
		list = append(list, d)
	}
	for _, was := range m.lostChanges() { // without this run, status and resume would show the error at another change
		if was.open > 0 && m.complete && !m.folded(was) {
			list = append(list, sdk.Detection{Lifecycle: life, Subject: was.subject(), Fit: sdk.FitUnknown,
				Files: []string{sdk.FilesBelow(was.dir)}})
		}
	}
	return list, nil
}

// subject returns the name that identifies a change. For an archived change it includes the date, because a name may be
// reused.
func (c *change) subject() string { return strings.TrimPrefix(c.dir, "changes/") }

// run returns the name of the change's run.
func (c *change) run() sdk.RunName { return life.Named(c.subject()) }

// refusals lists the rules for faults that make `openspec archive` refuse a change.
var refusals = []string{
	"requirement-repeated", "delta-heading-in-spec", "requirement-outside-section", "requirement-heading",
	"spec-section-missing", "requirement-without-scenario", "requirement-without-text", "delta-target-missing",
	"added-requirement-exists", "delta-conflict", "scenario-dropped", "delta-unrecognised", "delta-misplaced",
	"skip-specs-with-deltas",
}

// refused returns the first finding that makes OpenSpec refuse to archive a change, or nil if there is none. The
// finding may be in the change or in a spec that it changes.
func refused(c *change, found []sdk.Diagnostic) *sdk.Diagnostic {
	for i := range found {
		f := &found[i]
		if slices.Contains(refusals, f.Rule) && (f.Run == c.run() || f.Subject == c.subject() ||
			slices.ContainsFunc(c.deltas, func(x *delta) bool {
				return f.Range.Path == "specs/"+x.capability+"/spec.md"
			})) {
			return f
		}
	}
	return nil
}
