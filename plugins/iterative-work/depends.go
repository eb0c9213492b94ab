package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// An order is how the plan says what depends on what.
type order uint8

const (
	implied order = iota // it does not say: one after the other
	stated
)

// needs reads what a phase depends on: groups of alternatives.
func needs(s string) [][]string {
	var all [][]string
	var part []string
	any := false
	flush := func() {
		if any && len(part) > 0 {
			all = append(all, part)
		} else {
			for _, id := range part {
				all = append(all, []string{id})
			}
		}
		part, any = nil, false
	}
	for s != "" {
		w := words.First(s)
		switch {
		case isID(upper(w)):
			part = append(part, upper(w))
		case s[0] == '|' || words.Alike(w, "or"):
			any = true
		case s[0] == ',' || s[0] == ';' || s[0] == '&' || words.Alike(w, "and"):
			flush()
		}
		s = s[max(len(w), 1):]
	}
	flush()
	return all
}

// relate gives the items that do not say what they need what the section Dependencies says of
// them; without such a section their place in the list, unless another item says what it needs.
func (o *outlook) relate() {
	known := map[string]*item{}
	for _, it := range o.items {
		known[it.id] = it
		if it.saysNeeds {
			o.order = stated
		}
	}
	sequential := o.order == implied
	for _, d := range o.docs {
		for _, s := range d.Outline().Split(onDependencies) {
			text := bare(d.Text[s.Heading().End():s.End()])
			if strings.TrimSpace(text) == "" {
				continue
			}
			r := &relations{known: known}
			r.section(s, text)
			for _, id := range r.dangling {
				o.dangling = append(o.dangling, dangling{id, sdk.AtBytes(d.Path, s.Heading().Start(), s.Heading().End())})
			}
			o.order, sequential = stated, r.sequential && !r.any
		}
	}
	for i, it := range o.items {
		if sequential && i > 0 && !it.saysNeeds {
			it.needs = [][]string{{o.items[i-1].id}}
		}
	}
}

// relations reads a section Dependencies.
type relations struct {
	known           map[string]*item
	any, sequential bool
	dangling        []string // what needs a phase and is none
}

// A dangling id is one of a section Dependencies that no item of the plan has.
type dangling struct {
	id string
	at sdk.Range
}

func (r *relations) section(s markdown.Section, text string) {
	tables := s.Tables()
	for _, t := range tables {
		r.table(t)
	}
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "|") || len(tables) == 0 {
			r.line(line)
		}
	}
}

// table reads rows of an id and what it depends on: the first cell with an id, and the others.
func (r *relations) table(t markdown.Table) {
	on := t.Column(needsKeys...)
	for _, row := range t.Rows() {
		for _, c := range row.Cells() {
			if id := firstID(c.Text()); id != "" && c.Column() != on {
				r.add(id, needs(row.Cell(on).Text()))
				break
			}
		}
	}
}

// arrows are the ways to draw one, longest first, each with what it becomes.
var arrows = [...][2]string{
	{"-->", "→"}, {"->", "→"}, {"=>", "→"}, {"⇒", "→"}, {"►", "→"}, {"⟶", "→"}, {"<--", "←"}, {"<-", "←"}, {"<=", "←"}, {"⇐", "←"}, {"◄", "←"},
}

// verbs part a phase from what it needs, or, below, what needs it.
var (
	verbs   = []string{" depends on ", " depend on ", " needs ", " need ", " requires ", " require ", " after ", " follows ", " blocked by ", " waits for "}
	inverse = []string{" before ", " blocks ", " precedes ", " then "}
)

// line reads one line of a section.
func (r *relations) line(line string) {
	if before, behind, ok := strings.Cut(line, ";"); ok {
		r.line(before)
		r.line(behind)
		return
	}
	line = " " + strings.TrimSpace(line) + " "
	for _, a := range arrows {
		line = strings.ReplaceAll(line, a[0], a[1])
	}
	switch {
	case words.Mentions(line, "independent", "in parallel", " not ", "n't ", " no "):
		return
	case strings.Contains(line, "→"):
		for _, one := range chains(line) {
			r.chain(strings.Split(one, "→"))
		}
		return
	case strings.Contains(line, "←"):
		parts := strings.Split(line, "←")
		slices.Reverse(parts)
		r.chain(parts)
		return
	}
	r.sequential = r.sequential || words.Mentions(line, "sequential", "in order", "one after the other", "in sequence")
	for _, verb := range verbs {
		if before, behind, ok := cutFold(line, verb); ok && mentionsID(before) {
			r.all(ids(upper(before)), needs(behind))
			return
		}
	}
	for _, verb := range inverse {
		if before, behind, ok := cutFold(line, verb); ok && mentionsID(before) {
			r.all(ids(upper(behind)), needs(before))
			return
		}
	}
	if key, value, ok := strings.Cut(line, ":"); ok && len(ids(upper(key))) == 1 {
		r.add(firstID(key), needs(value))
	}
}

// cutFold is strings.Cut without regard to the case of letters.
func cutFold(s, sep string) (before, behind string, ok bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if words.Alike(s[i:i+len(sep)], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}

// chains parts a line at commas where each part has an arrow of its own.
func chains(line string) []string {
	parts := strings.Split(line, ",")
	if slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(p, "→") }) {
		return []string{line}
	}
	return parts
}

// chain reads segments between arrows: every id needs all ids of the segment before it.
func (r *relations) chain(segments []string) {
	var before []string
	for _, segment := range segments {
		now := ids(segment)
		var groups [][]string
		for _, id := range before {
			groups = append(groups, []string{id})
		}
		r.all(now, groups)
		before = now
	}
}

func (r *relations) all(names []string, groups [][]string) {
	for _, id := range names {
		r.add(id, groups)
	}
}

func (r *relations) add(id string, groups [][]string) {
	r.any = r.any || len(groups) > 0
	it := r.known[id]
	if it == nil && len(groups) > 0 && !slices.Contains(r.dangling, id) {
		r.dangling = append(r.dangling, id)
	}
	if it != nil && !it.saysNeeds {
		it.needs = append(it.needs, groups...)
	}
}
