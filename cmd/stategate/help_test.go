package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/host/print"
)

// TestHelp: every page fits in 80 columns, and has an example and every flag. The examples use only existing
// subcommands and flags.
func TestHelp(t *testing.T) {
	shown := map[string]bool{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		page := helpFor(c)
		name := strings.TrimPrefix(c.CommandPath(), programName+" ")
		for line := range strings.Lines(page) {
			if n := print.Columns(strings.TrimRight(line, "\n")); n > helpWidth {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), n, line)
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden == strings.Contains(page, "--"+f.Name) {
				t.Errorf("%s: --%s: hidden %v", c.CommandPath(), f.Name, f.Hidden)
			}
		})
		if _, example := helpOf(c); example == "" && !c.HasSubCommands() {
			t.Errorf("%s has no example", c.CommandPath())
		} else if shown[name] = true; example != "" {
			tryExamples(t, c, example)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand(&app{stdout: io.Discard, stderr: io.Discard}))
	for line := range strings.Lines(helpTexts) {
		if name, ok := strings.CutPrefix(line, "-- "); ok && !shown[strings.TrimSuffix(name, " --\n")] {
			t.Errorf("help.txt has %s, which is not a subcommand", name)
		}
	}
}

// TestManPages: the manual has a page for every subcommand, with the same flag groups as its help.
func TestManPages(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		page := manPage(c, "2026-01-02", "v0.1.0")
		for _, g := range grouped(c.Flags()) {
			for _, f := range g.list {
				if name, _ := typedFlag(f); !strings.Contains(page, "\n.TP\n.B "+roff(name)+"\n") ||
					len(g.list) > manyFlags && !strings.Contains(page, "\n.SS "+g.title+"\n") {
					t.Errorf("%s: the page lacks %s, in %s", c.CommandPath(), name, g.title)
				}
			}
		}
		if strings.Contains(page, "[=false]") || strings.Contains(page, "`") {
			t.Errorf("%s: raw:\n%s", c.CommandPath(), page)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand(&app{stdout: io.Discard, stderr: io.Discard}))
	if got, want := roff(".x\n'y `a-b` \\"), `\&.x`+"\n"+`\&'y \fBa\-b\fR \e`; got != want {
		t.Errorf("roff: %q, want %q", got, want)
	}
}

// TestAdvancedFlags: rarely needed flags are at the end of the help.
func TestAdvancedFlags(t *testing.T) {
	c, _, err := rootCommand(&app{}).Find([]string{"check"})
	if err != nil {
		t.Fatal(err)
	}
	_, advanced, _ := strings.Cut(helpFor(c), "\nAdvanced:\n")
	for _, name := range []string{
		"now", "jobs", "no-cache", "policy-from", "baseline", "write-baseline", "select",
	} {
		if !strings.Contains(advanced, "      --"+name) {
			t.Errorf("--%s is not among them:\n%s", name, advanced)
		}
	}
	if strings.Contains(advanced, "--base ") || strings.Contains(advanced, "--fix") {
		t.Errorf("these are for all users:\n%s", advanced)
	}
}

// tryExamples parses the flags of examples.
func tryExamples(t *testing.T, c *cobra.Command, examples string) {
	t.Helper()
	for line := range strings.Lines(examples) {
		if strings.HasPrefix(line, "# ") { // says when to run the next line
			continue
		}
		line, _, _ = strings.Cut(line, " #")
		words := strings.Fields(strings.NewReplacer("<(", " ", ")", " ", "source", " ").Replace(line))
		for _, w := range words {
			if flag, ok := strings.CutPrefix(w, "--"); ok && c.Flags().Lookup(flag) == nil {
				t.Errorf("%s: there is no flag %s", line, w)
			}
		}
		if got := strings.Join(words[:min(len(words), len(strings.Fields(c.CommandPath())))],
			" "); got != c.CommandPath() {
			t.Errorf("%q is no example of %s", line, c.CommandPath())
		}
	}
}
