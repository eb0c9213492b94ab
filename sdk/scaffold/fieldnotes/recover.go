package fieldnotes

import (
	"strconv"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// recoverState rebuilds a state.json that is gone or cannot be read from what
// the other files prove. What was there is kept aside.
func recoverState(p *sdk.Pass) ([]sdk.Remedy, error) {
	state := p.Docs.Get("state.json")
	if state.Readable() || !p.Docs.Known("state.json") {
		return nil, nil
	}
	text := jsondoc.NewObject().
		String("phase", p.Detections[0].Observed.Name).
		String("updated_at", sdk.NowInEdit).Text()
	r := sdk.Remedy{Title: "Rebuild state.json from the other files", Safety: sdk.Review, Heals: []string{"state-missing"}, Edits: []sdk.Edit{sdk.Create("state.json", text)}}
	if state != nil {
		r.Heals = []string{"unreadable-document", "not-a-file"}
		r.Edits = append([]sdk.Edit{sdk.Aside("state.json", "broken")}, r.Edits...)
	}
	return []sdk.Remedy{r}, nil
}

// resume writes the brief of whoever goes on. It comes last and knows what the
// rules have found.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, r := p.Model.(*model), &d.Resume
	d.State = sdk.Active
	for _, f := range found {
		if f.Severity == sdk.Error {
			d.State, r.First = sdk.Blocked, "settle "+f.Rule
			break
		}
	}
	for _, path := range []string{"state.json", "plan.md", "report.md"} {
		if p.Docs.Get(path) != nil {
			r.ReadFirst = append(r.ReadFirst, path)
		}
	}
	switch d.Observed {
	case plan:
		r.Next = "write the questions into plan.md, as a task list"
	case collect:
		r.Next = "answer the next question in notes/ and tick it in plan.md"
		r.Remaining = []string{strconv.Itoa(m.questions-m.answered) + " of " + strconv.Itoa(m.questions) + " questions"}
	case report:
		r.Next = "write report.md with a section Findings"
		r.Skip = []string{"collecting: every question is ticked"}
	case done:
		if d.State == sdk.Active {
			d.State = sdk.Finished
		}
	}
}
