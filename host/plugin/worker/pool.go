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
//     If that fails, they fail as well. The rules of both are in one place: see phase.
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
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/confine"
)

// Verb is the hidden argument that makes the binary a worker.
const Verb = "__worker"

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
	Payload [][]byte // in pieces, which Examine gets as one
	Fresh   bool     // by an instance that has done nothing before
	// FollowUp gives what the same worker is to be sent after its output, nil for nothing: the result is then what
	// comes of that. It may be nil.
	FollowUp func(output []byte) ([][]byte, error)
}

// Result is what a job gave.
type Result struct {
	Payload  []byte
	Stderr   string   // what the guest wrote before remedies were tried, bounded
	Warnings []string // about the compile cache; a pool returns each once
}

// Pool is a set of workers, started when they are needed. It is safe for concurrent use: call Do from as many
// goroutines as there are jobs, the pool lets Jobs of them work.
type Pool struct {
	config  Config
	slots   chan struct{} // one token per worker that may work
	caches  *caches
	working sync.WaitGroup // jobs that have a worker

	mu      sync.Mutex
	idle    []*process              // most recently used last
	busy    map[*process]bool       // at work
	plugins map[string]*pluginState // by digest
	closed  bool
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
	if c.Reserve == nil {
		c.Reserve = NewReserve(0)
	}
	c.Limits = limits.Default().Lower(c.Limits)
	confine.Undumpable()
	return &Pool{
		config: c, slots: make(chan struct{}, c.Jobs), caches: newCaches(c),
		busy: map[*process]bool{}, plugins: map[string]*pluginState{},
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

// Do runs one job. It returns a failure with what the plugin has done, or that ctx has ended (kind cancelled).
func (p *Pool) Do(ctx context.Context, job Job) (Result, *fault.Failure) {
	if most, size := 2*p.config.Limits.Request, int64(sizeOf(job.Payload)); size > most {
		return Result{},
			fault.Newf(fault.Limit, "the state directory has %d bytes, at most %d are allowed; remove documents, or "+
				"exclude it in the configuration", size, most)
	}
	var r Result
	f := p.do(ctx, job, &r)
	r.Warnings = p.caches.warnings.take()
	return r, f
}

func (p *Pool) do(ctx context.Context, job Job, r *Result) *fault.Failure {
	s := p.state(job.Plugin)
	leave, f := s.enter(ctx)
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
	if s.interprets(sizeOf(job.Payload)) {
		again, f := p.interpret(ctx, s, job, r)
		if !again {
			return f
		}
	}
	w, f := p.worker(ctx, s, job.Plugin, false)
	if f != nil {
		return f
	}
	leave()
	f = p.examine(ctx, w, job, r, p.config.Limits.Instance)
	s.hasExamined(f)
	p.giveBack(w, true)
	return f
}

// interpret does the job by a worker that interprets the plugin, and reports whether compiled code is to do it again.
func (p *Pool) interpret(ctx context.Context, s *pluginState, job Job, r *Result) (again bool, f *fault.Failure) {
	w, f := p.worker(ctx, s, job.Plugin, true)
	if f != nil {
		return s.hasInterpreted(f), f
	}
	f = p.examine(ctx, w, job, r, min(interpretPatience, p.config.Limits.Instance))
	again = s.hasInterpreted(f)
	p.giveBack(w, s.interpretsMore())
	return again, f
}

// examine has a worker do the job, each exchange within a limit.
func (p *Pool) examine(ctx context.Context, w *process, job Job, r *Result, limit time.Duration) *fault.Failure {
	send := func(head request, payload [][]byte) *fault.Failure {
		a, output, f := w.exchange(ctx, head, payload, limit, "examining it")
		r.Payload, r.Stderr = output, r.Stderr+a.Stderr
		return f
	}
	r.Stderr = ""
	if f := send(request{job.Fresh}, job.Payload); f != nil || job.FollowUp == nil {
		return f
	}
	more, err := job.FollowUp(r.Payload)
	if err != nil {
		return fault.From(err, fault.Protocol)
	}
	if more == nil {
		return nil
	}
	return send(request{}, more)
}

// state returns what is known about a plugin, which begins with what the reserve and the caches have of it.
func (p *Pool) state(plugin Plugin) *pluginState {
	p.mu.Lock()
	s := p.plugins[plugin.SHA256]
	if s == nil {
		s = newPluginState()
		p.plugins[plugin.SHA256] = s
	}
	p.mu.Unlock()
	s.begin.Do(func() { s.move(p.firstPhase(plugin)) })
	return s
}

// giveBack makes a worker idle, or ends one that is not to be kept.
func (p *Pool) giveBack(w *process, keep bool) {
	defer p.working.Done()
	p.mu.Lock()
	delete(p.busy, w)
	keep = keep && !p.closed && w.alive()
	if keep {
		p.idle = append(p.idle, w)
	}
	p.mu.Unlock()
	if !keep {
		w.close()
	}
}
