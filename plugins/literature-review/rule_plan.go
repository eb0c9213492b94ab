package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// oldPlans returns the plans of the base that have queries.
func (r *review) oldPlans() []*plan {
	return those(r.was.plans, func(p *plan) bool { return len(p.items) > 0 && r.sm.readable() && r.was.sm.readable() })
}

// lost reports whether a plan has neither queries nor a list of planned ones. A plan with executed queries is not lost,
// because they no longer need a plan.
func (p *plan) lost() bool {
	return p == nil || len(p.items) == 0 && !p.lists[planned].there && len(p.lists[executed].items) == 0
}

// planLost reports sources whose queries are missing or can no longer be read.
func planLost(k *look) {
	for _, was := range k.oldPlans() {
		switch p := was.now; {
		case !p.lost():
		case p != nil && p.text:
			f := k.tell(p.place(planned), markdown.Name(was.name),
				"the plan for "+was.name+" cannot be read; expected a list of queries under Planned, Executed and "+
					"Remaining, as in the base"+was.at.where())
			k.offerWhole(f, k.sm)
		default:
			f := k.tell(k.sm.whole(), markdown.Name(was.name),
				"the plan for "+was.name+" is missing; the base has "+say.Count(len(was.items), "query")+" for it, "+
					say.Int(was.executed)+" of them executed"+was.at.where())
			k.offerWhole(f, k.sm)
			offer(f, "Restore the plan", k.planBack(was))
		}
	}
}

// planBack returns the edit that inserts a plan of the base after the plan that preceded it there, or at the end. It
// replaces an empty section of the same source.
func (k *look) planBack(was *plan) []sdk.Edit {
	if !was.heading.OK() || !k.sm.closed() || !k.was.sm.closed() || k.cutShort(k.sm) {
		return nil
	}
	text, at := strings.TrimSpace(was.heading.Section().Raw()), len(strings.TrimRight(k.sm.o.Text, " \r\n"))
	if p := was.now; p != nil && p.heading.OK() {
		section := p.heading.Section()
		return k.sm.edit(markdown.Edit{Start: section.Start(), New: text,
			End: section.Start() + len(strings.TrimRight(section.Raw(), " \r\n"))}, true)
	}
	before := -1
	for _, other := range k.was.plans {
		p := other.now
		if other.heading.OK() && other.heading.Level() == was.heading.Level() && p != nil && p.heading.OK() &&
			other.heading.Start() < was.heading.Start() && other.heading.Start() > before {
			section := p.heading.Section()
			before, at = other.heading.Start(), section.Start()+len(strings.TrimRight(section.Raw(), " \r\n"))
		}
	}
	return k.sm.insert(at, "\n\n"+text)
}

func queryLost(k *look) {
	for _, was := range k.oldPlans() {
		p := was.now
		if p.lost() {
			continue
		}
		for _, old := range was.items {
			q, name := p.find(old.norm), "the query "+say.Quote(old.text)+" for "+was.name
			f := (*check.Finding)(nil)
			switch {
			case q != nil && old.executed && !q.executed:
				f = k.tell(p.place(executed), was.name+" "+old.norm,
					name+" is now only planned; it was executed in the base"+was.place(executed).where())
			case k.dropped(was, old):
				f = k.tell(p.place(planned), was.name+" "+old.norm,
					name+" is missing from its plan; the base has it"+was.place(planned).where())
			default:
				continue
			}
			k.offerPlan(f, was)
		}
	}
}

// offerPlan offers to restore a plan that lost executed queries, if no other queries were executed since.
func (k *look) offerPlan(f *check.Finding, was *plan) {
	if k.offerWhole(f, k.sm); k.forgets(was) {
		offer(f, "Restore the plan", k.planBack(was))
	}
}

// forgets reports whether queries that were executed in the base are not recorded as executed now, and no other queries
// were executed.
func (r *review) forgets(was *plan) bool {
	p := was.now
	if p == nil || len(p.open()) == 0 {
		return false
	}
	isLost := func(old *query) bool {
		q := p.find(old.norm)
		return old.executed && (q != nil && !q.executed || q == nil && (!p.mentions(old.norm) || r.planReplaced(p)))
	}
	isNew := func(q *query) bool { return q.executed && was.find(q.norm) == nil }
	return some(was.items, isLost) && !some(p.items, isNew)
}

// planReplaced reports whether the source of a plan is complete, although none of its planned queries was executed.
func (r *review) planReplaced(p *plan) bool {
	return p.executed == 0 && some(r.sources, func(s *source) bool { return s.plan == p && s.isShort() })
}

// dropped reports whether a query that the base planned is missing from all lists of its source. The source must have
// been running in the base, or, for an executed query, be Complete without all of its planned queries.
func (r *review) dropped(was *plan, q *query) bool {
	isRunning := some(r.was.sources, func(s *source) bool { return s.plan == was && s.status == sourceRunning }) ||
		q.executed && some(r.sources, func(s *source) bool { return s.plan == was.now && s.isShort() })
	return isRunning && !was.now.lost() && was.now.find(q.norm) == nil &&
		(!was.now.mentions(q.norm) || q.executed && r.planReplaced(was.now))
}

// lostQueries returns the queries that a plan of the base has and the current one lost.
func (r *review) lostQueries(was *plan) []string {
	if !some(r.oldPlans(), func(p *plan) bool { return p == was }) {
		return nil
	}
	lost := those(was.items, func(q *query) bool { return r.dropped(was, q) })
	return each(lost, func(q *query) string { return q.text })
}

// mentions reports whether Executed or Remaining lists a query.
func (p *plan) mentions(norm string) bool {
	return some(p.lists[remaining].items, func(it *item) bool { return normal(it.text) == norm }) ||
		first(p.norms, func(n string) bool { return strings.HasPrefix(n, norm) }) != ""
}
