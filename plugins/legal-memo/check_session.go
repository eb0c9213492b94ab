package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// checkStale looks for an agent that the rest has left behind.
func (m *model) checkStale(a *agent) {
	if !a.stale || !m.complete { // what would exempt it may be unseen
		return
	}
	if a.exempt {
		m.say(a, "rerun-behind-later-stage", 0, a.claimPointer(), "", a.standing()+" although a later agent is finished: it is being done again")
		return
	}
	d := m.say(a, "stale-in-progress", 0, a.claimPointer(), "", a.standing()+", but "+m.laterName(a)+" is finished")
	if a.proof == proven && a.kind.style != 'W' {
		edits := a.closeItems()
		for i := range a.phases {
			if a.phases[i].in && a.phases[i].word.open() {
				edits = append(edits, a.setPhase(i, true))
			}
		}
		if a.status != noWord {
			edits = append(edits, a.set("/status", `"complete"`))
		}
		if a.kind.style == 'P' {
			edits = append(edits, a.set("/current_phase", jsondoc.Quote(a.phases[len(a.phases)-1].name)))
		}
		offer(d, sdk.Review, "Mark it finished", edits...)
	}
	m.offerRestore(d, a)
	advise(d, "Decide what is behind", "look at the output of "+a.subject+": mark it finished if it is, or reopen the later agent")
}

func (a *agent) standing() string {
	if a.claimed() == "" {
		return a.subject + " is open"
	}
	return a.subject + " is " + shown(a.claimed())
}

func (m *model) laterName(a *agent) string {
	for _, b := range m.agents {
		if b.finished && b.kind.stage > a.kind.stage {
			return b.subject
		}
	}
	return ""
}

// checkBetween compares what the agents say of the sections.
func (m *model) checkBetween() {
	for _, a := range m.agents {
		switch {
		case a.kind == kinds[citation] && a.read:
			m.checkCited(a)
		case a.kind == kinds[execSummary] && a.finished && len(a.items) > 0:
			m.checkSummarised(a)
		}
	}
	m.checkIdle()
}

// uncounted lists the sections with a report that no item is about.
func (m *model) uncounted(a *agent) []string {
	var missing []string
	for _, l := range m.letters {
		found := false
		for i := range a.items {
			found = found || sectionLetter(a.items[i].key) == l
		}
		if !found {
			missing = append(missing, l)
		}
	}
	return missing
}

func (m *model) checkCited(a *agent) {
	if !m.tracked || elided(a) {
		return
	}
	if missing := m.uncounted(a); a.finished && len(missing) > 0 {
		d := m.say(a, "section-without-citations", 0, "/sections_status", "", "no entry for section "+list(missing)+", which has a report")
		m.offerPending(d, a, "section_IV_", missing, `{"status": "pending", "footnotes_extracted": 0}`)
	}
	var ghosts []string
	at := ""
	for i := range a.items {
		l := sectionLetter(a.items[i].key)
		if a.items[i].word == complete && l != "" && len(m.reports) > 0 && m.complete && !holds(m.letters, l) {
			ghosts = append(ghosts, l)
			if at == "" {
				at = jsondoc.Pointer(a.itemsKey, a.items[i].key)
			}
		}
	}
	if len(ghosts) > 0 {
		advise(m.say(a, "citations-of-missing-section", 0, at, "", "footnotes are taken from section "+list(ghosts)+", which has no report"), "Find the report", "restore the report, or take the section out and number the footnotes again")
	}
	for i := range a.items {
		m.checkNoteCount(a, &a.items[i])
	}
}

func (m *model) checkNoteCount(a *agent, it *item) {
	w := m.find("section-writer/" + sectionLetter(it.key))
	if w == nil || !w.read || it.word != complete {
		return
	}
	n, ok1 := w.metrics.Get("footnotes_count").Float()
	f, ok2 := it.body.Get("footnotes_extracted").Float()
	if ok1 && ok2 && n != f {
		m.say(a, "footnotes-counted-differently", 0, jsondoc.Pointer(a.itemsKey, it.key, "footnotes_extracted"), it.key, it.key+": "+figure(f)+" footnotes were extracted, the writer counted "+figure(n))
	}
}

func (m *model) checkSummarised(a *agent) {
	if !m.tracked || elided(a) {
		return
	}
	if missing := m.uncounted(a); len(missing) > 0 {
		d := m.say(a, "summary-misses-section", 0, "/"+a.itemsKey, "", "the summary read nothing of section "+list(missing)+", which has a report")
		m.offerPending(d, a, "IV-", missing, `{"status": "pending", "key_finding": null}`)
	}
}

