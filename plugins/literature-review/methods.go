package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

// A plan is what Search_Methods.md says of one source.
type plan struct {
	heading  markdown.Heading
	items    []query
	listed   []listed // what Remaining holds
	executed int      // items that were executed
	ran      bool     // Executed or a log round names anything
	field    markdown.Field
	done     markdown.Field // Executed
	norms    []string       // what Executed holds, by its normal form
}

// A query is a planned item.
type query struct {
	text, norm string
	executed   bool
	dropped    bool // skipped or not applicable
}

// readMethods reads Search_Methods.md.
func (r *review) readMethods() {
	d := r.sm
	r.plans = make([]*plan, extraSource)
	for i := range r.plans {
		r.plans[i] = &plan{}
	}
	top := ""
	for i := range d.heads {
		h := &d.heads[i]
		switch {
		case h.level <= 2:
			top = h.name
		case strings.HasPrefix(top, "searchexecutionlog"):
			r.readRound(h)
		case strings.HasPrefix(top, "plannedqueries") && h.level == 3:
			r.readPlan(h.Heading)
		}
	}
	for i := range d.heads {
		if h := &d.heads[i]; h.level == 3 && strings.HasPrefix(h.name, "round") {
			r.readLog(h.Heading)
		}
	}
	for _, s := range r.sources {
		if s.plan = r.planOf(s.id, s.name); s.plan == nil {
			s.plan = &plan{}
		}
	}
	for _, p := range r.plans {
		p.count()
		r.planned = r.planned || len(p.items) > 0
		r.ran = r.ran || p.executed > 0 || p.ran
	}
}

func (p *plan) count() {
	p.executed = 0
	for i := range p.items {
		if p.items[i].executed {
			p.executed++
		}
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

// planOf is the plan of a source, nil if there is none.
func (r *review) planOf(id int, name string) *plan {
	if id < extraSource {
		if len(r.plans) == 0 {
			return nil
		}
		return r.plans[id]
	}
	for i := extraSource; i < len(r.plans); i++ {
		if markdown.Name(r.plans[i].heading.Text()) == markdown.Name(name) {
			return r.plans[i]
		}
	}
	return nil
}

func (r *review) readPlan(h markdown.Heading) {
	id := sourceOf(h.Text())
	if strings.Contains(h.Text(), "{{") {
		return
	}
	p := r.planOf(id, h.Text())
	if p == nil {
		p = &plan{}
		r.plans = append(r.plans, p)
	}
	if p.heading.OK() {
		return
	}
	p.heading = h
	section := h.Section()
	field := section.Field("Planned queries", "Planned seeds", "Seeds used", "Planned")
	p.field, p.done = field, section.Field("Executed")
	if id == recommendation {
		r.readSeeds(p, section)
	} else {
		for _, item := range r.sm.items(field) {
			if norm := normal(item.text); norm != "" {
				p.items = append(p.items, query{text: short(item.text), norm: norm})
			}
		}
	}
	for _, item := range r.sm.items(p.done) {
		p.ran = p.ran || number(item.text) != 0
		p.execute(item.text)
	}
	p.listed = r.sm.items(section.Field("Remaining"))
}

// readSeeds reads the two searches that start from seeds.
func (r *review) readSeeds(p *plan, section markdown.Section) {
	if len(r.sm.items(section.Field("Seeds used", "Planned seeds"))) == 0 {
		return
	}
	for _, name := range [...]string{"PubMed Similar Articles", "Semantic Scholar Multi-Seed"} {
		said := fold(clean(section.Field(name).Text()))
		kind := begins(said, "executed,yes,complete,done|skipped,n/a,not applicable,unavailable,no")
		p.items = append(p.items, query{text: name, norm: normal(name), executed: kind == 1, dropped: kind == 2})
		p.ran = p.ran || kind == 1
	}
}

// items lists what a field holds: the list below it, or else the parts of its
// value. None is nothing.
func (d *document) items(f markdown.Field) []listed {
	if !f.OK() || f.Origin() == markdown.FromTable {
		return nil
	}
	all := d.follow(f.Index())
	var list []listed
	for _, item := range all {
		if !item.inline {
			if begins(fold(clean(item.text)), "none,nothing,n/a") == 0 {
				list = append(list, item)
			}
			continue
		}
		for _, part := range strings.Split(item.text, ";") {
			if clean(part) != "" && begins(fold(clean(part)), "none,nothing,n/a") == 0 {
				list = append(list, listed{item.Part, strings.TrimSpace(part), true})
			}
		}
	}
	return list
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

// readRound notes a round of the log.
func (r *review) readRound(h *head) {
	if rest, ok := strings.CutPrefix(h.name, "round"); ok && h.level == 3 && rest != "" && digit(rest[0]) {
		if n := number(rest); n >= 0 {
			r.rounds = append(r.rounds, round{r.sm, h.Part, n, absent})
			r.ran = true
		}
	}
}

// readLog executes what the rounds of the log list.
func (r *review) readLog(h markdown.Heading) {
	section := h.Section()
	field := section.Field("Source Type")
	name := clean(field.Text())
	if name == "" {
		return
	}
	r.logged = append(r.logged, sourceOf(name))
	if p := r.planOf(sourceOf(name), name); p != nil {
		for _, item := range r.sm.items(section.Field("Queries Executed")) {
			p.ran = true
			if !item.inline || !allDigits(item.text) {
				p.execute(item.text)
			}
		}
	}
}
