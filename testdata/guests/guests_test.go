package guests

import (
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/sdk/wire"
)

// TestBuildable checks that each guest has only one sin: its file is well-formed and its manifest is valid, unless that
// is the sin.
func TestBuildable(t *testing.T) {
	if err := manifest("a-name").Validate(); err != nil {
		t.Fatalf("the manifest of all others: %v", err)
	}
	for name, sin := range All() {
		if name != sin.Name {
			t.Errorf("%s is called %s", name, sin.Name)
		}
		if sin.Refused {
			continue
		}
		f, err := wasmfile.Check(sin.Wasm, limits.Default())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := f.CheckCode(limits.Default()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text, err := wasmfile.Manifest(sin.Wasm, wire.MaxManifest)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m, err := wire.DecodeManifest(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := m.Validate(); err != nil || m.Name != name {
			t.Errorf("%s: manifest of %s: %v", name, m.Name, err)
		}
	}
}
