package print

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// A power is something that a plugin can do to a repository, with the targets.
type power struct {
	name string
	of   []string
}

// reach lists a plugin's powers. A plugin has no other powers: it cannot write files, and its remedies need
// review unless the host finds that they are safe.
func reach(m *wire.Manifest) []power {
	documents := each(m.Documents, func(d *wire.DocumentSpec) string {
		if d.Need == wire.Content {
			return d.Glob
		}
		return d.Glob + " (" + d.Need.String() + ")"
	})
	var closing []string
	for _, r := range m.Rules {
		if r.Severity == wire.Error && !r.OffByDefault {
			closing = append(closing, r.Name)
		}
	}
	return []power{{"runs in", each(m.Roots, func(r *wire.Root) string { return r.Dir })}, {"reads", documents},
		{"asks about", m.AsksFor}, {"closes the gate for", closing}}
}

// Reach lists the files that a plugin can read, the paths that it can ask about, and the severities
// with which it can close the gate, as rows of name and value.
func Reach(m *wire.Manifest) (rows [][]string) {
	for _, p := range reach(m) {
		rows = append(rows, []string{p.name, cmp.Or(strings.Join(p.of, ", "), "nothing")})
	}
	return rows
}

// ReachChange lists the powers that a plugin's new version gains and loses. It then lists other changes that
// users ask about: rules that configurations can no longer name, and changes of the plugin's origin.
func ReachChange(old, now *wire.Manifest) (rows [][]string) {
	row := func(name string, of []string) {
		if len(of) > 0 {
			rows = append(rows, []string{name, strings.Join(of, ", ")})
		}
	}
	was := reach(old)
	for i, p := range reach(now) {
		row("now also "+p.name, without(p.of, was[i].of))
		row("no longer "+p.name, without(was[i].of, p.of))
	}
	known := slices.Clone(now.Dropped)
	for _, r := range now.Rules {
		known = append(append(known, r.Name), r.Replaces...)
	}
	had := each(old.Rules, func(r *wire.Rule) string { return r.Name })
	row("rejects configurations that name", without(had, known))
	said := About(old)
	for _, r := range About(now) {
		if !slices.ContainsFunc(said, func(s []string) bool { return slices.Equal(s, r) }) {
			rows = append(rows, []string{r[0] + " is now", r[1]})
		}
	}
	if rows == nil {
		rows = [][]string{{"powers", "unchanged"}}
	}
	return rows
}

func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}
