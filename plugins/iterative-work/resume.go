package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

// resume writes the brief of the task, or of one of its phases.
func resume(p *sdk.Pass, d *sdk.Detection, findings []sdk.Diagnostic) {
	b := brief{m: modelOf(p), Resume: &d.Resume}
	for i := range findings {
		f := &findings[i]
		if f.Severity != sdk.Error || d.Subject != "" && f.Subject != d.Subject {
			continue
		}
		if b.First == "" || f.Rule == "progress-rewritten" { // what the state says is judged by the log
			b.First = "settle " + f.Rule + ": " + f.Message
		}
	}
	if d.Subject != "" {
		b.phase(b.m.byID[d.Subject])
		return
	}
	if s := b.m.state; s.doc != nil && !s.ok {
		b.First = "state.json cannot be read: recover it first; this brief is read from the other documents"
	}
	b.task()
}

// A brief is a Resume being written.
type brief struct {
	m *model
	*sdk.Resume
}

// task is one switch over the steps of a task.
func (b *brief) task() {
	m := b.m
	step := m.observed
	if m.fit == sdk.Fits {
		step = m.state.phase
	}
	if m.state.phase == discover && step == plan && m.briefLacks() != nil {
		step = discover
	}
	switch step {
	case discover:
		b.read(briefPath)
		b.Remaining = m.briefLacks()
		b.Next = "finish brief.md: what the user wants and when it is done"
	case plan:
		b.read(briefPath, planPath, contextPath)
		for _, path := range [...]string{planPath, contextPath} {
			if m.docs.Get(path) == nil {
				push(&b.Remaining, path)
			}
		}
		b.Remaining = append(b.Remaining, m.briefLacks()...)
		b.Next = "write plan.md with a criterion, an output and a maximum of iterations for every phase, and context.md with less than 200 words"
	case execute:
		b.work()
	case verify:
		b.review()
	case deliver:
		b.read(briefPath)
		b.outputs(nil)
		b.Next = "package the outputs, then move the directory to .iterative-work/archive/" + m.name + " and set phase to complete"
	default:
		b.Next = "nothing to resume: the task is complete"
	}
}

// work is the brief of a task that is executed.
func (b *brief) work() {
	m := b.m
	c := m.current
	if c == nil {
		for _, ph := range m.phases {
			if !ph.done && (c == nil || ph.stuck() && !c.stuck()) {
				c = ph
			}
		}
	}
	if c == nil {
		b.read(planPath, logPath)
		b.Next = "every phase is done: set phase to verify and review the whole"
		return
	}
	if !c.stuck() {
		b.phase(c)
		b.later(c)
		return
	}
	b.phase(c)
	for _, other := range m.phases {
		if other != c && other.known() && other.ready() {
			b.read(lessonsPath)
			b.First = b.Next
			b.Next = "meanwhile work on " + other.title() + ": its dependencies are done"
			push(&b.Skip, c.id+" until its blocker is gone")
			return
		}
	}
}

// title is the id with what the plan calls the phase.
//
//go:noinline
func (ph *phase) title() string {
	if ph.item == nil || ph.item.title == "" {
		return ph.id
	}
	return ph.id + ": " + short(ph.item.title)
}

// later lists the phases that are done, and those still to come.
func (b *brief) later(c *phase) {
	for _, ph := range b.m.phases {
		switch {
		case ph.done:
			push(&b.Skip, ph.title()+" (done)")
		case ph != c && ph.known():
			push(&b.Remaining, ph.title())
		}
	}
}

// phase is one switch over the situations of a phase.
func (b *brief) phase(ph *phase) {
	s := ph.observed
	if ph.fit == sdk.Fits && s < blocked {
		s = ph.status
	}
	t := ph.trail
	switch s {
	case done:
		b.Next = "nothing to resume: " + ph.id + " is done"
		return
	case confirming:
		b.read(logPath, lessonsPath, contextPath, statePath)
		b.Next = "confirmation pass: run " + ph.id + " again with the prompt of its first iteration and a fresh context, not told that it is a confirmation"
		push(&b.Skip, "the finished work of "+ph.id+" is not redone: it is attempted independently")
	case verifying:
		b.verify(ph)
	case blocked:
		b.read(logPath)
		b.Next = "ask the user for input on " + ph.id
		if why := b.m.blocker(ph); why != "" {
			b.Next += ", which is blocked: " + why
		}
	case timeout:
		b.read(logPath)
		b.Next = "ask the user about " + ph.title() + ", which used all its iterations: raise max_iterations, simplify the criteria, or intervene"
		b.left(t.lastWork())
	default:
		b.iterate(ph)
	}
	b.Closing = "append the entry to progress.md, then update state.json"
}

