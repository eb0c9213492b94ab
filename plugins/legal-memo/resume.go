package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// nextStep returns the step that follows from the documents.
func (m *model) nextStep(a *agent) string {
	phase := a.kind.names()[a.observed]
	from, lost := m.lostNotes(a)
	switch {
	case a.atLimit():
		current, limit, _, _ := a.cycles()
		return "certify with limitations; do not open cycle " + say.Int(max(current, limit)+1)
	case a.kind == kinds[assembly] && a.observed == 2:
		return "run " + phase + " again from the start"
	case m.notesInBase(a):
		return "restore " + footnotesPath + " from the base: stategate recover"
	case lost:
		return extractAgain(a.items[from], m.notes.count)
	case (a.claims || m.writeAgain(a) != "") && m.restorable(a) != "":
		return "restore " + m.restorable(a) + " from the base: stategate recover"
	case m.writeAgain(a) != "":
		return m.writeAgain(a)
	case m.recoverable(a):
		return "recover " + m.before(a).path() + ", which the base has: stategate recover"
	case !a.read && !m.written(a.letter) && m.unfinishedText(a) != "":
		return m.writeOn(a)
	case m.checkWritten(a) != "":
		return m.checkWritten(a)
	case m.lacking(a) != "" && !m.written(a.letter):
		return m.lacking(a)
	case a.kind == kinds[execSummary] && len(m.unproven(a)) > 0:
		return readAgain(m.unproven(a)[0])
	case a.kind == kinds[writer] && m.written(a.letter) && !m.remediating():
		return memoPath + " has section IV." + a.letter +
			" already; compare it with the report, and do not write or append it again"
	case a.kind == kinds[synthesis] && len(m.onlyHere()) > 0:
		return "restore " + memoPath + " from the base: stategate recover"
	case a.kind == kinds[synthesis] && a.observed == a.kind.output && m.memo != nil:
		if left := m.unstarted(m.letters); len(left) > 0 {
			return "append section IV-" + left[0] + " to " + memoPath
		}
		return "do not append, because all sections are in " + memoPath + "; mark " + phase +
			" complete and continue with " + a.kind.names()[a.observed+1]
	}
	if left := m.remaining(a); len(left) > 0 && left[0] != phase && a.observed >= a.kind.worked {
		return "continue " + phase + " with " + left[0]
	}
	return "continue " + phase
}

// checkWritten returns the step for a report with more subsections than its state records, or "" if there are none.
func (m *model) checkWritten(a *agent) string {
	found, _ := m.inReport(a)
	if len(found) == 0 {
		return ""
	}
	return "check " + found[len(found)-1].key + ": " + m.outputs(a)[0].Path +
		" already contains it; record it, then continue"
}

// writeOn returns the step that continues a text without a state: for a section, from its last subsection.
func (m *model) writeOn(a *agent) string {
	d := m.outputs(a)[0]
	if a.kind == kinds[writer] {
		return "continue writing " + d.Path + " from subsection " + subsections[max(lastSubsection(d), 0)] + " on"
	}
	return "continue writing " + d.Path + ", which has " + say.Count(d.Summary.Words, "word") + "; expected at least " +
		figure(m.opt.summary)
}

// atLimit reports whether a diagnostic has no cycles left.
func (a *agent) atLimit() bool {
	_, limit, _, ok := a.cycles()
	return a.exhausted() || a.kind == kinds[qa] && ok && a.cycle > limit
}

func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m := p.Model.(*model)
	a := m.find(d.Subject)
	switch {
	case d.State == sdk.Finished:
		if a != nil { // in finished work only an interrupted or reset script matters
			for _, s := range m.scriptsLeft(m.chosen(a)) {
				if strings.HasSuffix(s, interrupted) || strings.HasSuffix(s, again) {
					d.Resume.Context = append(d.Resume.Context, s)
				}
			}
		}
		return
	case d.Subject == "orchestrator":
		b := brief.Of(p, d, found)
		m.resumeOrchestrator(b, errorOf(d.Subject, found))
		b.Warn(found)
	case a != nil:
		b := brief.Of(p, d, found)
		m.resumeAgent(m.chosen(a), b, errorOf(d.Subject, found))
		b.Warn(found, "unresolved-blocker") // the brief already begins with the blocker
	}
}

func (m *model) resumeAgent(a *agent, b *brief.Brief, wrong string) {
	if other := m.copyOf(a); other != nil { // what it records is about the other section
		b.Read(orchestratorPath)
		b.Do("remove " + a.path() + ", which is a copy of " + other.path() + ", then begin section IV-" + a.letter)
		b.Left(subsections[:]...)
		return
	}
	if a.unresolved() {
		b.First = a.blocker("type") + ": " + a.blocker("description")
		if how := a.blocker("resolution_method"); how != "" {
			b.First += "; first step: " + how
		}
	}
	m.readFirst(a, b)
	for _, s := range textsOf(a.root.Get("environment_checks").Get("on_resume")) {
		b.Verify(s)
	}
	m.nextOf(a, b, wrong)
	m.contexts(a, b)
	m.skips(a, b)
	for _, left := range m.remaining(a) {
		if !a.marked(b.Remaining, left) {
			b.Left(left + a.doneInBase(wrong, left))
		}
	}
	b.Closing = m.closing(a)
}

