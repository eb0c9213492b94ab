package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// severity returns the severity of a wrong status: an error in a block, which programs write, and a warning in prose.
func (s *stage) severity() sdk.Severity { return graded(s.block != prose, sdk.Error, sdk.Warning) }

// began reports whether a phase is complete or in progress.
func (s *stage) began() bool { return s.word == complete || s.word == inProgress }

// restoreOrchestrator offers to restore the file from the base, if the function right accepts it.
func (l *look) restoreOrchestrator(f *check.Finding, right func(was *orchestrator) bool) {
	if l.base != nil && l.base.orch.doc != nil && right(l.base.orch) {
		f.Offer(sdk.Review, "Restore "+orchestratorPath+" from the base", sdk.Restore(orchestratorPath))
	}
}

// readable reports whether every block was read.
func (o *orchestrator) readable() bool { return o.why == "" }

func unreadableBlock(l *look) {
	if o := l.orch; o.why != "" {
		f := l.orchestrator(o.whyAt, "the block with phases_completed or gate_attempts is not JSON: "+o.why)
		l.restoreOrchestrator(f, func(was *orchestrator) bool { return was.why == "" && was.structured })
	}
}

// unknownOrchestratorPhase finds a file with a missing or unknown phase. It is an error if a program writes the file,
// or if the base was readable.
func unknownOrchestratorPhase(l *look) {
	o := l.orch
	if o.current == "" && o.structured && o.why == "" && len(o.ids) > 0 {
		f := l.orchestrator(o.ids[0].at, orchestratorPath+" has no current_phase; the agents are in "+
			groupNames[o.observed])
		l.restoreOrchestrator(f.As(sdk.Warning), func(was *orchestrator) bool { return was.claimedGroup() >= 0 })
		return
	}
	if !o.doc.Readable() || o.why != "" || o.claimedGroup() >= 0 || o.current == "" && len(o.ids) > 0 {
		return
	}
	known := func(was *orchestrator) bool { return was.claimedGroup() >= 0 }
	was := l.base != nil && l.base.orch.doc != nil && known(l.base.orch)
	if o.current != "" {
		l.orchestrator(o.currentAt, say.Wrong("current_phase", say.Quote(o.current),
			say.Or(groupNames[:]...))).As(graded(o.inBlock || was, sdk.Error, sdk.Warning))
		return
	}
	l.restoreOrchestrator(l.orchestrator(sdk.Range{},
		orchestratorPath+" does not name a phase; expected current_phase and phases_completed").As(graded(was,
		sdk.Error,
		sdk.Warning)), known)
}

func orchestratorBehind(l *look) {
	o, at := l.orch, l.orch.claimedGroup()
	if at < 0 || at == 4 && l.returning() {
		return
	}
	here := "current_phase is " + groupNames[at] + ", but "
	if k := l.furthest(); at < k {
		f := l.orchestrator(o.currentAt, here+"an agent in "+groupNames[k]+" is finished").As(graded(o.structured,
			sdk.Error, sdk.Warning))
		if l.startedOver() {
			l.restoreOrchestrator(f, (*orchestrator).readable)
			o.offerPhase(f, o.observed)
			return
		}
		l.offerPhases(f)
		return
	}
	working := func(a *agent) bool {
		return a.read && !a.claims && a.state != sdk.Finished && a.kind.group() > at && l.chosen(a) == a
	}
	if a := first(l.agents, working); a != nil {
		f := l.orchestrator(o.currentAt, here+a.subject+" in "+groupNames[a.kind.group()]+
			" is in progress").As(sdk.Warning).See(sdk.At(a.path()), "the state of "+a.subject)
		if left := l.unfinishedOf(at); left == nil {
			o.offerPhase(f, a.kind.group())
		} else { // the agent started too early, and the phase is right
			f.Advise("Finish "+groupNames[at]+" first", "Finish "+left.subject+" ("+left.where()+
				"), then continue with "+a.subject+".")
		}
	}
}

func orchestratorAhead(l *look) {
	o := l.orch
	for _, s := range o.ids {
		a := l.unfinishedOf(s.group)
		if s.word != complete || a == nil {
			continue
		}
		edits := o.setStatus(s, "IN_PROGRESS")
		if len(edits) > 0 && o.structured && o.claimedGroup() > s.group {
			edits = append(edits, o.setPhase(s.group)...)
		}
		for _, later := range o.ids { // otherwise they would be ahead of their turn
			if later.group > s.group && later.began() && len(edits) > 0 && l.furthest() <= s.group && !l.returning() {
				edits = append(edits, o.setStatus(later, "PENDING")...)
			}
		}
		l.orchestrator(s.at, s.id+" is complete, but "+a.subject+" is in "+
			a.kind.names()[a.observed]).Keyed(s.id).As(s.severity()).
			See(sdk.At(a.path()), "the state of "+a.subject).Offer(sdk.Review, "Set "+s.id+" to IN_PROGRESS", edits...)
	}
	if live := l.live; l.uncertified() {
		s := o.ids[len(o.ids)-1]
		current, limit, _, _ := live.cycles()
		l.orchestrator(s.at, s.id+" is complete, but cycle "+say.Int(current)+" of "+say.Int(limit)+" ended with "+
			say.Quote(live.outcome())+", and another cycle is left").Keyed(s.id).As(s.severity()).
			See(sdk.At(live.path()), "the state of "+live.subject).Offer(sdk.Review, "Set "+s.id+" to IN_PROGRESS",
			o.setStatus(s, "IN_PROGRESS")...)
	}
}