// verify is the brief of a phase that is being verified: gaps that nobody has
// mended come before another review, and the user after three of them.
func (b *brief) verify(ph *phase) {
	t := ph.trail
	b.Next = "adversarial quality review of " + ph.title() + ", cycle " + itoa(t.gaps+1) + " of 3"
	switch {
	case t.gaps >= 3:
		b.read(logPath)
		b.Next = "ask the user about " + ph.title() + ", which failed its verification " + itoa(t.gaps) + " times: accept the known gaps, simplify the criteria, or intervene"
	case t.lastGaps > t.lastDone && t.lastGaps > b.m.log.lastRevise:
		b.read(logPath)
		b.Next = "mend the gaps that the verification found, then " + b.Next
	}
	b.read(planPath, lessonsPath)
	b.outputs(ph)
	b.gaps(ph)
	b.criteria(ph, &b.Remaining)
}

// iterate is the brief of a phase that goes on with an iteration.
func (b *brief) iterate(ph *phase) {
	b.read(logPath, lessonsPath, contextPath, statePath)
	t := ph.trail
	n := ph.iteration() + 1
	b.Next = ph.id + " iteration " + itoa(n)
	if ph.max > 0 {
		b.Next += " of " + itoa(ph.max)
	}
	if ph.item != nil && ph.item.title != "" {
		b.Next += ": " + short(ph.item.title)
	}
	b.left(t.lastWork())
	b.gaps(ph)
	if b.m.log.seen && (ph.status == inProgress && len(t.entries) == 0 || ph.used() == t.works+1) {
		push(&b.Context, "state.json counts an iteration of "+ph.id+" that left no note in progress.md: run it again")
	}
	if ph.unmet() != nil {
		push(&b.Checks, ph.unmet()[0].id+", which it needs, is not done")
	}
}

// left lists what the last iteration left.
//
//go:noinline
func (b *brief) left(last *entry) {
	if last == nil {
		return
	}
	if f := last.field("Remaining"); f.real() {
		b.Remaining = append(b.Remaining, f.texts()...)
		push(&b.Context, "the last entry, "+short(last.title)+", leaves: "+list(f.texts()))
	}
}

// gaps lists what the last verification found, if nothing was done about it.
//
//go:noinline
func (b *brief) gaps(ph *phase) {
	if t := ph.trail; t.lastGaps >= 0 && t.lastGaps > t.lastDone {
		e := b.m.log.entries[t.lastGaps]
		b.Remaining = append(b.Remaining, e.field("Issues", "Issue").texts()...)
		push(&b.Context, "the verification "+short(e.title)+" found gaps")
	}
}

// blocker is the reason that the log has for a blocked phase, as it stands there.
func (m *model) blocker(ph *phase) string {
	for i := len(ph.trail.entries) - 1; i >= 0; i-- {
		e := ph.trail.entries[i]
		if f := e.field("Blockers"); f.real() {
			return strings.Join(f.texts(), "; ")
		}
		for _, s := range e.read {
			if reason, ok := strings.CutPrefix(s, "BLOCKED:"); ok {
				return strings.TrimSpace(reason)
			}
		}
	}
	return ""
}

// review is the brief of a task whose phases are all done.
func (b *brief) review() {
	b.read(planPath, logPath)
	b.Next = "review the whole against the criteria of every phase, and append a Review entry"
	if b.m.log.review == failed {
		b.Next = "reopen the phases whose outputs the issues name, revise them, and review again"
	}
	for _, ph := range b.m.phases {
		b.criteria(ph, &b.Context)
	}
	if n := b.m.log.lastReview; n >= 0 && b.m.log.review == failed {
		b.Remaining = append(b.Remaining, b.m.log.entries[n].field("Issues", "Issue").texts()...)
	}
	if c := b.m.current; c != nil && c.status.working() {
		push(&b.Context, "the state says that "+c.id+" is "+c.status.String()+" again")
	}
}

// criteria adds what a phase is judged by to a list.
//
//go:noinline
func (b *brief) criteria(ph *phase, to *[]string) {
	if ph.item != nil {
		if f := ph.item.sub("Criteria"); f != nil && f.value != "" {
			push(to, ph.id+": "+f.value)
		}
	}
}

// outputs adds the outputs of a phase, or of all, that exist.
//
//go:noinline
func (b *brief) outputs(of *phase) {
	for _, ph := range b.m.phases {
		if ph.item != nil && (of == nil || of == ph) {
			b.read(ph.item.outputs(b.m.root)...)
		}
	}
}

// read adds the documents that exist to what is to be read first.
//
//go:noinline
func (b *brief) read(paths ...string) {
	for _, path := range paths {
		if b.m.docs.Get(path) != nil && !has(b.ReadFirst, path) && (path != statePath || b.m.state.ok) {
			push(&b.ReadFirst, path)
		}
	}
}