// notProven marks work that a guard lists as done but the documents do not prove.
const notProven = " (recorded as done, not proven)"

// marked reports whether an item is already among the remaining work, under its guard's name.
func (a *agent) marked(left []string, name string) bool {
	n, l := norm(name), sectionLetter(name)
	return slices.ContainsFunc(a.guards, func(g *guard) bool { return g.names(n, l) && holds(left, g.text+notProven) })
}

// errorOf returns a rule with an error about a subject, or "" if there is none: tick-lost, or else the first.
func errorOf(subject string, found []sdk.Diagnostic) (rule string) {
	for i := range found {
		if f := &found[i]; f.Subject == subject && f.Severity == sdk.Error && (rule == "" || f.Rule == lostTicks) {
			rule = f.Rule
		}
	}
	return rule
}

// nextOf continues with the recorded step, unless it is refuted or done.
func (m *model) nextOf(a *agent, b *brief.Brief, wrong string) {
	recorded, _ := a.root.Get("compaction_summary").Get("next_action").Text()
	if template(recorded) != "" {
		recorded = ""
	}
	switch {
	case a.unresolved() && a.blocker("resolution_method") != "":
		b.Do(a.blocker("resolution_method"))
		if recorded != "" && wrong == "" && !m.outdated(a, recorded) {
			b.Know("then: " + recorded)
		}
	case wrong == lostTicks:
		b.Do("recover what " + a.path() + " lost since the base: stategate recover")
		if recorded != "" {
			b.Know("recorded in a file with an error: " + recorded)
		}
	case a.halted() != nil:
		s := a.halted()
		b.Do("fix " + s.name + ", which ended with an error, and run it again before " + a.dependentOf(s))
		b.Know("recorded: " + recorded)
	case a.atLimit() || strings.TrimSpace(recorded) == "":
		b.Do(m.nextStep(a))
	case wrong != "" && (a.claims || !m.outdated(a, recorded)):
		b.Do(m.nextStep(a))
		b.Know("recorded in a file with an error: " + recorded)
	case m.outdated(a, recorded):
		b.Do(m.nextStep(a))
		b.Know("recorded, but already done: " + recorded)
	default:
		b.Do(recorded)
	}
	b.Know(textsOf(a.root.Get("compaction_summary").Get("critical_context"))...)
}

// outdated reports whether a recorded action is done: all sections or items that it names are done, or all items are.
// A section in the memorandum is never written or appended again.
func (m *model) outdated(a *agent, text string) bool {
	letters := sectionLetters(text)
	found, _ := m.inReport(a)
	other := func(it *item) bool {
		return a.namedIn(it, "_"+norm("do "+text)+"_") && !slices.Contains(found, it)
	}
	switch {
	case a.saysOver(text), a.skipsSection(text), a.namesDonePhase(text),
		len(found) > 0 && !slices.ContainsFunc(a.items, other):
		return true
	case a.kind == kinds[writer] && m.written(a.letter):
		return !m.remediating()
	case a.kind == kinds[synthesis] && a.observed == a.kind.output && m.memo != nil:
		if len(letters) > 0 {
			return !slices.ContainsFunc(letters, func(l string) bool { return !m.written(l) })
		}
		return len(m.letters) > 0 && len(m.unstarted(m.letters)) == 0 &&
			words.Mentions(text, "append", "integrate", "section")
	case a.kind == kinds[writer] && len(a.items) > 0 && len(a.openItems()) == 0 && words.Mentions(text, "subsection"):
		return true
	}
	return a.namesDone(text)
}

// saysOver reports whether a text says that no work remains although phases or items are open.
func (a *agent) saysOver(text string) bool {
	open := len(a.openPhases()) > 0 && !a.onlyReturn(a.openPhases()) || len(a.openItems()) > 0
	return open && strings.TrimSpace(text) != "" && (!words.Real(text) || classify(text) == complete)
}

// namesDone reports whether a text names items and all of them are done.
func (a *agent) namesDone(text string) bool {
	for i := a.kind.worked + 1; a.kind.worked >= 0 && i < len(a.phases); i++ {
		for _, word := range strings.Split(a.phases[i].norm, "_") {
			if len(word) > 8 && a.phases[i].word.open() && words.Mentions(text, word) {
				return false // it refers to a phase other than the one that processes the items
			}
		}
	}
	letters := sectionLetters(text)
	n, done := "_"+norm("do "+text)+"_", false
	for _, it := range a.items {
		if a.observed > a.kind.worked {
			return false // the items are done, and the action does something else with them
		}
		if holds(letters, it.letter) || a.namedIn(it, n) {
			if it.word != complete && it.word != skipped {
				return false
			}
			done = true
		}
	}
	return done
}

