package ocr

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// wordRules check the words and numbers in state.json: phase, status, workflow type and names.
var wordRules = []check.Rule[*Model]{
	{Name: "phase-unknown", Severity: sdk.Error, Needs: ofState,
		Replaces: []string{"unknown-phase"},
		Doc:      "current_phase is not a phase of either workflow.",
		Why:      "A session cannot resume from it. Set the phase that the files show, or correct the typo.",
		Find: func(r *check.Report, m *Model) {
			if shown := m.shown(); m.State.Judged("current_phase") && !m.State.isPhase() {
				f := m.wrong(r, "current_phase", "a phase of a "+m.T.Name+"; the files fit "+shown)
				if m.isUnpresented() {
					m.finish(f)
				} else {
					f.Offer(sdk.Review, "Set the phase to "+shown, m.phaseTo(shown)...)
				}
			}
		}},
	{Name: "status-unknown", Severity: sdk.Error, Needs: ofState,
		Replaces: []string{"unknown-status"},
		Doc:      "status is neither active nor closed.",
		Why: "These two words decide whether a session is shown and can be resumed; any other word leaves that " +
			"open. Set the intended word.",
		Find: func(r *check.Report, m *Model) {
			if !m.State.Judged("status") || isStatus(m.State.Status) {
				return
			}
			f := m.wrong(r, "status", "active or closed")
			if m.T == Review && m.C.Result.Filled() {
				f.Offer(sdk.Review, "Set status to closed", setStatus("closed")...)
			}
			f.Offer(sdk.Review, "Set status to active", setStatus("active")...)
		}},
	{Name: "unknown-workflow-type", Severity: sdk.Error, Needs: ofState,
		Doc: "workflow_type is neither review nor map.",
		Why: "The field tells `ocr progress` which of the two workflows to follow. Set the workflow that the phase " +
			"and the files indicate.",
		Find: func(r *check.Report, m *Model) {
			if m.State.Judged("workflow_type") && m.State.Type == None {
				setType(m.wrong(r, "workflow_type", "review or map"), m.T, sdk.Review, setNow(UpdatedAt))
			}
		}},
	{Name: "workflow-type-mismatch", Severity: sdk.Error, Needs: ofState,
		Doc: "workflow_type names one workflow, but current_phase is a phase of the other.",
		Why: "One of the two was not updated when work switched between review and map. Decide which one is right, " +
			"and change the type or the phase.",
		Find: func(r *check.Report, m *Model) {
			s, shown := m.State, m.shown()
			if s.Type == None || s.OnlyIn == None || s.OnlyIn == s.Type {
				return
			}
			phase := say.Quote(s.Verbatim("current_phase"))
			f := m.field(r, "workflow_type", "workflow_type is "+say.Quote(s.Type.Name)+", but "+phase+" is a "+
				s.OnlyIn.Name+
				" phase").
				See(s.At("current_phase"), "current_phase is "+phase)
			toPhase := func() { f.Offer(sdk.Review, "Set the phase to "+shown, m.phaseTo(shown)...) }
			stale := m.isTypeStale()
			of := m.onlyTree() // the workflow that the files belong to; a map writes no context.md
			if of == None && m.CTX.Filled() && !m.HasTree(Map) {
				of = Review
			}
			if of == s.Type {
				toPhase()
			}
			edits := []sdk.Edit{setNow(UpdatedAt)}
			if k := s.OnlyIn; !s.Has(k.Number) && m.Series(k).Max > 0 {
				edits = append(edits, setInt(k.Number, m.Series(k).Working))
			}
			if k := s.OnlyIn; !stale && !s.Has(k.Start) && (of == s.Type || m.onBase() && m.Base.T != k) {
				// the start of that workflow's work is unknown
				f.Advise("Set workflow_type to "+k.Name, "Set it to "+k.Name+", "+k.Number+" to "+
					say.Int(m.Series(k).Working)+", and "+k.Start+" to the time when it began.")
			} else {
				setType(f, k, sdk.Review, edits...)
			}
			if of != s.Type && !stale {
				toPhase()
			}
		}},
	{Name: "workflow-type-missing", Severity: sdk.Warning, Needs: ofState,
		Doc: "A map, or a session that may be a map, has no workflow_type.",
		Why: "`ocr progress` shows a map only if workflow_type is map; without the field, it waits forever. A " +
			"review may omit the field.",
		Find: func(r *check.Report, m *Model) {
			s, reason := m.State, ""
			switch {
			case s.OnlyIn == Map:
				reason = "current_phase is the map phase " + say.Quote(s.Verbatim("current_phase")) +
					", but workflow_type is missing, so `ocr progress` waits forever"
			case m.onlyTree() == Map && m.sees(&m.Rounds):
				reason = "the session has only a map, but workflow_type is missing, so `ocr progress` waits forever"
			case m.HasTree(Review) && m.HasTree(Map) && s.OnlyIn == None && s.isPhase():
				reason = "workflow_type is missing, but both review and map have the phase " + say.Quote(s.Phase) +
					", and files of both exist"
			}
			switch {
			case s.Has("workflow_type") || reason == "":
			case m.TypeRule == 2 || m.TypeRule == 4:
				setType(r.Whole(StatePath, reason), m.T, sdk.Safe)
			default:
				f := r.Whole(StatePath, reason)
				setType(f, m.T, sdk.Review, setNow(UpdatedAt))
				setType(f, m.T.Other(), sdk.Review, setNow(UpdatedAt))
			}
		}},
	{Name: "phase-number-mismatch", Severity: sdk.Error, Needs: ofState,
		Replaces: []string{"phase-number-off-by-one"},
		Doc:      "phase_number is not the number of current_phase.",
		SeverityIf: "Warning if it counts without aggregation or requirements-mapping; info for discourse and " +
			"synthesis, whose numbers the tool's text does not give.",
		Why: "Name and number are written together. If they disagree, one of them is stale, and `ocr progress` " +
			"draws its check marks from the number.",
		Find: wrongNumber},
	{Name: "id-unlike-name", Severity: sdk.Error, Needs: ofState,
		Replaces:   []string{"session-id-mismatch", "session-id-changed"},
		Doc:        "session_id is not the name of the session's directory.",
		SeverityIf: "Warning unless it changed since the base.",
		Why: "The directory name identifies the session: a lookup by session_id finds another session or none. This " +
			"happens when a directory is copied or renamed. Set session_id to the directory's name.",
		Find: func(r *check.Report, m *Model) {
			const key = "session_id"
			if !m.State.Judged(key) || m.State.Text(key) == m.ID {
				return
			}
			f := m.wrong(r, key, say.Quote(m.ID)+", the directory's name").
				Offer(sdk.Review, "Set session_id to "+say.Clip(m.ID), setText(key, m.ID))
			if !m.onBase() || !m.Base.State.Judged(key) || m.State.Text(key) == m.Base.State.Text(key) {
				f.As(sdk.Warning)
			}
		}},
}

