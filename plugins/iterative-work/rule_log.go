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

func progressMissing(r *check.Report, m *model) {
	i := slices.IndexFunc(m.phases, func(ph *phase) bool { return ph.used > 0 || ph.status > pending })
	if m.log.doc != nil || i < 0 {
		return
	}
	ph := m.phases[i]
	says := ph.is()
	if ph.status <= pending {
		says = ph.id + " used " + say.Count(ph.used, "iteration")
	}
	f := r.Whole(logPath, "there is no progress.md; state.json says that "+says).See(sdk.AtPointer(statePath, pointer(ph.id, "status")), says)
	if m.base.log.seen {
		f.Offer(sdk.Review, "Restore progress.md from base", sdk.Restore(logPath))
	} else {
		f.Offer(sdk.Review, "Create an empty progress.md", sdk.Create(logPath, "# Progress Log\n"))
		f.Advise("Write down what was done", "write progress.md with an entry for every iteration that state.json counts")
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
	proof := [...]string{
		inProgress: "an iteration of it", confirming: ph.id + "_DONE", verifying: ph.id + "_DONE and its confirmation", done: ph.id + "_VERIFIED", blocked: "a blocker", timeout: "all its iterations",
	}[ph.observed]
	f := inPhase(r, ph, "status", say.Wrong("status of "+ph.id, ph.status.String(), ph.observed.String()+": progress.md records "+proof))
	setStatus(seeLast(warnIf(begun, f), ph), ph, ph.observed)
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
	setStatus(seeLast(warnIf(refuted, f), ph), ph, ph.observed)
	f.Advise("Write the missing entry", "if the work was done, append its entry to progress.md")
}

func blockerNotTracked(r *check.Report, m *model, ph *phase) {
	last := ph.trail.last()
	if goesOn := m.had(ph).status == blocked; goesOn || last == nil || !last.halted || ph.observed != blocked || ph.status == 0 || ph.status > verifying || ph.used > ph.trail.works {
		return
	}
	setStatus(seeLast(inPhase(r, ph, "status", say.Wrong("status of "+ph.id, ph.status.String(), "blocked, as in progress.md")), ph), ph, blocked)
}

func blockedWithoutReason(r *check.Report, m *model, ph *phase) {
	halts := func(e *entry) bool { return e.halted || e.reason != "" }
	if ph.status == blocked && !m.explains(ph) && !slices.ContainsFunc(ph.trail.entries, halts) {
		inPhase(r, ph, "status", ph.is()+", but neither progress.md nor state.json says why")
	}
}

func malformedEntry(r *check.Report, m *model, e *entry) {
	if e.lacks != "" {
		inLog(r, e, say.Quote(e.title)+" has no "+e.lacks+"; expected a heading like R1 - Iteration 1 - 2026-01-16T10:00:00Z")
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
		if e.id == "" || e.again || m.plan.parallel(e.id) {
			continue
		}
		if counts[e.id] == nil {
			counts[e.id] = &count{done: -1}
		}
		c := counts[e.id]
		if n := e.number; e.kind == work && n >= 0 {
			again := n == 1 && (c.turned || c.done >= 0 && review > c.done)
			switch {
			case again || n == c.last+1 || n == c.highest+1 || n == c.last && c.last > 0 && c.turned:
			case c.last == 0:
				inLog(r, e, e.id+" begins with iteration "+say.Int(n))
			case c.last == n:
				inLog(r, e, e.id+" has iteration "+say.Int(n)+" twice")
			default:
				inLog(r, e, e.id+" goes from iteration "+say.Int(c.last)+" to "+say.Int(n))
			}
			c.last, c.highest = n, max(c.highest, n)
		}
		c.turned = e.done || e.verdict == failed || e.kind != work || e.halted || e.stopped
		if e.done {
			c.done = e.index
		}
	}
}

func duplicateIteration(r *check.Report, m *model, e *entry) {
	if e.again {
		inLog(r, e, say.Quote(e.title)+" is there twice: the same phase, iteration and time")
	}
}

func outOfOrder(r *check.Report, m *model) {
	var last *entry
	created := m.state.Get("/created").Moment
	for _, e := range m.log.entries {
		is := say.Quote(e.title) + " is "
		if last == nil && e.when.Before(created, instant.Minute) {
			inLog(r, e, is+"at "+e.when.Text+", before the task was created at "+created.Text).See(sdk.AtPointer(statePath, "/created"), "created")
		}
		if e.when.Precision == 0 || m.plan.parallel(e.id) {
			continue
		}
		if last != nil && e.when.Before(last.when, 0) {
			inLog(r, e, is+"at "+e.when.Text+", the entry before it at "+last.when.Text).See(last.at(), "the entry before it")
		}
		if r.Before(e.when.Earliest().Add(-5 * instant.Minute)) {
			inLog(r, e, is+"in the future")
		}
		last = e
	}
}

func unplannedEntry(r *check.Report, m *model) {
	for _, e := range m.log.entries {
		if e.id != "" && !m.byID[e.id].known() {
			inLog(r, e, e.id+" is neither in the plan nor in state.json")
		}
	}
	f := markdown.PairAmong(m.docs.Get(contextPath).Outline().Document().Pairs(), "Phase signals")
	own := slices.ContainsFunc(f.Texts(), func(text string) bool { return m.byID[firstID(text)].known() })
	for _, text := range f.Texts() {
		if id := upper(words.First(unmarked(text))); own && isID(id) && !m.byID[id].known() && !m.base.byID[id].known() {
			r.At(atPair(contextPath, f), "the signals of context.md name "+id+", which is neither in the plan nor in state.json").Keyed("context " + id)
		}
	}
}

// entryFieldMissing expects what remains of the last iteration of a phase: the next one begins with it.
func entryFieldMissing(r *check.Report, m *model, e *entry) {
	did, left, ph := e.field(didKeys), cmp.Or(e.field(leftKeys), e.field(nextKeys)), m.byID[e.id]
	tell := func(says, or string, lacks []string) {
		if lacks != nil {
			inLog(r, e, say.Quote(e.title)+says+strings.Join(lacks, or))
		}
	}
	switch {
	case e.kind != work:
	case did == nil || left == nil:
		tell(" has no field ", " and no field ", lacking(part{"Did", did != nil}, part{"Remaining", left != nil}))
	case !e.done && !ph.done && ph.trail.lastWork() == e:
		tell(" does not say ", " or ", lacking(part{"what it did", slices.ContainsFunc(did.texts, words.Real)}, part{"what remains", len(left.texts) > 0 || left.over}))
	}
}

// doneWithRemaining lets a blocker be told that was overcome.
func doneWithRemaining(r *check.Report, m *model, e *entry) {
	f, what := e.field(leftKeys), " remaining"
	if !e.open {
		f, what = e.field(blockKeys), " blocking it"
	}
	if !e.done || !f.real() || !e.open && words.Mentions(f.value(), overcome...) {
		return
	}
	says := say.Quote(f.value())
	if f.list {
		says = say.Count(len(f.texts), "item")
	}
	r.At(sdk.AtBytes(logPath, f.start, f.end), "the entry signals "+e.id+"_DONE with "+says+what).Of(e.id).Keyed(e.key())
}

func wrongSignal(r *check.Report, m *model, e *entry) {
	signals(r, e, true, "this entry of "+e.id+" signals ", "")
}

func unknownSignal(r *check.Report, m *model, e *entry) {
	signals(r, e, false, "", " is not a signal of the workflow; expected "+e.id+"_DONE, "+e.id+"_VERIFIED, "+e.id+"_GAPS or BLOCKED")
}

func signals(r *check.Report, e *entry, wrong bool, before, behind string) {
	for _, s := range e.strange {
		if s.wrong == wrong {
			r.At(sdk.AtBytes(logPath, s.start, s.end), before+say.Quote(s.text)+behind).Of(e.id).Keyed(e.key() + " " + say.Clip(s.text))
		}
	}
}
