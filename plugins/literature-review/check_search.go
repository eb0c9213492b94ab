package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func (m *model) checkConcepts(r *review) {
	if r.observed < searching || r.unread[unreadConcepts] {
		return
	}
	n := len(r.concepts)
	at := place(r.conceptTable)
	if !at.OK() {
		at = r.rp.heading(conceptsSection)
	}
	switch {
	case n == 0:
		found := m.tell("missing-concepts", r, r.rp, at, "", "Core Concepts has no row, but the review is in phase "+phaseTitle(r.observed)+"; expected the concepts that the search rests on")
		advise(found, "Fill in the concepts", "write the concepts of the interview into Core Concepts, or bring them back from git")
	case n < 2 || n > 5:
		m.tell("concept-count-out-of-range", r, r.rp, at, "", "Core Concepts has "+say.Count(n, "row")+"; 2 to 5 are usual")
	}
	deeper := 0
	for i := range r.concepts {
		c := &r.concepts[i]
		if !c.shallow {
			deeper++
		}
		if c.lacks != "" {
			found := m.tell("incomplete-concept", r, r.rp, c, normal(c.name), "the concept "+shown(c.name)+" has no "+c.lacks)
			advise(found, "Complete the concept", "fill in the "+c.lacks+" of the concept")
		}
	}
	if n > 0 && deeper == 0 && !r.notesDepth() {
		found := m.tell("only-shallow-concepts", r, r.rp, at, "", "every concept has the Target Depth Any")
		advise(found, "Note the choice", "say in the session notes that Any depth is meant, or deepen a concept")
	}
}

// notesDepth reports whether a sentence outside the tables speaks of Any depth.
func (r *review) notesDepth() bool {
	text := r.rp.o.Text
	for i := range r.rp.o.Nodes {
		if n := &r.rp.o.Nodes[i]; n.Kind == markdown.KindParagraph && strings.Contains(strings.ToLower(text[n.Start:n.End]), "any depth") {
			return true
		}
	}
	return false
}

func (m *model) checkSources(r *review) {
	t := &r.sourceTable
	if r.unread[unreadSources] || t.cols[srcType] < 0 || t.cols[srcStatus] < 0 {
		return
	}
	var seen [extraSource + 1]bool
	begun := false
	for _, s := range r.sources {
		seen[s.id] = true
		begun = begun || s.class != classPending || s.bad
	}
	never := r.observed >= organizing && len(r.sources) > 0 && !begun
	for _, s := range r.sources {
		if s.bad {
			continue
		}
		at := t.at(s.Row, srcStatus).Part
		if !at.OK() {
			at = s.Part
		}
		if s.class == 0 {
			found := m.tell("unknown-source-status", r, r.rp, at, s.name, say.Wrong("Status of "+s.name, shown(s.status), "Pending, In Progress, Complete or Skipped"))
			found.Severity = m.unknown(func(was *review) bool { return was.sourceClass(s) > 0 }, r)
			advise(found, "Use a known status", "write Pending, In Progress, Complete, Skipped, or how far it got: Partial, Rate-Limited, Unavailable")
		}
		if s.twin != nil {
			found := m.tell("duplicate-source-row", r, r.rp, s, s.name, s.name+" has two rows: "+shown(s.twin.status)+before(r.rp, s.twin)+" and "+shown(s.status))
			relate(found, r.rp, s.twin, "the first row, which is used")
			advise(found, "Merge the rows", "keep one row for "+s.name)
			continue
		}
		m.checkSource(r, s, at, never)
	}
	switch {
	case r.observed < searching:
	case len(r.sources) == 0 && len(t.rows) == 0, len(r.sources) == 0 && t.OK():
		found := m.tell("missing-sources", r, r.rp, t, "", "Search Status by Source has no row, but the review is in phase "+phaseTitle(r.observed))
		advise(found, "Fill in the sources", "write a row for each source with its status, or bring the table back from git")
	case never:
		found := m.tell("search-never-begun", r, r.rp, t, "", "the review is in phase "+phaseTitle(r.observed)+", but every source is Pending; expected each Complete or Skipped")
		offer(found, sdk.Review, "Set Status to "+lines[searching], m.backTo(r, searching))
		advise(found, "Record the search", "set each source to what was done: Complete, or Skipped")
	case r.mode == full && !r.ownSources:
		for id, name := range sourceNames {
			if !seen[id] {
				found := m.tell("missing-source-row", r, r.rp, t, name, "Search Status by Source has no row for "+name+", which a "+modeName(full)+" searches")
				offer(found, sdk.Safe, "Add a row for "+name, r.rp.add(t, t.cells(name, "Pending")))
			}
		}
	}
}

