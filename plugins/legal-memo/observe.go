package legalmemo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// observe evaluates every agent, then the orchestrator.
func (m *model) observe() {
	for _, a := range m.agents {
		a.proof = m.prove(a)
	}
	for _, a := range m.agents {
		m.exempt(a)
		m.place(a)
	}
	m.orch.observed, m.orch.state = m.standing(m.orch.expected)
}

// exempt determines whether a later stage has passed the agent, and whether that is allowed: while remediation is open,
// while the file is being rewritten, or after a rebuild, which resets an agent to the end of its outputs.
func (m *model) exempt(a *agent) {
	a.passed = m.laterFinished(a) != nil
	a.late = a.read && !a.finished && a.passed
	a.stale = a.late && !a.claims && a.status != blocked && !a.unresolved()
	was := m.before(a)
	a.exempt = a.kind.stage >= 4 && a.kind.stage <= 7 && m.remediating() || a.bears(rebuiltMark) ||
		a.bears(reopenedMark) || a.read && was != nil && was.read && a.wentOn(was)
}

// wentOn reports whether the agent worked since the base: it started over, finished more, or reopened finished work.
func (a *agent) wentOn(was *agent) bool {
	phases := func(a *agent) int { return len(a.phases) - len(a.openPhases()) }
	return was.started.Before(a.started, 0) || phases(a) != phases(was) ||
		a.countItems(complete) != was.countItems(complete) || a.cycle > was.cycle
}

// laterFinished returns a finished agent in a later orchestrator phase, or nil if there is none. Agents in the same
// phase have no order.
func (m *model) laterFinished(a *agent) *agent {
	return first(m.agents, func(b *agent) bool { return b.finished && b.kind.group() > a.kind.group() })
}

// remediating reports whether sections may be rewritten: the last outcome asks for it below the cycle limit.
func (m *model) remediating() bool {
	if m.live == nil || !begins(m.live.outcome(), "REMEDI") || m.certified() {
		return false
	}
	limit, ok := integer(m.live.root.Get("qa_cycle").Get("max_cycles"))
	return !ok || m.live.cycle < limit
}

// certified reports whether the last cycle, or the final certificate from quality, certifies the memorandum.
func (m *model) certified() bool {
	says := func(h wire.HeadingLine) bool {
		_, status, _ := strings.Cut(words.Lower(h.Text), "certification status")
		return strings.HasPrefix(trimMarks(status), "certif")
	}
	d := m.docs.Get("qa-outputs/final-qa-certificate.md")
	return begins(m.live.outcome(), "CERTIF") || measured(d) && slices.ContainsFunc(d.Summary.Headings, says)
}

// place sets an agent's observed phase and state.
func (m *model) place(a *agent) {
	a.state = sdk.Active
	if !a.read {
		m.placeUnread(a)
	} else {
		m.placeRead(a)
	}
	switch {
	case a.unresolved(), a.state == sdk.Active && (a.status == blocked || a.exhausted()):
		a.state = sdk.Blocked
	case a.kind == kinds[qa] && m.live != nil && a != m.live && a.read:
		a.state = sdk.Finished
	}
}

func (m *model) placeRead(a *agent) {
	last, open := len(a.phases)-1, a.openPhases()
	lost := a.proof == partial || a.proof == absent || a.catFailed() || a.claims && m.writeAgain(a) != ""
	switch {
	case len(open) == 0 || a.claims && a.onlyReturn(open):
		a.observed, a.state = last, sdk.Finished
		if lost {
			a.observed, a.state = a.again(), sdk.Active
		} else if a.kind.worked >= 0 && !a.passed && len(a.openItems()) > 0 {
			a.observed, a.state = a.kind.worked, sdk.Active
		}
	case a.proof == proven && a.late && !a.exempt && !(a.kind == kinds[citation] && len(a.openItems()) > 0):
		a.observed, a.state = last, sdk.Finished
	default:
		a.observed = open[0]
		if w := a.kind.worked; w >= 0 && w < a.observed && len(a.openItems()) > 0 {
			a.observed = w
		}
		if a.claims && lost && a.again() >= 0 && a.again() < a.observed {
			a.observed = a.again()
		}
	}
	if a.kind == kinds[synthesis] && m.tracked && m.seesMemo() && a.phases[3].done() &&
		len(m.unstarted(a.recorded())) > 0 {
		a.observed, a.state = a.kind.output, sdk.Active
	}
}

