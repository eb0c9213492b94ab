package pack

import (
	"encoding/json"
	"fmt"

	"github.com/stategate/stategate/sdk/engine/wasm"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// Finish returns a copy of a module that contains its manifest, and an example for each rule from its fixtures. A
// module without fixtures keeps its existing examples.
func Finish(module, manifest []byte, fixtures []*fixture.Fixture) ([]byte, error) {
	if len(fixtures) > 0 {
		text, err := json.Marshal(fixture.Examples(fixtures))
		if err != nil {
			return nil, err
		}
		if module, err = withSection(module, wire.ExamplesSection, text); err != nil {
			return nil, err
		}
	}
	return withSection(module, wire.Section, manifest)
}

// withSection returns a copy of a module with a custom section at the end, which replaces an old section of that name.
// All other bytes stay the same, so writing the same content twice changes nothing.
func withSection(data []byte, name string, content []byte) ([]byte, error) {
	sections, err := wasm.Sections(data)
	if err != nil {
		return nil, fmt.Errorf("not a valid WebAssembly module: %w", err)
	}
	out := append(make([]byte, 0, len(data)+len(content)+64), wasm.Header...)
	for _, s := range sections {
		if s.Name != name {
			out = append(out, data[s.Start:s.End]...)
		}
	}
	return wasm.AppendSection(out, wasm.CustomSection, append(wasm.AppendName(nil, name), content...)), nil
}
