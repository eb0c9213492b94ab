package speckit

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// phase returns the phase that the documents show.
func (m *model) phase() *sdk.Phase {
	switch {
	case m.complete():
		return life.Phases[4]
	case m.started():
		return life.Phases[3]
	case m.written(m.tasks):
		return life.Phases[2]
	case m.written(m.plan):
		return life.Phases[1]
	}
	return life.Phases[0]
}

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	switch p.Name {
	case pointerDir: // it has no run; it only chooses the current one
		p.Choose(pointed(p))
		return nil, nil
	case featuresDir: // each directory in it is a run
		return nil, nil
	}
	elsewhere := foreign(p.Root)
	if !m.ours(elsewhere) && (elsewhere || !m.hidden() && !m.placed(p)) && (m.base == nil || !m.base.ours(elsewhere)) {
		return nil, sdk.NotMine("spec.md, plan.md and tasks.md do not have Spec Kit's format")
	}
	d := sdk.Detection{Lifecycle: life, Observed: m.phase(), Fit: sdk.Consistent,
		Progress: sdk.Progress{Done: m.done, Total: m.total() + len(m.openIDless()), Unit: "tasks"}}
	d.Claimed = d.Observed.Name
	if m.unread() {
		d.Observed, d.Claimed, d.Fit = nil, "", sdk.FitUnknown
	} else if m.open > 0 && m.claimsDone() {
		d.Claimed, d.Fit = "done", sdk.Ahead
	}
	for _, doc := range []*sdk.Document{m.tasks, m.plan, m.spec} {
		if doc != nil {
			d.Because = []sdk.Range{sdk.At(doc.Path)}
			break
		}
	}
	if text := m.field("Status").Text(); text != "" {
		d.Facts = append(d.Facts, sdk.TextFact("status", "status in spec.md", say.Clip(text)))
	}
	return []sdk.Detection{d}, nil
}

// placed reports whether the directory is a feature by its place: next to .specify, without another tool's documents,
// and with a feature's number or all three documents.
func (m *model) placed(p *sdk.Pass) bool {
	if !m.alone() || featureNumber(p.Name) == "" && (m.spec == nil || m.plan == nil || m.tasks == nil) {
		return false
	}
	is := p.Presence(m.project() + pointerDir + "/")
	if is == sdk.Unseen { // perhaps not answered yet: ask now what the rules and the brief ask
		p.Report = func(sdk.Diagnostic) {}
		for _, rule := range p.Workflow.Rules {
			if rule.Asks && (!rule.NeedsBase || m.base != nil) {
				_ = rule.Check(p) // a failure occurs again and is reported then
			}
		}
		p.Report = nil
		m.begun(p)
		m.command(p)
	}
	return is == sdk.Present
}

// foreign reports whether a directory may belong to another tool, because it is under a dot folder other than
// .specify.
func foreign(root string) bool {
	return slices.ContainsFunc(strings.Split(root, "/"),
		func(part string) bool { return part[0] == '.' && part != ".specify" })
}

// hidden reports whether a document that would show which tool owns the directory cannot be read. In another tool's
// directory, that tool's plugin reports the document.
func (m *model) hidden() bool {
	for _, d := range []*sdk.Document{m.spec, m.plan, m.tasks} {
		if d != nil && !d.Readable() {
			return true
		}
	}
	return false
}
