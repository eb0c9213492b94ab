package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/sandbox"
)

// worker returns an idle worker that has the plugin, or a new one.
func (p *Pool) worker(ctx context.Context, s *state, plugin Plugin) (*process, *fault.Failure) {
	p.mu.Lock()
	if f := p.refusal(s); f != nil {
		p.mu.Unlock()
		return nil, f
	}
	for i, w := range p.idle {
		if w.plugin == plugin.SHA256 {
			p.idle = slices.Delete(p.idle, i, i+1)
			p.take(w)
			p.mu.Unlock()
			return w, nil
		}
	}
	if w := p.config.Reserve.take(p.config, plugin.SHA256); w != nil {
		s.loads = true
		p.take(w)
		p.mu.Unlock()
		return w, nil
	}
	var old *process // makes room
	if len(p.idle) > 0 && len(p.idle)+len(p.busy) >= p.config.Jobs {
		old, p.idle = p.idle[0], p.idle[1:]
	}
	p.mu.Unlock()
	if old != nil {
		old.close()
	}
	return p.loaded(ctx, s, plugin)
}

// take makes a worker busy. The caller holds the mutex.
func (p *Pool) take(w *process) {
	p.working.Add(1)
	p.busy[w] = true
	if p.closed {
		w.kill(fault.Cancelled)
	}
}

// loaded starts a worker and has it load the plugin, from the cache if there is one.
func (p *Pool) loaded(ctx context.Context, s *state, plugin Plugin) (*process, *fault.Failure) {
	w, f := p.fromCache(ctx, plugin)
	if w == nil && f == nil {
		w, _, f = p.start(ctx, plugin, hello{})
	}
	if f != nil {
		return nil, p.blame(s, f, true)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s.loads = true
	return w, nil
}

// fromCache starts a worker that loads the plugin's entry, and nil where nothing can be cached. An entry of no use is made
// again once.
func (p *Pool) fromCache(ctx context.Context, plugin Plugin) (*process, *fault.Failure) {
	for range 2 {
		entry, f := p.entry(ctx, plugin)
		if f != nil || entry == nil {
			return nil, f
		}
		w, a, f := p.start(ctx, plugin, hello{Dir: entry.Dir})
		if f != nil || !a.Stale {
			return w, f
		}
		w.kill(fault.Cancelled)
		p.giveBack(w)
		p.warn("a compiled plugin in " + p.config.CacheDir + " was damaged; it is compiled again")
		entry.Drop()
	}
	return nil, nil
}

// entry returns the plugin's entry of the cache, which it makes if there is none, and nil where nothing can be cached. A
// failure is the plugin's.
func (p *Pool) entry(ctx context.Context, plugin Plugin) (*cache.Entry, *fault.Failure) {
	if p.config.CacheDir == "" || plugin.SHA256 == "" {
		return nil, nil
	}
	c, err := p.cache()
	var entry *cache.Entry
	if err == nil {
		entry, err = c.Get(sandbox.Key(plugin.SHA256), func(dir string) error {
			w, _, f := p.start(ctx, plugin, hello{Dir: dir, Compile: true})
			if f != nil {
				return f
			}
			w.kill(fault.Cancelled)
			p.giveBack(w)
			return nil
		})
	}
	if f := fault.From(err, fault.IO); f != nil && f.Kind != fault.IO {
		return nil, f
	}
	switch {
	case errors.Is(err, cache.ErrNotKept):
	case err != nil:
		p.warn(fmt.Sprintf("plugins are compiled each time: %v", err))
	case entry.Warning != "":
		p.warn(entry.Warning)
	}
	return entry, nil
}

// start starts a worker with a plugin, busy. After a failure the worker is gone.
func (p *Pool) start(ctx context.Context, plugin Plugin, h hello) (*process, answer, *fault.Failure) {
	w, err := newProcess(p.config, plugin.SHA256, h.Dir, h.Compile)
	if err != nil {
		return nil, answer{}, fault.From(err, fault.IO)
	}
	p.mu.Lock()
	p.take(w)
	p.mu.Unlock()
	h.Limits, h.SHA256 = p.config.Limits, plugin.SHA256
	var body [][]byte
	if h.Dir == "" || h.Compile {
		body = [][]byte{plugin.Wasm}
	}
	a, _, f := w.exchange(ctx, h, body, p.config.Limits.Compile, "compiling it")
	if f != nil {
		w.kill(fault.Cancelled)
		p.giveBack(w)
		return nil, a, f
	}
	return w, a, nil
}
