package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/plugins/iterative-work/history"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/state"
)

var baseRules = group{"history", "Recorded work does not change afterwards, and no gate is skipped between " +
	"two commits.", []rule{
	{"progress-rewritten", sdk.Error, onBase, func(r *check.Report, m *model) {
		was, is := m.base.log, m.log
		if len(was.entries) == 0 || !is.seen && !m.absent(logPath) {
			return
		}
		if is.doc == nil {
			r.Whole(logPath, "progress.md was deleted; the log is append-only, and the base has "+
				say.Count(len(was.entries), "entry")).
				Offer(sdk.Review, "Restore progress.md from the base", sdk.Restore(logPath))
			return
		}
		before, now := was.records(), is.records()
		losses := history.Appended(before, now)
		if len(losses) == 0 {
			if i := m.inserted(before, now); i >= 0 && len(was.unread) == 0 {
				f := inLog(r, is.entries[i], say.Quote(is.entries[i].title)+
					" is new, but comes before entries in the base; the log is append-only")
				m.rejoin(f, before, now)
			}
			return
		}
		l := &losses[0]
		name, _, _ := strings.Cut(strings.TrimLeft(was.doc.Text[l.Was.Start:l.Was.End], "# "), "\n")
		f := r.At(sdk.At(logPath), "entry "+say.Quote(strings.TrimSpace(name))+" from the base"+say.Line(was.doc,
			l.Was.Start)+fate(l)+"; the log is append-only")
		for _, e := range is.entries {
			if l.Now != nil && e.Start() == l.Now.Start {
				f.Range = e.at()
			}
		}
		m.rejoin(f, before, now)
	}, "An earlier entry of the append-only log was changed or removed.", "unreadable-progress", "",
		"Restore the log", "Restore the text from the base, and append the new entries."},
	{"document-cut-short", sdk.Error, onBase, func(r *check.Report, _ *model) {
		r.CutShort(briefPath, planPath, contextPath)
	}, "brief.md, plan.md or context.md ends in the middle of a line from the base.\n\nThe rest is missing.",
		"total-mismatch", "", "", "Restore the rest of the file from the base."},
	{"guardrail-removed", sdk.Error, onBase, func(r *check.Report, m *model) {
		was, is := m.base.docs.Get(lessonsPath), m.docs.Get(lessonsPath)
		if !was.Readable() || !is.Readable() && !m.absent(lessonsPath) {
			return
		}
		losses := history.Kept(history.Records(lessons(was)), history.Records(lessons(is)))
		for i := range losses {
			l := &losses[i]
			if l.Now != nil && extends(l.Was.Lines, l.Now.Lines) {
				continue
			}
			f := r.At(l.In(lessonsPath), "the lesson "+say.Quote(l.Was.Name)+" from the base"+
				say.Line(was, l.Was.Start)+
				fate(l)).Keyed(say.Clip(l.Was.Name))
			if warnIf(l.Now != nil, f); is == nil {
				f.Offer(sdk.Review, "Restore guardrails.md from the base", sdk.Restore(lessonsPath))
			} else if edit, ok := history.PutBack(was.Text, l, is.Text); ok &&
				(l.Now == nil || extends(l.Now.Lines, l.Was.Lines)) {
				// newer text stays
				f.Offer(sdk.Review, "Restore the lesson", sdk.Edits(lessonsPath, edit)...)
			}
		}
	}, "A lesson was removed. A warning if it was changed.", "", "", "Restore the lesson",
		"Add the lesson to guardrails.md again."},
	{"confirmation-skipped", sdk.Error, onBase | ofState | sureLog | trackedBefore,
		func(r *check.Report, m *model, ph *phase) {
			was := m.had(ph)
			if was.status == 0 || !ph.reworked && (was.status.gate() >= confirming.gate() ||
				ph.confirmations() > 0 && !m.unproved(ph)) {
				return
			}
			if ph.status == verifying || ph.status == done && ph.trail.gaps < 3 {
				f := went(r, m, ph, "; its N+1 confirmation is missing")
				if ph.reworked {
					f.As(sdk.Warning).Message = ph.is() + " with new work since its confirmation, but " +
						"confirmations_used is still " + say.Int(ph.confirm)
					seeLast(f, ph)
				} else if ph.confirmations() > 0 {
					f.Message += ": progress.md has neither it nor a verification, but has both for other phases"
				}
				setStatus(f, ph, min(ph.observed, confirming))
			}
		}, "A phase moved past its N+1 confirmation. A warning if its earlier work was confirmed.",
		"phase-ahead-of-progress done-without-confirmation gate-unrecorded box-not-ticked",
		"", "", ""},
	{"verification-skipped", sdk.Error, onBase | ofState | sureLog | trackedBefore | claimsDone,
		func(r *check.Report, m *model, ph *phase) {
			if was := m.had(ph).status; was != 0 && was != verifying && was != done && !ph.verified() &&
				ph.trail.gaps < 3 {
				setStatus(went(r, m, ph, "; its verification is missing"), ph, ph.nextGate())
			}
		}, "A phase moved past its verification.",
		"gate-unrecorded done-without-verification box-not-ticked", "", "", ""},
	{"review-skipped", sdk.Warning, onBase | ofState | withLog, func(r *check.Report, m *model) {
		open := func(ph *phase) bool { return ph.says() != done }
		if m.base.claim != execute || m.claim < deliver || m.log.lastReview >= 0 || m.base.first(open) != nil {
			return // if more happened since the base, the review may have happened, too
		}
		f := inState(r, "/phase", "phase went from execute"+m.wasAt("/phase")+" to "+m.claim.String()+
			"; the review of the whole task is missing")
		setTask(f, m, verify)
		f.Advise("Record what happened", "Append a Review entry to progress.md if the whole task was reviewed.")
	}, "A task went from execute to deliver without the final review.", "", "", "", ""},
	{"tick-lost", sdk.Error, onBase | ofState | sureLog | trackedBefore,
		func(r *check.Report, m *model, ph *phase) {
			if m.undone(ph) {
				f := went(r, m, ph, " without a failed review, a revision or gaps")
				offer(f, "Set "+ph.id+" back to done", pointer(ph.id, ""),
					m.base.state.Root.Get("phases").Get(ph.id).Raw())
			}
		}, "A done phase was reopened without a failed review, a revision or gaps.",
		"phase-behind-progress box-ticked-early gate-recorded-early", "done-phase-reopened", "",
		""},
	{"status-removed", sdk.Error, onBase | ofState | trackedBefore, func(r *check.Report, m *model, ph *phase) {
		if was := m.had(ph); was.status != 0 && !ph.has("status") {
			setStatus(inPhase(r, ph, "", ph.id+" has no status; it was "+was.status.String()+" in the base"+
				m.wasAt(pointer(ph.id, "status"))), ph, was.status)
		}
	}, "A phase lost its status, so its next status cannot be compared with it.", "field-missing", "",
		"", ""},
	// Counters may start again if a phase moves back to work.
	{"iterations-decreased", sdk.Error, onBase | ofState | surePlan, func(r *check.Report, m *model) {
		m.state.Fell(r, m.base.state, func(v *state.Value) bool {
			ph := m.byID[v.Subject]
			iterations := strings.HasSuffix(v.At, "/iterations_used")
			return ph == nil || ph.status == pending || iterations && ph.item.parallel || !iterations &&
				(ph.status == inProgress || m.dropped(ph))
		})
	}, "A counter went down or was removed.", "field-missing", "", "", ""},
	// A repeated phase may have a different time.
	{"time-changed", sdk.Error, onBase | ofState, func(r *check.Report, m *model) {
		m.state.Rewritten(r, m.base.state, func(v *state.Value) bool {
			ph := m.byID[v.Subject]
			return v.At != "/created" && (!m.holds(sureLog) || ph == nil || m.had(ph).status != done ||
				ph.status != done || m.news(ph) > 0)
		})
	}, "The creation time, or the completion time of a done phase, changed or was removed.", "field-missing",
		"created-changed completed-at-changed", "", ""},
	{"updated-not-advanced", sdk.Warning, onBase | ofState,
		func(r *check.Report, m *model) { m.state.NotAdvanced(r, m.base.state) },
		"The state changed, but its updated time did not advance.", "", "", "", ""},
	{"illegal-status-move", sdk.Warning, onBase | ofState | withLog | trackedBefore,
		func(r *check.Report, m *model, ph *phase) {
			switch was := m.had(ph).status; {
			case ph.status == pending && len(ph.trail.entries) > 0 && (was.working() || was == timeout ||
				was == blocked && ph.observed == blocked && ph.trail.works > 0):
				f := seeLast(went(r, m, ph, ", although progress.md has an entry for it"), ph)
				if setStatus(f, ph, was); was == blocked {
					f.Advise("Record how it was unblocked", "If the blocker was removed, append an entry that says so "+
						"to progress.md, and set "+ph.id+" to in_progress.")
				}
			case m.news(ph) == 0 && (ph.status == confirming && was == verifying || ph.status == timeout &&
				was != timeout && was != inProgress):
				setStatus(went(r, m, ph, ", but progress.md has no new entry for it"), ph, was)
			}
		}, "A phase changed to a status that it cannot reach.\n\nIt has entries in the log but is pending again, " +
			"or changed without the entry that the change needs.", "",
		"",
		"", ""},
	{"task-left-complete", sdk.Error, onBase | ofState, func(r *check.Report, m *model) {
		v := m.state.Get("/phase")
		if m.base.claim == complete && m.claim != complete && v.Pointer != "" {
			setTask(inState(r, "/phase", say.Was("phase", say.Quote(v.Text), "complete", m.wasAt("/phase"))+
				"; create a new directory for a new task"), m, complete)
		}
	}, "A complete task was continued.\n\nA new task needs a new directory.", "", "", "", ""},
	{"item-lost", sdk.Error, onBase | surePlan, func(r *check.Report, m *model) {
		for _, d := range m.base.plan.docs { // a finished part is archived when the next one becomes the current part
			if d.ids > 0 && m.absent(d.Path) && len(m.plan.docs) > 0 && !m.state.Has("/current_part") &&
				!slices.ContainsFunc(m.base.plan.items,
					func(it *item) bool { return it.doc == d && m.plan.byID[it.id] != nil }) {
				r.Missing(d.Path, ", with "+say.Count(d.ids, "phase")).Keyed(d.Path).As(sdk.Warning)
			}
		}
		for _, it := range m.base.plan.items {
			ph := m.byID[it.id]
			if ph == nil && m.base.claim >= execute && m.holds(ofState|executed) && !m.plan.parts &&
				!m.state.Has("/current_part") && len(m.plan.items) > 0 && len(m.plan.items) < len(m.base.plan.items) {
				f := r.Whole(m.plan.docs[0].Path, it.id+" is neither in the plan nor in state.json; the base has it"+
					say.Line(it.doc.Document, it.line.Start)).About(it.id).As(sdk.Warning)
				m.replan(f)
				f.Advise("Decide whether it was dropped", "Restore the phase in the plan and in state.json. If the "+
					"user dropped it, append a Revise entry that says so to progress.md.")
				if m.log.lastRevise > m.base.log.lastRevise {
					f.As(sdk.Info)
				}
			}
			if ph == nil || ph.planned || len(ph.trail.entries) == 0 || ph.status == done && m.plan.parts ||
				len(m.plan.docs) == 0 {
				continue
			}
			says := it.id + " has entries in progress.md, but is missing from the plan; the base has it"
			f := r.Whole(m.plan.docs[0].Path, says+say.Line(it.doc.Document, it.line.Start)).About(it.id).
				See(ph.trail.last.at(), "the last entry of "+it.id)
			if !ph.tracked { // otherwise, the plan contradicts the state
				f.As(sdk.Warning)
			}
			m.replan(f)
			f.Advise("Restore "+it.id, "Copy the item for "+it.id+" from the base to the plan again, or use its old "+
				"id if it has another one now.")
		}
	}, "A phase is missing from the plan, or a plan part was deleted.\n\nIt is a warning unless the phase has " +
		"entries and is in state.json, and an info if it has no entry and the log has a new Revise entry.", "",
		"planned-phase-dropped", "", ""},
}}

