package print

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// This file holds what the HTML page and Markdown have in common.

// A Where is the origin of a status, as far as that is known.
type Where struct{ Repository, Branch, Commit string }

// facts returns what was checked, its base and its scope, as pairs of name and value.
func (v *View) facts(r *result.Result) (list [][2]string) {
	add := func(name, text string) {
		if text != "" {
			list = append(list, [2]string{name, Safe(text)})
		}
	}
	add("repository", v.Where.Repository)
	add("branch", v.Where.Branch)
	commit := cmp.Or(r.Revision, v.Where.Commit)
	add("commit", commit[:min(len(commit), shortID)])
	add("checked", cmp.Or(map[bool]string{true: "trial merge of " + r.Merge}[r.Merge != ""],
		map[wire.Source]string{wire.Worktree: "working tree", wire.Index: "index", wire.Commit: "commit"}[r.Source]))
	add("compared with", cmp.Or(strings.TrimPrefix(comparedWith(r.Base), "compared with "), "nothing"))
	scope := "everything"
	if r.Changed {
		scope = "what the change touches"
	}
	if text := outOfScope(r); text != "" {
		scope += "; not shown: " + text
	}
	add("scope", scope)
	return list
}

// updated returns when a run was updated, and by whom.
func (p *overview) updated(run *result.Run) (when, by string) {
	t := run.Updated
	switch {
	case t.At.IsZero():
		return "", ""
	case t.Uncommitted:
		by = "not committed"
	case t.By != "":
		by = "by " + Safe(firstColumns(t.By, 30))
	}
	return ago(p.view.Now, t.At), by
}

// findingsOf returns a run's errors and warnings. Those that close the gate come first.
func findingsOf(run *result.Run, failOn wire.Severity) []result.Diagnostic {
	list := run.Closing(min(wire.Warning, failOn))
	slices.SortStableFunc(list, func(a, b result.Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
	return list
}

// A step is a run's position in its lifecycle.
type step struct {
	all      int // number of phases; 0 if there is no lifecycle
	actual   int // index from 0; -1 if there is none
	recorded int // likewise; also -1 if it equals actual
}

func stepOf(run *result.Run) step {
	d := run.Self
	if d == nil {
		return step{}
	}
	lives := run.Instance.Lifecycles
	at := slices.IndexFunc(lives, func(l wire.Lifecycle) bool { return l.Name == d.Lifecycle })
	if at < 0 {
		return step{}
	}
	index := func(name string) int {
		return slices.IndexFunc(lives[at].Phases, func(ph wire.Phase) bool { return ph.Name == name })
	}
	x := step{len(lives[at].Phases), index(d.Observed), -1}
	if _, recorded := phases(d); recorded != "" {
		x.recorded = index(recorded)
	}
	return x
}

// drawnStep draws a run's position in its lifecycle, with a mark for each phase: done, actual, to come or recorded.
func drawnStep(run *result.Run) (text string) {
	x := stepOf(run)
	for n := range x.all {
		text += x.mark(n, "●", "◉", "○", "◌")
	}
	return text
}

func (x step) mark(phase int, done, actual, todo, recorded string) string {
	switch {
	case phase == x.actual:
		return actual
	case phase == x.recorded:
		return recorded
	case phase < x.actual:
		return done
	}
	return todo
}

// rulesByID maps WORKFLOW/RULE to the rules that findings may have.
func rulesByID(plugins []*plugin.Plugin) map[string]wire.Rule {
	rules := map[string]wire.Rule{}
	for _, p := range plugins {
		for _, r := range slices.Concat(p.Manifest.Rules, result.Rules()) {
			rules[p.Name+"/"+r.Name] = r
		}
	}
	return rules
}
