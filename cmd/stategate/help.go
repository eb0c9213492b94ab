package main

import (
	"cmp"
	_ "embed" // for the texts
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

// helpWidth is how many columns a page of help takes.
const helpWidth = 80

//go:embed help.txt
var helpTexts string

// helpOf returns what help says about a subcommand, and the calls that it shows.
func helpOf(name string) (text, examples string) {
	_, text, _ = strings.Cut(helpTexts, "\n-- "+name+" --\n")
	text, _, _ = strings.Cut(text, "\n-- ")
	text, examples, _ = strings.Cut(text, "Examples:\n")
	return strings.TrimSpace(text), strings.TrimSpace(examples)
}

// A flagGroup is a part of a long list of flags.
type flagGroup struct {
	title string
	names []string
}

var flagGroups = []flagGroup{
	{"What is checked", []string{"staged", "rev", "merge", "base", "changed", "plugin", "now", "require"}},
	{"Which findings count", []string{"select", "fail-on", "baseline", "write-baseline", "config", "policy-from"}},
	{"What is shown", []string{"format", "show", "quiet", "statistics", "report", "all", "workflow", "state", "stale",
		"facts", "watch", "run"}},
	{"What is changed", []string{"fix", "apply", "dry-run", "undo"}},
}

// manyFlags is how many flags are divided into groups.
const manyFlags = 8

func helpFor(w io.Writer, c *cobra.Command) error {
	var b strings.Builder
	text, examples := helpOf(strings.TrimPrefix(c.CommandPath(), programName+" "))
	for paragraph := range strings.SplitSeq(strings.TrimSpace(cmp.Or(text, c.Long, c.Short)), "\n\n") {
		writeParagraph(&b, paragraph)
	}
	b.WriteString("Usage:\n")
	writeWrapped(&b, "  "+c.CommandPath()+" ", strings.TrimPrefix(c.UseLine(), c.CommandPath()))
	if examples != "" {
		b.WriteString("\nExamples:\n  " + strings.ReplaceAll(examples, "\n", "\n  ") + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nSubcommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				writeWrapped(&b, fmt.Sprintf("  %-12s", sub.Name()), sub.Short)
			}
		}
	}
	writeFlags(&b, c)
	if c.HasAvailableSubCommands() {
		b.WriteString("\n`" + c.CommandPath() + " SUBCOMMAND --help` says more about one.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeParagraph fills the lines of a paragraph; one that is indented stays as it is.
func writeParagraph(b *strings.Builder, text string) {
	if !strings.Contains(text, "\n ") && !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\t") &&
		!strings.HasPrefix(text, "#") {
		text = strings.Join(print.Wrap(strings.Join(strings.Fields(text), " "), helpWidth), "\n")
	}
	b.WriteString(strings.TrimRight(strings.ReplaceAll(text, "\t", " "), "\n") + "\n\n")
}

// writeWrapped fills lines behind a beginning, and behind as many blanks in the lines that follow.
func writeWrapped(b *strings.Builder, begin, text string) {
	lines := print.Wrap(strings.TrimSpace(text), helpWidth-len(begin))
	b.WriteString(strings.TrimRight(begin+strings.Join(lines, "\n"+strings.Repeat(" ", len(begin))), " ") + "\n")
}

func writeFlags(b *strings.Builder, c *cobra.Command) {
	var rest []*pflag.Flag // by name
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			rest = append(rest, f)
		}
	})
	title := "Flags"
	if len(rest) > manyFlags {
		title = "Other flags"
		for _, g := range flagGroups {
			var list []*pflag.Flag
			for _, name := range g.names {
				if i := slices.IndexFunc(rest, func(f *pflag.Flag) bool { return f.Name == name }); i >= 0 {
					list, rest = append(list, rest[i]), slices.Delete(rest, i, i+1)
				}
			}
			writeGroup(b, g.title, list)
		}
	}
	writeGroup(b, title, rest)
}

// flagColumn is where the description of a flag begins.
const flagColumn = 28

func writeGroup(b *strings.Builder, title string, list []*pflag.Flag) {
	if len(list) == 0 {
		return
	}
	b.WriteString("\n" + title + ":\n")
	for _, f := range list {
		value, usage := pflag.UnquoteUsage(f)
		name := "      --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		if f.NoOptDefVal != "" && value != "" {
			name += "[=" + value + "]"
		} else if value != "" {
			name += " " + value
		}
		if f.Value.Type() == "string" && f.DefValue != "" {
			usage += " (default " + f.DefValue + ")"
		}
		if len(name) > flagColumn-2 {
			b.WriteString(name + "\n")
			name = ""
		}
		writeWrapped(b, fmt.Sprintf("%-*s", flagColumn, name), usage)
	}
}

func (a *app) explainCommand() *cobra.Command {
	var named []string
	var format string
	c := &cobra.Command{
		Use:               "explain [WORKFLOW | RULE | WORKFLOW/RULE]",
		Short:             "Explain a workflow or a rule",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: inOrder(a.rules("")),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := explainFormats.named(format)
			if err != nil {
				return err
			}
			return a.explain(c, args, named, f)
		},
	}
	c.Flags().StringArrayVar(&named, "plugin", nil,
		"explain the plugin `NAME|FILE.wasm`, built in, configured or a file (repeatable)")
	explainFormats.flag(c, &format)
	return c
}

func (a *app) explain(c *cobra.Command, args, named []string, format print.Format) error {
	name, rule, isRule := strings.Cut(strings.Join(args, ""), "/")
	p, err := a.shownPlugins(c, named, func(list []*plugin.Plugin) bool {
		return name == "" || find(list, name) != nil || !isRule && len(rulesCalled(list, name)) > 0
	})
	if err != nil {
		return err
	}
	if len(args) == 0 {
		if format.Name != formatText {
			return usagef("--format %s is for one workflow; %s", format.Name, oneOf("", pluginNames(p.list)))
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
	}
	return a.printed(format.Explain(a.stdout, plug, a.page()))
}

// explainRule explains a rule of a workflow; where that is "", the rule of the host, or those of every workflow that
// has it.
func (a *app) explainRule(list []*plugin.Plugin, workflow, name string, format print.Format) error {
	rules := rulesCalled(list, name)
	switch {
	case len(rules) == 0:
		return noSuchRule(list, workflow, name)
	case format.Name != formatText:
		return usagef("--format %s is for a workflow, and %s is a rule; %s", format.Name, name,
			oneOf("", pluginNames(list)))
	case workflow != "":
		rules = rules[:1]
		rules[0].Workflow = workflow
	}
	return a.printed(print.Rules(a.stdout, rules, a.page()))
}

// rulesCalled are the rules of a name, with the workflow that has each; one of the host has none.
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
	return usagef("no workflow and no rule is called %q; %s", name, suggest.Or(name, append(pluginNames(list), all...),
		"`stategate explain` lists the workflows, `stategate explain WORKFLOW` the rules of one"))
}

// usablePlugins reads plugins for a verb that needs all of them to be well.
func usablePlugins(named []string) (*plugins, error) { return usable(choose(named, limits.Default())) }

// usable returns the plugins, or why one of them cannot be used.
func usable(p *plugins, err error) (*plugins, error) {
	if err != nil {
		return nil, err
	}
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
