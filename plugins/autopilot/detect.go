package autopilot

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/state"
	"github.com/stategate/stategate/sdk/wire"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if !m.mine() {
		return nil, sdk.NotMine("none of its documents follows Project Autopilot's format")
	}
	return []sdk.Detection{{
		Lifecycle: flight, Claimed: clip(m.pos.statusText, 200), Observed: m.observed.phase(), Fit: m.fit(),
		Because: m.because, State: m.state(), Progress: m.progress(),
		Facts: m.facts(),
	}}, nil
}

// mine reports whether a document shows that this is a flight, and not another tool's state.
func (m *model) mine() bool {
	ofPhase := func(d *sdk.Document) bool {
		name := d.Path[strings.LastIndexByte(d.Path, '/')+1:]
		return strings.Count(d.Path, "/") == 2 && strings.Contains(" phase.md route.md briefing.md logbook.md ",
			" "+strings.ToLower(name)+" ")
	}
	return m.named(transponderPath) != nil || m.docs.Get(handPath) != nil ||
		slices.ContainsFunc(m.phases.numbered, ofPhase) || m.ownWaypoint() || m.ownPlan() ||
		ownState(m.th.Doc, "/current_values", "/levels_triggered") ||
		ownState(m.ak.Doc, "/acknowledgments", "/acknowledgments")
}

func (m *model) ownWaypoint() bool {
	if m.waypoint == nil {
		return false
	}
	title := titleOf(m.waypoint)
	return title == positionTitles[0] || strings.Contains(title, "waypoint") || m.waypoint.Outline().Field("Phase").OK()
}

// ownState reports whether a JSON document is unreadable or has one of two keys.
func ownState(d *state.Doc, key, other string) bool {
	broken := func(f sdk.DocumentFault) bool { return f.Rule != wire.RuleSchema }
	return d.Doc != nil && (slices.ContainsFunc(d.Doc.Faults, broken) || d.Has(key) || d.Has(other))
}

func (m *model) ownPlan() bool {
	if d := m.phases.plan; d != nil && (strings.Contains(titleOf(d), "flightplan") ||
		d.Outline().Find("Phase Summary").Section().Table().OK()) {
		return true
	}
	if d := m.docs.Get("clearance.md"); d != nil {
		for _, h := range d.Summary.Headings {
			if h.Level == 1 {
				return strings.Contains(markdown.Name(h.Text), "clearance")
			}
		}
	}
	return false
}

// facts returns what the status command shows about the flight in addition to its phase and progress.
func (m *model) facts() []sdk.Fact {
	var facts []sdk.Fact
	if m.n >= 0 {
		facts = append(facts, sdk.TextFact("position", "position", m.where()))
		facts[0].Level = sdk.Brief
	}
	if m.verdict != handNone {
		facts = append(facts, sdk.TextFact("holding_pattern", "hand-off", verdictNames[m.verdict]))
	}
	if known(m.pos.stamp) {
		facts = append(facts, sdk.TextFact("updated", "updated", m.pos.stamp.Text))
	}
	for k, rec := range m.th.levels {
		if rec.n > 0 {
			name := levelNames[rec.n]
			if m.ak.valid(k) != nil {
				name += " (acknowledged)"
			}
			facts = append(facts, sdk.TextFact("level_"+kindNames[k], kindNames[k]+" level", name))
		}
	}
	return facts
}
