package gsd

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// recoveries returns the recovery options for a STATE.md that is missing, empty or unreadable. Restoring the base's
// STATE.md comes first. Rebuilding STATE.md from ROADMAP.md and the summaries comes last, because it only recovers the
// position. Both options back up an unreadable STATE.md. The host's advice to resolve a merge conflict precedes both.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := p.Model.(*model)
	d := m.state.doc
	empty := hollow(d)
	if d.Readable() && !empty || d == nil && (!p.Docs.Known(statePath) || m.streams || m.road.doc == nil &&
		len(m.phases) == 0) {
		return nil, nil
	}
	ends, edits := []string{"state-missing"}, []sdk.Edit{sdk.Create(statePath, m.rebuilt())}
	kept, drops := "", ""
	back := []sdk.Edit{sdk.Restore(statePath)}
	switch {
	case empty:
		edits = []sdk.Edit{sdk.Replace(sdk.AtBytes(statePath, 0, len(d.Text)), m.rebuilt())}
	case d != nil:
		aside := sdk.Aside(statePath, "broken")
		ends, edits, back = []string{"unreadable-document", "not-a-file"}, []sdk.Edit{aside, edits[0]},
			[]sdk.Edit{aside, back[0]}
		kept, drops = ", and back up the current file", "; decisions, todos and notes remain only in the backup"
	}
	var list []sdk.Remedy
	if m.base != nil && m.base.state.doc.Readable() && !hollow(m.base.state.doc) {
		list = append(list, sdk.Remedy{Title: "Restore STATE.md from the base" + kept, Safety: sdk.Review,
			Fixes: ends, Edits: back})
	}
	return append(list, sdk.Remedy{Title: "Rebuild STATE.md from ROADMAP.md and the summaries" + drops,
		Safety: sdk.Review, Fixes: ends, Edits: edits}), nil
}

// rebuilt returns a new STATE.md in the template's form.
func (m *model) rebuilt() string {
	number, name, ph := m.at()
	total, phase, plan, status := 0, "none", "-", "Milestone complete"
	for _, e := range m.road.entries {
		if !e.old && !e.off {
			total++
		}
	}
	if number != "" {
		phase, plan, status = number, "Not started", "Ready to plan"
		if total > 0 && (ph == nil || m.entry(ph) != nil) {
			phase += " of " + say.Int(total)
		}
		phase += " (" + strings.TrimSpace(say.Clip(name)) + ")"
	}
	if ph != nil {
		if done, all := ph.executed(); all > 0 {
			if plan, status = say.Int(min(done+1, all))+" of "+say.Int(all), "Ready to execute"; done == all {
				status = "Phase complete — ready for verification"
			} else if done > 0 {
				status = "In progress"
			}
		}
	}
	done, all := m.counted("plans")
	percent := 0
	if all > 0 {
		percent = done * 100 / all
	}
	return "# Project State\n\n## Current Position\n\nPhase: " + phase + "\nPlan: " + plan + "\nStatus: " + status +
		"\nLast activity: " + sdk.NowInEdit + " — rebuilt from ROADMAP.md and " + say.Count(done, "summary") +
		"\n\nProgress: " + say.Int(percent) + "%\n"
}