// remediationDue reports whether a diagnostic's last cycle asks for remediation while another cycle is left.
func (m *model) remediationDue() bool {
	return m.live != nil && m.live.finished && begins(m.live.outcome(), "REMEDI") && m.remediating()
}

// uncertified reports whether quality is marked complete although remediation is due.
func (m *model) uncertified() bool { return m.remediationDue() && m.orch.groupComplete(5) }

// completeWithoutWork finds complete phases whose agents left no work, or with fewer than four passed validators.
func completeWithoutWork(l *look) {
	o := l.orch
	var idle []string
	var at sdk.Range
	for _, s := range o.ids {
		if s.word != complete || s.group < 2 {
			continue
		}
		if l.complete && !l.hasWork(s.group) {
			if idle = append(idle, s.id); len(idle) == 1 {
				at = s.at
			}
		}
		if s.group != 2 {
			continue
		}
		validators := slices.ContainsFunc(l.agents, func(a *agent) bool { return a.kind.group() == 2 })
		if s.block != prose && l.complete && !validators && l.hasWork(2) {
			l.orchestrator(s.at, s.id+" is complete, but none of its four agents has a state file").Keyed(s.id).As(
				sdk.Warning)
		} else if n, ok := num(s.body.Get("validators_passed")); ok && n < 4 {
			l.orchestrator(s.at, s.id+" is complete, but validators_passed is "+figure(n)+
				"; expected 4").Keyed(s.id).As(sdk.Warning)
		}
	}
	if lacks := l.unmade(); len(lacks) > 0 && o.groupComplete(3) && l.hasWork(3) && l.unfinishedOf(3) == nil {
		s := first(o.ids, func(s *stage) bool { return s.group == 3 })
		l.orchestrator(s.at, s.id+" is complete, but these agents have neither a state file nor an output: "+
			list(lacks)).
			Keyed(s.id + " agents").
			As(graded(o.structured, sdk.Error, sdk.Warning))
	}
	if len(idle) > 0 {
		worse := (l.tracked || l.anyState()) && o.structured && (len(idle) > 1 || idle[0] != "V")
		l.orchestrator(at, list(idle)+" is complete, but its agents have neither a state file nor an output").As(
			graded(worse, sdk.Error, sdk.Warning))
	}
}

// hasWork reports whether a group has a state file or an output. Validation must have a state file if the other
// agents have one.
func (m *model) hasWork(g int) bool {
	left := func(k *kind) bool {
		ghost := &agent{kind: k}
		return k.group() == g && k != kinds[writer] &&
			(g != 2 && len(m.outputs(ghost)) > 0 || len(m.softOutputs(ghost)) > 0)
	}
	return slices.ContainsFunc(m.agents, func(a *agent) bool { return a.kind.group() == g }) ||
		slices.ContainsFunc(kinds[:], left) ||
		g == 2 && m.anyStage7() || g == 3 && m.memo != nil
}

// returning reports whether the session may be back at assembly, because quality asked for it or because the gate
// between assembly and quality failed.
func (m *model) returning() bool {
	if !m.complete || m.remediating() { // the request may be in an unseen file
		return true
	}
	failed := func(g value) bool {
		s, _ := g.Get("last_failure_reason").Text()
		return s != ""
	}
	if slices.ContainsFunc(m.orch.gates, func(g gateAt) bool { return g.name == "A1_to_A2" && failed(g.body) }) {
		return true
	}
	return m.live != nil && failed(m.live.root.Get("gate_attempts").Get("A1_to_A2"))
}

// unfinishedOf returns an agent in a group that is neither finished nor blocked, or nil if there is none. Unreadable
// agents, and agents that only their outputs refute, have their own error. Agents that remediation restarted have an
// info.
func (m *model) unfinishedOf(g int) *agent {
	return first(m.agents, func(a *agent) bool {
		open := a.read && !a.finished && a.state != sdk.Finished && a.state != sdk.Blocked
		return a.kind.group() == g && open && m.chosen(a) == a && !(a.stale && a.exempt && m.remediating())
	})
}

// orchestratorPhaseAhead finds a current phase although an earlier one is not complete, or is not recorded and has
// remaining work.
func orchestratorPhaseAhead(l *look) {
	o, at := l.orch, l.orch.claimedGroup()
	ahead := func(g int, why string, severity sdk.Severity) {
		o.offerPhase(l.orchestrator(o.currentAt, "current_phase is "+say.Quote(o.current)+", but "+why).As(severity), g)
	}
	for _, s := range o.ids {
		// P3 can mean anything in prose
		if o.inBlock && s.group >= 0 && s.group < at && s.word.open() && !(s.group == 4 && l.returning()) {
			ahead(s.group, s.id+", which precedes it, is "+say.Quote(s.text), s.severity())
			return
		}
	}
	for g := 2; g < at; g++ {
		if why, severity := l.lacks(g); why != "" && !o.groupComplete(g) && !(g == 4 && l.returning()) {
			ahead(g, why, graded(o.inBlock, severity, sdk.Warning))
			return
		}
	}
}

