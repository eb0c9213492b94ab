package ocr

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

var stateRemoved = &sdk.Rule{
	Name: "state-removed", Severity: sdk.Error,
	Doc: "state.json was there in the base revision and is gone.\n\n" +
		"The session's phase, status and times went with it. Restore the file; a session that is over is removed whole.",
	Check: onSession(checkStateRemoved),
}

func checkStateRemoved(p *sdk.Pass, m *Model) {
	if !m.stateRemoved() {
		return
	}
	what := ""
	if b := m.Base; b.C != nil {
		what = " (" + b.C.title() + ", " + short(b.claimed()) + ")"
	}
	d := sdk.Diagnostic{Range: sdk.At(StatePath), Message: "state.json" + what + " was removed"}
	tell(p, m, d, m.missingStateRemedies(p)...)
}

var startTimeRewritten = &sdk.Rule{
	Name: "start-time-rewritten", Severity: sdk.Error,
	Doc: "started_at changed although the session is the same.\n\n" +
		"The field belongs to the session's creation and is kept from then on. Updating state.json from a template is how it gets lost. Set the value of the base revision.",
	Check: onTransition(checkStartTimeRewritten),
}

func checkStartTimeRewritten(p *sdk.Pass, m *Model) {
	if !m.State.OK() || !m.rewritten(p, StartedAt) {
		return
	}
	d := m.onField(StartedAt, m.change(StartedAt)+"; it belongs to the session's creation")
	tell(p, m, d, reviewed("Set started_at to that of base", setText(StartedAt, m.Base.State.Text(StartedAt))))
}

// rewritten reports whether a time that was sound in base is another instant
// now, or absent. One that cannot be read has rules of its own.
func (m *Model) rewritten(p *sdk.Pass, field string) bool {
	was, is := m.Base.State.Stamp(field), m.State.Stamp(field)
	if !m.Base.isSound(p, field) {
		return false
	}
	return is.Kind == StampAbsent || is.OK() && is.At != was.At
}

// change says how a time field changed since base.
func (m *Model) change(field string) string {
	was, is := m.Base.State.Stamp(field), m.State.Stamp(field)
	if !is.OK() {
		return field + " " + utcText(was.At) + " was dropped"
	}
	a, b := clockTexts(was.At, is.At)
	return field + " changed from " + a + " to " + b
}

var roundStartRewritten = &sdk.Rule{
	Name: "round-start-rewritten", Severity: sdk.Warning,
	Doc: "The start of the current round or run changed.\n\n" +
		"It is set once, when the round or run begins; renewing it makes elapsed times too short. Set the value of the base revision.",
	Check: onTransition(checkRoundStartRewritten),
}

func checkRoundStartRewritten(p *sdk.Pass, m *Model) {
	field := m.T.StartField()
	closes := m.Phase() == "complete" && m.State.Status == "closed" && !m.State.Has(field) // as the tool's own sample does
	if !m.sameC() || m.isFreshMap() || closes || !m.rewritten(p, field) {
		return
	}
	d := m.onC(field, m.change(field)+", but "+m.C.title()+" is the same")
	tell(p, m, d, reviewed("Set "+field+" to that of base", setText(field, m.Base.State.Text(field))))
}

// sameC reports whether base spoke of the same round or run.
func (m *Model) sameC() bool {
	b := m.Base
	return m.C != nil && b.C != nil && m.C.Kind == b.C.Kind && m.C.N == b.C.N
}

var workflowStartNotReset = &sdk.Rule{
	Name: "workflow-start-not-reset", Severity: sdk.Error,
	Doc: "A new round or run began without a start time of its own.\n\n" +
		"`ocr progress` counts its time from the field that holds the start of the round or run; when another one begins in the same session, the field must be set to the present time.",
	Check: onTransition(checkWorkflowStartNotReset),
}

