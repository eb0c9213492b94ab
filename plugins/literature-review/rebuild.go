package literaturereview

import "strings"

// header of a new Reviews table, and of Quick Links.
const (
	reviewsHeader = "## Reviews\n\n| # | Date | Topic | Mode | Status | Papers | Key Finding |\n|---|------|-------|------|--------|--------|-------------|\n"
	linksHeader   = "\n## Quick Links\n\n| Review | Folder |\n|--------|--------|\n"
)

// A fresh is a review that is begun anew beside a corrupted one.
type fresh struct {
	lost              *review
	name, date, topic string
}

// rebuiltIndex is a new INDEX.md, "" if a folder's name cannot be written in one.
func (m *model) rebuiltIndex(f *fresh) string {
	if text := m.reviewsTable(f); text != "" {
		return "# Literature Review Index\n\n" + text
	}
	return ""
}

// reviewsTable is a Reviews section with a row for each folder, and Quick Links.
func (m *model) reviewsTable(f *fresh) string {
	rows, links := "", ""
	used := map[string]bool{}
	add := func(date, topic, mode, state, papers, finding, folder string) {
		if used[fold(topic)] || topic == "" {
			topic = titled(slug(folder))
		}
		used[fold(topic)] = true
		rows += line([]string{itoa(len(used)), date, topic, mode, state, papers, finding}) + "\n"
		links += line([]string{topic, "`" + folder + "/`"}) + "\n"
	}
	for _, r := range m.reviews {
		if strings.ContainsAny(r.name, "`|\\<>") || clean(r.name) != r.name {
			return ""
		}
		state := "In Progress"
		switch {
		case r.abandoned || f != nil && f.lost == r:
			state = "Abandoned"
		case r.observed == complete:
			state = "Complete"
		}
		papers := ""
		if !r.lost {
			papers = itoa(r.kept())
		}
		topic := plain(r.title())
		add(r.date, topic, modeName(r.anyMode()), state, papers, m.index.finding(topic), r.name)
	}
	if f != nil {
		add(f.date, f.topic, "", "In Progress", "", "", f.name)
	}
	if len(used) < strings.Count(rows, "\n") {
		return ""
	}
	return reviewsHeader + rows + linksHeader + links
}

// finding is the Key Finding that an index without a usable table still tells of
// a topic.
func (x *index) finding(topic string) string {
	t := columns(x.o.TableWith("Topic"), []string{"topic", "keyfinding"})
	for _, w := range t.rows {
		if topic != "" && fold(t.real(w, 0)) == fold(topic) {
			return unmarked(t.real(w, 1))
		}
	}
	return ""
}

// title is what a review is called, from what is left of it.
func (r *review) title() string {
	if r.topic != "" {
		return r.topic
	}
	for _, d := range [...]*document{r.sm, r.lr} {
		if t := d.title(); t != "" {
			return t
		}
	}
	if r.row != nil && r.row.topic != "" {
		return r.row.topic
	}
	return titled(slug(r.slug))
}

// anyMode is the mode as the state file has it, else as other documents do.
func (r *review) anyMode() int {
	if r.mode != noMode {
		return r.mode
	}
	for _, d := range [...]*document{r.sm, r.lr} {
		if mode := modeOf(clean(pick(d.header(""), modeKeys).Text())); mode != noMode {
			return mode
		}
	}
	if r.row != nil {
		return r.row.mode
	}
	return noMode
}

// A revived source is a row of Search Status made from Search_Methods.md.
type revived struct {
	status            string
	class             int
	planned, executed int
}

