package wasmfile

import (
	"bytes"
	"testing"

	"github.com/stategate/stategate/sdk/engine/wasm"
	"github.com/stategate/stategate/testdata/guests"
)

// TestShell: a shell contains everything in its module except the function bodies. Without the tag, it is not larger
// than the module, because the module may have the maximum size of a plugin.
func TestShell(t *testing.T) {
	m := guests.NewModule().Memory(1, 0)
	m.Func(nil, nil, 0, guests.Times(10_000, guests.Call(0)))
	m.Data(100, []byte("data"))
	module := m.Bytes()
	file, err := Read(module)
	if err != nil {
		t.Fatal(err)
	}
	shell := file.Shell("tag")
	sections, err := wasm.Sections(shell)
	if err != nil {
		t.Fatal(err)
	}
	if len(sections) != len(file.sections)+1 {
		t.Fatalf("%d sections, want one more than %d", len(sections), len(file.sections))
	}
	for i, s := range file.sections {
		of, is := module[s.Start:s.End], shell[sections[i].Start:sections[i].End]
		if s.Kind == wasm.CodeSection {
			of = wasm.AppendSection(nil, s.Kind, append([]byte{1}, trap...))
		}
		if !bytes.Equal(of, is) {
			t.Errorf("section %d is % x, want % x", s.Kind, is, of)
		}
	}
	last := sections[len(sections)-1]
	if last.Name != shellSection || string(shell[last.Body:last.End]) != "tag" {
		t.Errorf("it ends with %q: %q", last.Name, shell[last.Body:last.End])
	}
}
