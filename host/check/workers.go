package check

import (
	"context"
	"errors"
	"path"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/sdk/wire"
)

// workers are those of one look, none until they are asked for.
type workers struct {
	lock   sync.Mutex
	pool   *worker.Pool
	closed bool
}

// workers returns the pool that the plugins of a look run in. It starts no worker.
func (l *Session) workers() (*worker.Pool, error) {
	w := &l.started
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.closed {
		return nil, errors.New("the check is over")
	}
	var err error
	if w.pool == nil {
		c := l.Options.Workers()
		c.Jobs = l.jobs
		w.pool, err = worker.NewPool(c)
	}
	return w.pool, err
}

// close ends all workers.
func (w *workers) close() {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.closed = true
	if w.pool != nil {
		w.pool.Close()
	}
}

// warm has a worker load the plugin that a change mentions, while git and the
// walk are still at work. It decides nothing: a plugin that is needed after all is loaded
// then, and one that is not has cost some time of another processor.
func (l *Session) warm(ctx context.Context) {
	if l.changes == nil || l.Options.CacheDir == "" || l.Options.Source == wire.Worktree {
		return
	}
	go func() {
		changes, err := l.changes()
		if err != nil {
			return
		}
		for _, c := range changes {
			if p := l.pluginOfLiteralRoot(c.Path); p != nil {
				if pool, err := l.workers(); err == nil {
					pool.Preload(ctx, worker.Plugin{SHA256: p.SHA256(), Wasm: p.Wasm})
				}
				return
			}
		}
	}()
}

// pluginOfLiteralRoot returns the plugin whose roots spell out a directory that a path lies
// in, nil if none does.
func (l *Session) pluginOfLiteralRoot(name string) *plugin.Plugin {
	for at, c := range name {
		if c != '/' {
			continue
		}
		for _, p := range l.result.Plugins {
			if meant(p, name[:at]) {
				return p
			}
		}
	}
	return nil
}

// meant reports whether a directory's own name is one that a plugin's roots
// spell out, such as ".ocr": state is looked for there and below.
func meant(p *plugin.Plugin, dir string) bool {
	for _, root := range p.Manifest.Roots {
		for name := range strings.SplitSeq(root.Dir, "/") {
			if name == path.Base(dir) && !strings.ContainsAny(name, "*?[{") {
				return true
			}
		}
	}
	return false
}
