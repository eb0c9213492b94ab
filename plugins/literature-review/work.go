package literaturereview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// A step is one piece of the work of a phase.
type step struct {
	_     [0]func() // not comparable; see entry
	title string
	do    string // what to do if the step is next; "" stands for the title
	done  bool
	part  bool // it counts as progress
}

// work lists the steps of the observed phase, and what follows when all of them are done.
func (r *review) work() (steps []step, after string) {
	switch r.observed {
	case initializing:
		return []step{{title: "interview", do: "choose a mode, ask for existing documents, extract 2–5 concepts"}}, ""
	case interviewing:
		return r.interviewWork(), "finish the interview, then set Status to " + statusLine(searching)
	case searching:
		return r.searchWork()
	case organizing:
		return r.paperWork()
	case antagonizing:
		return r.checkWork()
	}
	return r.textWork()
}

func (r *review) interviewWork() []step {
	var steps []step
	for _, c := range r.concepts {
		title := strings.TrimSuffix("concept "+say.Clip(c.name)+": "+c.lacks, ": ")
		steps = with(steps, title, "complete "+title, c.lacks == "", true)
	}
	for i, has := range r.goals {
		if !has {
			title := [...]string{"Primary Research Question", "Methodological Needs", "Exclusions"}[i]
			steps = with(steps, title, "ask the user, and write "+title+" into "+progressName, false, false)
		}
	}
	return steps
}

func (r *review) searchWork() ([]step, string) {
	if r.unread[inSources] || len(r.tables[inSources].records) > 0 && len(r.sources) == 0 {
		return nil, "make Search Status by Source readable: a table with a row for each source, and its Status"
	}
	var steps []step
	for _, s := range r.ordered() {
		if s.settled() && !s.isShort() {
			title := s.name + ": " + sourceStatuses.name(s.status)
			if open := s.plan.open(); s.status == sourceSkipped && len(open) > 0 {
				title += "; not executed: " + say.List(open)
			}
			steps = with(steps, title, "", true, r.offered(s.id) && (s.id < extraSource || r.ownSources))
		} else if r.offered(s.id) {
			open := r.sourceWork(s)
			open[next(open)].part = s.id < extraSource || r.ownSources
			steps = append(steps, open...)
		}
	}
	if len(r.papers) == 0 && !r.unread[inPapers] && !r.cutPapers {
		return steps, "write the papers that were found into Paper Tracking; if none were found, ask the user how to " +
			"widen the search"
	}
	offer := [...]string{narrow: " (offer the upgrade to Full Review)", full: ""}[r.mode]
	return steps, "checkpoint with the user" + offer + ", then set Status to " + statusLine(organizing)
}

// sourceWork lists the queries of an open source.
func (r *review) sourceWork(s *source) []step {
	p, name := s.plan, s.name+": "
	begin := name
	if s.status == sourcePending || s.status == sourceComplete { // a Complete source lacks some of its queries
		if begin = name + "set it to In Progress, then "; !r.required(s.id) {
			name = s.name + " (optional): "
		}
	}
	var steps []step
	forgets := s.had != nil && r.forgets(s.had)
	for i, q := range p.items {
		if old := q; !q.dropped {
			if forgets {
				old = cmp.Or(s.had.find(q.norm), q)
			}
			steps = with(steps, name+q.text, begin+"run query "+say.Int(i+1)+" of "+say.Int(len(p.items))+": "+q.text,
				q.executed || old.executed, false)
		}
	}
	for _, text := range p.extra() {
		steps = with(steps, name+text, "", false, false)
	}
	missing, all := s.unexecuted()
	before := func(title, do string) []step { return append([]step{{title: name + title, do: do}}, steps...) }
	switch {
	case s.status == sourceComplete && len(p.open()) == 0:
		return []step{{title: name + say.Int(missing) + " of " + say.Count(all, "planned query"),
			do: begin + "run the " + say.Count(missing, "planned query") + " not recorded as executed"}}
	case p.lost() && !p.text && s.had != nil && len(s.had.items) > 0, forgets:
		return before("plan and queries", "restore the plan for "+s.name+" in "+methodsName+
			" from the base: stategate recover")
	case s.had != nil && len(r.lostQueries(s.had)) > 0:
		return before("lost queries", "restore the queries for "+s.name+" in "+methodsName+" that the base has: "+
			say.List(r.lostQueries(s.had)))
	case len(p.items) == 0 && (p.said || p.ran) && (p.ran || s.status == sourceRunning):
		return before("plan and queries", name+"read its plan in "+methodsName+
			", which has its own format; run the remaining queries")
	case len(p.items) == 0:
		return before("plan and queries", name+"write its plan into "+methodsName)
	case next(steps) < 0:
		return with(steps, name+r.ending(s), "", false, false)
	}
	return steps
}

