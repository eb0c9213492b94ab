package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

var historyRules = []check.Rule[*Model]{
	{Name: "state-lost", Severity: sdk.Error, Needs: check.OnBase,
		Replaces: []string{"state-removed"},
		Doc:      "state.json exists in the base but was deleted.",
		Why: "The session's phase, status and times were lost with it. Restore the file. To remove a finished " +
			"session, remove its whole directory.",
		Find: func(r *check.Report, m *Model) {
			if m.stateRemoved() {
				what := ""
				if b := m.Base; b.C != nil {
					what = "; in the base it records " + b.C.title() + ", " + say.Clip(b.claimed())
				}
				m.offerState(r.Whole(StatePath, "state.json was deleted"+what), r.Pass)
			}
		}},
	{Name: "start-time-rewritten", Severity: sdk.Error, Needs: onBase,
		Doc: "started_at changed, although the session is the same.",
		Why: "The field is set when the session is created and kept from then on. It is lost when state.json is " +
			"rewritten from a template. Restore the value from the base.",
		Find: func(r *check.Report, m *Model) {
			if m.startRewritten(r.Pass) {
				m.field(r, StartedAt, m.was(StartedAt)+"; it is set once, when the session is created").
					Offer(sdk.Review, "Set started_at to its value in the base",
						setText(StartedAt, m.Base.State.Text(StartedAt)))
			}
		}},
	// A closed state may lack the field, as the tool's own sample does.
	{Name: "round-start-rewritten", Severity: sdk.Warning, Needs: onBase,
		Doc: "The start time of the current round or run changed.",
		Why: "It is set once, when the round or run begins. Changing it makes elapsed times too short. Restore the " +
			"value from the base.",
		Find: func(r *check.Report, m *Model) {
			field := m.T.Start
			closes := m.State.Phase == "complete" && m.State.Status == "closed" && !m.State.Has(field)
			another := m.BeyondFiles() && m.Series(m.T).Claim != m.Base.Series(m.T).Claim
			if m.sameC() && !another && !closes && m.rewritten(r.Pass, field) {
				m.claim(r, field, m.was(field)+", but "+m.C.title()+" did not begin again").
					Offer(sdk.Review, "Set "+field+" to its value in the base", setText(field,
						m.Base.State.Text(field)))
			}
		}},
	{Name: "workflow-start-not-reset", Severity: sdk.Error, Needs: onBase,
		Doc: "A new round or run does not have its own start time.",
		Why: "`ocr progress` measures the time of a round or run from the field that holds its start. When another " +
			"one begins in the same session, set the field to the current time.",
		Find: func(r *check.Report, m *Model) {
			if !m.startNotReset(r.Pass) {
				return
			}
			field, fault := m.T.Start, " is missing"
			if is := m.State.Stamp(field); is.OK {
				fault = " " + is.Text + " is the start of earlier work"
			}
			m.claim(r, field, m.C.title()+" was started in this session, but "+field+fault).
				Advise("Set the start time", "Set "+field+" to the time when "+m.C.title()+" began"+m.begunBy()+".")
		}},
	{Name: "updated-not-advanced", Severity: sdk.Warning, Needs: ofState,
		Replaces: []string{"updated-at-not-advanced"},
		Doc:      "Phase, status or round changed, but updated_at did not advance.",
		Why: "Every step of the workflow sets the time; without it, the state's age is unknown. Spelling " +
			"corrections need no new time.",
		Find: func(r *check.Report, m *Model) {
			is, start := m.State.Stamp(UpdatedAt), m.State.Stamp(StartedAt)
			if m.pastStart() && is.OK && is.At == start.At && !is.isCopied() && !m.startRewritten(r.Pass) {
				m.field(r, UpdatedAt, "the phase is "+say.Clip(m.claimed())+", but updated_at is still "+is.Text+
					", the time when the session began").Offer(sdk.Review, "Set updated_at to the current time",
					setNow(UpdatedAt))
				return
			}
			if !m.onBase() {
				return
			}
			was := m.Base.State.Stamp(UpdatedAt)
			moved, wentBack := m.movement(), is.At.Before(was.At)
			if !is.OK || !was.OK || moved == "" && !wentBack || is.At.After(was.At) || was.isAhead(r.Pass) {
				return
			}
			message := moved + ", but updated_at is still " + is.Text
			if wentBack {
				message = m.was(UpdatedAt)
			}
			m.field(r, UpdatedAt, message).Offer(sdk.Review, "Set updated_at to the current time", setNow(UpdatedAt))
		}},
	{Name: "phase-went-back", Severity: sdk.Warning, Needs: onBase,
		Doc: "The phase is earlier than in the base, in the same round or run.",
		Why: "Phases only move forward; to repeat a round, start a new one. Correcting a phase that was ahead of " +
			"its files is not reported. If the files show a later phase, phase-behind reports that instead.",
		Find: func(r *check.Report, m *Model) {
			b := m.Base
			if m.sameC() && m.Index() > 0 && b.Index() > m.Index() && b.State.Phase != "complete" &&
				b.Fit != sdk.Ahead && (m.Fit != sdk.Behind || m.excused()) {
				m.claim(r, "current_phase", m.was("current_phase")+", a later phase of "+m.C.title()).
					Offer(sdk.Review, "Set the phase to "+b.State.Phase, setPhase(m.T, b.State.Phase)...)
			}
		}},
	{Name: "session-reopened", Severity: sdk.Error, Needs: onBase,
		Doc:        "A finished round or run is active again.",
		SeverityIf: "Warning if the phase fits the files.",
		Why: "A closed session is not resumed: a new review is a new round, with its own directory and start time. " +
			"Restore status and phase, then start the next round.",
		Find: func(r *check.Report, m *Model) {
			if !m.isReopened() {
				return
			}
			was := m.Base.State
			word := "complete"
			if was.Status == "closed" {
				word = "closed"
			}
			edits := setPhase(m.T, was.Phase)
			if isStatus(was.Status) {
				edits = append(edits, setText("status", was.Status))
			}
			if m.Base.Index() == 0 {
				edits = setStatus(was.Status)
			}
			f := m.claim(r, "status", m.C.title()+" was "+word+"; a "+word+" session is not resumed: start "+m.T.Unit+
				" "+say.Int(m.C.N+1))
			if m.Fit != sdk.Behind {
				f.As(sdk.Warning)
			}
			f.Offer(sdk.Review, "Restore status and phase from the base", edits...)
		}},
}

