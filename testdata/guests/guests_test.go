package guests

import (
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/sdk/wire"
)

// TestBuildable holds that a sin is one sin: what is not refused for its file is well-formed as a file, and its
// manifest, if it is not the sin, is one that a host accepts.
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
