package iterativework

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// key tells an entry from others, whatever zone its time has.
func (e *entry) key() string { return say.Clip(instant.Canon(e.title)) }

// at begins a finding about the heading of an entry.
func at(r *check.Report, e *entry, message string) *check.Finding {
	return r.At(e.at(), message).Of(e.id).Keyed(e.key())
}

func progressMissing(r *check.Report, m *model) {
	if m.log.doc != nil {
		return
	}
	for _, ph := range m.phases {
		if ph.used() <= 0 && ph.status <= pending {
			continue
		}
		says := ph.id + " is " + ph.status.String()
		if ph.status <= pending {
			says = ph.id + " used " + say.Count(ph.used(), "iteration")
		}
		f := r.Whole(logPath, "there is no progress.md; state.json says that "+says).See(sdk.AtPointer(statePath, pointer(ph.id, "status")), says)
		if m.base != nil && m.base.log.seen {
			f.Offer(sdk.Review, "Restore progress.md from base", sdk.Restore(logPath))
		} else {
			f.Offer(sdk.Review, "Create an empty progress.md", sdk.Create(logPath, "# Progress Log\n"))
			f.Advise("Write down what was done", "write progress.md with an entry for every iteration that state.json counts")
		}
		return
	}
}

func unreadableProgress(r *check.Report, m *model) {
	const form = "expected a heading like ## R1 - Iteration 1 - 2026-01-16T10:00:00Z"
	for _, h := range m.log.unread {
		r.At(sdk.AtBytes(logPath, h.Start(), h.End()), say.Quote(h.Text())+" cannot be read as an entry: "+form).Keyed(say.Clip(h.Text()))
	}
	if m.log.opaque && len(m.log.unread) == 0 {
		r.Whole(logPath, "no entry can be read in progress.md: "+form)
	}
}

func phaseBehind(r *check.Report, m *model, ph *phase) {
	begun := ph.status == pending && ph.fit == sdk.Lags && m.news(ph) <= 0
	if ph.fit != sdk.Behind && !begun {
		return
	}
	proof := [...]string{inProgress: "an iteration of it", confirming: "_DONE", verifying: "_DONE and its confirmation", done: "_VERIFIED", blocked: "a blocker", timeout: "all its iterations"}[ph.observed]
	if proof[0] == '_' {
		proof = ph.id + proof
	}
	f := inPhase(r, ph, "status", say.Wrong("status of "+ph.id, ph.status.String(), ph.observed.String()+": progress.md records "+proof))
	if begun {
		f.As(sdk.Warning)
	}
	setStatus(seeLast(f, ph), ph, ph.observed)
}

func phaseAhead(r *check.Report, m *model, ph *phase) {
	refuted := ph.status == done && ph.fit == sdk.Lags && m.news(ph) <= 0
	if !ph.overstated() && !refuted || m.news(ph) < 0 { // of what is lost, progress-rewritten speaks
		return
	}
	lacks := "no " + ph.id + "_DONE"
	switch t := ph.trail; {
	case len(t.entries) == 0:
		lacks = "no entry of it"
	case t.lastGaps >= 0 && t.lastGaps > t.lastVerified:
		lacks = ph.id + "_GAPS last"
	case t.done > 0:
		lacks = "iterations with work remaining after its last " + ph.id + "_DONE"
	}
	f := inPhase(r, ph, "status", say.Wrong("status of "+ph.id, ph.status.String(), ph.observed.String()+": progress.md has "+lacks))
	if refuted {
		f.As(sdk.Warning)
	}
	setStatus(seeLast(f, ph), ph, ph.observed)
	f.Advise("Write the missing entry", "if the work was done, append its entry to progress.md")
}

func blockerNotTracked(r *check.Report, m *model, ph *phase) {
	last := ph.trail.last()
	if goesOn := m.had(ph).status == blocked; goesOn || last == nil || !last.halted || ph.observed != blocked || ph.status == 0 || ph.status > verifying || ph.used() > ph.trail.works {
		return
	}
	setStatus(seeLast(inPhase(r, ph, "status", say.Wrong("status of "+ph.id, ph.status.String(), "blocked, as in progress.md")), ph), ph, blocked)
}

func blockedWithoutReason(r *check.Report, m *model, ph *phase) {
	if ph.status != blocked || m.explains(ph.id) || m.blocker(ph) != "" {
		return
	}
	for _, e := range ph.trail.entries {
		if e.halted {
			return
		}
	}
	inPhase(r, ph, "status", ph.id+" is blocked, but neither progress.md nor state.json says why")
}

func malformedEntry(r *check.Report, m *model) {
	for _, e := range m.log.entries {
		if e.lacks != "" {
			at(r, e, say.Quote(e.title)+" has no "+e.lacks+"; expected a heading like R1 - Iteration 1 - 2026-01-16T10:00:00Z")
		}
	}
}

