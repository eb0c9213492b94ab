// Package build contains the built-in plugins and the guest for declared workflows, compiled by `make plugins`.
//
// Every plugin has four files that are not committed to the main branch: NAME.wasm, the compiled plugin; NAME.wasm.gz;
// NAME.json, its manifest; and NAME.gen.go, which embeds the last two. Without these files the package is empty, and a
// binary built from it reports that it has no plugins.
package build

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// A File is one compiled plugin.
type File struct {
	Name     string // file name without .wasm
	SHA256   string // of the .wasm file, in hex; computed at build time
	Size     int    // of the .wasm file, in bytes
	Manifest []byte // JSON; must not be changed
	Wasm     func() []byte
}

// file is the entry that a generated file registers.
type file struct {
	sha256         string
	size           int
	manifest, wasm string
}

var embedded = map[string]file{}

// Files returns the compiled plugins, ordered by name. Each is unpacked on first use, because that takes 25 ms and a
// cached plugin does not need it.
func Files() []File {
	list := make([]File, 0, len(embedded))
	for name, f := range embedded {
		if name != declared {
			list = append(list, f.named(name))
		}
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// declared is the guest that runs declared workflows. It is not itself a plugin.
const declared = "declare"

// Declared returns the guest that declarations are written into. ok is false if it was not built.
func Declared() (_ File, ok bool) {
	f, ok := embedded[declared]
	return f.named(declared), ok
}

func (f file) named(name string) File {
	return File{name, f.sha256, f.size, unsafe.Slice(unsafe.StringData(f.manifest), len(f.manifest)),
		sync.OnceValue(f.unpack)}
}

// unpack returns the .wasm file. It panics on an error, because the program is then damaged.
func (f file) unpack() []byte {
	var data bytes.Buffer
	data.Grow(f.size + bytes.MinRead)
	r, err := gzip.NewReader(strings.NewReader(f.wasm))
	if err == nil {
		_, err = data.ReadFrom(r) // also verifies the checksum at the end
	}
	if err != nil || data.Len() != f.size {
		panic(fmt.Sprintf("a built-in plugin cannot be unpacked, so this program is damaged: found %d bytes, "+
			"expected %d: %v", data.Len(), f.size, err))
	}
	return data.Bytes()
}
