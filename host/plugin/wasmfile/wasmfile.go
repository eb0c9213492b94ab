// Package wasmfile reads the structure of a plugin's module: sections, imports, exports and sizes. It neither
// compiles nor runs anything, takes time linear in the file's size, and treats every byte as hostile.
//
// The functions are used in this order: Manifest finds a plugin's manifest, Check rejects what is not a plugin for
// this ABI, CheckCode rejects what must not reach a compiler, and Redirect changes which modules imports come from.
package wasmfile

import (
	"encoding/json"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/sdk/engine/wasm"
	"github.com/stategate/stategate/sdk/wire"
)

// A Kind is the kind of an import or export, with the numbers of the binary format.
type Kind byte

const (
	Func Kind = iota
	Table
	Memory
	Global
)

func (k Kind) String() string { return [...]string{"function", "table", "memory", "global"}[k] }

// A Signature is the type of a function. Value types are bytes of the binary format (0x7f is i32, 0x7e is i64, …).
type Signature struct{ Params, Results []byte }

// An Import is one import. Type is set for functions only.
type Import struct {
	Module, Name string
	Kind         Kind
	Type         Signature

	start, end int // position of the module's name in the file
}

// A File is the structure of a module.
type File struct {
	Imports   []Import
	Exports   map[string]Signature // of functions
	Functions int                  // number of functions that the module defines, without imported ones
	MinPages  uint64               // initial size of its memory in pages of 64 KiB; 0 if there is no memory
	Memories  int                  // defined and imported

	wasm     []byte
	sections []wasm.Section
	types    []Signature
	funcs    []Signature // of every function, imported ones first
}

// Read reads a module's structure. The error is a *fault.Failure of kind compile or limit.
func Read(data []byte) (*File, error) {
	sections, err := wasm.Sections(data)
	if err != nil {
		return nil, malformed("%v", err)
	}
	f := &File{wasm: data, sections: sections, Exports: map[string]Signature{}}
	// The count of items is checked before memory is allocated for them.
	vectors := map[byte]vector{
		wasm.TypeSection: {"types", 10_000, f.readType}, wasm.ImportSection: {"imports", 10_000, f.readImport},
		wasm.FunctionSection: {"functions", int64(limits.Default().Functions), f.readFunction},
		wasm.MemorySection:   {"memories", 100, f.readMemory}, wasm.ExportSection: {"exports", 1_000, f.readExport},
		tableSection: {"tables", 100, readTable}, globalSection: {"globals", 100_000, readGlobal},
		elementSection:   {"element segments", 100_000, readElement},
		wasm.DataSection: {"data segments", 100_000, readData},
	}
	for _, s := range sections {
		if v, ok := vectors[s.Kind]; ok {
			if err := v.read(f.reader(s), s.Kind); err != nil {
				return nil, err
			}
		}
		if r := f.reader(s); s.Name == "name" {
			if readNames(r); r.Failed {
				return nil, malformed("its names cannot be read (byte %d)", r.Pos)
			}
		}
	}
	return f, nil
}

// reader returns a reader of a section's content, with positions relative to the file.
func (f *File) reader(s wasm.Section) *wasm.Reader {
	return &wasm.Reader{Buf: f.wasm[:s.End], Pos: s.Body}
}

// A vector is a section's content: items of one kind.
type vector struct {
	items string
	most  int64
	one   func(*wasm.Reader)
}

// read reads the items. Each takes at least one byte, so a count that is too large fails at the end of the section.
func (v vector) read(r *wasm.Reader, kind byte) error {
	count := int64(r.U32())
	if count > v.most {
		return fault.Newf(fault.Limit, "it has %d %s, at most %d are allowed", count, v.items, v.most)
	}
	for ; count > 0 && !r.Failed; count-- {
		v.one(r)
	}
	if r.Failed || r.Pos != len(r.Buf) {
		return malformed("section %d cannot be read (byte %d)", kind, r.Pos)
	}
	return nil
}

func (f *File) readType(r *wasm.Reader) {
	if r.Byte() != 0x60 {
		r.Failed = true
		return
	}
	f.types = append(f.types, Signature{Params: r.Bytes(), Results: r.Bytes()})
}

