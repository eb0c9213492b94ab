package cache

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

type aged struct {
	key  string
	size int64
	used time.Time
}

// sortByAge puts what was used longest ago first.
func sortByAge(list []aged) {
	slices.SortFunc(list, func(a, b aged) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.key, b.key))
	})
}

// evict removes the least recently used entries until the rest fits, never the one just kept, and what killed
// processes have left. What it cannot remove it leaves.
func (c *Cache) evict(kept string) {
	c.evictVerdicts()
	entries, total := c.entries()
	sortByAge(entries)
	for _, e := range entries {
		if total <= c.size {
			return
		}
		if e.key != kept && c.remove(e.key) == nil {
			total -= e.size
		}
	}
}

func (c *Cache) entries() (entries []aged, total int64) {
	dirs, _ := os.ReadDir(c.dir)
	for _, d := range dirs {
		if !d.IsDir() || d.Name() == verdictsName {
			continue
		}
		dir := filepath.Join(c.dir, d.Name())
		if strings.HasPrefix(d.Name(), tmpPrefix) {
			removeStale(dir)
			continue
		}
		e := aged{key: d.Name()}
		if info, err := os.Stat(filepath.Join(dir, sumsName)); err == nil {
			e.used = info.ModTime()
		}
		files, _ := list(dir)
		for _, f := range files {
			e.size += f.size
		}
		entries, total = append(entries, e), total+e.size
	}
	return entries, total
}

func removeStale(dir string) {
	if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > staleAfter {
		os.RemoveAll(dir)
	}
}
