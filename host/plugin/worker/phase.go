package worker

import (
	"context"
	"sync"
	"time"

	"github.com/stategate/stategate/host/fault"
)

// A phase describes how a pool currently runs a plugin. It starts as one of the first three phases and only moves
// forward:
//
//	interpreted -> compiling   it has many jobs, or a large one, or one failed
//	compiling   -> compiled    a worker has loaded its code
//	compiling   -> refused     its code cannot be compiled or loaded
//
// The interpreter is used for the first check with a plugin that is not compiled yet. Compiling a Go guest takes
// two seconds of CPU time; preparing it for the interpreter takes 0.2 seconds, and a small job takes 0.03 seconds.
// A job that fails in the interpreter is repeated with compiled code, so that the answer is always the same.
type phase int

const (
	interpreted phase = iota // by one worker, one job after another
	compiling                // one job compiles it or loads its code; the others wait
	compiled                 // jobs run in parallel; each worker loads the code if it has not done so
	refused                  // all jobs fail with the failure of the job that was to load it
)

const (
	mostInterpreted    = 16                // jobs of a plugin that are interpreted
	largestInterpreted = 1 << 20           // payload bytes of such a job; at 2 MB, compiling takes as long
	interpretTime      = time.Second       // CPU time for each job, and for loading
	interpretPatience  = 4 * interpretTime // wall-clock time, for a call that does not return
	worthInterpreting  = 512 << 10         // bytes of a plugin from which compiling is slow
	// maxLost is the number of workers that one plugin can lose before its remaining jobs fail immediately
	maxLost = 3
)

// errLate ends an interpreted job that compiled code should do instead.
var errLate = fault.Newf(fault.Timeout, "interpreting it takes longer than %v", interpretTime)

// pluginState is what a pool knows about a plugin. It is safe for concurrent use.
type pluginState struct {
	begin   sync.Once     // for the first phase
	turn    chan struct{} // held by the one job that runs before the phase is compiled or refused
	settled chan struct{} // closed when that phase begins

	mu      sync.Mutex
	phase   phase
	failure *fault.Failure // returned by all jobs in the refused phase
	jobs    int            // number of interpreted jobs
	lost    int            // number of workers lost to its use of time or memory
}

func newPluginState() *pluginState {
	return &pluginState{turn: make(chan struct{}, 1), settled: make(chan struct{})}
}

// move changes the phase. The caller holds the mutex or has exclusive access.
func (s *pluginState) move(to phase) {
	if s.phase = to; to == compiled || to == refused {
		close(s.settled)
	}
}

// enter waits until a job of the plugin may have a worker. leave admits the next job.
func (s *pluginState) enter(ctx context.Context) (leave func(), f *fault.Failure) {
	select {
	case <-s.settled:
		return func() {}, nil
	case s.turn <- struct{}{}:
		return sync.OnceFunc(func() { <-s.turn }), nil
	case <-ctx.Done():
		return nil, cancelled(ctx)
	}
}

// interprets reports whether to interpret a job whose payload has the given size. It changes the phase if the payload
// is too large.
func (s *pluginState) interprets(payload int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == interpreted && payload > largestInterpreted {
		s.move(compiling)
	}
	return s.phase == interpreted
}

// hasInterpreted records that a job was interpreted, and reports whether compiled code must repeat it.
func (s *pluginState) hasInterpreted(f *fault.Failure) (again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs++
	again = f != nil && !passing(f)
	if again || s.jobs == mostInterpreted {
		s.move(compiling)
	}
	return again
}

// hasLoaded records the outcome of loading the plugin's code.
func (s *pluginState) hasLoaded(f *fault.Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.phase != compiling:
		s.count(f)
	case f == nil:
		s.move(compiled)
	case !passing(f):
		s.failure = f
		s.move(refused)
	}
}

// hasExamined records the outcome of a job.
func (s *pluginState) hasExamined(f *fault.Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(f)
}

func (s *pluginState) count(f *fault.Failure) {
	if f != nil && (f.Kind == fault.Timeout || f.Kind == fault.Memory) {
		s.lost++
	}
}

// refusal returns the reason why a plugin's jobs are not even tried.
func (s *pluginState) refusal() *fault.Failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.phase == refused:
		again := *s.failure
		return &again
	case s.lost >= maxLost:
		return fault.Newf(fault.Timeout, "not tried: it ran out of time or memory on %d state directories before",
			s.lost)
	}
	return nil
}

// passing reports whether a failure is temporary and unrelated to the plugin.
func passing(f *fault.Failure) bool { return f.Kind == fault.Cancelled || f.Kind == fault.IO }

func cancelled(ctx context.Context) *fault.Failure {
	return fault.Newf(fault.Cancelled, "cancelled: %v", context.Cause(ctx))
}