func isStatus(word string) bool { return word == "active" || word == "closed" }

func setType(f *check.Finding, k *Kind, safety sdk.Safety, more ...sdk.Edit) {
	f.Offer(safety, "Set workflow_type to "+k.Name, append([]sdk.Edit{setText("workflow_type", k.Name)}, more...)...)
}

// wrongNumber finds a phase_number that is not the phase's number. The finding is less severe if another way of
// counting explains the number.
func wrongNumber(r *check.Report, m *Model) {
	n, ok := m.State.Int("phase_number")
	if !ok || !m.State.Judged("phase_number") || !m.phaseInType() || n == m.Index() {
		return
	}
	safety, why, explained, other := sdk.Review, "", m.offByOne(n), m.numberedPhase()
	if (m.Fit == sdk.Consistent || m.Fit == sdk.JustBehind) && other == "" || explained {
		safety = sdk.Safe
	}
	if explained && m.T == Review {
		why = " (aggregation is 5)"
	}
	want := say.Int(m.Index())
	f := m.field(r, "phase_number", say.Wrong("phase_number", say.Int(n),
		want+", the number of "+m.State.Phase+" in a "+m.T.Name+why)).
		See(m.State.At("current_phase"), "current_phase is "+m.State.Phase)
	toPhase := func() { f.Offer(sdk.Review, "Set the phase to "+other, setPhase(m.T, other)...) }
	if other != "" && m.Fit != sdk.Consistent { // the number agrees with the files, and the phase does not
		toPhase()
		safety = sdk.Review
	}
	f.Offer(safety, "Set phase_number to "+want, setInt("phase_number", m.Index()))
	if other != "" && m.Fit == sdk.Consistent && !explained {
		toPhase()
	}
	switch {
	case explained && m.T == Review && m.State.Phase != "complete": // the tool's text gives only the number of complete
		f.As(sdk.Info)
	case explained:
		f.As(sdk.Warning)
	}
}

// offByOne reports whether n results from another way of counting. A review may be counted without aggregation; a map
// without requirements-mapping, with one more phase, or up to the 8 phases of a review. The tool's own text gives no
// numbers for some phases.
func (m *Model) offByOne(n int) bool {
	index := m.Index()
	if m.T == Review {
		return index > Review.Index("aggregation") && n == index-1
	}
	return index > 1 && n == index+1 || index > Map.Index("requirements-mapping") && n == index-1 ||
		m.State.Phase == "complete" && n == len(Review.Phases)
}
