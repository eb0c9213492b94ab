package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
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
	m.checkColumns(r, &r.sourceTable, "Source Type", "Status")
	m.checkColumns(r, &r.paperTable, "Citation", "Status")
	for i := range r.excess {
		e := &r.excess[i]
		m.misaligned(r, r.rp, e.Row, e.width)
	}
	for i := range r.odd {
		o := &r.odd[i]
		found := m.tell("impossible-number", r, o.d, o.at, o.name, o.name+" is "+shown(o.text))
		advise(found, "Correct the number", "write the real number, or leave the cell blank")
	}
	for _, title := range needed {
		isCut := m.checkUnread(r, r.rp, title)
		r.papersCut = r.papersCut || isCut && markdown.Name(title) == "papertracking"
	}
	for _, d := range [...]*document{r.rp, r.sm, r.lr} {
		m.checkUnclosed(r, d)
	}
}

func (m *model) misaligned(r *review, d *document, row markdown.Row, width int) {
	found := m.tell("misaligned-row", r, d, row.Part, short(strings.Join(strings.Fields(row.Raw()), " ")), itoa(row.Len())+" cells under "+itoa(width)+" headings")
	advise(found, "Escape the pipe", `write \| for each | that is part of a text`)
}

func (m *model) checkSections(r *review) {
	var missing []string
	text := "\n"
	add := func(titles []string) {
		for _, title := range titles {
			missing = append(missing, title)
			text += blank(title)
		}
	}
	for _, title := range needed {
		if !r.rp.heading(markdown.Name(title)).OK() {
			add([]string{title})
		}
	}
	cut := true
	for _, title := range tail {
		cut = cut && !r.rp.heading(markdown.Name(title)).OK()
	}
	if cut {
		add(tail[:])
	}
	if len(missing) == 0 {
		return
	}
	var last markdown.Part
	if n := len(r.rp.heads); n > 0 {
		last = r.rp.heads[n-1].Part
	}
	found := m.tell("missing-section", r, r.rp, last, "", "sections missing: "+strings.Join(missing, ", "))
	if r.rp.closed() && len(missing) > 0 && r.headless(missing) {
		offer(found, sdk.Review, "Append the sections, blank", r.rp.insert(len(r.rp.o.Text), text))
	}
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

// headless reports whether no table without its heading stands in for one of
// the missing sections: a heading would hide it.
func (r *review) headless(missing []string) bool {
	for _, title := range missing {
		switch title {
		case "Core Concepts":
			if r.conceptTable.OK() {
				return false
			}
		case "Search Status by Source":
			if r.sourceTable.OK() {
				return false
			}
		case "Paper Tracking":
			if r.paperTable.OK() {
				return false
			}
		}
	}
	return true
}

func (m *model) checkColumns(r *review, t *table, names ...string) {
	if len(t.rows) == 0 {
		return
	}
	for _, name := range names {
		if t.Column(name) >= 0 {
			continue
		}
		found := m.tell("missing-column", r, r.rp, t.Header().Part, name, "table has no "+shown(name)+" column")
		advise(found, "Add the column", "give the table a column "+name+" and fill it for every row")
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
func (m *model) checkUnread(r *review, d *document, title string) bool {
	h := d.heading(markdown.Name(title))
	section := h.Body()
	first := section.Table()
	if !h.OK() || !first.OK() {
		return false
	}
	for _, t := range section.Tables() {
		if t.Index() == first.Index() || t.In(markdown.KindItem) || !similar(first, t) {
			continue
		}
		m.unread(r, d, t.Header().Part, title, "a second table below "+title+" is not read; "+itoa(len(t.Rows()))+" rows are in it")
		return true
	}
	for _, p := range section.Parts(markdown.KindParagraph) {
		if p.Start() > first.End() && strings.HasPrefix(p.Raw(), "|") && strings.Count(p.Raw(), "|") > 2 {
			m.unread(r, d, p, title, "rows cut off from the table of "+title+" are not read")
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
		m.unread(r, d, at, "comment", "a comment that nothing closes: it is read as text")
	}
	for i := range d.o.Nodes {
		if n := &d.o.Nodes[i]; n.Kind == markdown.KindFence && n.Data == 1 {
			m.unread(r, d, d.o.At(i+0), "fence", "a fence that nothing closes: what follows is not read")
			return
		}
	}
}