func (r *review) revive(id int) revived {
	v := revived{status: "Pending", class: classPending}
	if len(r.plans) > 0 {
		v.planned, v.executed = len(r.plans[id].items), r.plans[id].executed
	}
	for _, logged := range r.logged {
		if logged == id {
			v.class = classRunning
		}
	}
	switch {
	case v.planned > 0 && len(r.plans[id].open()) == 0:
		v.class = classComplete
	case v.executed > 0:
		v.class = classRunning
	}
	v.status = className(v.class)
	t := r.sm.table("keydatabasesandsources", "!sourcetype", "!status")
	for _, w := range t.rows {
		said := plain(t.real(w, 1))
		if class := begins(fold(said), classWords); sourceOf(t.real(w, 0)) == id && class > 0 {
			v.status, v.class = said, class
		}
	}
	return v
}

// rebuiltProgress is a state file made from the other documents of the folder,
// and the phase that it claims.
func (r *review) rebuiltProgress() (text string, phase int) {
	sources := ""
	phase = max(r.observed, initializing)
	for id, name := range sourceNames {
		v := r.revive(id)
		if v.class == classRunning || v.class == classComplete {
			phase = max(phase, searching)
		}
		sources += line([]string{name, v.status, itoa(v.planned), itoa(v.executed), "", "", ""}) + "\n"
	}
	topic := unmarked(r.title())
	return skeleton(r.date, topic, modeName(r.anyMode()), lines[phase], r.rebuiltConcepts(), sources, r.rebuiltTable(), r.recounted()), phase
}

// rebuiltConcepts are the rows of the concepts that another document has, or of the topics of the text.
func (r *review) rebuiltConcepts() string {
	for _, d := range [...]*document{r.sm, r.lr} {
		t := d.table(conceptsSection, "!concept", "searchterms", "cross*", "targetdepth")
		rows := ""
		for _, w := range t.rows {
			if t.real(w, 0) != "" && !t.excess(w) {
				rows += line([]string{unmarked(t.text(w, 0)), unmarked(t.text(w, 1)), unmarked(t.text(w, 2)), unmarked(t.text(w, 3))}) + "\n"
			}
		}
		if rows != "" {
			return rows
		}
	}
	rows := ""
	for _, t := range r.topics {
		if title := unmarked(t.title); t.heading.OK() && title != "" {
			rows += line([]string{title, "", "", ""}) + "\n"
		}
	}
	return rows
}

// recounted are the counts of the entries.
func (r *review) recounted() string {
	marked := 0
	for _, e := range r.entries {
		if e.kind == exemplars {
			marked++
		}
	}
	n := itoa(len(r.entries))
	return "**Total Found**: " + n + " | **Included**: " + n + " | **Exemplars**: " + itoa(marked) + " | **Excluded**: 0\n"
}

// skeleton is a state file. Rows that are "" become the blank row of a new one.
func skeleton(date, topic, mode, status, concepts, sources, papers, counts string) string {
	var b strings.Builder
	b.WriteString("# Literature Review Progress\n\n**Date**: " + date + "\n**Topic**: " + topic + "\n**Status**: " + status + "\n**Mode**: " + mode + "\n")
	b.WriteString("\n## Research Goals\n\n**Primary Research Question**:\n\n**Methodological Needs**:\n\n**Exclusions**:\n")
	b.WriteString(filled("Core Concepts", concepts))
	b.WriteString(filled("Search Status by Source", sources))
	b.WriteString("\n## Convergence Tracking\n\n**Convergence Threshold**: 80%\n**Round Cap**:\n\n| Round | Source Type | New Papers | Overlap with Existing (%) | Cumulative Total |\n|---|---|---|---|---|\n|  |  |  |  |  |\n")
	if papers == "" {
		papers = skeletons["Paper Tracking"]
	}
	b.WriteString("\n## Paper Tracking\n\n" + papers + "\n" + counts)
	for _, title := range tail {
		b.WriteString(blank(title))
	}
	return b.String()
}

// filled is a section with rows in place of its blank one.
func filled(title, rows string) string {
	text := blank(title)
	if cut := strings.LastIndex(text, "|  |  |"); rows != "" && cut >= 0 {
		text = text[:strings.LastIndexByte(text[:cut+1], '\n')+1] + rows
	}
	return text
}
