package worker

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/sandbox"
)

// codeCache is the user's cache of compiled plugins.
type codeCache struct {
	dir      string // "" for none
	open     func() (*cache.Cache, error)
	warnings warnings
}

func newCodeCache(c Config) *codeCache {
	return &codeCache{dir: c.CacheDir,
		open:     sync.OnceValues(func() (*cache.Cache, error) { return cache.Open(c.CacheDir, c.ReadOnly) }),
		warnings: warnings{reported: map[string]bool{}},
	}
}

// entry returns the plugin's cache entry, which compile creates if there is none. It returns nil if nothing can be
// cached. A failure is about the plugin, not about the cache.
func (c *codeCache) entry(plugin Plugin, compile func(dir string) error) (*cache.Entry, *fault.Failure) {
	if c.dir == "" || plugin.SHA256 == "" || !sandbox.Compiles {
		return nil, nil
	}
	opened, err := c.open()
	var entry *cache.Entry
	if err == nil {
		entry, err = opened.Get(sandbox.Key(plugin.SHA256), compile)
	}
	if f := fault.From(err, fault.IO); f != nil && f.Kind != fault.IO {
		return nil, f
	}
	switch {
	case errors.Is(err, cache.ErrNotCached):
	case err != nil:
		c.warnings.add(fmt.Sprintf("plugins are compiled each time: %v", err))
	case entry.Warning != "":
		c.warnings.add(entry.Warning)
	}
	return entry, nil
}

// warnings collects warnings about the cache. Each is reported with only one job.
type warnings struct {
	mu       sync.Mutex
	reported map[string]bool // reported with a job, or pending
	pending  []string
}

func (w *warnings) add(warning string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.reported[warning] {
		w.reported[warning] = true
		w.pending = append(w.pending, warning)
	}
}

func (w *warnings) take() (list []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	list, w.pending = w.pending, nil
	return list
}

func (w *warnings) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.pending, "; ")
}
