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
	m.offerFinish(d, a, "Mark it finished")
	m.offerRestore(d, a)
	advise(d, "Decide what is behind", "look at the output of "+a.subject+": mark it finished if it is, or reopen the later agent")
}

// offerFinish offers to mark an agent finished whose output is proven, where nothing is open but the phases from
// the output on.
func (m *model) offerFinish(d *sdk.Diagnostic, a *agent, title string) {
	open := a.openPhases()
	if a.proof != proven || a.kind.style == 'W' || len(a.openItems()) > 0 || len(open) > 0 && open[0] < a.kind.output {
		return
	}
	var edits []sdk.Edit
	for _, i := range open {
		edits = append(edits, a.setPhase(i, true))
	}
	if a.status != noWord && a.status != complete {
		edits = append(edits, a.set("/status", `"complete"`))
	}
	if a.kind.style == 'P' {
		edits = append(edits, a.set("/current_phase", jsondoc.Quote(a.phases[len(a.phases)-1].name)))
	}
	offer(d, sdk.Review, title, edits...)
}

func (a *agent) standing() string {
	if a.claimed() == "" {
		return a.subject + " is open"
	}
	return a.subject + " is " + shown(a.claimed())
}

func (m *model) laterName(a *agent) string {
	for _, b := range m.agents {
		if b.finished && b.kind.group() > a.kind.group() {
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
	n, ok1 := num(w.metrics.Get("footnotes_count"))
	f, ok2 := num(it.body.Get("footnotes_extracted"))
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
			m.say(a, "idle-session", 0, a.claimPointer(), "", "nothing in the session is newer than "+m.newest.String())
			return
		}
	}
}
