package literaturereview

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A label is a heading, a bold line or a key that names the list that follows, the source of that list, or both.
type label struct {
	rank int // it ends the labels with the same or a higher rank
	p    *plan
	kind int
	log  bool // it is a round of the search log or a placeholder, so no query below it is planned
}

// A methodsReader reads Search_Methods.md in one pass.
type methodsReader struct {
	r      *review
	d      *document
	labels []label
	depth  int // of the items in the current list
}

// readMethods reads Search_Methods.md.
func (r *review) readMethods() {
	for _, name := range sourceNames {
		r.plans = append(r.plans, &plan{name: name, at: r.sm.whole()})
	}
	m := methodsReader{r: r, d: r.sm}
	nodes := r.sm.o.Nodes
	for i := 0; i < len(nodes); i++ {
		switch n := &nodes[i]; n.Kind {
		case markdown.KindHeading:
			if n.Parent < 0 {
				m.heading(markdown.Heading{Part: m.d.o.At(i)})
			}
		case markdown.KindParagraph, markdown.KindTask:
			m.paragraph(m.d.o.At(i))
		case markdown.KindTable:
			m.table(markdown.Table{Part: m.d.o.At(i)})
			for i+1 < len(nodes) && nodes[i+1].Start < n.End {
				i++
			}
		}
	}
	for _, s := range r.sources {
		s.plan = cmp.Or(r.planOf(s.id, s.name), &plan{at: r.sm.whole()})
	}
	for _, p := range r.plans {
		r.settle(p)
	}
	for _, h := range r.sm.heads {
		if strings.HasPrefix(h.name, "round") {
			r.readLog(h.Section())
		}
	}
	for _, p := range r.plans {
		p.executed = len(those(p.items, func(q *query) bool { return q.executed }))
		r.planned = r.planned || len(p.items) > 0
		r.ran = r.ran || p.executed > 0 || p.ran
	}
}

// planOf returns the plan of a source, or nil if there is none.
func (r *review) planOf(id int, name string) *plan {
	for i, p := range r.plans {
		if i == id && id < extraSource || id == extraSource && i >= extraSource &&
			markdown.Name(p.name) == markdown.Name(name) {
			return p
		}
	}
	return nil
}

// source returns the plan of the source that a title names, or nil if it names none. A source is one that the templates
// or the state file list. If below is set, the title is right below the heading of all plans, so it always names a
// source.
func (m *methodsReader) source(title string, below bool) *plan {
	title = strings.TrimSpace(strings.Trim(clean(title), "*_`: "))
	id, key := sourceOf(title), markdown.Name(title)
	if title == "" || len(title) > 80 || id == extraSource && !below &&
		!some(m.r.sources, func(s *source) bool { return s.key == key }) {
		return nil
	}
	p := m.r.planOf(id, title)
	if p == nil {
		p = &plan{name: title, at: m.d.whole()}
		m.r.plans = append(m.r.plans, p)
	}
	return p
}

// tracked returns the plan of the source that a heading names among other words: "Round 2: Google Scholar", "Google
// Scholar (In Progress)". It returns nil unless the heading names exactly one source of the state file.
func (m *methodsReader) tracked(title string) *plan {
	named := those(m.r.sources, func(s *source) bool {
		return s.twin == nil && strings.Contains("-"+slug(title)+"-", "-"+slug(s.name)+"-")
	})
	if len(named) != 1 || len(title) > 80 {
		return nil
	}
	return m.source(named[0].name, true)
}

// listOf returns the list that a title names, or 0 if it names none.
func listOf(title string) int {
	title, _, _ = strings.Cut(title, "(")
	name := markdown.Name(title)
	bare := strings.TrimPrefix(strings.TrimSuffix(name, "bysource"), "queries")
	for _, end := range [...]string{"queries", "query", "searches"} {
		bare = strings.TrimSuffix(bare, end)
	}
	if bare == "" && name != "" {
		return planned
	}
	return max(placeAmong(bare, listWords[:]), 0)
}

