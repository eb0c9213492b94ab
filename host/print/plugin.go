package print

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
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

// Plugins lists plugins.
func Plugins(w io.Writer, list []*plugin.Plugin) error {
	p := &printer{w: bufio.NewWriter(w)}
	rows := [][]string{{"NAME", "VERSION", "ORIGIN", "BYTES", "SHA256", "TITLE"}}
	for _, x := range list {
		rows = append(rows, []string{x.Name, x.Manifest.Version, x.Origin, strconv.Itoa(len(x.Wasm)), x.SHA256(), title(x.Manifest.Doc)})
	}
	p.rows("", rows)
	return p.w.Flush()
}

// Plugin shows what a plugin is, what it may read and what it imports.
func Plugin(w io.Writer, x *plugin.Plugin, imports []Import, o Options) error {
	p, m := newPrinter(w, o), x.Manifest
	p.line(p.bold(Safe(m.Name)), ": ", Safe(title(m.Doc)))
	p.rows("  ", [][]string{
		{"version", m.Version},
		{"origin", x.Origin},
		{"size", strconv.Itoa(len(x.Wasm)) + " bytes"},
		{"sha256", x.SHA256()},
		{"ABI", strconv.Itoa(m.ABI)},
		{"requires", orNothing(strings.Join(m.Requires, ", "))},
		{"identity", orNothing(m.Identity)},
	})
	p.roots(m.Roots)
	p.documents(m.Documents)
	for _, l := range m.Lifecycles {
		p.lifecycle(l)
	}
	p.rules(m.Rules)
	p.imports(imports)
	return p.w.Flush()
}

func (p *printer) imports(list []Import) {
	p.head("Imports")
	var rows [][]string
	for _, i := range list {
		traps := ""
		if i.Traps {
			traps = "traps when called"
		}
		rows = append(rows, []string{i.Module, i.Name, traps})
	}
	p.rows("  ", rows)
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

type pluginDocument struct {
	Name     string          `json:"name"`
	Version  string          `json:"version"`
	Title    string          `json:"title"`
	Origin   string          `json:"origin"`
	Size     int             `json:"size"`
	SHA256   string          `json:"sha256"`
	Imports  []Import        `json:"imports,omitempty"`
	Manifest json.RawMessage `json:"manifest,omitempty"`
}

func newPluginDocument(x *plugin.Plugin) pluginDocument {
	return pluginDocument{
		Name: x.Name, Version: x.Manifest.Version, Title: title(x.Manifest.Doc), Origin: x.Origin, Size: len(x.Wasm), SHA256: x.SHA256(),
	}
}

// PluginsJSON lists plugins as JSON.
func PluginsJSON(w io.Writer, list []*plugin.Plugin) error {
	docs := []pluginDocument{}
	for _, x := range list {
		docs = append(docs, newPluginDocument(x))
	}
	return encode(w, struct {
		Format  int              `json:"format"`
		Plugins []pluginDocument `json:"plugins"`
	}{1, docs})
}

// PluginJSON shows one plugin as JSON, with its manifest as it wrote it.
func PluginJSON(w io.Writer, x *plugin.Plugin, imports []Import) error {
	d := newPluginDocument(x)
	d.Imports, d.Manifest = imports, x.ManifestText
	return encode(w, struct {
		Format int `json:"format"`
		pluginDocument
	}{1, d})
}

// encode writes indented JSON that a terminal shows without obeying it.
func encode(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode the output: %w", err)
	}
	_, err := w.Write(escapeHidden(b.Bytes()))
	return err
}
