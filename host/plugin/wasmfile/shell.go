package wasmfile

import (
	"bytes"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// shellSection is the custom section that binds a shell to its module.
const shellSection = "stategate:shell"

// trap is a function body that is valid for any function type: no locals, unreachable, end.
var trap = []byte{3, 0x00, 0x00, 0x0b}

// Shell returns the module with `unreachable` in place of every function body, and with tag in a custom section at
// the end. The shell has everything that an instance needs besides machine code, and takes a fraction of the time
// to read and validate. It includes the module's data. The module must have passed CheckCode.
//
// The shell does not depend on the function bodies, so tag must identify them: it is the module's digest.
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
