package gsd

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// recoveries offers a STATE.md rebuilt from ROADMAP.md and the summaries if it is missing or unreadable. An existing
// one is kept aside; the base's, if there is one, is offered first.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := p.Model.(*model)
	d := m.state.doc
	empty := hollow(d)
	if d.Readable() && !empty || d == nil && (!p.Docs.Known(statePath) || m.streams || m.road.doc == nil &&
		len(m.phases) == 0) {
		return nil, nil
	}
	heals, edits := []string{"state-missing"}, []sdk.Edit{sdk.Create(statePath, m.rebuilt())}
	switch {
	case empty:
		edits = []sdk.Edit{sdk.Replace(sdk.AtBytes(statePath, 0, len(d.Text)), m.rebuilt())}
	case d != nil:
		heals, edits = []string{"unreadable-document", "not-a-file"},
			[]sdk.Edit{sdk.Aside(statePath, "broken"), edits[0]}
	}
	list := []sdk.Remedy{{Title: "Rebuild STATE.md from ROADMAP.md and the summaries", Safety: sdk.Review, Fixes: heals,
		Edits: edits}}
	if (d == nil || empty) && m.base != nil && m.base.state.doc.Readable() {
		back := sdk.Remedy{Title: "Restore STATE.md of the base", Safety: sdk.Review, Fixes: heals,
			Edits: []sdk.Edit{sdk.Restore(statePath)}}
		list = []sdk.Remedy{back, list[0]}
	}
	return list, nil
}

// rebuilt is a STATE.md in the form of the template.
func (m *model) rebuilt() string {
	number, name, ph := m.at()
	total, phase, plan, status := 0, "none", "-", "Milestone complete"
	for _, e := range m.road.entries {
		if !e.old && !e.off {
			total++
		}
	}
	if number != "" {
		if phase, plan, status = number, "Not started", "Ready to plan"; total > 0 {
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