// unfinishedText returns what shows that an agent without a state is still writing its section or the summary, or "" if
// nothing does.
func (m *model) unfinishedText(a *agent) string {
	for _, d := range m.outputs(a) {
		if !measured(d) || a.kind != kinds[writer] && a.kind != kinds[execSummary] {
			return ""
		}
		least := m.opt.section
		if a.kind == kinds[execSummary] {
			least = m.opt.summary
		}
		if text := tooShort(d, least); text != "" {
			return text
		} else if brokenAt(d) >= 0 {
			return d.Path + " is cut off"
		}
	}
	return ""
}

// seesMemo reports whether the memorandum's content is known, or the memorandum is known to be missing.
func (m *model) seesMemo() bool { return m.memo == nil && m.complete || measured(m.memo) }

// structure is the phase in which the executive summary is written.
const structure = 3

func (m *model) placeUnread(a *agent) {
	switch {
	case a.proof >= partial && m.unfinishedText(a) != "":
		a.observed = a.again()
	case a.kind == kinds[citation] && a.proof >= partial: // footnotes do not show how many sections they cover
		a.observed = a.kind.worked
	case a.proof == proven:
		a.observed = a.kind.output
		if a.doc == nil {
			a.state = sdk.Finished
		}
	case a.proof == partial:
		a.observed = a.kind.output - 1
	default:
		a.observed = min(m.left(a).reached(), len(a.kind.names())-1)
	}
}

// appended returns the section letters that the synthesis's blocker lists as appended.
func (a *agent) appended() []string { return gather(textsOf(a.at(appendedPointer)), sectionLetter) }

const appendedPointer = "/blocking_issue/sections_appended_via_bash"

// recorded returns the section letters that the synthesis lists as part of the memorandum.
func (a *agent) recorded() []string {
	done := a.keys(func(it *item) bool { return it.word == complete })
	return sorted(gather(append(done, a.listed("do_not_repeat")...), sectionLetter))
}

// standing returns the session's group according to the agents. Expected sections count as generation agents.
func (m *model) standing(expected []string) (group int, state sdk.State) {
	if m.live != nil && m.live.state == sdk.Finished && (m.certified() || m.nothingLeft(expected)) {
		return 5, sdk.Finished
	}
	k := m.furthest()
	claim := m.orch.claimedGroup()
	before := func(g int) bool { return g < claim && !m.orch.groupComplete(g) }
	switch {
	case k < 0 && claim > 2 && m.begunGroup(claim) && !slices.ContainsFunc([]int{0, 1, 2, 3, 4}, before):
		return claim, sdk.Active // earlier phases are recorded as complete, although their agents left nothing
	case k < 0 && (m.begunGroup(2) || m.orch.groupComplete(1) && m.orch.claimedGroup() == 2):
		return 2, sdk.Active
	case k < 0:
		return min(1, len(m.specialists())), sdk.Active
	case k < 5 && len(m.openSteps(k, expected)) == 0:
		if k++; k == 4 && m.begunGroup(5) && len(m.openSteps(k, expected)) == 0 {
			k++
		}
		return k, sdk.Active
	}
	return k, sdk.Active
}

// nothingLeft reports whether every phase is recorded as complete, and no agent contradicts that.
func (m *model) nothingLeft(expected []string) bool {
	for g := range groupNames {
		if !m.orch.groupComplete(g) || len(m.openSteps(g, expected)) > 0 || m.unfinishedOf(g) != nil ||
			m.refutedOf(g) != nil {
			return false
		}
	}
	return m.orch.inBlock && !m.remediationDue() && !m.live.atLimit() && m.spentGate(5) == ""
}

// begunGroup reports whether an agent in a group has a state file.
func (m *model) begunGroup(g int) bool {
	return slices.ContainsFunc(m.agents, func(a *agent) bool { return a.doc != nil && a.kind.group() == g })
}

// furthest returns the last group with a finished agent, or -1 if there is none.
func (m *model) furthest() int {
	k := -1
	for _, a := range m.agents {
		if a.state == sdk.Finished {
			k = max(k, a.kind.group())
		}
	}
	return k
}