// numberGap lets numbers begin again behind DONE, GAPS or a review. There and behind a note a number may be repeated.
func numberGap(r *check.Report, m *model) {
	type count struct {
		last, highest int
		turned        bool // the entry before had DONE or GAPS
		done          int  // place of the last DONE
	}
	counts := map[string]*count{}
	review := -1
	for _, e := range m.log.entries {
		if e.kind == reviewed {
			review = e.index
		}
		if e.id == "" || e.again || m.plan.parallel[e.id] {
			continue
		}
		c := counts[e.id]
		if c == nil {
			c = &count{done: -1}
			counts[e.id] = c
		}
		if n := e.number; e.kind == work && n >= 0 {
			again := n == 1 && (c.turned || c.done >= 0 && review > c.done)
			if !again && n != c.last+1 && n != c.highest+1 && (n != c.last || c.last == 0 || !c.turned) {
				says := e.id + " goes from iteration " + say.Int(c.last) + " to " + say.Int(n)
				if c.last == n {
					says = e.id + " has iteration " + say.Int(n) + " twice"
				}
				if c.last == 0 {
					says = e.id + " begins with iteration " + say.Int(n)
				}
				at(r, e, says)
			}
			c.last, c.highest = n, max(c.highest, n)
		}
		c.turned = e.done || e.verdict == failed || e.kind != work || e.halted || e.stopped
		if e.done {
			c.done = e.index
		}
	}
}

func duplicateIteration(r *check.Report, m *model) {
	for _, e := range m.log.entries {
		if e.again {
			at(r, e, say.Quote(e.title)+" is there twice: the same phase, iteration and time")
		}
	}
}

func outOfOrder(r *check.Report, m *model) {
	var last *entry
	created := m.state.Get("/created").Moment
	for _, e := range m.log.entries {
		if last == nil && e.when.Before(created, instant.Minute) {
			at(r, e, say.Quote(e.title)+" is at "+e.when.Text+", before the task was created at "+created.Text).See(sdk.AtPointer(statePath, "/created"), "created")
		}
		if e.when.Precision == 0 || m.plan.parallel[e.id] {
			continue
		}
		if last != nil && e.when.Before(last.when, 0) {
			at(r, e, say.Quote(e.title)+" is at "+e.when.Text+", the entry before it at "+last.when.Text).See(last.at(), "the entry before it")
		}
		if r.Before(e.when.Earliest().Add(-5 * instant.Minute)) {
			at(r, e, say.Quote(e.title)+" is in the future")
		}
		last = e
	}
}

func unplannedEntry(r *check.Report, m *model) {
	if len(m.plan.items) == 0 || !m.stateSeen() {
		return
	}
	for _, e := range m.log.entries {
		if e.id != "" && !m.byID[e.id].known() {
			at(r, e, e.id+" is neither in the plan nor in state.json")
		}
	}
	f := markdown.PairAmong(m.docs.Get(contextPath).Outline().Document().Pairs(), "Phase signals")
	own := slices.ContainsFunc(f.Texts(), func(text string) bool { return m.byID[firstID(text)].known() })
	for _, text := range f.Texts() {
		if id := upper(words.First(unmarked(text))); own && isID(id) && !m.byID[id].known() && (m.base == nil || !m.base.byID[id].known()) {
			r.At(atPair(contextPath, f), "the signals of context.md name "+id+", which is neither in the plan nor in state.json").Keyed("context " + id)
		}
	}
}

// entryFieldMissing expects what remains of the last iteration of a phase: the next one begins with it.
func entryFieldMissing(r *check.Report, m *model) {
	for _, e := range m.log.entries {
		if e.kind != work {
			continue
		}
		var lacks []string
		did, left := e.field(didKeys...), cmp.Or(e.field(leftKeys...), e.field(nextKeys...))
		if did == nil {
			lacks = append(lacks, "Did")
		}
		if left == nil {
			lacks = append(lacks, "Remaining")
		}
		says := say.Quote(e.title) + " has no field " + strings.Join(lacks, " and no field ")
		if ph := m.byID[e.id]; lacks == nil {
			if e.done || ph.done || ph.trail.lastWork() != e {
				continue
			}
			if !slices.ContainsFunc(did.texts, words.Real) {
				lacks = append(lacks, "what it did")
			}
			if len(left.texts) == 0 && !left.over {
				lacks = append(lacks, "what remains")
			}
			if says = say.Quote(e.title) + " does not say " + strings.Join(lacks, " or "); lacks == nil {
				continue
			}
		}
		at(r, e, says)
	}
}

// doneWithRemaining lets a blocker be told that was overcome.
func doneWithRemaining(r *check.Report, m *model) {
	for _, e := range m.log.entries {
		f, what := e.field(leftKeys...), " remaining"
		if !e.open {
			f, what = e.field(blockKeys...), " blocking it"
		}
		if !e.done || !f.real() || !e.open && words.Mentions(f.value(), overcome...) {
			continue
		}
		says := say.Quote(f.value()) + what
		if f.list {
			says = say.Count(len(f.texts), "item") + what
		}
		r.At(sdk.AtBytes(logPath, f.start, f.end), "the entry signals "+e.id+"_DONE with "+says).Of(e.id).Keyed(e.key())
	}
}

func signals(r *check.Report, m *model, wrong bool) {
	for _, e := range m.log.entries {
		for i := range e.strange {
			s := &e.strange[i]
			if s.wrong != wrong {
				continue
			}
			says := say.Quote(s.text) + " is not a signal of the workflow; expected " + e.id + "_DONE, " + e.id + "_VERIFIED, " + e.id + "_GAPS or BLOCKED"
			if wrong {
				says = "this entry of " + e.id + " signals " + say.Quote(s.text)
			}
			r.At(sdk.AtBytes(logPath, s.start, s.end), says).Of(e.id).Keyed(e.key() + " " + say.Clip(s.text))
		}
	}
}
