package print

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// Workflows lists the workflows of plugins with their titles, and the rules of all.
func Workflows(w io.Writer, list []*plugin.Plugin, o Options) error {
	p := newPrinter(w, o)
	var rows [][]string
	for _, x := range list {
		rows = append(rows, []string{x.Name, title(x.Manifest.Doc)})
	}
	p.rows("", rows)
	p.head("Rules of every workflow")
	p.ruleRows(result.Rules())
	p.line()
	p.line("`stategate explain WORKFLOW` lists the rules of one, `stategate explain RULE` explains a rule.")
	return p.w.Flush()
}

// Workflow writes the documentation of a plugin's workflow.
func Workflow(w io.Writer, x *plugin.Plugin, o Options) error {
	p, m := newPrinter(w, o), x.Manifest
	p.line(p.bold(Safe(m.Name)), " ", Safe(m.Version), " (", Safe(x.Origin), ")")
	p.text("", m.Doc)
	p.roots(m.Roots)
	p.documents(m.Documents)
	for _, l := range m.Lifecycles {
		p.lifecycle(l)
	}
	p.head("Rules")
	p.ruleRows(m.Rules)
	p.line("  and, as in every workflow: ", Safe(strings.Join(wire.HostRules, ", ")))
	p.line()
	p.line("`stategate explain ", Safe(m.Name), "/RULE` explains a rule; `--format mermaid` draws the phases.")
	return p.w.Flush()
}

func (p *printer) roots(roots []wire.Root) {
	p.head("Runs are in")
	for _, r := range roots {
		p.line("  ", Safe(r.Dir), "/ with any of ", Safe(strings.Join(r.Markers, ", ")))
	}
}

func (p *printer) documents(list []wire.DocumentSpec) {
	p.head("Documents")
	var rows [][]string
	for _, d := range list {
		schema := ""
		if d.Schema != "" {
			schema = "schema " + d.Schema
		}
		rows = append(rows, []string{d.Glob, given(&d), schema})
	}
	p.rows("  ", rows)
}

// given says in which form and how much of a document a plugin is given.
func given(d *wire.DocumentSpec) string {
	if strings.HasSuffix(d.Glob, "/") {
		return "directory"
	}
	return d.Format.String() + ", " + d.Need.String()
}

func (p *printer) lifecycle(l wire.Lifecycle) {
	p.head("Lifecycle " + Safe(l.Name) + " of a " + l.Unit.String())
	p.text("  ", l.Doc)
	var rows [][]string
	for _, ph := range l.Phases {
		rows = append(rows, []string{strconv.Itoa(ph.Number), ph.Name, phaseDoc(ph)})
		for _, t := range l.Transitions {
			if t.From == ph.Name {
				rows = append(rows, []string{"", "", strings.TrimSuffix("-> "+t.To+": "+t.Doc, ": ")})
			}
		}
	}
	p.rows("  ", rows)
}

func phaseDoc(ph wire.Phase) string {
	if ph.Doc == "" {
		return ph.Title
	}
	return strings.Join(strings.Fields(ph.Doc), " ")
}

func (p *printer) ruleRows(list []wire.Rule) {
	var rows [][]string
	for _, g := range groups(list) {
		if g != "" {
			rows = append(rows, []string{g + ":", "", ""})
		}
		for _, r := range list {
			if r.Group == g {
				rows = append(rows, []string{r.Severity.String(), r.Name, title(r.Doc)})
			}
		}
	}
	p.rows("  ", rows)
}

// groups lists the groups of rules in the order of their first rules.
func groups(list []wire.Rule) []string {
	var names []string
	for _, r := range list {
		if !slices.Contains(names, r.Group) {
			names = append(names, r.Group)
		}
	}
	return names
}

func (p *printer) head(text string) {
	p.line()
	p.line(p.bold(text))
}

// A RuleOf is a rule with the workflow that has it, "" for one that every workflow has.
type RuleOf struct {
	Workflow string
	wire.Rule
}

// Rules writes the documentation of rules.
func Rules(w io.Writer, list []RuleOf, o Options) error {
	p := newPrinter(w, o)
	for i, r := range list {
		if i > 0 {
			p.line()
		}
		p.rule(r)
	}
	return p.w.Flush()
}

func (p *printer) rule(r RuleOf) {
	name, in := r.Name, ", in every workflow"
	if r.Workflow != "" {
		name, in = r.Workflow+"/"+r.Name, ""
	}
	p.line(p.bold(Safe(name)), " (", p.severity(r.Severity), ")", in)
	for _, text := range []string{r.Doc, r.Why, r.Fix} {
		if text != "" {
			p.text("", text)
		}
	}
	if len(r.Hides) > 0 {
		p.line()
		p.line("While it holds, findings of these rules on the same subject are notes of it: ", Safe(strings.Join(r.Hides, ", ")))
	}
}

// Mermaid draws the lifecycles of a workflow as a Mermaid state diagram.
func Mermaid(w io.Writer, m *wire.Manifest) error {
	p := &printer{w: bufio.NewWriter(w)}
	p.line("stateDiagram-v2")
	for i, l := range m.Lifecycles {
		p.drawing(fmt.Sprintf("l%d", i+1), l)
	}
	return p.w.Flush()
}

func (p *printer) drawing(id string, l wire.Lifecycle) {
	ids := map[string]string{}
	p.line(`  state "`, label(l.Name), `" as `, id, " {")
	for i, ph := range l.Phases {
		ids[ph.Name] = fmt.Sprintf("%s_%d", id, i+1)
		p.line(`    state "`, strconv.Itoa(ph.Number), " ", label(ph.Name), `" as `, ids[ph.Name])
	}
	if len(l.Phases) > 0 {
		p.line("    [*] --> ", ids[l.Phases[0].Name])
	}
	for _, t := range l.Transitions {
		line := "    " + ids[t.From] + " --> " + ids[t.To]
		if t.Doc != "" {
			line += " : " + label(t.Doc)
		}
		p.line(line)
	}
	p.line("  }")
}

// label keeps a text from ending the label that it stands in.
func label(s string) string {
	return strings.NewReplacer(`"`, "'", ";", ",", ":", " -", "{", "(", "}", ")").Replace(Safe(strings.Join(strings.Fields(s), " ")))
}
