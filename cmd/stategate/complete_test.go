package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/cmd/stategate/internal/agent"
)

// TestEverythingCompletes: every flag value and argument has completions, except for those listed here.
func TestEverythingCompletes(t *testing.T) {
	free := []string{"now", "jobs", "stale", "sha256", "module", "reason", "until", "limit-instance", "limit-compile",
		"run", "budget", "attestation", "unsaved"}
	names := []string{"plugin new"} // takes names that do not exist yet
	var walk func(c *cobra.Command, path string)
	a := &app{}
	root := rootCommand(a)
	walk = func(c *cobra.Command, path string) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			_, ok := c.GetFlagCompletionFunc(f.Name)
			if f.Value.Type() != "bool" && !ok && !slices.Contains(free, f.Name) {
				t.Errorf("%s --%s offers nothing on TAB", path, f.Name)
			}
		})
		takesArgs := !c.HasSubCommands() && (c.Args == nil || c.Args(c, nil) != nil || c.Args(c, []string{"x"}) == nil)
		if takesArgs && c.ValidArgsFunction == nil && !slices.Contains(names, path) {
			t.Errorf("%s offers no argument on TAB", path)
		}
		for _, verb := range c.Commands() {
			if verb.Name() != "completion" && verb.Name() != "help" {
				walk(verb, strings.TrimSpace(path+" "+verb.Name()))
			}
		}
	}
	walk(root, "")
}

// TestChoicesComplete: the completion offers all words that a flag takes, whatever its description.
func TestChoicesComplete(t *testing.T) {
	c, _, err := rootCommand(&app{}).Find([]string{"init"})
	if err != nil {
		t.Fatal(err)
	}
	complete, _ := c.GetFlagCompletionFunc("agent")
	if got, _ := complete(c, nil, ""); !slices.Equal(got, agent.Names()) {
		t.Errorf("--agent offers %q", got)
	}
}