// read reads a title that names a list, a source, or both ("PubMed: planned queries").
func (m *methodsReader) read(title string, rank int, below bool) (l label, ok bool) {
	l.rank = rank
	if l.p = m.source(title, false); l.p == nil {
		l.kind = listOf(title)
	}
	if l.p != nil || l.kind > 0 {
		return l, true
	}
	for _, mark := range [...]string{" – ", " — ", " - ", ": ", " (", " / "} {
		left, right, _ := strings.Cut(title, mark)
		for _, pair := range [...][2]string{{left, right}, {right, left}} {
			if p, kind := m.source(pair[0], false), listOf(pair[1]); p != nil && kind > 0 {
				l.p, l.kind = p, kind
				return l, true
			}
		}
	}
	if below {
		l.p = m.source(title, true)
	}
	return l, l.p != nil
}

// push makes a label the current one, and ends the labels that do not contain it.
func (m *methodsReader) push(l label) {
	m.pop(l.rank)
	m.labels = append(m.labels, l)
	m.depth = 0
}

func (m *methodsReader) pop(rank int) {
	for n := len(m.labels); n > 0 && m.labels[n-1].rank >= rank; n-- {
		m.labels = m.labels[:n-1]
	}
}

// at returns the current plan and list, and whether they are part of the search log.
func (m *methodsReader) at() (p *plan, kind int, log bool) {
	for _, l := range m.labels {
		p, kind, log = cmp.Or(l.p, p), cmp.Or(l.kind, kind), log || l.log
	}
	return p, kind, log
}

func (m *methodsReader) heading(h markdown.Heading) {
	level, name := h.Level(), markdown.Name(h.Text())
	m.pop(level)
	_, kind, log := m.at()
	number, isRound := strings.CutPrefix(name, "round")
	tracked := m.tracked(h.Text())
	isRound = isRound && (log || tracked == nil)
	names := func(p markdown.Part) bool { return m.source(p.Text(), false) != nil || m.tracked(p.Text()) != nil }
	switch {
	case isRound && !log && some(h.Section().Parts(markdown.KindHeading), names):
		m.push(label{rank: level}) // the round contains plans
	case strings.Contains(h.Text(), "{{"), strings.HasPrefix(name, "searchexecutionlog"),
		strings.HasPrefix(name, "executionlog"), isRound:
		m.push(label{rank: level, log: true})
		if n, _ := words.Leading(number); log && isRound && n >= 0 {
			m.r.rounds = append(m.r.rounds, &round{m.d.part(h.Part), n, absent})
			m.r.ran = true
		}
	case level > 1:
		l, ok := m.read(h.Text(), level, false)
		if !ok && tracked != nil {
			l.p, ok = tracked, true
		} else if !ok {
			l, ok = m.read(h.Text(), level, kind > 0 || m.r.lost && holdsLists(h))
		}
		if m.push(l); ok && l.p != nil && !l.p.at.ok() {
			l.p.at, l.p.heading = m.d.part(h.Part), h
		}
	}
}

// lineRank is the rank of a label that is a line and not a heading. In an item, the rank rises with the depth.
const lineRank = 19

// paragraph reads the lines of a paragraph: labels with their values, and items.
func (m *methodsReader) paragraph(p markdown.Part) {
	if _, _, log := m.at(); log {
		return
	}
	depth, start, text, whole := 0, p.Start(), "", m.d.part(p)
	if parent := m.d.o.At(p.Node().Parent); parent.Node().Kind == markdown.KindItem {
		depth = parent.Node().Data
		m.pop(lineRank + 1 + 2*depth)
	}
	if p.Node().Kind == markdown.KindTask {
		m.item(whole, p.Text(), depth, markdown.Task{Part: p})
		return
	}
	flush := func() {
		m.item(whole, text, depth, markdown.Task{})
		text = ""
	}
	for raw := range strings.Lines(p.Raw()) {
		from := start
		for _, part := range strings.Split(strings.TrimRight(raw, "\r\n"), " | **") {
			l, said, ok := m.label(part, lineRank+2*depth)
			switch {
			case ok:
				flush()
				m.begin(l, from, from+len(part), said)
			case depth == 0 && field(part):
				flush()
				m.push(label{rank: lineRank})
			case depth == 0 && numbered(part):
				flush()
				whole, text = &value{d: m.d, start: from, end: from + len(part)}, part
			default:
				text += " " + part
			}
			from += len(part) + len(" | **")
		}
		start += len(raw)
	}
	flush()
}