// replan offers to restore the base's plan if it has every item and line of the current plan. For the phases that the
// state lost, it also restores what the base's state records about them.
func (m *model) replan(f *check.Finding) {
	if was := m.base.plan; len(m.plan.docs) > 1 || len(was.docs) > 1 || slices.ContainsFunc(m.plan.items,
		func(it *item) bool { return was.byID[it.id] == nil || !extends(it.lines(), was.byID[it.id].lines()) }) {
		return
	}
	title, edits := "Restore plan.md from the base", []sdk.Edit{sdk.Restore(planPath)}
	for _, ph := range m.base.phases {
		if ph.planned && ph.tracked && m.byID[ph.id] == nil {
			edits = append(edits, sdk.Set(statePath, pointer(ph.id, ""),
				m.base.state.Root.Get("phases").Get(ph.id).Raw()))
		}
	}
	if len(edits) > 1 {
		title = "Restore the plan and its lost phases from the base"
	}
	f.Offer(sdk.Review, title, edits...)
}

// lines returns the lines of the whole item.
func (it *item) lines() []string { return strings.Split(it.doc.Text[it.more.Start:it.more.End], "\n") }

// fate describes what happened to a record of the base.
func fate(l *history.Loss) string {
	switch {
	case l.Now == nil:
		return " is missing"
	case l.Line != "":
		return " no longer says " + say.Quote(l.Line)
	}
	return " changed or was moved"
}

