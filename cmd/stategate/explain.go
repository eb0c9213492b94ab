package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

const formatMermaid = "mermaid"

func (a *app) explainVerb() *cobra.Command {
	var named []string
	var format string
	c := &cobra.Command{
		Use:   "explain [WORKFLOW | RULE | WORKFLOW/RULE]",
		Short: "Explain a workflow or a rule",
		Long: `explain prints the documentation of a workflow with its phases and rules, or of
one rule; a rule without its workflow, as it is in every workflow that has it. Without
an argument it lists the workflows, and the rules that hold in all of them.`,
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
		return a.printed(print.Workflows(a.stdout, p.list, a.printing(a.stdout)))
	}
	plug := find(p.list, name)
	switch {
	case plug == nil && isRule:
		return usagef("no workflow is called %q; %s", name, oneOf(name, pluginNames(p.list)))
	case isRule && format == formatMermaid:
		return usagef("--format mermaid draws a workflow, not a rule; leave /%s away", rule)
	case plug == nil:
		return a.explainRule(p.list, name, format)
	case isRule:
		return a.explainRuleOf(plug, rule)
	case format == formatMermaid:
		return a.printed(print.Mermaid(a.stdout, plug.Manifest))
	}
	return a.printed(print.Workflow(a.stdout, plug, a.printing(a.stdout)))
}

// explainRule explains a rule that is named without its workflow: that of the host, or those of every
// workflow that has it.
func (a *app) explainRule(list []*plugin.Plugin, name, format string) error {
	rules := rulesCalled(list, name)
	switch {
	case len(rules) == 0:
		return noSuchTopic(list, name)
	case format == formatMermaid:
		return usagef("--format mermaid draws a workflow, and %s is a rule; %s", name, oneOf("", pluginNames(list)))
	}
	return a.printed(print.Rules(a.stdout, rules, a.printing(a.stdout)))
}

// rulesCalled are the rules of a name, with the workflow that has each; one of the host has none.
func rulesCalled(list []*plugin.Plugin, name string) (rules []print.RuleOf) {
	for _, p := range list {
		if i := slices.IndexFunc(p.Manifest.Rules, func(r wire.Rule) bool { return r.Name == name }); i >= 0 {
			rules = append(rules, print.RuleOf{Workflow: p.Name, Rule: p.Manifest.Rules[i]})
		}
	}
	if r, ok := hostRule(name); ok {
		rules = append(rules, print.RuleOf{Rule: r})
	}
	return rules
}

func noSuchTopic(list []*plugin.Plugin, name string) error {
	all := pluginNames(list)
	for _, p := range list {
		all = append(all, ruleNames(p.Manifest)...)
	}
	return usagef("no workflow and no rule is called %q; %s", name,
		suggest.Or(name, all, "`stategate explain` lists the workflows, `stategate explain WORKFLOW` the rules of one"))
}

func (a *app) explainRuleOf(p *plugin.Plugin, name string) error {
	rule := rulesCalled([]*plugin.Plugin{p}, name)
	if len(rule) == 0 {
		return usagef("%s has no rule %q; %s", p.Name, name, suggest.Or(name, ruleNames(p.Manifest), "`stategate explain "+p.Name+"` lists its rules"))
	}
	rule[0].Workflow = p.Name
	return a.printed(print.Rules(a.stdout, rule[:1], a.printing(a.stdout)))
}

func color(a *app, w io.Writer) print.Options { return a.printing(w) }

// usablePlugins reads plugins for a verb that needs all of them to be well.
func usablePlugins(named []string) (*plugins, error) {
	p, err := choose(named, limits.Default())
	if err != nil {
		return nil, err
	}
	if len(p.failures) > 0 {
		f := p.failures[0]
		return nil, failed("plugin "+f.Plugin, &f.Failure)
	}
	return p, p.orNone()
}

// failed names the guilty party of a failure.
func failed(who string, f *fault.Failure) error {
	return &problem{code: exitBroken, message: who + ": " + f.Message, detail: f.Stderr}
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

// hostRule documents a rule that the host itself reports in every workflow.
func hostRule(name string) (wire.Rule, bool) {
	for _, r := range result.Rules() {
		if r.Name == name {
			return r, true
		}
	}
	return wire.Rule{}, false
}
