package main

import (
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

// A selection holds the globs of --select. The empty one selects every rule.
type selection struct {
	globs []string
	used  []bool
}

func newSelection(globs []string) (*selection, error) {
	for _, g := range globs {
		if _, err := path.Match(g, ""); err != nil {
			return nil, usagef("--select %q is not a valid glob: %v", g, err)
		}
	}
	return &selection{globs: globs, used: make([]bool, len(globs))}, nil
}

// refuse returns an error for a glob that no rule of any plugin matches: a slip
// of the pen must not open the gate.
func (s *selection) refuse(list []*plugin.Plugin) error {
	if len(list) == 0 {
		return nil // broken plugins: which rules they have is not known
	}
	var all []string
	for _, k := range knownRules(list) {
		for i := range s.globs {
			s.globs[i] = k.Present(s.globs[i])
		}
	}
	for _, p := range list {
		for _, rule := range ruleNames(p.Manifest) {
			all = append(all, rule)
			s.selects(p.Name + "/" + rule)
		}
	}
	for i, used := range s.used {
		if !used {
			return usagef("--select %q matches no rule; %s", s.globs[i], oneOfRules(path.Base(s.globs[i]), all))
		}
	}
	return nil
}

// oneOfRules names the nearest, or says how to see all: they would fill screens.
func oneOfRules(wrong string, rules []string) string {
	return suggest.Or(wrong, rules, "`stategate explain WORKFLOW` lists the rules of a workflow")
}

// apply takes the findings of other rules out of r.
func (s *selection) apply(r *result.Result) {
	if len(s.globs) == 0 {
		return
	}
	for i := range r.Instances {
		inst := &r.Instances[i]
		inst.Diagnostics = slices.DeleteFunc(inst.Diagnostics, func(d result.Diagnostic) bool { return !s.selects(d.Rule) })
	}
}

// selects reports whether a glob matches workflow/rule, or the rule alone.
func (s *selection) selects(rule string) bool {
	_, short, _ := strings.Cut(rule, "/")
	found := false
	for i, g := range s.globs {
		name := short
		if strings.Contains(g, "/") {
			name = rule
		}
		if ok, _ := path.Match(g, name); ok {
			s.used[i], found = true, true
		}
	}
	return found
}

// ruleNames are the rules that a finding about a plugin's instances may have.
func ruleNames(m *wire.Manifest) []string {
	var names []string
	for _, r := range m.Rules {
		names = append(names, r.Name)
	}
	return append(names, wire.HostRules...)
}