// offerPending offers to add sections as pending and to work on them.
func (m *model) offerPending(d *sdk.Diagnostic, a *agent, prefix string, letters []string, json string) {
	if a.itemsKey != "" {
		edits := a.reopen(a.kind.worked)
		for _, l := range letters {
			edits = append(edits, a.set(jsondoc.Pointer(a.itemsKey, prefix+l), json))
		}
		offer(d, sdk.Review, "Add the section as pending and reopen "+a.phases[a.kind.worked].name, edits...)
	}
	advise(d, "Work through the section", "add it as pending, reopen the phase and work through it")
}

// checkIdle tells of a session in which nothing happens.
func (m *model) checkIdle() {
	if m.newest.IsZero() || m.pass.Before(m.newest.Add(7*instant.Day)) {
		return
	}
	for _, a := range m.agents {
		if a.read && a.state != sdk.Finished {
			m.tell(a.subject, "idle-session", 0, a.path(), "", "nothing in the session is newer than "+m.newest.String())
			return
		}
	}
}

// checkOrchestrator compares the orchestrator with the agents.
func (m *model) checkOrchestrator() {
	o := m.orch
	if o.why != "" {
		d := m.tellOrch("unreadable-orchestrator-block", 0, span2{o.broken.Start(), o.broken.End()}, "", "the block names phases_completed or gate_attempts and is no JSON: "+o.why)
		advise(d, "Repair the block", "complete the JSON, or restore it from the repository")
	}
	m.checkStages()
	m.checkTurns()
	claimed := o.claimedGroup()
	if k := m.furthest(); claimed >= 0 && claimed < k {
		d := m.tellOrch("orchestrator-behind-agents", graded(o.structured, sdk.Error, sdk.Warning), o.currentAt, "", "the orchestrator is at "+groups[claimed]+", but an agent of "+groups[k]+" is finished")
		if o.structured && o.currentAt.end > o.currentAt.start {
			offer(d, sdk.Review, "Set current_phase to "+groups[o.observed], sdk.Replace(o.at(o.currentAt), jsondoc.Quote(groups[o.observed])))
		}
		advise(d, "Set the phase", "write the phase that the agents are in; do not restart from P1")
	}
	m.checkExpected()
	for _, g := range o.gates {
		if text, beyond := gateText(g.name, g.body); text != "" {
			rule, step := gateRule(beyond)
			advise(m.tellOrch(rule, 0, g.at, g.name, text), "Escalate", step)
		}
	}
}

func (m *model) checkStages() {
	o := m.orch
	for _, s := range o.ids {
		switch {
		case s.differ:
			advise(m.tellOrch("orchestrator-blocks-differ", 0, s.at, s.id, "two blocks say different things of "+s.id), "Keep one", "keep the block that is right")
		case s.word == unknownWord:
			advise(m.tellOrch("unknown-status", 0, s.at, s.id, s.id+": status is "+shown(s.text)+", which is none that is known"), "Set a known status", "write PENDING, IN_PROGRESS or COMPLETE")
		}
		if s.word != complete {
			continue
		}
		if a := m.unfinishedOf(s.group); a != nil && m.complete {
			d := m.tellOrch("orchestrator-ahead-of-agent", 0, s.at, s.id, s.id+" is complete, but "+a.subject+" is at "+phaseNames[a.kind.place()][a.observed])
			if s.at.end > s.at.start && s.text != "" {
				offer(d, sdk.Review, "Set "+s.id+" IN_PROGRESS", sdk.Replace(o.at(s.at), `"IN_PROGRESS"`))
			}
			advise(d, "Look at the agent", "let "+a.subject+" finish, or set "+s.id+" IN_PROGRESS")
		}
		if n, ok := s.body.Get("validators_passed").Float(); ok && s.group == 2 && n < 4 {
			advise(m.tellOrch("validators-missing", 0, s.at, s.id, s.id+" is complete, but validators_passed is "+figure(n)+", expected 4"), "Run the validators", "run those that did not pass")
		}
	}
	for _, s := range o.ids {
		if n, ok := s.body.Get("qa_cycles").Float(); ok && s.group == 5 && m.live != nil && m.live.root.Get("qa_cycle").Get("current_cycle").Exists() && n != float64(m.live.cycle) {
			advise(m.tellOrch("cycle-counters-differ", 0, s.at, s.id, s.id+": qa_cycles is "+figure(n)+", but current_cycle of "+m.live.path()+" is "+itoa(int(m.live.cycle))), "Count again", "set the counter that is wrong")
		}
	}
}

// unfinishedOf is an agent of a group that is neither finished nor blocked.
func (m *model) unfinishedOf(g int) *agent {
	for _, a := range m.agents {
		if a.kind.group() == g && a.doc != nil && a.state != sdk.Finished && a.state != sdk.Blocked && m.chosen(a) == a {
			return a
		}
	}
	return nil
}

