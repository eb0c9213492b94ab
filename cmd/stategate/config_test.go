package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/schemas"
)

// TestConfigurationsForReaders: the example in configuration.md and the file that init writes are valid and accurate.
func TestConfigurationsForReaders(t *testing.T) {
	needBuiltIns(t)
	builtIns := builtInPlugins(&app{})
	page, err := os.ReadFile("../../.github/docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	template, err := os.ReadFile("internal/setup/templates/stategate.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(page), "```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	for name, text := range map[string]string{"configuration.md": example, "init": string(template),
		"init, all of it": uncommented(string(template))} {
		c, err := config.Parse(name, []byte(text), schemas.Config)
		if err == nil && name != "init, all of it" { // this one names an unknown workflow
			err = c.Check(knownRules(builtIns.list))
		}
		if err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	c, _ := config.Parse("", []byte(example), schemas.Config)
	if c == nil || len(c.Plugins) != 2 || len(c.Rules) != 2 || len(c.Ignore) != 1 || c.Limits == (limits.Limits{}) ||
		c.Baseline.Value == "" || len(c.Options) != 1 {
		t.Errorf("the example leaves something out: %+v", c)
	}
}

// uncommented removes the comment marks from the settings in a template.
func uncommented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		body, isComment := strings.CutPrefix(line, "# ")
		if isComment && (strings.HasPrefix(body, " ") || strings.Contains(strings.Fields(body + "x")[0], ":")) {
			line = body
		}
		b.WriteString(line)
	}
	return b.String()
}
