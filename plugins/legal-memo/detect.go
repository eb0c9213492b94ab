package legalmemo

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/sdk"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if why := m.notMine(); why != "" {
		return nil, sdk.NotMine(why)
	}
	var found []sdk.Detection
	if m.orch.doc != nil || m.between() {
		found = append(found, m.detectOrchestrator())
	}
	seen := map[string]bool{}
	for _, first := range [...]bool{true, false} { // blocked agents come first
		for _, a := range m.agents {
			if (a.state == sdk.Blocked) != first || seen[a.subject] || a != m.chosen(a) {
				continue
			}
			seen[a.subject] = true
			found = append(found, m.detection(a))
		}
	}
	return found, nil
}

// chosen returns the state file that counts if a subject has several: the one with more complete items.
func (m *model) chosen(a *agent) *agent {
	best := a
	for _, b := range m.agents {
		if b.subject == a.subject && (b.countItems(complete) > best.countItems(complete) ||
			b.countItems(complete) == best.countItems(complete) && b.path() < best.path()) {
			best = b
		}
	}
	return best
}

func (m *model) detection(a *agent) sdk.Detection {
	d := sdk.Detection{Subject: a.subject, Claimed: a.claimed(), State: a.state, Fit: sdk.FitUnknown}
	d.Lifecycle = lifecycles[a.kind.place()]
	d.Observed = d.Lifecycle.Phases[a.observed]
	if a.doc != nil {
		at := sdk.At(a.doc.Path)
		if a.read {
			at.Pointer = "/status"
			if a.kind.style == 'P' {
				at.Pointer = "/current_phase"
			}
		}
		d.Because = append(d.Because, at)
	}
	for i, output := range m.outputs(a) {
		if i < 3 {
			d.Because = append(d.Because, sdk.At(output.Path))
		}
	}
	if a.read && d.Claimed != "" {
		d.Fit = fitOf(a.claimedPhase(), a.observed)
	}
	d.Progress.Done, d.Progress.Total, d.Progress.Unit = m.progress(a)
	if a.kind == kinds[writer] && m.writeAgain(a) != "" {
		d.Progress.Done = 0 // whatever the file records
	} else if a.halfWritten() && d.Progress.Unit == "subsections" {
		d.Progress.Done = len(a.items) - len(m.unproven(a))
	}
	d.Facts = m.facts(a)
	return d
}

// fitOf returns how a recorded phase (-1 for none) relates to the actual one.
func fitOf(claim, observed int) sdk.Fit {
	if claim < 0 {
		return sdk.FitUnknown
	}
	return [...]sdk.Fit{sdk.Behind, sdk.Consistent, sdk.Ahead}[1+cmp.Compare(claim, observed)]
}

// facts returns what status shows about an agent in addition to its phase.
func (m *model) facts(a *agent) []sdk.Fact {
	var list []sdk.Fact
	if a.doc == nil {
		list = append(list, sdk.TextFact("evidence", "Evidence", "outputs only"))
	}
	if a.proof != proofUnknown {
		list = append(list, sdk.TextFact("proof", "Proof", [...]string{"", "absent", "partial", "proven"}[a.proof]))
	}
	if a.kind == kinds[citation] && a.read {
		if n, ok := m.nextNote(a); ok {
			list = append(list, sdk.IntFact("next_note", "Next footnote", int64(n)))
		}
	}
	return list
}

// nextNote returns the number of the next footnote. It continues the footnote file if the file is numbered throughout
// or missing, unless the base has the recorded footnotes. Otherwise, it continues the recorded count.
func (m *model) nextNote(a *agent) (int, bool) {
	n, ok := integer(a.metrics.Get("footnotes_collected"))
	if !m.notesInBase(a) && (m.notes.strict && len(m.notes.repeated) == 0 ||
		ok && (m.notesGone(a) || m.notes.lacks(float64(n)))) {
		return m.notes.count + 1, true
	}
	return n + 1, ok && n >= 0
}

// between reports whether the session is unfinished although all its agents are finished, so that no agent's file names
// the next step.
func (m *model) between() bool {
	active := func(a *agent) bool { return a.state != sdk.Finished }
	return m.orch.state != sdk.Finished && !slices.ContainsFunc(m.agents, active)
}

func (m *model) detectOrchestrator() sdk.Detection {
	o := m.orch
	d := sdk.Detection{Lifecycle: lifecycles[len(kinds)], Subject: "orchestrator", Claimed: o.current, State: o.state,
		Fit: sdk.FitUnknown}
	d.Observed = d.Lifecycle.Phases[o.observed]
	if o.doc != nil {
		d.Because = []sdk.Range{o.currentAt}
	}
	if o.phaseTable.End > o.phaseTable.Start {
		d.Because = append(d.Because, o.phaseTable)
	}
	if d.Fit = fitOf(o.claimedGroup(), o.observed); d.Fit == sdk.Behind && o.claimedGroup() == o.observed-1 {
		d.Fit = sdk.JustBehind
	}
	d.Progress.Unit, d.Progress.Total = "phases", len(groupNames)
	for g := range groupNames {
		if o.groupComplete(g) || len(o.ids) == 0 && g < o.observed {
			d.Progress.Done++
		}
	}
	return d
}

// groupComplete reports whether a group is recorded and has no open phase.
func (o *orchestrator) groupComplete(g int) bool {
	open := func(s *stage) bool { return s.group == g && s.word.open() }
	return o.has(g) && !slices.ContainsFunc(o.ids, open)
}

// notMine returns why the directory is not a session, or "" if it is one.
func (m *model) notMine() string {
	name := lastElement(m.pass.Root)
	if name == "" || name == "." {
		name = m.pass.Name
	}
	if holds([]string{"review-outputs", "qa-outputs", "section-reports", "specialist-reports", "remediation-outputs",
		"scripts", "archive", "backup"}, name) {
		return "a directory called " + name + " is part of a session"
	}
	o, ours := m.orch, func(a *agent) bool { return a.doc != nil && m.ours(a) }
	if o.own || o.titled && m.hasText() || slices.ContainsFunc(m.agents, ours) {
		return ""
	}
	return "it contains neither an agent's state file nor an orchestrator state of a memorandum"
}

// hasText reports whether the session has a report or the memorandum.
func (m *model) hasText() bool { return len(m.reports())+len(m.specialists()) > 0 || m.memo != nil }

// ours reports whether a state file shows that the session belongs to this workflow.
func (m *model) ours(a *agent) bool {
	if !a.read {
		telling := a.kind != kinds[assembly] && a.kind != kinds[synthesis] && a.kind != kinds[execSummary]
		if whole(a.doc) { // arrays and scalars parse, but show nothing
			return false
		}
		return telling || m.hasText()
	}
	s, _ := a.root.Get("agent").Text()
	t, _ := a.root.Get("agent_type").Text()
	named := func(k *kind) bool {
		return k.agent != "" && (s == k.agent || t == k.agent) || k.format != "" && a.root.Get(k.format).Exists()
	}
	return slices.ContainsFunc(kinds[:], named) || len(keep(a.phases, func(p *phase) bool { return p.in })) >= 2
}
