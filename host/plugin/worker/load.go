package worker

import (
	"context"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/sandbox"
)

// firstPhase decides how a plugin runs at first. It takes over the plugin's workers from the reserve.
func (p *Pool) firstPhase(plugin Plugin) phase {
	var ready []*process
	p.mu.Lock()
	if !p.closed {
		ready = p.config.Reserve.take(p.config, plugin.SHA256)
		p.idle = append(p.idle, ready...)
	}
	p.mu.Unlock()
	key := sandbox.Key(plugin.SHA256)
	c, err := p.cache.open()
	switch {
	case plugin.SHA256 == "" || slices.ContainsFunc(ready, func(w *process) bool { return !w.interprets }):
		return compiled
	case err == nil && c.Holds(key):
		return compiled // equivalent to being compiled
	case len(ready) > 0:
		return interpreted
	case p.config.Compile || plugin.Size < worthInterpreting:
		return compiling
	case p.config.CacheDir == "" || err == nil && c.FirstAsked(key):
		return interpreted
	}
	return compiling
}

// worker returns an idle worker that has the plugin, or a new one, and marks it busy.
func (p *Pool) worker(ctx context.Context, s *pluginState, plugin Plugin, interpret bool) (*process, *fault.Failure) {
	if f := s.refusal(); f != nil {
		return nil, f
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, fault.Newf(fault.Cancelled, "the pool is closed")
	}
	var old *process // ended to make room
	i := slices.IndexFunc(p.idle, func(w *process) bool { return w.plugin == plugin.SHA256 })
	if full := len(p.idle) > 0 && len(p.idle)+len(p.busy) >= p.config.Jobs; i < 0 && full {
		i = 0
	}
	if i >= 0 {
		old = p.idle[i]
		p.idle = slices.Delete(p.idle, i, i+1)
		if old.plugin == plugin.SHA256 && old.interprets == interpret {
			p.markBusy(old)
			p.mu.Unlock()
			return old, nil
		}
	}
	p.mu.Unlock()
	if old != nil {
		old.close()
	}
	if interpret {
		w, _, f := p.start(ctx, plugin, hello{Interpret: true})
		return w, f
	}
	w, f := p.fromCache(ctx, plugin)
	if w == nil && f == nil {
		w, _, f = p.start(ctx, plugin, hello{})
	}
	s.hasLoaded(f)
	return w, f
}

// markBusy marks a worker busy. The caller holds the mutex.
func (p *Pool) markBusy(w *process) {
	p.working.Add(1)
	p.busy[w] = true
	if p.closed {
		w.kill(fault.Cancelled)
	}
}

// fromCache starts a worker that loads the plugin's cache entry. It returns nil if nothing can be cached. It
// creates an unusable entry again, but only once.
func (p *Pool) fromCache(ctx context.Context, plugin Plugin) (*process, *fault.Failure) {
	for range 2 {
		entry, f := p.compiled(ctx, plugin)
		if f != nil || entry == nil {
			return nil, f
		}
		w, a, f := p.start(ctx, plugin, hello{Dir: entry.Dir})
		if f != nil || !a.Stale {
			return w, f
		}
		p.giveBack(w, false)
		p.cache.warnings.add("a compiled plugin in " + p.config.CacheDir + " was damaged; it is compiled again")
		entry.Drop()
	}
	return nil, nil
}

// compiled returns the plugin's cache entry. If there is none, a worker compiles the plugin.
func (p *Pool) compiled(ctx context.Context, plugin Plugin) (*cache.Entry, *fault.Failure) {
	return p.cache.entry(plugin, func(dir string) error {
		w, _, f := p.start(ctx, plugin, hello{Dir: dir, Compile: true})
		if f != nil {
			return f
		}
		p.giveBack(w, false)
		return nil
	})
}

// start starts a worker with a plugin and marks it busy. After a failure, the worker has ended.
func (p *Pool) start(ctx context.Context, plugin Plugin, h hello) (*process, answer, *fault.Failure) {
	w, err := newProcess(p.config, plugin.SHA256, h.Dir, h.Compile)
	if err != nil {
		return nil, answer{}, fault.From(err, fault.IO)
	}
	p.mu.Lock()
	w.interprets = h.Interpret
	p.markBusy(w)
	p.mu.Unlock()
	h.Limits, h.SHA256 = p.config.Limits, plugin.SHA256
	var body [][]byte
	if (h.Dir == "" || h.Compile) && plugin.Wasm != nil {
		body = [][]byte{plugin.Wasm()}
	}
	a, _, f := w.exchange(ctx, h, body, p.config.Limits.Compile, "compiling it")
	if f != nil {
		p.giveBack(w, false)
		return nil, a, f
	}
	return w, a, nil
}

// Compile ensures that the plugin is in the cache.
func (p *Pool) Compile(ctx context.Context, plugin Plugin) *fault.Failure {
	entry, f := p.compiled(ctx, plugin)
	switch {
	case f != nil || entry != nil:
		return f
	case !sandbox.Compiles:
		return fault.Newf(fault.IO, "the engine has no compiler for this machine")
	}
	return fault.Newf(fault.IO, "it cannot be kept: %s", &p.cache.warnings)
}
