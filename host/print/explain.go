package print

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

type manual struct{ *printer }

// Workflows lists the plugins' workflows with their titles, and the rules that every workflow has.
func Workflows(w io.Writer, list []*plugin.Plugin, o Options) error {
	p := &manual{newPrinter(w, o)}
	p.rows("", each(list, func(x **plugin.Plugin) []string { return []string{(*x).Name, title((*x).Manifest.Doc)} }))
	p.line()
	p.line("In every workflow:")
	p.rules(result.Rules())
	p.line()
	p.document("`stategate explain WORKFLOW` lists a workflow's rules; `stategate explain RULE` explains a rule.")
	return p.w.Flush()
}

// Workflow writes the documentation of a plugin's workflow.
func Workflow(w io.Writer, x *plugin.Plugin, o Options) error {
	p, m := &manual{newPrinter(w, o)}, x.Manifest
	p.line(p.bold(Safe(m.Name)), " ", Safe(m.Version), " (", Safe(x.Origin), ")")
	p.document(m.Doc)
	p.manifest(m)
	p.line()
	p.document("and the rules of every workflow: " + strings.Join(wire.HostRules, ", "))
	p.line()
	p.document("`stategate explain " + m.Name + "/RULE` explains a rule; `--format mermaid` draws the phases.")
	return p.w.Flush()
}

// manifest writes which files a plugin reads, and its lifecycles and rules.
func (p *manual) manifest(m *wire.Manifest) {
	p.head("Runs are in")
	for _, r := range m.Roots {
		except := ""
		if len(r.Except) > 0 {
			except = ", but not in " + Safe(strings.Join(r.Except, ", "))
		}
		if r.Unique {
			except += "; only this workflow uses the name"
		}
		p.wrapped("  ", 2, "    ", Safe(r.Dir)+"/ with any of "+Safe(strings.Join(r.Markers, ", "))+except, "")
	}
	p.documents(m.Documents)
	if len(m.AsksFor) > 0 {
		p.head("May ask whether these paths exist")
		p.wrapped("  ", 2, "    ", Safe(strings.Join(m.AsksFor, ", ")), "")
	}
	for _, l := range m.Lifecycles {
		p.lifecycle(l)
	}
	p.rules(m.Rules)
}

func (p *manual) documents(list []wire.DocumentSpec) {
	p.head("Documents")
	var rows [][]string
	for _, d := range list {
		form := d.Format.String() + ", " + d.Need.String()
		if strings.HasSuffix(d.Glob, "/") {
			form = "directory"
		}
		if d.Schema != "" {
			form += ", schema " + d.Schema
		}
		rows = append(rows, []string{d.Glob, form})
	}
	p.rows("  ", rows)
}

func (p *manual) lifecycle(l wire.Lifecycle) {
	p.head("Lifecycle " + Safe(l.Name) + " of a " + l.Unit.String())
	p.text("  ", l.Doc)
	var rows [][]string
	for _, ph := range l.Phases {
		doc := cmp.Or(strings.Join(strings.Fields(ph.Doc), " "), ph.Title)
		rows = append(rows, []string{strconv.Itoa(ph.Number), ph.Name, doc})
		for _, t := range l.Transitions {
			if t.From == ph.Name {
				rows = append(rows, []string{"", "", strings.TrimSuffix("-> "+t.To+": "+t.Doc, ": ")})
			}
		}
	}
	p.rows("  ", rows)
}

func (p *manual) rules(list []wire.Rule) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b wire.Rule) int { return cmp.Compare(b.Severity, a.Severity) })
	grouped := slices.ContainsFunc(list, func(r wire.Rule) bool { return r.Group != "" })
	var heads []string
	groups, width := map[string][]wire.Rule{}, 0
	for _, r := range list {
		head := severityHeads[r.Severity]
		if grouped {
			head = cmp.Or(r.Group, "others")
		}
		if groups[head] == nil {
			heads = append(heads, head)
		}
		groups[head] = append(groups[head], r)
		width = max(width, Columns(Safe(r.Name)))
	}
	for _, head := range heads {
		p.head("Rules: " + Safe(head))
		for _, r := range groups[head] {
			begin, n := "  "+padded(Safe(r.Name), width)+"  ", width+4
			if grouped {
				begin, n = "  "+p.paint(severityColor(r.Severity), padded(r.Severity.String(), len("warning")))+begin,
					n+len("  warning")
			}
			p.wrapped(begin, n, strings.Repeat(" ", n), Safe(title(r.Doc)), "")
		}
	}
}

