// Package fieldnotes is the fieldnotes workflow: an investigation over several sessions, in a directory
// .fieldnotes/<name>/. It has state.json (the phase and the time of the last change), plan.md (questions), notes/
// and report.md (with a Findings section). state.json claims a phase; the files prove one.
package fieldnotes

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/ladder"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/state"
)

// Workflow is the fieldnotes workflow.
var Workflow = &sdk.Workflow{
	Name: "fieldnotes", Version: "0.1.0",
	Doc: "Field notes: an investigation in one directory.\n\nAn agent plans questions, collects notes and " +
		"writes a report.",
	Requires: []string{"base", "clock", "outline", "summary"},
	Roots:    []sdk.Root{{Dir: ".fieldnotes/*", Markers: []string{"state.json", "plan.md", "report.md"}, Unique: true}},
	Documents: []sdk.DocumentSpec{
		{Glob: "state.json", Format: sdk.JSON, Need: sdk.Content, Schema: "state"},
		{Glob: "{plan,report}.md", Format: sdk.Markdown, Need: sdk.Content},
		{Glob: "notes/*.md", Need: sdk.Counted}, // sizes and words are enough: long notes never enter the sandbox
	},
	Schemas:    map[string]string{"state": `{"type": "object"}`},
	Lifecycles: []*sdk.Lifecycle{investigation}, Rules: check.Declare(rules, view),
	Prepare: prepare, Detect: detect, Recover: rebuild, Resume: resume,
}

var investigation = &sdk.Lifecycle{
	Name: "investigation", Doc: "One investigation, from its questions to its report.",
	Phases: []*sdk.Phase{
		{Name: "plan", Number: 1, Doc: "The questions are being written down."},
		{Name: "collect", Number: 2, Doc: "plan.md asks questions; notes answer them."},
		{Name: "report", Number: 3, Doc: "There are notes and every question is ticked."},
		{Name: "done", Number: 4, Doc: "report.md has findings."},
	},
	Transitions: []sdk.Transition{{From: "plan", To: "collect"}, {From: "collect", To: "report"},
		{From: "report", To: "done"}},
}

var spec = state.Spec{Fields: []state.Field{
	{At: "/phase", Kind: state.Word, Words: ladder.Names(investigation)},
	{At: "/updated_at", Kind: state.Moment, Base: state.Advances},
}}

// A model is the parsed content of the documents.
type model struct {
	state, base *state.Doc // now and in the base
	claim       int        // index of the phase in state.json, or -1
	questions   []markdown.Task
	open        []string
	ladder      ladder.Ladder
}

func prepare(p *sdk.Pass) (any, error) {
	m := &model{state: spec.Read("state.json", p.Docs.Get("state.json")),
		base: spec.Read("state.json", p.Base.Docs.Get("state.json"))}
	m.claim, m.questions = m.state.Get("/phase").Place, p.Docs.Get("plan.md").Outline().Tasks()
	for _, q := range m.questions {
		if !q.Checked() {
			m.open = append(m.open, q.Item().Own().Text())
		}
	}
	answered := len(m.questions) > 0 && m.open == nil && len(p.Docs.Match("notes/*.md")) > 0
	unseen := !p.Docs.Complete() // never report an error about a file that cannot be seen
	m.ladder = ladder.Ladder{Life: investigation, Rungs: []ladder.Rung{
		{Proved: true},
		{Proved: len(m.questions) > 0, Says: "plan.md has questions", Lacks: "plan.md has no question", Unseen: unseen},
		{Proved: answered, Says: "every question is ticked", Lacks: "a question is open or there are no notes",
			Unseen: unseen},
		{Proved: p.Docs.Get("report.md").Outline().Find("Findings").Body().Paragraph().OK(),
			Says: "report.md has findings", Lacks: "report.md has no findings", Unseen: unseen},
	}}
	return m, nil
}

// detect declines a directory without any of our files. Otherwise it returns the claimed and the proved phase.
func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if m.state.Doc == nil && m.ladder.Top() == 0 {
		return nil, sdk.NotMine("there is no state.json, no question in plan.md and no finding in report.md")
	}
	return []sdk.Detection{{
		Lifecycle: investigation, Claimed: m.state.Get("/phase").Text, Observed: m.ladder.Observed(),
		Fit:      m.ladder.Fit(m.claim),
		Progress: sdk.Progress{Done: len(m.questions) - len(m.open), Total: len(m.questions), Unit: "questions"},
	}}, nil
}