// checkTurns looks at the order of the orchestrator's phases.
func (m *model) checkTurns() {
	o := m.orch
	for i, s := range o.ids {
		if s.word != complete && s.word != inProgress || s.group < 0 {
			continue
		}
		for _, before := range o.ids[:i] {
			if before.word != complete && before.word != skipped && before.group >= 0 && before.group < s.group {
				d := m.tellOrch("phase-done-before-its-turn", 0, s.at, s.id, s.id+" is "+wordNames[s.word]+", but "+before.id+" before it is not complete")
				advise(d, "Decide where it is", "look at the agents of "+before.id+", and set the phases to what they are")
				i = len(o.ids)
				break
			}
		}
		if i == len(o.ids) {
			break
		}
	}
	at := o.claimedGroup()
	if !o.structured || at < 0 || !o.isComplete(at) {
		return
	}
	for _, s := range o.ids {
		if s.group > at && (s.word == complete || s.word == inProgress) {
			d := m.tellOrch("current-phase-behind", 0, o.currentAt, "", "current_phase is "+shown(o.current)+", which is complete, but "+s.id+" is "+wordNames[s.word])
			if o.currentAt.end > o.currentAt.start {
				offer(d, sdk.Review, "Set current_phase to "+groups[o.observed], sdk.Replace(o.at(o.currentAt), jsondoc.Quote(groups[o.observed])))
			}
			advise(d, "Set the phase", "write the phase that is not complete")
			return
		}
	}
}

// isComplete reports whether the id that current_phase names is complete.
func (o *orchestrator) isComplete(g int) bool {
	for _, s := range o.ids {
		if s.id == o.current {
			return s.word == complete
		}
	}
	return o.groupComplete(g)
}

func (m *model) checkExpected() {
	o := m.orch
	if len(o.expected) == 0 || !m.tracked || !m.complete || o.observed <= 3 || len(m.reports) == 0 {
		return
	}
	if list(o.expected) != list(m.letters) {
		advise(m.tellOrch("expected-sections-differ", 0, span2{}, "", "EXPECTED_SECTION_IDS are "+list(o.expected)+", but the sections with reports are "+list(m.letters)), "Compare the sections", "write the missing section, or correct the list")
	}
}

// checkWaves looks at the waves of a remediation.
func (m *model) checkWaves(a *agent) {
	for i := range a.phases {
		p := &a.phases[i]
		if p.word != complete && p.word != inProgress {
			continue
		}
		var open []string
		for _, dep := range a.dependencies(p.name) {
			if at := a.phaseNamed(norm(dep)); at >= 0 && a.phases[at].in && a.phases[at].word.open() {
				open = append(open, a.phases[at].name)
			}
		}
		if len(open) > 0 {
			advise(m.say(a, "wave-before-its-dependency", 0, a.phasePointer(i), p.name, p.name+" is "+wordNames[p.word]+", but it depends on "+list(open)), "Do the earlier wave first", "finish "+list(open)+", then "+p.name)
		}
		if p.word == complete {
			m.checkTasks(a, i)
		}
	}
}

func (m *model) checkTasks(a *agent, i int) {
	var open []string
	for j := range a.items {
		if it := &a.items[j]; a.waveOf(it) == a.phases[i].name && it.word != complete && it.word != skipped {
			open = append(open, it.key)
		}
	}
	if len(open) > 0 {
		advise(m.say(a, "wave-done-with-open-task", 0, a.phasePointer(i), a.phases[i].name, a.phases[i].name+" is complete, but open: "+list(open)), "Finish the tasks", "finish the tasks, or set the wave in_progress")
	}
}

// dependencies lists the waves that a wave depends on.
func (a *agent) dependencies(name string) []string {
	v := a.root.Get("wave_dependencies").Get(name)
	if v.Kind() == jsondoc.Object {
		v = v.Get("depends_on")
	}
	if s, ok := v.Text(); ok {
		return []string{s}
	}
	var names []string
	for _, e := range v.Elements() {
		if s, ok := e.Text(); ok {
			names = append(names, s)
		} else if n, ok := e.Int(); ok {
			names = append(names, "wave_"+itoa(int(n)))
		}
	}
	return names
}

// waveOf is the wave of a task: its field wave, or the number in W2-001.
func (a *agent) waveOf(it *item) string {
	v := it.body.Get("wave")
	if n, ok := v.Int(); ok {
		return "wave_" + itoa(int(n))
	}
	if s, ok := v.Text(); ok {
		if n, rest := leading(s); rest == "" {
			return "wave_" + itoa(n)
		}
		return norm(s)
	}
	if len(it.key) > 1 && it.key[0]|32 == 'w' {
		if n, rest := leading(it.key[1:]); rest != it.key[1:] {
			return "wave_" + itoa(n)
		}
	}
	return ""
}
