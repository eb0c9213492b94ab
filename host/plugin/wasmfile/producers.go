package wasmfile

import (
	"strings"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// mostProducers bounds how much is read of a section that cannot be trusted.
const mostProducers = 16

// Producers says which compilers made a module, "Go cmd/compile go1.26.8", as the module itself says in the custom
// section "producers", which most compilers write. It is "" if there is none or it cannot be read.
func (f *File) Producers() string {
	var list []string
	for _, s := range f.sections {
		if s.Kind != wasm.CustomSection || s.Name != "producers" {
			continue
		}
		r := &wasm.Reader{Buf: f.wasm[:s.End], Pos: s.Body}
		for fields := r.U32(); fields > 0 && !r.Failed; fields-- {
			field := r.Name()
			for n := r.U32(); n > 0 && !r.Failed; n-- {
				tool := strings.TrimSpace(r.Name() + " " + r.Name())
				if field == "processed-by" && !r.Failed && len(list) < mostProducers {
					list = append(list, tool)
				}
			}
		}
	}
	return strings.Join(list, ", ")
}
