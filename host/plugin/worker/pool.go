// Package worker runs plugins in processes that can be killed.
//
// A guest cannot be stopped from inside its process (see package sandbox), so the parent holds the deadlines, watches
// the memory and kills. A worker is the same binary called with a hidden argument; it has an empty environment, the
// root as its directory, three pipes, and what package confine leaves it. It serves one plugin. The life of a job:
//
//  1. Pool.Do waits for its turn and takes an idle worker that has the plugin, or starts one.
//  2. A plugin that is not in the cache of compiled plugins is interpreted on the first look, and then compiled by a
//     worker of its own, which may write one temporary directory and never runs the plugin; the parent seals what it
//     wrote. The other workers read that entry and nothing else.
//  3. A plugin that no worker has loaded yet is loaded by one, under the compile deadline, while its other jobs wait.
//     If that fails, they fail as well.
//  4. The job's payload goes to the worker, which passes it to its Examine function, under the instance deadline.
//  5. The answer comes back, or the worker is dead: then the job has failed, and the next one starts a new worker. A
//     job may have more to send to the worker that answered.
//
// The parent treats what it reads as hostile; the worker trusts its parent.
package worker

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/confine"
)

// Verb is the hidden argument that makes the binary a worker.
const Verb = "__worker"

// maxLost is the number of workers that one plugin may cost, by time or memory, before its remaining jobs fail at once.
const maxLost = 3

// Jobs is how many workers are used unless more are asked for: one for each processor, as far as the memory of the
// machine is enough for what each may take and what the parent reads for it.
func Jobs() int {
	n := min(runtime.GOMAXPROCS(0), 8)
	if memory := systemMemory(); memory > 0 {
		n = min(n, int(memory/(2*limits.Default().Worker)))
	}
	return max(n, 1)
}

// Config is how a Pool runs workers.
type Config struct {
	Command  []string      // program and arguments of a worker; nil is this binary with Verb
	Jobs     int           // workers at a time; 0 is what Jobs returns
	Limits   limits.Limits // fields that are zero or larger are those of limits.Default
	CacheDir string        // directory of compiled plugins, absolute; "" for none
	ReadOnly bool          // the cache is read and never written
	Share    bool          // CacheDir is filled for all users
	System   string        // directory of plugins that an administrator compiled, absolute; "" for none
	Reserve  *Reserve      // where Close leaves idle workers, and Do looks for them; nil for none
	Compile  bool          // nothing is interpreted
}

// Plugin is a plugin as workers see it. SHA256 is the hexadecimal digest of Wasm and identifies it. One without either
// is never loaded: its jobs can call no export.
type Plugin struct {
	SHA256 string
	Size   int           // of Wasm, in bytes
	Wasm   func() []byte // the .wasm file; asked for where no cache has it compiled
}

// Job is one payload for the Examine function of a worker that has loaded the plugin.
type Job struct {
	Plugin  Plugin
	Payload [][]byte // in pieces, which Examine gets as one; nil if the plugin is only to be loaded
	Fresh   bool     // by an instance that has done nothing before
	// Then gives what the same worker is to be sent after its output, nil for nothing: the result is then what comes of
	// that. It may be nil.
	Then func(output []byte) ([][]byte, error)
}

// Result is what a job gave.
type Result struct {
	Payload  []byte
	Stderr   string   // what the guest wrote, bounded
	Warnings []string // what was wrong with the compile cache; each is given once by a pool
}

// Pool is a set of workers, started when they are needed. It is safe for concurrent use: call Do from as many
// goroutines as there are jobs, the pool lets Jobs of them work.
type Pool struct {
	config  Config
	slots   chan struct{} // one token per worker that may work
	cache   func() (*cache.Cache, error)
	system  func() (*cache.Cache, error)
	working sync.WaitGroup // jobs that have a worker

	mu       sync.Mutex
	idle     []*process        // most recently used last
	busy     map[*process]bool // at work
	plugins  map[string]*state // by digest
	reported map[string]bool   // warnings that were given to a job, or will be
	warnings []string          // not given to a job yet
	closed   bool
}

