package watch

import (
	"fmt"
	"os"
	"testing"
)

// BenchmarkRenew is what the removal or renaming of a directory costs with 10,000 directories.
func BenchmarkRenew(b *testing.B) {
	root := b.TempDir()
	var dirs []string
	for i := range 10_000 {
		dir := fmt.Sprintf("%s/%d", root, i)
		check(b, os.Mkdir(dir, 0o755))
		dirs = append(dirs, dir)
	}
	w := New(Options{})
	defer w.Close()
	for b.Loop() {
		w.doubt()
		w.Set(dirs)
	}
	if w.Polling() != "" {
		b.Fatal(w.Polling())
	}
}
