package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// checkPhases holds the claim of an agent against the flags of its phases.
func (m *model) checkPhases(a *agent) {
	m.checkFlags(a)
	open := a.openPhases()
	switch {
	case !a.hasPhases():
	case a.claims && len(open) == 0:
		m.checkFinishedItems(a)
	case a.claims && a.onlyReturn(open):
		d := m.say(a, "return-phase-open", 0, a.phasePointer(open[0]), "", a.claimText()+", but "+a.phases[open[0]].name+" is open")
		offer(d, sdk.Safe, "Mark it done", a.setPhase(open[0], true))
		m.checkFinishedItems(a)
	case a.claims:
		m.sayOpen(a, open)
	case len(open) == 0 && (a.status == inProgress || a.status == pending):
		d := m.say(a, "all-phases-done-but-open", 0, "/status", "", "status is "+shown(a.statusText)+", but no phase is open")
		if a.proof == proven || a.proof == proofUnknown {
			offer(d, sdk.Review, "Set status to complete", a.set("/status", `"complete"`))
		}
		advise(d, "Decide whether it is done", "look at the output: set status to complete, or the phase that is not done to false")
	}
	if a.kind.style != 'W' {
		m.checkTurn(a)
	}
	if a.kind.style == 'P' {
		m.checkCurrent(a, open)
	}
	if a.status == pending {
		for i := range a.phases {
			if a.phases[i].in && !a.phases[i].word.open() {
				d := m.say(a, "initialized-with-progress", 0, "/status", "", "status is "+shown(a.statusText)+", but "+a.phases[i].name+" is done")
				offer(d, sdk.Safe, "Set status to in_progress", a.set("/status", `"in_progress"`))
				break
			}
		}
	}
}

// claimText says by what an agent claims to be done.
//
//go:noinline
func (a *agent) claimText() string {
	if a.status != noWord {
		return "status is " + shown(a.statusText)
	}
	return "current_phase is " + shown(a.current)
}

// claimPointer is the place of that claim.
//
//go:noinline
func (a *agent) claimPointer() string {
	if a.status != noWord || a.kind.style != 'P' {
		return "/status"
	}
	return "/current_phase"
}

// setPhase is the edit that sets the flag of a phase.
//
//go:noinline
func (a *agent) setPhase(i int, done bool) sdk.Edit {
	json := "false"
	if done {
		json = "true"
	}
	p := a.phases[i].body.Kind()
	if a.kind.style != 'B' && p != jsondoc.Bool || p == jsondoc.Object {
		json = `"pending"`
		if done {
			json = `"complete"`
		}
	}
	return a.set(a.phasePointer(i), json)
}

// reopen are the edits after which an agent no longer claims to be done and goes
// on at a phase.
func (a *agent) reopen(at int) []sdk.Edit {
	if at < 0 {
		return nil
	}
	var edits []sdk.Edit
	for i := at; i < len(a.phases); i++ {
		if p := &a.phases[i]; p.in && (!p.word.open() || i > at && p.word == inProgress) {
			edits = append(edits, a.setPhase(i, false))
		}
	}
	if a.status != noWord && a.status != inProgress {
		edits = append(edits, a.set("/status", `"in_progress"`))
	}
	if a.kind.style == 'P' {
		edits = append(edits, a.set("/current_phase", jsondoc.Quote(a.phases[at].name)))
	}
	var kept []string
	for i := range a.guards {
		g := a.guards[i]
		if g.field != "do_not_repeat" || !a.guardsFrom(&g, at) {
			if g.field == "do_not_repeat" {
				kept = append(kept, g.text)
			}
		}
	}
	if n := a.rescue.Get("do_not_repeat").Len(); a.hasGuards && len(kept) < n {
		edits = append(edits, a.set("/recovery_instructions/do_not_repeat", texts(kept)))
	}
	return append(edits, a.mark()...)
}

// mark is the edit that says of a state that it is meant to be open, while later agents are finished.
func (a *agent) mark() []sdk.Edit {
	context := a.root.Get("compaction_summary").Get("critical_context")
	if !a.passed || context.Kind() != jsondoc.Array {
		return nil
	}
	marks := []string{jsondoc.Quote(reopenedMark)}
	for _, e := range context.Elements() {
		marks = append(marks, e.Raw())
	}
	return []sdk.Edit{a.set("/compaction_summary/critical_context", array(marks))}
}

// reopenLost is reopen for an output that is gone: what it held is guarded no
// more.
func (a *agent) reopenLost(at int) []sdk.Edit {
	const guards = "/recovery_instructions/do_not_repeat"
	var edits []sdk.Edit
	for _, e := range a.reopen(at) {
		if e.Range.Pointer != guards {
			edits = append(edits, e)
		}
	}
	var kept []string
	for i := range a.guards {
		if g := &a.guards[i]; g.field == "do_not_repeat" && a.guardsBefore(g, at) {
			kept = append(kept, g.text)
		}
	}
	if n := a.rescue.Get("do_not_repeat").Len(); a.hasGuards && len(kept) < n {
		edits = append(edits, a.set(guards, texts(kept)))
	}
	return edits
}

// guardsBefore reports whether a guard names a phase that precedes one, and no
// item.
func (a *agent) guardsBefore(g *guard, at int) bool {
	for i := range a.items {
		if g.names(a.items[i].norm, a.items[i].letter) {
			return false
		}
	}
	for i := range a.phases[:at] {
		if g.names(a.phases[i].norm, "") {
			return true
		}
	}
	return false
}

