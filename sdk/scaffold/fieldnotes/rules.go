package fieldnotes

import (
	"strconv"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
)

// A file that is not there is a place, too. Where nobody can see whether it is
// there, Known says so, and the rule is silent.
var stateMissing = &sdk.Rule{
	Name: "state-missing", Severity: sdk.Error,
	Doc: "state.json is missing.\n\nWithout it the next session does not know what the last one claimed; a recovery rebuilds it.",
	Check: func(p *sdk.Pass) error {
		if p.Docs.Get("state.json") == nil && p.Docs.Known("state.json") {
			p.Report(sdk.Diagnostic{Range: sdk.At("state.json"), Message: "state.json is missing; the other files prove the phase " + strconv.Quote(p.Detections[0].Observed.Name)})
		}
		return nil
	},
}

// A claim that its files do not prove is what this plugin is for. The finding
// names the value found, the value expected and the place of the other one, and
// brings its own cure.
var phaseBeyondFiles = &sdk.Rule{
	Name: "phase-beyond-files", Severity: sdk.Error,
	Doc: "state.json claims a phase that the files do not prove.\n\nThe next session would skip work that was not done.",
	Check: func(p *sdk.Pass) error {
		d := p.Detections[0]
		if d.Fit != sdk.Ahead || !p.Docs.Complete() { // no error rests on a file that cannot be seen
			return nil
		}
		p.Report(sdk.Diagnostic{
			Range:   sdk.AtPointer("state.json", "/phase"),
			Message: "phase is " + strconv.Quote(d.Claimed) + ", but the files prove " + strconv.Quote(d.Observed.Name),
			Related: []sdk.Related{{Range: sdk.At("plan.md"), Message: answers(p.Model.(*model))}},
			Remedies: []sdk.Remedy{{
				Title: "Set phase to " + d.Observed.Name, Safety: sdk.Safe, Heals: []string{"phase-beyond-files"},
				Edits: []sdk.Edit{
					sdk.SetText("state.json", "/phase", d.Observed.Name),
					sdk.SetNow("state.json", "/updated_at"),
				},
			}},
		})
		return nil
	},
}

func answers(m *model) string {
	return strconv.Itoa(m.answered) + " of " + strconv.Itoa(m.questions) + " questions are ticked; notes: " + strconv.Itoa(m.notes)
}

// An outline finds places in Markdown: each open task is reported at its line.
var questionOpen = &sdk.Rule{
	Name: "question-open", Severity: sdk.Warning,
	Doc: "The report has findings, but a question of plan.md is not ticked.",
	Check: func(p *sdk.Pass) error {
		plan := p.Docs.Get("plan.md")
		if !p.Model.(*model).findings || !plan.Readable() {
			return nil
		}
		for _, task := range plan.Outline().Tasks() {
			if task.Checked() {
				continue
			}
			question := task.Item().Own().Text()
			tick, _ := task.Check()
			p.Report(sdk.Diagnostic{
				Key: question, Range: sdk.AtLine("plan.md", task.Line()),
				Message: "report.md has findings, but this question is not ticked: " + strconv.Quote(question),
				Remedies: []sdk.Remedy{
					{Title: "Tick " + strconv.Quote(question), Safety: sdk.Review, Edits: sdk.Edits("plan.md", tick)},
					{Title: "Answer it", Steps: []string{"Write a note that answers the question.", "Add what it says to the findings.", "Tick the question."}},
				},
			})
		}
		return nil
	},
}

var timestampMalformed = &sdk.Rule{
	Name: "timestamp-malformed", Severity: sdk.Error,
	Doc: "updated_at is not an RFC 3339 time.",
	Check: func(p *sdk.Pass) error {
		m := p.Model.(*model)
		if m.updatedAt == "" || m.dated {
			return nil
		}
		p.Report(sdk.Diagnostic{
			Range:   sdk.AtPointer("state.json", "/updated_at"),
			Message: "updated_at is " + strconv.Quote(m.updatedAt) + ", which is not an RFC 3339 time such as 2026-03-10T12:00:00Z",
			Remedies: []sdk.Remedy{{Title: "Set updated_at to now", Safety: sdk.Review, Edits: []sdk.Edit{
				sdk.SetNow("state.json", "/updated_at"),
			}}},
		})
		return nil
	},
}

// A comparison with the clock goes through the Pass, which remembers for how long
// the answer holds.
var stateStale = &sdk.Rule{
	Name: "state-stale", Severity: sdk.Info,
	Doc: "Nothing was written for stale_days (an option, 14 if it is not set).",
	Check: func(p *sdk.Pass) error {
		m, limit := p.Model.(*model), int(p.Options.Int("stale_days", 14))
		if !m.dated || p.Detections[0].Observed == done {
			return nil
		}
		if days := p.Since(m.updated, instant.Day); days >= limit {
			p.Report(sdk.Diagnostic{
				Range:   sdk.AtPointer("state.json", "/updated_at"),
				Message: "nothing was written for " + strconv.Itoa(days) + " days, at most " + strconv.Itoa(limit-1) + " are expected",
			})
		}
		return nil
	},
}

// A transition rule compares with an earlier revision and is silent without one.
// It is a warning: were it an error, the remedies above, which may set the phase
// back, would break it, and the laws would say so.
var phaseWentBack = &sdk.Rule{
	Name: "phase-went-back", Severity: sdk.Warning,
	Doc: "The phase is before that of the earlier revision, and no transition leads there.",
	Check: func(p *sdk.Pass) error {
		if p.Base.State != sdk.BaseAt {
			return nil
		}
		was, is := phaseOf(p.Base.Docs), investigation.Phase(p.Model.(*model).phase)
		if was == nil || is == nil || is.Number >= was.Number || permitted(was, is) {
			return nil
		}
		p.Report(sdk.Diagnostic{
			Range:   sdk.AtPointer("state.json", "/phase"),
			Message: "phase is " + strconv.Quote(is.Name) + ", but it was " + strconv.Quote(was.Name) + " in the earlier revision",
			Remedies: []sdk.Remedy{{Title: "Decide which is right", Steps: []string{
				"If the work was really undone, commit that first with phase " + strconv.Quote(is.Name) + " in a commit that says why.",
				"Otherwise set phase back to " + strconv.Quote(was.Name) + ".",
			}}},
		})
		return nil
	},
}

func phaseOf(docs sdk.Docs) *sdk.Phase {
	state, m := docs.Get("state.json"), &model{}
	if !state.Readable() || m.readState(state.Text) != nil {
		return nil
	}
	return investigation.Phase(m.phase)
}

func permitted(from, to *sdk.Phase) bool {
	for _, t := range investigation.Transitions {
		if t.From == from.Name && t.To == to.Name {
			return true
		}
	}
	return false
}
