package literaturereview

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := modelOf(p)
	if m.mine != "" {
		return nil, sdk.NotMine(m.mine)
	}
	list := make([]sdk.Detection, len(m.reviews))
	for i, r := range m.reviews {
		d := &list[i]
		d.Lifecycle, d.Subject, d.Claimed, d.Fit, d.Because, d.State = lifecycle, r.name, r.claim.text, r.fit,
			r.evidence(), r.state()
		d.Files = []string{sdk.FilesBelow(r.name)}
		if r.observed >= 0 {
			d.Observed = lifecycle.Phases[r.observed]
		}
		d.Progress.Done, d.Progress.Total, d.Progress.Unit = r.progress()
		if !r.lost {
			d.Facts = []sdk.Fact{sdk.TextFact("mode", "Mode", modeName(r.mode)),
				sdk.TextFact("stage", "Stage", r.substate()),
				sdk.IntFact("papers", "Papers tracked", int64(len(r.papers)))}
		}
	}
	return list, nil
}

func (r *review) state() sdk.State {
	switch {
	case r.abandoned:
		return sdk.Abandoned
	case r.lost || r.claim.phase < 0:
		return sdk.Blocked
	case r.observed == complete && (r.row == nil || r.row.status != rowInProgress):
		return sdk.Finished
	}
	return sdk.Active
}

// evidence returns the locations that the phase is based on: the Status, the first source that was begun, and the first
// paper.
func (r *review) evidence() []sdk.Range {
	var list []sdk.Range
	places := []*value{r.statusField()}
	if s := r.begun(); s != nil {
		places = append(places, s.whole())
	}
	if len(r.papers) > 0 {
		places = append(places, r.papers[0].whole())
	}
	for _, v := range places {
		if v.ok() {
			list = append(list, v.at())
		}
	}
	return list
}

// substate returns the part of its phase that a review is in: a source, a stage, or the number of checks.
func (r *review) substate() string {
	switch r.observed {
	case searching:
		isOpen := func(s *source) bool { return (!s.settled() || s.isShort()) && r.offered(s.id) }
		if s := first(r.ordered(), isOpen); s != nil {
			return s.name
		}
		return "every source is settled"
	case organizing:
		if r.stage == stageDone && len(r.uncheckedDOIs()) > 0 {
			return stageNames[stage3E]
		}
		return stageNames[r.stage]
	case antagonizing:
		if done, all, _ := r.progress(); all > 0 {
			return say.Int(done) + " of " + say.Count(all, "check")
		}
	}
	return ""
}