// guardsFrom reports whether a guard names a phase from here on, and no item.
func (a *agent) guardsFrom(g *guard, at int) bool {
	for i := range a.items {
		if a.items[i].word == complete && g.names(a.items[i].norm, a.items[i].letter) {
			return false
		}
	}
	for i := at; i < len(a.phases); i++ {
		if g.names(a.phases[i].norm, "") {
			return true
		}
	}
	return false
}

func (m *model) sayOpen(a *agent, open []int) {
	message := a.claimText() + ", but open: " + list(a.phaseNames(open))
	if items := a.openItems(); len(items) > 0 {
		message += "; items: " + list(items)
	}
	d := m.say(a, "finished-with-open-phase", 0, a.claimPointer(), "", message)
	offer(d, sdk.Review, "Reopen it at "+a.phases[open[0]].name, a.reopen(open[0])...)
	m.offerFinish(d, a, "Mark the phases done")
	advise(d, "Decide where it is", "look at the output: reopen the state, or mark the phases done")
}

// checkFlags looks at the keys and the words of the phases.
func (m *model) checkFlags(a *agent) {
	if a.root.Get(a.phaseMap).Kind() != jsondoc.Object {
		return
	}
	if len(a.unknown) > 0 {
		advise(m.say(a, "unknown-phase", 0, jsondoc.Pointer(a.phaseMap, a.unknown[0]), "", "no phase of "+a.kind.name+" is called "+list(a.unknown)),
			"Rename or remove it", "use the names that stategate explain legal-memo lists")
	}
	var missing, odd []string
	at := ""
	for i := range a.phases {
		p := &a.phases[i]
		switch {
		case !p.in:
			missing = append(missing, p.name)
		case p.word == unknownWord:
			odd = append(odd, p.name)
			if at == "" {
				at = a.phasePointer(i)
			}
		}
	}
	if len(missing) > 0 && a.kind.style != 'W' {
		advise(m.say(a, "missing-phase", 0, "/"+a.phaseMap, "", a.phaseMap+" has no "+list(missing)), "Add the phases", "add the phases that are missing, with what is true of them")
	}
	if len(odd) > 0 {
		advise(m.say(a, "unknown-phase-status", 0, at, "", say.Wrong("status of "+list(odd), plain(a.at(at)), "pending, in_progress, complete or skipped")), "Set a known status", "write pending, in_progress, complete or skipped")
	}
}

// checkTurn looks for a phase that is done while an earlier one is open.
func (m *model) checkTurn(a *agent) {
	first := -1
	for i := range a.phases {
		p := &a.phases[i]
		switch {
		case !p.in:
		case p.word.open() && first < 0:
			first = i
		case !p.word.open() && first >= 0:
			d := m.say(a, "phase-done-before-its-turn", graded(a.status == blocked, sdk.Info, sdk.Error), a.phasePointer(i), "", p.name+" is done, but "+a.phases[first].name+" before it is open")
			if a.status != blocked {
				var edits []sdk.Edit
				for j := i; j < len(a.phases); j++ {
					if a.phases[j].in && !a.phases[j].word.open() {
						edits = append(edits, a.setPhase(j, false))
					}
				}
				offer(d, sdk.Review, "Reopen the later phases", edits...)
				advise(d, "Decide which is right", "mark "+a.phases[first].name+" done if it is, or reopen what follows")
			}
			return
		}
	}
}

// checkCurrent compares current_phase with the flags.
func (m *model) checkCurrent(a *agent, open []int) {
	running := 0
	for i := range a.phases {
		if a.phases[i].word == inProgress {
			running++
		}
	}
	if running > 1 {
		advise(m.say(a, "several-phases-in-progress", 0, "/phases", "", itoa(running)+" phases are in_progress, expected one"), "Leave one in progress", "set the others to what they are")
	}
	if a.current == "" {
		return
	}
	at := a.claimedPhase()
	if at < 0 {
		advise(m.say(a, "unknown-current-phase", 0, "/current_phase", "", say.Wrong("current_phase", shown(a.current), "the name of one phase, such as "+a.phases[0].name)), "Name a phase", "write the name of the phase as phases has it")
		return
	}
	to := len(a.phases) - 1
	if len(open) > 0 {
		to = open[0]
	}
	move := a.set("/current_phase", jsondoc.Quote(a.phases[to].name))
	if !a.claims && len(open) > 0 && open[0] < at {
		var earlier []int
		for _, i := range open {
			if i < at {
				earlier = append(earlier, i)
			}
		}
		d := m.say(a, "current-phase-ahead", 0, "/current_phase", "", "current_phase is "+shown(a.current)+", but open before it: "+list(a.phaseNames(earlier)))
		offer(d, sdk.Review, "Set current_phase to "+a.phases[to].name, move)
		advise(d, "Decide where it is", "set current_phase to the first open phase, or mark the earlier phases done")
	}
	m.checkBehind(a, at, move, to)
}

func (m *model) checkBehind(a *agent, at int, move sdk.Edit, to int) {
	if norm(a.current) == "complete" {
		return
	}
	done, running := -1, -1
	for i := at + 1; i < len(a.phases); i++ {
		switch w := a.phases[i].word; {
		case !a.phases[i].in:
		case !w.open():
			done = i
		case w == inProgress:
			running = i
		}
	}
	if done < 0 && running < 0 {
		return
	}
	later, is := running, " is in progress"
	if done >= 0 {
		later, is = done, " is done"
	}
	d := m.say(a, "current-phase-behind", graded(done >= 0, sdk.Error, sdk.Warning), "/current_phase", "", "current_phase is "+shown(a.current)+", but "+a.phases[later].name+is)
	offer(d, sdk.Review, "Set current_phase to "+a.phases[to].name, move)
	advise(d, "Decide where it is", "set current_phase to the first open phase")
}
