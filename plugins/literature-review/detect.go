package literaturereview

import (
	"github.com/stategate/stategate/sdk"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if m.mine != "" {
		return nil, sdk.NotMine(m.mine)
	}
	list := make([]sdk.Detection, len(m.reviews))
	for i, r := range m.reviews {
		d := &list[i]
		d.Lifecycle, d.Subject, d.Claimed, d.Fit = lifecycle, r.name, r.claim.text, r.fit
		if r.observed >= 0 {
			d.Observed = lifecycle.Phases[r.observed]
		}
		d.Because = r.evidence()
		d.State = r.state()
		d.Progress.Done, d.Progress.Total, d.Progress.Unit = r.progress()
		d.Facts = r.facts()
	}
	return list, nil
}

func (r *review) state() sdk.State {
	switch {
	case r.abandoned:
		return sdk.Abandoned
	case r.lost || r.claim.phase < 0:
		return sdk.Blocked
	case r.observed == complete:
		return sdk.Finished
	}
	return sdk.Active
}

// evidence are the places that the phase rests on.
func (r *review) evidence() []sdk.Range {
	var list []sdk.Range
	add := func(d *document, at place) {
		if at.OK() {
			list = append(list, d.place(at))
		}
	}
	for _, f := range r.status[:min(len(r.status), 1)] {
		add(r.rp, f)
	}
	for i := range r.concepts[:min(len(r.concepts), 1)] {
		add(r.rp, r.concepts[i])
	}
	if s := r.begun(); s != nil {
		add(r.rp, s)
	}
	for _, p := range r.papers[:min(len(r.papers), 1)] {
		add(r.rp, p)
	}
	for _, e := range r.entries[:min(len(r.entries), 1)] {
		add(r.lr, e)
	}
	for _, t := range r.checks {
		if t.Checked() {
			add(r.rp, t)
			break
		}
	}
	return list
}

func (r *review) facts() []sdk.Fact {
	if r.lost {
		return nil
	}
	list := []sdk.Fact{sdk.TextFact("mode", "Mode", modeName(r.mode)), sdk.TextFact("stage", "Stage", r.substate())}
	for i, n := range [...]int{len(r.concepts), r.settledSources(), len(r.papers), r.kept(), len(r.entries), r.ticked} {
		name := [...]string{"concepts", "sources_settled", "papers", "papers_kept", "entries", "checks"}[i]
		title := [...]string{"Concepts", "Sources settled", "Papers tracked", "Papers kept", "Entries", "Checks ticked"}[i]
		list = append(list, sdk.IntFact(name, title, int64(n)))
	}
	return list
}
func (r *review) settledSources() int {
	n := 0
	for _, s := range r.ordered() {
		if s.settled && r.offered(s.id) && (s.id < extraSource || r.ownSources) {
			n++
		}
	}
	return n
}

// progress counts what is done in the observed phase.
func (r *review) progress() (done, total int, unit string) {
	switch r.observed {
	case initializing:
		return 0, 2, "concepts"
	case interviewing:
		for i := range r.concepts {
			if r.concepts[i].lacks == "" {
				done++
			}
		}
		return done, max(2, len(r.concepts)), "concepts"
	case searching:
		total = extraSource
		if r.ownSources {
			total = len(r.ordered())
		} else if r.mode == narrow {
			total = extraSource - 2
		}
		return r.settledSources(), total, "sources"
	case organizing:
		for _, p := range r.papers {
			if p.stage == stageDone && p.rank != excluded {
				done++
			}
		}
		return done, r.kept(), "papers"
	case antagonizing:
		n := r.due()
		return n - len(r.openChecks(n)), n, "checks"
	case synthesizing:
		_, all := r.steps()
		for _, is := range all {
			if is {
				done++
			}
		}
		return done, len(all), "steps"
	case complete:
		return r.kept(), r.kept(), "papers"
	}
	return 0, 0, ""
}

// substate says where in its phase a review is.
func (r *review) substate() string {
	switch r.observed {
	case searching:
		if s := r.current(); s != nil {
			return s.name
		}
		return "every source is settled"
	case organizing:
		return stageNames[r.stage]
	case antagonizing:
		n := r.due()
		return itoa(n-len(r.openChecks(n))) + " of " + itoa(n) + " checks"
	}
	return ""
}
