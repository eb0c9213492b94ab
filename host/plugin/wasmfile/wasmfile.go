// Package wasmfile reads the outside of a WebAssembly binary: sections, imports, exports, sizes. It neither compiles nor
// runs anything, takes time linear in the file, and treats every byte as hostile.
//
// The order of use: Manifest finds a plugin's manifest, Check refuses what is no plugin of this ABI, CheckCode refuses
// what should not reach a compiler, Redirect sends imports elsewhere. WithManifest writes what Manifest reads. Shrink makes
// what the Go linker wrote smaller, once, when a plugin is built.
package wasmfile

import (
	"bytes"

	"github.com/stategate/stategate/host/fault"
)

// ExternKind is what an import or export is.
type ExternKind byte

// The kinds of imports and exports, with the numbers of the binary format.
const (
	Func ExternKind = iota
	Table
	Memory
	Global
)

func (k ExternKind) String() string {
	if int(k) < len(externNames) {
		return externNames[k]
	}
	return "unknown"
}

var externNames = [...]string{"function", "table", "memory", "global"}

// Signature is the type of a function: value types as bytes of the binary format (0x7f i32, 0x7e i64, …).
type Signature struct{ Params, Results []byte }

// Import is one import. Type is set for functions only.
type Import struct {
	Module, Name string
	Kind         ExternKind
	Type         Signature
}

// Export is one export. Type is set for functions only.
type Export struct {
	Name string
	Kind ExternKind
	Type Signature

	index uint32
}

// File is the outside of a module.
type File struct {
	Imports   []Import
	Exports   []Export
	Functions int    // functions that the module defines; imported ones are not counted
	MinPages  uint64 // smallest size of its memory in pages of 64 KiB, 0 without a memory
	Memories  int    // defined and imported

	wasm     []byte
	sections []section
	types    []Signature
	funcs    []uint32 // type index of every function, imported first
}

type section struct {
	id         byte
	start      int // of the section's id byte
	body, end  int // content, half-open
	customName string
}

var header = []byte{0, 'a', 's', 'm', 1, 0, 0, 0}

// sectionOrder maps a section's id to its place; the data count section (12) stands before the code section (10).
var sectionOrder = [...]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 10}

// Read reads the outside of wasm. A *failure.Failure of kind compile says what is wrong with it.
func Read(wasm []byte) (*File, error) {
	f := &File{wasm: wasm}
	var err error
	if f.sections, err = readSections(wasm); err != nil {
		return nil, err
	}
	for _, s := range f.sections {
		r := &reader{buf: wasm[:s.end], pos: s.body}
		if err := f.readSection(s.id, r); err != nil {
			return nil, err
		}
	}
	return f, f.resolve()
}

func readSections(wasm []byte) ([]section, error) {
	if !bytes.HasPrefix(wasm, header) {
		return nil, malformed("it does not begin with the header of WebAssembly version 1 (a component is not a module)")
	}
	var sections []section
	var last byte
	r := &reader{buf: wasm, pos: len(header)}
	for r.pos < len(wasm) {
		s, err := readSectionHead(r)
		if err != nil {
			return nil, err
		}
		if s.id != 0 {
			if place := sectionOrder[s.id]; place <= last {
				return nil, malformed("section %d at byte %d is repeated or out of order", s.id, s.start)
			} else {
				last = place
			}
		}
		sections = append(sections, s)
		r.pos = s.end
	}
	return sections, nil
}

func readSectionHead(r *reader) (section, error) {
	s := section{start: r.pos}
	s.id = r.byte()
	size := r.u32()
	s.body = r.pos
	if r.failed || int(size) > len(r.buf)-r.pos {
		return s, malformed("the section at byte %d reaches past the end of the file", s.start)
	}
	s.end = s.body + int(size)
	if int(s.id) >= len(sectionOrder) {
		return s, malformed("section %d at byte %d is of an unknown kind", s.id, s.start)
	}
	if s.id == 0 {
		inner := &reader{buf: r.buf[:s.end], pos: s.body}
		s.customName = inner.name()
		if inner.failed {
			return s, malformed("the custom section at byte %d has no readable name", s.start)
		}
		s.body = inner.pos
	}
	return s, nil
}

// custom returns the content of the custom section called name. Two of one name are refused.
func custom(wasm []byte, sections []section, name string) ([]byte, bool, error) {
	var content []byte
	found := false
	for _, s := range sections {
		if s.id != 0 || s.customName != name {
			continue
		}
		if found {
			return nil, false, fault.Newf(fault.ABI, "it has two custom sections %q, want one; pack it again", name)
		}
		content, found = wasm[s.body:s.end], true
	}
	return content, found, nil
}

func malformed(format string, args ...any) error {
	f := fault.Newf(fault.Compile, format, args...)
	f.Message = "not a valid WebAssembly module: " + f.Message
	return f
}
