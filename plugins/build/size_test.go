package build

import (
	"os"
	"path/filepath"
	"testing"
)

// maxSize is what a built-in plugin may take, in bytes: every start of stategate
// reads and checks it.
const maxSize = 3_000_000

// TestSizes fails when a plugin has grown too large, so that it is noticed with
// the change that did it. Sizes depend on the source and the version of Go only.
func TestSizes(t *testing.T) {
	files, err := filepath.Glob("*.wasm")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no plugin is built; run make build")
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s has %d bytes", file, info.Size())
		if info.Size() > maxSize {
			t.Errorf("%s has %d bytes, at most %d are allowed; imports such as fmt, time, embed, sort and unicode are dear", file, info.Size(), maxSize)
		}
	}
}
