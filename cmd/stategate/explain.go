package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/wire"
)

const formatMermaid = "mermaid"

func (a *app) explainVerb() *cobra.Command {
	var named []string
	var format string
	c := &cobra.Command{
		Use:   "explain [WORKFLOW[/RULE]]",
		Short: "Explain a workflow or a rule",
		Long: `explain prints the documentation of a workflow with its phases and rules, or of
one rule. Without an argument it lists the workflows.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeWorkflows,
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
	return c
}

func (a *app) explain(c *cobra.Command, args, named []string, format string) error {
	name, rule, isRule := strings.Cut(strings.Join(args, ""), "/")
	p, err := a.soundAnyway(c, named, name)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		if format == formatMermaid {
			return usagef("--format mermaid draws one workflow; %s", oneOf("", pluginNames(p.list)))
		}
		return a.printed(print.Workflows(a.stdout, p.list))
	}
	plugin := find(p.list, name)
	switch {
	case plugin == nil:
		return usagef("no workflow is called %q; %s", name, oneOf(name, pluginNames(p.list)))
	case isRule && format == formatMermaid:
		return usagef("--format mermaid draws a workflow, not a rule; leave /%s away", rule)
	case isRule:
		return a.explainRule(plugin, rule)
	case format == formatMermaid:
		return a.printed(print.Mermaid(a.stdout, plugin.Manifest))
	}
	return a.printed(print.Workflow(a.stdout, plugin, color(a, a.stdout)))
}

func (a *app) explainRule(p *host.Plugin, name string) error {
	for _, r := range p.Manifest.Rules {
		if r.Name == name {
			return a.printed(print.Rule(a.stdout, p.Name, r, color(a, a.stdout)))
		}
	}
	if r, ok := hostRule(name); ok {
		return a.printed(print.Rule(a.stdout, p.Name, r, color(a, a.stdout)))
	}
	return usagef("%s has no rule %q; %s", p.Name, name, oneOf(name, ruleNames(p.Manifest)))
}

func color(a *app, w io.Writer) print.Options { return print.Options{Color: a.env.color(w)} }

// sound reads plugins for a verb that needs all of them to be well.
func sound(named []string) (*plugins, error) {
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
func failed(who string, f *failure.Failure) error {
	return &problem{code: exitBroken, message: who + ": " + f.Message, detail: f.Stderr}
}

func find(list []*host.Plugin, name string) *host.Plugin {
	for _, p := range list {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func pluginNames(list []*host.Plugin) []string {
	var names []string
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

// hostRule documents a rule that the host itself reports in every workflow.
func hostRule(name string) (wire.Rule, bool) {
	for _, r := range host.Rules() {
		if r.Name == name {
			return r, true
		}
	}
	return wire.Rule{}, false
}

func completeWorkflows(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	p, err := choose(nil, limits.Default())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return pluginNames(p.list), cobra.ShellCompDirectiveDefault
}
