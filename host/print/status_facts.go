package print

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// This file holds what the HTML page and Markdown have in common.

// A Where is the origin of a status, as far as that is known.
type Where struct{ Repository, Branch, Commit string }

// A fact says what was checked, or how.
type fact struct {
	Name, Text string
	Class      string // "same" if it is the default, "chosen" if it has a default and differs, or else ""
}

// facts returns what was checked, its base, its scope and the time.
func (v *View) facts(r *result.Result) (list []fact) {
	add := func(name, text, class string) {
		if text != "" {
			list = append(list, fact{name, Safe(text), class})
		}
	}
	class := map[bool]string{true: "same", false: "chosen"}
	add("repository", v.Where.Repository, "")
	add("branch", v.Where.Branch, "")
	commit := cmp.Or(r.Revision, v.Where.Commit)
	add("commit", commit[:min(len(commit), shortID)], "")
	add("checked", cmp.Or(map[bool]string{true: "trial merge of " + r.Merge}[r.Merge != ""],
		map[wire.Source]string{wire.Worktree: "working tree", wire.Index: "index", wire.Commit: "commit"}[r.Source]),
		"")
	add("compared with", cmp.Or(strings.TrimPrefix(comparedWith(r.Base), "compared with "), "nothing"),
		class[len(r.Base) == 1 && r.Base[0].Rev == "HEAD"])
	scope := "everything"
	if r.Changed {
		scope = "what the change touches"
	}
	if text := outOfScope(r); text != "" {
		scope += "; not shown: " + text
	}
	add("scope", scope, class[scope == "everything"])
	add("time", v.Now.UTC().Format("2006-01-02 15:04 MST"), "")
	return list
}

// runFacts are the texts about a run. They are safe to print.
type runFacts struct {
	row
	State, Place, Name, Of string // Of is its workflow and its kind
	Done, Updated, By      string
	Current                bool
}

func (p *overview) runFacts(run *result.Run, place result.RunPlace) runFacts {
	x := runFacts{row: p.row(run, place), Place: Safe(place.Path), Of: Safe(run.Instance.Plugin)}
	x.State = stateWords[x.state]
	x.Updated, x.By = p.updated(run)
	if dir, base := path.Split(place.Path); place.Alone {
		x.Place, x.Name = strings.TrimSuffix(Safe(dir), "/"), Safe(base)
	}
	d := run.Self
	if d == nil {
		return x
	}
	x.Current = p.picks[d]
	if pr := d.Progress; pr.Total > 0 {
		x.Done = strings.TrimSpace(done(pr) + " " + Safe(pr.Unit))
	}
	name := Safe(result.NameOf(d))
	if !place.Alone {
		x.Name, name = name, ""
	} else if Safe(d.Subject) == x.Name {
		name = Safe(d.Lifecycle)
	}
	if name != "" {
		x.Of += " · " + name
	}
	return x
}

const acceptText = "Accept a finding with a reason:"

// acceptAny returns the command that accepts a finding, with ID in place of the finding's id, or "" if there is none.
func acceptAny(o *Options) string {
	if o.Accept == nil {
		return ""
	}
	return Safe(o.Accept("ID"))
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
