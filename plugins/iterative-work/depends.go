package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// needs reads the dependencies of a phase, as groups of alternatives.
func needs(s string) [][]string {
	var all [][]string
	s = upper(s)
	for _, sign := range [...]string{";", "&", " AND "} {
		s = strings.ReplaceAll(s, sign, ",")
	}
	for _, part := range strings.Split(s, ",") {
		if list := ids(part); len(list) > 0 && (strings.Contains(part, "|") || strings.Contains(part, " OR ")) {
			all = append(all, list)
		} else {
			all = append(all, each(list)...)
		}
	}
	return all
}

// each puts every id into a group of its own.
func each(ids []string) (groups [][]string) {
	for i := range ids {
		groups = append(groups, ids[i:i+1])
	}
	return groups
}

// relate adds dependencies to items that do not state any. It takes them from the Dependencies section. If there is no
// such section and no item states its dependencies, each item depends on the preceding one.
func (o *outlook) relate() {
	o.implied = !slices.ContainsFunc(o.items, func(it *item) bool { return it.saysNeeds })
	sequential := o.implied
	for _, d := range o.docs {
		for _, s := range d.Outline().Split(onDependencies) {
			lines := s.Meaning()
			if len(lines) == 0 {
				continue
			}
			r := &relations{outlook: o, at: sdk.AtBytes(d.Path, s.Heading().Start(), s.Heading().End())}
			for _, line := range lines {
				for _, one := range strings.Split(line, ";") {
					if line[0] != '|' { // not a table row
						r.line(markdown.Plain(one))
					}
				}
			}
			o.implied, sequential = false, r.sequential && !r.any
		}
	}
	for i, it := range o.items {
		if sequential && i > 0 && !it.saysNeeds {
			it.needs = [][]string{{o.items[i-1].id}}
		}
	}
}

// relations reads a Dependencies section.
type relations struct {
	*outlook
	at              sdk.Range
	any, sequential bool
}

// A dangling id is in a Dependencies section, but not in the plan.
type dangling struct {
	id string
	at sdk.Range
}

// arrows maps the notations for an arrow to their normal form.
var arrows = [...][2]string{{"->", "→"}, {"=>", "→"}, {"⇒", "→"}, {"►", "→"}, {"⟶", "→"}}

// verbs separate a phase from what it needs.
var verbs = [...]string{
	" depends on ", " depend on ", " needs ", " need ", " requires ", " require ", " after ", " follows ",
	" blocked by ", " waits for ",
}

// line reads one line of a section.
func (r *relations) line(line string) {
	line = " " + strings.TrimSpace(line) + " "
	for _, a := range arrows {
		line = strings.ReplaceAll(line, a[0], a[1])
	}
	switch {
	case words.Mentions(line, "independent", "in parallel", " not ", "n't", " no "):
		return
	case strings.Contains(line, "→"):
		parts := strings.Split(line, ",")
		if slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(p, "→") }) {
			parts = []string{line} // a comma separates ids, not chains
		}
		for _, one := range parts {
			r.chain(strings.Split(one, "→"))
		}
		return
	}
	r.sequential = r.sequential || words.Mentions(line, "sequential", "in order", "one after the other", "in sequence")
	low := markdown.Lower(line)
	for _, verb := range verbs {
		before, behind, ok := strings.Cut(low, verb)
		if !ok || !mentionsID(before) {
			continue
		}
		r.add(needs(behind), ids(upper(before))...)
		return
	}
	if key, value, ok := strings.Cut(line, ":"); ok && len(ids(upper(key))) == 1 {
		r.add(needs(value), firstID(key))
	}
}

// chain reads segments between arrows: every id needs all ids in the previous segment.
func (r *relations) chain(segments []string) {
	var before []string
	for _, segment := range segments {
		now := ids(segment)
		r.add(each(before), now...)
		before = now
	}
}

func (r *relations) add(groups [][]string, names ...string) {
	for _, id := range names {
		r.any = r.any || len(groups) > 0
		if it := r.byID[id]; it == nil && len(groups) > 0 {
			r.dangling = append(r.dangling, dangling{id, r.at})
		} else if it != nil && !it.saysNeeds {
			it.needs = append(it.needs, groups...)
		}
	}
}
