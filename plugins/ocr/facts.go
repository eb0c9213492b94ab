package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// liveFacts are those of one live subject.
func (m *Model) liveFacts(s *Subject) (facts []sdk.Fact) {
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
	return files + ", discourse not written (may be left out in quick mode)"
}
