package cache

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// evict removes unused entries, then the least recently used ones until the rest fits, but never the entry just kept.
// It also removes what killed processes left behind. It ignores what it cannot remove.
func (c *Cache) evict(kept string) {
	removeOlder(filepath.Join(c.dir, verdictsName), "", staleVerdicts)
	removeOlder(c.dir, tmpPrefix, staleAfter)
	removeOlder(c.dir, askedPrefix, unused)
	type entry struct {
		key  string
		size int64
		used time.Time // zero for an entry that is no longer used
	}
	var entries []entry
	var total int64
	dirs, _ := os.ReadDir(c.dir)
	for _, d := range dirs {
		if !d.IsDir() || d.Name() == verdictsName || strings.HasPrefix(d.Name(), tmpPrefix) {
			continue
		}
		e := entry{key: d.Name()}
		keep := unused
		if !strings.HasSuffix(e.key, kept[max(0, len(kept)-SaltLength):]) {
			keep = staleOther
		}
		if info, err := os.Stat(filepath.Join(c.dir, e.key, sumsName)); err == nil &&
			time.Since(info.ModTime()) < keep {
			e.used = info.ModTime()
		}
		files, _ := Files(filepath.Join(c.dir, e.key))
		for _, size := range files {
			e.size += size
		}
		entries, total = append(entries, e), total+e.size
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.key, b.key)) })
	for _, e := range entries {
		if (total > c.size || e.used.IsZero()) && e.key != kept && c.remove(e.key) == nil {
			total -= e.size
		}
	}
}

// removeOlder removes the entries of dir whose names begin with prefix and that have not changed for the given time.
func removeOlder(dir, prefix string, age time.Duration) {
	found, _ := os.ReadDir(dir)
	for _, d := range found {
		if info, err := d.Info(); err == nil && strings.HasPrefix(d.Name(), prefix) &&
			time.Since(info.ModTime()) > age {
			os.RemoveAll(filepath.Join(dir, d.Name()))
		}
	}
}
