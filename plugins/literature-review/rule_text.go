package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func outputBoxes(k *look) {
	docs := k.documents()
	for _, t := range k.outputs {
		for i, d := range append(docs[:], k.m.index.document) {
			switch {
			case !strings.Contains(t.Text(), d.name()):
			case t.Checked() && (d == k.sm || d == k.lr) && d.empty():
				f := k.tell(k.taskAt(t), d.name(), d.name()+" is ticked, but it is missing or empty")
				if was := k.was.documents()[i]; was != nil && was.readable() {
					offer(f, "Restore "+d.name()+" from the base", d.restoring())
				}
				offer(f, "Untick "+d.name(), k.rp.edit(t.Uncheck()))
			case !t.Checked() && k.observed == complete && d.filled:
				k.tell(k.taskAt(t), d.name(), d.name()+" exists, but it is not ticked").As(sdk.Info).Offer(sdk.Safe,
					"Tick "+d.name(), k.rp.edit(t.Check())...)
			}
		}
	}
}

// missingSynthesis reports a finished review whose text has entries, but no synthesis of them.
func missingSynthesis(k *look) {
	if k.unwritten {
		f := k.tell(k.lr.whole(), "", "Status is "+say.Quote(k.claim.text)+", but "+textName+
			" has no synthesis; expected text under Key Methodological Insights, Quantitative Summary, Gaps and "+
			"Limitations or a similar heading")
		k.offerText(f)
		k.offerStatus(f, k.observed)
	}
}

// synthesized reports whether the review text contains more than entries: text in a section that the last phase writes,
// or between the heading of a topic and its entries.
func (r *review) synthesized() bool {
	return len(r.entries) == 0 || some(r.lr.heads, func(h *head) bool {
		n := closing(h.name)
		return n >= 0 && n < allClosings && n != references && r.lr.real(h.Heading, true) ||
			h.level > 1 && n < 0 && kindOf(h.name) == nowhere && !r.inEntry(h) && r.lr.real(h.Heading, false)
	})
}

// inEntry reports whether a heading of the review text is an entry's heading, or is in an entry.
func (r *review) inEntry(h *head) bool {
	return some(r.entries, func(e *entry) bool { return h.Start() >= e.Start() && h.Start() < e.Section().End() })
}

// critiqueLost reports whether the base has the antagonistic review, but the section is blank now.
func (r *review) critiqueLost() bool {
	return r.was.isAntagonized() && r.was.observed >= antagonizing && r.was.mode == r.mode && !r.isAntagonized()
}

// critiqueBack returns the edits that replace a blank section with the antagonistic review of the base.
func (k *look) critiqueBack() []sdk.Edit {
	now, was := k.rp.heading(antagonistSection), k.was.rp.heading(antagonistSection)
	if !k.critiqueLost() || !now.OK() || now.Level() != was.Level() || k.unfinished.ok() || !k.rp.closed() ||
		k.cutShort(k.rp) {
		return nil
	}
	section := now.Section()
	return k.rp.edit(markdown.Edit{Start: section.Start(), New: strings.TrimSpace(was.Section().Raw()),
		End: section.Start() + len(strings.TrimRight(section.Raw(), " \r\n"))}, true)
}

// textLost reports what the base has and is blank or missing now: rounds, goals, ticks, the critique, and sections of
// the review text.
func textLost(k *look) {
	was := k.was
	lost := func(key string, at, old *value, what string) { k.offerWhole(k.tell(at, key, what+old.where()), at.d) }
	isGone := func(old *round) bool {
		return old.d == was.rp && !some(k.rounds, func(c *round) bool { return c.n == old.n && c.d == k.rp })
	}
	gone := each(those(was.rounds, isGone), func(c *round) string { return say.Int(c.n) })
	if len(gone) > 0 && !k.badRound {
		lost("rounds", k.headingAt(convergenceSection), was.headingAt(convergenceSection),
			"Convergence Tracking lacks "+say.Count(len(gone), "round")+" that the base has: "+say.And(gone...))
	}
	if was.hasGoals() && !k.hasGoals() {
		lost("goals", k.headingAt(goalsSection), was.headingAt(goalsSection),
			"Research Goals are blank; the base has them")
	}
	switch {
	case len(k.ticked) < len(was.ticked) && len(k.checks) > 0 && !k.upgraded() && k.observed >= antagonizing:
		lost("checks", k.taskAt(k.checks[0]), was.taskAt(was.checks[0]),
			say.Was("the number of ticked antagonistic checks", say.Int(len(k.ticked)), say.Int(len(was.ticked)), ""))
	case was.critique && !k.critique && was.observed >= antagonizing && k.observed >= antagonizing:
		at, old := k.headingAt(antagonistSection), was.headingAt(antagonistSection)
		f := k.tell(at, "critique", "the critique in the Antagonistic Review is blank; the base has it"+old.where())
		k.offerWhole(f, k.rp)
		offer(f, "Restore the Antagonistic Review", k.critiqueBack())
	}
	if !k.lr.readable() || !was.lr.readable() {
		return
	}
	for _, h := range was.lr.heads {
		if now := k.lr.heading(h.name); !was.inEntry(h) &&
			(closing(h.name) >= 0 || kindOf(h.name) == evidence && k.observed < antagonizing) &&
			was.lr.real(h.Heading, true) && !k.lr.real(now, true) && !k.rp.real(k.rp.heading(h.name), true) {
			lost(h.name, k.lr.part(now.Part), was.lr.part(h.Part),
				"the section "+say.Quote(h.Text())+" is blank or missing; the base has it")
		}
	}
}
