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

// A selection holds the globs of --select.
type selection []string

// refuse returns an error for a glob that is not valid, or that no rule of any plugin matches: a slip of the pen must not
// open the gate.
func (s selection) refuse(list []*plugin.Plugin) error {
	var all, rules []string
	for _, p := range list {
		for _, rule := range ruleNames(p.Manifest) {
			all, rules = append(all, rule), append(rules, p.Name+"/"+rule)
		}
	}
	for i := range s {
		if _, err := path.Match(s[i], ""); err != nil {
			return usagef("--select %q is not a valid glob: %v", s[i], err)
		}
		for _, k := range knownRules(list) {
			s[i] = k.Present(s[i])
		}
		// Which rules broken plugins have is not known. Of many rules the nearest is named: all would fill screens.
		if len(list) > 0 && !slices.ContainsFunc(rules, s[i:i+1].selects) {
			return usagef("--select %q matches no rule; %s", s[i], suggest.Or(path.Base(s[i]), all, "`stategate explain WORKFLOW` lists the rules of a workflow"))
		}
	}
	return nil
}

// selects reports whether a glob matches workflow/rule, or the rule alone.
func (s selection) selects(rule string) bool {
	return slices.ContainsFunc(s, func(glob string) bool {
		name := rule
		if !strings.Contains(glob, "/") {
			name = result.RuleName(rule)
		}
		ok, _ := path.Match(glob, name)
		return ok
	})
}

// ruleNames are the rules that a finding about a plugin's instances may have.
func ruleNames(m *wire.Manifest) []string {
	var names []string
	for _, r := range m.Rules {
		names = append(names, r.Name)
	}
	return append(names, wire.HostRules...)
}
