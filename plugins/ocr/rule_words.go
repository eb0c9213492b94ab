package ocr

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

func isStatus(word string) bool { return word == "active" || word == "closed" }

func noncanonicalValue(r *check.Report, m *Model) {
	s := m.State
	for _, word := range []struct {
		key, canonical string
		known          bool
	}{{"current_phase", s.Phase, s.Alias == "" && s.isPhase()}, {"status", s.Status, isStatus(s.Status)}, {"workflow_type", s.Type.Name, s.Type != None}} {
		if word.known && s.Has(word.key) && s.Verbatim(word.key) != word.canonical {
			m.wrong(r, word.key, quote(word.canonical)+": `ocr progress` compares words as they are written").
				Offer(sdk.Safe, "Set "+word.key+" to "+word.canonical, setText(word.key, word.canonical))
		}
	}
}

func phaseAlias(r *check.Report, m *Model) {
	if m.State.Alias != "" {
		m.field(r, "current_phase", "current_phase is "+say.Quote(m.State.Verbatim("current_phase"))+", which is read as "+quote(m.State.Phase)).
			Offer(sdk.Review, "Set current_phase to "+m.State.Phase, setText("current_phase", m.State.Phase))
	}
}

func unknownPhase(r *check.Report, m *Model) {
	if canonical := m.C.Ladder.Canonical; m.State.Judged("current_phase") && !m.State.isPhase() {
		m.wrong(r, "current_phase", "a phase of a "+m.T.Name+"; the files show "+canonical).
			Offer(sdk.Review, "Set the phase to "+canonical, m.phaseTo(canonical)...)
	}
}

func unknownStatus(r *check.Report, m *Model) {
	if !m.State.Judged("status") || isStatus(m.State.Status) {
		return
	}
	f := m.wrong(r, "status", "active or closed")
	if m.T == Review && m.C.Result.Filled() {
		f.Offer(sdk.Review, "Set status to closed", setStatus("closed")...)
	}
	f.Offer(sdk.Review, "Set status to active", setStatus("active")...)
}

func unknownWorkflowType(r *check.Report, m *Model) {
	if m.State.Judged("workflow_type") && m.State.Type == None {
		setType(m.wrong(r, "workflow_type", "review or map"), m.T, sdk.Review, setNow(UpdatedAt))
	}
}

func setType(f *check.Finding, k *Kind, safety sdk.Safety, more ...sdk.Edit) {
	f.Offer(safety, "Set workflow_type to "+k.Name, append([]sdk.Edit{setText("workflow_type", k.Name)}, more...)...)
}

func workflowTypeMismatch(r *check.Report, m *Model) {
	s, canonical := m.State, m.C.Ladder.Canonical
	if s.Type == None || s.OnlyIn == None || s.OnlyIn == s.Type {
		return
	}
	phase := say.Quote(s.Verbatim("current_phase"))
	f := m.field(r, "workflow_type", "workflow_type is "+s.Type.Name+" but "+phase+" is a "+s.OnlyIn.Name+" phase").
		See(s.At("current_phase"), "current_phase is "+phase)
	setType(f, s.OnlyIn, sdk.Review, setNow(UpdatedAt))
	f.Offer(sdk.Review, "Set the phase to "+canonical, m.phaseTo(canonical)...)
}

func workflowTypeMissing(r *check.Report, m *Model) {
	reason := m.typeDoubt()
	switch {
	case m.State.Has("workflow_type") || reason == "":
	case m.TypeRule == 2 || m.TypeRule == 4:
		setType(r.Whole(StatePath, reason), m.T, sdk.Safe)
	default:
		f := r.Whole(StatePath, reason)
		setType(f, m.T, sdk.Review, setNow(UpdatedAt))
		setType(f, m.T.Other(), sdk.Review, setNow(UpdatedAt))
	}
}

// typeDoubt says why workflow_type would be needed, "" if it would not.
func (m *Model) typeDoubt() string {
	s := m.State
	switch {
	case s.OnlyIn == Map:
		return "map phase " + say.Quote(s.Verbatim("current_phase")) + " without workflow_type: `ocr progress` waits for ever"
	case m.onlyTree() == Map && m.sees(&m.Rounds):
		return "a session with only a map and no workflow_type: `ocr progress` waits for ever"
	case m.HasTree(Review) && m.HasTree(Map) && s.OnlyIn == None && s.isPhase():
		return "phase " + say.Quote(s.Phase) + " without workflow_type: both review and map have it, and files of both are here"
	}
	return ""
}

// wrongNumber finds a phase_number that is not that of the phase: one that is explained by another
// way of counting, or one that is not.
func wrongNumber(explained bool) func(*check.Report, *Model) {
	return func(r *check.Report, m *Model) {
		n, ok := m.State.Int("phase_number")
		if !ok || !m.State.Judged("phase_number") || !m.phaseInType() || n == m.Index() || m.offByOne(n) != explained {
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
		m.field(r, "phase_number", say.Wrong("phase_number", say.Int(n), want+", the number of "+m.State.Phase+" in a "+m.T.Name+why)).
			See(m.State.At("current_phase"), "current_phase is "+m.State.Phase).
			Offer(safety, "Set phase_number to "+want, setInt("phase_number", m.Index()))
	}
}

// offByOne reports whether n counts a review's phases without aggregation, a map's without requirements-mapping, or as if
// it had one phase more or the 8 of a review: the tool's own text gives no numbers for them.
func (m *Model) offByOne(n int) bool {
	index := m.Index()
	if m.T == Review {
		return index > Review.Index("aggregation") && n == index-1
	}
	return index > 1 && n == index+1 || index > Map.Index("requirements-mapping") && n == index-1 || m.State.Phase == "complete" && n == len(Review.Phases)
}
