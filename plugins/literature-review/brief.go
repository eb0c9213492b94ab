package literaturereview

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
)

// resume writes the brief of one review.
func resume(p *sdk.Pass, d *sdk.Detection, findings []sdk.Diagnostic) {
	m := modelOf(p)
	r := m.named[d.Subject]
	if r == nil || r.abandoned {
		return
	}
	b := brief.Of(p, d, findings)
	switch {
	case r.lost:
		m.briefLost(r, b)
	case r.observed == complete:
		b.Read(r.rp.path, r.lr.path)
		if open := r.leftOpen(); len(open) > 0 {
			b.Read(indexPath)
			b.Do(capital(open[0]))
			for _, step := range open[1:] {
				b.Know("also open: " + step) // a finished review has no remaining work
			}
			return
		}
		b.Do("nothing to do: the review is complete")
		b.Done("all")
		return
	default:
		b.Warn(findings)
		r.brief(b, findings)
		m.context(r, b)
	}
	if list := m.open(); len(list) > 1 {
		b.Verify(b.First)
		b.First = "You have " + say.Int(len(list)) + " reviews in progress:" + m.choices(list) +
			" Which would you like to continue, or would you like to start a new review?"
	} else if !r.lost {
		b.Verify("ask the user: Resume this review, or Start Fresh with a new one")
	}
}

// leftOpen returns what is still open in a complete review.
func (r *review) leftOpen() []string {
	var open []string
	for _, s := range r.leftBehind() {
		if !strings.HasPrefix(s.title, stageNames[stage3D]) && !strings.HasPrefix(s.title, stageNames[stage3E]) {
			add(&open, cmp.Or(s.do, s.title))
		}
	}
	open = append(open, r.openChecks()...)
	w := r.row
	switch {
	case w == nil:
	case w.status == rowInProgress:
		add(&open, "set the row of "+r.called()+" in "+indexPath+" to Complete: the review is complete")
	case w.lacksFinding():
		add(&open, "write the Key Finding for "+r.called()+" into "+indexPath+", in one line")
	}
	return open
}

func (m *model) briefLost(r *review, b *brief.Brief) {
	switch {
	case r.rp.doc.Conflicted():
		b.First = progressName + " contains an unresolved merge: resolve it first"
	case !r.rp.known:
		b.First = progressName + " cannot be seen here"
	default:
		b.First = progressName + " is missing or cannot be read: recover it first"
	}
	for _, d := range r.documents() {
		if d.filled {
			b.Read(d.path)
		}
	}
	if r.observed >= 0 {
		b.Know("the remaining files show phase " + phaseTitle(r.observed))
	}
	b.Do("ask the user how to continue")
	var options []string
	for _, remedy := range m.recoveriesOf(r) {
		options = append(options, remedy.Title)
	}
	if len(options) > 0 {
		b.Know("the options: " + strings.Join(options, "; or: "))
	}
}

// context adds what the user wrote under Next Steps, and what an upgrade to Full Review requires.
func (m *model) context(r *review, b *brief.Brief) {
	if r.nextSteps != "" {
		b.Know("Next Steps says: " + say.Quote(r.nextSteps))
	}
	upgraded := r.was.mode == narrow
	for _, other := range r.modes() {
		upgraded = upgraded || other.mode == narrow
	}
	if upgraded && r.mode == full {
		b.Know("upgraded to Full Review: ask the supplementary questions, increase budgets and round cap, search the " +
			"newly required sources, do all of phase 4; keep completed sources")
	}
}

// cut shortens a list to the length that fits in a brief.
func cut(list []string) []string {
	if len(list) > 60 {
		list = append(list[:60], "… and more")
	}
	return list
}

func (r *review) brief(b *brief.Brief, findings []sdk.Diagnostic) {
	b.Read(r.rp.path)
	for _, d := range [...]*document{r.sm, r.lr} {
		if r.observed >= searching && d.filled {
			b.Read(d.path)
		}
	}
	if r.observed == synthesizing {
		b.Read(indexPath)
	}
	steps, do := r.work()
	first := next(steps)
	if first >= 0 {
		do = cmp.Or(steps[first].do, steps[first].title)
	}
	status := ""
	if done, total, unit := r.progress(); total > 0 {
		status = say.Int(done) + " of " + say.Count(total, strings.TrimSuffix(unit, "s")) + " done. "
	}
	p := lifecycle.Phases[r.observed]
	b.Know(strings.TrimSuffix("tell the user: Resuming review on "+r.called()+". Currently at Phase "+
		say.Int(p.Number)+": "+p.Title+". "+status, " "))
	for _, d := range r.documents() {
		restore := "estore " + d.name() + " from the base"
		offers := func(f sdk.Diagnostic) bool {
			return some(f.Remedies, func(remedy sdk.Remedy) bool { return remedy.Title == "R"+restore })
		}
		if d == r.rp && r.cutShort(d) || some(findings, offers) {
			do = "r" + restore + ": stategate recover"
			break
		}
	}
	b.Do(capital(do))
	if r.observed == antagonizing {
		b.Know("user-designated exemplars are flagged, never demoted")
	}
	var done, left []string
	for i, s := range steps {
		if s.done {
			add(&done, s.title)
		} else if i != first {
			add(&left, s.title)
		}
	}
	b.Done(cut(done)...)
	b.Left(cut(left)...)
}
