package ocr

import (
	"github.com/stategate/stategate/sdk"
)

var phaseAheadOfFiles = &sdk.Rule{
	Name: "phase-ahead-of-files", Severity: sdk.Error,
	Doc: "The claimed phase needs files of an earlier phase that are not there.\n\n" +
		"A run that resumes from it skips work that was never done, or was lost. Either trust the files and set the phase back, or write the missing files.",
	Check: onClaim(checkPhaseAhead),
}

func checkPhaseAhead(p *sdk.Pass, m *Model) {
	if m.Fit != sdk.Ahead || m.Phase() == "complete" {
		return
	}
	path, lack := m.lacking()
	canonical := m.C.Ladder.Canonical
	d := m.onC("current_phase", "state says "+m.numbered()+" but "+lack+"; files show "+canonical)
	tell(p, m, d,
		reviewed("Trust the files: set the phase to "+canonical, m.phaseTo(canonical)...),
		manually("Trust the state: write what is missing", "Write "+path+", then continue at "+m.Phase()+"."))
}

// numbered is the claimed phase with its number: "reviews (4)".
func (m *Model) numbered() string { return m.Phase() + " (" + itoa(m.Index()) + ")" }

// lacking names the earliest file that a claim ahead of the files rests on, and
// says that it is not there.
func (m *Model) lacking() (path, lack string) {
	s := m.C
	steps := []File{m.STD, s.TOP, s.FLO}
	if m.T == Review {
		steps = []File{m.STD, m.CTX}
	}
	// A later document proves that an earlier phase was left behind.
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Filled() {
			steps = steps[i+1:]
			break
		}
	}
	if m.T == Review && (m.ClaimAtLeast("aggregation") || len(steps) == 0) {
		return s.ReviewsDir() + "principal-1.md", s.title() + " has no reviewer file"
	}
	if len(steps) == 0 {
		return s.Result().Path, absence(s.Result())
	}
	if m.Index() > 2 && steps[0] == m.STD {
		steps = steps[1:]
	}
	return steps[0].Path, absence(steps[0])
}

// absence says that a file is missing, or that it is there and hollow.
func absence(f File) string {
	if f.Exists() {
		return f.Path + " has no word"
	}
	return f.Path + " is missing"
}

var completeWithoutResult = &sdk.Rule{
	Name: "complete-without-result", Severity: sdk.Error,
	Doc: "The phase is complete but the file that ends the work is missing.\n\n" +
		"A round ends with final.md, a map run with map.md. Without it the result was never written, or was lost: set the phase back to what the files show, or restore the file.",
	Check: onClaim(checkCompleteWithoutResult),
}

func checkCompleteWithoutResult(p *sdk.Pass, m *Model) {
	result := m.C.Result()
	if m.Phase() != "complete" || result.Filled() || !m.Known(result.Path) {
		return
	}
	canonical := m.C.Ladder.Canonical
	edits := append(phaseEdits(m.T, canonical), setText("status", "active"))
	d := m.onC("current_phase", "state says complete but "+absence(result))
	tell(p, m, d,
		reviewed("Trust the files: set the phase to "+canonical, edits...),
		manually("Trust the state: restore the result", "Restore "+result.Path+" from a backup or an earlier revision, or write it again."))
}

var phaseBehindFiles = &sdk.Rule{
	Name: "phase-behind-files", Severity: sdk.Error,
	Doc: "The files prove a later phase than the state claims.\n\n" +
		"A run that resumes from the state does finished work again and overwrites it. Set the phase to where the files are; a round with a final.md is presented and closed, or awaits that.",
	Check: onClaim(checkPhaseBehind),
}

func checkPhaseBehind(p *sdk.Pass, m *Model) {
	if m.Fit != sdk.Behind || m.lateClaimExcused() {
		return
	}
	canonical := m.C.Ladder.Canonical
	d := m.onC("current_phase", "state says "+m.numbered()+" but "+m.strongest())
	if m.T == Review && m.C.FIN.Filled() {
		tell(p, m, d,
			reviewed("Wait for presentation: set the phase to synthesis", phaseEdits(m.T, "synthesis")...),
			reviewed("Finish: set the phase to complete and status to closed", append(phaseEdits(m.T, "complete"), setText("status", "closed"))...))
		return
	}
	tell(p, m, d, reviewed("Set the phase to "+canonical, phaseEdits(m.T, canonical)...))
}

// lateClaimExcused reports whether a claim behind the files is somebody else's
// business: that of a closed session, or of a round that is not there.
func (m *Model) lateClaimExcused() bool {
	s := m.Series(m.T)
	return m.State.Status == "closed" || s.Claim > max(s.Max, 1) && !s.Starting
}

