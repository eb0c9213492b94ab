package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

var lifecycle = &sdk.Lifecycle{
	Name: "phase",
	Doc:  "The roadmap's current phase.",
	Phases: []*sdk.Phase{
		{Name: "listed", Number: 1, Doc: "ROADMAP.md lists the phase; nothing is written for it yet"},
		{Name: "discussed", Number: 2, Doc: "its CONTEXT is written"},
		{Name: "planned", Number: 3, Doc: "its plans are written; none has a summary"},
		{Name: "executing", Number: 4, Doc: "some of its plans have a summary"},
		{Name: "executed", Number: 5, Doc: "all its plans have a summary; its verification has not passed"},
		{Name: "verified", Number: 6, Doc: "its verification passed; ROADMAP.md does not tick it"},
		{Name: "complete", Number: 7, Doc: "ROADMAP.md ticks it, and no phase is left"},
	},
	Transitions: []sdk.Transition{
		{From: "listed", To: "discussed"}, {From: "listed", To: "planned", Doc: "without a discussion"},
		{From: "discussed", To: "planned"}, {From: "planned", To: "executing"},
		{From: "planned", To: "executed", Doc: "a single plan"},
		{From: "executing", To: "executed"}, {From: "executed", To: "verified"},
		{From: "executed", To: "complete", Doc: "without a verification"},
		{From: "executed", To: "executing", Doc: "plans that close gaps"}, {From: "verified", To: "complete"},
	},
}

// rung returns the stage that a phase has reached according to its files, as an index into the lifecycle's phases.
func (m *model) rung(ph *phase) int {
	done, all := ph.executed()
	if all == 0 && len(ph.reports) > 0 {
		done, all = m.reported(ph)
	} else {
		all += len(m.unwritten(ph))
	}
	switch {
	case m.ticked(ph) > 0 && len(m.waits(ph)) == 0:
		return 6
	case all > 0 && done == all && ph.passed():
		return 5
	case all > 0 && done == all:
		return 4
	case done > 0 || slices.ContainsFunc(ph.plans, func(p *plan) bool { return p.stopped != nil }):
		return 3
	case all > 0:
		return 2
	case ph.context != "":
		return 1
	}
	return 0
}

// reported counts the work of a phase whose plans are not kept: done is the number of its summaries, and all adds its
// open plans in the roadmap. If the roadmap does not list plans, all adds one, because it is unknown whether any is
// left.
func (m *model) reported(ph *phase) (done, all int) {
	listed, open := 0, 0
	for _, b := range m.road.boxes {
		if b.phase == ph.number && !b.off && !b.old {
			if listed++; !b.task.Checked() && !ph.has(b.number) {
				open++
			}
		}
	}
	if listed == 0 {
		open = 1
	}
	return len(ph.reports), len(ph.reports) + open
}

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if active := p.Docs.Get(activePath); p.Name == planning && active.Readable() {
		if name := strings.TrimSpace(active.Text); name != "" && !strings.ContainsAny(name, "/.") {
			p.Choose(p.Root + "/workstreams/" + name)
		}
		if m.state.doc == nil && m.road.doc == nil && len(m.phases) == 0 {
			return nil, nil // all work is in workstreams
		}
	}
	if len(m.phases)+len(m.road.entries)+len(m.road.heads) == 0 && m.state.phase == nil && !m.state.shipped &&
		len(m.state.entries) == 0 && (m.state.doc == nil || m.state.doc.Readable()) &&
		(m.road.doc == nil || m.road.doc.Readable()) {
		return nil, sdk.NotMine("STATE.md has no position, and neither ROADMAP.md nor phases/ has a phase")
	}
	if d := p.Docs.Get(configPath); d != nil {
		p.Override(configPath, "schema", "*", sdk.Warning)
	}
	d := sdk.Detection{Lifecycle: lifecycle, Observed: lifecycle.Phases[6]}
	number, name, ph := m.at()
	if number != "" {
		d.Observed = lifecycle.Phases[0]
		d.Facts = append(d.Facts, shown("at", "Phase", number+" "+name))
	}
	if ph != nil {
		d.Observed = lifecycle.Phases[m.rung(ph)]
		d.Because = because(ph)
	}
	if len(d.Because) == 0 && m.road.doc != nil {
		d.Because = []sdk.Range{sdk.At(roadmapPath)}
	} else if len(d.Because) == 0 && m.state.shipped {
		d.Because = []sdk.Range{sdk.At(statePath)}
	}
	d.Claimed, d.Fit = m.claim(ph)
	if number == "" && len(m.road.unread) > 0 {
		d.Observed, d.Fit = nil, sdk.FitUnknown
	}
	if m.state.milestone != "" {
		d.Facts = append(d.Facts, shown("milestone", "Milestone", m.state.milestone))
	}
	var rows [][]string
	for _, ph := range m.phases {
		done, all := ph.executed()
		rows = append(rows, []string{ph.number, ph.title, say.Int(done) + "/" + say.Int(all),
			lifecycle.Phases[m.rung(ph)].Name})
	}
	if done, all := m.counted("plans"); all > 0 {
		d.Progress = sdk.Progress{Done: done, Total: all, Unit: "plans"}
	}
	if rows != nil {
		d.Facts = append(d.Facts, sdk.TableFact("phases", "Phases", []string{"phase", "name", "plans", "state"}, rows))
	}
	return []sdk.Detection{d}, nil
}

