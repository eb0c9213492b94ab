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

// caches are the user's own cache of compiled plugins and the system cache.
type caches struct {
	dir, systemDir string // "" for none
	own, system    func() (*cache.Cache, error)
	warnings       warnings
}

func newCaches(c Config) *caches {
	mode := cache.Private
	if c.Share {
		mode = cache.Shared
	} else if c.ReadOnly {
		mode = cache.ReadOnly
	}
	return &caches{dir: c.CacheDir, systemDir: c.System,
		own:      sync.OnceValues(func() (*cache.Cache, error) { return cache.Open(c.CacheDir, mode) }),
		system:   sync.OnceValues(func() (*cache.Cache, error) { return cache.Open(c.System, cache.System) }),
		warnings: warnings{reported: map[string]bool{}},
	}
}

// entry returns the plugin's cache entry, which compile creates if there is none. It returns nil if nothing can be
// cached. A failure is about the plugin, not about the cache.
func (c *caches) entry(plugin Plugin, compile func(dir string) error) (*cache.Entry, *fault.Failure) {
	if c.dir == "" || plugin.SHA256 == "" || !sandbox.Compiles {
		return nil, nil
	}
	if e := c.shared(plugin); e != nil {
		return e, nil
	}
	own, err := c.own()
	var entry *cache.Entry
	if err == nil {
		entry, err = own.Get(sandbox.Key(plugin.SHA256), compile)
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

// shared returns the plugin's entry in the system cache, or nil if there is none.
func (c *caches) shared(plugin Plugin) *cache.Entry {
	if c.systemDir == "" || plugin.SHA256 == "" {
		return nil
	}
	system, err := c.system()
	if err != nil {
		c.warnings.add(fmt.Sprintf("the system cache is not used: %v", err))
		return nil
	}
	e, _ := system.Get(sandbox.Key(plugin.SHA256), nil)
	return e
}

// warnings collects warnings about the caches. Each is reported with only one job.
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
