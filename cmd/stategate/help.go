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

	"github.com/stategate/stategate/host/print"
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
	{"What is checked", []string{"staged", "rev", "base", "changed", "plugin", "now", "require"}},
	{"Which findings count", []string{"select", "fail-on", "baseline", "write-baseline", "config", "policy-from"}},
	{"What is shown", []string{"format", "show", "quiet", "statistics", "report", "all", "workflow", "state", "stale", "facts", "watch", "run"}},
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
	if !strings.Contains(text, "\n ") && !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\t") && !strings.HasPrefix(text, "#") {
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
