package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandsPage returns the page of all commands. It describes each command's flags, but shared flags only once.
func commandsPage(t *testing.T) string {
	root := rootCommand(&app{stdout: io.Discard, stderr: io.Discard})
	var all []*cobra.Command
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "help" {
			return
		}
		all = append(all, c)
		if c.Name() != "completion" { // its subcommands are all alike
			for _, sub := range subcommands(c) {
				walk(sub)
			}
		}
	}
	walk(root)
	common := commonFlags(all)
	var b strings.Builder
	b.WriteString(writtenByMake + "# Commands\n\n`stategate COMMAND --help` describes each command in full.\n")
	for _, c := range all {
		if c != root {
			writeCommand(t, &b, c, common)
		}
	}
	b.WriteString("\n## Common flags\n\n")
	writeFlags(&b, common)
	b.WriteString("\n## Exit codes\n\n" + wrapped("[Output formats](formats.md#exit-codes) lists the exit codes of "+
		"every command. Each section above lists only codes that have another meaning.") + "\n")
	return b.String()
}

// common is the minimum number of commands that must share a flag for it to be described only once.
const common = 3

// commonFlags returns the flags that several commands describe with the same words, by name.
func commonFlags(all []*cobra.Command) (list []*pflag.Flag) {
	seen := map[string]int{}
	for _, c := range all {
		for _, f := range visible(c.Flags(), true) {
			if seen[f.Name+f.Usage]++; seen[f.Name+f.Usage] == common {
				list = append(list, f)
			}
		}
	}
	slices.SortFunc(list, func(a, b *pflag.Flag) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func writeCommand(t *testing.T, b *strings.Builder, c *cobra.Command, common []*pflag.Flag) {
	heading := "##"
	if c.Parent().HasParent() {
		heading = "###"
	}
	fmt.Fprintf(b, "\n%s %s\n\n%s.\n\n", heading, c.CommandPath(), inline(c.Short))
	if c.HasSubCommands() && c.Name() != "completion" {
		return
	}
	_, examples := helpOf(c)
	if c.Name() == "completion" {
		for _, sub := range c.Commands() {
			_, example := helpOf(sub)
			examples += example + "\n"
		}
	}
	fmt.Fprintf(b, "```text\n%s\n```\n", c.UseLine())
	if examples != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.TrimSpace(examples))
	}
	var own []*pflag.Flag
	var shared []string
	for _, f := range visible(c.Flags(), true) {
		if slices.ContainsFunc(common, func(x *pflag.Flag) bool { return x.Name == f.Name && x.Usage == f.Usage }) {
			shared = append(shared, "`--"+f.Name+"`")
		} else if f.Name != "help" {
			own = append(own, f)
		}
	}
	if len(own) > 0 {
		b.WriteString("\n")
		writeFlags(b, own)
	}
	if len(shared) > 0 {
		text := ": " + strings.Join(shared, ", ")
		if len(shared) > len(common)/2 {
			var without []string
			for _, f := range common {
				if name := "`--" + f.Name + "`"; !slices.Contains(shared, name) {
					without = append(without, name)
				}
			}
			text = " except " + strings.Join(without, ", ")
		}
		b.WriteString("\n" + wrapped("[Common flags](#common-flags)"+text+".") + "\n")
	}
	if text, _ := helpOf(c); strings.Contains(text, "Exit codes: ") {
		b.WriteString("\n")
		writeExitCodes(t, b, c)
	}
}

func writeFlags(b *strings.Builder, list []*pflag.Flag) {
	b.WriteString("| flag | what it does |\n|---|---|\n")
	for _, f := range list {
		name, usage := typedFlag(f)
		fmt.Fprintf(b, "| `%s` | %s |\n", strings.ReplaceAll(name, "|", `\|`), inline(usage))
	}
}

// writeExitCodes writes a help page's sentence about exit codes as a table, without the codes that the root describes.
func writeExitCodes(t *testing.T, b *strings.Builder, c *cobra.Command) {
	b.WriteString("| exit code | meaning |\n|---|---|\n")
	for _, code := range exitCodes(c) {
		if c.HasParent() && slices.Contains(exitCodes(c.Root()), code) {
			continue
		}
		n, meaning, found := strings.Cut(code, " ")
		if _, err := strconv.Atoi(n); err != nil || !found {
			t.Errorf("%s: the exit code %q is not CODE MEANING", c.CommandPath(), code)
		}
		fmt.Fprintf(b, "| %s | %s |\n", n, inline(meaning))
	}
}

func exitCodes(c *cobra.Command) []string {
	text, _ := helpOf(c)
	_, text, _ = strings.Cut(strings.Join(strings.Fields(text), " "), "Exit codes: ")
	text, _, _ = strings.Cut(text, ". ")
	return strings.Split(strings.TrimSuffix(text, "."), "; ")
}
