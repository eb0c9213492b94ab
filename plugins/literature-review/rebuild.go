package literaturereview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// A section is a section of a new state file: its text, and the columns of its table, joined by |.
type section struct{ title, text, columns string }

var sections = [...]section{
	{"Research Goals", "**Primary Research Question**:\n\n**Methodological Needs**:\n\n**Exclusions**:\n", ""},
	{"Core Concepts", "", "Concept|Search Terms|Cross-Disciplinary Variants|Target Depth"},
	{"Search Status by Source", "", "Source Type|Status|Queries Planned|Queries Executed|Results|New Unique|Last " +
		"Updated"},
	{"Convergence Tracking", "**Convergence Threshold**: 80%\n**Round Cap**:\n\n",
		"Round|Source Type|New Papers|Overlap with Existing (%)|Cumulative Total"},
	{"Paper Tracking", "", "#|Citation|Source Type|Source|Relevance|Status|Exemplar?|DOI/PMID"},
	{"Antagonistic Review", "**Critique Summary**:\n", ""},
	{"Session Notes", "", ""},
	{"Next Steps", "", ""},
	{"Output Files", "- [ ] " + indexPath + "\n- [ ] " + progressName + "\n- [ ] " + methodsName + "\n- [ ] " +
		textName + "\n", ""},
}

var (
	reviewsSection = section{"Reviews", "", "#|Date|Topic|Mode|Status|Papers|Key Finding"}
	linksSection   = section{"Quick Links", "", "Review|Folder"}
	trackedSection = &sections[4]
)

// filled returns the text of a section with rows, or with a blank row if there are none.
func (s *section) filled(rows string) string {
	text := "\n## " + s.title + "\n\n" + s.text
	if s.columns == "" {
		return text
	}
	cells := strings.Split(s.columns, "|")
	if rows == "" {
		rows = line(make([]string, len(cells))...) + "\n"
	}
	return text + line(cells...) + "\n|" + strings.Repeat("---|", len(cells)) + "\n" + rows
}

// stateFile returns the text of a new state file. The keys of rows are the titles of the sections.
func stateFile(date, topic, mode, status, counts string, rows map[string]string) string {
	text := "# Literature Review Progress\n\n**Date**: " + date + "\n**Topic**: " + topic + "\n**Status**: " + status +
		"\n**Mode**: " + mode + "\n"
	for i := range sections {
		s := &sections[i]
		if text += s.filled(rows[s.title]); s == trackedSection {
			text += "\n" + counts
		}
	}
	return text
}

// reviewsTable returns a Reviews section with a row for each folder, and Quick Links. It returns "" if a table cannot
// contain the name of a folder.
func (m *model) reviewsTable() string {
	rows, links := "", ""
	used := map[string]bool{}
	for i, r := range m.reviews {
		state, papers, topic := "In Progress", "", plain(r.title())
		switch {
		case strings.ContainsAny(r.name, "`|\\<>") || clean(r.name) != r.name:
			return ""
		case r.abandoned:
			state = "Abandoned"
		case r.observed == complete:
			state = "Complete"
		}
		if !r.lost {
			papers = say.Int(r.kept())
		}
		if used[fold(topic)] || topic == "" {
			topic = titled(r.slug)
		}
		used[fold(topic)] = true
		rows += line(say.Int(i+1), r.date, topic, modeName(r.anyMode()), state, papers, "") + "\n"
		links += line(topic, "`"+r.name+"/`") + "\n"
	}
	if len(used) < len(m.reviews) {
		return ""
	}
	return reviewsSection.filled(rows)[1:] + linksSection.filled(links)
}

// title returns the topic of a review, according to the documents that remain.
func (r *review) title() string {
	return cmp.Or(r.topic, r.sm.title(), r.lr.title(), r.rowTopic(), titled(r.slug))
}

// anyMode returns the mode from the state file, or else from other documents.
func (r *review) anyMode() int {
	all := r.modes()
	n := len(all)
	return cmp.Or(r.mode, all[n-2].mode, all[n-1].mode, all[0].mode)
}

// status returns the status of a plan's source. isLogged says whether the search log names the source.
func (p *plan) status(isLogged bool) int {
	switch {
	case len(p.items) > 0 && len(p.open()) == 0:
		return sourceComplete
	case isLogged || p.ran || p.executed > 0:
		return sourceRunning
	}
	return sourcePending
}

// revive returns the status of a source according to Search_Methods.md, and the text to write for it. For a source that
// was Skipped in the base, this is the text in the base.
func (r *review) revive(id int) (status int, said string) {
	status = r.plans[id].status(slices.Contains(r.logged, id))
	said = sourceStatuses.name(status)
	if status == sourcePending {
		for _, s := range r.was.sources {
			if s.id == id && s.status == sourceSkipped {
				said = cmp.Or(plain(s.said().real()), said)
			}
		}
	}
	return status, said
}

