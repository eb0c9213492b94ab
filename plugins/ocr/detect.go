package ocr

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := model(p)
	if why := m.lookAlike(); why != "" {
		return nil, sdk.NotMine(why)
	}
	list := make([]sdk.Detection, len(m.Subjects))
	for i, s := range m.Subjects {
		list[i] = m.detection(s)
	}
	return list, nil
}

// lookAlike says why the directory is not a session, "" if it is one.
func (m *Model) lookAlike() string {
	root := m.State.Root
	has := func(key string) bool { return root.Get(key).Exists() }
	switch {
	case !root.Exists():
		return ""
	case (has("phases") || has("current_iteration")) && !has("phase_number"):
		return "state.json has the fields of an iterative work session, not of an OCR session"
	case has("session_id") || has("workflow_type") || has("current_phase") || has("phase_number") || m.hasMarker():
		return ""
	}
	return "state.json has none of the fields of an OCR session"
}

// hasMarker reports whether a document besides state.json marks a session.
func (m *Model) hasMarker() bool {
	return slices.ContainsFunc(markers[1:], func(glob string) bool { return len(m.Docs.Match(glob)) > 0 })
}

func (m *Model) detection(s *Subject) sdk.Detection {
	state := m.StateOf(s)
	d := sdk.Detection{
		Lifecycle: lifecycle(s.Kind), Subject: s.Name(), State: state,
		Observed: lifecycle(s.Kind).Phase(m.Observed(s)), Because: m.because(s), Progress: m.progress(s, state),
	}
	if m.IsC(s) {
		d.Claimed, d.Fit = m.claimed(), m.Fit
	}
	if m.IsLive(s) {
		d.Facts = m.liveFacts(s)
	}
	if s == m.Live[0] && (m.State.Exists() || m.Known(StatePath)) {
		d.Pick = sdk.Pick{Key: m.ID, Eligible: m.offered()}
	}
	return d
}

// offered reports whether the tool finds the session by itself: unless its state file, read word
// by word, says closed or complete. A byte-order mark keeps the tool from reading it.
func (m *Model) offered() bool {
	readable := m.State.Doc.Readable() && !m.State.Doc.BOM
	return !readable || m.State.Verbatim("status") != "closed" && m.State.Verbatim("current_phase") != "complete"
}

// Observed is the phase that a subject is really in: the claim as long as the
// documents do not refute it, else what they prove.
func (m *Model) Observed(s *Subject) string {
	if m.IsC(s) && m.Fit == sdk.Fits {
		return m.Phase()
	}
	return s.Ladder.Canonical
}

// claimed is current_phase as it is written.
func (m *Model) claimed() string {
	v := m.State.Value("current_phase")
	if v.Kind() == jsondoc.String {
		return m.State.Verbatim("current_phase")
	}
	return v.Raw()
}

// StateOf says whether a subject goes on.
func (m *Model) StateOf(s *Subject) sdk.State {
	isC, finished := m.IsC(s), s.Result().Filled()
	closed := isC && m.State.Status == "closed"
	switch {
	case m.blocked(s):
		return sdk.Blocked
	case finished && !m.unrecorded(s) && (!isC || closed || m.Phase() == "complete" && s.Kind == Map):
		return sdk.Finished
	case closed && !finished, !isC && m.isOutdone(s):
		return sdk.Abandoned
	}
	return sdk.Active
}

// unrecorded reports whether nothing says if the final review of a round was presented: state.json is missing. Where
// nothing but results was committed, it was.
func (m *Model) unrecorded(s *Subject) bool {
	return s.Kind == Review && s.FIN.Filled() && m.lacksState() && len(s.FilledReviews()) > 0 && m.IsLive(s)
}

func (m *Model) blocked(s *Subject) bool {
	if m.State.Broken() {
		return m.IsLive(s)
	}
	return m.IsC(s) && (m.Fit == sdk.Behind || m.Fit == sdk.Ahead || m.Fit == sdk.FitUnknown || m.BeyondFiles() || m.BehindFiles())
}

// isOutdone reports whether the lifecycle has a later subject.
func (m *Model) isOutdone(s *Subject) bool {
	return slices.ContainsFunc(m.Subjects, func(other *Subject) bool { return other.Kind == s.Kind && other.N > s.N })
}

func (m *Model) because(s *Subject) []sdk.Range {
	var list []sdk.Range
	for _, path := range s.Ladder.Evidence {
		list = append(list, sdk.At(sayable(path)))
	}
	if m.IsC(s) && m.Fit == sdk.Fits {
		list = append(list, m.State.At("current_phase"))
	}
	return list
}

func (m *Model) progress(s *Subject, state sdk.State) sdk.Progress {
	done := s.Kind.Index(m.Observed(s)) - 1
	if state == sdk.Finished {
		done = s.Kind.Last()
	}
	return sdk.Progress{Done: done, Total: s.Kind.Last(), Unit: "phases"}
}
