package literaturereview

import (
	"math"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// miscounted reports a number that differs from what it counts. If the number was right in the base, rows were lost, so
// the first remedy restores them.
func (k *look) miscounted(c *value, key, name string, is, want int, where string, wasRight bool) {
	f := k.tell(c, key, say.Wrong(name, say.Int(is), say.Int(want)+where))
	if wasRight {
		k.offerRows(f, k.goneRows())
	}
	offer(f, "Set "+name+" to "+say.Int(want), c.setNumber(is, want))
}

func wrongCount(k *look) {
	if k.observed < organizing || len(k.papers) == 0 || k.lacksColumn || k.cutPapers {
		return
	}
	had := k.was.tally()
	for i, c := range k.tally() {
		if is := k.counts[i]; is.n >= 0 && !c.right {
			k.miscounted(is.value, countKeys[i], countKeys[i], is.n, c.want, ", as counted in the table"+
				k.tables[inPapers].whole().where(), is.n == k.was.counts[i].n && had[i].right)
		}
	}
}

// A tallied says whether a number below Paper Tracking is right, and what the right number is.
type tallied struct {
	right bool
	want  int
}

// tally counts the papers. A Candidate is not included, because only triage includes a paper; but a file that counts
// Candidates as included is accepted. A paper whose row cannot be read may count as anything.
func (r *review) tally() [len(countKeys)]tallied {
	total, kept := len(r.papers), r.kept()
	unread := r.many(func(p *paper) bool { return p.rank == unknownStatus })
	marked := r.many(func(p *paper) bool { return p.exemplar })
	keptMarked := r.many(func(p *paper) bool { return p.exemplar && p.rank != excluded })
	only := r.many(func(p *paper) bool { return p.rank == included })
	past := r.many(func(p *paper) bool { return p.rank >= included && p.rank != excluded })
	found, in, exemplars, out := r.counts[totalFound].n, r.counts[countIncluded].n, r.counts[countExemplars].n,
		r.counts[countExcluded].n
	return [...]tallied{{found >= total, total}, {in == kept || in == only || in >= past && in <= past+unread, past},
		{exemplars >= keptMarked && exemplars <= keptMarked+unread || exemplars == marked, marked},
		{out >= total-kept, total - kept}}
}

// put returns the edits that set the status of papers. It returns nil if a paper would fall more than one level below
// its status in the base.
func (k *look) put(rank int, papers ...*paper) []sdk.Edit {
	var edits []sdk.Edit
	for _, p := range papers {
		if p.was != nil && p.was.rank != excluded && p.was.rank > rank+1 {
			return nil
		}
		edits = append(edits, p.said().set(paperStatuses.name(rank))...)
	}
	return k.recount(edits, func(p *paper) { p.rank = rank }, papers...)
}

// recount adds edits for the counts that the edits of papers would make wrong.
func (k *look) recount(edits []sdk.Edit, change func(*paper), papers ...*paper) []sdk.Edit {
	before := k.tally()
	var old []paper
	for _, p := range papers {
		old = append(old, *p)
		change(p)
	}
	for i, c := range k.tally() {
		if is := k.counts[i]; len(edits) > 0 && is.n >= 0 && before[i].right && !c.right {
			edits = append(edits, is.setNumber(is.n, c.want)...)
		}
	}
	for i, p := range papers {
		*p = old[i]
	}
	return edits
}

// wrongQueryCount compares the query counters of a source with its plan, or with each other if there is no plan.
func wrongQueryCount(k *look, s *source) {
	p, n := s.plan, len(s.plan.items)
	if sourceOf(p.name) == recommendation && !p.lists[planned].there {
		n = 0 // its items are the two searches that it uses, not planned queries
	}
	listed := max(p.executed, len(p.norms))
	said, done := s.counts[srcPlanned].n, s.counts[srcExecuted].n
	column, want, where := srcExecuted, p.executed, ", the number listed in "+methodsName+p.at.where()
	if s.status == sourceRunning && done == absent && strings.Contains(s.cell(srcQueries).real(), "/") { // 1/3
		column, done = srcQueries, s.counts[srcQueries].n
	}
	switch {
	case n > 0 && said == len(s.had.items) && len(k.lostQueries(s.had)) > 0: // query-lost reports this
		return
	case n > 0 && said >= 0 && said != n:
		column, want = srcPlanned, n
	case n > 0 && (done > max(n, listed) || s.status == sourceComplete && done >= 0 && done < p.executed):
	case n == 0 && said >= 0 && done > said:
		want, where = said, ", the number planned in the table"
	case s.status == sourceRunning && done > p.executed && done <= n && p.lists[executed].there && p.isPlanned() &&
		s.had.executed <= p.executed:
		// otherwise, query-lost reports it
		k.tell(s.cell(column), s.name, say.Wrong(k.countName(column)+" for "+s.name, say.Int(done), say.Int(want)+
			where))
		return
	case n > 0 && s.counts[srcQueries].n > max(n, listed):
		column, want = srcQueries, listed
	default:
		return
	}
	k.miscounted(s.cell(column), s.name, k.countName(column)+" for "+s.name, s.counts[column].n, want, where, false)
}

func wrongIndexCount(k *look, w *row) {
	if w.review == nil || w.review.lost || w.status != rowComplete &&
		!(w.status == rowInProgress && k.observed >= organizing && w.papers > k.found()) {
		return
	}
	is, n := w.cell(colPapers), number(w.text(colPapers))
	if n < 0 || n == k.counts[totalFound].n || n == k.counts[countIncluded].n || n == len(k.papers) || n == k.kept() {
		return
	}
	where := ", the number that " + progressName + " tracks" + k.tables[inPapers].whole().where()
	wasRight := n == len(k.was.papers) || n == k.was.kept()
	if w.status == rowInProgress && !wasRight { // more than were found: the table lost papers
		k.tell(is, "", say.Wrong("Papers", say.Int(n), say.Int(len(k.papers))+where)).Advise("Add the lost papers",
			"Find the papers that the table lost, in git or in notes, and add them.",
			"If none is lost, set Papers to "+say.Int(len(k.papers))+".")
		return
	}
	k.miscounted(is, "", "Papers", n, len(k.papers), where, wasRight)
}

// found returns the highest number of papers in the state file, before duplicates are removed.
func (r *review) found() int {
	hits := 0
	for _, s := range r.sources {
		hits += max(s.counts[srcResults].n, s.counts[srcUnique].n, 0)
	}
	for _, c := range r.rounds {
		hits = max(hits, c.total)
	}
	if len(r.papers) == 0 || r.lacksColumn || r.cutPapers || r.unread[inSources] {
		return math.MaxInt // the number is unknown
	}
	return max(hits, len(r.papers), r.counts[totalFound].n)
}