// rejoin offers the base's log with the new entries appended, if that keeps them in chronological order.
func (m *model) rejoin(f *check.Finding, was, now []history.Record) {
	if m.overlap() {
		return
	}
	if edit, ok := history.Rejoined(m.base.log.doc.Text, was, m.log.doc.Text, now); ok {
		f.Offer(sdk.Review, "Restore the earlier entries and append the new ones", sdk.Edits(logPath, edit)...)
	}
}

// overlap reports whether an entry that the base lacks is older than an entry that only the base has.
func (m *model) overlap() bool {
	alone := func(list, others *journal) (found []*entry) {
		for _, e := range list.entries {
			if others.has(e) == nil {
				found = append(found, e)
			}
		}
		return found
	}
	gone := alone(m.base.log, m.log)
	return slices.ContainsFunc(alone(m.log, m.base.log), func(e *entry) bool {
		return slices.ContainsFunc(gone, func(was *entry) bool { return e.when.Before(was.when, 0) })
	})
}

// inserted returns the index of the first new entry that comes before an entry of the base, or -1. Entries of agents
// that work in parallel may interleave.
func (m *model) inserted(was, now []history.Record) int {
	left, matched := map[string]int{}, 0
	for i := range was {
		left[was[i].Name]++
	}
	for i := range now {
		if left[now[i].Name]--; left[now[i].Name] >= 0 {
			matched++
		} else if matched < len(was) && !m.plan.parallel(m.log.entries[i].id) {
			return i
		}
	}
	return -1
}