// namedIn reports whether a normalized text names an item by its key, or in a form such as "subsection B" or "dimension
// 4".
func (a *agent) namedIn(it *item, text string) bool {
	switch {
	case a.kind == kinds[writer] && (len(it.norm) == 1 || len(it.norm) > 1 && it.norm[1] == '_'):
		return strings.Contains(text, "_subsection_"+it.norm[:1]+"_")
	case a.kind == kinds[qa] && begins(it.norm, "dim_"):
		n, rest := leading(it.norm[len("dim_"):])
		return rest != it.norm[len("dim_"):] && (strings.Contains(text, "_dimension_"+say.Int(n)+"_") ||
			strings.Contains(text, "_dim_"+say.Int(n)+"_"))
	}
	return len(it.norm) > 4 && it.letter == "" && strings.Contains(text, "_"+it.norm+"_")
}

// nextActionDone finds a recorded next action that is already done, or that says that nothing is open.
func nextActionDone(l *look, a *agent) {
	const pointer = "/compaction_summary/next_action"
	recorded, _ := a.at(pointer).Text()
	over := a.saysOver(recorded) || a.skipsSection(recorded)
	if a.claims || !over && !a.namesDone(recorded) && !a.namesDonePhase(recorded) &&
		(a.kind != kinds[synthesis] || !l.outdated(a, recorded)) {
		return
	}
	what := ", which is already done; expected "
	if left := append(a.openItems(), a.phaseNames(a.openPhases())...); over && len(left) > 0 {
		what = ", but " + left[0] + " is open; expected "
	}
	l.say(a, pointer, "next_action is "+say.Quote(recorded)+what+say.Quote(l.nextStep(a))).
		Offer(sdk.Review, "Set next_action to the next open step", a.nextAction(l.nextStep(a))...)
}

// skips lists the work that is done and need not be repeated. Work that is recorded as done but not proven remains.
func (m *model) skips(a *agent, b *brief.Brief) {
	refuted := a.claims && a.state == sdk.Active
	// a summary's notes about the sections stay in its state
	lost := a.kind != kinds[execSummary] && (m.writeAgain(a) != "" || a.claims && a.proof == absent)
	half := m.unproven(a)
	for i, p := range a.phases {
		if len(a.guards) == 0 && p.done() && i != a.observed && !(refuted && i > a.observed) {
			b.Done(p.name)
		}
	}
	from, gone := m.lostNotes(a)
	resultless := keep(a.items, a.lacksResult)
	for _, g := range a.guards {
		done, item, open := a.match(g)
		if gone && namesAny(g, a.items[from:]) || namesAny(g, resultless) ||
			refuted && a.guardsPhase(g, a.observed, len(a.phases), true) {
			done, item = false, true
		}
		if a.kind == kinds[synthesis] && m.tracked && g.letter != "" {
			done = m.starts(g.letter)
			item = !done
		}
		switch {
		case open != "", item && (lost || !done), namesAny(g, half):
			b.Left(g.text + notProven)
		case g.field != "do_not_repeat" && (done || g.letter == "" || a.kind != kinds[synthesis]):
			if !slices.ContainsFunc(a.guarded("do_not_repeat"), func(o *guard) bool { return o.norm == g.norm }) {
				b.Done(g.text + " (" + g.forbids() + ")")
			}
		case done || a.kind == kinds[synthesis] && g.letter != "":
			b.Done(g.text)
		case namesAny(g, a.lostItems()): // the base records it as complete
			b.Done(g.text)
		default:
			b.Know("do_not_repeat lists " + say.Quote(g.text) + ", which does not match a done item or phase")
		}
	}
	for _, it := range a.items {
		if it.word == complete && !lost && !it.guardedIn(a) && !a.covered && a.mayGuard() &&
			!slices.Contains(half, it) && !a.lacksResult(it) {
			b.Done(it.key)
		}
	}
	if again, ok := a.rescue.Get("do_not_rescore").Bool(); ok && again {
		b.Done("scores of complete dimensions")
	}
	if v := a.rescue.Get("do_not_repeat_footnotes"); gone && m.notes.count > 0 {
		b.Done("footnotes 1-" + say.Int(m.notes.count))
	} else if n, ok := m.nextNote(a); !gone && !empty(v) && ok && a.kind == kinds[citation] && m.notes.strict && n > 1 {
		b.Done("footnotes 1-" + say.Int(n-1))
	} else if !gone && !empty(v) {
		b.Done("footnotes " + strings.Trim(v.Raw(), `"`))
	}
	for _, s := range a.scripts() {
		if n, ok := num(s.body.Get("iteration_count")); ok && n >= 3 {
			b.Know(s.name + " ran " + figure(n) + " times; flag it for manual review")
		}
		if !s.executed || s.status == "running" || s.failed() || a.unmet(s) != nil || m.resultGone(s) {
			continue
		}
		line := s.name + ": do not run again"
		if out, _ := s.body.Get("output_file").Text(); out != "" {
			line = s.name + ": do not run it, use " + out
		}
		if s.coded {
			line += " (exit " + figure(s.code) + ")"
		}
		b.Done(line)
	}
}