func shown(name, title, value string) sdk.Fact {
	f := sdk.TextFact(name, title, value)
	f.Level = sdk.Brief
	return f
}

// claim returns the stage that STATE.md records for the current phase, and how that stage fits the files.
func (m *model) claim(ph *phase) (string, sdk.Fit) {
	s := m.state
	switch {
	case s.shipped:
		return "complete", sdk.FitUnknown
	case s.phase == nil || s.number == "" || ph == nil || ph.number != s.number:
		if s.number == "" {
			return "", sdk.FitUnknown
		}
		return "phase " + s.number, sdk.FitUnknown
	case s.complete != nil && m.leftover(ph):
		return "", sdk.FitUnknown
	case s.complete != nil && (len(m.waits(ph)) > 0 || m.unfounded(ph)):
		return "executed", sdk.Ahead
	case s.complete != nil:
		return "executed", sdk.Consistent
	case s.executing:
		if m.rung(ph) < 2 {
			return "executing", sdk.FitUnknown
		}
		return "executing", sdk.Consistent
	}
	return "", sdk.FitUnknown
}

// because returns the files that show a phase's stage.
func because(ph *phase) (list []sdk.Range) {
	for _, v := range ph.checks {
		list = append(list, sdk.At(v.path))
	}
	for i := len(ph.plans) - 1; i >= 0 && len(list) < 4; i-- {
		if s := ph.plans[i].summary; s != "" {
			list = append(list, sdk.At(s))
		} else if s := ph.plans[i].stopped; s != nil {
			list = append(list, sdk.At(s.doc.Path))
		}
	}
	if len(ph.plans) == 0 {
		for _, s := range ph.reports {
			list = append(list, sdk.At(s.doc.Path))
		}
		list = list[:min(len(list), 4)]
	}
	if len(list) == 0 && len(ph.plans) > 0 {
		list = append(list, sdk.At(ph.plans[0].path))
	}
	return list
}

// next returns a phase's first waiting plan whose dependencies are executed, and the phase's other waiting plans.
func (m *model) next(ph *phase) (*plan, []*plan) {
	waits := m.waits(ph)
	if waits == nil && !ph.whole {
		for _, p := range ph.plans {
			if p.summary == "" && !p.superseded {
				waits = append(waits, p)
			}
		}
	}
next:
	for i, p := range waits {
		for _, text := range p.needs {
			if other, _ := p.need(text); other != p && slices.Contains(waits, other) {
				continue next
			}
		}
		rest := append([]*plan{}, waits[:i]...)
		return p, append(rest, waits[i+1:]...)
	}
	return nil, waits
}
