package worker

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
)

// Verb is the hidden verb that makes the binary a worker.
const Verb = "__worker"

// maxLost is the number of workers that one plugin may cost, by time or memory, before its remaining jobs fail at once.
const maxLost = 3

// Config says how a Pool runs workers.
type Config struct {
	Command  []string      // program and arguments of a worker; nil is this binary with Verb
	Jobs     int           // workers at a time; 0 is one per processor
	Limits   limits.Limits // fields that are zero or larger are those of limits.Default
	CacheDir string        // directory of compiled plugins, absolute; "" for none
	ReadOnly bool          // the cache is read and never written
}

// Plugin is a plugin as workers see it. SHA256 is the hexadecimal digest of Wasm and identifies it. One without either is never loaded: its
// jobs can call no export.
type Plugin struct {
	Name   string
	SHA256 string
	Wasm   []byte
}

// Job is one payload for the Examine function of a worker that has loaded the plugin.
type Job struct {
	Plugin  *Plugin
	Payload [][]byte // in pieces, which Examine gets as one
	Fresh   bool     // by an instance that has done nothing before
}

// Result is what a job gave.
type Result struct {
	Payload  []byte
	Stderr   string   // what the guest wrote, bounded
	Warnings []string // what was wrong with the compile cache; each is given once by a pool

	Loading time.Duration // what loading the plugin took, as the worker says; 0 if it had it
	Working time.Duration // what the job took, with both ways through the pipe
	Memory  int64         // bytes of linear memory that the guest had at the end, as the worker says
}

// Pool is a set of workers, started when they are needed. It is safe for concurrent use: call Do from as many goroutines as
// there are jobs, the pool lets Jobs of them work.
type Pool struct {
	config  Config
	spawner *spawner
	slots   chan struct{}  // one token per worker that may work
	working sync.WaitGroup // jobs between their slot and its return

	mu      sync.Mutex
	idle    []*process        // most recently used last
	busy    map[*process]bool // at work
	plugins map[string]*plugged
	said    map[string]bool
	closed  bool

	warnings []string // not given to a job yet
}

// plugged is what the pool knows about a plugin.
type plugged struct {
	turn chan struct{} // held by the job that loads the plugin for the first time

	// Under the pool's mutex:
	proven bool           // a worker has loaded it
	failed *fault.Failure // loading it failed: all its jobs do
	lost   int            // workers that it has cost
}

// NewPool returns a pool. It starts nothing yet. Close it.
func NewPool(c Config) (*Pool, error) {
	if len(c.Command) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find the program of the workers: %w", err)
		}
		c.Command = []string{self, Verb}
	}
	if c.Jobs <= 0 {
		c.Jobs = runtime.NumCPU()
	}
	c.Limits = limits.Default().Lower(c.Limits)
	return &Pool{
		config: c, spawner: newSpawner(), slots: make(chan struct{}, c.Jobs),
		busy: map[*process]bool{}, plugins: map[string]*plugged{}, said: map[string]bool{},
	}, nil
}

// Close kills all workers and waits until they are gone. Jobs that still run fail as cancelled.
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
		w.close()
	}
	p.working.Wait()
	p.spawner.close()
}

// Preload starts a worker and has it load the plugin, so that a later Do finds both ready. It is worth calling as soon as it is clear that
// there will be a job, from a goroutine of its own, while documents are still being read. What fails here fails again, or is remembered, in Do.
func (p *Pool) Preload(ctx context.Context, plugin *Plugin) {
	_ = p.withWorker(ctx, plugin, func(w *process, state *plugged, leave func()) *fault.Failure {
		return p.ready(ctx, w, state, plugin)
	})
}

