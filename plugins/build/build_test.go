package build

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/engine/wasm"
	"github.com/stategate/stategate/sdk/wire"
)

// maxSizes limits the sizes of the built-in plugins without their manifest and examples, in bytes, because the time to
// load a plugin depends on its size.
var maxSizes = map[string]int{
	"autopilot":         3_500_000,
	"gsd":               3_670_000,
	"iterative-work":    3_500_000,
	"kiro":              3_410_000,
	"legal-memo":        4_140_000,
	"literature-review": 3_540_000,
	"ocr":               3_400_000,
	"backlog":           2_750_000,
	"bmad":              2_900_000,
	"openspec":          3_230_000,
	"spec-kit":          3_230_000,
	"taskmaster":        2_640_000,
	"declare":           2_930_000, // the guest for declared workflows
}

// TestSizes fails when a change makes a plugin too large. Sizes depend only on the source and the Go version.
func TestSizes(t *testing.T) {
	if len(Files()) == 0 {
		t.Skip("no plugin is built; run make plugins")
	}
	guest, ok := Declared()
	if !ok {
		t.Fatal("the guest of declared workflows is not built")
	}
	for _, file := range append(Files(), guest) {
		most, ok := maxSizes[file.Name]
		if !ok {
			t.Errorf("%s is missing from maxSizes", file.Name)
		}
		sections, err := wasm.Sections(file.Wasm())
		if err != nil {
			t.Fatal(err)
		}
		size := len(file.Wasm())
		for _, s := range sections {
			if s.Name == wire.Section || s.Name == wire.ExamplesSection {
				size -= s.End - s.Start
			}
		}
		t.Logf("%s has %d bytes, %d with manifest and examples", file.Name, size, len(file.Wasm()))
		if size > most {
			t.Errorf("%s has %d bytes, at most %d are allowed; imports such as fmt, time, embed, sort and unicode "+
				"are dear", file.Name, size, most)
		}
	}
}

func TestDigests(t *testing.T) {
	for _, file := range Files() {
		if sum := sha256.Sum256(file.Wasm()); hex.EncodeToString(sum[:]) != file.SHA256 {
			t.Errorf("%s has the digest %x, its generated file says %s; run make plugins", file.Name, sum, file.SHA256)
		}
	}
}

func TestFilesAreOrdered(t *testing.T) {
	list := Files()
	for i := 1; i < len(list); i++ {
		if list[i-1].Name >= list[i].Name {
			t.Errorf("%s before %s", list[i-1].Name, list[i].Name)
		}
	}
}

// TestWhole checks what stategate trusts at startup: that the built-in plugins meet the requirements that are checked
// when an external plugin is read.
func TestWhole(t *testing.T) {
	for _, file := range Files() {
		if _, err := plugin.ReadPlugin("built in", file.Wasm(), file.SHA256, limits.Default()); err != nil {
			t.Errorf("%s: %v", file.Name, err)
		}
	}
}
