// Package build holds the built-in plugins, and the guest of declared workflows, as `make plugins` compiles them.
//
// For every plugin there are four files that are not committed on the main line: NAME.wasm as it was compiled;
// NAME.wasm.gz and NAME.json, its manifest; and NAME.gen.go, which embeds these two. Without them the package is empty;
// a binary that was built before the plugins says so.
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
	Name     string // of the file, without .wasm
	SHA256   string // of the .wasm file, hex; known since it was built
	Size     int    // of the .wasm file, in bytes
	Manifest []byte // JSON; must not be changed
	Wasm     func() []byte
}

// file is what a generated file puts in.
type file struct {
	sha256         string
	size           int
	manifest, wasm string
}

// embedded are the plugins by name.
var embedded = map[string]file{}

// Files returns the compiled plugins, ordered by name. Each is unpacked when it is first asked for, which takes 25 ms:
// what the cache has of a plugin needs no more of it.
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

// declared is the guest that runs declared workflows. It is not a plugin of its own.
const declared = "declare"

// Declared returns the guest into which declarations are written; ok is false if it was not built.
func Declared() (_ File, ok bool) {
	f, ok := embedded[declared]
	return f.named(declared), ok
}

func (f file) named(name string) File {
	return File{name, f.sha256, f.size, unsafe.Slice(unsafe.StringData(f.manifest), len(f.manifest)),
		sync.OnceValue(f.unpack)}
}

// unpack returns the .wasm file. If it fails, this program is damaged, and cannot continue.
func (f file) unpack() []byte {
	var data bytes.Buffer
	data.Grow(f.size + bytes.MinRead)
	r, err := gzip.NewReader(strings.NewReader(f.wasm))
	if err == nil {
		_, err = data.ReadFrom(r) // to its checksum at the end
	}
	if err != nil || data.Len() != f.size {
		panic(fmt.Sprintf("a built-in plugin cannot be unpacked, so this program is damaged: found %d bytes, "+
			"expected %d: %v", data.Len(), f.size, err))
	}
	return data.Bytes()
}
