package ladder_test

import (
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/ladder"
	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/state"
)

var life = &sdk.Lifecycle{Name: "note", Doc: "d", Phases: []*sdk.Phase{
	{Name: "draft", Number: 1, Doc: "d"}, {Name: "review", Number: 2, Doc: "d"}, {Name: "print", Number: 3, Doc: "d"},
	{Name: "done", Number: 4, Doc: "d"},
}}

var spec = state.Spec{Fields: []state.Field{{At: "/phase", Kind: state.Word, Words: ladder.Names(life)}}}

type model struct {
	claim  int
	ladder ladder.Ladder
}

func prepare(p *sdk.Pass) (any, error) {
	has := func(path string) bool { return p.Docs.Get(path) != nil }
	unseen := func(path string) bool { return !p.Docs.Known(path) }
	return &model{spec.Read("state.json", p.Docs.Get("state.json")).Get("/phase").Place,
		ladder.Ladder{Life: life, Rungs: []ladder.Rung{
			{Proved: true},
			{Proved: has("draft.md"), Says: "draft.md is there", Lacks: "there is no draft.md",
				Unseen: unseen("draft.md"),
				Early:  true},
			{Proved: has("review.md"), Says: "review.md is there", Lacks: "there is no review.md",
				Unseen: unseen("review.md")},
			{Proved: has("print.md"), Says: "print.md is there", Lacks: "there is no print.md",
				Unseen: unseen("print.md")},
		}}}, nil
}

var rules = []check.Rule[*model]{
	{Name: "phase-behind", Severity: sdk.Warning, Doc: "d", Find: func(r *check.Report, m *model) {
		m.ladder.Behind(r, sdk.AtPointer("state.json", "/phase"), m.claim)
	}},
	{Name: "phase-ahead", Severity: sdk.Warning, Doc: "d", Find: func(r *check.Report, m *model) {
		m.ladder.Ahead(r, sdk.AtPointer("state.json", "/phase"), m.claim)
	}},
}

var workflow = &sdk.Workflow{
	Name: "notes", Version: "1.0.0", Doc: "d", Requires: []string{"outline"},
	Roots: []sdk.Root{{Dir: ".notes/*", Markers: []string{"state.json"}}},
	Documents: []sdk.DocumentSpec{{Glob: "state.json", Format: sdk.JSON, Need: sdk.Content},
		{Glob: "*.md", Need: sdk.Listed}},
	Lifecycles: []*sdk.Lifecycle{life}, Prepare: prepare,
	Rules: check.Declare(rules, func(r *check.Report) (*model, check.Needs) { return r.Model.(*model), 0 }),
	Detect: func(p *sdk.Pass) ([]sdk.Detection, error) {
		m := p.Model.(*model)
		return []sdk.Detection{{Lifecycle: life, Observed: m.ladder.Observed(), Fit: m.ladder.Fit(m.claim)}}, nil
	},
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		phase, until string
		fit          sdk.Fit
		want         string
	}{
		{"draft", "", sdk.Consistent, ""},
		{"review", "", sdk.Consistent, ""},
		{"print", "", sdk.Ahead, "phase-ahead: phase is print, but there is no draft.md\n"},
		{"print", "draft", sdk.Ahead, "phase-ahead: phase is print, but there is no review.md\n"},
		{"draft", "draft", sdk.JustBehind, ""},
		{"draft", "review", sdk.Behind, "phase-behind: phase is draft; expected print: review.md is there\n"},
		{"done", "print", sdk.Consistent, ""},
		{"run", "draft", sdk.FitUnknown, ""},
	} {
		files := sdktest.Files{"state.json": `{"phase": "` + c.phase + `"}`}
		for _, name := range []string{"draft", "review", "print"} {
			if c.until == "" {
				break
			}
			files[name+".md"] = "x"
			if name == c.until {
				break
			}
		}
		look := sdktest.Look(t, workflow, files, nil)
		if fit := look.Report.Detections[0].Fit; fit != c.fit {
			t.Errorf("%s with files up to %q: fit %v, expected %v", c.phase, c.until, fit, c.fit)
		}
		if got := sdktest.Findings(t, workflow, files, nil); got != c.want {
			t.Errorf("%s with files up to %q: %s", c.phase, c.until, got)
		}
	}
}
