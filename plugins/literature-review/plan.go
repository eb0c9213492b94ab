package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// settle makes a plan of its lists.
func (r *review) settle(p *plan) {
	if sourceOf(p.name) == recommendation && p.lists[planned] == nil {
		r.readSeeds(p)
	}
	for _, kind := range [...]int{planned, remaining} {
		// Without a list of what was planned, it is what was executed and what remains.
		if l := p.lists[kind]; l != nil && (kind == planned || p.lists[planned] == nil) {
			if kind == remaining {
				p.plan(p.lists[executed])
			}
			p.plan(l)
		}
	}
	if l := p.lists[executed]; l != nil {
		for _, item := range l.items {
			p.ran = p.ran || number(item.text) != 0
			p.execute(item.text)
		}
	}
}

// plan adds the items of a list to those that are planned.
func (p *plan) plan(l *list) {
	if l == nil {
		return
	}
	for _, item := range l.items {
		if norm := normal(item.text); norm != "" && !numbers(norm) {
			p.items = append(p.items, query{text: short(item.text), norm: norm})
		}
	}
}

// numbers reports whether a text only numbers queries: "1-3", "2 of 3", "all".
func numbers(norm string) bool {
	return norm == "all" || strings.Trim(norm, "0123456789-–,#q& /of") == ""
}

// readSeeds reads the two searches that start from seeds.
func (r *review) readSeeds(p *plan) {
	if l := p.lists[seeds]; l == nil || len(l.items) == 0 {
		return
	}
	fields := r.sm.fields(markdown.Heading{Part: p.at}.Section())
	for _, name := range [...]string{"PubMed Similar Articles", "Semantic Scholar Multi-Seed"} {
		said := fold(clean(pick(fields, markdown.Name(name)).Text()))
		kind := begins(said, "executed,yes,complete,done|skipped,n/a,not applicable,unavailable,no")
		p.items = append(p.items, query{text: name, norm: normal(name), executed: kind == 1, dropped: kind == 2})
		p.ran = p.ran || kind == 1
	}
}

// open lists the planned queries that were not executed.
func (p *plan) open() []string {
	var list []string
	for i := range p.items {
		if q := &p.items[i]; !q.executed && !q.dropped {
			list = append(list, q.text)
		}
	}
	return list
}

// left is what Remaining holds.
func (p *plan) left() []listed {
	if l := p.lists[remaining]; l != nil {
		return l.items
	}
	return nil
}

// place is where a plan's list is, or the heading of the source.
func (p *plan) place(path string, kind int) sdk.Range {
	if l := p.lists[kind]; l != nil && l.end > l.start && l.start > 0 {
		return sdk.AtBytes(path, l.start, l.end)
	}
	if p.at.OK() {
		return sdk.AtBytes(path, p.at.Start(), p.at.End())
	}
	return sdk.At(path)
}

// normal is the form in which queries are compared.
func normal(s string) string {
	for _, mark := range []string{" -- ", " – ", " — ", "→"} {
		if cut, _, ok := strings.Cut(s, mark); ok && strings.TrimSpace(cut) != "" {
			s = cut
		}
	}
	for {
		s = strings.TrimSpace(s)
		open := strings.LastIndexAny(s, "([")
		if open <= 0 || !strings.HasSuffix(s, ")") && !strings.HasSuffix(s, "]") {
			break
		}
		if inner := strings.ToLower(s[open+1 : len(s)-1]); s[open] == '(' && !(inner != "" && digit(inner[0])) && !strings.HasSuffix(inner, "results") {
			break
		}
		s = s[:open]
	}
	s = strings.Map(func(c rune) rune {
		if strings.ContainsRune("\"“”`", c) {
			return -1
		}
		return c
	}, strings.ToLower(s))
	return strings.Join(strings.Fields(strings.Trim(s, "'‘’ \t")), " ")
}

