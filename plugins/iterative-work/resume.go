package iterativework

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
)

// A writer writes the brief of a task, or of one of its phases.
type writer struct {
	*brief.Brief
	m *model
}

func resume(p *sdk.Pass, d *sdk.Detection, findings []sdk.Diagnostic) {
	m := modelOf(p)
	i := slices.IndexFunc(findings, func(f sdk.Diagnostic) bool { return f.Rule == "progress-rewritten" })
	if i >= 0 && d.Subject == "" { // the log decides whether the state is right
		findings = append([]sdk.Diagnostic{findings[i]}, findings...)
	}
	b := writer{brief.Of(p, d, findings), m}
	if ph := m.byID[d.Subject]; ph != nil {
		unworked := len(ph.trail.entries) == 0 && (ph.status <= inProgress && ph.used <= 0 || ph.overstated())
		early := unworked && (ph.status < inProgress || !m.plan.implied) || m.due(ph) != ph
		c, awaited := m.current, m.awaited(ph)
		if c != nil && c.done && !c.closed && !m.plan.implied && slices.Contains(m.graph.Above(ph.id), c.id) {
			if early = true; len(awaited) == 0 { // it was wrongly marked done
				awaited = []string{c.id}
			}
		}
		if m.claim > 0 && m.claim < execute && len(m.plan.docs) == 0 && m.holds(surePlan) {
			b.Do("nothing yet: there is no plan.md")
		} else if !ph.begun() && m.had(ph).planned && slices.Contains(m.unplanned(), ph.id) {
			b.Do("find out whether " + ph.id + " was dropped: the plan no longer has it")
		} else if len(awaited) > 0 && early {
			b.Do("nothing yet: " + ph.id + " waits for " + say.And(awaited...))
		} else {
			b.phase(ph)
		}
		return
	}
	b.Warn(findings)
	if m.state.Doc != nil && !m.state.OK {
		b.First = "state.json cannot be read: recover it first; this brief is based on the other documents"
	}
	b.task()
}

// readAll adds the documents of an iteration, in the order in which a resuming session reads them.
func (b *writer) readAll(paths ...string) { b.read(append([]string{logPath}, paths...)...) }

// read adds documents, preceded by the state.
func (b *writer) read(paths ...string) {
	if b.m.state.OK {
		b.Read(statePath)
	}
	b.Read(paths...)
}

// task writes the brief of a task, depending on its step.
func (b *writer) task() {
	m := b.m
	step, lacks := m.observed(), m.briefLacks()
	if m.fit == sdk.Consistent {
		step = m.claim
	}
	refuted := func(ph *phase) bool { return ph.planned && ph.overstated() && m.news(ph) >= 0 }
	if step >= verify && m.claim < complete && !m.archived && m.any(refuted) != nil {
		step = execute // the log shows that the phase is open
	}
	archive := "move the directory to .iterative-work/archive/" + m.name
	switch {
	case step == discover || m.claim == discover && step == plan && lacks != nil:
		b.read(briefPath)
		b.Do("finish brief.md: what the user wants and when it is done")
		b.Left(lacks...)
	case step == plan:
		b.read(briefPath, planPath, contextPath)
		b.plan()
		for _, path := range [...]string{planPath, contextPath} {
			if m.docs.Get(path) == nil {
				b.Left(path)
			}
		}
		b.Left(lacks...)
	case step == execute:
		if m.archived {
			b.First = "move the directory back to .iterative-work/" + m.name + ", and set phase to execute"
		}
		b.work()
	case step == verify || step == deliver && m.log.review == failed:
		b.review()
	case step == deliver:
		b.read(briefPath)
		b.outputs(m.phases...)
		b.Do("package the outputs, then " + archive + " and set phase to complete")
	case m.archived && m.claim < deliver:
		b.Do("move the directory back to .iterative-work/" + m.name +
			"; set phase to complete only if it was delivered")
	case m.archived:
		b.Do("nothing to resume: the task is complete")
	default:
		b.Do("the task is complete: " + archive)
	}
}

