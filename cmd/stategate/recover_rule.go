package main

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
)

// ofRule returns, for each finding of a rule, the first remedy that can be applied. If all remedies are manual, it
// returns those. The rule's name is WORKFLOW/RULE, or RULE if that is unique; known is false if no rule has this name.
func ofRule(name string, list []*plugin.Plugin, r *result.Result) (offers []result.Offer, known bool, err error) {
	present := config.Present(knownRules(list), name)
	named := func(rule string) bool {
		return slices.Contains(present, rule) || slices.Contains(present, result.RuleName(rule))
	}
	for _, p := range list {
		known = known || slices.ContainsFunc(ruleNames(p.Manifest), func(rule string) bool {
			return named(p.Name + "/" + rule)
		})
	}
	var rules []string // rules that have findings
	for _, d := range r.Findings() {
		if named(d.Rule) && !slices.Contains(rules, d.Rule) {
			rules = append(rules, d.Rule)
		}
	}
	switch {
	case !known:
		return nil, false, nil
	case len(rules) == 0:
		return nil, true, usagef("%s has no findings here; `stategate recover` lists the findings", name)
	case len(rules) > 1:
		return nil, true, usagef("several workflows have a rule %s; use one of: %s", name, strings.Join(rules, ", "))
	}
	all := r.Offers()
	if offers = result.OfRule(all, rules[0]); len(offers) > 0 {
		return offers, true, nil
	}
	offers = slices.DeleteFunc(all, func(f result.Offer) bool { return f.Rule() != rules[0] })
	if len(offers) == 0 {
		return nil, true, usagef("the findings of %s have no remedies", rules[0])
	}
	return offers, true, nil
}
