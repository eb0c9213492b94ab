package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// tail are the sections at the end of a state file, and what stands in them
// when they are blank.
var tail = [...]string{"Antagonistic Review", "Session Notes", "Next Steps", "Output Files"}

// skeletons are blank sections of a state file by their title.
var skeletons = map[string]string{
	"Core Concepts":           "| Concept | Search Terms | Cross-Disciplinary Variants | Target Depth |\n|---|---|---|---|\n|  |  |  |  |\n",
	"Search Status by Source": "| Source Type | Status | Queries Planned | Queries Executed | Results | New Unique | Last Updated |\n|---|---|---|---|---|---|---|\n|  |  |  |  |  |  |  |\n",
	"Paper Tracking":          "| # | Citation | Source Type | Source | Relevance | Status | Exemplar? | DOI/PMID |\n|---|---|---|---|---|---|---|---|\n|  |  |  |  |  |  |  |  |\n",
	"Antagonistic Review":     "**Critique Summary**:\n",
	"Session Notes":           "",
	"Next Steps":              "",
	"Output Files":            "- [ ] " + indexPath + "\n- [ ] " + progressName + "\n- [ ] " + methodsName + "\n- [ ] " + textName + "\n",
}

// blank is a blank section.
func blank(title string) string { return "\n## " + title + "\n\n" + skeletons[title] }

func (m *model) checkTables(r *review) {
	m.checkSections(r)
	m.checkColumns(r, &r.sourceTable, needed[unreadSources].title, "Source Type", srcType, "Status", srcStatus)
	m.checkColumns(r, &r.paperTable, needed[unreadPapers].title, "Citation", paperCitation, "Status", paperStatus)
	for i := range r.excess {
		e := &r.excess[i]
		m.misaligned(r, r.rp, e.Row, e.width)
	}
	for i := range r.odd {
		o := &r.odd[i]
		found := m.tell("impossible-number", r, o.d, o.at, o.name, say.Wrong(o.name, shown(o.text), "a number from 0 to 999,999,999, or of a share 0 to 100"))
		advise(found, "Correct the number", "write the real number, or leave the cell blank")
	}
	for i := range needed {
		cut := m.checkUnread(r, r.rp, needed[i].title, needed[i].names)
		r.papersCut = r.papersCut || cut && i == unreadPapers
		if r.unread[i] {
			m.checkUnreadable(r, i)
		}
	}
	for _, d := range [...]*document{r.rp, r.sm, r.lr} {
		m.checkUnclosed(r, d)
	}
}

// checkUnreadable reports a section that holds text where a table is expected.
func (m *model) checkUnreadable(r *review, i int) {
	h := r.rp.heading(needed[i].names)
	found := m.tell("unreadable-section", r, r.rp, h, needed[i].title,
		needed[i].title+" has no table that can be read; expected the columns "+[...]string{"Concept and Search Terms", "Source Type and Status", "Citation and Status"}[i])
	found.Severity = m.unknown(func(was *review) bool {
		return [...]bool{len(was.concepts) > 0, len(was.sources) > 0, len(was.papers) > 0}[i]
	}, r)
	advise(found, "Write it as a table", "write "+needed[i].title+" as a table, a row for each")
}

func (m *model) misaligned(r *review, d *document, row markdown.Row, width int) {
	found := m.tell("misaligned-row", r, d, row.Part, short(strings.Join(strings.Fields(row.Raw()), " ")), "this row has "+say.Count(row.Len(), "cell")+", its table "+say.Count(width, "column")+`; is a "|" not escaped?`)
	advise(found, "Escape the pipe", `write \| for each | that is part of a text`)
}

func (m *model) checkSections(r *review) {
	var missing []string
	text := "\n"
	add := func(title string) {
		missing = append(missing, title)
		text += blank(title)
	}
	for i, t := range [...]*table{&r.conceptTable, &r.sourceTable, &r.paperTable} {
		if !t.OK() && !r.rp.heading(needed[i].names).OK() {
			add(needed[i].title)
		}
	}
	cut := r.looksCut()
	for _, title := range tail {
		cut = cut && !r.rp.heading(markdown.Name(title)).OK()
	}
	if cut {
		for _, title := range tail {
			add(title)
		}
	}
	if len(missing) == 0 {
		return
	}
	var last markdown.Part
	if n := len(r.rp.heads); n > 0 {
		last = r.rp.heads[n-1].Part
	}
	found := m.tell("missing-section", r, r.rp, last, "", "the file lacks "+say.Count(len(missing), "section")+": "+strings.Join(missing, ", ")+"; is it cut off?")
	if r.rp.closed() {
		offer(found, sdk.Review, "Append the sections, blank", r.rp.insert(len(r.rp.o.Text), text))
	}
	advise(found, "Bring the sections back", "copy them from the last commit that has them")
}