func (r *review) paperWork() ([]step, string) {
	switch {
	case r.unread[inPapers] || r.lacksColumn || r.cutPapers && len(r.papers) == 0:
		return nil, "make Paper Tracking readable: a table with a row for each paper, its Citation and Status"
	case len(r.papers) == 0:
		return nil, "write the papers that were found into Paper Tracking: it is empty"
	}
	steps := r.organizing
	if n := len(r.uncheckedDOIs()); n > 0 {
		title := stageNames[stage3E] + ": verify the DOIs of " + say.Count(n, "paper")
		do := "stage " + title + ", and write Verified: Yes, or No with the reason, into their entries"
		steps = with(steps, title, do, false, false)
	}
	return steps, "every paper is done: set Status to " + statusLine(antagonizing)
}

// uncheckedDOIs returns the papers that have a DOI only in their row, if nothing says that any DOI was verified. An
// entry with a DOI has a step of its own.
func (r *review) uncheckedDOIs() []*paper {
	checked := func(e *entry) bool { return e.said != "" || e.hasDOI }
	if r.verified || some(r.entries, checked) {
		return nil
	}
	return those(r.papers, func(p *paper) bool {
		return p.rank != excluded && !p.bad() && strings.Contains(p.real(paperID), "10.")
	})
}

// organize lists the steps of organizing, and finds the first stage with open work. A paper that already has an entry,
// but not yet the status, comes first.
func (r *review) organize() {
	var steps []step
	var stages [stageDone + 1][]step
	for _, s := range those(r.sources, r.unsettled) {
		if !s.bad() {
			steps = with(steps, "close "+s.name+": "+r.ending(s), "", false, false)
		}
	}
	if r.cutPapers {
		steps = with(steps, "repair Paper Tracking: rows are separated from it or missing", "", false, false)
	}
	open := 0
	r.stage = stageDone
	add := func(list *[]step, stage int, text string) {
		r.stage = min(r.stage, stage)
		name, what := stageNames[stage], [...]string{" (triage)", " (summary and quality note)", " (full entry)", "",
			""}[stage]
		*list = with(*list, name+": "+text, "stage "+name+what+": "+text, false, stage <= stage3C)
	}
	for _, p := range r.papers {
		text, stage := say.Clip(p.citation), p.stage(r)
		list := &stages[stage]
		if stage == stageDone {
			*list = with(*list, text, "", true, p.rank != excluded)
			continue
		}
		switch open++; {
		case p.spare():
			steps = with(steps, "exclude the duplicate row"+p.whole().where(), "", false, false)
			continue
		case p.rank == unknownStatus && !p.bad():
			steps = with(steps, "make the Status of "+text+" readable", "", false, true)
			continue
		case p.entry != nil && p.rank <= included && p.rank >= candidate:
			list, text = &steps, "set the status from the existing entry: "+text
		case p.rank >= level2 && p.entry == nil && !p.exemplar, p.rank >= level3:
			text += " (add its entry)"
		}
		add(list, stage, text)
	}
	for _, t := range r.untabled() {
		add(&stages[stage3D], stage3D, "evidence table of "+say.Clip(t.title))
	}
	for _, e := range r.entries {
		if e.unverified(r) {
			add(&stages[stage3E], stage3E, "verify the DOI of "+say.Clip(e.title))
		}
	}
	for _, s := range stages {
		steps = append(steps, s...)
	}
	if open > 50 {
		steps[0].do += "; " + say.Int(open) + " papers are open: work in batches of 25 in table order, 3A and 3B " +
			"per batch, 3C at the end"
	}
	r.organizing = steps
}

// missEntries puts the entries that only the base has before all other steps, because their papers are not done.
func (r *review) missEntries() {
	var steps []step
	if r.textGone() && !r.textLost() {
		steps = with(steps, "restore "+textName,
			"restore "+textName+" from git or a backup, or annotate its papers again", false, false)
	}
	for _, p := range r.papers {
		if text := say.Clip(p.citation); p.annotated() && (r.identifiable || r.textLost()) && r.entryLost(p) {
			steps = with(steps, "restore the entry of "+text+" from the base: stategate recover", "", false, true)
			r.organizing = those(r.organizing, func(s step) bool { return !strings.Contains(s.title, text) })
		}
	}
	for i, s := range r.organizing {
		isBeyond := func(p *paper) bool {
			return say.Clip(p.citation) == s.title && p.entry != nil && r.beyond(p) != ""
		}
		if s.done && r.observed == organizing && some(r.papers, isBeyond) {
			r.organizing[i].title, r.organizing[i].done = "finish the entry for "+s.title, false
		}
	}
	r.organizing = append(steps, r.organizing...)
}

