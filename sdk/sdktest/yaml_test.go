package sdktest_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/sdktest"
)

// sprint is a workflow that keeps its state in YAML and reads it like JSON.
func sprint() *sdk.Workflow {
	begun := &sdk.Phase{Name: "begun", Number: 1, Title: "Begun", Doc: "There are stories."}
	life := &sdk.Lifecycle{Name: "sprint", Doc: "One sprint.", Phases: []*sdk.Phase{begun}}
	stories := func(p *sdk.Pass) []jsondoc.Member {
		d := p.Docs.Get("sprint.yaml")
		if !d.Readable() {
			return nil
		}
		doc, err := jsondoc.Parse(d.Text)
		if err != nil {
			return nil
		}
		return doc.Root().Get("stories").Members()
	}
	return &sdk.Workflow{
		Name: "sprint", Version: "1.0.0", Doc: "A sprint.\n\nIts stories are in sprint.yaml.",
		Roots: []sdk.Root{{Dir: "sprints/*", Markers: []string{"sprint.yaml"}}},
		Documents: []sdk.DocumentSpec{{Glob: "sprint.yaml", Format: sdk.YAML, Need: sdk.Content},
			{Glob: "*.md", Need: sdk.Content}},
		Lifecycles: []*sdk.Lifecycle{life},
		Rules: []*sdk.Rule{{Name: "done-without-story", Severity: sdk.Error, Doc: "A story is done and has no file.",
			Check: func(p *sdk.Pass) error {
				for _, m := range stories(p) {
					if status, _ := m.Value.Text(); status != "done" || p.Docs.Get(m.Key+".md") != nil ||
						!p.Docs.Known(m.Key+".md") {
						continue
					}
					at := "/stories/" + jsondoc.EscapeToken(m.Key)
					p.Report(sdk.Diagnostic{
						Range: sdk.AtPointer("sprint.yaml", at), Subject: m.Key,
						Message: m.Key + " is done, but " + m.Key + ".md is missing",
						Remedies: []sdk.Remedy{
							{Title: "Set " + m.Key + " to backlog", Safety: sdk.Safe,
								Fixes: []string{"done-without-story"},
								Edits: []sdk.Edit{
									sdk.Set("sprint.yaml", at, `"backlog"`),
									sdk.Set("sprint.yaml", "/notes/-", `"reopened by stategate: `+m.Key+`"`)}},
							{Title: "Drop " + m.Key, Safety: sdk.Review, Fixes: []string{"done-without-story"},
								Edits: []sdk.Edit{sdk.Unset("sprint.yaml", at)}},
						},
					})
				}
				return nil
			}}},
		Detect: func(*sdk.Pass) ([]sdk.Detection, error) {
			return []sdk.Detection{{Lifecycle: life, Observed: begun, Fit: sdk.FitUnknown}}, nil
		},
	}
}

const tracker = `# The sprint that ends on Friday.
stories:
  1-1-log-in: done    # merged
  1-2-log-out: done # not merged
  1-3-reset: backlog

notes:
- keep the order
`

func TestYAML(t *testing.T) {
	files := sdktest.Files{"sprint.yaml": tracker, "1-1-log-in.md": "# Log in\n"}
	look := sdktest.Look(t, sprint(), files, nil)
	if len(look.Findings) != 1 {
		t.Fatalf("found %v", look.Findings)
	}
	f := look.Findings[0]
	if f.Place.Line != 4 || f.Place.Column != 16 || f.Place.Excerpt != "  1-2-log-out: done # not merged" {
		t.Errorf("found at %+v", f.Place)
	}
	wants := []string{
		strings.NewReplacer("log-out: done", "log-out: backlog", "order\n",
			"order\n- \"reopened by stategate: 1-2-log-out\"\n").Replace(tracker),
		strings.Replace(tracker, "  1-2-log-out: done # not merged\n", "", 1),
	}
	if len(f.Remedies) != len(wants) {
		t.Fatalf("found the remedies %+v, withdrawn %+v", f.Remedies, look.Withdrawn)
	}
	for i, want := range wants {
		result, err := edit.Apply(edit.Files{"sprint.yaml": {Data: []byte(tracker)}}, f.Remedies[i].Edits, edit.Env{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(result.Files["sprint.yaml"].Data); got != want {
			t.Errorf("%s: got %s, want %s", f.Remedies[i].Title, got, want)
		}
	}
}