// state is what the pool knows about a plugin.
type state struct {
	turn chan struct{} // held by the job that loads the plugin for the first time

	// Under the pool's mutex:
	loads  bool           // a worker has loaded it
	failed *fault.Failure // loading it failed: all its jobs do
	lost   int            // workers that it has cost
	came   bool           // there was a job
	kept   bool           // a cache was found to have its code
	ahead  bool           // a worker is being loaded, and no job waits for it
	slow   bool           // it is interpreted, by one worker
	slowly int            // jobs that were
}

// NewPool returns a pool. It starts nothing yet. Close it. From now on other processes of this user can neither attach
// to this one nor read its memory and environment, where the system can prevent that.
func NewPool(c Config) (*Pool, error) {
	if len(c.Command) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find the program of the workers: %w", err)
		}
		c.Command = []string{self, Verb}
	}
	if c.Jobs <= 0 {
		c.Jobs = Jobs()
	}
	c.Limits = limits.Default().Lower(c.Limits)
	confine.Undumpable()
	return &Pool{
		config: c, slots: make(chan struct{}, c.Jobs),
		cache: sync.OnceValues(func() (*cache.Cache, error) {
			if c.Share {
				return cache.Shared(c.CacheDir)
			}
			return cache.Open(c.CacheDir, c.ReadOnly)
		}),
		system: sync.OnceValues(func() (*cache.Cache, error) { return cache.System(c.System) }),
		busy:   map[*process]bool{}, plugins: map[string]*state{}, reported: map[string]bool{},
	}, nil
}

// Close kills all workers, but for idle ones that the reserve takes, and waits until they are gone. Jobs that still run
// fail as cancelled.
func (p *Pool) Close() {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.closed = true
	idle := p.idle
	p.idle = nil
	for w := range p.busy {
		w.kill(fault.Cancelled)
	}
	p.mu.Unlock()
	for _, w := range idle {
		p.config.Reserve.put(w)
	}
	p.working.Wait()
}

// Preload starts a worker and has it load the plugin, so that a later Do finds both ready. Call it as soon as it is
// clear that there will be a job, from a goroutine of its own. What fails here fails again, or is remembered, in Do. A
// plugin whose code is not kept is left to Do: where the verdict is known there is no job, and compiling would be begun
// and killed each time.
func (p *Pool) Preload(ctx context.Context, plugin Plugin) {
	if p.kept(plugin) {
		_ = p.do(ctx, Job{Plugin: plugin}, &Result{})
	}
}

// Do runs one job. It returns a failure with what the plugin has done, or that ctx has ended (kind cancelled).
func (p *Pool) Do(ctx context.Context, job Job) (Result, *fault.Failure) {
	if most, size := 2*p.config.Limits.Request, int64(sizeOf(job.Payload)); size > most {
		return Result{},
			fault.Newf(fault.Limit, "the state directory has %d bytes, at most %d are allowed: remove documents, or "+
				"exclude it in the configuration", size, most)
	}
	var r Result
	f := p.do(ctx, job, &r)
	p.mu.Lock()
	defer p.mu.Unlock()
	r.Warnings, p.warnings = p.warnings, nil
	return r, f
}

func (p *Pool) do(ctx context.Context, job Job, r *Result) *fault.Failure {
	s := p.state(job.Plugin)
	leave, f := p.enter(ctx, s, job)
	if f != nil {
		return f
	}
	defer leave()
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return cancelled(ctx)
	}
	for {
		w, f := p.worker(ctx, s, job.Plugin)
		if f != nil {
			return f
		}
		if !w.slow && job.Payload != nil {
			leave()
		}
		f = p.examine(ctx, w, job, r)
		p.giveBack(w)
		if f == nil || !w.slow || !p.compileNow(s, f) {
			return p.blame(s, f, false)
		}
	}
}