func (r *review) checkWork() ([]step, string) {
	steps := r.leftBehind()
	if r.critiqueLost() && !r.unfinished.ok() {
		return with(steps, "antagonistic review", "restore the Antagonistic Review from the base: stategate recover",
			false, false), ""
	}
	for i, t := range r.checks {
		due := r.mode != narrow || i < 3
		if text := say.Clip(t.Text()); due || t.Checked() {
			steps = with(steps, text, "do the check \""+text+"\"", t.Checked(), due)
		}
	}
	then := ", then set Status to " + statusLine(synthesizing)
	what, do := "Critique Summary", "write the Critique Summary"
	switch k := r.unfinished; {
	case r.critique && len(r.checks) == 0: // nothing shows whether prose is finished
		return steps, "if the Antagonistic Review is finished, set Status to " + statusLine(synthesizing)
	case r.critique:
		return steps, "every check is done and the critique is written: set Status to " + statusLine(synthesizing)
	case k.ok():
		do = "finish the critique, which says " + say.Quote(k.text)
	case len(r.checks) == 0:
		what, do = "antagonistic review", "carry out the antagonistic review and write its Critique Summary"
	}
	return with(steps, what, do+then, false, false), ""
}

// leftBehind returns the steps of organizing that are still open in a later phase. It omits DOIs that are being
// verified, because they do not delay the later phase.
func (r *review) leftBehind() []step {
	_, _, isRunning := r.openDOIs()
	open := those(r.organizing, func(s step) bool {
		return !s.done && !(isRunning && strings.HasPrefix(s.title, stageNames[stage3E]))
	})
	for i := range open {
		open[i].do, open[i].part = "finish Phase 3 first: "+cmp.Or(open[i].do, open[i].title), false
	}
	return open
}

// openChecks returns what is still open in an antagonistic review that should be finished.
func (r *review) openChecks() (open []string) {
	switch k := r.unfinished; {
	case k.ok():
		return []string{"finish the critique, which says " + say.Quote(k.text)}
	case r.mode == narrow && !r.isAntagonized():
		for _, t := range r.checks[:min(len(r.checks), 3)] {
			add(&open, "do the check \""+say.Clip(t.Text())+"\"")
		}
		add(&open, "write the Critique Summary")
	case r.mode == full && len(r.ticked) > 0:
		for _, text := range r.unticked {
			add(&open, "do the check \""+say.Clip(text)+"\"")
		}
	}
	return open
}

func (r *review) textWork() ([]step, string) {
	steps := r.leftBehind()
	for _, s := range r.openChecks() {
		steps = with(steps, s, "finish Phase 4 first: "+s, false, false)
	}
	names := [...]string{"Key Methodological Insights", "Quantitative Summary", "Gaps and Limitations", "References"}
	isOwn := r.lr.real(r.lr.heading(closings[allClosings-1]), true) && !some(names[:], func(name string) bool {
		return r.lr.heading(markdown.Name(name)).OK()
	})
	if isOwn {
		steps = with(steps, "synthesis", "", true, true)
	}
	for i, name := range names {
		if isOwn {
			break
		}
		steps = with(steps, name, "write "+name, r.lr.real(r.lr.heading(closings[i]), true), true)
	}
	steps = with(steps, "index row Complete", "set the index row to Complete, then Status to "+statusLine(complete),
		r.row != nil && r.row.status == rowComplete && r.synthesized(), true)
	if some(r.entries, func(e *entry) bool { return e.kind == demoted }) {
		for i := range steps {
			steps[i].do = "rebuild the evidence table, then " + steps[i].do
		}
	}
	return steps, "set Status to " + statusLine(complete)
}

// with returns a list with one more step. Appending inline in so many places would make the guest larger.
func with(list []step, title, do string, done, part bool) []step {
	return append(list, step{title: title, do: do, done: done, part: part})
}

// next returns the index of the first open step, or -1 if there is none.
func next(steps []step) int { return slices.IndexFunc(steps, func(s step) bool { return !s.done }) }

// units are what progress counts in each phase.
var units = [...]string{"concepts", "concepts", "sources", "papers", "checks", "steps", "papers"}

// progress counts the steps of the observed phase, and those that are done.
func (r *review) progress() (done, total int, unit string) {
	if r.lost || r.observed == complete {
		return r.kept(), r.kept(), units[complete]
	}
	steps, _ := r.work()
	for _, s := range steps {
		if s.part {
			total++
			if s.done {
				done++
			}
		}
	}
	return done, total, units[r.observed]
}
