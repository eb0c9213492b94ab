package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/cmd/stategate/internal/declared"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/sdk/fixture"
)

// TestDeclaredParity runs the gallery's fixtures in the sandbox, with each declaration in the guest's slot. The sandbox
// must report the same as the native code, which wrote the fixtures.
func TestDeclaredParity(t *testing.T) {
	t.Parallel()
	needBuiltIns(t)
	for i, name := range declared.Gallery() {
		if !long && i%3 > 0 { // each one takes a compilation
			continue
		}
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(repository, "plugins", "declare", "gallery", name+".yaml")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := declared.NewReader("test", worker.Config{}).Read(t.Context(), file, name, text, "",
				limits.Default())
			if err != nil {
				t.Fatal(err)
			}
			guests := newUsed(t, p.Wasm())
			described, err := guests.other.Call(t.Context(), "describe", nil)
			if err != nil || string(described) != string(p.ManifestText) {
				t.Errorf("the guest describes\n%s\nthe host reads\n%s\n%v", described, p.ManifestText, err)
			}
			kit, err := fixture.NewKit(p.Manifest, guests)
			if err != nil {
				t.Fatal(err)
			}
			kit.Declared = true
			fixtures, err := fixture.LoadAll(os.DirFS(filepath.Dir(file)), name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fixtures {
				if _, err := kit.Check(f); err != nil {
					t.Errorf("%s: %v", f.Name, err)
				}
			}
		})
	}
}
