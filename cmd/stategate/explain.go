package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

const formatMermaid = "mermaid"

func (a *app) explainCommand() *cobra.Command {
	var named []string
	var format string
	c := &cobra.Command{
		Use:               "explain [WORKFLOW | RULE | WORKFLOW/RULE]",
		Short:             "Explain a workflow or a rule",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: inOrder(a.rules("")),
		RunE: func(c *cobra.Command, args []string) error {
			if err := oneFormat(format, formatText, formatMermaid); err != nil {
				return err
			}
			return a.explain(c, args, named, format)
		},
	}
	c.Flags().StringArrayVar(&named, "plugin", nil, "explain the plugin `NAME|FILE.wasm`, built in, configured or a file (repeatable)")
	c.Flags().StringVar(&format, "format", formatText, "print as `FORMAT`: text; mermaid draws the phases of a workflow")
	completeWords(c, "format", formatText, formatMermaid)
	completeFlag(c, "plugin", a.workflows(filesToo))
	return c
}

func (a *app) explain(c *cobra.Command, args, named []string, format string) error {
	name, rule, isRule := strings.Cut(strings.Join(args, ""), "/")
	p, err := a.shownPlugins(c, named, func(list []*plugin.Plugin) bool {
		return name == "" || find(list, name) != nil || !isRule && len(rulesCalled(list, name)) > 0
	})
	if err != nil {
		return err
	}
	if len(args) == 0 {
		if format == formatMermaid {
			return usagef("--format mermaid draws one workflow; %s", oneOf("", pluginNames(p.list)))
		}
		return a.printed(print.Workflows(a.stdout, p.list, a.page()))
	}
	plug := find(p.list, name)
	switch {
	case plug == nil && isRule:
		return usagef("no workflow is called %q; %s", name, oneOf(name, pluginNames(p.list)))
	case plug == nil:
		return a.explainRule(p.list, "", name, format)
	case isRule:
		return a.explainRule([]*plugin.Plugin{plug}, name, rule, format)
	case format == formatMermaid:
		return a.printed(print.Mermaid(a.stdout, plug.Manifest))
	}
	return a.printed(print.Workflow(a.stdout, plug, a.page()))
}

// explainRule explains a rule of a workflow; where that is "", the rule of the host, or those of every workflow that
// has it.
func (a *app) explainRule(list []*plugin.Plugin, workflow, name, format string) error {
	rules := rulesCalled(list, name)
	switch {
	case len(rules) == 0:
		return noSuchRule(list, workflow, name)
	case format == formatMermaid:
		return usagef("--format mermaid draws a workflow, and %s is a rule; %s", name, oneOf("", pluginNames(list)))
	case workflow != "":
		rules = rules[:1]
		rules[0].Workflow = workflow
	}
	return a.printed(print.Rules(a.stdout, rules, a.page()))
}

// rulesCalled are the rules of a name, with the workflow that has each; one of the host has none.
func rulesCalled(list []*plugin.Plugin, name string) (rules []print.RuleOf) {
	for _, p := range list {
		if i := slices.IndexFunc(p.Manifest.Rules, func(r wire.Rule) bool { return r.Name == name || slices.Contains(r.Replaces, name) }); i >= 0 {
			rule := p.Manifest.Rules[i]
			rules = append(rules, print.RuleOf{Workflow: p.Name, Rule: rule, Example: wasmfile.Examples(p.Wasm)[rule.Name]})
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
		return usagef("%s has no rule %q; %s", workflow, name, suggest.Or(name, all, "`stategate explain "+workflow+"` lists its rules"))
	}
	return usagef("no workflow and no rule is called %q; %s", name, suggest.Or(name, append(pluginNames(list), all...),
		"`stategate explain` lists the workflows, `stategate explain WORKFLOW` the rules of one"))
}

// usablePlugins reads plugins for a verb that needs all of them to be well.
func usablePlugins(named []string) (*plugins, error) {
	p, err := choose(named, limits.Default())
	if err != nil {
		return nil, err
	}
	return p.usable()
}

// usable returns the plugins, or why one of them cannot be used.
func (p *plugins) usable() (*plugins, error) {
	if len(p.failures) > 0 {
		f := p.failures[0]
		return nil, &problem{code: exitBroken, message: "plugin " + f.Plugin + ": " + f.Message, detail: f.Stderr}
	}
	return p, p.orNone()
}

func find(list []*plugin.Plugin, name string) *plugin.Plugin {
	for _, p := range list {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func pluginNames(list []*plugin.Plugin) []string {
	var names []string
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}