// unknown is the severity of a value that cannot be read: an error where it could be read in the base.
func (m *model) unknown(readable func(was *review) bool, r *review) sdk.Severity {
	if was := m.was(r); was != nil && readable(was) {
		return sdk.Error
	}
	return sdk.Warning
}

// sourceClass is the class that a source of another revision has here.
func (r *review) sourceClass(other *source) int {
	for _, s := range r.sources {
		if s.twin == nil && fold(s.name) == fold(other.name) {
			return s.class
		}
	}
	return 0
}

// cells are the texts of a new row, by the names of the columns.
func (t *table) cells(texts ...string) []string {
	row := make([]string, t.width)
	for i, text := range texts {
		if t.cols[i] >= 0 {
			row[t.cols[i]] = text
		}
	}
	return row
}

// set offers to give a source another status.
func (r *review) set(found *sdk.Diagnostic, s *source, status string) {
	offer(found, sdk.Review, "Set "+s.name+" to "+status, r.rp.cell(s.Row, r.sourceTable.cols[srcStatus], status))
}

func (m *model) checkSource(r *review, s *source, at markdown.Part, never bool) {
	if r.observed >= organizing && r.unsettled(s) && !never {
		found := m.tell("unsettled-source", r, r.rp, at, s.name, s.name+" is "+className(s.class)+" in phase "+phaseTitle(r.observed)+"; expected Complete or Skipped")
		r.set(found, s, "Skipped")
		offer(found, sdk.Review, "Set Status to "+lines[searching], m.backTo(r, searching))
	}
	executed := max(s.counts[srcExecuted-srcPlanned], s.plan.executed)
	if s.class == classPending && executed > 0 {
		found := m.tell("pending-source-with-queries", r, r.rp, at, s.name, "the status of "+s.name+" is Pending, with "+say.Count(executed, "query")+" executed"+before(r.sm, s.plan.at))
		r.set(found, s, "In Progress")
	}
	if s.id == recommendation && s.class == classRunning && r.observed == searching {
		for _, other := range r.sources {
			if other.id != recommendation && other.twin == nil && r.required(other.id) && (other.class == classPending || other.class == classRunning) {
				m.tell("recommendation-before-search", r, r.rp, at, "", "recommendations are followed, but "+other.name+", which comes before them, is "+className(other.class))
				break
			}
		}
	}
	if s.class == classComplete {
		m.checkUnexecuted(r, s, at)
	}
	m.checkCountsOf(r, s)
}

// backTo are the edits that take a review back to an earlier phase; a finished
// one is In Progress again in the index.
func (m *model) backTo(r *review, phase int) []sdk.Edit {
	if len(r.status) != 1 {
		return nil
	}
	edits := r.setStatus(phase)
	if r.row != nil && r.row.status == rowComplete {
		return both(edits, m.setRow(r.row, "In Progress"))
	}
	return edits
}

func (m *model) checkUnexecuted(r *review, s *source, at markdown.Part) {
	open := s.plan.open()
	planned := len(s.plan.items)
	missing := len(open)
	isWords := s.counts[1] == absent && r.sourceTable.real(s.Row, srcExecuted) != ""
	if planned == 0 && s.counts[1] < s.counts[0] && !isWords {
		planned, missing = s.counts[0], s.counts[0]-max(s.counts[1], 0)
	}
	if missing == 0 {
		return
	}
	message := s.name + " is Complete without a record of " + itoa(missing) + " of " + say.Count(planned, "planned query")
	if len(open) > 0 {
		message += ": " + say.List(open)
	}
	found := m.tell("unexecuted-planned-query", r, r.rp, at, s.name, message)
	relate(found, r.sm, s.plan.at, "the plan")
	r.set(found, s, "In Progress")
	r.set(found, s, "Partial: "+itoa(planned-missing)+"/"+itoa(planned))
}

// checkCountsOf compares the counters of a source with its plan.
func (m *model) checkCountsOf(r *review, s *source) {
	p := s.plan
	n := len(p.items)
	listed := max(p.executed, len(p.norms))
	for col, is := range [...]int{s.counts[0], s.counts[1], s.counts[srcQueries-srcPlanned]} {
		want := [...]int{n, p.executed, listed}[col]
		switch {
		case is < 0:
			continue
		case col == 0 && (n == 0 || is == n):
			continue
		case col == 1 && n > 0 && s.class == classComplete && is < p.executed:
		case col == 1 && n == 0 && s.counts[0] >= 0 && is > s.counts[0]:
			want = s.counts[0]
		case col == 1 && n > 0 && is > max(n, listed), col == 2 && n > 0 && is > max(n, listed):
		case col > 0:
			continue
		}
		column := [...]int{srcPlanned, srcExecuted, srcQueries}[col]
		edits := r.rp.cell(s.Row, r.sourceTable.cols[column], itoa(want))
		if col == 0 && s.class == classComplete && s.counts[1] >= 0 && s.counts[1] < p.executed {
			edits = both(edits, r.rp.cell(s.Row, r.sourceTable.cols[srcExecuted], itoa(p.executed)))
		}
		name := r.countName(column - srcPlanned)
		where := " in " + methodsName
		if n == 0 {
			where = " in the table"
		}
		found := m.tell("query-count-mismatch", r, r.rp, r.sourceTable.at(s.Row, column), s.name, say.Wrong(name+" of "+s.name, itoa(is), itoa(want)+", as many as are listed"+where+before(r.sm, p.at)))
		relate(found, r.sm, p.at, "the plan")
		offer(found, sdk.Review, "Set "+name+" to "+itoa(want), edits)
		return
	}
}