// lessons returns the sections of guardrails.md.
func lessons(d *sdk.Document) []markdown.Section {
	return d.Outline().Split(func(h markdown.Heading) bool { return h.Level() == 2 })
}

// extends reports whether every line of was still exists, or is now the beginning of a line.
func extends(was, now []string) bool {
	return !slices.ContainsFunc(was, func(line string) bool {
		return !slices.ContainsFunc(now, func(n string) bool { return strings.HasPrefix(n, line) })
	})
}

// wasAt returns the location of a state field in the base, for a message.
func (m *model) wasAt(pointer string) string {
	return say.Line(m.base.state.Doc, m.base.state.Get(pointer).JSON.Start())
}

// went begins a finding about how a phase changed since the base, with the location of its status in the base.
func went(r *check.Report, m *model, ph *phase, but string) *check.Finding {
	return inPhase(r, ph, "status", ph.id+" went from "+m.had(ph).status.String()+m.wasAt(pointer(ph.id, "status"))+
		" to "+ph.status.String()+but)
}

// undone reports whether a phase was done in the base and is open again, although neither the log nor the state says
// why.
func (m *model) undone(ph *phase) bool {
	was := m.had(ph)
	if was.status != done || ph.status == done || ph.status == 0 || !m.holds(sureLog) ||
		was.overstated() || // it was wrongly marked done
		ph.status == verifying && !was.verified() { // nothing recorded its verification
		return false
	}
	logged := m.news(ph) > 0 && ph.trail.last.open // the new entry explains it
	anchor := was.trail.anchor()
	return !m.log.reopens(anchor) && ph.trail.lastGaps <= anchor && !logged && (!ph.failed() || was.failed())
}

// unproved reports whether only the state says that a phase is newly confirmed and verified, although the log has
// entries for both gates of another phase.
func (m *model) unproved(ph *phase) bool {
	t := ph.trail
	return ph.status == done && t.done == 1 && t.lastVerified < 0 && !ph.item.parallel &&
		m.had(ph).status.gate() < verifying.gate() &&
		slices.ContainsFunc(m.phases, func(o *phase) bool {
			return o.trail.done > 1 && o.trail.lastVerified >= 0
		})
}