// isReopened reports whether the round (run) of an active session was finished in the base and still has its result.
func (m *Model) isReopened() bool {
	if !m.onBase() || !m.sameC() || m.nextRound() > 0 || m.State.Status != "active" || m.State.Phase == "complete" {
		return false
	}
	was := m.Base.State
	return (was.Status == "closed" || was.Phase == "complete") && m.Base.C.Result.Filled() && m.C.Result.Filled()
}

// begunBy says by when the current round or run had begun, judging by the time when state.json was updated for it
// since the base. It returns "" if that is unknown.
func (m *Model) begunBy() string {
	is, was := m.State.Stamp(UpdatedAt), m.Base.State.Stamp(UpdatedAt)
	if !is.OK || !was.OK || !is.At.After(was.At) {
		return ""
	}
	return ", which was not after " + is.Text + " (updated_at)"
}

// pastStart reports whether the claimed phase cannot be reached in the second in which a session is created: reviews,
// or flow-analysis for a map, or a later phase.
func (m *Model) pastStart() bool {
	return m.T == Review && m.ClaimAtLeast("reviews") || m.T == Map && m.ClaimAtLeast("flow-analysis")
}

// was describes the value of a field now and in the base, with its location in the base.
func (m *Model) was(field string) string {
	before := m.Base.State.Value(field)
	where := say.Line(m.Base.State.Doc, before.Start())
	if !m.State.Has(field) {
		return field + " is missing; it was " + say.Clip(before.Raw()) + " in the base" + where
	}
	return say.Was(field, say.Clip(m.State.Value(field).Raw()), say.Clip(before.Raw()), where)
}