// Do runs one job. It returns a failure that says what the plugin has done, or that ctx has ended (kind cancelled).
func (p *Pool) Do(ctx context.Context, job Job) (Result, *fault.Failure) {
	if most, size := 2*p.config.Limits.Request, int64(sizeOf(job.Payload)); size > most {
		return Result{}, fault.Newf(fault.Limit, "the instance has %d bytes, at most %d are allowed: remove documents, or exclude it in the configuration", size, most)
	}
	var r Result
	f := p.withWorker(ctx, job.Plugin, func(w *process, state *plugged, leave func()) *fault.Failure {
		loads := !w.has(job.Plugin.SHA256)
		if f := p.ready(ctx, w, state, job.Plugin); f != nil {
			return f
		}
		if loads {
			r.Loading = w.loading
		}
		leave()
		return p.blame(state, p.examine(ctx, w, job, &r), examining)
	})
	r.Warnings = p.takeWarnings()
	return r, f
}

// withWorker waits for its turn, takes a worker and gives it back after use. Calling leave lets the next job of the plugin pass before that.
func (p *Pool) withWorker(ctx context.Context, plugin *Plugin, use func(w *process, state *plugged, leave func()) *fault.Failure) *fault.Failure {
	state := p.plugin(plugin.SHA256)
	leave, f := p.enter(ctx, state)
	if f != nil {
		return f
	}
	defer leave()
	if f := p.acquire(ctx); f != nil {
		return f
	}
	defer p.release()
	if f := p.refusal(state); f != nil {
		return f
	}
	w, f := p.worker(plugin.SHA256)
	if f != nil {
		return f
	}
	defer p.giveBack(w)
	return use(w, state, leave)
}

// ready makes sure that w has loaded the plugin.
func (p *Pool) ready(ctx context.Context, w *process, state *plugged, plugin *Plugin) *fault.Failure {
	if plugin.SHA256 != "" && !w.has(plugin.SHA256) {
		if f := p.load(ctx, w, plugin); f != nil {
			return p.blame(state, f, loading)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	state.proven = true
	return nil
}

func (p *Pool) examine(ctx context.Context, w *process, job Job, r *Result) *fault.Failure {
	request := frame{typ: frameJob, fields: [][]byte{[]byte(job.Plugin.SHA256)}, last: job.Payload}
	if job.Fresh {
		if err := (frame{typ: frameRenew, fields: request.fields}).write(w.in); err != nil {
			w.kill(fault.IO)
			return fault.Newf(fault.IO, "write to a worker: %v", err)
		}
	}
	begin := time.Now()
	reply, f := w.exchange(ctx, request, p.config.Limits.Instance, "examining it")
	if f == nil {
		f = p.failureIn(w, reply, frameResult)
	}
	if f == nil {
		r.Payload, r.Stderr, r.Working = reply.field(0), string(reply.field(1)), time.Since(begin)
		r.Memory, _ = strconv.ParseInt(string(reply.field(2)), 10, 64)
	}
	return f
}

func (p *Pool) load(ctx context.Context, w *process, plugin *Plugin) *fault.Failure {
	if err := w.makeRoom(); err != nil {
		w.kill(fault.IO)
		return fault.Newf(fault.IO, "write to a worker: %v", err)
	}
	request := frame{typ: frameLoad, fields: [][]byte{[]byte(plugin.SHA256), plugin.Wasm}}
	reply, f := w.exchange(ctx, request, p.config.Limits.Compile, "compiling it")
	if f == nil {
		f = p.failureIn(w, reply, frameLoaded)
	}
	if f == nil {
		w.loaded = append(w.loaded, plugin.SHA256)
		nanoseconds, _ := strconv.ParseInt(string(reply.field(0)), 10, 64)
		w.loading = time.Duration(nanoseconds)
		p.warn(reply.texts(1))
	}
	return f
}

// failureIn returns the failure that a reply holds, also the one of being the wrong reply; nil for the right one.
func (p *Pool) failureIn(w *process, reply frame, want byte) *fault.Failure {
	switch reply.typ {
	case want:
		return nil
	case frameFailed:
		return &fault.Failure{
			Kind:    fault.Kind(reply.field(0)),
			Message: string(cut(reply.field(1), 2*p.config.Limits.Message)),
			Stderr:  string(cut(reply.field(2), 2*p.config.Limits.Stderr)),
		}
	}
	w.kill(fault.Protocol)
	return fault.Newf(fault.Protocol, "the worker answered with a frame of type %q, want %q", reply.typ, want)
}

// The two things that a worker may die of.
type stage int

const (
	loading stage = iota
	examining
)

// blame remembers what a failure means for the plugin's other jobs.
func (p *Pool) blame(state *plugged, f *fault.Failure, at stage) *fault.Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case f == nil || f.Kind == fault.Cancelled || f.Kind == fault.IO:
	case at == loading && !state.proven:
		state.failed = f
	case f.Kind == fault.Timeout || f.Kind == fault.Memory:
		state.lost++
	}
	return f
}

