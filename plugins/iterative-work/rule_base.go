package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/history"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/state"
)

func progressRewritten(r *check.Report, m *model) {
	was, is := m.base.log, m.log
	if !was.seen || len(was.entries) == 0 || is.doc == nil && !m.docs.Known(logPath) || is.doc != nil && !is.seen {
		return
	}
	if is.doc == nil {
		r.Whole(logPath, "there is no progress.md; the log is append-only, and the base has "+say.Count(len(was.entries), "entry")).
			Offer(sdk.Review, "Restore progress.md from base", sdk.Restore(logPath))
		return
	}
	before, now := was.records(is.latestFirst), is.records(is.latestFirst)
	losses := history.Appended(before, now)
	if len(losses) == 0 {
		if i := m.inserted(before, now); i >= 0 && len(was.unread) == 0 {
			f := at(r, is.entries[i], say.Quote(is.entries[i].title)+" is new and stands before entries of the base; the log is append-only")
			m.rejoin(f, before, now)
		} else if p := strayField(was, is); p != nil {
			r.At(atPair(logPath, p), say.Quote(p.Key)+" of an entry without a heading is new and stands before entries of the base; the log is append-only").Keyed("heading")
		}
		return
	}
	l := &losses[0]
	name := was.doc.Text[l.Was.Start:l.Was.End]
	name, _, _ = strings.Cut(strings.TrimLeft(name, "# "), "\n")
	says := "entry " + say.Quote(strings.TrimSpace(name)) + " of the base" + say.Line(was.doc, l.Was.Start)
	f := r.At(sdk.At(logPath), "")
	switch {
	case l.Now == nil:
		f.Message = says + " is gone; the log is append-only"
	case l.Moved:
		f.Message = says + " was moved; the log is append-only"
	default:
		f.Message = says + " changed; the log is append-only"
		if l.Line != "" {
			f.Message = says + " no longer says " + say.Quote(l.Line) + "; the log is append-only"
		}
	}
	if l.Now != nil {
		for _, e := range is.entries {
			if e.Start() == l.Now.Start {
				f.Range = e.at()
			}
		}
	}
	m.rejoin(f, before, now)
}

// strayField is what an entry did, with what remains or its signal, before all entries and without a heading, where the base has
// nothing of the kind; nil if there is none. A summary of the whole may stand there.
func strayField(was, is *journal) *markdown.Pair {
	then, now := was.doc.Outline().Head().Pairs(), is.doc.Outline().Head().Pairs()
	if is.latestFirst || markdown.PairAmong(then, "Did") != nil || markdown.PairAmong(now, "Remaining", "Signal") == nil {
		return nil
	}
	return markdown.PairAmong(now, "Did")
}

// rejoin offers the log of the base with the new entries behind it.
func (m *model) rejoin(f *check.Finding, was, now []history.Record) {
	if !m.log.latestFirst {
		if edit, ok := history.Rejoined(m.base.log.doc.Text, was, m.log.doc.Text, now); ok {
			f.Offer(sdk.Review, "Restore the earlier entries and append the new ones", sdk.Edits(logPath, edit)...)
			return
		}
	}
}

// inserted is the first new entry that stands before one of the base, -1 if there is none. Those of agents that work
// in parallel may meet.
func (m *model) inserted(was, now []history.Record) int {
	left, matched := map[string]int{}, 0
	for i := range was {
		left[was[i].Name]++
	}
	for i := range now {
		if left[now[i].Name]--; left[now[i].Name] >= 0 {
			matched++
		} else if matched < len(was) && !m.plan.parallel[m.log.entries[i].id] {
			return i
		}
	}
	return -1
}

// lessons are the sections of guardrails.md.
func lessons(d *sdk.Document) []markdown.Section {
	return d.Outline().Split(func(h markdown.Heading) bool { return h.Level() == 2 })
}

// extends reports whether every line is still there, or the beginning of one.
func extends(was, now []string) bool {
	return !slices.ContainsFunc(was, func(line string) bool {
		return !slices.ContainsFunc(now, func(n string) bool { return strings.HasPrefix(n, line) })
	})
}

