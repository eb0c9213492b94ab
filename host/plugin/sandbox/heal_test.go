package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/testdata/guests"
)

// TestDamagedCacheIsRepaired: damaged machine code is never run. A flipped byte, a truncation and a missing file all
// lead to the right answer with one warning, and the next load is fast and silent.
func TestDamagedCacheIsRepaired(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	wasm := guests.Well("manifest", "the report")
	look := func() string {
		t.Helper()
		g, warning := through(t, dir, wasm)
		if out, err := g.Call(t.Context(), "examine", nil); err != nil || string(out) != "the report" {
			t.Fatalf("examine = %q, %v", out, err)
		}
		return warning
	}
	if w := look(); w != "" {
		t.Fatalf("cold: %q", w)
	}
	for name, damage := range map[string]func(path string, code []byte) error{
		"flipped":   func(p string, c []byte) error { c[len(c)/2] ^= 4; return os.WriteFile(p, c, 0o600) },
		"truncated": func(p string, c []byte) error { return os.WriteFile(p, c[:len(c)/3], 0o600) },
		"lost":      func(p string, _ []byte) error { return os.Remove(p) },
	} {
		if w := look(); w != "" {
			t.Fatalf("before %s: %q", name, w)
		}
		path, code := largest(t, dir)
		if err := damage(path, code); err != nil {
			t.Fatal(err)
		}
		if w := look(); !strings.Contains(w, "damaged") {
			t.Errorf("%s: the warning is %q", name, w)
		}
	}
}

// largest returns the largest file below dir, which is machine code.
func largest(t *testing.T, dir string) (path string, content []byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		c, err := os.ReadFile(p)
		if len(c) > len(content) {
			path, content = p, c
		}
		return err
	})
	if err != nil || content == nil {
		t.Fatalf("no compiled code in %s: %v", dir, err)
	}
	return path, content
}

// TestDamagedCode: the engine rejects machine code with a flipped byte in a part that the cache's checksum does not
// cover.
func TestDamagedCode(t *testing.T) {
	dir, wasm := t.TempDir(), guests.Well("manifest", "the report")
	if err := engine(t).Compile(t.Context(), wasm, "a digest", dir); err != nil {
		t.Fatal(err)
	}
	path, code := largest(t, dir)
	code[len(code)*3/4] ^= 4
	if err := os.WriteFile(path, code, 0o600); err != nil {
		t.Fatal(err)
	}
	if g, _, err := engine(t).Kept(t.Context(), "a digest", dir); g != nil || err != nil {
		t.Errorf("Kept = %v, %v, want neither", g, err)
	}
}