// execute marks the planned items that an executed one means.
func (p *plan) execute(text string) {
	norm := normal(text)
	if norm == "" {
		return
	}
	p.norms = append(p.norms, norm)
	best := -1
	for i := range p.items {
		q := &p.items[i]
		if q.norm == norm {
			q.executed = true
			return
		}
		if strings.HasPrefix(norm, q.norm) && (best < 0 || len(q.norm) > len(p.items[best].norm)) {
			best = i
		}
	}
	if best >= 0 {
		p.items[best].executed = true
		return
	}
	p.executeNumbers(strings.ToLower(strings.TrimSpace(text)))
}

// executeNumbers reads all, 1-3 (with a hyphen or an en dash), Q2, #4, "1, 2", "2 of 3", "2/3" and "2 queries".
func (p *plan) executeNumbers(s string) {
	first, last := 0, -1
	s = strings.ReplaceAll(s, "–", "-")
	fields := strings.Fields(strings.ReplaceAll(s, "/", " / "))
	switch {
	case len(fields) == 0:
		return
	case strings.TrimRight(fields[0], ".,:") == "all":
		first, last = 1, len(p.items)
	case len(fields) > 1 && allDigits(fields[0]) && (fields[1] == "of" || fields[1] == "/" || strings.HasPrefix(fields[1], "quer")):
		first, last = 1, number(fields[0])
	}
	p.mark(first, last)
	if last >= 0 {
		return
	}
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '&' }) {
		from, to, isRange := strings.Cut(strings.TrimLeft(part, "q#"), "-")
		if to = strings.TrimLeft(to, "q#"); !isRange {
			to = from
		}
		if part != "and" && (!allDigits(from) || !allDigits(to)) {
			return
		}
		if part != "and" {
			p.mark(number(from), number(to))
		}
	}
}

// mark marks items by number, 1-based, both ends included.
func (p *plan) mark(first, last int) {
	for i := max(first, 1); i <= min(last, len(p.items)); i++ {
		p.items[i-1].executed = true
	}
}

// readLog executes what a round of the log lists.
func (r *review) readLog(h markdown.Heading) {
	section := h.Section()
	name := clean(section.Field("Source Type", "Source").Text())
	if name == "" {
		return
	}
	r.logged = append(r.logged, sourceOf(name))
	p := r.planOf(sourceOf(name), name)
	if f := section.Field("Queries Executed", "Queries", "Executed"); p != nil && f.OK() && f.Origin() != markdown.FromTable {
		for _, item := range r.sm.follow(f.Index()) {
			if isNone(item.text) {
				continue
			}
			p.ran = true
			for part := range strings.SplitSeq(item.text, ";") {
				if clean(part) != "" && (!item.inline || !allDigits(part)) {
					p.execute(part)
				}
			}
		}
	}
}

// table reads a table of queries: with a column for their status, or below a label.
func (m *methodsReader) table(t markdown.Table) {
	c := columns(t, []string{"query|searchquery|searchstring|searchterm|searchterms|queries|planned|plannedquery|plannedqueries|terms|seed", "status|state|executed|done", "source|sourcetype|database"})
	p, kind, log := m.at()
	if c.cols[0] < 0 || log {
		return
	}
	for _, w := range c.rows {
		if name := c.real(w, 2); name != "" {
			p = m.source(name, true)
		}
		text := c.real(w, 0)
		if p == nil || text == "" {
			continue
		}
		p.text = true
		item := listed{Part: w.Cell(c.cols[0]).Part, text: text}
		if c.cols[1] < 0 {
			p.list(max(kind, planned)).items = append(p.list(max(kind, planned)).items, item)
			continue
		}
		status := yesNo(c.text(w, 1))
		p.list(planned).items = append(p.list(planned).items, item)
		if begins(status, "executed,complete,completed,done,yes,y,true,run,searched,finished") > 0 || normal(c.text(w, 1)) == normal(text) {
			p.list(executed).items = append(p.list(executed).items, item)
		}
	}
}