func guardrailRemoved(r *check.Report, m *model) {
	was, is := m.base.docs.Get(lessonsPath), m.docs.Get(lessonsPath)
	if !was.Readable() || is == nil && !m.docs.Known(lessonsPath) || is != nil && !is.Readable() {
		return
	}
	text := ""
	if is != nil {
		text = is.Text
	}
	losses := history.Kept(history.Records(lessons(was), nil), history.Records(lessons(is), nil))
	for i := range losses {
		l := &losses[i]
		if l.Now != nil && extends(l.Was.Lines, l.Now.Lines) {
			continue
		}
		message := "the lesson " + say.Quote(l.Was.Name) + " of the base" + say.Line(was, l.Was.Start)
		f := r.At(l.In(lessonsPath), message+" is gone").Keyed(say.Clip(l.Was.Name))
		if l.Now != nil {
			f.As(sdk.Warning).Message = message + " changed"
			if l.Line != "" {
				f.Message = message + " no longer says " + say.Quote(l.Line)
			}
		}
		if is == nil {
			f.Offer(sdk.Review, "Restore guardrails.md from base", sdk.Restore(lessonsPath))
		} else if edit, ok := history.PutBack(was.Text, l, text); ok && (l.Now == nil || extends(l.Now.Lines, l.Was.Lines)) { // what was written instead stays
			f.Offer(sdk.Review, "Put the lesson back", sdk.Edits(lessonsPath, edit)...)
		}
	}
}

// before is the phase in base if both states have it, else nil.
func (m *model) before(ph *phase) *phase {
	if was := m.had(ph); ph.rec != nil && was.rec != nil {
		return was
	}
	return nil
}

// went says from where to where a phase went, and on which line the base has it.
func (m *model) went(ph, was *phase) string {
	return ph.id + " went from " + was.status.String() + say.Line(m.base.state.Doc, was.rec.get("status").JSON.Start()) + " to " + ph.status.String()
}

func confirmationSkipped(r *check.Report, m *model, ph *phase) {
	was := m.before(ph)
	if was == nil || was.status == 0 || was.status.gate() >= confirming.gate() || ph.confirmations() > 0 && !m.unproved(ph) {
		return
	}
	if ph.status == verifying || ph.status == done && ph.trail.gaps < 3 {
		f := inPhase(r, ph, "status", m.went(ph, was)+"; its N+1 confirmation is missing")
		if ph.confirmations() > 0 {
			f.Message += ": progress.md has neither it nor a verification, as it has of other phases"
		}
		setStatus(f, ph, min(ph.observed, confirming))
	}
}

// unproved reports whether the state alone says that a phase is confirmed and verified, in a log that has entries of
// both for another one.
func (m *model) unproved(ph *phase) bool {
	t := ph.trail
	return ph.status == done && t.done == 1 && t.lastVerified < 0 && !ph.parallel() && slices.ContainsFunc(m.phases, func(o *phase) bool {
		return o.trail.done > 1 && o.trail.lastVerified >= 0
	})
}

func verificationSkipped(r *check.Report, m *model, ph *phase) {
	was := m.before(ph)
	if was == nil || was.status == 0 || was.status == verifying || was.status == done || ph.status != done {
		return
	}
	if !ph.verified() && ph.trail.gaps < 3 {
		setStatus(inPhase(r, ph, "status", m.went(ph, was)+"; its verification is missing"), ph, verifying)
	}
}

func reviewSkipped(r *check.Report, m *model) {
	open := func(ph *phase) bool { return ph.known() && ph.says() != done }
	if m.base.claim != execute || m.claim < deliver || m.log.lastReview >= 0 || slices.ContainsFunc(m.base.phases, open) {
		return // where more happened in between, the review may have
	}
	f := inState(r, "/phase", "phase went from "+m.base.claim.String()+say.Line(m.base.state.Doc, m.base.state.Get("/phase").JSON.Start())+" to "+m.claim.String()+"; the review of the whole is missing")
	setTask(f, verify)
	f.Advise("Write what happened", "append a Review entry to progress.md if the whole was reviewed")
}

func donePhaseReopened(r *check.Report, m *model, ph *phase) {
	was := m.before(ph)
	if was == nil || was.status != done || ph.status == done || ph.status == 0 || was.overstated() { // that it was done was wrong
		return
	}
	anchor := was.trail.lastVerified
	if anchor < 0 {
		anchor = was.trail.firstDone
	}
	if m.log.reopens(anchor) || ph.trail.lastGaps > anchor || ph.rec.failed() && !was.rec.failed() {
		return
	}
	f := inPhase(r, ph, "status", m.went(ph, was)+" without a failed review, a revision or gaps")
	offer(f, "Set "+ph.id+" back to done", pointer(ph.id, ""), m.base.state.Root.Get("phases").Get(ph.id).Raw())
}