func checkWorkflowStartNotReset(p *sdk.Pass, m *Model) {
	if !m.startNotReset(p) {
		return
	}
	field := m.T.StartField()
	fault := " is missing"
	if is := m.State.Stamp(field); is.OK() {
		fault = " " + utcText(is.At) + " is that of earlier work"
	}
	d := m.onC(field, m.C.title()+" was started in this session but "+field+fault)
	offer := manually("Set when it began", "Set "+field+" to the time when "+m.C.title()+" began.")
	if m.T.Index(m.Observed(m.C)) == 1 {
		offer = reviewed("Set "+field+" to the present time", setNow(field), setNow(UpdatedAt))
	}
	tell(p, m, d, offer)
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

var updatedAtNotAdvanced = &sdk.Rule{
	Name: "updated-at-not-advanced", Severity: sdk.Warning,
	Doc: "Phase, status or round moved but updated_at stayed, or updated_at went back.\n\n" +
		"Every step of the workflow sets the time; without it nobody can tell how old the state is. Corrections of spelling need no new time.",
	Check: onTransition(checkUpdatedAtNotAdvanced),
}

func checkUpdatedAtNotAdvanced(p *sdk.Pass, m *Model) {
	b := m.Base
	is, was := m.State.Stamp(UpdatedAt), b.State.Stamp(UpdatedAt)
	moved := m.movement()
	wentBack := is.At.Before(was.At)
	if !is.OK() || !was.OK() || moved == "" && !wentBack || is.At.After(was.At) || was.isAhead(p) {
		return
	}
	message := moved + ", but updated_at is still " + is.Text
	if wentBack {
		message = say.Was(UpdatedAt, is.Text, was.Text, say.Line(b.State.Doc, b.State.Value(UpdatedAt).Start()))
	}
	tell(p, m, m.onField(UpdatedAt, message), reviewed("Set updated_at to the present time", setNow(UpdatedAt)))
}

// movement says what moved since base, "" if nothing did.
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
		return "phase moved from " + short(b.Phase()) + " to " + short(m.Phase())
	case m.State.Status != b.State.Status:
		return "status moved from " + short(b.State.Status) + " to " + short(m.State.Status)
	}
	return ""
}

var sessionIDChanged = &sdk.Rule{
	Name: "session-id-changed", Severity: sdk.Error,
	Doc: "session_id changed to something that is not the session's name.\n\n" +
		"The id is the session's identity and the name of its directory. Another one was copied in, most often with the rest of its state.",
	Check: onTransition(checkSessionIDChanged),
}

func checkSessionIDChanged(p *sdk.Pass, m *Model) {
	const key = "session_id"
	is, was := m.State.Text(key), m.Base.State.Text(key)
	if !m.State.Judged(key) || !m.Base.State.Judged(key) || is == was || is == m.ID {
		return
	}
	tell(p, m, m.onField(key, "session_id changed from "+shown(was)+" to "+shown(is)),
		reviewed("Set session_id to "+short(m.ID), setText(key, m.ID)))
}

var phaseWentBack = &sdk.Rule{
	Name: "phase-went-back", Severity: sdk.Warning,
	Doc: "The phase is an earlier one than before, in the same round or run.\n\n" +
		"Phases only go forward; a round is repeated as a new one. Correcting a claim that was ahead of its files is no fault.",
	Check: onTransition(checkPhaseWentBack),
}

func checkPhaseWentBack(p *sdk.Pass, m *Model) {
	b := m.Base
	if !m.sameC() || m.isFreshMap() || m.Index() == 0 || b.Index() <= m.Index() || b.Phase() == "complete" || b.Fit == sdk.Ahead {
		return
	}
	d := m.onC("current_phase", "phase went back from "+b.Phase()+" to "+m.Phase()+" in "+m.C.title())
	tell(p, m, d, reviewed("Set the phase to "+b.Phase(), phaseEdits(m.T, b.Phase())...))
}

var sessionReopened = &sdk.Rule{
	Name: "session-reopened", Severity: sdk.Warning,
	Doc: "A round or run that was over is active again.\n\n" +
		"A closed session is not resumed: a new review is a new round, with a directory and a start time of its own. Restore status and phase, then start the next one.",
	Check: onTransition(checkSessionReopened),
}

func checkSessionReopened(p *sdk.Pass, m *Model) {
	b := m.Base
	isOver := b.State.Status == "closed" || b.Phase() == "complete"
	if !m.sameC() || m.isFreshMap() || !isOver || !b.C.Result().Filled() ||
		m.State.Status != "active" || m.State.Rejected("status") || m.Phase() == "complete" {
		return
	}
	was := "complete"
	if b.State.Status == "closed" {
		was = "closed"
	}
	d := m.onC("status", m.C.title()+" was "+was+"; a "+was+" session is not resumed, start "+m.T.Unit()+" "+itoa(m.C.N+1))
	edits := phaseEdits(m.T, b.Phase())
	if isStatus(b.State.Status) {
		edits = append(edits, setText("status", b.State.Status))
	}
	if b.Index() == 0 {
		edits = statusEdits(b.State.Status)
	}
	tell(p, m, d, reviewed("Restore the status and phase of base", edits...))
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
	for _, d := range m.Base.Docs.All() {
		if len(d.Path) >= len(path) && d.Path[:len(path)] == path && Filled(d) && same(d, m.Docs.Get(d.Path)) {
			return true
		}
	}
	return false
}

// same reports whether two documents say the same, as far as they were read.
func same(a, b *sdk.Document) bool {
	switch {
	case a == nil || b == nil:
		return false
	case a.Digest == b.Digest && (a.Digest != "" || a.Size == b.Size):
		return true
	}
	return readable(a) && readable(b) && markdown.Same(a.Outline(), b.Outline())
}

// readable reports whether a document can be compared by what it says.
func readable(d *sdk.Document) bool {
	return d.Format == sdk.Markdown && d.Need == sdk.Content && d.Readable()
}
