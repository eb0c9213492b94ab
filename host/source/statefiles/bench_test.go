package statefiles

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/testdata/gittest"
)

// BenchmarkRead reads 2,000 instances of 10 documents, on all cores.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	gittest.Run(b, dir, "init", "-q")
	gittest.Write(b, dir, map[string]string{".gitignore": ".rev/sessions/\n"})
	roots := make([]string, 2000)
	for i := range roots {
		roots[i] = fmt.Sprintf(".rev/sessions/%04d", i)
		r := roots[i] + "/"
		files := map[string]string{r + "state.json": strings.Repeat("{} ", 300),
			r + "context.md": strings.Repeat("x", 4000)}
		for j := range 6 {
			files[fmt.Sprintf("%srounds/1/reviews/r%d.md", r, j)] = strings.Repeat("y", 3000)
		}
		files[r+"rounds/1/discourse.md"], files[r+"rounds/1/final.md"] = strings.Repeat("z", 5000),
			strings.Repeat("z", 5000)
		gittest.Write(b, dir, files)
	}
	old := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, mode := range []string{"plain", "git"} {
		b.Run(mode, func(b *testing.B) {
			c := Collector{Tree: worktree(b, dir), Limits: DefaultLimits(limits.Default())}
			if mode == "git" {
				g := ignore.New(context.Background(), git.Find(dir, git.Settings{Environ: gittest.Environ(), Dir: dir}),
					c.Tree)
				c.Ignores = g
			}
			specs := compiled(b)
			for b.Loop() {
				readAll(b, &c, specs, roots)
			}
		})
	}
}

func readAll(b *testing.B, c *Collector, specs *snapshot.Specs, roots []string) {
	var all sync.WaitGroup
	queue := make(chan string, len(roots))
	for _, r := range roots {
		queue <- r
	}
	close(queue)
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for r := range queue {
				if i, err := c.Read(context.Background(), specs, r); err != nil || len(i.Files) != 11 || i.Unstable {
					b.Error(i, err)
				}
			}
		})
	}
	all.Wait()
}