// rewritten reports whether a time that was valid in the base is now a different instant, or absent. Other rules cover
// unreadable times. Times written by hand may be corrected to times from a clock.
func (m *Model) rewritten(p *sdk.Pass, field string) bool {
	is := m.State.Stamp(field)
	corrected := m.Base.tooRound() && is.OK && !is.isRound() && !startedAfter(is, m.Base)
	return m.Base.isSound(p, field) && !corrected &&
		(!m.State.Has(field) || is.OK && is.At != m.Base.State.Stamp(field).At)
}

// startRewritten reports whether the session is the same as in the base, but its start time is not.
func (m *Model) startRewritten(p *sdk.Pass) bool {
	return m.State.OK() && m.onBase() && m.rewritten(p, StartedAt)
}

// sameC reports whether the base names the same round or run, and it was not restarted since.
func (m *Model) sameC() bool {
	return m.C != nil && m.Base.C != nil && m.C.Name() == m.Base.C.Name() && !m.isFreshMap()
}

// startNotReset reports whether C is new since the base but its start time is not.
func (m *Model) startNotReset(p *sdk.Pass) bool {
	b := m.Base
	if b == nil || !m.v14 || m.isFresh() || m.C == nil || b.C == nil || !m.sees(m.Series(m.T)) || m.isFreshMap() {
		return false
	}
	before, field := b.Series(m.T), m.T.Start
	later := m.T != b.T || m.C.N > b.C.N && before.Claim != m.C.N
	if !later || slices.Contains(before.Set, m.C.N) {
		return false // C was claimed or had a document, or does not come after the base's C
	}
	is, was, updated := m.State.Stamp(field), b.State.Stamp(field), b.State.Stamp(UpdatedAt)
	switch {
	case !is.OK:
		return !m.State.Has(field)
	case was.OK && is.At == was.At:
		return true
	}
	return updated.OK && !updated.isAhead(p) && is.At.Before(updated.At.Add(-slack))
}

// movement describes what changed since the base, or returns "" if nothing did. Spelling corrections do not count.
func (m *Model) movement() string {
	b := m.Base
	if m.C == nil || b.C == nil {
		return ""
	}
	for _, move := range [...]struct{ what, from, to string }{
		{"work moved", b.T.Name, m.T.Name}, {"work moved", b.C.title(), m.C.title()}, {"phase changed", b.State.Phase,
			m.State.Phase},
		{"status changed", b.State.Status, m.State.Status},
	} {
		if move.from != move.to {
			return move.what + " from " + say.Clip(move.from) + " to " + say.Clip(move.to)
		}
	}
	for _, reviewer := range m.C.Reviews {
		if m.State.Phase == "reviews" && b.C.lacks(reviewer) {
			return "review " + say.Clip(stem(reviewer)) + " was written"
		}
	}
	return ""
}

// isFresh reports whether the session was deleted and restarted since the base, so that comparing the two is
// meaningless.
func (m *Model) isFresh() bool {
	b := m.Base
	if b == nil || !startedAfter(m.State.Stamp(StartedAt), b) || m.keeps("rounds/") || m.keeps("map/") ||
		m.keeps("context.md") {
		return false
	}
	had := len(under(b.Docs, Review.Tree)) > 0 || len(under(b.Docs, Map.Tree)) > 0
	return had || m.Index() == 1 || m.Index() > 0 && m.Index() < b.Index()
}

// isFreshMap reports whether the maps were deleted and restarted since the base.
func (m *Model) isFreshMap() bool {
	return m.T == Map && m.Runs.Claim == 1 && startedAfter(m.State.Stamp(MapStartedAt), m.Base) &&
		len(under(m.Base.Docs, Map.Tree)) > 0 && !m.keeps(Map.Tree)
}

// startedAfter reports whether a start time is not before the last update in the base.
func startedAfter(start Stamp, base *Model) bool {
	updated := base.State.Stamp(UpdatedAt)
	return start.OK && updated.OK && !start.At.Before(updated.At)
}

// keeps reports whether a filled document, at or below a path, is the same in the base and now.
func (m *Model) keeps(path string) bool {
	return slices.ContainsFunc(m.Base.All(), func(d *sdk.Document) bool {
		return strings.HasPrefix(d.Path, path) && Filled(d) && same(d, m.Get(d.Path))
	})
}
