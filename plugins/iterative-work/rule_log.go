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

var logRules = group{"progress",
	"progress.md is authoritative for what was done; anything that contradicts it is wrong.", []rule{
		{"progress-missing", sdk.Error, live | ofState | sureLog, func(r *check.Report, m *model) {
			ph := m.first(func(ph *phase) bool { return ph.used > 0 || ph.status > pending })
			if m.log.doc != nil || ph == nil {
				return
			}
			says := ph.is()
			if ph.status <= pending {
				says = ph.id + " used " + say.Count(ph.used, "iteration")
			}
			f := r.Whole(logPath, "progress.md is missing, but state.json says that "+says).See(sdk.AtPointer(statePath,
				pointer(ph.id, "status")), says)
			if m.base.log.seen {
				f.Offer(sdk.Review, "Restore progress.md from the base", sdk.Restore(logPath))
			} else {
				f.Offer(sdk.Review, "Create an empty progress.md", sdk.Create(logPath, "# Progress Log\n"))
				f.Advise("Write down what was done", "Write progress.md with an entry for every iteration that "+
					"state.json counts.")
			}
		}, "A phase has begun, but progress.md is missing.", "", "", "", ""},
		{"unreadable-progress", sdk.Warning, live, func(r *check.Report, m *model) {
			const form = "expected a heading like ## R1 - Iteration 1 - 2026-01-16T10:00:00Z"
			for _, h := range m.log.unread {
				r.At(sdk.AtBytes(logPath, h.Start(), h.End()),
					say.Quote(h.Text())+" is not a readable entry; "+form).Keyed(say.Clip(h.Text()))
			}
			if m.log.opaque && len(m.log.unread) == 0 {
				r.Whole(logPath, "progress.md has no readable entry; "+form)
			}
		}, "progress.md has an entry that cannot be read.", "", "", "Write it in this form",
			"Append an entry with such a heading; the log is append-only."},
		{"phase-behind-progress", sdk.Error, live | ofState | withLog | surePlan,
			func(r *check.Report, m *model, ph *phase) {
				begun := ph.status == pending && ph.fit == sdk.JustBehind && m.news(ph) <= 0
				lags := (ph.status == inProgress || ph.status == verifying) && ph.fit == sdk.JustBehind &&
					!ph.item.parallel
				if ph.fit != sdk.Behind && !begun && !lags {
					return
				}
				proof := [...]string{
					inProgress: "an iteration", confirming: ph.id + "_DONE",
					verifying: ph.id + "_DONE and its confirmation", done: ph.id + "_VERIFIED", blocked: "a blocker",
					timeout: "all its iterations",
				}[ph.observed]
				f := inPhase(r, ph, "status", say.Wrong("status of "+ph.id, say.Quote(ph.status.String()),
					say.Quote(ph.observed.String())+": progress.md records "+proof))
				next := m.first(func(o *phase) bool {
					return o.status.working() && slices.Contains(m.graph.Above(o.id), ph.id)
				})
				if lags && next == nil {
					f.As(sdk.Info)
				}
				setStatus(seeLast(warnIf(begun || lags && next != nil, f), ph), ph, ph.observed)
			},
			"The log shows a later status for a phase than state.json records. A warning if a pending phase has one " +
				"entry; an info if only the last entry shows it, and no phase that needs this one has begun.",
			"box-ticked-early", "", "", ""},
		{"phase-ahead-of-progress", sdk.Error, live | ofState | withLog | surePlan,
			func(r *check.Report, m *model, ph *phase) {
				refuted := ph.status == done && ph.fit == sdk.JustBehind && m.news(ph) <= 0
				if !ph.overstated() && !refuted || m.news(ph) < 0 { // progress-rewritten reports lost entries
					return
				}
				lacks := "no " + ph.id + "_DONE"
				switch t := ph.trail; {
				case len(t.entries) == 0:
					lacks = "no entry for it"
				case t.lastGaps >= 0 && t.lastGaps > t.lastVerified:
					lacks = ph.id + "_GAPS as its last signal"
				case t.done > 0:
					lacks = "iterations with work remaining after its last " + ph.id + "_DONE"
				}
				f := inPhase(r, ph, "status", say.Wrong("status of "+ph.id, say.Quote(ph.status.String()),
					say.Quote(ph.observed.String())+": progress.md has "+lacks))
				seeLast(warnIf(refuted, f), ph)
				if m.unlogged(ph) {
					f.Advise("Write the missing entry", writeEntry)
				}
				if last := ph.trail.lastWork; last == nil || !last.misses() {
					setStatus(f, ph, ph.observed)
				}
				if t := ph.trail; t.lastGaps > t.lastVerified {
					f.Advise("Record how the gaps were filled", "Only if they were filled and verified again: append "+
						"those entries to progress.md.")
				} else if !m.unlogged(ph) {
					f.Advise("Write the missing entry", writeEntry)
				}
			},
			"state.json records a later status for a phase than the log shows. A warning if only the last entry of a " +
				"done phase leaves work.",
			"done-without-confirmation done-without-verification gate-unrecorded box-not-ticked done-without-evidence",
			"", "", ""},
		{"phase-behind", sdk.Warning, live | ofState, func(r *check.Report, m *model) {
			at := sdk.AtPointer(statePath, "/phase")
			m.ladder.Behind(r, at, int(m.claim)-1)
			ph := m.underway()
			if m.claim == plan && m.fit == sdk.JustBehind && ph != nil {
				f := seeStatus(r.At(at, say.Wrong("phase", `"plan"`, `"execute": `+ph.is())), ph)
				if m.base.claim == execute || m.base.underway() != nil { // it may be planned again
					f.As(sdk.Info)
				}
				setTask(f, m, execute)
			}
			if m.claim == discover && m.fit != sdk.Behind && ph != nil {
				seeStatus(r.At(at, say.Wrong("phase", `"discover"`, `"execute": `+ph.is())), ph)
			}
		}, "The task is further along than its state records.\n\nIt is at least two steps further along, or its " +
			"phases have begun although it is still being planned.",
			"", "task-behind-evidence", "Correct the phase", "Restore brief.md and plan.md if they are lost, then " +
				"set the task's phase to execute; or set phases that have not begun to pending."},
		{"phase-ahead", sdk.Error, live | ofState | sureLog, func(r *check.Report, m *model) {
			open := m.overtaken()
			if len(open) == 0 {
				if fail := m.log.lastFail; m.claim >= deliver && m.log.review == failed {
					inState(r, "/phase", "phase is "+say.Quote(m.claim.String())+
						", but the last review failed").As(sdk.Warning).See(m.log.entries[fail].at(), "the last review")
				}
				return
			}
			var says []string
			for _, ph := range open {
				says = append(says, ph.id+" is "+ph.says().String())
			}
			f := inState(r, "/phase", "phase is "+say.Quote(m.claim.String())+", but "+say.List(says))
			if f.See(open[0].item.line, open[0].id+" is not done"); m.archived {
				f.Advise("Move the task out of the archive", "Move the directory back to .iterative-work/"+m.name+
					", and set the task's phase to execute.")
				return
			}
			setTask(f, m, execute)
		}, "The task is being reviewed or delivered while a phase is open.", "", "task-ahead-of-evidence",
			"Review it again",
			"Fix the issues that the review found and append another Review entry, or set the phase back to verify."},
		{"malformed-progress-entry", sdk.Warning, live, func(r *check.Report, m *model, e *entry) {
			if e.lacks != "" {
				inLog(r, e, say.Quote(e.title)+" has no "+e.lacks+
					"; expected a heading like R1 - Iteration 1 - 2026-01-16T10:00:00Z")
			}
		}, "The heading of an entry lacks the iteration or the time.", "", "", "Complete the heading",
			"Add the missing parts to the heading, and finish the entry if it breaks off there."},
		// Numbers may start again after DONE, GAPS or a review. After those, and after a note, a number may be
		// repeated.
		{"iteration-number-gap", sdk.Warning, live, func(r *check.Report, m *model, ph *phase) {
			if m.news(ph) < 0 { // progress-rewritten reports lost entries
				return
			}
			last, highest, done := 0, 0, -1
			turned := false // the previous entry had DONE or GAPS
			for _, e := range ph.trail.entries {
				if n := e.number; e.kind == work && n >= 0 && !ph.item.parallel {
					afresh := done >= 0 && slices.ContainsFunc(m.log.entries[done:e.index],
						func(e *entry) bool { return e.kind == reviewed })
					switch {
					case n == 1 && (turned || afresh), n == last+1, n == highest+1, n == last && n > 0 && turned:
					case last == 0:
						inLog(r, e, e.id+" begins with iteration "+say.Int(n))
					case last == n:
						inLog(r, e, e.id+" has iteration "+say.Int(n)+" twice")
					default:
						inLog(r, e, e.id+" goes from iteration "+say.Int(last)+" to "+say.Int(n))
					}
					last, highest = n, max(highest, n)
				}
				if turned = e.done || e.verdict == failed || e.kind != work || e.stop != 0; e.done {
					done = e.index
				}
			}
		}, "The iterations of a phase are not numbered consecutively.", "", "", "", ""},
		{"duplicate-iteration", sdk.Warning, live, func(r *check.Report, m *model, e *entry) {
			ph := m.byID[e.id]
			switch {
			case e.again:
				inLog(r, e, say.Quote(e.title)+" is a duplicate: another entry has the same phase, iteration and time")
			case ph.forked(e) != nil:
				inLog(r, e, e.id+" has iteration "+say.Int(e.number)+" twice: one entry signals "+e.id+
					"_DONE, and this one, which began earlier, leaves work").See(ph.forked(e).at(), "the other entry").
					Advise("Find out what remains", "Two sessions may have worked at once. Compare both entries with "+
						"the outputs, and append an entry that says what remains.")
			case ph == nil || e != ph.trail.work || !e.done || ph.item.parallel:
			case ph.trail.workBefore != nil && ph.trail.workBefore.done && ph.repeats(e, ph.trail.workBefore):
				inLog(r, e, e.id+" has iteration "+say.Int(e.number)+
					" twice; nothing says that the second entry is its confirmation").
					See(ph.trail.workBefore.at(), "the first entry")
			}
		}, "Two entries have the same phase and number.\n\nThey have the same time, or the second one is earlier and " +
			"contradicts the first, or both declare the phase done and nothing says that the second one is its " +
			"confirmation.", "progress-out-of-order", "", "Number the iterations",
			"If it is another iteration or the confirmation, append it again with its own number and time."},
		{"progress-out-of-order", sdk.Warning, live, func(r *check.Report, m *model) {
			var last *entry
			created, updated := m.created(), m.state.Get("/updated").Moment
			for _, e := range m.log.entries {
				is := say.Quote(e.title) + " is "
				// updated-before-created reports a task created after its last update
				if last == nil && e.when.Before(created, instant.Minute) && !updated.Before(created, 0) {
					inLog(r, e, is+"at "+e.when.Text+", before the task was created at "+
						created.Text).See(sdk.AtPointer(statePath, "/created"), "created")
				}
				if e.when.Precision == 0 || m.plan.parallel(e.id) {
					continue
				}
				if last != nil && e.when.Before(last.when, 0) {
					inLog(r, e, is+"at "+e.when.Text+", but the entry before it is at "+last.when.Text).See(last.at(),
						"the entry before it")
				}
				if r.Before(e.when.Earliest().Add(-5 * instant.Minute)) {
					inLog(r, e, is+"in the future")
				}
				last = e
			}
			for _, ph := range m.phases {
				e := ph.trail.lastWork
				if ph.fit == sdk.Consistent && (ph.status == done || ph.status == ph.observed &&
					ph.status.gate() > 0) &&
					e != nil && e.done && ph.used >= ph.trail.works && updated.Before(e.when, 30*instant.Minute) &&
					!r.Before(e.when.Earliest()) && !updated.Before(created, 0) {
					setUpdated(inLog(r, e, say.Quote(e.title)+" is at "+e.when.Text+", but state.json, updated at "+
						updated.Text+", already counts it as "+ph.status.String()).See(sdk.AtPointer(statePath,
						"/updated"), "updated"))
				}
			}
		}, "The time of an entry is impossible.\n\nIt is earlier than the previous entry or the task's creation, in " +
			"the future, or later than a state that already counts the entry.",
			"", "", "Correct the time",
			"Check the clock of the machine that wrote it, correct created in state.json, or append an entry with " +
				"the right time."},
		{"entry-of-unplanned-phase", sdk.Warning, live | surePlan | sureState | withPlan, func(r *check.Report,
			m *model) {
			for _, e := range m.log.entries {
				if e.id != "" && !m.byID[e.id].known() {
					inLog(r, e, e.id+" is neither in the plan nor in state.json")
				}
			}
			f := markdown.PairAmong(m.docs.Get(contextPath).Outline().Document().Pairs(), "Phase signals")
			own := slices.ContainsFunc(f.Texts(), func(text string) bool { return m.byID[firstID(text)].known() })
			for _, text := range f.Texts() {
				if id := upper(words.First(unmarked(text))); own && isID(id) && !m.byID[id].known() {
					r.At(atPair(contextPath, f), "the signals in context.md name "+id+
						", which is neither in the plan nor in state.json").Keyed("context " + id)
				}
			}
		}, "An entry is about a phase that neither the plan nor the state has.", "", "", "Plan it",
			"Name a phase of the plan, or add this one to the plan and to state.json."},
		// Only the last iteration of a phase must say what remains, because the next one starts with it.
		{"entry-field-missing", sdk.Warning, live, func(r *check.Report, m *model, e *entry) {
			did, left, ph := e.field(didKeys), cmp.Or(e.field(leftKeys), e.field(nextKeys)), m.byID[e.id]
			tell := func(says, or string, lacks []string) {
				if lacks != nil {
					inLog(r, e, say.Quote(e.title)+says+strings.Join(lacks, or))
				}
			}
			switch {
			case e.kind != work || e.bare(): // malformed-progress-entry reports it
			case did == nil || left == nil:
				tell(" has no ", " and no ", lacking(part{"Did field", did != nil},
					part{"Remaining field", left != nil}))
			case !e.done && !ph.done && ph.trail.lastWork == e:
				// "Nothing left" describes what a confirmation did, but "None" does not
				says := func(text string) bool { return words.Real(text) || len(wordsOf(text)) > 1 }
				tell(" does not say ", " or ", lacking(part{"what it did", slices.ContainsFunc(did.texts, says)},
					part{"what remains", len(left.texts) > 0 || left.over}))
			}
		}, "An iteration does not say what it did or what remains. Empty fields count only in the last iteration.",
			"", "", "Complete the entry", "Write the missing part in the next entry; the log is append-only."},
		// An entry may mention a blocker that was resolved.
		{"done-with-remaining", sdk.Warning, live, func(r *check.Report, m *model, e *entry) {
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
			r.At(sdk.AtBytes(logPath, f.start, f.end),
				"the entry signals "+e.id+"_DONE with "+says+what).About(e.id).Keyed(e.key())
		}, "An iteration signals DONE, but has work remaining.", "", "", "Resolve the contradiction",
			"Append an entry that says whether the work is done."},
		{"wrong-signal", sdk.Warning, live, func(r *check.Report, m *model, e *entry) {
			for _, s := range e.strange {
				r.At(sdk.AtBytes(logPath, s.start, s.end), "this entry for "+e.id+" signals "+say.Quote(s.text)).
					About(e.id).Keyed(e.key() + " " + say.Clip(s.text))
			}
		}, "An entry has a signal for another phase.", "", "", "Signal for the right phase",
			"Append an entry with the right phase and signal."},
		{"blocker-not-tracked", sdk.Warning, live | ofState | withLog, func(r *check.Report, m *model, ph *phase) {
			last := ph.trail.last
			// a phase that continues was unblocked
			told := last != nil && last.stop == blocked && ph.observed == blocked && m.had(ph).status != blocked
			if told && ph.status != 0 && ph.status <= verifying && ph.used <= ph.trail.works {
				setStatus(seeLast(inPhase(r, ph, "status",
					say.Wrong("status of "+ph.id, say.Quote(ph.status.String()),
						`"blocked", as in progress.md`)), ph), ph, blocked)
			}
		}, "The log says that a phase is blocked, but the state does not.", "", "", "", ""},
		{"blocked-without-reason", sdk.Warning, live | ofState | sureLog, func(r *check.Report, m *model, ph *phase) {
			halts := func(e *entry) bool { return e.stop == blocked || e.reason != "" }
			if ph.status == blocked && !m.explains(ph) && !slices.ContainsFunc(ph.trail.entries, halts) {
				inPhase(r, ph, "status", ph.is()+", but neither progress.md nor state.json says why")
			}
		}, "A phase is blocked, but nothing says why.", "", "", "Say what blocks it",
			"Append an entry with the blocker to progress.md; add it to guardrails.md if it is a pattern."},
	}}

const writeEntry = "If the work was done, append its entry, with its signal, to progress.md."

// forked returns the entry before e in its phase, if it has the same number and signals DONE, while e is earlier and
// leaves work. In that case, two sessions worked at once.
func (ph *phase) forked(e *entry) *entry {
	if ph == nil || e.kind != work || e.done || !e.open || e.number < 1 || ph.item.parallel {
		return nil
	}
	i := slices.Index(ph.trail.entries, e)
	if i < 1 {
		return nil
	}
	was := ph.trail.entries[i-1]
	if was.kind != work || was.number != e.number || !was.done || !e.when.Before(was.when, 0) {
		return nil
	}
	return was
}
