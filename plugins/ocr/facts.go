package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// liveFacts are those of one live subject.
func (m *Model) liveFacts(s *Subject) []sdk.Fact {
	var facts []sdk.Fact
	if text := m.subState(s); text != "" {
		facts = append(facts, sdk.TextFact("sub_state", "now", text))
	}
	if m.Era != EraState {
		facts = append(facts, sdk.TextFact("era", "era", string(m.Era)))
	}
	return facts
}

// subState says in words how far the observed phase is.
func (m *Model) subState(s *Subject) string {
	if s.N > 1 && !s.HasFilled() {
		return s.Kind.Unit() + " " + say.Int(s.N) + " starting"
	}
	switch m.Observed(s) {
	case "analysis":
		if !m.Guided {
			return "guidance missing"
		}
	case "reviews":
		return s.reviewsState()
	case "aggregation", "discourse":
		return say.Count(len(s.FilledReviews()), "reviewer file") + ", " + s.discourseState()
	case "synthesis":
		if s.Result().Filled() {
			return "written, not yet presented"
		}
		return "not written"
	}
	return ""
}

func (s *Subject) reviewsState() string {
	names := s.Stems()
	if len(names) == 0 {
		return "no reviewer file yet"
	}
	text := say.Count(len(names), "reviewer file") + ": " + strings.Join(names, ", ")
	if len(names) < 2 {
		text += " (fewer than 2)"
	}
	return text
}

func (s *Subject) discourseState() string {
	if s.DIS.Filled() {
		return "discourse written"
	}
	return "discourse not written (may be left out in quick mode)"
}