func (m *model) checkPlans(r *review) {
	searched := 0
	for _, s := range r.sources {
		if s.class == classComplete || s.counts[1] > 0 {
			searched++
		}
	}
	if searched > 0 && r.sm.empty() {
		state := "there is no " + methodsName
		if !r.sm.missing() {
			state = methodsName + " is empty"
		}
		found := m.tell("missing-search-methods", r, r.sm, nil, "", state+", but the search of "+say.Count(searched, "source")+" is recorded")
		found.Severity = m.unknown(func(was *review) bool { return was.sm.readable() }, r)
		if found.Severity == sdk.Error {
			edits := []sdk.Edit{sdk.Restore(r.sm.path)}
			if !r.sm.missing() {
				edits = append([]sdk.Edit{sdk.Aside(r.sm.path, "empty")}, edits...)
			}
			offer(found, sdk.Review, "Restore "+methodsName+" from the base revision", edits)
		}
		if r.sm.missing() && len(found.Remedies) == 0 {
			offer(found, sdk.Review, "Create "+methodsName+" without the queries", []sdk.Edit{sdk.Create(r.sm.path, r.blankMethods())})
		}
		advise(found, "Restore the plans", "bring the text of "+methodsName+" back from git, or write down what was searched")
	}
	if !r.sm.readable() {
		return
	}
	for _, s := range r.sources {
		m.checkPlan(r, s)
	}
	for _, p := range r.plans {
		m.checkRemaining(r, p)
	}
}

// hadPlan reports whether the base has a plan of a source, whose loss is reported by itself.
func (m *model) hadPlan(r *review, s *source) bool {
	was := m.was(r)
	if was == nil {
		return false
	}
	p := was.planOf(s.id, s.name)
	return p != nil && len(p.items) > 0 && s.plan.lists[planned] == nil
}

// checkPlan finds a source that was searched without a plan that can be read.
func (m *model) checkPlan(r *review, s *source) {
	p := s.plan
	ran := s.counts[1] > 0 || p.ran
	if s.twin != nil || s.bad || len(p.items) > 0 || !ran || m.hadPlan(r, s) || s.class != classRunning && (s.class != classComplete || p.ran) {
		return
	}
	found := m.tell("executed-without-plan", r, r.sm, p.at, s.name, methodsName+" has no plan of "+s.name+", of which "+say.Count(max(s.counts[1], len(p.norms)), "executed query")+" is recorded")
	if p.text {
		found.Message = "the plan of " + s.name + " cannot be read; expected the queries in a list or table below Planned, Executed and Remaining"
	}
	advise(found, "List the queries", "write the planned queries of "+s.name+" into "+methodsName+" with those that were executed and those that remain")
}

// blankMethods is a new Search_Methods.md.
func (r *review) blankMethods() string {
	text := "# Search Methods: " + unmarked(r.topic) + "\n\n**Date**: " + r.date + "\n**Mode**: " + modeName(r.mode) + "\n\n## Planned Queries by Source\n"
	for _, name := range sourceNames {
		text += "\n### " + name + "\n\n**Planned queries**:\n\n**Executed**:\n\n**Remaining**:\n"
	}
	return text + "\n## Search Execution Log\n"
}

// checkRemaining finds queries that are in both lists.
func (m *model) checkRemaining(r *review, p *plan) {
	for _, item := range p.left() {
		norm := normal(item.text)
		for j := range p.items {
			q := &p.items[j]
			if q.norm != norm || !q.executed {
				continue
			}
			found := m.tell("query-executed-and-remaining", r, r.sm, item.Part, markdown.Name(p.name)+" "+norm, "the query "+shown(item.text)+" of "+p.name+" is executed and remaining; expected one of them")
			if !item.inline && item.OK() && item.In(markdown.KindItem) {
				offer(found, sdk.Review, "Remove it from Remaining", r.sm.dropLine(item.Part))
			}
			advise(found, "Remove it from Remaining", "take the query out of Remaining; it was executed")
			break
		}
	}
}