// looksCut reports whether the sections at the end of a state file are expected: where the review has
// come to them, the file was made from the upstream's template, which has them from the beginning, the
// text ends within a line, or the index knows of more papers.
func (r *review) looksCut() bool {
	if r.observed >= antagonizing || r.rp.heading("convergencetracking|searchbudget").OK() || !strings.HasSuffix(r.rp.o.Text, "\n") {
		return true
	}
	return r.observed >= organizing && r.row != nil && r.row.papers > len(r.papers)
}

// closed reports whether text behind the last line would be read: nothing is
// left open.
func (d *document) closed() bool {
	if d.o.OpenComment().OK() {
		return false
	}
	for i := range d.o.Nodes {
		if n := &d.o.Nodes[i]; n.Kind == markdown.KindFence && n.Data == 1 {
			return false
		}
	}
	return true
}

func (m *model) checkColumns(r *review, t *table, title string, first string, a int, second string, b int) {
	for i, name := range [...]string{first, second} {
		if len(t.rows) == 0 || t.cols[[...]int{a, b}[i]] >= 0 {
			continue
		}
		found := m.tell("missing-column", r, r.rp, t.Header().Part, name, "the table of "+title+" has no column "+shown(name)+"; it has "+say.List(t.Columns()))
		advise(found, "Add the column", "give the table a column "+name+" and fill it in for every row")
		return
	}
}

// lacksColumn reports whether missing-column speaks of the papers.
func (r *review) lacksColumn() bool {
	t := &r.paperTable
	return len(t.rows) > 0 && (t.cols[paperCitation] < 0 || t.cols[paperStatus] < 0)
}

// checkUnread finds rows below a heading that no rule reads: a second table, or
// lines of a table that a blank line or a text cut off, and reports whether
// there are any.
func (m *model) checkUnread(r *review, d *document, title, names string) bool {
	h := d.heading(names)
	section := h.Body()
	first := section.Table()
	if !h.OK() || !first.OK() {
		return false
	}
	for _, t := range section.Tables() {
		if t.Index() == first.Index() || t.In(markdown.KindItem) || !similar(first, t) {
			continue
		}
		m.unread(r, d, t.Header().Part, title, "the second table below "+title+" is not read; it has "+say.Count(len(t.Rows()), "row"))
		return true
	}
	for _, p := range section.Parts(markdown.KindParagraph) {
		if p.Start() > first.End() && strings.HasPrefix(p.Raw(), "|") && strings.Count(p.Raw(), "|") > 2 {
			m.unread(r, d, p, title, "these rows are not read: something parts them from the table of "+title)
			return true
		}
	}
	return false
}

// similar reports whether two tables have most columns in common.
func similar(a, b markdown.Table) bool {
	shared := 0
	for _, name := range a.Columns() {
		if b.Column(name) >= 0 {
			shared++
		}
	}
	return 2*shared > len(a.Columns())
}

func (m *model) unread(r *review, d *document, at markdown.Part, key, message string) {
	found := m.tell("unread-text", r, d, at, key, message)
	advise(found, "Mend the text", "join the rows to the first table, or close what is open")
}

// checkUnclosed finds fences and comments that nothing closes.
func (m *model) checkUnclosed(r *review, d *document) {
	if at := d.o.OpenComment(); at.OK() {
		m.unread(r, d, at, "comment", "this comment is never closed; it is read as text")
	}
	for i := range d.o.Nodes {
		if n := &d.o.Nodes[i]; n.Kind == markdown.KindFence && n.Data == 1 {
			m.unread(r, d, d.o.At(i), "fence", "this fence is never closed; what follows it is not read")
			return
		}
	}
}
