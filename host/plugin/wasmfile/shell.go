package wasmfile

import (
	"bytes"

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
	out := []byte(wasm.Header)
	for _, s := range f.sections {
		if s.Kind == wasm.CodeSection {
			out = wasm.AppendSection(out, s.Kind, append(wasm.AppendU32(nil, uint32(f.Functions)),
				bytes.Repeat(trap, f.Functions)...))
		} else {
			out = append(out, f.wasm[s.Start:s.End]...)
		}
	}
	return wasm.AppendSection(out, wasm.CustomSection, append(wasm.AppendName(nil, shellSection), tag...))
}