// field reports whether a line begins with a bold key and a colon. "**Q1**: …" does not count, because it is a query.
func field(line string) bool {
	key, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "**"), "**")
	rest := strings.TrimPrefix(strings.TrimSpace(line), "**"+key+"**")
	return ok && !numbers(markdown.Lower(strings.TrimSuffix(key, ":"))) &&
		(strings.HasSuffix(key, ":") || strings.HasPrefix(rest, ":"))
}

// numbered reports whether a line is a list item that continues the numbering of another list. Directly below a line of
// text, Markdown recognizes a list only if it begins with 1.
func numbered(line string) bool {
	digits, _, ok := strings.Cut(strings.TrimSpace(line), " ")
	return ok && strings.HasSuffix(digits, ".") && allDigits(strings.TrimSuffix(digits, "."))
}

// label reads a line that names a list or a source, either alone or before a colon.
func (m *methodsReader) label(raw string, rank int) (l label, value string, ok bool) {
	text := strings.TrimSpace(strings.Trim(markdown.Plain(raw), "* "))
	key, value, keyed := strings.Cut(text, ":")
	bare, _, _ := strings.Cut(strings.TrimSpace(raw), " (")
	if !keyed && !(strings.HasPrefix(bare, "**") && strings.HasSuffix(bare, "**")) && m.source(text, false) == nil ||
		len(key) > 60 {
		return l, "", false
	}
	l, ok = m.read(key, rank, false)
	return l, strings.TrimSpace(strings.TrimLeft(value, "* ")), ok
}

// begin starts the list or source that a label names. The text after the label is the beginning of the list.
func (m *methodsReader) begin(l label, start, end int, text string) {
	m.push(l)
	p, kind, _ := m.at()
	if p == nil || kind == 0 {
		return
	}
	p.text = true
	list := p.list(kind)
	if !list.ok() {
		list.value = &value{d: m.d, text: text, start: start, end: end}
	}
	for _, part := range strings.Split(text, ";") {
		if part = strings.TrimSpace(part); clean(part) != "" && !isNone(part) && !isNote(part) {
			p.said = true
			list.add(&item{text: part})
		}
	}
}

// item adds an item to the current list. If the item is a task, its checkbox shows whether it was executed.
func (m *methodsReader) item(at *value, text string, depth int, task markdown.Task) {
	p, kind, _ := m.at()
	text = strings.TrimSpace(markdown.Plain(text))
	if p == nil || clean(text) == "" || isNote(text) {
		return
	}
	p.text = true
	if kind == 0 && task.OK() {
		kind = planned
	}
	if kind > 0 && isNone(text) {
		p.list(kind) // the list says that it is empty
		return
	}
	p.said = true
	prose := depth == 0 && m.labels[len(m.labels)-1].rank < lineRank
	if kind == 0 || prose || m.depth > 0 && depth != m.depth {
		return
	}
	m.depth = depth
	it := &item{at, text}
	p.list(kind).add(it)
	if kind == planned && task.Checked() {
		p.list(executed).add(it)
	}
}

// table reads a table of queries. The table has a column for their status, or is below a label.
func (m *methodsReader) table(t markdown.Table) {
	const query, status, origin = 0, 1, 2
	c := m.d.columns(t,
		[]string{
			"query|searchquery|searchstring|searchterm|searchterms|queries|planned|plannedquery|plannedqueries|terms|seed", "status|state|executed|done", "source|sourcetype|database"})
	p, kind, log := m.at()
	if c.cols[query] < 0 || log {
		return
	}
	for _, w := range c.records {
		if name := w.real(origin); name != "" {
			p = m.source(name, true)
		}
		text := strings.TrimSpace(w.text(query))
		if p == nil || clean(text) == "" {
			continue
		}
		p.text, p.said = true, true
		if c.cols[status] >= 0 {
			kind = planned
		}
		l := p.list(max(kind, planned))
		it := &item{w.cell(query), text}
		l.add(it)
		if begins(yesNo(w.text(status)), "executed,complete,completed,done,yes,y,true,run,searched,finished") > 0 ||
			c.cols[status] >= 0 && normal(w.text(status)) == normal(text) {
			p.list(executed).add(it)
		}
	}
}