var severityHeads = map[wire.Severity]string{wire.Error: "errors, which close the gate", wire.Warning: "warnings",
	wire.Info: "infos"}

func (p *manual) head(text string) {
	p.line()
	p.line(p.bold(text))
}

// A RuleOf is a rule with its workflow, which is "" for a rule that every workflow has.
type RuleOf struct {
	Workflow string
	wire.Rule
	Example string // a finding as check prints it, with the line that it is about; "" if there is none
}

// Rules writes the documentation of rules.
func Rules(w io.Writer, list []RuleOf, o Options) error {
	p := &manual{newPrinter(w, o)}
	for i, r := range list {
		if i > 0 {
			p.line()
		}
		p.rule(r)
	}
	return p.w.Flush()
}

func (p *manual) rule(r RuleOf) {
	name, in := r.Name, ", in every workflow"
	if r.Workflow != "" {
		name, in = r.Workflow+"/"+r.Name, ""
	}
	more := ""
	if r.SeverityIf != "" {
		more = " or less"
	}
	if r.OffByDefault {
		more += ", off by default"
	}
	p.line(p.bold(Safe(name)), " (", p.severity(r.Severity), more, ")", in)
	p.document(r.Doc)
	for _, part := range []struct{ head, text string }{{"Why it matters", r.Why}, {"Severity", r.SeverityIf},
		{"How to fix it", r.Fix}, {"More information", r.URL}} {
		if part.text != "" {
			p.head(part.head)
			p.document(part.text)
		}
	}
	if r.Example != "" {
		p.head("Example")
		p.text("  ", r.Example)
	}
	p.line()
	if len(r.Hides) > 0 {
		p.document("It hides these rules on the same subject, unless they are more severe: " +
			strings.Join(r.Hides, ", "))
	}
	if len(r.Replaces) > 0 {
		p.document("Formerly called " + strings.Join(r.Replaces, ", ") + ".")
	}
	if r.NeedsBase {
		p.document("It compares with the base, and reports nothing without one.")
	}
	if r.Severity > wire.Info && r.SeverityIf == "" {
		p.document("A finding may be less severe than " + r.Severity.String() + " if less is at stake.")
	}
	if result.Unread(r.Workflow + "/" + r.Name) {
		p.document("No setting lowers its severity or turns it off, and its findings cannot be accepted, because " +
			"stategate does not know the unread content. Fix the file, or exclude its directory in the configuration.")
	} else {
		p.document("To change the severity: rules: {" + name + ": warning} in the configuration; the value off turns " +
			"the rule off. To accept one finding, use stategate accept.")
	}
}

// document writes a text, wrapped to the terminal's width.
func (p *manual) document(text string) {
	for _, line := range safeLines(text) {
		p.wrapped("", 0, "", line, "")
	}
}

// Mermaid draws a workflow's lifecycles as a Mermaid state diagram.
func Mermaid(w io.Writer, x *plugin.Plugin, _ Options) error {
	p := &manual{newPrinter(w, Options{})}
	p.line("stateDiagram-v2")
	for i, l := range x.Manifest.Lifecycles {
		p.drawing(fmt.Sprintf("l%d", i+1), l)
	}
	return p.w.Flush()
}

