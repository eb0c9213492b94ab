package literaturereview

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func emptySection(k *look) {
	t := k.tables[inSources]
	readable := !k.unread[inSources] && (t.cols[srcType] >= 0 && t.cols[srcStatus] >= 0 || !t.OK() &&
		len(k.was.sources) > 0)
	for i, empty := range [...]bool{inConcepts: len(k.concepts) == 0 && !k.unread[inConcepts],
		inSources: len(k.sources) == 0 && readable} {
		if empty {
			k.offerWhole(k.tell(k.tableAt(i), needed[i].title, needed[i].title+
				" has no rows, but the review is in phase "+phaseTitle(k.observed)+"; expected the "+
				[...]string{"concepts to search for", "sources to search"}[i]), k.rp)
		}
	}
}

func incompleteConcept(k *look) {
	for _, c := range k.concepts {
		if c.lacks != "" {
			k.tell(c.value, normal(c.name), "the concept "+say.Quote(c.name)+" has no "+c.lacks)
		}
	}
}

// neverBegun reports whether every source is Pending.
func (r *review) neverBegun() bool {
	return len(r.sources) > 0 && !some(r.sources, func(s *source) bool { return s.status != sourcePending || s.bad() })
}

func searchNeverBegun(k *look) {
	isOpen := func(s *source) bool { return s.status == sourcePending && !s.bad() }
	mayRun := func(s *source) bool { return s.status != sourceSkipped && !isOpen(s) }
	switch n := k.annotated(); {
	case k.observed == searching && n > 0 && !k.ran && some(k.sources, isOpen) && !some(k.sources, mayRun):
		k.tell(k.tableAt(inSources), "", "no source was searched, but "+say.Count(n, "paper")+" "+say.Are(n)+
			" annotated"+k.tables[inPapers].whole().where()+"; expected a source to be In Progress or "+
			"Complete").As(sdk.Warning).Advise("Correct the sources", "Set each source that was searched to In "+
			"Progress or Complete. If none was searched, search the first one.")
	case k.observed >= organizing && k.neverBegun():
		f := k.tell(k.tableAt(inSources), "", "every source is Pending, but the review is in phase "+
			phaseTitle(k.observed)+"; expected each source to be Complete or Skipped")
		if n == 0 { // Phase 2 would not explain annotated papers
			k.offerStatus(f, searching)
		}
	}
}

func unsettledSource(k *look, s *source) {
	if k.observed >= organizing && k.unsettled(s) && !k.neverBegun() {
		f := k.tell(s.said(), s.name, say.Wrong("Status of "+s.name, s.word(),
			"Complete or Skipped in phase "+phaseTitle(k.observed))).As(sdk.Warning)
		if s.executed() && !k.unrecorded(s) {
			offer(f, "Set "+s.name+" to Complete", k.sourceTo(s, sourceComplete))
		}
		k.offerStatus(f, searching)
		if !s.executed() {
			offer(f, "Set "+s.name+" to Skipped", s.said().set("Skipped"))
		}
	}
}

func missingSourceRow(k *look) {
	t := k.tables[inSources]
	for id, p := range k.plans {
		isListed := func(s *source) bool { return s.plan == p || s.bad() }
		if len(k.sources) == 0 || !p.ran || some(k.sources, isListed) {
			continue
		}
		f := k.tell(t.whole(), p.name, "Search Status by Source has no row for "+p.name+
			", whose queries were executed"+p.place(executed).where())
		was := first(k.was.sources, func(s *source) bool { return !s.bad() && k.planOf(s.id, s.name) == p })
		if was != nil && was.status != sourcePending {
			offer(f, "Restore the row", k.rowsOf(inSources, "\n"+was.whole().raw()))
		} else if id < extraSource {
			_, said := k.revive(id)
			if k.unrecorded(&source{key: markdown.Name(p.name)}) {
				said = sourceStatuses.name(sourceRunning)
			}
			offer(f, "Add a row for "+p.name, t.add(t.cells(p.name, said)))
		}
	}
}

func pendingWithQueries(k *look, s *source) {
	wasReset := s.was != nil && s.was.status != sourcePending // reported separately
	n, what, where := max(s.counts[srcExecuted].n, s.plan.executed), "executed query", s.plan.at.where()
	if n <= 0 {
		n, what, where = s.counts[srcResults].n, "result", ""
	}
	if found := those(k.papers, func(p *paper) bool { return !p.bad() && p.from(s) }); n <= 0 && len(found) > 0 {
		n, what, where = len(found), "tracked paper", found[0].whole().where()
	}
	if s.status == sourcePending && n > 0 && !wasReset {
		f := k.tell(s.said(), s.name, say.Wrong("Status of "+s.name, s.word(),
			"In Progress or Complete, because it has "+say.Count(n, what)+where))
		status := sourceRunning
		if s.executed() && !k.unrecorded(s) {
			status = sourceComplete
		}
		offer(f, "Set "+s.name+" to "+sourceStatuses.name(status), k.sourceTo(s, status))
	}
}

