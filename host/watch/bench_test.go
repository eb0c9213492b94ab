package watch

import (
	"fmt"
	"os"
	"testing"
)

// BenchmarkRenew is what a creation, removal or renaming costs with 10,000 directories.
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
		w.stale.Store(true)
		w.Set(dirs)
	}
	if w.Polling() != "" {
		b.Fatal(w.Polling())
	}
}
