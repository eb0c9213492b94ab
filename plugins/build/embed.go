// Package build holds the built-in plugins, as `make plugins` compiles them.
//
// The .wasm files are not committed on the main line. This file keeps the
// package alive without them; a binary that was built before them says so.
package build

import (
	"embed"
	"path"
	"sort"
	"strings"
)

//go:embed *
var files embed.FS

// A File is one compiled plugin.
type File struct {
	Name string // of the file, without .wasm
	Wasm []byte
}

// Files returns the compiled plugins, ordered by name. There are none if the
// binary was built before the plugins.
func Files() ([]File, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var list []File
	for _, e := range entries {
		if path.Ext(e.Name()) != ".wasm" {
			continue
		}
		wasm, err := files.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		list = append(list, File{Name: strings.TrimSuffix(e.Name(), ".wasm"), Wasm: wasm})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list, nil
}