// lacks returns the remaining work in an orchestrator phase that counts as complete, or "" if there is none.
func (m *model) lacks(g int) (why string, severity sdk.Severity) {
	if a := m.unfinishedOf(g); a != nil {
		return a.subject + " in " + groupNames[g] + " is at " + a.kind.names()[a.observed], sdk.Error
	}
	if m.complete && !m.hasWork(g) && (m.orch.inBlock || m.anyState()) {
		return "the agents in " + groupNames[g] + " have neither a state file nor an output",
			graded(m.tracked || m.anyState(), sdk.Error, sdk.Warning)
	}
	if open := m.openSteps(g, nil); g == 3 && m.complete && m.tracked && m.orch.inBlock && len(open) > 0 {
		return "work in " + groupNames[g] + " remains: " + say.List(open), sdk.Warning
	}
	return "", 0
}

// anyState reports whether any agent in the session has a state file.
func (m *model) anyState() bool {
	return slices.ContainsFunc(m.agents, func(a *agent) bool { return a.doc != nil })
}

// orchestratorTurn finds the first phase that started before an earlier one was complete.
func orchestratorTurn(l *look) {
	ids := l.orch.ids
	for i, s := range ids {
		if !s.began() {
			continue
		}
		for _, before := range ids[:i] {
			if before.group >= 0 && before.group < s.group && before.word.open() &&
				!(before.group == 4 && l.returning()) {
				var edits []sdk.Edit
				for _, later := range ids {
					if later.group > before.group && later.began() {
						edits = append(edits, l.orch.setStatus(later, "PENDING")...)
					}
				}
				f := l.orchestrator(s.at, s.id+" is "+wordNames[s.word]+", but "+before.id+
					", which precedes it, is not complete").Keyed(s.id).As(s.severity())
				if l.orch.observed > before.group && l.hasWork(before.group) && l.unfinishedOf(before.group) == nil {
					f.Offer(sdk.Review, "Set "+before.id+" to COMPLETE, because its agents are finished",
						l.orch.setStatus(before, "COMPLETE")...)
					return
				}
				if l.orch.claimedGroup() > before.group && l.orch.inBlock {
					edits = append(edits, sdk.Replace(l.orch.currentAt, jsondoc.Quote(groupNames[before.group])))
				}
				f.Offer(sdk.Review, "Set the phases after "+before.id+" to PENDING", edits...)
				return
			}
		}
		for g := 0; s.block != prose && ids[0].group >= 0 && g < s.group; g++ {
			if !l.orch.has(g) && !(g == 4 && l.returning()) {
				l.orchestrator(s.at, s.id+" is "+wordNames[s.word]+", but "+groupNames[g]+
					", which precedes it, is not recorded").Keyed(s.id)
				return
			}
		}
	}
}

// orchestratorPhaseBehind finds a current phase that is complete although a later one has started.
func orchestratorPhaseBehind(l *look) {
	o, at := l.orch, l.orch.claimedGroup()
	named := o.find(o.current)
	if !o.structured || at < 0 || named != nil && named.word != complete || named == nil &&
		!o.groupComplete(at) {
		return
	}
	for _, s := range o.ids {
		if s.group > at && s.began() {
			f := l.orchestrator(o.currentAt, "current_phase is "+say.Quote(o.current)+", which is complete, but "+s.id+
				" is "+wordNames[s.word])
			l.offerPhases(f)
			return
		}
	}
}

// offerPhase offers to set the current phase to another group, in a block or in Markdown.
func (o *orchestrator) offerPhase(f *check.Finding, g int) {
	what := "current_phase"
	if !o.inBlock {
		what = "the current phase"
	}
	f.Offer(sdk.Review, "Set "+what+" to "+groupNames[g], o.setPhase(g)...)
}

// offerPhases offers to set all phases from the agents' states. In Markdown, it offers to set only the current phase.
func (l *look) offerPhases(f *check.Finding) {
	o := l.orch
	if !o.inBlock {
		o.offerPhase(f, o.observed)
		return
	}
	edits := o.setPhase(o.observed)
	for _, s := range o.ids {
		switch over := o.state == sdk.Finished; {
		case s.group < 0:
		case (s.group < o.observed || s.group == o.observed && over) && s.word != complete && s.word != skipped:
			edits = append(edits, o.setStatus(s, "COMPLETE")...)
		case s.group == o.observed && !over && s.word != inProgress &&
			(s.word != complete || l.unfinishedOf(s.group) != nil):
			edits = append(edits, o.setStatus(s, "IN_PROGRESS")...)
		case s.group > o.observed && s.began():
			edits = append(edits, o.setStatus(s, "PENDING")...)
		}
	}
	f.Offer(sdk.Review, "Set the phases in "+orchestratorPath+" to match the agents", edits...)
}