// refusal returns why a plugin's jobs are not even tried.
func (p *Pool) refusal(state *plugged) *fault.Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return fault.Newf(fault.Cancelled, "the pool is closed")
	case state.failed != nil:
		again := *state.failed
		return &again
	case state.lost >= maxLost:
		return fault.Newf(fault.Timeout, "not tried: it ran out of time or memory on %d instances before", state.lost)
	}
	return nil
}

// enter lets one job of a plugin pass until the plugin is proven or has failed; leave lets the next one pass.
func (p *Pool) enter(ctx context.Context, state *plugged) (leave func(), f *fault.Failure) {
	p.mu.Lock()
	known := state.proven || state.failed != nil
	p.mu.Unlock()
	if known {
		return func() {}, nil
	}
	select {
	case state.turn <- struct{}{}:
		return sync.OnceFunc(func() { <-state.turn }), nil
	case <-ctx.Done():
		return nil, cancelled(ctx)
	}
}

func (p *Pool) acquire(ctx context.Context) *fault.Failure {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return cancelled(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.working.Add(1)
	return nil
}

func (p *Pool) release() {
	p.working.Done()
	<-p.slots
}

func cancelled(ctx context.Context) *fault.Failure {
	return fault.Newf(fault.Cancelled, "cancelled: %v", context.Cause(ctx))
}

func (p *Pool) plugin(digest string) *plugged {
	p.mu.Lock()
	defer p.mu.Unlock()
	state := p.plugins[digest]
	if state == nil {
		state = &plugged{turn: make(chan struct{}, 1)}
		p.plugins[digest] = state
	}
	return state
}

// worker returns an idle worker, best one that has the plugin, or a new one.
func (p *Pool) worker(digest string) (*process, *fault.Failure) {
	w := p.takeIdle(digest)
	if w == nil {
		var err error
		if w, err = p.spawn(); err != nil {
			return nil, fault.From(err, fault.IO)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy[w] = true
	if p.closed {
		w.kill(fault.Cancelled)
	}
	return w, nil
}

func (p *Pool) takeIdle(digest string) *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := len(p.idle) - 1
	if best < 0 {
		return nil
	}
	for i, w := range p.idle {
		if slices.Contains(w.loaded, digest) {
			best = i
		}
	}
	w := p.idle[best]
	p.idle = slices.Delete(p.idle, best, best+1)
	return w
}

func (p *Pool) spawn() (*process, error) {
	cmd := exec.Command(p.config.Command[0], p.config.Command[1:]...)
	cmd.Env = []string{}
	isolate(cmd)
	return newProcess(cmd, p.config, p.spawner.start)
}

// giveBack makes a worker idle, or buries it.
func (p *Pool) giveBack(w *process) {
	p.mu.Lock()
	delete(p.busy, w)
	keep := !p.closed && w.alive()
	if keep {
		p.idle = append(p.idle, w)
	}
	p.mu.Unlock()
	if !keep {
		w.close()
	}
}

// warn keeps warnings for the next job that ends, each once.
func (p *Pool) warn(warnings []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range warnings {
		if !p.said[w] {
			p.said[w] = true
			p.warnings = append(p.warnings, w)
		}
	}
}

func (p *Pool) takeWarnings() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	taken := p.warnings
	p.warnings = nil
	return taken
}
