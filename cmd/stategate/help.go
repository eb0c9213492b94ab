package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/host/print"
)

const helpWidth = 80

//go:embed help.txt
var helpTexts string

func helpOf(c *cobra.Command) (text, examples string) {
	_, text, _ = strings.Cut(helpTexts, "\n-- "+strings.TrimPrefix(c.CommandPath(), programName+" ")+" --\n")
	text, _, _ = strings.Cut(text, "\n-- ")
	text, examples, _ = strings.Cut(text, "Examples:\n")
	return strings.TrimSpace(text), strings.TrimSpace(examples)
}

// helpFor returns a command's help page. Cobra's own page does not group flags.
func helpFor(c *cobra.Command) string {
	var b strings.Builder
	text, examples := helpOf(c)
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
		for _, sub := range subcommands(c) {
			writeWrapped(&b, fmt.Sprintf("  %-12s", sub.Name()), sub.Short)
		}
	}
	for _, g := range grouped(c.Flags()) {
		writeGroup(&b, g)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n`" + c.CommandPath() + " SUBCOMMAND --help` says more about one.\n")
	}
	return b.String()
}

// writeParagraph wraps a paragraph, unless it is indented.
func writeParagraph(b *strings.Builder, text string) {
	if !strings.Contains(text, "\n ") && !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\t") &&
		!strings.HasPrefix(text, "#") {
		text = strings.Join(print.Wrap(strings.Join(strings.Fields(text), " "), helpWidth), "\n")
	}
	b.WriteString(strings.TrimRight(strings.ReplaceAll(text, "\t", " "), "\n") + "\n\n")
}

// writeWrapped writes wrapped text after a prefix, and indents the following lines to the prefix's width.
func writeWrapped(b *strings.Builder, begin, text string) {
	lines := print.Wrap(strings.TrimSpace(text), helpWidth-len(begin))
	b.WriteString(strings.TrimRight(begin+strings.Join(lines, "\n"+strings.Repeat(" ", len(begin))), " ") + "\n")
}

// manyFlags is the maximum number of flags that a page lists without groups.
const manyFlags = 8

type titledFlags struct {
	title string
	list  []*pflag.Flag
}

// grouped divides a command's flags into nonempty groups.
func grouped(flags *pflag.FlagSet) (groups []titledFlags) {
	if all := visible(flags, true); len(all) <= manyFlags {
		return []titledFlags{{"Flags", all}}
	}
	for _, g := range flagGroups {
		list := slices.DeleteFunc(visible(flags, g == otherFlags), func(f *pflag.Flag) bool {
			in := f.Annotations[keepsItsGroup]
			return string(g) != strings.Join(in, "") && (in != nil || g != otherFlags) // --help is in none
		})
		if len(list) > 0 {
			groups = append(groups, titledFlags{string(g), list})
		}
	}
	return groups
}

// visible returns the flags that are not hidden, by name or in order of registration.
func visible(flags *pflag.FlagSet, byName bool) (list []*pflag.Flag) {
	flags.SortFlags = byName
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			list = append(list, f)
		}
	})
	return list
}

const flagColumn = 28

func writeGroup(b *strings.Builder, g titledFlags) {
	b.WriteString("\n" + g.title + ":\n")
	for _, f := range g.list {
		name, usage := typedFlag(f)
		if f.Shorthand == "" {
			name = "    " + name
		}
		name = "  " + name
		if len(name) > flagColumn-2 {
			b.WriteString(name + "\n")
			name = ""
		}
		writeWrapped(b, fmt.Sprintf("%-*s", flagColumn, name), usage)
	}
}

// typedFlag returns a flag as the user types it, with the name of its value, and its description.
func typedFlag(f *pflag.Flag) (name, usage string) {
	value, usage := pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if f.NoOptDefVal != "" && value != "" {
		name += "[=" + value + "]"
	} else if value != "" {
		name += " " + value
	}
	if f.Value.Type() == "string" && f.DefValue != "" {
		usage += " (default " + f.DefValue + ")"
	}
	return name, usage
}
