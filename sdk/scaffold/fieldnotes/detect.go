package fieldnotes

import (
	"github.com/stategate/stategate/sdk"
)

// detect says which phase the investigation claims and which one its files prove.
// A directory without any word of ours is somebody else's: sdk.NotMine declines it.
func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if m.phase == "" && m.questions == 0 && !m.findings && p.Docs.Get("state.json") == nil {
		return nil, sdk.NotMine("there is no state.json, no question in plan.md and no finding in report.md")
	}
	observed := m.observed()
	return []sdk.Detection{{
		Lifecycle: investigation,
		Claimed:   m.phase,
		Observed:  observed,
		Fit:       fit(investigation.Phase(m.phase), observed),
		Because:   evidence(p, observed),
		Progress:  sdk.Progress{Done: m.answered, Total: m.questions, Unit: "questions"},
		Facts: []sdk.Fact{
			sdk.IntFact("notes", "Notes", int64(m.notes)),
			sdk.IntFact("words", "Words in notes", int64(m.words)),
		},
		Pick: sdk.Pick{Key: m.updatedAt, Eligible: observed != done},
	}}, nil
}

// fit compares a claim with the files. One phase behind them is no fault: the
// agent writes the file first and state.json after it.
func fit(claimed, observed *sdk.Phase) sdk.Fit {
	switch {
	case claimed == nil:
		return sdk.FitUnknown
	case claimed.Number == observed.Number:
		return sdk.Fits
	case claimed.Number == observed.Number-1:
		return sdk.Lags
	case claimed.Number < observed.Number:
		return sdk.Behind
	}
	return sdk.Ahead
}

// evidence names the documents that prove a phase, the strongest first.
func evidence(p *sdk.Pass, observed *sdk.Phase) []sdk.Range {
	var list []sdk.Range
	for _, e := range []struct {
		from *sdk.Phase
		path string
	}{{done, "report.md"}, {collect, "plan.md"}} {
		if observed.Number >= e.from.Number && p.Docs.Get(e.path) != nil {
			list = append(list, sdk.At(e.path))
		}
	}
	return list
}
