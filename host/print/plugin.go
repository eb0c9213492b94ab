package print

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/plugin"
)

// An Import is a function that a plugin takes from the host.
type Import struct {
	Module string `json:"module"`
	Name   string `json:"name"`
	Traps  bool   `json:"traps"` // calling it ends the plugin
}

// Plugins lists plugins, each with the beginning of its digest.
func Plugins(w io.Writer, list []*plugin.Plugin, o Options) error {
	p := newPrinter(w, o)
	rows := [][]string{{"NAME", "VERSION", "ORIGIN", "SHA256", "TITLE"}}
	for _, x := range list {
		rows = append(rows, []string{x.Name, x.Manifest.Version, x.Origin, x.SHA256()[:12], title(x.Manifest.Doc)})
	}
	p.rows("", rows)
	return p.w.Flush()
}

// Plugin shows what a plugin is, what it may read and what it imports.
func Plugin(w io.Writer, x *plugin.Plugin, imports []Import, o Options) error {
	p, m := newPrinter(w, o), x.Manifest
	p.wrapped(p.bold(Safe(m.Name))+": ", Columns(Safe(m.Name))+2, "    ", Safe(title(m.Doc)), "")
	p.rows("  ", [][]string{
		{"version", m.Version},
		{"origin", x.Origin},
		{"size", strconv.Itoa(len(x.Wasm)) + " bytes"},
		{"sha256", x.SHA256()},
		{"ABI", strconv.Itoa(m.ABI)},
		{"requires", orNothing(strings.Join(m.Requires, ", "))},
		{"identity", orNothing(m.Identity)},
	})
	p.manifest(m)
	p.head("Imports")
	p.rows("  ", each(imports, func(i *Import) []string {
		return []string{i.Module, i.Name, map[bool]string{true: "traps when called"}[i.Traps]}
	}))
	return p.w.Flush()
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func pluginMembers(x *plugin.Plugin) members {
	return members{"name", x.Name, "version", x.Manifest.Version, "title", title(x.Manifest.Doc), "origin", x.Origin, "size", len(x.Wasm), "sha256", x.SHA256()}
}

// PluginsJSON lists plugins as JSON.
func PluginsJSON(w io.Writer, list []*plugin.Plugin) error {
	return encode(w, members{"format", 1, "plugins", each(list, func(x **plugin.Plugin) members { return pluginMembers(*x) })})
}

// PluginJSON shows one plugin as JSON, with its manifest as it wrote it.
func PluginJSON(w io.Writer, x *plugin.Plugin, imports []Import) error {
	return encode(w, members{"format", 1, "", append(pluginMembers(x), "imports?", imports, "manifest?", json.RawMessage(x.ManifestText))})
}

// A Conformance is what a test of a plugin against its fixtures and the laws came to.
type Conformance struct {
	Plugin  *plugin.Plugin
	Trials  []Trial
	Faults  []string // of the plugin as a whole: its manifest, what its fixtures leave untried
	Laws    int      // laws that were held to every look
	Damaged int      // worlds that were made by damaging a fixture's documents
}

// A Trial is one fixture and what it broke.
type Trial struct {
	File    string // the archive
	Written bool   // its @want or @after were written anew
	Faults  []string
}

// Broken reports whether anything did not hold.
func (c *Conformance) Broken() bool {
	return len(c.Faults) > 0 || slices.ContainsFunc(c.Trials, func(t Trial) bool { return len(t.Faults) > 0 })
}

// Conforms prints every fixture with what it breaks, and whether the plugin conforms.
func Conforms(w io.Writer, c *Conformance, o Options) error {
	p := newPrinter(w, o)
	failed := 0
	for _, t := range c.Trials {
		word := "ok  "
		switch {
		case len(t.Faults) > 0:
			word = "FAIL"
			failed++
		case t.Written:
			word = "new "
		}
		p.line(word, " ", Safe(t.File))
		p.faults(t.Faults)
	}
	p.faults(c.Faults)
	name := Safe(c.Plugin.Name + " " + c.Plugin.Manifest.Version)
	if c.Broken() {
		p.line(name, " does not conform to ABI ", fmt.Sprint(c.Plugin.Manifest.ABI), ": ",
			Count(failed, "fixture"), " of ", fmt.Sprint(len(c.Trials)), " broken, ", Count(len(c.Faults), "fault"), " of the plugin as a whole")
		return p.w.Flush()
	}
	p.line(name, " conforms to ABI ", fmt.Sprint(c.Plugin.Manifest.ABI), ": ",
		Count(len(c.Trials), "fixture"), " and ", Count(c.Damaged, "damaged world"), ", ", Count(c.Laws, "law"), " held in each")
	return p.w.Flush()
}

func (p *printer) faults(list []string) {
	for _, fault := range list {
		p.text("     ", fault)
	}
}