// sourceTo returns the edits that set the status of a source. They also set the number of its executed queries if the
// plan shows a different one.
func (k *look) sourceTo(s *source, status int) []sdk.Edit {
	edits, done := s.said().set(sourceStatuses.name(status)), s.counts[srcExecuted].n
	if p := s.plan; len(edits) > 0 && len(p.items) > 0 && done >= 0 && done != p.executed && done <= len(p.items) &&
		(p.executed > done) == (status == sourceComplete) {
		edits = append(edits, s.counts[srcExecuted].setNumber(done, p.executed)...)
	}
	return edits
}

// unexecuted returns how many of a source's planned queries are not recorded as executed, and how many are planned.
func (s *source) unexecuted() (missing, all int) {
	if s.Raw() == "" { // it has no row
		return 0, 0
	}
	missing, all = len(s.plan.open()), len(s.plan.items)+len(s.plan.extra())
	said, done := s.counts[srcPlanned].n, s.counts[srcExecuted].n
	if inWords := done == absent && s.real(srcExecuted) != ""; all == 0 && done < said && !inWords {
		return said - max(done, 0), said
	}
	return missing, all
}

// isShort reports whether a source is Complete without all of its planned queries.
func (s *source) isShort() bool {
	missing, _ := s.unexecuted()
	return s.status == sourceComplete && missing > 0
}

func unexecutedQuery(k *look, s *source) {
	open := s.plan.open()
	missing, all := s.unexecuted()
	if !s.isShort() {
		return
	}
	message := s.name + " is Complete, but " + say.Int(missing) + " of " + say.Count(all, "planned query") + " " +
		say.Are(missing) + " not recorded as executed" + s.plan.at.where()
	if len(open) > 0 {
		message += ": " + say.List(open)
	}
	f := see(k.tell(s.said(), s.name, message), s.plan.at, "the plan")
	k.offerPlan(f, s.had)
	offer(f, "Set "+s.name+" to In Progress", k.sourceTo(s, sourceRunning))
	if s.was == nil || s.was.status != sourceComplete { // a source that was Complete in the base is not skipped
		status := "Partial: " + say.Int(all-missing) + "/" + say.Int(all)
		offer(f, "Set "+s.name+" to "+status, s.said().set(status))
	}
}

func missingMethods(k *look) {
	searched := len(those(k.sources, func(s *source) bool {
		return s.status == sourceComplete || s.counts[srcExecuted].n > 0 || s.status == sourceRunning &&
			(s.found() > 0 || some(k.papers, func(p *paper) bool { return !p.bad() && p.from(s) }))
	}))
	if searched == 0 || !k.sm.empty() {
		return
	}
	state, had := methodsName+" is empty", k.was.sm.readable()
	if k.sm.missing() {
		state = methodsName + " does not exist"
	}
	f := k.tell(k.sm.whole(), "", state+", but the search of "+say.Count(searched, "source")+" is recorded"+
		k.tableAt(inSources).where()).As(severityOf(had))
	if had {
		offer(f, "Restore "+methodsName+" from the base", k.sm.restoring())
	}
}

// executedWithoutPlan reports executed queries without a plan, except if the base has the plan: search-plan-lost
// reports that.
func executedWithoutPlan(k *look, s *source) {
	p := s.plan
	if len(s.had.items) > 0 && !p.lists[planned].there {
		return
	}
	if s.status == sourceComplete && k.planned && !p.at.ok() && !p.text &&
		!words.Mentions(k.sm.o.Text, words.First(s.name)) {
		k.tell(s.said(), s.name, "Status of "+s.name+" is "+s.word()+", but "+methodsName+
			" does not mention it; expected its queries there")
		return
	}
	if q := p.unplanned(); q != nil {
		k.tell(q.value.or(p.place(executed)), s.name+" "+normal(q.text), "the query "+say.Quote(q.text)+" for "+s.name+
			" was executed, but not planned"+p.place(planned).where())
		return
	}
	n, what := max(s.counts[srcExecuted].n, len(p.norms)), "executed query"
	if n <= 0 && s.status == sourceRunning {
		n, what = s.counts[srcResults].n, "result"
	}
	if !k.sm.readable() || len(p.items) > 0 || n <= 0 && !p.ran || s.status != sourceRunning &&
		(s.status != sourceComplete || p.ran) {
		return
	}
	message := methodsName + " has no plan for " + s.name + ", which has " + say.Count(n, what) + s.whole().where()
	if p.text && what != "result" {
		message = "the plan for " + s.name + " cannot be read; expected the queries in a list or table under " +
			"Planned, Executed and Remaining"
	}
	k.tell(p.at, s.name, message)
}

func executedAndRemaining(k *look) {
	for _, p := range k.plans {
		for _, it := range p.lists[remaining].items {
			norm := normal(it.text)
			if q := p.find(norm); q == nil || !q.executed {
				continue
			}
			f := k.tell(it.or(p.place(remaining)), markdown.Name(p.name)+" "+norm,
				"the query "+say.Quote(it.text)+" for "+p.name+
					" is under Remaining; expected it only under Executed, where it also is"+p.place(executed).where())
			if it.ok() {
				offer(f, "Remove it from Remaining", it.drop())
			}
		}
	}
}
