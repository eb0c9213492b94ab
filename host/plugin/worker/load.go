package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

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
		if w.plugin == plugin.SHA256 && (s.slow || !w.slow) {
			p.idle = slices.Delete(p.idle, i, i+1)
			p.take(w)
			p.mu.Unlock()
			return w, nil
		}
	}
	if w := p.config.Reserve.take(p.config, plugin.SHA256); w != nil {
		s.loads, s.slow = true, w.slow
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
	if p.interprets(s, plugin) {
		w, _, f := p.start(ctx, plugin, hello{Interpret: true})
		if f == nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			s.loads = true
			return w, nil
		} else if !p.compileNow(s, f) {
			return nil, p.blame(s, f, true)
		}
	}
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

// fromCache starts a worker that loads the plugin's entry, and nil where nothing can be cached. An entry of no use is
// made again once.
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

// entry returns the plugin's entry of the cache, which it makes if there is none, and nil where nothing can be cached.
// A failure is the plugin's.
func (p *Pool) entry(ctx context.Context, plugin Plugin) (*cache.Entry, *fault.Failure) {
	if p.config.CacheDir == "" || plugin.SHA256 == "" {
		return nil, nil
	}
	if e := p.shared(plugin); e != nil {
		return e, nil
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

// shared returns the plugin's entry of the system cache, nil if there is none.
func (p *Pool) shared(plugin Plugin) *cache.Entry {
	if p.config.System == "" || plugin.SHA256 == "" {
		return nil
	}
	c, err := p.system()
	if err != nil {
		p.warn(fmt.Sprintf("the system cache is not used: %v", err))
		return nil
	}
	e, _ := c.Get(sandbox.Key(plugin.SHA256), nil)
	return e
}

// kept reports whether a cache has the plugin's code.
func (p *Pool) kept(plugin Plugin) bool {
	if plugin.SHA256 == "" {
		return false
	}
	c, err := p.cache()
	return err == nil && c.Holds(sandbox.Key(plugin.SHA256)) || p.shared(plugin) != nil
}

// known reports whether a cache was found to have the code: then it is not asked again for each job.
func (p *Pool) known(s *state) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return s.kept
}

// start starts a worker with a plugin, busy. After a failure the worker is gone.
func (p *Pool) start(ctx context.Context, plugin Plugin, h hello) (*process, answer, *fault.Failure) {
	w, err := newProcess(p.config, plugin.SHA256, h.Dir, h.Compile)
	if err != nil {
		return nil, answer{}, fault.From(err, fault.IO)
	}
	p.mu.Lock()
	w.slow = h.Interpret
	p.take(w)
	p.mu.Unlock()
	h.Limits, h.SHA256 = p.config.Limits, plugin.SHA256
	var body [][]byte
	if (h.Dir == "" || h.Compile) && plugin.Wasm != nil {
		body = [][]byte{plugin.Wasm()}
	}
	a, _, f := w.exchange(ctx, h, body, p.config.Limits.Compile, "compiling it")
	if f != nil {
		w.kill(fault.Cancelled)
		p.giveBack(w)
		return nil, a, f
	}
	return w, a, nil
}

// A Reserve holds the idle workers of pools that have been closed for those that are opened later, so that a call that
// checks several times loads each plugin once. It is safe for concurrent use. Close it last.
type Reserve struct {
	most int

	mu     sync.Mutex
	idle   []*process // most recently used last
	closed bool
	close  sync.Once
}

// NewReserve returns a Reserve for some workers at most.
func NewReserve(most int) *Reserve { return &Reserve{most: most} }

// Close ends the workers and waits until they are gone.
func (r *Reserve) Close() {
	r.close.Do(func() {
		r.mu.Lock()
		idle := r.idle
		r.idle, r.closed = nil, true
		r.mu.Unlock()
		for _, w := range idle {
			w.kill(fault.Cancelled) // all of them before waiting for one
		}
		for _, w := range idle {
			w.close()
		}
	})
}

// put takes a worker in; one that has no room ends.
func (r *Reserve) put(w *process) {
	if r != nil {
		r.mu.Lock()
		if !r.closed {
			r.idle = append(r.idle, w)
			w = nil
			if len(r.idle) > r.most {
				w, r.idle = r.idle[0], r.idle[1:]
			}
		}
		r.mu.Unlock()
	}
	if w != nil {
		w.close()
	}
}

// take returns a worker that was started as a pool of that configuration does, and has loaded the plugin; nil if there
// is none.
func (r *Reserve) take(c Config, plugin string) *process {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.idle, func(w *process) bool {
		return w.plugin == plugin && w.limits == c.Limits && slices.Equal(w.command, c.Command)
	})
	if i < 0 {
		return nil
	}
	w := r.idle[i]
	r.idle = slices.Delete(r.idle, i, i+1)
	return w
}

// The first look with a plugin that is not compiled yet is interpreted: compiling a Go guest takes two seconds of
// processor time, reading it for the interpreter 0.2, and a job 0.03. The second look, and whoever has many jobs,
// compiles. What fails when it is interpreted is done again by compiled code, so that the answer is the same either
// way.
const (
	mostSlowly = 16          // jobs of a plugin that are interpreted, one after the other
	slowTime   = time.Second // of the processor, for each, and for loading
	worthIt    = 512 << 10   // bytes of a plugin from which compiling is slow
)

// errLate ends a job that is better done by compiled code.
var errLate = fault.Newf(fault.Timeout, "interpreting it takes longer than %v", slowTime)

// interprets reports whether the next worker is to interpret the plugin. The job that asks has the plugin's turn.
func (p *Pool) interprets(s *state, plugin Plugin) bool {
	shared := p.shared(plugin) != nil
	p.mu.Lock()
	defer p.mu.Unlock()
	if !shared && !s.slow && s.slowly == 0 && !p.config.Compile && plugin.Size >= worthIt {
		s.slow = p.config.CacheDir == ""
		if c, err := p.cache(); err == nil && !s.slow {
			s.slow = c.First(sandbox.Key(plugin.SHA256))
		}
	}
	return s.slow
}

// count counts a job that is interpreted.
func (p *Pool) count(plugin string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.plugins[plugin]
	s.slowly++
	s.slow = s.slowly < mostSlowly
}

// compileNow reports whether what failed when it was interpreted is to be done by compiled code.
func (p *Pool) compileNow(s *state, f *fault.Failure) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.Kind == fault.Cancelled || f.Kind == fault.IO {
		return false
	}
	s.slow, s.slowly, s.loads = false, mostSlowly, false
	return true
}

// Compile sees to it that the plugin is in the cache.
func (p *Pool) Compile(ctx context.Context, plugin Plugin) *fault.Failure {
	entry, f := p.entry(ctx, plugin)
	p.mu.Lock()
	defer p.mu.Unlock()
	if entry == nil && f == nil {
		f = fault.Newf(fault.IO, "it cannot be kept: %s", strings.Join(p.warnings, "; "))
	}
	return f
}
