package wasmfile

import (
	"strings"

	"github.com/stategate/stategate/sdk/engine/wasm"
)

// mostProducers limits how much is read from a section that cannot be trusted.
const mostProducers = 16

// Producers returns the compilers that built a module, such as "Go cmd/compile go1.26.8". They come from the custom
// section "producers", which most compilers write. It returns "" if the section is missing or cannot be read.
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