// plan writes the next action of a task that is being planned. It does not mention finished documents again.
func (b *writer) plan() {
	m := b.m
	weak := func(it *item) bool { return it.lacks() != nil }
	const parts = "a criterion, an output and a maximum number of iterations per phase"
	const approval = "ask the user to approve the plan"
	step := "write plan.md, with " + parts
	switch {
	case m.holds(withPlan) && !slices.ContainsFunc(m.plan.items, weak):
		step = ""
	case m.holds(withPlan):
		step = "complete plan.md: " + parts
	}
	switch written := m.docs.Get(contextPath) != nil; {
	case len(m.plan.docs) == 0 && len(m.base.plan.docs) > 0:
		step = "restore the plan from the base: stategate recover"
	case written && step == "":
		step = approval + ", then set phase to execute and start " + m.plan.items[0].id
	case step == "":
		step = "write context.md, then " + approval
	case !written:
		step += ", and context.md"
	}
	if m.docs.Get(contextPath) == nil {
		b.Know("context.md must have fewer than 200 words")
	}
	b.Do(step)
}

// work writes the brief of a running task: the current phase, the finished phases, and the phases to come.
func (b *writer) work() {
	m := b.m
	open := func(ph *phase) bool { return !ph.closed }
	c := cmp.Or(m.current, m.any(func(ph *phase) bool { return open(ph) && ph.stuck() }), m.any(open))
	if c == nil {
		b.readAll(planPath)
		b.Do("every phase is done: set phase to verify and review the whole task")
		return
	}
	b.phase(c)
	if other := m.reachable(); c.stuck() && other != nil {
		b.readAll(lessonsPath, contextPath, planPath)
		b.First = b.Next
		b.DoWith("meanwhile work on ", other.title(), ", the next phase that is not blocked")
		b.Know("do not continue " + c.id + " until the user has answered")
		for _, group := range m.unmet(other) {
			b.Verify(other.id + " needs " + say.Or(group...) + ", which is not done: do only what does not build on it")
		}
		c = other
	}
	for _, ph := range m.phases {
		switch {
		case !ph.known():
		case ph.closed:
			b.Done(say.Clip(ph.title()) + " (done)")
		case ph != c && ph.stuck():
			b.Left(say.Clip(ph.title() + " (" + max(ph.status, ph.observed).String() + ")"))
		case ph != c:
			b.Left(say.Clip(ph.title()))
		}
	}
}

// phase writes the brief of a phase, depending on its situation.
func (b *writer) phase(ph *phase) {
	if m := b.m; m.news(ph) < 0 && !m.log.opaque && len(m.log.unread) == 0 && (m.log.seen || m.absent(logPath)) {
		b.Do("restore the entries for " + ph.id + " in progress.md from the base: stategate recover")
		return
	}
	if b.m.undone(ph) && !ph.done {
		b.readAll()
		b.outputs(ph)
		b.Do("find out why " + ph.id + " is open again: set it back to done, or append an entry that says what remains")
		return
	}
	s := ph.observed
	if ph.fit == sdk.Consistent && s < blocked {
		s = ph.status
	}
	t, n := ph.trail, ph.declared()
	loose := s == inProgress && ph.observed >= confirming && ph.observed <= verifying && n > 0 // its gaps were filled
	if loose || ph.status == confirming && s == verifying && (n < 0 || ph.failed() && n%2 != 0) {
		s = confirming
	}
	if s == verifying && ph.status == s && ph.confirm == 0 && t.done < 2 && t.gaps < 3 {
		s = confirming // the state says that the confirmation is missing
	}
	b.Closing = "append the entry to progress.md, then update state.json"
	switch s {
	case done:
		b.Do("nothing to resume: " + ph.id + " is done")
		b.Closing = ""
	case confirming:
		b.readAll(lessonsPath, contextPath)
		b.Do("confirm " + ph.id + ": run it again with the prompt of its first iteration and a fresh context")
		b.Know("do not tell the confirmation pass that it is a confirmation")
		b.Done("the finished work of " + ph.id + ": the confirmation attempts it independently")
		b.Left("verification of " + ph.id)
	case verifying:
		if ph.passed() && ph.confirmations() > 0 && t.lastGaps < 0 {
			b.readAll()
			b.Do("set the status of " + ph.id + " to done: state.json says that its verification passed")
			b.Done("verification of " + ph.id)
		} else if t.gaps < 3 && t.lastGaps > t.lastDone && t.lastGaps > b.m.log.lastRevise {
			b.iterate(ph)
			b.Know("when the gaps are filled, " + ph.id + " is confirmed and verified again")
		} else {
			b.verify(ph)
		}
	case blocked:
		b.readAll()
		why := ""
		for _, e := range t.entries {
			why = cmp.Or(e.reason, why)
		}
		if why != "" {
			b.DoWith("ask the user for input on "+ph.title()+", which is blocked: ", why, "")
		} else {
			b.Do("ask the user for input on " + ph.title())
		}
		if b.m.reachable() == nil {
			b.left(t.lastWork)
		}
	case timeout:
		b.readAll()
		if ph.status != timeout {
			b.Verify(ph.id + " used all its iterations: set its status in state.json from " + ph.says().String() +
				" to timeout")
		}
		why := ", which used all its iterations"
		if ph.gaveUp() {
			why = ", which timed out"
		}
		b.DoWith("ask the user about ", ph.title(), why)
		b.Know("the user may raise max_iterations, simplify the criteria, or intervene")
		b.Verify("read in progress.md what was attempted for " + ph.id)
		b.left(t.lastWork)
	default:
		if b.m.unlogged(ph) {
			b.compare(ph)
		} else {
			b.iterate(ph)
		}
	}
}

