package wasmfile

import (
	"bytes"
	"slices"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// shellSection is the custom section that binds a shell to the module that it was made of.
const shellSection = "stategate:shell"

// trap is the body of a function of any type: no locals, unreachable, end.
var trap = []byte{3, 0x00, 0x00, 0x0b}

// Shell returns module with `unreachable` in place of every function body and tag in a custom section at the end: all
// that instances need besides machine code, at a fraction of the time to read and validate it. Its data is that of
// module. It returns nil for a module without exactly one code section that has a body for each function of the
// function section.
//
// Nothing in a shell says what the bodies were, so tag must: the digest of the module.
func Shell(module []byte, tag string) []byte {
	sections, err := wasm.Sections(module)
	if err != nil {
		return nil
	}
	declared, ok := vectorLength(module, sections, wasm.FunctionSection)
	bodies, found := vectorLength(module, sections, wasm.CodeSection)
	if !ok || !found || declared != bodies || bodies > len(module) {
		return nil
	}
	memory := initialMemory(module, sections)
	// Code that names segments has a section that counts them.
	counted := slices.ContainsFunc(sections, func(s wasm.Section) bool { return s.Kind == wasm.CountSection })
	out := []byte(wasm.Header)
	for _, s := range sections {
		switch {
		case s.Kind == wasm.CodeSection:
			out = wasm.AppendSection(out, s.Kind, append(wasm.AppendU32(nil, uint32(bodies)),
				bytes.Repeat(trap, bodies)...))
		case s.Kind == wasm.DataSection && !counted:
			with := wasm.AppendSection(slices.Clip(out), s.Kind, joined(module[s.Body:s.End], memory))
			if len(with) > s.End { // the module may be as large as a plugin may be
				with = append(out, module[s.Start:s.End]...)
			}
			out = with
		default:
			out = append(out, module[s.Start:s.End]...)
		}
	}
	return wasm.AppendSection(out, wasm.CustomSection, append(wasm.AppendName(nil, shellSection), tag...))
}

// joinBelow is the number of zeros that are read faster than one more segment.
const joinBelow = 128

// joined returns the content of a data section with fewer segments: two that are less than joinBelow bytes apart are
// one, with the zeros between them that the memory of a new instance has there. The file of a plugin has thousands,
// because it is to be small. What is not as plain as that stays as it is, and so does what lies beyond memory, the size
// in bytes to begin with: the engine names the segment.
func joined(content []byte, memory int64) []byte {
	given, ok := wasm.Segments(content)
	if !ok {
		return content
	}
	var list []wasm.Segment
	for _, s := range given {
		if s.At < 0 || s.At > memory-int64(len(s.Data)) {
			return content
		}
		if i := len(list) - 1; i >= 0 {
			last := &list[i]
			gap := s.At - last.At - int64(len(last.Data))
			if gap < 0 {
				return content
			}
			if gap < joinBelow {
				last.Data = append(append(last.Data, make([]byte, gap)...), s.Data...)
				continue
			}
		}
		list = append(list, wasm.Segment{At: s.At, Data: bytes.Clone(s.Data)})
	}
	return wasm.AppendSegments(nil, list)
}

// initialMemory is the size in bytes of the memory that a module has of its own, before it grows; 0 if it has none, or
// more than one.
func initialMemory(module []byte, sections []wasm.Section) int64 {
	if n, ok := vectorLength(module, sections, wasm.MemorySection); !ok || n != 1 {
		return 0
	}
	s := sections[slices.IndexFunc(sections, func(s wasm.Section) bool { return s.Kind == wasm.MemorySection })]
	return int64(readLimits(&wasm.Reader{Buf: module[:s.End], Pos: s.Body + 1})) << 16
}

// vectorLength returns the length of the vector that is the only section of a kind, and false if there is not one such
// section or its length is not in the shortest form.
func vectorLength(module []byte, sections []wasm.Section, kind byte) (int, bool) {
	of := func(s wasm.Section) bool { return s.Kind == kind }
	i := slices.IndexFunc(sections, of)
	if i < 0 || slices.ContainsFunc(sections[i+1:], of) {
		return 0, false
	}
	r := &wasm.Reader{Buf: module[:sections[i].End], Pos: sections[i].Body}
	n := r.U32()
	return int(n), !r.Failed && r.Pos-sections[i].Body == len(wasm.AppendU32(nil, n))
}
