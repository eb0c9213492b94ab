package ocr

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

func phaseAheadOfFiles(r *check.Report, m *Model) {
	if m.Fit != sdk.Ahead || m.Phase() == "complete" {
		return
	}
	path, lack := m.lacking()
	canonical := m.C.Ladder.Canonical
	m.claim(r, "current_phase", "state says "+m.numbered()+" but "+lack+"; files show "+canonical).
		Offer(sdk.Review, "Trust the files: set the phase to "+canonical, m.phaseTo(canonical)...).
		Advise("Trust the state: write what is missing", "Write "+path+", then continue at "+m.Phase()+".")
}

// numbered is the claimed phase with its number: "reviews (4)".
func (m *Model) numbered() string { return m.Phase() + " (" + say.Int(m.Index()) + ")" }

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
	switch {
	case m.T == Review && (m.ClaimAtLeast("aggregation") || len(steps) == 0):
		return s.ReviewsDir() + "principal-1.md", s.title() + " has no reviewer file"
	case len(steps) == 0:
		return s.Result().Path, absence(s.Result())
	case m.Index() > 2 && steps[0] == m.STD:
		steps = steps[1:]
	}
	return steps[0].Path, absence(steps[0])
}

// absence says that a file is missing, or that it is there and hollow.
func absence(f File) string {
	switch {
	case !f.Exists():
		return f.Path + " is missing"
	case f.Hollow():
		return f.Path + " has no word"
	}
	return f.Path + " has nothing but " + said(f.Doc)
}

func completeWithoutResult(r *check.Report, m *Model) {
	result := m.C.Result()
	if m.Phase() != "complete" || result.Filled() || !m.Known(result.Path) {
		return
	}
	canonical := m.C.Ladder.Canonical
	m.claim(r, "current_phase", "state says complete but "+absence(result)).
		Offer(sdk.Review, "Trust the files: set the phase to "+canonical, setPhase(m.T, canonical, setText("status", "active"))...).
		Advise("Trust the state: restore the result", "Restore "+result.Path+" from a backup or an earlier revision, or write it again.")
}

func phaseBehindFiles(r *check.Report, m *Model) {
	if m.Fit != sdk.Behind || m.lateClaimExcused() {
		return
	}
	canonical := m.C.Ladder.Canonical
	f := m.claim(r, "current_phase", "state says "+m.numbered()+" but "+m.strongest())
	if m.T == Review && m.C.FIN.Filled() {
		f.Offer(sdk.Review, "Wait for presentation: set the phase to synthesis", setPhase(m.T, "synthesis")...)
		f.Offer(sdk.Review, "Finish: set the phase to complete and status to closed", setPhase(m.T, "complete", setText("status", "closed"))...)
		return
	}
	f.Offer(sdk.Review, "Set the phase to "+canonical, setPhase(m.T, canonical)...)
}

// lateClaimExcused reports whether a claim behind the files is another rule's
// business: that of a closed session, or of a round that is not there.
func (m *Model) lateClaimExcused() bool {
	s := m.Series(m.T)
	return m.State.Status == "closed" || s.Claim > max(s.Max, 1) && !s.Starting
}

// strongest says what the strongest evidence on C proves.
func (m *Model) strongest() string {
	switch result := m.C.Result(); {
	case result.Filled():
		return result.Path + " exists: " + m.C.title() + " is complete"
	case len(m.C.Ladder.Evidence) == 0:
		return "the files show " + m.C.Ladder.Canonical
	}
	return m.C.Ladder.Evidence[0] + " is written: the files show " + m.C.Ladder.Canonical
}

func phaseLagsFiles(r *check.Report, m *Model) {
	if m.Fit != sdk.Lags || m.lateClaimExcused() {
		return
	}
	first := m.C.Ladder.FirstFitting()
	proof := m.C.Ladder.Evidence[0] + " is written"
	if first == "analysis" {
		proof = "context.md has the Tech Lead's guidance"
	}
	m.claim(r, "current_phase", "state says "+m.Phase()+" but "+proof).
		Offer(sdk.Review, "Set the phase to "+first, setPhase(m.T, first)...)
}

func closedUnfinished(r *check.Report, m *Model) {
	result := m.C.Result()
	if m.State.Status != "closed" || m.Phase() == "complete" || result.Filled() || !m.Known(result.Path) {
		return
	}
	edits := setStatus("active")
	if m.Fit == sdk.Behind {
		edits = setPhase(m.T, m.C.Ladder.Canonical, setText("status", "active"))
	}
	m.claim(r, "status", "status is closed at "+m.Phase()+", but "+absence(result)+": a closed session may not be resumed").
		Offer(sdk.Review, "Reopen the session: set status to active", edits...).
		Advise("Finish or remove the session", "Write "+result.Path+" and present it, or remove the session's directory if it was dismissed on purpose.")
}

func closedPhaseStale(r *check.Report, m *Model) {
	if m.T == Review && m.State.Status == "closed" && m.Phase() != "complete" && m.C.FIN.Filled() {
		m.claim(r, "current_phase", "current_phase is "+m.Phase()+" although status is closed and "+m.C.FIN.Path+" is written").
			Offer(sdk.Review, "Set the phase to complete", setPhase(Review, "complete")...)
	}
}

func completeNotClosed(r *check.Report, m *Model) {
	if m.T == Review && m.Phase() == "complete" && m.C.FIN.Filled() && m.State.Status == "active" && !m.State.Rejected("status") {
		m.claim(r, "status", "status is active; expected closed, since "+m.C.title()+" is complete").
			Offer(sdk.Safe, "Set status to closed", setStatus("closed")...)
	}
}

func mapSessionClosed(r *check.Report, m *Model) {
	if m.T != Map || m.State.Status != "closed" || !m.C.MAP.Filled() {
		return
	}
	edits := setStatus("active")
	if m.Fit == sdk.Behind {
		edits = setPhase(m.T, "complete", setText("status", "active"))
	}
	m.claim(r, "status", "a finished map keeps the session active, but status is closed").
		Offer(sdk.Review, "Set status to active", edits...)
}
