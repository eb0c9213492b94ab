// Package worker runs plugins in processes that can be killed.
//
// A guest cannot be stopped from inside its process (see package sandbox). The parent therefore enforces deadlines,
// monitors memory, and kills. A worker is the same binary, called with a hidden argument. It has an empty
// environment, the root as its directory, three pipes, and the permissions that package confine leaves. It serves one
// plugin. The stages of a job are:
//
//  1. Pool.Do waits for its turn and takes an idle worker that has the plugin, or starts one.
//  2. A plugin that is not in the cache of compiled plugins is interpreted at first. Then a separate worker compiles
//     it; that worker may write to one temporary directory and never runs the plugin. The parent seals the result.
//     The other workers read that cache entry and nothing else.
//  3. If no worker has loaded the plugin yet, one does, under the compile deadline, while the plugin's other jobs
//     wait. If that fails, they also fail. For the rules of steps 2 and 3, see phase.
//  4. The job's payload is sent to the worker, which passes it to its Examine function, under the instance deadline.
//  5. The worker answers or dies. If it dies, the job fails, and the next one starts a new worker. A job may send
//     more to the worker that answered.
//
// The parent treats everything that it reads as hostile. The worker trusts its parent.
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

// Jobs returns the default number of workers: one per processor, or fewer if the machine lacks the memory for each
// worker and for the files that the parent reads for it.
func Jobs() int {
	n := min(runtime.GOMAXPROCS(0), 8)
	if memory := systemMemory(); memory > 0 {
		n = min(n, int(memory/(2*limits.Default().Worker)))
	}
	return max(n, 1)
}

// Config configures a Pool's workers.
type Config struct {
	Command  []string      // program and arguments of a worker; nil means this binary with Verb
	Jobs     int           // workers at a time; 0 means Jobs()
	Limits   limits.Limits // fields that are zero or above limits.Default are replaced with its values
	CacheDir string        // directory of compiled plugins, absolute; "" if there is none
	ReadOnly bool          // the cache is read but never written
	Reserve  *Reserve      // Close leaves idle workers there, and Do takes them from there; nil if there is none
	Compile  bool          // nothing is interpreted
}

// Plugin describes a plugin to workers. SHA256 is the hexadecimal digest of Wasm and identifies it. A plugin
// without Wasm and SHA256 is never loaded, so its jobs cannot call an export.
type Plugin struct {
	SHA256 string
	Size   int           // of Wasm, in bytes
	Wasm   func() []byte // returns the .wasm file; called if no cache has it compiled
}

// Job is one payload for the Examine function of a worker that has loaded the plugin.
type Job struct {
	Plugin  Plugin
	Payload [][]byte // in pieces, which Examine receives as one
	Fresh   bool     // use a new instance
	// FollowUp returns another payload for the same worker, given its output, or nil to send nothing. The job's
	// result is then the answer to that payload. FollowUp may be nil.
	FollowUp func(output []byte) ([][]byte, error)
}

// Result is the outcome of a job.
type Result struct {
	Payload  []byte
	Stderr   string   // what the guest wrote before remedies were tried, up to a limit
	Warnings []string // about the compile cache; a pool returns each only once
}

// Pool is a set of workers that are started on demand. It is safe for concurrent use. Call Do from as many goroutines
// as there are jobs; the pool limits how many work at a time.
type Pool struct {
	config  Config
	slots   chan struct{} // one token per worker that may work
	cache   *codeCache
	working sync.WaitGroup // jobs that have a worker

	mu      sync.Mutex
	idle    []*process              // most recently used last
	busy    map[*process]bool       // at work
	plugins map[string]*pluginState // by digest
	closed  bool
}

// NewPool returns a pool without starting anything. Close it after use. If the system supports it, other processes
// of this user can no longer attach to this process, or read its memory and environment.
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
		config: c, slots: make(chan struct{}, c.Jobs), cache: newCodeCache(c),
		busy: map[*process]bool{}, plugins: map[string]*pluginState{},
	}, nil
}

// Close kills all workers, except idle ones that the reserve takes, and waits until they have ended. Running jobs
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

// Do runs one job. It returns a failure that includes the plugin's output, or one of kind cancelled if ctx has ended.
func (p *Pool) Do(ctx context.Context, job Job) (Result, *fault.Failure) {
	if most, size := 2*p.config.Limits.Request, int64(sizeOf(job.Payload)); size > most {
		return Result{},
			fault.Newf(fault.Limit, "the state directory has %d bytes, at most %d are allowed; remove documents, or "+
				"exclude it in the configuration", size, most)
	}
	var r Result
	f := p.do(ctx, job, &r)
	r.Warnings = p.cache.warnings.take()
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

// interpret does the job with a worker that interprets the plugin, and reports whether compiled code must repeat it.
func (p *Pool) interpret(ctx context.Context, s *pluginState, job Job, r *Result) (again bool, f *fault.Failure) {
	w, f := p.worker(ctx, s, job.Plugin, true)
	if f != nil {
		return s.hasInterpreted(f), f
	}
	f = p.examine(ctx, w, job, r, min(interpretPatience, p.config.Limits.Instance))
	again = s.hasInterpreted(f)
	p.giveBack(w, s.interprets(0))
	return again, f
}

// examine sends the job to a worker, with a time limit for each exchange.
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

// state returns what is known about a plugin. Initially, that comes from the reserve and the cache.
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

// giveBack makes a worker idle, or ends it if it is not to be kept.
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
