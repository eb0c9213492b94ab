// Package build holds the built-in plugins, as `make plugins` compiles them.
//
// For every plugin there are two files that are not committed on the main line:
// NAME.wasm and NAME.gen.go, which embeds it. Without them the package is empty;
// a binary that was built before the plugins says so.
package build

import (
	"slices"
	"strings"
	"unsafe"
)

// A File is one compiled plugin.
type File struct {
	Name   string // of the file, without .wasm
	SHA256 string // of Wasm, hex; known since it was built
	Wasm   []byte // never to be written to
}

// file is what a generated file puts in.
type file struct{ sha256, wasm string }

// embedded are the plugins by name.
var embedded = map[string]file{}

// Files returns the compiled plugins, ordered by name. Their bytes lie in the
// binary: reading a part costs that part, where a copy of each costs three
// megabytes and seven hundred page faults (measured: half the time of a check
// that finds nothing).
func Files() []File {
	list := make([]File, 0, len(embedded))
	for name, f := range embedded {
		list = append(list, File{name, f.sha256, unsafe.Slice(unsafe.StringData(f.wasm), len(f.wasm))})
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return list
}