func (f *File) readImport(r *wasm.Reader) {
	i := Import{start: r.Pos}
	i.Module = r.Name()
	i.end = r.Pos
	i.Name, i.Kind = r.Name(), Kind(r.Byte())
	switch i.Kind {
	case Func:
		i.Type = at(r, f.types)
		f.funcs = append(f.funcs, i.Type)
	case Table:
		r.Byte()
		readLimits(r)
	case Memory:
		f.readMemory(r)
	case Global:
		r.Skip(2)
	default:
		r.Failed = true
	}
	f.Imports = append(f.Imports, i)
}

func (f *File) readFunction(r *wasm.Reader) {
	f.funcs = append(f.funcs, at(r, f.types))
	f.Functions++
}

func (f *File) readMemory(r *wasm.Reader) {
	f.MinPages = readLimits(r)
	f.Memories++
}

func (f *File) readExport(r *wasm.Reader) {
	name := r.Name()
	switch kind := Kind(r.Byte()); {
	case kind == Func:
		f.Exports[name] = at(r, f.funcs)
	case kind <= Global:
		r.U32()
	default:
		r.Failed = true
	}
}

func readLimits(r *wasm.Reader) (least uint64) {
	flags := r.Byte()
	if flags > 3 { // 1: has a maximum, 2: shared; the engine does not support 64-bit memories
		r.Failed = true
	}
	least = uint64(r.U32())
	if flags&1 != 0 {
		r.U32()
	}
	return least
}

// at reads an index and returns the list element at that index.
func at(r *wasm.Reader, list []Signature) Signature {
	index := r.U32()
	if r.Failed || int64(index) >= int64(len(list)) {
		r.Failed = true
		return Signature{}
	}
	return list[index]
}

// Redirect returns the module with each function imported from the module that to returns instead. If to returns "",
// the import is unchanged. The file's own bytes are not modified; if nothing changes, they are returned.
func (f *File) Redirect(to func(Import) string) []byte {
	which := slices.IndexFunc(f.sections, func(s wasm.Section) bool { return s.Kind == wasm.ImportSection })
	if which < 0 {
		return f.wasm
	}
	s := f.sections[which]
	var content []byte
	from := s.Body
	for _, i := range f.Imports {
		if target := to(i); target != "" && i.Kind == Func {
			content = wasm.AppendName(append(content, f.wasm[from:i.start]...), target)
			from = i.end
		}
	}
	if content == nil {
		return f.wasm
	}
	content = append(content, f.wasm[from:s.End]...)
	out := append(make([]byte, 0, len(f.wasm)+len(content)), f.wasm[:s.Start]...)
	return append(wasm.AppendSection(out, s.Kind, content), f.wasm[s.End:]...)
}

// Manifest returns the content of a module's manifest section, which is not copied. It reads only section headers.
// It fails if there is no such section, if there are several, or if it has more than limit bytes. The failure says
// how to fix that.
func Manifest(data []byte, limit int64) ([]byte, error) {
	sections, err := wasm.Sections(data)
	if err != nil {
		return nil, malformed("%v", err)
	}
	sections = slices.DeleteFunc(sections, func(s wasm.Section) bool { return s.Name != wire.Section })
	switch {
	case len(sections) == 0:
		return nil, fault.Newf(fault.ABI, "it has no custom section %q; write one with `stategate plugin pack`",
			wire.Section)
	case len(sections) > 1:
		return nil, fault.Newf(fault.ABI, "it has %d custom sections %q, expected one; pack it again", len(sections),
			wire.Section)
	}
	content := data[sections[0].Body:sections[0].End]
	if int64(len(content)) > limit {
		return nil, fault.Newf(fault.Limit, "its manifest has %d bytes, at most %d are allowed", len(content), limit)
	}
	return content, nil
}

// Examples returns a module's examples by rule. It returns nil if there are none or they cannot be read.
func Examples(data []byte) map[string]string {
	sections, err := wasm.Sections(data)
	if err != nil {
		return nil
	}
	var examples map[string]string
	for _, s := range sections {
		if s.Name == wire.ExamplesSection && s.End-s.Body <= maxExamples &&
			json.Unmarshal(data[s.Body:s.End], &examples) != nil {
			return nil
		}
	}
	return examples
}

// maxExamples is the maximum size in bytes of an examples section that is read.
const maxExamples = 1 << 20

func malformed(format string, args ...any) error {
	return fault.Newf(fault.Compile, "not a valid WebAssembly module: "+format, args...)
}
