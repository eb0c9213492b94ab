package ocr

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
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

// lookAlike returns why the directory is not a session, or "" if it is one.
func (m *Model) lookAlike() string {
	has := func(key string) bool { return m.State.Root.Get(key).Exists() }
	switch {
	case !m.State.OK():
		return ""
	case (has("phases") || has("current_iteration")) && !has("phase_number"):
		return "state.json has the fields of an iterative work session, not of an OCR session"
	case !has("current_round") && len(m.Rounds.Set) == 0 && len(m.Match("{reviews/*,discourse,final}.md")) > 0:
		return "the session has the layout of v1.0 and v1.1, which had no rounds"
	case slices.ContainsFunc([]string{"workflow_type", "current_phase", "phase_number", "current_round"}, has),
		slices.ContainsFunc(markers[1:], func(glob string) bool { return len(m.Match(glob)) > 0 }):
		return ""
	}
	return "state.json has none of the fields of an OCR session"
}

func (m *Model) detection(s *Subject) sdk.Detection {
	state, observed := m.StateOf(s), m.Observed(s)
	d := sdk.Detection{
		Lifecycle: s.Kind.Life, Subject: s.Name(), State: state, Observed: s.Kind.Life.Phase(observed),
		Progress: sdk.Progress{Done: s.Kind.Index(observed) - 1, Total: len(s.Kind.Phases), Unit: "phases"},
	}
	if state == sdk.Finished {
		d.Progress.Done = d.Progress.Total
	}
	for _, path := range s.Ladder.Evidence {
		d.Because = append(d.Because, sdk.At(sayable(path)))
	}
	if s == m.C {
		d.Claimed, d.Fit = m.claimed(), m.Fit
		if m.Fit == sdk.Consistent {
			d.Because = append(d.Because, m.State.At("current_phase"))
		}
	}
	if text := m.subState(s); text != "" && m.IsLive(s) {
		d.Facts = append(d.Facts, sdk.TextFact("sub_state", "now", text))
	}
	if m.IsSQLite && m.IsLive(s) {
		d.Facts = append(d.Facts, sdk.TextFact("era", "era", "sqlite"))
	}
	switch head := m.head(); {
	case s != head: // a session continues with one round or run; the others are its parts
		d.PartOf = head.Kind.Life.Named(head.Name())
	case m.State.Exists() || m.Known(StatePath):
		d.Chosen = m.rank()
	}
	return d
}

// head returns the subject that the session continues with: the first live one that is not over, or else C.
func (m *Model) head() *Subject {
	for _, s := range m.Live {
		if state := m.StateOf(s); state != sdk.Finished && state != sdk.Abandoned {
			return s
		}
	}
	return m.Live[0]
}

// rank returns the session's rank when the tool chooses a session. The tool takes the newest session that it finds,
// and a session's name begins with its date.
func (m *Model) rank() int {
	const none = 10000_00_00
	date := strings.ReplaceAll(m.ID[:min(len(m.ID), len("2026-03-10"))], "-", "")
	n, err := strconv.Atoi(date)
	switch {
	case !m.offered():
		return 0
	case err != nil || n <= 0 || n >= none:
		return none
	}
	return none - n
}

// offered reports whether the tool finds the session by itself.
func (m *Model) offered() bool { return m.State.Status != "closed" && m.State.Phase != "complete" }

// Observed returns the actual phase of a subject: the claimed one or, if the documents contradict it, the one that
// they show.
func (m *Model) Observed(s *Subject) string {
	if s == m.C && m.Fit == sdk.Consistent {
		return m.State.Phase
	}
	return s.Ladder.Canonical
}

// claimed returns current_phase as written.
func (m *Model) claimed() string {
	v := m.State.Value("current_phase")
	if text, ok := v.Text(); ok {
		return text
	}
	return v.Raw()
}

// StateOf returns whether a subject is active, blocked, finished or abandoned.
func (m *Model) StateOf(s *Subject) sdk.State {
	isC, finished := s == m.C, s.Result.Filled()
	closed := isC && m.State.Status == "closed"
	outdone := slices.ContainsFunc(m.Subjects, func(other *Subject) bool {
		return other.Kind == s.Kind &&
			other.N > s.N
	})
	switch {
	case m.blocked(s):
		return sdk.Blocked
	case finished && !m.unrecorded(s) && (!isC || closed || m.State.Phase == "complete" && s.Kind == Map):
		return sdk.Finished
	case closed && !finished, !isC && outdone,
		m.State.Status == "closed" && s.Kind == m.T.Other() && m.C != nil && !m.unswitched(s):
		return sdk.Abandoned
	}
	return sdk.Active
}

// unrecorded reports whether nothing records that the final review of a round was presented, because state.json is
// missing. If only results were committed, the review counts as presented.
func (m *Model) unrecorded(s *Subject) bool {
	return s.Kind == Review && s.Result.Filled() && m.lacksState() && len(s.Written()) > 0 && m.IsLive(s)
}

func (m *Model) blocked(s *Subject) bool {
	if m.State.Broken() {
		return m.IsLive(s)
	}
	if s != m.C && m.isLost(s.Result) {
		return true
	}
	return s == m.C && (m.Fit != sdk.Consistent && m.Fit != sdk.JustBehind || m.BeyondFiles() || m.BehindFiles())
}

// subState describes how far along the observed phase is.
func (m *Model) subState(s *Subject) string {
	phase, names := m.Observed(s), s.Written()
	files := say.Count(len(names), "reviewer file")
	switch {
	case s.N > 1 && !s.HasFilled():
		return s.title() + " starting"
	case phase == "analysis" && !m.Guided:
		return "guidance missing"
	case phase == "reviews" && len(names) == 0:
		return "no reviewer file yet"
	case phase == "reviews" && len(names) == 1:
		return files + ": " + names[0] + " (fewer than 2)"
	case phase == "reviews":
		return files + ": " + strings.Join(names, ", ")
	case phase != "aggregation" && phase != "discourse" && phase != "synthesis":
		return ""
	case phase == "synthesis" && s.Result.Filled():
		return "written, not yet presented"
	case phase == "synthesis":
		return "not written"
	case s.DIS.Filled():
		return files + ", discourse written"
	}
	return files + ", discourse not written (quick mode skips it)"
}
