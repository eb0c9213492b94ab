package literaturereview

import (
	"github.com/stategate/stategate/sdk"
)

// resume writes the brief of one review.
func resume(p *sdk.Pass, d *sdk.Detection, findings []sdk.Diagnostic) {
	m := p.Model.(*model)
	r := m.named[d.Subject]
	if r == nil || r.abandoned {
		return
	}
	out := &d.Resume
	switch {
	case r.lost:
		m.resumeLost(r, out)
	case r.observed == complete:
		out.ReadFirst = []string{r.rp.path, r.lr.path}
		out.Next = "nothing to do: the review is complete"
		out.Skip = []string{"all"}
	default:
		r.brief(out)
		m.context(r, out)
		out.First = blocker(r, findings)
	}
	if list := m.open(); len(list) > 1 && r.observed != complete {
		if out.First != "" {
			out.Checks = append(out.Checks, out.First)
		}
		out.First = itoa(len(list)) + " reviews are in progress; ask the user which to continue, or whether to start a new one:" + m.choices(list)
	} else if r.observed != complete && !r.lost {
		out.Checks = append(out.Checks, "ask the user: Resume this review, or Start Fresh with a new one")
	}
}

// blocker is the first error about the review.
func blocker(r *review, findings []sdk.Diagnostic) string {
	for i := range findings {
		if f := &findings[i]; f.Subject == r.name && f.Severity == sdk.Error {
			return f.Message
		}
	}
	return ""
}

func (m *model) resumeLost(r *review, out *sdk.Resume) {
	out.First = progressName + " is missing or cannot be read: recover first"
	if r.rp.merge > 0 {
		out.First = progressName + " holds an unresolved merge: resolve it first"
	} else if !r.rp.known {
		out.First = progressName + " cannot be seen here"
	}
	for _, d := range [...]*document{r.rp, r.sm, r.lr} {
		if d.filled {
			out.ReadFirst = append(out.ReadFirst, d.path)
		}
	}
	if r.observed >= 0 {
		out.Context = append(out.Context, "the remaining files show phase "+phaseName(r.observed))
	}
	out.Next = "ask the user how to go on"
	if heals := r.loss(); heals != "" {
		for _, remedy := range m.recoveriesOf(r, heals) {
			out.Remaining = append(out.Remaining, remedy.Title)
		}
	}
}

// context tells of an upgrade.
func (m *model) context(r *review, out *sdk.Resume) {
	upgraded := false
	if m.base != nil {
		was := m.base.named[r.name]
		upgraded = was != nil && was.mode == narrow && r.mode == full
	}
	for _, other := range m.modes(r) {
		upgraded = upgraded || r.mode == full && other.mode == narrow
	}
	if upgraded {
		out.Context = append(out.Context, "upgraded to Full Review: ask the supplementary questions, widen budgets and round cap, search the newly required sources, do the whole of phase 4; completed sources stay")
	}
	for i := range r.over {
		out.Context = append(out.Context, r.over[i].name+" is over its budget: ask the user for a targeted extension, or close the source")
	}
}

// texts are some texts, and how many more there are.
type texts []string

const mostListed = 60

//go:noinline
func (t *texts) add(s string) {
	if len(*t) < mostListed {
		*t = append(*t, s)
	} else if len(*t) == mostListed {
		*t = append(*t, "… and more")
	}
}

func (r *review) settledSources() int {
	n := 0
	for _, s := range r.ordered() {
		if s.settled && offered(r.mode, s.id) && s.id < extraSource {
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
		if r.mode == narrow {
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