// rebuilt returns a state file made from the other documents in the folder, and the phase that they show. Its Status is
// that phase, unless another status is given.
func (r *review) rebuilt(status string) (text string, phase int) {
	phase = max(r.observed, initializing)
	sources := ""
	isPlanned := func(p *plan) bool { return len(p.items) > 0 || p.ran }
	extra := those(r.plans[extraSource:], isPlanned)
	// in a later phase, each source is complete or skipped; nothing shows which sources without a plan there were
	isOwn := len(extra) > 0 && len(those(r.plans[:extraSource], isPlanned)) < 4 || phase > searching
	add := func(name string, p *plan, is int, said string) {
		if is == sourceRunning || is == sourceComplete {
			phase = max(phase, searching)
		}
		sources += line(name, said, say.Int(len(p.items)), say.Int(p.executed), "", "", "") + "\n"
	}
	for id, name := range sourceNames {
		is, said := r.revive(id)
		if !isOwn || is != sourcePending || said != sourceStatuses.name(is) || isPlanned(r.plans[id]) {
			add(name, r.plans[id], is, said)
		}
	}
	for _, p := range extra {
		add(unmarked(p.name), p, p.status(false), sourceStatuses.name(p.status(false)))
	}
	rows := map[string]string{needed[inConcepts].title: r.rebuiltConcepts(), needed[inSources].title: sources,
		needed[inPapers].title: r.rebuiltPapers()}
	rows["Convergence Tracking"] = r.was.rp.rows(convergenceSection, "!round", "sourcetype|source", "newpapers",
		"overlap*", "cumulativetotal|cumulative|total")
	return stateFile(r.date, unmarked(r.title()), modeName(r.anyMode()), cmp.Or(status, statusLine(phase)),
		r.recounted(), rows), phase
}

// rows returns the rows of a table, rewritten for a table with these columns.
func (d *document) rows(heading string, columns ...string) string {
	rows := ""
	for _, w := range d.table(heading, columns...).records {
		if w.real(0) != "" && !w.bad() {
			var cells []string
			for i := range columns {
				add(&cells, unmarked(w.text(i)))
			}
			rows += line(cells...) + "\n"
		}
	}
	return rows
}

// rebuiltConcepts returns the rows of Core Concepts. They are the concepts in another document or the base; or else the
// topics of the text, which were at least searched by name; or else the topic of the review, with the planned queries
// as its search terms.
func (r *review) rebuiltConcepts() string {
	rows := ""
	for _, d := range [...]*document{r.sm, r.lr, r.was.rp} {
		rows = cmp.Or(rows, d.rows(conceptsSection, "!concept", "searchterms", "cross*", "targetdepth"))
	}
	if rows != "" {
		return rows
	}
	for _, t := range r.topics {
		if title := unmarked(t.title); t.ok() && title != "" {
			rows += line(title, title, "", "") + "\n"
		}
	}
	if title := unmarked(r.title()); rows == "" && title != "" && r.planned {
		var terms []string
		for _, p := range r.plans {
			for _, q := range p.items {
				add(&terms, unmarked(q.text))
			}
		}
		rows = line(title, strings.Join(terms, "; "), "", "") + "\n"
	}
	return rows
}

// recounted returns the counts of the entries. Entries do not show how many papers were found and excluded.
func (r *review) recounted() string {
	marked := those(r.entries, func(e *entry) bool { return e.kind == exemplars })
	return "**Included**: " + say.Int(len(r.entries)) + " | **Exemplars**: " + say.Int(len(marked)) + "\n"
}

// cells returns the cells of an entry's row. The status is the one that the entry supports, or a higher one from the
// base.
func (r *review) cells(e *entry, n int) []string {
	exemplar, rank := "No", e.level()
	if e.kind == exemplars {
		exemplar = "Yes"
	}
	if e.written {
		for _, p := range r.was.papers {
			if p.rank != excluded && p.means(e) {
				rank = max(rank, p.rank)
			}
		}
	}
	found := "" // left blank if it names a kind of publication and not a source
	if some(r.sources, func(s *source) bool { return fold(s.name) == fold(e.source) }) {
		found = unmarked(e.source)
	}
	return []string{say.Int(n), cmp.Or(unmarked(e.title), "Untitled entry"), found, "", "",
		paperStatuses.name(rank), exemplar, unmarked(strings.TrimPrefix(e.id, "pmid:"))}
}

// rebuiltPapers returns rows of Paper Tracking that are made from the entries.
func (r *review) rebuiltPapers() string {
	rows := ""
	for i, e := range r.entries {
		rows += line(r.cells(e, i+1)...) + "\n"
	}
	return rows
}

// rebuiltRows returns the edits that add a row for each entry to Paper Tracking. If there is no table, they add the
// table.
func (r *review) rebuiltRows() []sdk.Edit {
	h, t, text := r.rp.heading(papersSection), r.tables[inPapers], trackedSection.filled(r.rebuiltPapers())
	switch {
	case !t.OK() && !r.rp.closed():
		return nil
	case !t.OK() && h.OK():
		return r.rp.insert(h.End(), "\n"+text[strings.IndexByte(text, '|')-1:])
	case !t.OK():
		return r.rp.insert(len(r.rp.o.Text), text+"\n"+r.recounted())
	case t.cols[paperCitation] < 0 || t.cols[paperStatus] < 0:
		return nil
	}
	var rows [][]string
	for i, e := range r.entries {
		rows = append(rows, t.cells(r.cells(e, i+1)...))
	}
	return t.add(rows...)
}