// strongest says what the strongest evidence on C proves.
func (m *Model) strongest() string {
	result := m.C.Result()
	if result.Filled() {
		return result.Path + " exists: " + m.C.title() + " is complete"
	}
	if len(m.C.Ladder.Evidence) == 0 {
		return "the files show " + m.C.Ladder.Canonical
	}
	return m.C.Ladder.Evidence[0] + " is written: the files show " + m.C.Ladder.Canonical
}

var phaseLagsFiles = &sdk.Rule{
	Name: "phase-lags-files", Severity: sdk.Warning,
	Doc: "The state is one record behind the files.\n\n" +
		"A phase wrote its file and was interrupted before it was recorded. Nothing is lost; set the phase to the first one that fits the files.",
	Check: onClaim(checkPhaseLags),
}

func checkPhaseLags(p *sdk.Pass, m *Model) {
	if m.Fit != sdk.Lags || m.lateClaimExcused() {
		return
	}
	first := m.C.Ladder.FirstFitting()
	proof := m.C.Ladder.Evidence[0] + " is written"
	if first == "analysis" {
		proof = "context.md has the Tech Lead's guidance"
	}
	d := m.onC("current_phase", "state says "+m.Phase()+" but "+proof)
	tell(p, m, d, reviewed("Set the phase to "+first, phaseEdits(m.T, first)...))
}

var closedUnfinished = &sdk.Rule{
	Name: "closed-unfinished", Severity: sdk.Error,
	Doc: "The session is closed although its work is not finished.\n\n" +
		"A closed session is not shown and may not be resumed, so the open work is out of everybody's sight. Open it again, finish it, or remove the session if it was dismissed on purpose.",
	Check: onClaim(checkClosedUnfinished),
}

func checkClosedUnfinished(p *sdk.Pass, m *Model) {
	result := m.C.Result()
	if m.State.Status != "closed" || m.Phase() == "complete" || result.Filled() || !m.Known(result.Path) {
		return
	}
	edits := statusEdits("active")
	if m.Fit == sdk.Behind {
		edits = append(phaseEdits(m.T, m.C.Ladder.Canonical), setText("status", "active"))
	}
	d := m.onC("status", "closed at "+m.Phase()+" without "+result.Path+": nobody may resume it")
	tell(p, m, d,
		reviewed("Reopen the session: set status to active", edits...),
		manually("Finish or remove the session", "Write "+result.Path+" and present it, or remove the session's directory if it was dismissed on purpose."))
}

var closedPhaseStale = &sdk.Rule{
	Name: "closed-phase-stale", Severity: sdk.Warning,
	Doc: "The session is closed and its review written, but the phase is not complete.\n\n" +
		"Closing sets status and phase together; here only the status was set. Set the phase to complete.",
	Check: onClaim(checkClosedPhaseStale),
}

func checkClosedPhaseStale(p *sdk.Pass, m *Model) {
	if m.T != Review || m.State.Status != "closed" || m.Phase() == "complete" || !m.C.FIN.Filled() {
		return
	}
	d := m.onC("current_phase", "closed but phase is still "+m.Phase())
	tell(p, m, d, reviewed("Set the phase to complete", phaseEdits(Review, "complete")...))
}

var completeNotClosed = &sdk.Rule{
	Name: "complete-not-closed", Severity: sdk.Warning,
	Doc: "The review is complete but the session is still active.\n\n" +
		"After presenting a review the session is closed, so that the tool stops offering it. Set status to closed.",
	Check: onClaim(checkCompleteNotClosed),
}

func checkCompleteNotClosed(p *sdk.Pass, m *Model) {
	if m.T != Review || m.Phase() != "complete" || !m.C.FIN.Filled() || m.State.Status != "active" || m.State.Rejected("status") {
		return
	}
	tell(p, m, m.onC("status", "complete but status is active"), safely("Set status to closed", statusEdits("closed")...))
}

var mapSessionClosed = &sdk.Rule{
	Name: "map-session-closed", Severity: sdk.Warning,
	Doc: "A finished map closed the session.\n\n" +
		"A map is a step of a session that goes on, so the session stays active after it. Set status to active.",
	Check: onClaim(checkMapSessionClosed),
}

func checkMapSessionClosed(p *sdk.Pass, m *Model) {
	if m.T != Map || m.State.Status != "closed" || !m.C.MAP.Filled() {
		return
	}
	edits := statusEdits("active")
	if m.Fit == sdk.Behind {
		edits = append(phaseEdits(m.T, "complete"), setText("status", "active"))
	}
	d := m.onC("status", "a finished map keeps the session active, but status is closed")
	tell(p, m, d, reviewed("Set status to active", edits...))
}
