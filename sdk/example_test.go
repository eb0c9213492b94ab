package sdk_test

import (
	"fmt"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// This is a whole workflow on one screen. Its rule reports a note that is marked done before it is written.
func Example() {
	draft := &sdk.Phase{Name: "draft", Number: 1}
	done := &sdk.Phase{Name: "done", Number: 2}
	life := &sdk.Lifecycle{Name: "note", Phases: []*sdk.Phase{draft, done}}

	doneWithoutText := &sdk.Rule{
		Name: "done-without-text", Severity: sdk.Error, Doc: "A note is marked done, but note.md is empty.",
		Check: func(p *sdk.Pass) error {
			if d := p.Detections[0]; d.Claimed != "done" || d.Observed == done || !p.Docs.Known("note.md") {
				return nil
			}
			p.Report(sdk.Diagnostic{
				Range: sdk.AtPointer("state.json", "/phase"), Message: `phase is "done", but note.md is empty`,
				Remedies: []sdk.Remedy{{
					Title: "Set phase to draft", Safety: sdk.Safe,
					Edits: []sdk.Edit{sdk.Set("state.json", "/phase", `"draft"`)},
				}},
			})
			return nil
		},
	}
	notes := &sdk.Workflow{
		Name: "notes", Version: "1.0.0", Doc: "Notes that agents take.",
		Roots: []sdk.Root{{Dir: ".notes/*", Markers: []string{"state.json"}}},
		Documents: []sdk.DocumentSpec{
			{Glob: "state.json", Format: sdk.JSON, Need: sdk.Content},
			{Glob: "note.md", Format: sdk.Markdown, Need: sdk.Summary},
		},
		Lifecycles: []*sdk.Lifecycle{life},
		Rules:      []*sdk.Rule{doneWithoutText},
		Detect: func(p *sdk.Pass) ([]sdk.Detection, error) {
			d := sdk.Detection{Lifecycle: life, Observed: draft}
			if state := p.Docs.Get("state.json"); state.Readable() {
				doc, err := jsondoc.Parse(state.Text)
				if err != nil {
					return nil, err
				}
				d.Claimed, _ = doc.Root().Get("phase").Text()
			}
			if note := p.Docs.Get("note.md"); note != nil && note.Summary.Words > 0 {
				d.Observed = done
			}
			return []sdk.Detection{d}, nil
		},
	}

	fmt.Print(look(notes, fixture.Entry{Path: "state.json", Data: []byte(`{"phase": "done"}`)}))
	// Output: note: claimed done, observed draft, unknown, active
	//
	// state.json:1:11: error done-without-text: phase is "done", but note.md is empty
	//   safe: Set phase to draft
	//     set state.json#/phase "draft"
}

// look evaluates one instance the way a host does.
func look(w *sdk.Workflow, files ...fixture.Entry) string {
	kit, err := fixture.NewKit(w.Manifest(), fixture.Native(w))
	if err != nil {
		return err.Error()
	}
	l, err := kit.Look(fixture.World{Header: fixture.Header{Root: ".notes/heron", Name: "heron"}, Files: files})
	if err != nil {
		return err.Error()
	}
	return l.Text()
}
