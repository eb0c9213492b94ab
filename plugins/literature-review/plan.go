package literaturereview

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// A plan is what Search_Methods.md says about one source.
type plan struct {
	name     string // of the source, as the document writes it
	at       *value // its heading, or the document
	heading  markdown.Heading
	lists    [listKinds]list
	items    []*query
	executed int      // number of executed items
	ran      bool     // Executed or a round of the search log lists a query
	norms    []string // the normal forms of the executed queries
	text     bool     // there is text about the source
	said     bool     // the text is more than labels and placeholders
	now      *plan    // for a plan of the base: the current plan, or nil if there is none
}

// The lists of a plan.
const (
	seeds = iota + 1
	planned
	executed
	remaining
	listKinds
)

// listWords are the names of the lists, without the word "queries".
var listWords = [...]string{seeds: "seedsused|plannedseeds|seeds|seedpapers",
	planned:   "planned|plan|all|search|searchstrings|searchterms|tobeexecuted|list",
	executed:  "executed|completed|complete|done|run|finished|alreadyexecuted",
	remaining: "remaining|pending|outstanding|todo|left|open|notyetexecuted|unexecuted|notexecuted|leftover"}

// holdsLists reports whether headings right below h name the lists of a plan. If the state file does not name the
// sources, such a heading is read as a source.
func holdsLists(h markdown.Heading) bool {
	return some(h.Section().Parts(markdown.KindHeading), func(p markdown.Part) bool {
		below := markdown.Heading{Part: p}
		return below.Level() == h.Level()+1 && listOf(below.Text()) > 0
	})
}

// A list is one of the lists of a plan.
type list struct {
	*value // its label
	there  bool
	items  []*item
}

// An item is a list item below a label, or a part of the text after the label. Such a part has no location.
type item struct {
	*value
	text string
}

// A query is a planned item.
type query struct {
	_          [0]func() // not comparable; see entry
	text, norm string
	executed   bool
	dropped    bool // skipped or not applicable
}

func (l *list) add(it *item) { l.items = append(l.items, it) }

// list returns a list, and records that it exists even if it is empty.
func (p *plan) list(kind int) *list {
	p.lists[kind].there = true
	return &p.lists[kind]
}

// open returns the queries that were not executed: the planned ones, and others under Remaining.
func (p *plan) open() []string {
	left := those(p.items, func(q *query) bool { return !q.executed && !q.dropped })
	return append(each(left, func(q *query) string { return q.text }), p.extra()...)
}

// extra returns the queries under Remaining that are neither planned nor executed.
func (p *plan) extra() []string {
	isExtra := func(it *item) bool {
		norm := normal(it.text)
		return p.find(norm) == nil && !slices.Contains(p.norms, norm) && !numbers(norm)
	}
	return each(those(p.lists[remaining].items, isExtra), func(it *item) string { return say.Clip(it.text) })
}

// isPlanned reports whether all executed queries are planned.
func (p *plan) isPlanned() bool {
	return first(p.norms, func(norm string) bool {
		return !some(p.items, func(q *query) bool { return strings.HasPrefix(norm, q.norm) })
	}) == ""
}

// unplanned returns the first executed query that is not planned. It returns nil if no executed query is planned,
// because the two lists then differ in form.
func (p *plan) unplanned() *item {
	plans := func(it *item) bool {
		norm := normal(it.text)
		return numbers(norm) || some(p.items, func(q *query) bool {
			return strings.HasPrefix(norm, q.norm) || strings.HasPrefix(q.norm, norm) || !q.executed && reworded(norm,
				q.norm)
		})
	}
	list := p.lists[executed].items
	if !p.lists[planned].there || !some(list, plans) {
		return nil
	}
	return first(list, func(it *item) bool { return !plans(it) && it.value.ok() && yesNo(it.text) != "no" })
}