// examine has a worker do the job, if it is more than to load the plugin.
func (p *Pool) examine(ctx context.Context, w *process, job Job, r *Result) *fault.Failure {
	if job.Payload == nil {
		return nil
	}
	if w.slow {
		p.count(w.plugin)
	}
	f := p.send(ctx, w, request{job.Fresh}, job.Payload, r)
	if f != nil || job.Then == nil {
		return f
	}
	more, err := job.Then(r.Payload)
	if err != nil {
		return fault.From(err, fault.Protocol)
	}
	if more == nil {
		return nil
	}
	return p.send(ctx, w, request{}, more, r)
}

// send has a worker answer a payload.
func (p *Pool) send(ctx context.Context, w *process, head request, payload [][]byte, r *Result) *fault.Failure {
	a, output, f := w.exchange(ctx, head, payload, p.config.Limits.Instance, "examining it")
	r.Payload, r.Stderr = output, a.Stderr
	return f
}

// enter lets one job of a plugin pass until a worker has loaded its code or has failed to; leave lets the next one
// pass. Where the code is kept, only the job for which a worker is being loaded ahead waits for it.
func (p *Pool) enter(ctx context.Context, s *state, job Job) (leave func(), f *fault.Failure) {
	kept := p.known(s) || p.kept(job.Plugin)
	p.mu.Lock()
	s.kept = kept
	passes := s.loads && !s.slow || s.failed != nil || kept && !s.ahead && job.Payload != nil
	late := job.Payload == nil && s.came
	s.ahead, s.came = kept && job.Payload == nil && !late, true
	p.mu.Unlock()
	if late {
		return nil, fault.Newf(fault.Cancelled, "a job has come first")
	}
	if passes {
		return func() {}, nil
	}
	select {
	case s.turn <- struct{}{}:
		return sync.OnceFunc(func() { <-s.turn }), nil
	case <-ctx.Done():
		return nil, cancelled(ctx)
	}
}

func cancelled(ctx context.Context) *fault.Failure {
	return fault.Newf(fault.Cancelled, "cancelled: %v", context.Cause(ctx))
}

func (p *Pool) state(plugin Plugin) *state {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.plugins[plugin.SHA256]
	if s == nil {
		s = &state{turn: make(chan struct{}, 1)}
		p.plugins[plugin.SHA256] = s
	}
	return s
}

// blame remembers what a failure means for the plugin's other jobs.
func (p *Pool) blame(s *state, f *fault.Failure, loading bool) *fault.Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case f == nil || f.Kind == fault.Cancelled || f.Kind == fault.IO:
	case loading && !s.loads:
		s.failed = f
	case f.Kind == fault.Timeout || f.Kind == fault.Memory:
		s.lost++
	}
	return f
}

// refusal returns why a plugin's jobs are not even tried. The caller holds the mutex.
func (p *Pool) refusal(s *state) *fault.Failure {
	switch {
	case p.closed:
		return fault.Newf(fault.Cancelled, "the pool is closed")
	case s.failed != nil:
		again := *s.failed
		return &again
	case s.lost >= maxLost:
		return fault.Newf(fault.Timeout, "not tried: it ran out of time or memory on %d state directories before",
			s.lost)
	}
	return nil
}

// giveBack makes a worker idle, or ends it.
func (p *Pool) giveBack(w *process) {
	defer p.working.Done()
	p.mu.Lock()
	delete(p.busy, w)
	keep := !p.closed && w.alive() && (!w.slow || p.plugins[w.plugin].slow)
	if keep {
		p.idle = append(p.idle, w)
	}
	p.mu.Unlock()
	if !keep {
		w.close()
	}
}

// warn keeps a warning for the next job that ends, once.
func (p *Pool) warn(warning string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reported[warning] {
		p.reported[warning] = true
		p.warnings = append(p.warnings, warning)
	}
}
