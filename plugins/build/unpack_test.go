package build

import (
	"bytes"
	"compress/gzip"
	"testing"
)

// TestUnpack: damage anywhere in an embedded file is detected.
func TestUnpack(t *testing.T) {
	want := bytes.Repeat([]byte("a plugin "), 1000)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(want)
	_ = w.Close()
	whole := packed.String()
	if got := (file{size: len(want), wasm: whole}).unpack(); !bytes.Equal(got, want) {
		t.Fatalf("got %d bytes, want %d", len(got), len(want))
	}
	for name, f := range map[string]file{
		"cut":         {size: len(want), wasm: whole[:len(whole)-3]},
		"a byte":      {size: len(want), wasm: whole[:len(whole)-6] + "x" + whole[len(whole)-5:]},
		"more bytes":  {size: len(want) - 1, wasm: whole},
		"fewer bytes": {size: len(want) + 1, wasm: whole},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the damage is not noticed", name)
				}
			}()
			f.unpack()
		}()
	}
}
