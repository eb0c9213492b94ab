// Package wasmfile reads the outside of a plugin's module: sections, imports, exports, sizes. It neither compiles nor
// runs anything, takes time linear in the file, and treats every byte as hostile.
//
// The order of use: Manifest finds a plugin's manifest, Check refuses what is not a plugin of this ABI, CheckCode
// refuses what should not reach a compiler, Redirect takes imports from elsewhere.
package wasmfile

import (
	"encoding/json"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/sdk/engine/wasm"
	"github.com/stategate/stategate/sdk/wire"
)

// A Kind is what an import or export is, in the numbers of the binary format.
type Kind byte

// The kinds of imports and exports.
const (
	Func Kind = iota
	Table
	Memory
	Global
)

func (k Kind) String() string { return [...]string{"function", "table", "memory", "global"}[k] }

// A Signature is the type of a function: value types as bytes of the binary format (0x7f i32, 0x7e i64, …).
type Signature struct{ Params, Results []byte }

// An Import is one import. Type is set for functions only.
type Import struct {
	Module, Name string
	Kind         Kind
	Type         Signature

	start, end int // of the module's name in the file
}

// A File is the outside of a module.
type File struct {
	Imports   []Import
	Exports   map[string]Signature // of functions
	Functions int                  // functions that the module defines; imported ones are not counted
	MinPages  uint64               // smallest size of its memory in pages of 64 KiB, 0 without a memory
	Memories  int                  // defined and imported

	wasm     []byte
	sections []wasm.Section
	types    []Signature
	funcs    []Signature // of every function, imported first
}

// Read reads the outside of a module. The error is a *fault.Failure of kind compile or limit.
func Read(data []byte) (*File, error) {
	sections, err := wasm.Sections(data)
	if err != nil {
		return nil, malformed("%v", err)
	}
	f := &File{wasm: data, sections: sections, Exports: map[string]Signature{}}
	// How many a module may have is decided by the count, before memory is spent on them.
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

// Bytes returns the module. They are not to be written to.
func (f *File) Bytes() []byte { return f.wasm }

// reader reads the content of a section, at its places in the file.
func (f *File) reader(s wasm.Section) *wasm.Reader {
	return &wasm.Reader{Buf: f.wasm[:s.End], Pos: s.Body}
}

// A vector is what a section consists of: items of one kind.
type vector struct {
	items string
	most  int64
	one   func(*wasm.Reader)
}

// read reads the items. Each takes at least a byte, so that a count that is too large ends with the section.
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
	if flags > 3 { // 1: has a maximum, 2: shared; 64-bit memories are beyond what the engine runs
		r.Failed = true
	}
	least = uint64(r.U32())
	if flags&1 != 0 {
		r.U32()
	}
	return least
}

// at reads an index and returns what it stands for.
func at(r *wasm.Reader, list []Signature) Signature {
	index := r.U32()
	if r.Failed || int64(index) >= int64(len(list)) {
		r.Failed = true
		return Signature{}
	}
	return list[index]
}

// Redirect returns the module with its functions imported from the module that to names for each; "" leaves
// an import where it is. The file's own bytes are not changed; without any change they are returned.
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

// Manifest returns the content of the manifest section of a module, not copied. It reads section heads only. Without
// a section, with two, or with one of more than limit bytes the failure says how to fix it.
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
		return nil, fault.Newf(fault.ABI, "it has %d custom sections %q, want one; pack it again", len(sections),
			wire.Section)
	}
	content := data[sections[0].Body:sections[0].End]
	if int64(len(content)) > limit {
		return nil, fault.Newf(fault.Limit, "its manifest has %d bytes, at most %d are allowed", len(content), limit)
	}
	return content, nil
}

// Examples returns the examples of rules that a module holds, by rule; nil if it holds none that can be read.
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

// maxExamples is how large the section of examples may be that is read, in bytes.
const maxExamples = 1 << 20

func malformed(format string, args ...any) error {
	return fault.Newf(fault.Compile, "not a valid WebAssembly module: "+format, args...)
}
