package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if !m.mine() {
		return nil, sdk.NotMine("no document of it has the form of Project Autopilot")
	}
	d := sdk.Detection{
		Lifecycle: flight, Observed: m.observed.phase(), Fit: m.fit(), Because: m.because, State: m.state(), Progress: m.progress(),
		Facts: m.facts(),
	}
	if m.pos != nil {
		d.Claimed = clip(m.pos.statusText, 200)
	}
	return []sdk.Detection{d}, nil
}

// mine reports whether a document shows that this is a flight and no other tool's.
func (m *model) mine() bool {
	if m.docs.Get(transponderPath) != nil || m.docs.Get(handPath) != nil {
		return true
	}
	if d := m.waypoint; d != nil {
		if title := titleOf(d); title == "projectstate" || strings.Contains(title, "waypoint") || d.Outline().Field("Phase").OK() {
			return true
		}
	}
	for _, d := range m.phases.numbered {
		switch d.Path[strings.LastIndexByte(d.Path, '/')+1:] {
		case "PHASE.md", "ROUTE.md", "BRIEFING.md", "LOGBOOK.md":
			if strings.Count(d.Path, "/") == 2 {
				return true
			}
		}
	}
	return m.ownState(thresholdsPath, m.th.doc, "current_values", "levels_triggered") ||
		m.ownState(acksPath, m.ak.doc, "acknowledgments", "acknowledgments") || m.ownPlan()
}

// ownState reports whether a JSON document is unreadable or has one of two keys.
func (m *model) ownState(path string, doc *jsondoc.Document, key, other string) bool {
	d := m.docs.Get(path)
	switch {
	case d == nil:
		return false
	case !d.Readable() || doc == nil && !onlySchema(d):
		return true
	case doc == nil:
		return false
	}
	return doc.Root().Get(key).Exists() || doc.Root().Get(other).Exists()
}

// onlySchema reports whether the host found no more than that a document has
// another form.
func onlySchema(d *sdk.Document) bool {
	for i := range d.Faults {
		if d.Faults[i].Rule != "schema" {
			return false
		}
	}
	return true
}

func (m *model) ownPlan() bool {
	if d := m.phases.plan; d != nil {
		o := d.Outline()
		if strings.Contains(titleOf(d), "flightplan") || o.Find("Phase Summary").Section().Table().OK() {
			return true
		}
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
