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
	Name string // of the file, without .wasm
	Wasm []byte // never to be written to
}

// embedded are the plugins that generated files put in, by name.
var embedded = map[string]string{}

// Files returns the compiled plugins, ordered by name. Their bytes lie in the
// binary: reading a part costs that part, where a copy of each costs three
// megabytes and seven hundred page faults (measured: half the time of a check
// that finds nothing).
func Files() []File {
	list := make([]File, 0, len(embedded))
	for name, text := range embedded {
		list = append(list, File{name, unsafe.Slice(unsafe.StringData(text), len(text))})
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return list
}
