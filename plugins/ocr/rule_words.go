package ocr

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

func isStatus(word string) bool { return word == "active" || word == "closed" }

func noncanonicalValue(r *check.Report, m *Model) {
	s := m.State
	isPhase := s.Alias == "" && (Review.Index(s.Phase) > 0 || Map.Index(s.Phase) > 0)
	for _, word := range []struct {
		key, canonical string
		known          bool
	}{{"current_phase", s.Phase, isPhase}, {"status", s.Status, isStatus(s.Status)}, {"workflow_type", string(s.Type), s.Type != None}} {
		if word.known && s.Judged(word.key) && s.Verbatim(word.key) != word.canonical {
			m.field(r, word.key, say.Wrong(word.key, say.Quote(s.Verbatim(word.key)), quote(word.canonical)+": `ocr progress` compares words as they are written")).
				Offer(sdk.Safe, "Set "+word.key+" to "+word.canonical, setText(word.key, word.canonical))
		}
	}
}

func phaseAlias(r *check.Report, m *Model) {
	if m.State.Alias != "" {
		m.field(r, "current_phase", "current_phase is "+say.Quote(m.State.Verbatim("current_phase"))+", which is read as "+quote(m.Phase())).
			Offer(sdk.Review, "Set current_phase to "+m.Phase(), setText("current_phase", m.Phase()))
	}
}

func unknownPhase(r *check.Report, m *Model) {
	s := m.State
	if !s.Judged("current_phase") || s.OnlyIn != None || Review.Index(s.Phase) > 0 {
		return
	}
	canonical := m.C.Ladder.Canonical
	m.field(r, "current_phase", say.Wrong("current_phase", say.Quote(s.Verbatim("current_phase")), "a phase of a "+string(m.T)+"; the files show "+canonical)).
		Offer(sdk.Review, "Set the phase to "+canonical, m.phaseTo(canonical)...)
}

func unknownStatus(r *check.Report, m *Model) {
	if !m.State.Judged("status") || isStatus(m.State.Status) {
		return
	}
	f := m.field(r, "status", say.Wrong("status", say.Quote(m.State.Verbatim("status")), "active or closed"))
	words := []string{"active"}
	if m.T == Review && m.C.FIN.Filled() {
		words = []string{"closed", "active"}
	}
	for _, word := range words {
		f.Offer(sdk.Review, "Set status to "+word, setStatus(word)...)
	}
}

func unknownWorkflowType(r *check.Report, m *Model) {
	const key = "workflow_type"
	if m.State.Judged(key) && m.State.Type == None {
		m.setType(m.field(r, key, say.Wrong(key, say.Quote(m.State.Verbatim(key)), "review or map")), m.T, sdk.Review)
	}
}

func (m *Model) setType(f *check.Finding, k Kind, safety sdk.Safety) {
	edits := []sdk.Edit{setText("workflow_type", string(k))}
	if safety != sdk.Safe {
		edits = append(edits, setNow(UpdatedAt))
	}
	f.Offer(safety, "Set workflow_type to "+string(k), edits...)
}

func workflowTypeMismatch(r *check.Report, m *Model) {
	s := m.State
	if s.Type == None || s.OnlyIn == None || s.OnlyIn == s.Type {
		return
	}
	canonical := m.C.Ladder.Canonical
	f := m.field(r, "workflow_type", "workflow_type is "+string(s.Type)+" but "+say.Quote(s.Verbatim("current_phase"))+" is a "+string(s.OnlyIn)+" phase").
		See(s.At("current_phase"), "current_phase is "+say.Quote(s.Verbatim("current_phase")))
	m.setType(f, s.OnlyIn, sdk.Review)
	f.Offer(sdk.Review, "Set the phase to "+canonical, m.phaseTo(canonical)...)
}

func workflowTypeMissing(r *check.Report, m *Model) {
	reason := m.typeDoubt()
	if m.State.Has("workflow_type") || reason == "" {
		return
	}
	f := r.Whole(StatePath, reason)
	if m.TypeRule == 2 || m.TypeRule == 4 {
		m.setType(f, m.T, sdk.Safe)
		return
	}
	m.setType(f, m.T, sdk.Review)
	m.setType(f, m.T.Other(), sdk.Review)
}

// typeDoubt says why workflow_type would be needed, "" if it would not.
func (m *Model) typeDoubt() string {
	s := m.State
	bothHave := s.Alias == "" && Review.Index(s.Phase) > 0 && Map.Index(s.Phase) > 0
	switch {
	case s.OnlyIn == Map:
		return "map phase " + say.Quote(s.Verbatim("current_phase")) + " without workflow_type: `ocr progress` waits for ever"
	case m.onlyTree() == Map && m.sees(&m.Rounds):
		return "a session with only a map and no workflow_type: `ocr progress` waits for ever"
	case m.HasTree(Review) && m.HasTree(Map) && bothHave:
		return "phase " + say.Quote(s.Phase) + " without workflow_type: both review and map have it, and files of both are here"
	}
	return ""
}

func phaseNumberMismatch(r *check.Report, m *Model) { m.wrongNumber(r, false) }

func phaseNumberOffByOne(r *check.Report, m *Model) { m.wrongNumber(r, true) }

// wrongNumber finds a phase_number that is not that of the phase: one that is explained by another
// way of counting, or one that is not.
func (m *Model) wrongNumber(r *check.Report, explained bool) {
	n, ok := m.State.Int("phase_number")
	if !ok || !m.State.Judged("phase_number") || !m.phaseInType() || n == int64(m.Index()) || m.offByOne(n) != explained {
		return
	}
	safety, why := sdk.Review, ""
	if m.Fit == sdk.Fits || m.Fit == sdk.Lags || explained {
		safety = sdk.Safe
	}
	if explained && m.T == Review {
		why = " (aggregation is 5)"
	}
	want := say.Int(m.Index())
	m.field(r, "phase_number", say.Wrong("phase_number", say.Int(int(n)), want+", the number of "+m.Phase()+" in a "+string(m.T)+why)).
		See(m.State.At("current_phase"), "current_phase is "+m.Phase()).
		Offer(safety, "Set phase_number to "+want, setInt("phase_number", m.Index()))
}

// offByOne reports whether n counts a review's phases without aggregation, a map's without requirements-mapping, or as if
// it had one phase more or the 8 of a review: the tool's own text gives no numbers for them.
func (m *Model) offByOne(n int64) bool {
	if m.T == Map {
		return m.Index() > 1 && n == int64(m.Index()+1) || m.Index() > Map.Index("requirements-mapping") && n == int64(m.Index()-1) || m.Phase() == "complete" && n == int64(Review.Last())
	}
	return m.T == Review && m.Index() > Review.Index("aggregation") && n == int64(m.Index()-1)
}
