package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// manPage returns a command's manual page, in man(7) macros, with the same content as its help.
func manPage(c *cobra.Command, date, version string) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	section := func(title string) { b.WriteString(".SH " + title + "\n") }
	item := func(name, text string) { b.WriteString(".TP\n.B " + roff(name) + "\n" + roff(text) + "\n") }
	block := func(text string) { b.WriteString(".PP\n.nf\n" + roff(text) + "\n.fi\n") }

	fmt.Fprintf(&b, ".TH %s 1 %s \"stategate %s\" \"stategate manual\"\n", roff(strings.ToUpper(pageName(c))), date,
		roff(version))
	section("NAME")
	b.WriteString(roff(pageName(c)) + " \\- " + roff(c.Short) + "\n")
	section("SYNOPSIS")
	b.WriteString(".B " + roff(c.CommandPath()) + "\n")
	if rest := strings.TrimSpace(strings.TrimPrefix(c.UseLine(), c.CommandPath())); rest != "" {
		b.WriteString(roff(rest) + "\n")
	}
	section("DESCRIPTION")
	text, examples := helpOf(c)
	for paragraph := range strings.SplitSeq(strings.TrimSpace(cmp.Or(text, c.Long, c.Short)), "\n\n") {
		if strings.Contains("\n"+paragraph, "\n ") || strings.Contains("\n"+paragraph, "\n\t") {
			block(paragraph)
		} else {
			b.WriteString(".PP\n" + roff(paragraph) + "\n")
		}
	}
	if examples != "" {
		section("EXAMPLES")
		block(examples)
	}
	if c.HasAvailableSubCommands() {
		section("SUBCOMMANDS")
		for _, sub := range subcommands(c) {
			item(sub.Name(), sub.Short)
		}
	}
	section("FLAGS")
	for _, g := range grouped(c.Flags()) {
		if g.title != "Flags" {
			b.WriteString(".SS " + roff(g.title) + "\n")
		}
		for _, f := range g.list {
			item(typedFlag(f))
		}
	}
	if related := seeAlso(c); related != "" {
		section("SEE ALSO")
		b.WriteString(related)
	}
	return b.String()
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func seeAlso(c *cobra.Command) string {
	var list []string
	if c.HasParent() {
		list = append(list, ".BR "+roff(pageName(c.Parent()))+" (1)")
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			list = append(list, ".BR "+roff(pageName(sub))+" (1)")
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, ",\n") + "\n"
}

var codeInText = regexp.MustCompile("`([^`\n]+)`")

// roff escapes a text for man(7); text in backquotes becomes bold.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\t", " ").Replace(text)
	lines := strings.Split(codeInText.ReplaceAllString(text, `\fB$1\fR`), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