func (p *manual) drawing(id string, l wire.Lifecycle) {
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

// label replaces the characters that would end a label.
func label(s string) string {
	return strings.NewReplacer(`"`, "'", ";", ",", ":", " -", "{", "(", "}", ")", "<", "#lt;", ">",
		"#gt;").Replace(Safe(strings.Join(strings.Fields(s), " ")))
}

// An Import is a function that a plugin imports from the host.
type Import struct {
	Module string `json:"module"`
	Name   string `json:"name"`
	Traps  bool   `json:"traps"` // a call ends the plugin
}

// A File holds what a plugin's module states about itself.
type File struct {
	Imports   []Import
	Producers string // the compilers; "" if the module does not name them
}

// Plugins lists plugins, each with the first characters of its digest.
func Plugins(w io.Writer, list []*plugin.Plugin, o Options) error {
	p := &manual{newPrinter(w, o)}
	rows := [][]string{{"NAME", "VERSION", "ORIGIN", "SHA256", "TITLE"}}
	for _, x := range list {
		rows = append(rows, []string{x.Name, x.Manifest.Version, x.Origin, x.SHA256()[:12], title(x.Manifest.Doc)})
	}
	p.rows("", rows)
	return p.w.Flush()
}

// Plugin shows a plugin's origin, what it may read and what it imports.
func Plugin(w io.Writer, x *plugin.Plugin, f File, o Options) error {
	p, m := &manual{newPrinter(w, o)}, x.Manifest
	p.wrapped(p.bold(Safe(m.Name))+": ", Columns(Safe(m.Name))+2, "    ", Safe(title(m.Doc)), "")
	rows := append([][]string{{"version", m.Version}}, About(m)...)
	rows = append(rows, []string{"origin", x.Origin})
	if x.Pinned != "" {
		rows = append(rows, []string{"pinned", x.Pinned})
	}
	if x.Attested != "" {
		rows = append(rows, []string{"built by", "github.com/" + x.Attested + ", according to its attestation"})
	}
	p.rows("  ", append(rows, [][]string{
		{"built with", cmp.Or(f.Producers, "unknown")},
		{"size", strconv.Itoa(x.Size) + " bytes"},
		{"sha256", x.SHA256()},
		{"ABI", strconv.Itoa(m.ABI)},
		{"requires", cmp.Or(strings.Join(m.Requires, ", "), "nothing")},
		{"identity", cmp.Or(m.Identity, "nothing")},
	}...))
	p.manifest(m)
	p.head("Imports")
	p.rows("  ", each(f.Imports, func(i *Import) []string {
		return []string{i.Module, i.Name, map[bool]string{true: "traps when called"}[i.Traps]}
	}))
	return p.w.Flush()
}

// About lists what a plugin states about its origin, as rows of name and value: the tools it was made for, its
// license and its URLs.
func About(m *wire.Manifest) (rows [][]string) {
	tools := each(m.MadeFor, func(f *wire.MadeFor) string { return strings.TrimSpace(f.Tool + " " + f.Versions) })
	for _, row := range [][]string{{"made for", strings.Join(tools, ", ")}, {"license", m.License},
		{"source", m.Source}, {"homepage", m.Homepage}} {
		if row[1] != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// A jsonPluginFile describes a plugin in plugin list and plugin inspect.
type jsonPluginFile struct {
	Name     string          `json:"name"`
	Version  string          `json:"version"`
	Title    string          `json:"title"`
	Origin   string          `json:"origin"`
	Pinned   string          `json:"pinned,omitempty"`
	Attested string          `json:"attested,omitempty"`
	Size     int             `json:"size"`
	SHA256   string          `json:"sha256"`
	Built    string          `json:"built_with,omitempty"`
	Imports  []Import        `json:"imports,omitempty"`
	Manifest json.RawMessage `json:"manifest,omitempty"`
}

func newPluginFile(x **plugin.Plugin) jsonPluginFile {
	p := *x
	return jsonPluginFile{Name: p.Name, Version: p.Manifest.Version, Title: title(p.Manifest.Doc), Origin: p.Origin,
		Pinned: p.Pinned, Attested: p.Attested, Size: p.Size, SHA256: p.SHA256()}
}

// PluginsJSON lists plugins as JSON.
func PluginsJSON(w io.Writer, list []*plugin.Plugin, _ Options) error {
	return encode(w, struct {
		Format  int              `json:"format"`
		Plugins []jsonPluginFile `json:"plugins"`
	}{1, each(list, newPluginFile)})
}

// PluginJSON shows one plugin as JSON, with its manifest exactly as the plugin wrote it.
func PluginJSON(w io.Writer, x *plugin.Plugin, f File, _ Options) error {
	out := newPluginFile(&x)
	out.Built, out.Imports, out.Manifest = f.Producers, f.Imports, json.RawMessage(x.ManifestText)
	return encode(w, struct {
		Format int `json:"format"`
		jsonPluginFile
	}{1, out})
}