// reworded reports whether another query contains at least half of a query's words.
func reworded(norm, other string) bool {
	words := strings.Fields(norm)
	both := those(words, func(word string) bool { return strings.Contains(" "+other+" ", " "+word+" ") })
	return 2*len(both) >= len(words)
}

// find returns the planned query with a normal form, or nil if there is none.
func (p *plan) find(norm string) *query {
	return first(p.items, func(q *query) bool { return q.norm == norm })
}

// place returns the label of a list, or else the heading of the source.
func (p *plan) place(kind int) *value { return p.lists[kind].value.or(p.at) }

// settle determines the queries of a plan from its lists. Without a list of planned queries, they are the executed and
// the remaining ones.
func (r *review) settle(p *plan) {
	if has := p.lists[planned].there; !has && sourceOf(p.name) == recommendation {
		r.readSeeds(p)
	} else if !has {
		p.lists[planned] = p.lists[seeds]
	}
	if !p.lists[planned].there && p.lists[remaining].there {
		p.add(executed)
		p.add(remaining)
	}
	p.add(planned)
	for _, it := range p.lists[executed].items {
		p.ran = p.ran || number(it.text) != 0
		p.execute(it.text)
	}
}

// add adds the items of a list to the planned queries.
func (p *plan) add(kind int) {
	for _, it := range p.lists[kind].items {
		if norm := normal(it.text); norm != "" && !numbers(norm) && p.find(norm) == nil {
			p.items = append(p.items, &query{text: say.Clip(it.text), norm: norm})
		}
	}
}

// numbers reports whether a text consists only of the numbers of queries: "1-3", "2 of 3", "all".
func numbers(norm string) bool {
	norm = strings.TrimSuffix(strings.TrimSuffix(norm, " queries"), " query")
	return norm == "all" || strings.Trim(norm, "0123456789-–,#q& /of") == ""
}

// readSeeds reads the two searches that start from seeds.
func (r *review) readSeeds(p *plan) {
	if len(p.lists[seeds].items) == 0 {
		return
	}
	fields := r.sm.fields(p.heading.Section())
	for _, name := range [...]string{"PubMed Similar Articles", "Semantic Scholar Multi-Seed"} {
		kind := begins(fold(r.sm.pick(fields, markdown.Name(name)).real()),
			"executed,yes,complete,done|skipped,n/a,not applicable,unavailable,no")
		p.items = append(p.items, &query{text: name, norm: normal(name), executed: kind == 1, dropped: kind == 2})
		p.ran = p.ran || kind == 1
	}
}

// normal returns the form in which queries are compared.
func normal(s string) string {
	s = unstamped(s)
	for _, mark := range []string{" -- ", " – ", " — ", "→"} {
		if cut, _, ok := strings.Cut(s, mark); ok && strings.TrimSpace(cut) != "" {
			s = cut
		}
	}
	for {
		s = strings.TrimSpace(s)
		open := last(s, "(", "[")
		if open <= 0 || !strings.HasSuffix(s, ")") && !strings.HasSuffix(s, "]") {
			break
		}
		if inner := markdown.Lower(s[open+1 : len(s)-1]); s[open] == '(' && !(inner != "" && digit(inner[0])) &&
			!strings.HasSuffix(inner, "results") {
			break
		}
		s = s[:open]
	}
	s = strings.Map(func(c rune) rune {
		if strings.ContainsRune("\"“”`", c) {
			return -1
		}
		return c
	}, markdown.Lower(s))
	return strings.Join(strings.Fields(strings.Trim(s, "'‘’ \t")), " ")
}

// unstamped returns a query without what a log writes before it: a check mark, a date, a time, a number such as "Q1:",
// and the dashes between them.
func unstamped(s string) string {
	s = strings.TrimSpace(s)
	for {
		end := strings.IndexAny(s, " \t")
		if end < 0 || !stamp(s[:end]) {
			return s
		}
		s = strings.TrimSpace(s[end:])
		if rest := strings.TrimLeft(s, "-–—→"); rest != "" && strings.HasPrefix(rest, " ") {
			s = strings.TrimSpace(rest)
		}
	}
}

