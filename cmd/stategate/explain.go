package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

func explainCommand(a *app) *cobra.Command {
	var named []string
	var format string
	c := &cobra.Command{
		Use:               "explain [WORKFLOW | RULE | WORKFLOW/RULE]",
		Short:             "Explain a workflow or a rule",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: inOrder(ruleWords(a, "")),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := explainFormats.named(format)
			if err != nil {
				return err
			}
			return explain(c.Context(), a, args, named, f)
		},
	}
	addFlag(c, otherFlags, &named, "plugin",
		"explain only the plugin `NAME|FILE` (repeatable)").
		completed(workflowWords(a, filesToo))
	explainFormats.flag(c, otherFlags, &format)
	return c
}

func explain(ctx context.Context, a *app, args, named []string, format print.Format) error {
	name, rule, isRule := strings.Cut(strings.Join(args, ""), "/")
	p, err := shownPlugins(ctx, a, named, func(list []*plugin.Plugin) bool {
		return name == "" || find(list, name) != nil || !isRule && len(rulesCalled(list, name)) > 0
	})
	if err != nil {
		return err
	}
	if len(args) == 0 {
		if format.Name != formatText {
			return usagef("--format %s needs a workflow; %s", format.Name, suggest.OneOf("", pluginNames(p.list)))
		}
		return printed(print.Workflows(a.stdout, p.list, a.page()))
	}
	plug := find(p.list, name)
	switch {
	case plug == nil && isRule:
		return usagef("no workflow is called %q; %s", name, suggest.OneOf(name, pluginNames(p.list)))
	case plug == nil:
		return explainRule(a, p.list, "", name, format)
	case isRule:
		return explainRule(a, []*plugin.Plugin{plug}, name, rule, format)
	}
	return printed(format.Explain(a.stdout, plug, a.page()))
}

// explainRule explains a workflow's rule. If the workflow is "", it explains the host's rule of that name, or the
// rule of that name in every workflow that has one.
func explainRule(a *app, list []*plugin.Plugin, workflow, name string, format print.Format) error {
	rules := rulesCalled(list, name)
	switch {
	case len(rules) == 0:
		return noSuchRule(list, workflow, name)
	case format.Name != formatText:
		return usagef("--format %s needs a workflow, but %s is a rule; %s", format.Name, name,
			suggest.OneOf("", pluginNames(list)))
	case workflow != "":
		rules = rules[:1]
		rules[0].Workflow = workflow
	}
	return printed(print.Rules(a.stdout, rules, a.page()))
}

// rulesCalled returns the rules with the given name, each with its workflow; the host's rules have none.
func rulesCalled(list []*plugin.Plugin, name string) (rules []print.RuleOf) {
	for _, p := range list {
		if i := slices.IndexFunc(p.Manifest.Rules,
			func(r wire.Rule) bool { return r.Name == name || slices.Contains(r.Replaces, name) }); i >= 0 {
			rule := p.Manifest.Rules[i]
			rules = append(rules, print.RuleOf{Workflow: p.Name, Rule: rule,
				Example: wasmfile.Examples(p.Wasm())[rule.Name]})
		}
	}
	for _, r := range result.Rules() {
		if r.Name == name {
			rules = append(rules, print.RuleOf{Rule: r})
		}
	}
	return rules
}

func noSuchRule(list []*plugin.Plugin, workflow, name string) error {
	var all []string
	for _, p := range list {
		all = append(all, ruleNames(p.Manifest)...)
	}
	if workflow != "" {
		return usagef("%s has no rule %q; %s", workflow, name,
			suggest.Or(name, all, "`stategate explain "+workflow+"` lists its rules"))
	}
	return usagef("no workflow or rule is called %q; %s", name, suggest.Or(name, append(pluginNames(list), all...),
		"`stategate explain` lists the workflows, `stategate explain WORKFLOW` the rules of one"))
}
