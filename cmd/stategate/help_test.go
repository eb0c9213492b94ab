package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/host/print"
)

// TestHelp: every page fits into 80 columns and has an example and every flag, and every example is of a subcommand
// and flags that there are.
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
			t.Errorf("help.txt has %s, which is no subcommand", name)
		}
	}
}

// tryExamples parses the flags of examples.
func tryExamples(t *testing.T, c *cobra.Command, examples string) {
	t.Helper()
	for line := range strings.Lines(examples) {
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
