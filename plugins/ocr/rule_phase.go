package ocr

import (
	"cmp"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

var phaseRules = []check.Rule[*Model]{
	{Name: "phase-ahead", Severity: sdk.Error, Needs: ofClaim,
		Replaces: []string{"phase-ahead-of-files"},
		Doc:      "The recorded phase needs files of an earlier phase that do not exist.",
		Why: "A session that resumes from this phase skips work that was never done or was lost. Either trust the " +
			"files and set the phase back, or write the missing files.",
		Find: func(r *check.Report, m *Model) {
			if m.Fit == sdk.Ahead && m.State.Phase != "complete" && !m.BehindFiles() {
				shown := m.shown()
				path, lack := m.lacking()
				f := m.claim(r, "current_phase", "current_phase is "+m.numbered()+", but "+lack+
					"; the files show "+say.Quote(shown))
				if !m.recover(f, path) {
					f.Offer(sdk.Review, "Trust the files: set the phase to "+shown, m.phaseTo(shown)...)
				}
				f.Advise("Trust the state: write the missing files",
					"Write "+path+", then continue at "+m.State.Phase+".")
			}
		}},
	{Name: "complete-without-result", Severity: sdk.Error, Needs: ofClaim,
		Doc: "The phase is complete, but the result file is missing.",
		Why: "A round ends with final.md, a map run with map.md. Without it, the result was never written or was " +
			"lost. Set the phase back to the one that the files show, or restore the file.",
		Find: func(r *check.Report, m *Model) {
			if m.State.Phase == "complete" && m.lacksResult() {
				shown := m.shown()
				f := m.claim(r, "current_phase", `current_phase is "complete", but `+absence(m.C.Result))
				if !m.recover(f, m.C.Result.Path) {
					f.Offer(sdk.Review, "Trust the files: set the phase to "+shown,
						setPhase(m.T, shown, setText("status", "active"))...)
				}
				f.Advise("Trust the state: restore the result",
					"Restore "+m.C.Result.Path+" from a backup or an earlier revision, or write it again.")
			}
		}},
	{Name: "phase-behind", Severity: sdk.Error, Needs: ofClaim,
		Replaces: []string{"phase-behind-files"},
		Doc:      "The files show a later phase than the recorded one.",
		Why: "A session that resumes from the recorded phase repeats finished work and overwrites it. Set the phase " +
			"to the one that the files show. A round with a final.md was presented and closed, or awaits presentation.",
		Find: func(r *check.Report, m *Model) {
			if m.Fit != sdk.Behind || m.excused() {
				return
			}
			shown, evidence := m.shown(), m.C.Ladder.Evidence
			proof := "the files show " + say.Quote(shown)
			if m.C.Result.Filled() {
				proof = m.C.Result.Path + " exists, so " + m.C.title() + " is complete"
			} else if len(evidence) > 0 {
				proof = evidence[0] + " exists, and " + proof
			}
			before := ""
			if was := m.basePhase(); was != "" {
				before = " and was " + say.Quote(was) + " in the base"
			}
			f := m.claim(r, "current_phase", "current_phase is "+m.numbered()+before+", but "+proof)
			if late := m.late(); len(late) > 0 {
				f.Message += "; final.md does not include " + late[0] + others(late)
				f.Offer(sdk.Review, "Repeat the synthesis: set the phase to synthesis", setPhase(m.T, "synthesis")...)
				f.Advise("Review in a new round", "Move "+say.List(late)+" to "+Review.directory(m.C.N+1)+
					"reviews/, and start that round.")
			} else if m.T == Review && m.C.Result.Filled() {
				m.finish(f)
			} else {
				f.Offer(sdk.Review, "Set the phase to "+shown, setPhase(m.T, shown)...)
			}
		}},
	{Name: "phase-lags-files", Severity: sdk.Warning, Needs: ofClaim, Doc: "The recorded phase is one step behind " +
		"the files.",
		Why: "A phase wrote its file but was interrupted before it was recorded. Nothing is lost; set the phase to " +
			"the first one that fits the files.",
		Find: func(r *check.Report, m *Model) {
			if m.Fit != sdk.JustBehind || m.excused() {
				return
			}
			first, proof := m.C.Ladder.FirstFitting(), m.C.Ladder.Evidence[0]+" exists"
			if first == "analysis" {
				proof = "context.md has the Tech Lead's guidance"
			}
			first = cmp.Or(m.numberedPhase(), first)
			m.claim(r, "current_phase", "current_phase is "+say.Quote(m.State.Phase)+", but "+proof).
				Offer(sdk.Review, "Set the phase to "+first, setPhase(m.T, first)...)
		}},
	{Name: "closed-unfinished", Severity: sdk.Error, Needs: ofClaim,
		Doc: "The session is closed although its work is not finished.",
		Why: "A closed session is hidden and cannot be resumed, so the open work is out of sight. Reopen the " +
			"session, finish it, or remove it if it was dismissed on purpose.",
		Find: func(r *check.Report, m *Model) {
			if m.State.Status == "closed" && m.State.Phase != "complete" && m.lacksResult() {
				f := m.claim(r, "status", `status is "closed" in phase `+say.Quote(m.State.Phase)+", but "+
					absence(m.C.Result)+"; a closed session cannot be resumed")
				if !m.recover(f, m.C.Result.Path) {
					f.Offer(sdk.Review, "Reopen the session: set status to active", m.reopened()...)
				}
				f.Advise("Finish or remove the session",
					"Write "+m.C.Result.Path+" and present it, or remove the session's directory if it was "+
						"dismissed on purpose.")
			}
		}},
	{Name: "closed-phase-stale", Severity: sdk.Warning, Needs: ofClaim,
		Doc: "The session is closed and its review is written, but its phase is not complete.",
		Why: "Closing sets both status and phase, but here only status was set. Set the phase to complete.",
		Find: func(r *check.Report, m *Model) {
			if m.T == Review && m.State.Status == "closed" && m.State.Phase != "complete" && m.C.Result.Filled() {
				m.claim(r, "current_phase", "current_phase is "+say.Quote(m.State.Phase)+
					`, although status is "closed" and `+m.C.Result.Path+" exists").
					Offer(sdk.Review, "Set the phase to complete", setPhase(Review, "complete")...)
			}
		}},
	{Name: "complete-not-closed", Severity: sdk.Warning, Needs: ofClaim,
		Doc: "The review is complete, but the session is still active.",
		Why: "After a review is presented, its session is closed so that the tool stops offering it. Set status to " +
			"closed.",
		Find: func(r *check.Report, m *Model) {
			if m.T == Review && m.State.Phase == "complete" && m.C.Result.Filled() && m.State.Status == "active" {
				m.claim(r, "status", `status is "active", but `+m.C.title()+` is complete; expected "closed"`).
					Offer(sdk.Safe, "Set status to closed", setStatus("closed")...)
			}
		}},
	{Name: "map-session-closed", Severity: sdk.Warning, Needs: ofClaim, Doc: "A finished map closed the session.",
		Why: "A map is one step in a session, which stays active after it. Set status to active.",
		Find: func(r *check.Report, m *Model) {
			if m.T == Map && m.State.Status == "closed" && m.C.Result.Filled() {
				m.claim(r, "status", `status is "closed", but a finished map keeps the session active`).
					Offer(sdk.Review, "Set status to active", m.reopened()...)
			}
		}},
}

// finish offers the two phases of a round whose final.md exists. Nothing shows whether it was presented.
func (m *Model) finish(f *check.Finding) {
	f.Offer(sdk.Review, "Wait for presentation: set the phase to synthesis", setPhase(m.T, "synthesis")...)
	f.Offer(sdk.Review, "Finish: set the phase to complete and status to closed",
		setPhase(m.T, "complete", setText("status", "closed"))...)
}

// shown returns the phase to record for what the files show: the one that phase_number names or that the base has, if
// it fits, or else the first that fits, because a later one would claim a step that no file shows.
func (m *Model) shown() string {
	l := m.C.Ladder
	if m.isUnpresented() {
		return "synthesis"
	}
	if m.C.Result.Filled() || l.fitsFrom == 1 {
		return l.Canonical
	}
	return cmp.Or(m.numberedPhase(), m.basePhase(), l.FirstFitting())
}

// isUnpresented reports whether the final review of an open session exists.
func (m *Model) isUnpresented() bool {
	return m.T == Review && m.C.Result.Filled() && m.State.Status != "closed"
}

// numberedPhase returns the phase that phase_number names, if it fits the files of an unfinished round or run, or "".
func (m *Model) numberedPhase() string {
	n, _ := m.State.Int("phase_number")
	if l := m.C.Ladder; n < l.fitsFrom || n > l.fitsTo || m.C.Result.Filled() || m.BehindFiles() {
		return ""
	}
	return m.T.Phases[n-1]
}

// basePhase returns the phase in the base, if it was later and still fits, or "".
func (m *Model) basePhase() string {
	if !m.onBase() || !m.sameC() || m.Base.Index() <= m.Index() ||
		m.C.Ladder.Fit(m.Base.State.Phase) != sdk.Consistent {
		return ""
	}
	return m.Base.State.Phase
}

// numbered returns the claimed phase with its number: `"reviews" (4)`.
func (m *Model) numbered() string { return say.Quote(m.State.Phase) + " (" + say.Int(m.Index()) + ")" }

// lacking returns the earliest missing file that a claim ahead of the files needs, and describes its absence. A later
// document shows that an earlier phase is over.
func (m *Model) lacking() (path, lack string) {
	s, next := m.C, 0
	steps := []File{m.STD, s.TOP, s.FLO, s.Result}
	if m.T == Review {
		steps = []File{m.STD, m.CTX}
	}
	for i, f := range steps {
		if f.Filled() || i == 0 && m.Index() > 2 {
			next = i + 1
		}
	}
	if m.T == Review && (m.ClaimAtLeast("aggregation") || next == len(steps)) {
		return s.ReviewsDir() + "principal-1.md", s.title() + " has no reviewer file"
	}
	return steps[next].Path, absence(steps[next])
}

// absence says that a file is missing, or describes why its content does not count.
func absence(f File) string {
	switch {
	case f.Doc == nil:
		return f.Path + " is missing"
	case Hollow(f.Doc):
		return f.Path + " contains no words"
	}
	return f.Path + " contains only " + said(f.Doc)
}

// recover offers to restore a file that the base has, or else to move files of C to its directory. It reports whether
// it did, because changing the state would then discard their work.
func (m *Model) recover(f *check.Finding, path string) bool {
	if m.isLost(m.file(path)) {
		m.restore(f, path)
		return true
	}
	return m.collect(f)
}

func (m *Model) lacksResult() bool { return !m.C.Result.Filled() && m.Known(m.C.Result.Path) }

// excused reports whether another rule covers a claim behind the files: a rule about closed or reopened sessions, or
// about missing rounds.
func (m *Model) excused() bool {
	return m.State.Status == "closed" || m.BeyondFiles() || m.isReopened()
}

// reopened returns the edits that set the status to active, and correct the phase if the files are ahead of it.
func (m *Model) reopened() []sdk.Edit {
	if m.Fit == sdk.Behind {
		return setPhase(m.T, m.C.Ladder.Canonical, setText("status", "active"))
	}
	return setStatus("active")
}
