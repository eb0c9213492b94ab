package literaturereview

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

// A plan is what Search_Methods.md says of one source.
type plan struct {
	name     string // as it is written
	at       markdown.Part
	lists    [listKinds]*list
	items    []query
	executed int      // items that were executed
	ran      bool     // Executed or a round of the log names anything
	norms    []string // what Executed holds, by its normal form
	text     bool     // there is text about the source
}

// The lists of a plan.
const (
	seeds = iota + 1
	planned
	executed
	remaining
	listKinds
)

// What the lists are called, without the word queries.
var listWords = [...]string{seeds: "seedsused|plannedseeds|seeds|seedpapers", planned: "planned|plan|all|search|searchstrings|searchterms|tobeexecuted|list",
	executed:  "executed|completed|complete|done|run|finished|alreadyexecuted",
	remaining: "remaining|pending|outstanding|todo|left|open|notyetexecuted|unexecuted|notexecuted|leftover"}

// A list is one of them.
type list struct {
	start, end int // of its label with the value, or of its last item
	value      string
	items      []listed
	marker     string // what stands before its last item
}

// A query is a planned item.
type query struct {
	text, norm string
	executed   bool
	dropped    bool // skipped or not applicable
}

// A label is a heading, a line in bold or a key, which says of what follows what list it is,
// and of which source.
type label struct {
	rank int // what it ends: labels of its rank and above
	p    *plan
	kind int
	log  bool // a round of the search log
}

// A methodsReader walks over Search_Methods.md once.
type methodsReader struct {
	r      *review
	d      *document
	labels []label
	depth  int // of the items that the list at hand has
}

// readMethods reads Search_Methods.md.
func (r *review) readMethods() {
	r.plans = make([]*plan, extraSource)
	for i := range r.plans {
		r.plans[i] = &plan{name: sourceNames[i]}
	}
	m := methodsReader{r: r, d: r.sm}
	nodes := r.sm.o.Nodes
	for i := 0; i < len(nodes); i++ {
		n := &nodes[i]
		switch n.Kind {
		case markdown.KindHeading:
			if n.Parent < 0 {
				m.heading(markdown.Heading{Part: r.sm.o.At(i)})
			}
		case markdown.KindParagraph, markdown.KindTask:
			m.paragraph(r.sm.o.At(i))
		case markdown.KindTable:
			m.table(markdown.Table{Part: r.sm.o.At(i)})
			for i+1 < len(nodes) && nodes[i+1].Start < n.End {
				i++
			}
		}
	}
	for _, s := range r.sources {
		if s.plan = r.planOf(s.id, s.name); s.plan == nil {
			s.plan = &plan{}
		}
	}
	for _, p := range r.plans {
		r.settle(p)
	}
	for _, h := range r.sm.heads {
		if strings.HasPrefix(h.name, "round") {
			r.readLog(h.Heading)
		}
	}
	for _, p := range r.plans {
		p.executed = 0
		for i := range p.items {
			if p.items[i].executed {
				p.executed++
			}
		}
		r.planned = r.planned || len(p.items) > 0
		r.ran = r.ran || p.executed > 0 || p.ran
	}
}

// planOf is the plan of a source, nil if there is none.
func (r *review) planOf(id int, name string) *plan {
	if id < extraSource {
		if len(r.plans) == 0 {
			return nil
		}
		return r.plans[id]
	}
	for i := extraSource; i < len(r.plans); i++ {
		if markdown.Name(r.plans[i].name) == markdown.Name(name) {
			return r.plans[i]
		}
	}
	return nil
}

// source is the plan that a title is about, nil for none: that of a source of the templates, of one
// that the state file tracks, or whatever stands right below the heading of all plans.
func (m *methodsReader) source(title string, below bool) *plan {
	title = strings.TrimSpace(strings.Trim(clean(title), "*_`: "))
	if title == "" || len(title) > 80 {
		return nil
	}
	id, key := sourceOf(title), markdown.Name(title)
	if id == extraSource && !below && !slices.ContainsFunc(m.r.sources, func(s *source) bool { return s.key == key }) {
		return nil
	}
	p := m.r.planOf(id, title)
	if p == nil {
		p = &plan{name: title}
		m.r.plans = append(m.r.plans, p)
	}
	return p
}

// listOf is the list that a title names, 0 for none.
func listOf(title string) int {
	title, _, _ = strings.Cut(title, "(")
	name := markdown.Name(title)
	bare := strings.TrimPrefix(strings.TrimSuffix(name, "bysource"), "queries")
	for _, end := range [...]string{"queries", "query", "searches"} {
		bare = strings.TrimSuffix(bare, end)
	}
	for kind, names := range listWords {
		if among(bare, names) {
			return kind
		}
	}
	if bare == "" && name != "" {
		return planned
	}
	return 0
}