// stamp reports whether a word is a check mark, a date, a time, or a number with punctuation after it.
func stamp(word string) bool {
	if word == "[x]" || word == "[X]" || strings.Trim(word, "✓✔✅☑\ufe0f") == "" {
		return true
	}
	bare := strings.Trim(word, "()[]:,.")
	if len(bare) > 10 && bare[10] == 'T' {
		bare = bare[:10]
	}
	if len(bare) == 10 && digit(bare[0]) {
		return date(bare) == bare
	}
	if hour, minute, ok := strings.Cut(bare, ":"); ok {
		return len(hour) <= 2 && len(minute) == 2 && allDigits(hour+minute)
	}
	n := strings.TrimLeft(bare, "qQ#")
	return len(bare) < len(word) && len(bare)-len(n) < 2 && len(n) < 3 && allDigits(n) && strings.HasPrefix(word, bare)
}

// execute marks the planned queries that an item of Executed refers to: by their text, by number ("1-3", "Q2", "#4",
// "1, 2"), by count ("2 of 3", "2/3", "2 queries"), or as "all".
func (p *plan) execute(text string) {
	norm := normal(text)
	if norm == "" {
		return
	}
	p.norms = append(p.norms, norm)
	var best *query
	for _, q := range p.items {
		if strings.HasPrefix(norm, q.norm) && (best == nil || len(q.norm) > len(best.norm)) {
			best = q
		}
	}
	if best != nil {
		best.executed = true
		return
	}
	s := strings.ReplaceAll(markdown.Lower(strings.TrimSpace(text)), "–", "-")
	fields := strings.Fields(strings.ReplaceAll(s, "/", " / "))
	list := ranges(s)
	switch {
	case len(fields) == 0:
	case strings.TrimRight(fields[0], ".,:") == "all":
		list = [][2]int{{1, len(p.items)}}
	case len(fields) > 1 && allDigits(fields[0]) &&
		(fields[1] == "of" || fields[1] == "/" || strings.HasPrefix(fields[1], "quer")):
		list = [][2]int{{1, number(fields[0])}}
	}
	for _, q := range p.within(list) {
		q.executed = true
	}
}

// ranges reads "1-3", "Q2", "#4" and "1, 2" as pairs of first and last numbers.
func ranges(s string) [][2]int {
	var list [][2]int
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '&' }) {
		from, to, isRange := strings.Cut(strings.TrimLeft(part, "q#"), "-")
		if to = strings.TrimLeft(to, "q#"); !isRange {
			to = from
		}
		if part == "and" {
			continue
		}
		if !allDigits(from) || !allDigits(to) {
			break
		}
		list = append(list, [2]int{number(from), number(to)})
	}
	return list
}

// within returns the planned queries whose numbers are in the ranges. Numbers start at 1, and ranges include both ends.
func (p *plan) within(ranges [][2]int) (list []*query) {
	for _, r := range ranges {
		for i := max(r[0], 1); i <= min(r[1], len(p.items)); i++ {
			list = append(list, p.items[i-1])
		}
	}
	return list
}

// readLog marks queries as executed if a round of the search log lists them.
func (r *review) readLog(section markdown.Section) {
	pairs := r.sm.fields(section)
	name := r.sm.pick(pairs, "sourcetype|source").real()
	if name == "" {
		return
	}
	r.logged = append(r.logged, sourceOf(name))
	p := r.planOf(sourceOf(name), name)
	f := r.sm.pick(pairs, "queriesexecuted|queries|executed")
	if p == nil || f.row.OK() {
		return
	}
	for _, part := range strings.Split(f.text, ";") {
		if clean(part) != "" && !isNone(part) {
			if p.ran = true; f.listed || !allDigits(strings.TrimSpace(part)) {
				p.execute(part)
			}
		}
	}
}
