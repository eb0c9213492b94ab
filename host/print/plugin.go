package print

import (
	"encoding/json"
	"io"
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