// read reads a title: a list, a source, or both ("PubMed: planned queries").
func (m *methodsReader) read(title string, rank int, below bool) (l label, ok bool) {
	l.rank = rank
	if p := m.source(title, false); p != nil {
		l.p = p
		return l, true
	}
	if l.kind = listOf(title); l.kind > 0 {
		return l, true
	}
	for _, mark := range [...]string{" – ", " — ", " - ", ": ", " (", " / "} {
		left, right, cut := strings.Cut(title, mark)
		if !cut {
			continue
		}
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

// push makes a label the one at hand, and ends those that it is not below.
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

// at is the plan and the list at hand.
func (m *methodsReader) at() (p *plan, kind int, log bool) {
	for i := len(m.labels) - 1; i >= 0; i-- {
		l := &m.labels[i]
		if p == nil {
			p = l.p
		}
		if kind == 0 {
			kind = l.kind
		}
		log = log || l.log
	}
	return p, kind, log
}

func (m *methodsReader) heading(h markdown.Heading) {
	level, name := h.Level(), markdown.Name(h.Text())
	_, kind, log := m.at()
	switch {
	case strings.Contains(h.Text(), "{{"):
		m.push(label{rank: level, log: true}) // nothing in it counts
	case strings.HasPrefix(name, "searchexecutionlog"), strings.HasPrefix(name, "executionlog"), strings.HasPrefix(name, "round"):
		m.push(label{rank: level, log: true})
		if rest := strings.TrimPrefix(name, "round"); log && rest != name && rest != "" && digit(rest[0]) {
			if n := number(rest); n >= 0 {
				m.r.rounds = append(m.r.rounds, round{m.r.sm, h.Part, n, absent})
				m.r.ran = true
			}
		}
	case level > 1:
		below := kind > 0 && len(m.labels) > 0 && level > m.labels[len(m.labels)-1].rank
		l, ok := m.read(h.Text(), level, below)
		m.push(l)
		if ok && l.p != nil && !l.p.at.OK() {
			l.p.at = h.Part
		}
	}
}

// paragraph reads the lines of a paragraph: labels with their values, and items.
func (m *methodsReader) paragraph(p markdown.Part) {
	if _, _, log := m.at(); log {
		return
	}
	depth, task := 0, p.Node().Kind == markdown.KindTask
	if parent := p.Node().Parent; parent >= 0 && m.d.o.Nodes[parent].Kind == markdown.KindItem {
		depth = m.d.o.Nodes[parent].Data
		m.pop(20 + 2*depth)
	}
	rank := 19 + 2*depth
	start, text := p.Start(), ""
	for raw := range strings.Lines(p.Raw()) {
		from := start
		for part := range strings.SplitSeq(strings.TrimRight(raw, "\r\n"), " | **") {
			l, value, ok := m.label(part, rank)
			if task || !ok {
				text += " " + part
			} else {
				m.item(p, text, depth, false)
				m.begin(l, from, from+len(part), value)
				text = ""
			}
			from += len(part) + len(" | **")
		}
		start += len(raw)
	}
	if task {
		text = p.Text()
	}
	m.item(p, text, depth, task)
}

// label reads a line that names a list or a source, in front of a colon or alone.
func (m *methodsReader) label(raw string, rank int) (l label, value string, ok bool) {
	text := strings.TrimSpace(strings.Trim(markdown.Plain(raw), "* "))
	key, value, keyed := strings.Cut(text, ":")
	bare := strings.TrimSpace(raw)
	if !keyed && (strings.HasPrefix(bare, "**") && strings.HasSuffix(bare, "**") || m.source(text, false) != nil) {
		key, keyed = text, true
	}
	if !keyed || len(key) > 60 {
		return l, "", false
	}
	l, ok = m.read(key, rank, false)
	return l, strings.TrimSpace(strings.TrimLeft(value, "* ")), ok
}

// begin begins what a label names, with the value behind it.
func (m *methodsReader) begin(l label, start, end int, value string) {
	m.push(l)
	p, kind, _ := m.at()
	if p == nil || kind == 0 {
		return
	}
	p.text = true
	list := p.list(kind)
	if list.end == 0 {
		list.start, list.end, list.value = start, end, value
	}
	for part := range strings.SplitSeq(value, ";") {
		if part = strings.TrimSpace(part); clean(part) != "" && !isNone(part) {
			list.items = append(list.items, listed{text: part, inline: true})
		}
	}
}

func (p *plan) list(kind int) *list {
	if p.lists[kind] == nil {
		p.lists[kind] = &list{}
	}
	return p.lists[kind]
}

// item adds an item to the list at hand. Tasks tell by their boxes whether they were executed.
func (m *methodsReader) item(at markdown.Part, text string, depth int, task bool) {
	p, kind, _ := m.at()
	text = strings.TrimSpace(markdown.Plain(text))
	if p == nil || clean(text) == "" {
		return
	}
	p.text = true
	if kind == 0 && task {
		kind = planned
	}
	prose := depth == 0 && m.labels[len(m.labels)-1].rank < 19
	if kind == 0 || prose || m.depth > 0 && depth != m.depth || isNone(text) {
		return
	}
	m.depth = depth
	l := p.list(kind)
	l.items = append(l.items, listed{Part: at, text: text})
	if depth > 0 {
		l.end, l.marker = at.End(), m.d.marker(at)
	}
	if kind == planned && (markdown.Task{Part: at}).Checked() && task {
		p.list(executed).items = append(p.list(executed).items, listed{Part: at, text: text})
	}
}
