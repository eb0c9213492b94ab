package ocr

import (
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk"
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
		return s.Kind.Unit() + " " + strconv.Itoa(s.N) + " starting"
	}
	switch m.Observed(s) {
	case "analysis":
		if !m.Guided {
			return "guidance missing"
		}
	case "reviews":
		return s.reviewsState()
	case "aggregation", "discourse":
		return countReviews(len(s.FilledReviews())) + ", " + s.discourseState()
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
	text := countReviews(len(names)) + ": " + strings.Join(names, ", ")
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

func countReviews(n int) string {
	if n == 1 {
		return "1 reviewer file"
	}
	return strconv.Itoa(n) + " reviewer files"
}

// cliFacts are what `ocr progress` of v1.4.0 would say of the session, so that
// the two can be laid side by side.
func (m *Model) cliFacts() []sdk.Fact {
	c := m.cli()
	facts := []sdk.Fact{
		sdk.BoolFact("cli.active", "ocr progress finds it", c.active()),
		sdk.TextFact("cli.type", "type shown", c.kind()),
		sdk.TextFact("cli.view", "view shown", c.view()),
		sdk.IntFact("cli.round", "round shown", c.shown(Review)),
		sdk.IntFact("cli.run", "run shown", c.shown(Map)),
	}
	if m.State.Has("current_phase") {
		facts = append(facts, sdk.TextFact("cli.phase", "phase shown", m.claimed()))
	}
	if n, ok := m.State.Int("phase_number"); ok {
		facts = append(facts, sdk.IntFact("cli.phase_number", "phase number shown", n))
	}
	return append(facts,
		sdk.IntFact("cli.total", "phases shown", c.total()),
		sdk.BoolFact("cli.complete", "shown as complete", c.complete()),
		sdk.TextFact("cli.start", "elapsed time counts from", c.start()),
		sdk.TableFact("cli.rounds", "rounds", []string{"round", "complete", "reviewers"}, c.rounds()),
		sdk.TableFact("cli.runs", "runs", []string{"run", "complete", "files"}, c.runs()),
		sdk.TableFact("cli.reviewers", "reviewers", []string{"reviewer", "findings", "cli.findings"}, c.reviewers()),
		sdk.ListFact("cli.check_marks", "check marks", c.checkMarks()),
		sdk.ListFact("cli.workflows", "open workflows", c.workflows()),
	)
}
