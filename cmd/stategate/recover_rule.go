package main

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
)

// ofRule returns a remedy for every finding of a rule that is named as WORKFLOW/RULE or, if that is unique, as RULE:
// the first that can be applied. If all are manual it returns those. known is false if no rule has the name.
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
	var rules []string // that found something
	for _, d := range r.Findings() {
		if named(d.Rule) && !slices.Contains(rules, d.Rule) {
			rules = append(rules, d.Rule)
		}
	}
	switch {
	case !known:
		return nil, false, nil
	case len(rules) == 0:
		return nil, true, usagef("there is no finding of %s here; `stategate recover` lists the findings", name)
	case len(rules) > 1:
		return nil, true, usagef("%s is a rule of several workflows; use one of: %s", name, strings.Join(rules, ", "))
	}
	all := r.Offers()
	if offers = result.OfRule(all, rules[0]); len(offers) > 0 {
		return offers, true, nil
	}
	offers = slices.DeleteFunc(all, func(f result.Offer) bool { return f.Rule() != rules[0] })
	if len(offers) == 0 {
		return nil, true, usagef("no remedy is known for the findings of %s", rules[0])
	}
	return offers, true, nil
}
