package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

var docs = filepath.Join(repository, ".github", "docs")

// writtenByMake is the first line of each page that make docs writes.
const writtenByMake = "<!-- Written by `make docs` from the program: do not edit. -->\n\n"

// TestDocs: the pages about commands and workflows match the program.
func TestDocs(t *testing.T) {
	needBuiltIns(t)
	builtIns := builtInPlugins(&app{})
	isFresh(t, filepath.Join(docs, "commands.md"), commandsPage(t))
	slices.SortStableFunc(builtIns.list, func(x, y *plugin.Plugin) int {
		return cmp.Compare(slices.Index(littleKnown, x.Name), slices.Index(littleKnown, y.Name))
	})
	var index strings.Builder
	index.WriteString(writtenByMake + "# Workflows\n\nThe built-in workflows and their rules. Each page " +
		"lists the highest severity of a rule's findings.\n`stategate explain WORKFLOW/RULE` explains why a rule " +
		"matters and when it is less severe, with an example.\n\n" +
		"| workflow | what stategate checks | state directory | rules |\n|---|---|---|---|\n")
	known := []string{"README.md"}
	for _, p := range builtIns.list {
		known = append(known, p.Name+".md")
		title, _, _ := strings.Cut(p.Manifest.Doc, "\n")
		dir := strings.Replace("`"+p.Manifest.Roots[0].Dir+"/`", "`**/`", "any", 1)
		fmt.Fprintf(&index, "| [%s](%s.md) | %s | %s | %d |\n", p.Name, p.Name, prose(title), dir,
			len(p.Manifest.Rules))
		isFresh(t, filepath.Join(docs, "workflows", p.Name+".md"), workflowPage(t, p))
	}
	index.WriteString("\n" + wrapped("Add a gate in two minutes: "+pagesForTools(t)+".") + "\n")
	index.WriteString("\n## Rules of every workflow\n\nstategate itself reports these, under the workflow's name: " +
		"`openspec/run-removed`.\n")
	writeRules(&index, result.Rules(), false)
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

// workflowPage returns a workflow's page: its description, the files that it reads, its lifecycles and its rules.
func workflowPage(t *testing.T, p *plugin.Plugin) string {
	var b strings.Builder
	m := p.Manifest
	fmt.Fprintf(&b, "%s# %s\n\n%s\n", writtenByMake, m.Name, wrapped(summaryOf(m)))
	b.WriteString("\n## Files\n")
	b.WriteString("\nState directories, and the files that mark them:\n\n")
	for _, r := range m.Roots {
		dir := "`" + r.Dir + "/`"
		if r.Dir == "**" {
			dir = "any other"
		}
		if len(r.Except) > 0 {
			dir += ", except `" + strings.Join(r.Except, "`, `") + "`"
		}
		b.WriteString(wrapped("* "+dir+": `"+strings.Join(short(r.Markers), "`, `")+"`") + "\n")
	}
	b.WriteString("\nWhat is read:\n\n")
	files := map[string][]string{}
	var whys []string
	for _, d := range m.Documents {
		why := whyRead[d.Need]
		if strings.HasSuffix(d.Glob, "/") {
			why = "whether it exists"
		}
		if files[why] == nil {
			whys = append(whys, why)
		}
		files[why] = append(files[why], d.Glob)
	}
	for _, why := range whys {
		b.WriteString(wrapped("* "+why+": `"+strings.Join(files[why], "`, `")+"`") + "\n")
	}
	if slices.Equal(m.AsksFor, []string{"**"}) {
		b.WriteString("\nIt also asks whether the files that state names exist.\n")
	} else if len(m.AsksFor) > 0 {
		fmt.Fprintf(&b, "\nIt also asks whether these exist: `%s`.\n", strings.Join(m.AsksFor, "`, `"))
	}
	if len(m.Lifecycles) > 0 {
		b.WriteString("\n## Lifecycle\n\n```mermaid\n")
		if err := print.Mermaid(&b, p, print.Options{}); err != nil {
			t.Fatal(err)
		}
		b.WriteString("```\n")
	}
	b.WriteString("\n## Rules\n")
	writeRules(&b, m.Rules, !slices.Contains(littleKnown, p.Name))
	if m.Options != "" {
		b.WriteString("\n## Options\n\nUnder `options: {" + m.Name + ": …}` in the configuration:\n\n")
		writeSchema(t, &b, m.Options, "###")
	}
	return b.String()
}

// littleKnown lists the workflows that come last. Their pages only describe the fault that each rule reports.
var littleKnown = []string{"ocr", "autopilot", "iterative-work", "legal-memo", "literature-review"}

var whyRead = map[wire.Need]string{
	wire.Listed: "name only", wire.Counted: "lines and checkboxes", wire.Summary: "headings, last lines",
	wire.Content: "content",
}

// summaryOf returns a page's first paragraph: the tools, and a description of the workflow.
func summaryOf(m *wire.Manifest) string {
	text := prose(strings.ReplaceAll(strings.ReplaceAll(m.Doc, "\n\n", ". "), "\n", " "))
	var tools []string
	for _, t := range m.MadeFor {
		tools = append(tools, strings.TrimSpace(t.Tool+" "+t.Versions))
	}
	if len(tools) > 0 {
		text += " Supports " + strings.Join(tools, ", ") + "."
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// writeRules writes a table for each group, errors first. It uses HTML, because a row in a Markdown table must fit on
// one line.
func writeRules(b *strings.Builder, rules []wire.Rule, how bool) {
	rules = slices.Clone(rules)
	slices.SortStableFunc(rules, func(x, y wire.Rule) int {
		return cmp.Or(cmp.Compare(x.Group, y.Group), cmp.Compare(y.Severity, x.Severity))
	})
	head := "<tr><th>severity, at most</th><th>rule</th><th>what is wrong</th></tr>\n" // only in the first table
	if how {
		head = strings.Replace(head, "</tr>", "<th>how to fix it</th></tr>", 1)
	} else {
		b.WriteString("\nA rule without a severity reports errors.\n")
	}
	for i, r := range rules {
		if i == 0 || r.Group != rules[i-1].Group {
			if r.Group != "" {
				fmt.Fprintf(b, "\n### %s\n", prose(r.Group))
			}
			b.WriteString("\n<table>\n" + head)
			head = ""
		}
		severity := r.Severity.String()
		if !how && r.Severity == wire.Error {
			severity = ""
		}
		if r.OffByDefault {
			severity += ", off by default"
		}
		fmt.Fprintf(b, "<tr><td>%s</td>\n<td><a id=%q href=\"#%s\"><code>%s</code></a></td>\n%s", severity, r.Name,
			r.Name, r.Name, wrapped("<td>"+markup(firstSentence(r.Doc))+"</td>"))
		if how {
			b.WriteString("\n" + wrapped("<td>"+markup(r.Fix)+"</td>"))
		}
		b.WriteString("</tr>\n")
		if i == len(rules)-1 || r.Group != rules[i+1].Group {
			b.WriteString("</table>\n")
		}
	}
}

// short expands globs that are too long for a line, by writing out the longest alternative.
func short(globs []string) (list []string) {
	for _, g := range globs {
		choices := regexp.MustCompile(`\{[^{}]*\}`).FindAllString(g, -1)
		if len(g) < 120 || len(choices) == 0 {
			list = append(list, g)
			continue
		}
		longest := slices.MaxFunc(choices, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
		for choice := range strings.SplitSeq(strings.Trim(longest, "{}"), ",") {
			list = append(list, strings.Replace(g, longest, choice, 1))
		}
	}
	return list
}

// firstSentence returns the first sentence of a rule's text, which describes the fault. explain prints the rest.
func firstSentence(doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	if end := regexp.MustCompile(`[.;:] `).FindStringIndex(doc); end != nil {
		doc = doc[:end[0]] + "."
	}
	return doc
}

// wrapped wraps text at 120 columns.
func wrapped(text string) string { return strings.Join(print.Wrap(text, 120), "\n") }

// markup returns a text as HTML, with <code> in place of backquotes.
func markup(text string) string {
	text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(strings.Join(strings.Fields(text), " "))
	parts := strings.Split(text, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		parts[i] = "<code>" + parts[i] + "</code>"
	}
	return strings.Join(parts, "")
}

// prose returns a text as Markdown, and escapes everything except text in backquotes.
func prose(text string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("<", `\<`, "*", `\*`, "[", `\[`).Replace(parts[i])
	}
	return strings.TrimSpace(strings.Join(parts, "`"))
}

func inline(text string) string { return prose(strings.Join(strings.Fields(text), " ")) }

// TestFormatsPage: the page about formats describes each format of check like the format table.
func TestFormatsPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(docs, "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range checkFormats {
		if row := "\n| `" + f.Name + "` | " + f.Doc + " |\n"; !strings.Contains(string(text), row) {
			t.Errorf("formats.md lacks the row%s", row)
		}
	}
}
