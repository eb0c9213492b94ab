package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

func stateRemoved(r *check.Report, m *Model) {
	if !m.stateRemoved() {
		return
	}
	what := ""
	if b := m.Base; b.C != nil {
		what = " (" + b.C.title() + ", " + say.Clip(b.claimed()) + ")"
	}
	offerAll(r.Whole(StatePath, "state.json"+what+" was removed"), m.missingStateRemedies(r.Pass))
}

// was says what a field is now and what it was in base, with its place there.
func (m *Model) was(field string) string {
	before := m.Base.State.Value(field)
	where := say.Line(m.Base.State.Doc, before.Start())
	if !m.State.Has(field) {
		return field + " is gone; it was " + say.Clip(before.Raw()) + " in the base" + where
	}
	return say.Was(field, say.Clip(m.State.Value(field).Raw()), say.Clip(before.Raw()), where)
}

func startTimeRewritten(r *check.Report, m *Model) {
	if m.State.OK() && m.rewritten(r.Pass, StartedAt) {
		m.field(r, StartedAt, m.was(StartedAt)+": it belongs to the session's creation").
			Offer(sdk.Review, "Set started_at to that of base", setText(StartedAt, m.Base.State.Text(StartedAt)))
	}
}

// rewritten reports whether a time that was sound in base is another instant
// now, or absent. One that cannot be read has rules of its own.
func (m *Model) rewritten(p *sdk.Pass, field string) bool {
	was, is := m.Base.State.Stamp(field), m.State.Stamp(field)
	return m.Base.isSound(p, field) && (is.Kind == StampAbsent || is.OK() && is.At != was.At)
}

// roundStartRewritten lets a state be closed without the field, as the tool's own sample is.
func roundStartRewritten(r *check.Report, m *Model) {
	field := m.T.StartField()
	closes := m.Phase() == "complete" && m.State.Status == "closed" && !m.State.Has(field)
	if m.sameC() && !m.isFreshMap() && !closes && m.rewritten(r.Pass, field) {
		m.claim(r, field, m.was(field)+", but "+m.C.title()+" is the same").
			Offer(sdk.Review, "Set "+field+" to that of base", setText(field, m.Base.State.Text(field)))
	}
}

// sameC reports whether base spoke of the same round or run.
func (m *Model) sameC() bool {
	b := m.Base
	return m.C != nil && b.C != nil && m.C.Kind == b.C.Kind && m.C.N == b.C.N
}

func workflowStartNotReset(r *check.Report, m *Model) {
	if !m.startNotReset(r.Pass) {
		return
	}
	field := m.T.StartField()
	fault := " is missing"
	if is := m.State.Stamp(field); is.OK() {
		fault = " " + is.Text + " is that of earlier work"
	}
	f := m.claim(r, field, m.C.title()+" was started in this session but "+field+fault)
	if m.T.Index(m.Observed(m.C)) == 1 {
		f.Offer(sdk.Review, "Set "+field+" to the present time", setNow(field), setNow(UpdatedAt))
	} else {
		f.Advise("Set when it began", "Set "+field+" to the time when "+m.C.title()+" began.")
	}
}

// startNotReset reports whether C is new since base and its start time is not.
func (m *Model) startNotReset(p *sdk.Pass) bool {
	b := m.Base
	if b == nil || !m.v14 || m.isFresh() || m.C == nil || b.C == nil || !m.isNewC() || !m.sees(m.Series(m.T)) || m.isFreshMap() {
		return false
	}
	field := m.T.StartField()
	is, was, updated := m.State.Stamp(field), b.State.Stamp(field), b.State.Stamp(UpdatedAt)
	switch {
	case !is.OK():
		return is.Kind == StampAbsent
	case was.OK() && is.At == was.At:
		return true
	}
	return updated.OK() && !updated.isAhead(p) && is.At.Before(updated.At.Add(-slack))
}

// isNewC reports whether C was neither claimed nor had a document in base, and
// comes after base's C.
func (m *Model) isNewC() bool {
	b := m.Base
	before := b.Series(m.T)
	differs := m.T != b.T || m.C.N > b.C.N
	claimed := m.T == b.T && before.Claim == m.C.N
	return differs && !claimed && !before.Has(m.C.N) && !(m.T == Review && m.C.N == 1 && b.Flat)
}

func updatedAtNotAdvanced(r *check.Report, m *Model) {
	is, was := m.State.Stamp(UpdatedAt), m.Base.State.Stamp(UpdatedAt)
	moved, wentBack := m.movement(), is.At.Before(was.At)
	if !is.OK() || !was.OK() || moved == "" && !wentBack || is.At.After(was.At) || was.isAhead(r.Pass) {
		return
	}
	message := moved + ", but updated_at is still " + is.Text
	if wentBack {
		message = m.was(UpdatedAt)
	}
	m.field(r, UpdatedAt, message).Offer(sdk.Review, "Set updated_at to the present time", setNow(UpdatedAt))
}

