package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

func (m *model) checkConcepts(r *review) {
	if r.observed < searching {
		return
	}
	n := len(r.concepts)
	if n < 2 || n > 5 {
		found := m.tell("concept-count-out-of-range", r, r.rp, r.conceptTable.Part, "", itoa(n)+" concepts, not 2 to 5")
		advise(found, "Settle the concepts", "ask the user which 2 to 5 concepts the search rests on")
	}
	deeper := 0
	for i := range r.concepts {
		c := &r.concepts[i]
		if !c.shallow {
			deeper++
		}
		if c.lacks != "" {
			found := m.tell("incomplete-concept", r, r.rp, c.Part, normal(c.name), "concept "+shown(c.name)+" has no "+c.lacks)
			advise(found, "Complete the concept", "fill the "+c.lacks+" of the concept")
		}
	}
	if n > 0 && deeper == 0 && !r.notesDepth() {
		found := m.tell("only-shallow-concepts", r, r.rp, r.conceptTable.Part, "", "every concept is at depth Any")
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
	status := r.sourceTable.cols[srcStatus]
	if r.sourceTable.cols[srcType] < 0 || status < 0 {
		return
	}
	var seen [extraSource]bool
	for _, s := range r.sources {
		if s.id < extraSource {
			seen[s.id] = true
		}
		if s.bad {
			continue
		}
		at := r.sourceTable.at(s.Row, srcStatus).Part
		if !at.OK() {
			at = s.Part
		}
		if s.class == 0 {
			found := m.tell("unknown-source-status", r, r.rp, at, s.name, "status "+shown(s.status))
			advise(found, "Use a known status", "write Pending, In Progress, Complete, Skipped, or how far it got: Partial, Rate-Limited, Unavailable")
		}
		if s.twin != nil {
			found := m.tell("duplicate-source-row", r, r.rp, s.Part, s.name, s.name+" is "+shown(s.twin.status)+" and "+shown(s.status))
			relate(found, r.rp, s.twin.Part, "the first row, which is used")
			advise(found, "Merge the rows", "keep one row for "+s.name)
			continue
		}
		m.checkSource(r, s, at)
	}
	if r.mode == full && r.observed >= searching && r.sourceTable.OK() {
		for id, name := range sourceNames {
			if !seen[id] {
				found := m.tell("missing-source-row", r, r.rp, r.sourceTable.Part, name, "no row for "+name)
				offer(found, sdk.Safe, "Add a row for "+name, r.rp.add(&r.sourceTable, r.sourceTable.cells(name, "Pending")))
			}
		}
	}
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

func (m *model) checkSource(r *review, s *source, at markdown.Part) {
	if r.observed >= organizing && r.unsettled(s) {
		found := m.tell("unsettled-source", r, r.rp, at, s.name, s.name+" is "+className(s.class)+" in phase "+itoa(lifecycle.Phases[r.observed].Number))
		r.set(found, s, "Skipped")
		offer(found, sdk.Review, "Set Status to "+lines[searching], m.backTo(r, searching))
	}
	executed := max(s.counts[1], s.plan.executed)
	if s.class == classPending && executed > 0 {
		found := m.tell("pending-source-with-queries", r, r.rp, at, s.name, s.name+" is Pending with "+itoa(executed)+" queries executed")
		r.set(found, s, "In Progress")
	}
	if s.id == recommendation && s.class == classRunning && r.observed == searching {
		for _, other := range r.sources {
			if other.id != recommendation && other.twin == nil && required(r.mode, other.id) && (other.class == classPending || other.class == classRunning) {
				m.tell("recommendation-before-search", r, r.rp, at, "", "running before "+other.name)
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
	message := s.name + " is Complete but " + itoa(missing) + " of " + itoa(planned) + " planned queries are not recorded as executed"
	if len(open) > 0 {
		message += ": " + few(open, 3)
	}
	found := m.tell("unexecuted-planned-query", r, r.rp, at, s.name, message)
	relate(found, r.sm, s.plan.field.Part, "the plan")
	r.set(found, s, "In Progress")
	partial := "Partial: " + itoa(planned-missing) + "/" + itoa(planned)
	offer(found, sdk.Review, "Write "+partial, r.rp.cell(s.Row, r.sourceTable.cols[srcStatus], partial))
}

// checkCountsOf holds the counters of a source against its plan.
func (m *model) checkCountsOf(r *review, s *source) {
	p := s.plan
	n := len(p.items)
	if n == 0 {
		return
	}
	col, is, want := 0, s.counts[0], n
	if is < 0 || is == n {
		col, is, want = 1, s.counts[1], p.executed
		if s.class != classComplete || is < 0 || is >= want {
			return
		}
	}
	edits := r.rp.cell(s.Row, r.sourceTable.cols[srcPlanned+col], itoa(want))
	if col == 0 && s.class == classComplete && s.counts[1] >= 0 && s.counts[1] < p.executed {
		edits = both(edits, r.rp.cell(s.Row, r.sourceTable.cols[srcExecuted], itoa(p.executed)))
	}
	found := m.tell("query-count-mismatch", r, r.rp, r.sourceTable.at(s.Row, srcPlanned+col).Part, s.name,
		s.name+" "+countNames[col]+": table says "+itoa(is)+", the list has "+itoa(want))
	relate(found, r.sm, p.field.Part, "the list")
	offer(found, sdk.Review, "Set "+countNames[col]+" to "+itoa(want), edits)
}

func (m *model) checkPlans(r *review) {
	searched := 0
	for _, s := range r.sources {
		if s.class == classComplete || s.counts[1] > 0 {
			searched++
		}
	}
	switch {
	case searched == 0:
	case r.sm.missing():
		found := m.tell("missing-search-methods", r, r.sm, markdown.Part{}, "", itoa(searched)+" sources searched, no "+methodsName)
		offer(found, sdk.Review, "Create "+methodsName, []sdk.Edit{sdk.Create(r.sm.path, r.blankMethods())})
	case r.sm.empty():
		found := m.tell("missing-search-methods", r, r.sm, markdown.Part{}, "", itoa(searched)+" sources searched, "+methodsName+" is empty")
		advise(found, "Restore the plans", "bring the text of "+methodsName+" back from git, or write down what was searched")
	}
	if !r.sm.readable() {
		return
	}
	for _, s := range r.sources {
		p := s.plan
		if s.twin != nil || s.bad {
			continue
		}
		if s.class == classRunning && len(p.items) == 0 && (s.counts[1] > 0 || clean(p.done.Text()) != "" && p.ran) {
			found := m.tell("executed-without-plan", r, r.sm, p.heading.Part, s.name, s.name+": "+itoa(max(s.counts[1], len(p.norms)))+" queries executed, none planned")
			advise(found, "List the queries", "write the planned queries of "+s.name+" before going on")
		}
	}
	for _, p := range r.plans {
		m.checkRemaining(r, p)
	}
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
	for i := range p.listed {
		item := &p.listed[i]
		norm := normal(item.text)
		for j := range p.items {
			q := &p.items[j]
			if q.norm != norm || !q.executed {
				continue
			}
			found := m.tell("query-executed-and-remaining", r, r.sm, item.Part, markdown.Name(p.heading.Text())+" "+norm, shown(item.text)+" is in both lists")
			if !item.inline && item.Part.OK() {
				offer(found, sdk.Review, "Remove it from Remaining", r.sm.dropLine(item.Part))
			} else {
				advise(found, "Remove it from Remaining", "take the query out of Remaining; it was executed")
			}
			break
		}
	}
}

func (m *model) checkRounds(r *review) {
	for i := range r.over {
		b := &r.over[i]
		found := m.tell("budget-exceeded", r, r.rp, b.at, b.name, b.name+": "+itoa(b.actual)+" papers, budget "+itoa(b.max))
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
		found := m.tell("round-cap-exceeded", r, top.d, top.at, "", "round "+itoa(top.n)+", cap "+itoa(limit))
		advise(found, "Report non-convergence", "tell the user that the search did not converge within the cap")
	}
	if !r.converged() {
		return
	}
	last := r.latest()
	if r.observed == searching && r.isUnsettled() {
		found := m.tell("converged-but-searching", r, last.d, last.at, "", "round "+itoa(last.n)+" overlaps "+itoa(last.overlap)+" %")
		m.offerSkipping(found, r)
	}
	least := [...]int{0, 8, 30}[r.mode]
	if r.observed >= organizing && r.kept() < least && begins(fold(clean(r.density.Text())), "sparse") == 0 {
		at := r.density.Value()
		if !at.OK() {
			at = last.at
		}
		found := m.tell("sparse-unclassified", r, r.rp, at, "", "converged with "+itoa(r.kept())+" papers")
		offer(found, sdk.Review, "Set Classification to Sparse", r.rp.edit(r.density.Set("Sparse")))
	}
}

// offerSkipping offers to skip every open source, where all have a row and
// skipping leaves the claim in its phase.
func (m *model) offerSkipping(found *sdk.Diagnostic, r *review) {
	var edits []sdk.Edit
	var seen [extraSource + 1]bool
	for _, s := range r.sources {
		seen[s.id] = true
		if !r.unsettled(s) {
			continue
		}
		edit := r.rp.cell(s.Row, r.sourceTable.cols[srcStatus], "Skipped")
		if len(edit) == 0 || s.bad {
			return
		}
		edits = append(edits, edit...)
	}
	for id := range extraSource {
		if r.mode == full && !seen[id] {
			return
		}
	}
	offer(found, sdk.Review, "Set the open sources to Skipped", edits)
}
