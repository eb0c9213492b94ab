package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// checkCycles looks at the cycles of a diagnostic and at their history.
func (m *model) checkCycles(a *agent) {
	c := a.root.Get("qa_cycle")
	current, ok := integer(c.Get("current_cycle"))
	limit, ok2 := integer(c.Get("max_cycles"))
	if ok && a.part != "" && digit(a.letter[0]) && a.letter != itoa(int(current)) {
		advise(m.say(a, "cycle-file-number-differs", 0, "/qa_cycle/current_cycle", "", "current_cycle is "+itoa(int(current))+", but the file is that of cycle "+a.letter), "Decide which cycle it is", "set current_cycle or rename the file")
	}
	if ok && ok2 && current > limit {
		d := m.say(a, "cycle-beyond-max", 0, "/qa_cycle/current_cycle", "", "current_cycle is "+itoa(int(current))+", but max_cycles is "+itoa(int(limit)))
		m.offerCertificate(d, a, limit)
		advise(d, "Certify with limitations", "do not open another cycle: certify with limitations, or ask a person")
	}
	highest, before, disordered := int64(-1), int64(-1), false
	seen := map[int64]bool{}
	for _, e := range c.Get("cycle_history").Elements() {
		n, is := integer(e.Get("cycle"))
		if !is {
			continue
		}
		disordered = disordered || n <= before
		before, highest = n, max(highest, n)
		seen[n] = true
		resolved, is1 := num(e.Get("issues_resolved"))
		had, is2 := num(e.Get("issues_before"))
		if is1 && is2 {
			m.checkPair(a, "/qa_cycle/cycle_history", "issues_resolved", "issues_before", resolved, had)
		}
		if left, is := num(e.Get("issues_remaining")); is && is1 && is2 && left < had-resolved { // more are those that were found since
			m.parts(a, "/qa_cycle/cycle_history", "issues_remaining", "issues_before less issues_resolved are "+figure(had-resolved), "issues_remaining is "+figure(left)+" in cycle "+itoa(int(n)))
		}
	}
	if ok && highest > current {
		d := m.say(a, "cycle-behind-history", 0, "/qa_cycle/current_cycle", "", "current_cycle is "+itoa(int(current))+", but cycle_history goes up to "+itoa(int(highest)))
		offer(d, sdk.Review, "Set current_cycle to "+itoa(int(highest)), a.set("/qa_cycle/current_cycle", itoa(int(highest))))
		advise(d, "Decide which cycle it is", "set current_cycle to the cycle that is under way")
	}
	if disordered {
		advise(m.say(a, "cycle-history-disordered", 0, "/qa_cycle/cycle_history", "", "the cycles of cycle_history do not rise"), "Put it in order", "order cycle_history by cycle, and remove what stands twice")
	}
	if len(seen) > 0 && ok && current < 1000 {
		var gaps []string
		for n := int64(1); n < current; n++ {
			if !seen[n] {
				gaps = append(gaps, itoa(int(n)))
			}
		}
		if len(gaps) > 0 {
			advise(m.say(a, "cycle-history-gap", 0, "/qa_cycle/cycle_history", "", "cycle_history lacks cycle "+list(gaps)), "Add the cycle", "take the missing entry from the outputs of that cycle")
		}
	}
	if a.exhausted() {
		advise(m.say(a, "cycles-exhausted", 0, "/qa_cycle", "", "cycle "+itoa(int(current))+" of "+itoa(int(limit))+" ended with "+shown(a.outcome())), "Certify with limitations", "certify with limitations or escalate; do not open cycle "+itoa(int(limit)+1))
	}
}

const certified = `"CERTIFY_WITH_LIMITATIONS"`

// offerCertificate offers to end a run that went on beyond its cycles: complete at
// the last permitted cycle, certified with limitations. Cycles beyond it go off the
// history. It offers nothing while dimensions are not scored.
func (m *model) offerCertificate(d *sdk.Diagnostic, a *agent, limit int64) {
	if limit < 1 || len(a.openItems()) > 0 {
		return
	}
	title := "Certify with limitations at cycle " + itoa(int(limit))
	var kept []string
	found, beyond := false, false
	for _, e := range a.root.Get("qa_cycle").Get("cycle_history").Elements() {
		n, ok := integer(e.Get("cycle"))
		raw := e.Raw()
		switch {
		case ok && n > limit:
			beyond = true
			continue
		case ok && n == limit:
			c, err := jsondoc.Set(raw, "/outcome", certified)
			if err != nil {
				return
			}
			raw, found = c.Apply(raw), true
		}
		kept = append(kept, raw)
	}
	if !found {
		kept = append(kept, `{"cycle": `+itoa(int(limit))+`, "outcome": `+certified+`}`)
	}
	if beyond {
		title += ", without what the history holds beyond it"
	}
	edits := []sdk.Edit{a.set("/qa_cycle/current_cycle", itoa(int(limit))), a.set("/qa_cycle/cycle_history", array(kept)), a.set("/status", `"complete"`)}
	for i := range a.phases {
		if a.phases[i].in && a.phases[i].word.open() {
			edits = append(edits, a.setPhase(i, true))
		}
	}
	offer(d, sdk.Review, title, edits...)
}
