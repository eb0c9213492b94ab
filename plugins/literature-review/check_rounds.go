package literaturereview

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

func (m *model) checkRounds(r *review) {
	for i := range r.over {
		b := &r.over[i]
		found := m.tell("budget-exceeded", r, r.rp, b.at, b.name, "Actual of "+b.name+" is "+itoa(b.actual)+"; the budget is "+itoa(b.max))
		advise(found, "Ask for an extension", "ask the user to extend the budget of "+b.name+", or stop searching it")
	}
	limit := r.roundCap
	if limit < 0 {
		limit = [...]int{1 << 30, 3, 5}[r.mode]
	}
	var top *round
	for i := range r.rounds {
		if c := &r.rounds[i]; top == nil || c.n > top.n {
			top = c
		}
	}
	if top != nil && top.n > limit {
		found := m.tell("round-cap-exceeded", r, top.d, top.at, "", "search round "+itoa(top.n)+" is recorded, but the round cap is "+itoa(limit)+before(r.rp, r.capField))
		advise(found, "Report non-convergence", "tell the user that the search did not converge within the cap")
	}
	if !r.converged() {
		return
	}
	last := r.latest()
	if r.observed == searching && r.isUnsettled() {
		found := m.tell("converged-but-searching", r, last.d, last.at, "", "round "+itoa(last.n)+" overlaps the rounds before it by "+itoa(last.overlap)+" %: the search has converged, and sources are still open")
		m.offerSkipping(found, r)
	}
	least := [...]int{0, 8, 30}[r.mode]
	if r.observed >= organizing && r.kept() < least && begins(fold(clean(r.density.Text())), "sparse") == 0 {
		at := place(r.density)
		if !at.OK() {
			at = last.at
		}
		found := m.tell("sparse-unclassified", r, r.rp, at, "", "the search converged with "+say.Count(r.kept(), "paper")+" of the "+itoa(least)+" that are usual; expected the Classification Sparse")
		offer(found, sdk.Review, "Set Classification to Sparse", r.density.set("Sparse"))
	}
}

// offerSkipping offers to skip every open source.
func (m *model) offerSkipping(found *sdk.Diagnostic, r *review) {
	var edits []sdk.Edit
	for _, s := range r.sources {
		if r.unsettled(s) && !s.bad {
			edits = append(edits, r.rp.cell(s.Row, r.sourceTable.cols[srcStatus], "Skipped")...)
		}
	}
	offer(found, sdk.Review, "Set the open sources to Skipped", edits)
}