// iterationsDecreased lets counters begin again where a phase goes back to work.
func iterationsDecreased(r *check.Report, m *model) {
	m.state.Fell(r, m.base.state, func(v *state.Value) bool {
		ph := m.byID[v.Subject]
		iterations := strings.HasSuffix(v.At, "/iterations_used")
		return ph == nil || ph.status == pending || iterations && ph.parallel() || !iterations && ph.status == inProgress
	})
}

func createdChanged(r *check.Report, m *model) {
	m.state.Rewritten(r, m.base.state, func(v *state.Value) bool { return v.At != "/created" })
}

// completedAtChanged lets a phase that was done anew have another time.
func completedAtChanged(r *check.Report, m *model) {
	m.state.Rewritten(r, m.base.state, func(v *state.Value) bool {
		ph := m.byID[v.Subject]
		return v.Subject == "" || ph == nil || m.had(ph).status != done || ph.status != done || m.news(ph) > 0
	})
}

func domainChanged(r *check.Report, m *model) {
	is, _ := domainOf(m.stateDomain())
	was, _ := domainOf(m.base.stateDomain())
	if is != 0 && was != 0 && is != was {
		v := m.base.state.Root.Get("domain")
		says := say.Was("domain", say.Quote(strings.TrimSpace(m.stateDomain())), say.Quote(strings.TrimSpace(m.base.stateDomain())), say.Line(m.base.state.Doc, v.Start()))
		offer(inState(r, "/domain", says), "Set domain back", "/domain", v.Raw())
	}
}

func illegalMove(r *check.Report, m *model, ph *phase) {
	was := m.before(ph)
	if was == nil {
		return
	}
	switch {
	case ph.status == pending && (was.status.working() || was.status == timeout) && len(ph.trail.entries) > 0:
		setStatus(seeLast(inPhase(r, ph, "status", m.went(ph, was)+", although progress.md has an entry of it"), ph), ph, was.status)
	case m.news(ph) == 0 && (ph.status == confirming && was.status == verifying || ph.status == timeout && was.status != timeout && was.status != inProgress):
		setStatus(inPhase(r, ph, "status", m.went(ph, was)+", and progress.md has no new entry of it"), ph, was.status)
	}
}

func taskLeftComplete(r *check.Report, m *model) {
	v := m.state.Get("/phase")
	if m.base.claim == complete && m.claim != complete && v.Pointer != "" {
		was := m.base.state.Get("/phase")
		setTask(inState(r, "/phase", say.Was("phase", say.Quote(v.Text), "complete", say.Line(m.base.state.Doc, was.JSON.Start()))+"; a new task is a new directory"), complete)
	}
}

func maxLowered(r *check.Report, m *model, ph *phase) {
	was := m.before(ph)
	if was != nil && ph.rec.max > 0 && ph.rec.max < was.rec.max && ph.rec.max < ph.rec.used {
		line := say.Line(m.base.state.Doc, was.rec.get("max_iterations").JSON.Start())
		setCount(inPhase(r, ph, "max_iterations", say.Was("max_iterations of "+ph.id, say.Int(ph.rec.max), say.Int(was.rec.max), line)+"; "+say.Int(ph.rec.used)+" are used"), ph, "max_iterations", was.rec.max)
	}
}

// wasTicked reports whether base had the phase with a ticked box.
func (m *model) wasTicked(ph *phase) bool {
	was := m.had(ph)
	return was.rec != nil && was.item != nil && was.item.ticked
}

func boxUnticked(r *check.Report, m *model, ph *phase) {
	if ph.status == done && ph.item != nil && !ph.item.ticked && m.wasTicked(ph) {
		was := m.had(ph).item
		inPlan(r, ph.item, ph.id+" is done; its box is empty and was ticked in the base"+say.Line(was.doc.Document, was.start)).
			Offer(sdk.Safe, "Tick "+ph.id, ph.item.tick("x")...)
	}
}

func phaseDropped(r *check.Report, m *model) {
	if len(m.plan.docs) == 0 {
		return
	}
	for _, it := range m.base.plan.items {
		ph := m.byID[it.id]
		if ph != nil && ph.item != nil || len(m.log.trail(it.id).entries) == 0 || ph.status == done && m.plan.parts {
			continue
		}
		r.Whole(m.plan.docs[0].Path, it.id+" has entries in progress.md and is gone from the plan; the base has it"+say.Line(it.doc.Document, it.start)).Of(it.id).
			See(m.log.trail(it.id).last().at(), "the last entry of "+it.id).
			Advise("Put "+it.id+" back", "add the item of "+it.id+" to the plan again:\n"+strings.TrimRight(it.doc.Text[it.outer:it.out], " \t\r\n"))
	}
}
