package wasmfile

import (
	"slices"

	"github.com/stategate/stategate/sdk/wasm"
)

// shellSection is the custom section that binds a shell to the module that it was made of.
const shellSection = "stategate:shell"

// trap is the body of a function of any type: no locals, unreachable, end.
var trap = []byte{3, 0x00, 0x00, 0x0b}

// Shell returns module with `unreachable` in place of every function body and tag in a custom section at the end: all that
// instances need besides machine code, at a fraction of the time to read and validate it. It returns nil for a module
// without exactly one code section that has a body for each function of the function section.
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
	at := sections[slices.IndexFunc(sections, func(s wasm.Section) bool { return s.Kind == wasm.CodeSection })]
	content := wasm.AppendU32(make([]byte, 0, 5+bodies*len(trap)), uint32(bodies))
	for range bodies {
		content = append(content, trap...)
	}
	out := make([]byte, 0, len(module)-(at.End-at.Start)+len(content)+len(tag)+64)
	out = append(out, module[:at.Start]...)
	out = wasm.AppendSection(out, wasm.CodeSection, content)
	out = append(out, module[at.End:]...)
	return wasm.AppendSection(out, wasm.CustomSection, append(wasm.AppendName(nil, shellSection), tag...))
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
