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

// Shell returns the module with `unreachable` in place of every function body and tag in a custom section at the end:
// all that instances need besides machine code, at a fraction of the time to read and validate it. Its data is that of
// the module, which has passed CheckCode.
//
// Nothing in a shell says what the bodies were, so tag must: the digest of the module.
func (f *File) Shell(tag string) []byte {
	// Code that names segments has a section that counts them.
	counted := slices.ContainsFunc(f.sections, func(s wasm.Section) bool { return s.Kind == wasm.CountSection })
	out := []byte(wasm.Header)
	for _, s := range f.sections {
		switch {
		case s.Kind == wasm.CodeSection:
			out = wasm.AppendSection(out, s.Kind, append(wasm.AppendU32(nil, uint32(f.Functions)),
				bytes.Repeat(trap, f.Functions)...))
		case s.Kind == wasm.DataSection && !counted:
			with := wasm.AppendSection(slices.Clip(out), s.Kind, joined(f.wasm[s.Body:s.End], int64(f.MinPages)<<16))
			if len(with) > s.End { // the module may be as large as a plugin may be
				with = append(out, f.wasm[s.Start:s.End]...)
			}
			out = with
		default:
			out = append(out, f.wasm[s.Start:s.End]...)
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
