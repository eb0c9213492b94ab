package sdktest_test

import (
	"strconv"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/sdktest"
)

// toy is a workflow with one state file and one result.
func toy() *sdk.Workflow {
	return &sdk.Workflow{
		Name: "toy", Version: "1.0.0", Doc: "A toy.\n\nIt keeps a phase in state.json and ends with result.md.",
		Requires: []string{"clock", "outline", "summary"},
		Roots:    []sdk.Root{{Dir: "runs/*", Markers: []string{"state.json", "result.md"}}},
		Documents: []sdk.DocumentSpec{
			{Glob: "state.json", Format: sdk.JSON, Need: sdk.Content, Schema: "state"},
			{Glob: "result.md", Format: sdk.Markdown, Need: sdk.Content},
			{Glob: "notes/*.md", Format: sdk.Markdown, Need: sdk.Summary},
			{Glob: "notes/"},
		},
		Schemas: map[string]string{"state": `{"type": "object", "properties": {"phase": {"type": "string", ` +
			`"enum": ["draft", "done", "someone else's"]}}}`},
		Lifecycles: []*sdk.Lifecycle{life},
		Rules:      []*sdk.Rule{doneWithoutResult(), stateStale()},
		Prepare:    prepare,
		Detect:     detect,
		Recover:    recoverState,
		Resume: func(p *sdk.Pass, d *sdk.Detection, _ []sdk.Diagnostic) {
			d.Resume.Next = "write result.md"
			if d.Observed == done {
				d.State, d.Resume.Next = sdk.Finished, ""
			}
		},
	}
}

var (
	draft = &sdk.Phase{Name: "draft", Number: 1, Title: "Draft", Doc: "Being written."}
	done  = &sdk.Phase{Name: "done", Number: 2, Title: "Done", Doc: "There is a result."}
	life  = &sdk.Lifecycle{Name: "run", Doc: "One run.", Phases: []*sdk.Phase{draft, done}}
)

type model struct {
	phase   string
	updated instant.Time
	broken  bool
}

func prepare(p *sdk.Pass) (any, error) {
	m := &model{}
	state := p.Docs.Get("state.json")
	if !state.Readable() {
		m.broken = state != nil
		return m, nil
	}
	doc, err := jsondoc.Parse(state.Text)
	if err != nil {
		return nil, err
	}
	m.phase, _ = doc.Root().Get("phase").Text()
	updated, _ := doc.Root().Get("updated").Text()
	m.updated, _ = instant.Parse(updated)
	return m, nil
}

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if m.phase == "someone else's" {
		return nil, sdk.NotMine("state.json has a phase of another tool")
	}
	d := sdk.Detection{Lifecycle: life, Claimed: m.phase, Observed: draft, Fit: sdk.Consistent,
		Progress: sdk.Progress{Done: 1, Total: 2, Unit: "phases"}}
	if p.Docs.Get("result.md") != nil {
		d.Observed, d.Because = done, []sdk.Range{sdk.At("result.md")}
	}
	d.Facts = []sdk.Fact{
		sdk.IntFact("notes", "Notes", int64(len(p.Docs.Match("notes/*.md")))),
		sdk.TableFact("words", "Words", []string{"note", "words"}, words(p)),
	}
	return []sdk.Detection{d}, nil
}

func words(p *sdk.Pass) [][]string {
	var rows [][]string
	for _, d := range p.Docs.Match("notes/*.md") {
		rows = append(rows, []string{d.Path, strconv.Itoa(d.Summary.Words)})
	}
	return rows
}

func doneWithoutResult() *sdk.Rule {
	return &sdk.Rule{Name: "done-without-result", Doc: "The phase is done and result.md is missing.",
		Severity: sdk.Error, Check: func(p *sdk.Pass) error {
			if p.Model.(*model).phase != "done" || p.Docs.Get("result.md") != nil || !p.Docs.Known("result.md") {
				return nil
			}
			p.Report(sdk.Diagnostic{
				Range: sdk.AtPointer("state.json", "/phase"), Message: `phase is "done", but result.md is missing`,
				Related: []sdk.Related{{Range: sdk.At("result.md"), Message: "expected here"}},
				Remedies: []sdk.Remedy{
					{Title: "Set phase to draft", Safety: sdk.Safe, Fixes: []string{"done-without-result"},
						Edits: []sdk.Edit{
							sdk.Set("state.json", "/phase", `"draft"`), sdk.Set("state.json", "/updated", `"${now}"`)}},
					{Title: "Write the result", Steps: []string{"Write result.md."}},
				},
			})
			return nil
		}}
}

func stateStale() *sdk.Rule {
	return &sdk.Rule{Name: "state-stale", Doc: "The state has not changed for a month.", Severity: sdk.Warning,
		Check: func(p *sdk.Pass) error {
			updated := p.Model.(*model).updated
			if updated.IsZero() || p.Docs.Get("result.md") != nil {
				return nil
			}
			if days := p.Since(updated, instant.Day); days >= 30 {
				p.Report(sdk.Diagnostic{Range: sdk.AtPointer("state.json", "/updated"),
					Message: "updated " + strconv.Itoa(days) + " days ago"})
			}
			return nil
		}}
}

func recoverState(p *sdk.Pass) ([]sdk.Remedy, error) {
	if !p.Model.(*model).broken {
		return nil, nil
	}
	phase := "draft"
	if p.Docs.Get("result.md") != nil {
		phase = "done"
	}
	if len(p.Docs.Get("state.json").Faults) > 0 && p.Docs.Get("state.json").Faults[0].Rule == "not-a-file" {
		return []sdk.Remedy{{Title: "Replace state.json by a file",
			Steps: []string{"Remove the file or directory state.json."}}}, nil
	}
	return []sdk.Remedy{{Title: "Rebuild state.json", Safety: sdk.Review, Fixes: []string{"unreadable-document"},
		Edits: []sdk.Edit{
			sdk.Aside("state.json", "broken"), sdk.Create("state.json", "{\n  \"phase\": \""+phase+"\"\n}\n")}}}, nil
}

func Test(t *testing.T) { sdktest.Run(t, toy()) }

func Fuzz(f *testing.F) { sdktest.Fuzz(f, toy()) }
