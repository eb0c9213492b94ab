package cache

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzVerdicts: complete records in a corrupted file of verdicts are used, and the next run writes and finds its own.
func FuzzVerdicts(f *testing.F) {
	dir := f.TempDir()
	v, err := OpenVerdicts(dir, "seed", false)
	if err != nil {
		f.Fatal(err)
	}
	v.Put([32]byte{1}, [8]byte{1}, []byte("one"))
	v.Put([32]byte{2}, [8]byte{1}, nil)
	if err := v.Close(); err != nil {
		f.Fatal(err)
	}
	seed, err := os.ReadFile(filepath.Join(dir, verdictsName, "seed"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add(seed[:len(seed)-3])
	f.Add([]byte(verdictsHead))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(dir, verdictsName, "tree")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		v, err := OpenVerdicts(dir, "tree", false)
		if err != nil {
			t.Fatal(err)
		}
		for key := range v.records {
			v.Get(key)
		}
		v.Put([32]byte{7}, [8]byte{7}, []byte("mine"))
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		if v, err = OpenVerdicts(dir, "tree", true); err != nil {
			t.Fatal(err)
		}
		if text, ok := v.Get([32]byte{7}); !ok || string(text) != "mine" {
			t.Fatalf("got %q, %v", text, ok)
		}
	})
}