// movement says what moved since base, "" if nothing did. Corrections of spelling move nothing.
func (m *Model) movement() string {
	b := m.Base
	switch {
	case m.C == nil || b.C == nil:
		return ""
	case m.T != b.T:
		return "work moved from " + string(b.T) + " to " + string(m.T)
	case !m.sameC():
		return "work moved from " + b.C.title() + " to " + m.C.title()
	case m.Phase() != b.Phase():
		return "phase moved from " + say.Clip(b.Phase()) + " to " + say.Clip(m.Phase())
	case m.State.Status != b.State.Status:
		return "status moved from " + say.Clip(b.State.Status) + " to " + say.Clip(m.State.Status)
	case m.Phase() == "reviews":
		for _, reviewer := range m.C.Reviews {
			if b.C.lacks(reviewer) {
				return "the review of " + say.Clip(reviewer.Stem) + " was written"
			}
		}
	}
	return ""
}

func sessionIDChanged(r *check.Report, m *Model) {
	const key = "session_id"
	is := m.State.Text(key)
	if m.State.Judged(key) && m.Base.State.Judged(key) && is != m.Base.State.Text(key) && is != m.ID {
		m.field(r, key, m.was(key)).Offer(sdk.Review, "Set session_id to "+say.Clip(m.ID), setText(key, m.ID))
	}
}

func phaseWentBack(r *check.Report, m *Model) {
	b := m.Base
	if !m.sameC() || m.isFreshMap() || m.Index() == 0 || b.Index() <= m.Index() || b.Phase() == "complete" || b.Fit == sdk.Ahead {
		return
	}
	m.claim(r, "current_phase", m.was("current_phase")+", a later phase of "+m.C.title()).
		Offer(sdk.Review, "Set the phase to "+b.Phase(), setPhase(m.T, b.Phase())...)
}

func sessionReopened(r *check.Report, m *Model) {
	b := m.Base
	isOver := b.State.Status == "closed" || b.Phase() == "complete"
	if !m.sameC() || m.isFreshMap() || !isOver || !b.C.Result().Filled() || !m.C.Result().Filled() ||
		m.State.Status != "active" || m.State.Rejected("status") || m.Phase() == "complete" {
		return
	}
	was := "complete"
	if b.State.Status == "closed" {
		was = "closed"
	}
	edits := setPhase(m.T, b.Phase())
	if isStatus(b.State.Status) {
		edits = append(edits, setText("status", b.State.Status))
	}
	if b.Index() == 0 {
		edits = setStatus(b.State.Status)
	}
	m.claim(r, "status", m.C.title()+" was "+was+"; a "+was+" session is not resumed, start "+m.T.Unit()+" "+say.Int(m.C.N+1)).
		Offer(sdk.Review, "Restore the status and phase of base", edits...)
}

// isFresh reports whether the session was deleted and begun again since base:
// comparing the two would mean nothing.
func (m *Model) isFresh() bool {
	b := m.Base
	if b == nil || !m.State.OK() || !b.State.OK() || !startedAfter(m.State.Stamp(StartedAt), b.State.Stamp(UpdatedAt)) {
		return false
	}
	if m.keeps("rounds/") || m.keeps("map/") || m.keeps("context.md") {
		return false
	}
	had := len(under(b.Docs, "rounds/")) > 0 || len(under(b.Docs, "map/")) > 0
	return had || m.Index() == 1 || m.Index() > 0 && m.Index() < b.Index()
}

// isFreshMap reports whether the maps were deleted and begun again since base.
func (m *Model) isFreshMap() bool {
	b := m.Base
	return m.T == Map && m.Runs.Claim == 1 && startedAfter(m.State.Stamp(MapStartedAt), b.State.Stamp(UpdatedAt)) &&
		len(under(b.Docs, "map/")) > 0 && !m.keeps("map/")
}

func startedAfter(start, updated Stamp) bool {
	return start.OK() && updated.OK() && !start.At.Before(updated.At)
}

// keeps reports whether a filled document, at a path or below a directory, is
// the same in base and now.
func (m *Model) keeps(path string) bool {
	return slices.ContainsFunc(m.Base.Docs.All(), func(d *sdk.Document) bool {
		return strings.HasPrefix(d.Path, path) && Filled(d) && same(d, m.Docs.Get(d.Path))
	})
}