// compare writes the brief of a phase that is done according to state.json and whose outputs exist, although the log
// never says that it is done.
func (b *writer) compare(ph *phase) {
	b.readAll(planPath)
	b.outputs(ph)
	b.Do("compare the outputs of " + ph.id + " with its criteria; append the missing entry, or continue with " +
		"iteration " + say.Int(ph.trail.highest+1))
	b.left(ph.trail.lastWork)
	b.Left(ph.criteria())
}

// declared returns how often the phase was declared done without being confirmed or sent back since. It is negative
// while a confirmation is in progress. A confirmation that found gaps also counts.
func (ph *phase) declared() int {
	n, before := ph.trail.done, false
	for _, e := range ph.trail.entries {
		if before && e.open && !e.done {
			n++
		}
		before = e.done
	}
	return n - 2*max(ph.confirm, 1)
}

// verify writes the brief of a phase that is being verified. After three verifications with gaps, the user is asked.
func (b *writer) verify(ph *phase) {
	t := ph.trail
	b.readAll(planPath, lessonsPath)
	if t.gaps < 3 {
		b.DoWith("adversarial quality review of ", ph.title(), ", cycle "+say.Int(t.gaps+1)+" of 3")
	} else {
		b.DoWith("ask the user about ", ph.title(), ", which failed its verification "+say.Int(t.gaps)+" times")
		b.Know("the user may accept the known gaps, simplify the criteria, or intervene")
	}
	b.outputs(ph)
	b.gaps(ph)
	if ph.failed() {
		b.Know("verification_passed of " + ph.id + " is false: if it was verified, find out what failed")
	}
	b.Left(ph.criteria())
}

// iterate writes the brief of a phase that continues with an iteration.
func (b *writer) iterate(ph *phase) {
	b.readAll(lessonsPath, contextPath, planPath)
	t := ph.trail
	next := ph.id + " iteration " + say.Int(ph.iteration()+1)
	if ph.max > ph.iteration() { // confirmations may be counted too
		next += " of " + say.Int(ph.max)
	}
	b.Do(next + strings.TrimPrefix(ph.title(), ph.id))
	b.left(t.lastWork)
	b.gaps(ph)
	if ph.reopened && b.m.log.review == failed {
		b.failed("the review ", b.m.log.lastFail, " failed")
	}
	switch {
	case ph.back:
		b.Know("state.json says that " + ph.id + " went back to work: its confirmation or verification found issues")
	case b.m.holds(withLog) && ph.used == t.works+1:
		b.Know("state.json counts an iteration of " + ph.id + " that left no entry in progress.md: run it again")
	}
	awaited := b.m.awaited(ph)
	for _, group := range b.m.unmet(ph) {
		if ids := say.Or(group...); slices.Contains(awaited, ids) {
			b.Verify(ph.id + " needs " + ids + ", which is not done")
		} else {
			b.Know(ph.id + " needs " + ids + ", which is blocked and may be skipped until the user has answered")
		}
	}
}

// skips reports whether a phase may skip a blocked phase that it needs.
func (m *model) skips(ph *phase) bool { return m.plan.implied || ph.begun() }

// awaited returns the phases that must be done before a phase may begin. A blocked phase may be skipped if the plan
// does not state the order, or once the phase has begun.
func (m *model) awaited(ph *phase) (list []string) {
	for _, group := range m.unmet(ph) {
		halted := func(id string) bool { return m.byID[id].halted() }
		if !m.skips(ph) || !slices.ContainsFunc(group, halted) {
			list = append(list, say.Or(group...))
		}
	}
	return list
}