// openSteps returns the open steps of a group's agents, with the reasons.
func (m *model) openSteps(g int, expected []string) []string {
	var open []string
	for i, k := range kinds {
		if k.group() != g || i == writer {
			continue
		}
		if why := m.missing(i); why != "" {
			open = append(open, k.name+" ("+why+")")
		}
	}
	if g != 3 {
		return open
	}
	var sections []string
	for _, a := range m.agents {
		if a.kind == kinds[writer] && a.state != sdk.Finished && !m.written(a.letter) {
			sections = append(sections, a.subject+" ("+a.where()+")")
		}
	}
	for _, l := range expected {
		if m.find("section-writer/"+l) == nil && !m.written(l) {
			sections = append(sections, "section-writer/"+l+" (it has neither a state file nor a report)")
		}
	}
	if len(sections) == 0 && len(m.letters) == 0 && m.memo == nil &&
		!slices.ContainsFunc(m.agents, func(a *agent) bool { return a.kind.group() >= g }) {
		sections = []string{"section-writer (no section has a state file or a report)"}
	}
	return append(sections, open...)
}

// written reports whether the memorandum already contains a section.
func (m *model) written(letter string) bool { return holds(m.started, letter) }

// where returns an agent's phase for use in a text.
func (a *agent) where() string {
	in := "in " + a.kind.names()[a.observed]
	if a.state == sdk.Blocked {
		return "blocked " + in
	}
	return in
}

// missing returns why an agent is unfinished. It returns "" if the agent is finished or not needed: remediation is
// not always due, assembly or synthesis is enough, and the memorandum's sources may be deleted.
func (m *model) missing(k int) string {
	a := m.find(kinds[k].name)
	if k == qa && m.live != nil {
		a = m.live
	}
	switch {
	case a != nil && a.state == sdk.Finished:
		return ""
	case a != nil:
		return a.where()
	case k == assembly, k == synthesis && m.anyStage7(), k < assembly && m.anyStage7():
		return ""
	case k == synthesis && measured(m.memo) && len(m.unstarted(m.letters)) > 0:
		return memoPath + " lacks " + say.List(sectionNames(m.unstarted(m.letters)))
	}
	ghost := &agent{kind: kinds[k]}
	if len(m.outputs(ghost)) > 0 || kinds[k].makes == "" && len(m.softOutputs(ghost)) > 0 {
		return ""
	}
	return "neither " + ghost.home() + " nor " + cmp.Or(ghost.output(), kinds[k].soft) + " exists"
}

// unmade returns the agents of generation, except section writers, that have neither a state nor an output before the
// memorandum is started.
func (m *model) unmade() []string {
	var list []string
	for _, k := range kinds[execSummary : citation+1] {
		ghost := &agent{kind: k}
		if m.find(k.name) == nil && len(m.outputs(ghost)) == 0 {
			list = append(list, k.name)
		}
	}
	if !m.complete || !m.tracked && !m.anyState() || m.memo != nil || m.anyStage7() {
		return nil
	}
	return list
}

// goOn returns the group where work continues: the recorded one, unless the agents refute it.
func (m *model) goOn() int {
	o := m.orch
	claim := o.claimedGroup()
	for claim >= 0 && claim < len(groupNames)-1 && o.groupComplete(claim) {
		claim++
	}
	open := first(o.ids, func(s *stage) bool { return s.group >= 0 && s.group < claim && s.word.open() })
	switch {
	case claim < 0:
		return o.observed
	case open != nil && o.inBlock && claim > o.observed && !(open.group == 4 && m.returning()):
		return max(o.observed, min(open.group, claim)) // an earlier phase is recorded as open
	case claim < o.observed && m.furthest() > claim && !(claim == 4 && m.returning()):
		return o.observed
	}
	for g := range claim {
		if m.refutedOf(g) != nil || claim <= o.observed && o.groupComplete(g) && m.unfinishedOf(g) != nil {
			return g
		}
	}
	for before := 0; before < claim && claim > o.observed && m.furthest() >= 0; before++ {
		if m.unfinishedOf(before) != nil || before == 3 && len(m.unmade()) > 0 {
			return o.observed // an earlier agent is in progress, or was never started
		}
	}
	return claim
}

// refutedOf returns an agent in a group that is marked finished but whose output is missing or truncated, or nil if
// there is none. A memorandum's sources may be deleted after it exists.
func (m *model) refutedOf(g int) *agent {
	return first(m.agents, func(a *agent) bool {
		refuted := a.read && a.finished && a.state == sdk.Active && a.proof != proofUnknown
		return a.kind.group() == g && refuted && m.chosen(a) == a && !m.written(a.letter) &&
			!(g == 3 && (m.memo != nil || m.anyStage7() || m.remediating()))
	})
}