// view returns the model for each rule; every remedy that changes the state also sets updated_at.
func view(r *check.Report) (*model, check.Needs) {
	m := r.Model.(*model)
	r.Finish = func(edits []sdk.Edit) []sdk.Edit { return m.state.Touch(r.Pass, edits) }
	return m, 0
}

var rules = []check.Rule[*model]{
	{Name: "state-missing", Severity: sdk.Error, Find: stateMissing, Doc: "state.json is missing.",
		Why: "The next session does not know what the last one claimed.", Fix: "A recovery option rebuilds it."},
	{Name: "unknown-phase", Severity: sdk.Error, Doc: "The phase is not one of the workflow.",
		Find: func(r *check.Report, m *model) {
			m.state.Unknown(r, func(*state.Value) string { return m.ladder.Observed().Name })
		}},
	{Name: "phase-ahead", Severity: sdk.Error, Doc: "state.json claims a phase that the files do not prove.",
		Find: func(r *check.Report, m *model) { m.ladder.Ahead(r, sdk.AtPointer("state.json", "/phase"), m.claim) }},
	{Name: "phase-behind", Severity: sdk.Warning, Doc: "The files prove two phases more than state.json claims.",
		Find: func(r *check.Report, m *model) { m.ladder.Behind(r, sdk.AtPointer("state.json", "/phase"), m.claim) }},
	{Name: "timestamp-malformed", Severity: sdk.Error, Doc: "updated_at is not a time.",
		Find: func(r *check.Report, m *model) { m.state.Malformed(r) }},
	{Name: "updated-not-advanced", Severity: sdk.Warning, Doc: "The state changed, and updated_at did not.",
		Needs: check.OnBase, Find: func(r *check.Report, m *model) { m.state.NotAdvanced(r, m.base) }},
	{Name: "question-open", Severity: sdk.Warning,
		Doc: "The report has findings, but a question of plan.md is not ticked.", Find: questionOpen},
}

// A location can be a missing file. If the file may be hidden, Known returns false and the rule stays silent.
func stateMissing(r *check.Report, m *model) {
	if m.state.Doc == nil && r.Docs.Known("state.json") {
		r.Whole("state.json", "state.json is missing; the other files prove the phase "+m.ladder.Observed().Name)
	}
}

// The outline gives locations in Markdown, so each open question is reported on its line. No remedy ticks it,
// because nothing proves that it was answered.
func questionOpen(r *check.Report, m *model) {
	for _, q := range m.questions {
		if !q.Checked() && m.ladder.Top() == 3 {
			question := q.Item().Own().Text()
			r.At(sdk.AtLine("plan.md", q.Line()), "report.md has findings, but this question is not ticked: "+
				say.Quote(question)).Keyed(question).
				Advise("Answer it", "Write a note that answers the question.", "Add what it says to the findings.",
					"Tick the question.")
		}
	}
}

// rebuild proposes a new state.json if it is missing or unreadable. The old file is renamed and kept.
func rebuild(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := p.Model.(*model)
	if m.state.OK || !p.Docs.Known("state.json") {
		return nil, nil
	}
	text := jsondoc.NewObject().String("phase", m.ladder.Observed().Name).String("updated_at", sdk.NowInEdit).Text()
	heals, edits := []string{"state-missing"}, []sdk.Edit{sdk.Create("state.json", text)}
	if m.state.Doc != nil {
		heals, edits = []string{"unreadable-document", "not-a-file"},
			[]sdk.Edit{sdk.Aside("state.json", "broken"), edits[0]}
	}
	return []sdk.Remedy{{Title: "Rebuild state.json from the other files", Safety: sdk.Review, Fixes: heals,
		Edits: edits}}, nil
}

// resume writes the brief for the next session. It runs last, so that it has the rules' findings.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, b := p.Model.(*model), brief.Of(p, d, found)
	b.Read("state.json", "plan.md", "report.md")
	b.Do([]string{"write the questions into plan.md, as a task list",
		"answer the next question in notes/ and tick it in plan.md", "write report.md with a section Findings",
		"settle the findings: everything is written"}[m.ladder.Top()])
	if b.First != "" {
		d.State = sdk.Blocked
	} else if m.ladder.Top() == 3 {
		d.State, m.open, d.Resume.Next = sdk.Finished, nil, ""
	}
	b.Left(m.open...)
}
