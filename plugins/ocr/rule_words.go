package ocr

import (
	"github.com/stategate/stategate/sdk"
)

var noncanonicalValue = &sdk.Rule{
	Name: "noncanonical-value", Severity: sdk.Warning,
	Doc: "A word in state.json is known only after normalising its spelling.\n\n" +
		"`ocr progress` compares verbatim: \"Reviews\" is no phase for it, \"Closed\" does not hide a session. Write the word in lower case with hyphens.",
	Check: onState(checkNoncanonicalValue),
}

func checkNoncanonicalValue(p *sdk.Pass, m *Model) {
	s := m.State
	if s.Alias == "" && (Review.Index(s.Phase) > 0 || Map.Index(s.Phase) > 0) {
		checkSpelling(p, m, "current_phase", s.Phase)
	}
	if isStatus(s.Status) {
		checkSpelling(p, m, "status", s.Status)
	}
	if s.Type != None {
		checkSpelling(p, m, "workflow_type", string(s.Type))
	}
}

func checkSpelling(p *sdk.Pass, m *Model, key, canonical string) {
	if !m.State.Judged(key) || m.State.Verbatim(key) == canonical {
		return
	}
	d := m.onField(key, shown(m.State.Verbatim(key))+" is read as "+quote(canonical)+"; `ocr progress` compares verbatim")
	tell(p, m, d, safely("Set "+key+" to "+canonical, setText(key, canonical)))
}

func isStatus(word string) bool { return word == "active" || word == "closed" }

var phaseAlias = &sdk.Rule{
	Name: "phase-alias", Severity: sdk.Info,
	Doc: "current_phase holds an older or alternative name of a phase.\n\n" +
		"The tool's own texts write both \"map-complete\" and \"complete\", and v1.0 wrote \"requirements\" for \"change-context\". `ocr progress` knows one of each.",
	Check: onState(checkPhaseAlias),
}

func checkPhaseAlias(p *sdk.Pass, m *Model) {
	if m.State.Alias == "" {
		return
	}
	d := m.onField("current_phase", shown(m.State.Verbatim("current_phase"))+" is read as "+quote(m.Phase()))
	tell(p, m, d, reviewed("Set current_phase to "+m.Phase(), setText("current_phase", m.Phase())))
}

var unknownPhase = &sdk.Rule{
	Name: "unknown-phase", Severity: sdk.Error,
	Doc: "current_phase names no phase of either workflow.\n\n" +
		"Nobody can resume from it. The files show which phase the work is in: set that, or correct the slip of the pen.",
	Check: onState(checkUnknownPhase),
}

func checkUnknownPhase(p *sdk.Pass, m *Model) {
	s := m.State
	if !s.Judged("current_phase") || s.OnlyIn != None || Review.Index(s.Phase) > 0 {
		return
	}
	canonical := m.C.Ladder.Canonical
	d := m.onField("current_phase", shown(s.Verbatim("current_phase"))+" is no phase; files show "+canonical)
	tell(p, m, d, reviewed("Set the phase to "+canonical, m.phaseTo(canonical)...))
}

// phaseTo makes p the claimed phase of C. A closed session that goes on is
// opened again with it.
func (m *Model) phaseTo(p string) []sdk.Edit {
	edits := phaseEdits(m.T, p)
	if m.State.Status == "closed" && p != "complete" && !m.C.Result().Filled() {
		edits = append(edits, setText("status", "active"))
	}
	return edits
}

var unknownStatus = &sdk.Rule{
	Name: "unknown-status", Severity: sdk.Error,
	Doc: "status is neither active nor closed.\n\n" +
		"The two words decide whether a session is shown and may be resumed; any other leaves that open. Set the one that is meant.",
	Check: onState(checkUnknownStatus),
}

func checkUnknownStatus(p *sdk.Pass, m *Model) {
	if !m.State.Judged("status") || isStatus(m.State.Status) {
		return
	}
	active := reviewed("Set status to active", statusEdits("active")...)
	offers := []sdk.Remedy{active}
	if m.T == Review && m.C.FIN.Filled() {
		closed := reviewed("Set status to closed", statusEdits("closed")...)
		offers = append(offers, closed)
		if m.Phase() == "complete" {
			offers = []sdk.Remedy{closed, active}
		}
	}
	d := m.onField("status", "status "+shown(m.State.Verbatim("status"))+" is neither active nor closed")
	tell(p, m, d, offers...)
}

var unknownWorkflowType = &sdk.Rule{
	Name: "unknown-workflow-type", Severity: sdk.Error,
	Doc: "workflow_type is neither review nor map.\n\n" +
		"The field tells `ocr progress` which of the two workflows to follow. Set the one that phase and files speak for.",
	Check: onState(checkUnknownWorkflowType),
}

func checkUnknownWorkflowType(p *sdk.Pass, m *Model) {
	const key = "workflow_type"
	if !m.State.Judged(key) || m.State.Type != None {
		return
	}
	d := m.onField(key, "workflow_type "+shown(m.State.Verbatim(key))+" is neither review nor map")
	tell(p, m, d, m.setType(m.T, sdk.Review))
}

func (m *Model) setType(k Kind, safety sdk.Safety) sdk.Remedy {
	return sdk.Remedy{Title: "Set workflow_type to " + string(k), Safety: safety,
		Edits: []sdk.Edit{setText("workflow_type", string(k))}}
}

