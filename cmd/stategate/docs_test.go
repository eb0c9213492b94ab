package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

var docs = filepath.Join(repository, ".github", "docs")

// writtenByMake begins each page that make docs writes.
const writtenByMake = "<!-- Written by `make docs` from the program: do not edit. -->\n\n"

// TestDocs: the pages of commands, workflows and schemas are what the program says.
func TestDocs(t *testing.T) {
	needBuiltIns(t)
	builtIns, err := choose(nil, limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	isFresh(t, filepath.Join(docs, "commands.md"), commandsPage(t))
	isFresh(t, filepath.Join(docs, "schemas.md"), schemasPage(t))
	var index strings.Builder
	index.WriteString(writtenByMake + "# Workflows\n\nThe built-in workflows, each with the phases of its runs and " +
		"its rules; `stategate explain` prints the same.\n\n")
	known := []string{"README.md"}
	for _, p := range builtIns.list {
		known = append(known, p.Name+".md")
		title, _, _ := strings.Cut(p.Manifest.Doc, "\n")
		fmt.Fprintf(&index, "* [%s](%s.md): %s (%d rules)\n", p.Name, p.Name, prose(title), len(p.Manifest.Rules))
		isFresh(t, filepath.Join(docs, "workflows", p.Name+".md"), workflowPage(t, p))
	}
	index.WriteString("\n## Rules that hold in every workflow\n")
	writeRules(&index, result.Rules())
	isFresh(t, filepath.Join(docs, "workflows", "README.md"), index.String())
	entries, err := os.ReadDir(filepath.Join(docs, "workflows"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(known, e.Name()) {
			t.Errorf("%s is of no workflow: remove it", e.Name())
		}
	}
}

func commandsPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(writtenByMake + "# Commands\n\nWhat `--help` of each says.\n")
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "help" {
			return
		}
		c.InitDefaultHelpFlag()
		fmt.Fprintf(&b, "\n## %s\n\n```text\n", c.CommandPath())
		b.WriteString(helpFor(c))
		b.WriteString("```\n")
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand(&app{stdout: io.Discard, stderr: io.Discard}))
	return b.String()
}

func workflowPage(t *testing.T, p *plugin.Plugin) string {
	var b strings.Builder
	m := p.Manifest
	fmt.Fprintf(&b, "%s# %s\n\n%s\n\n", writtenByMake, m.Name, prose(m.Doc))
	b.WriteString("## Where runs are\n\n")
	for _, r := range m.Roots {
		fmt.Fprintf(&b, "* `%s/` with any of `%s`", r.Dir, strings.Join(r.Markers, "`, `"))
		if len(r.Except) > 0 {
			fmt.Fprintf(&b, ", but not in `%s`", strings.Join(r.Except, "`, `"))
		}
		b.WriteString("\n")
	}
	b.WriteString("\nIt reads there: ")
	for i, d := range m.Documents {
		fmt.Fprintf(&b, "%s`%s`", map[bool]string{false: ", "}[i == 0], d.Glob)
	}
	b.WriteString(".\n")
	if len(m.AsksFor) > 0 {
		fmt.Fprintf(&b, "It may ask whether there is something at: `%s`.\n", strings.Join(m.AsksFor, "`, `"))
	}
	if len(m.Lifecycles) > 0 {
		b.WriteString("\n## Phases\n\n```mermaid\n")
		if err := print.Mermaid(&b, p, print.Options{}); err != nil {
			t.Fatal(err)
		}
		b.WriteString("```\n")
	}
	b.WriteString("\n## Rules\n")
	writeRules(&b, m.Rules)
	if m.Options != "" {
		b.WriteString("\n## Options\n\nUnder `options: {" + m.Name + ": …}` in the configuration:\n\n")
		writeSchema(t, &b, m.Options, "###")
	}
	return b.String()
}

func writeRules(b *strings.Builder, rules []wire.Rule) {
	rules = slices.Clone(rules)
	slices.SortStableFunc(rules, func(x, y wire.Rule) int {
		return cmp.Or(cmp.Compare(x.Group, y.Group), cmp.Compare(y.Severity, x.Severity))
	})
	group := ""
	if len(rules) > 0 && rules[0].Group == "" {
		b.WriteString("\n")
	}
	for _, r := range rules {
		if r.Group != group {
			group = r.Group
			fmt.Fprintf(b, "\n### %s\n\n", prose(group))
		}
		also := ""
		if r.NeedsBase {
			also += ", compares with the base"
		}
		if r.OffByDefault {
			also += ", off by default"
		}
		fmt.Fprintf(b, "* <a id=\"%s\"></a>**`%s`** (%s%s): %s", r.Name, r.Name, r.Severity, also, inline(r.Doc))
		for _, part := range [][2]string{{"Why it matters", r.Why}, {"Severity", r.SeverityIf},
			{"How to fix it", r.Fix}, {"More about it", r.URL}, {"Was called", strings.Join(r.Replaces, ", ")}} {
			if part[1] != "" {
				fmt.Fprintf(b, "\\\n  *%s:* %s", part[0], inline(part[1]))
			}
		}
		b.WriteString("\n")
	}
}

// prose is a text of the program as Markdown: nothing in it is markup but what stands in backquotes.
func prose(text string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "[", `\[`).Replace(parts[i])
	}
	return strings.TrimSpace(strings.Join(parts, "`"))
}

func inline(text string) string { return prose(strings.Join(strings.Fields(text), " ")) }

// TestFormatsAreInTheReference: its table says of each format of check what the table of formats says.
func TestFormatsAreInTheReference(t *testing.T) {
	text, err := os.ReadFile("REFERENCE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range checkFormats {
		if row := "\n| `" + f.Name + "` | " + f.Doc + " |\n"; !strings.Contains(string(text), row) {
			t.Errorf("REFERENCE.md lacks the row%s", row)
		}
	}
}
