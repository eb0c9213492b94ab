package fieldnotes

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// model is what the documents say, parsed once.
type model struct {
	phase     string // as state.json has it, "" if it has none
	updatedAt string
	updated   instant.Time
	dated     bool // updatedAt is an RFC 3339 time: updated
	questions int
	answered  int
	notes     int
	words     int // in notes
	findings  bool
}

func prepare(p *sdk.Pass) (any, error) {
	m := &model{}
	if state := p.Docs.Get("state.json"); state.Readable() {
		if err := m.readState(state.Text); err != nil {
			return nil, err
		}
	}
	if plan := p.Docs.Get("plan.md"); plan.Readable() {
		for _, task := range plan.Outline().Tasks() {
			m.questions++
			if task.Checked() {
				m.answered++
			}
		}
	}
	for _, note := range p.Docs.Match("notes/*.md") {
		m.notes++
		m.words += note.Summary.Words
	}
	if report := p.Docs.Get("report.md"); report.Readable() {
		m.findings = report.Outline().Find("Findings").Body().Paragraph().OK()
	}
	return m, nil
}

func (m *model) readState(text string) error {
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return err
	}
	m.phase, _ = doc.Root().Get("phase").Text()
	m.updatedAt, _ = doc.Root().Get("updated_at").Text()
	m.updated, m.dated = instant.Parse(m.updatedAt)
	return nil
}

// observed is the phase that the documents prove.
func (m *model) observed() *sdk.Phase {
	switch {
	case m.findings:
		return done
	case m.notes > 0 && m.questions > 0 && m.answered == m.questions:
		return report
	case m.questions > 0:
		return collect
	}
	return plan
}