var workflowTypeMismatch = &sdk.Rule{
	Name: "workflow-type-mismatch", Severity: sdk.Error,
	Doc: "workflow_type names one workflow, current_phase a phase of the other.\n\n" +
		"One of the two was forgotten when work went from review to map or back. Decide which is true: change the type, or the phase.",
	Check: onState(checkWorkflowTypeMismatch),
}

func checkWorkflowTypeMismatch(p *sdk.Pass, m *Model) {
	s := m.State
	if s.Type == None || s.OnlyIn == None || s.OnlyIn == s.Type {
		return
	}
	canonical := m.C.Ladder.Canonical
	d := m.onField("workflow_type", "workflow_type is "+string(s.Type)+" but "+shown(s.Verbatim("current_phase"))+
		" is a "+string(s.OnlyIn)+" phase")
	tell(p, m, d, m.setType(s.OnlyIn, sdk.Review), reviewed("Set the phase to "+canonical, m.phaseTo(canonical)...))
}

var workflowTypeMissing = &sdk.Rule{
	Name: "workflow-type-missing", Severity: sdk.Warning,
	Doc: "A map, or what may be one, has no workflow_type.\n\n" +
		"`ocr progress` shows a map only where workflow_type says map; without it the view waits for ever. A review may leave the field out.",
	Check: onState(checkWorkflowTypeMissing),
}

func checkWorkflowTypeMissing(p *sdk.Pass, m *Model) {
	const key = "workflow_type"
	reason := m.typeDoubt()
	if m.State.Has(key) || reason == "" {
		return
	}
	offers := []sdk.Remedy{m.setType(m.T, sdk.Review), m.setType(m.T.Other(), sdk.Review)}
	if m.TypeRule == 2 || m.TypeRule == 4 {
		offers = []sdk.Remedy{m.setType(m.T, sdk.Safe)}
	}
	d := sdk.Diagnostic{Range: sdk.At(StatePath), Message: reason}
	tell(p, m, d, offers...)
}

// typeDoubt says why workflow_type would be needed, "" if it would not.
func (m *Model) typeDoubt() string {
	s := m.State
	bothHave := s.Alias == "" && Review.Index(s.Phase) > 0 && Map.Index(s.Phase) > 0
	switch {
	case s.OnlyIn == Map:
		return "map phase " + shown(s.Verbatim("current_phase")) + " without workflow_type: `ocr progress` waits for ever"
	case m.onlyTree() == Map && m.sees(&m.Rounds):
		return "a session with only a map and no workflow_type: `ocr progress` waits for ever"
	case m.HasTree(Review) && m.HasTree(Map) && bothHave:
		return "phase " + shown(s.Phase) + " without workflow_type: both review and map have it, and files of both are here"
	}
	return ""
}

var phaseNumberMismatch = &sdk.Rule{
	Name: "phase-number-mismatch", Severity: sdk.Error,
	Doc: "phase_number is not the number of current_phase.\n\n" +
		"Name and number are written together; where they disagree one of them is stale, and `ocr progress` draws its check marks from the number.",
	Check: onState(checkPhaseNumberMismatch),
}

func checkPhaseNumberMismatch(p *sdk.Pass, m *Model) {
	n, wrong := m.wrongNumber()
	if !wrong || m.offByOne(n) {
		return
	}
	safety := sdk.Review
	if m.Fit == sdk.Fits || m.Fit == sdk.Lags {
		safety = sdk.Safe
	}
	want := itoa(m.Index())
	d := m.onField("phase_number", m.Phase()+" is phase "+want+" but phase_number is "+itoa(int(n)))
	tell(p, m, d, sdk.Remedy{Title: "Set phase_number to " + want, Safety: safety, Edits: []sdk.Edit{setInt("phase_number", m.Index())}})
}

// wrongNumber returns phase_number and whether it is not that of the phase.
func (m *Model) wrongNumber() (int64, bool) {
	n, ok := m.State.Int("phase_number")
	return n, ok && m.State.Judged("phase_number") && m.phaseInType() && n != int64(m.Index())
}

// offByOne reports whether n counts a review's phases without aggregation, or a map's as if it had
// one phase more or the 8 of a review: the tool's own text gives no numbers for them.
func (m *Model) offByOne(n int64) bool {
	if m.T == Map {
		return m.Index() > 1 && n == int64(m.Index()+1) || m.Phase() == "complete" && n == int64(Review.Last())
	}
	return m.T == Review && m.Index() > Review.Index("aggregation") && n == int64(m.Index()-1)
}

var phaseNumberOffByOne = &sdk.Rule{
	Name: "phase-number-off-by-one", Severity: sdk.Warning,
	Doc: "phase_number counts without the phase aggregation.\n\n" +
		"The tool's phase table leaves aggregation out, yet its numbers only work with it as phase 5: discourse is 6, synthesis 7, complete 8.",
	Check: onState(checkPhaseNumberOffByOne),
}

func checkPhaseNumberOffByOne(p *sdk.Pass, m *Model) {
	n, wrong := m.wrongNumber()
	if !wrong || !m.offByOne(n) {
		return
	}
	want := itoa(m.Index())
	d := m.onField("phase_number", m.Phase()+" is phase "+want+m.whyNumber()+" but phase_number is "+itoa(int(n)))
	tell(p, m, d, safely("Set phase_number to "+want, setInt("phase_number", m.Index())))
}

func (m *Model) whyNumber() string {
	if m.T == Review {
		return " (aggregation is 5)"
	}
	return " of a map"
}
