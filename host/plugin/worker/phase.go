package worker

import (
	"context"
	"sync"
	"time"

	"github.com/stategate/stategate/host/fault"
)

// A phase is how far a pool has come with a plugin. It begins in one of the first three and only moves on:
//
//	interpreted -> compiling   its jobs have become many, or one is large, or one failed
//	compiling   -> compiled    a worker has loaded its code
//	compiling   -> refused     its code cannot be compiled or loaded
//
// Interpreting is for the first check with a plugin that is not compiled yet: compiling a Go guest takes two seconds
// of processor time, reading it for the interpreter 0.2, and a small job 0.03. A job that fails when interpreted is
// repeated with compiled code, so that the answer is the same either way.
type phase int

const (
	interpreted phase = iota // by one worker, one job after the other
	compiling                // one job compiles it or loads its code; the others wait
	compiled                 // jobs run side by side, each by a worker that loads the code where it has not
	refused                  // all jobs fail as the one that was to load it has
)

const (
	mostInterpreted    = 16                // jobs of a plugin that are interpreted
	largestInterpreted = 1 << 20           // bytes of the payload of such a job: at 2 MB compiling takes as long
	interpretTime      = time.Second       // of the processor, for each, and for loading
	interpretPatience  = 4 * interpretTime // of the clock, for a call that does not return
	worthInterpreting  = 512 << 10         // bytes of a plugin from which compiling is slow
	maxLost            = 3                 // workers that one plugin may cost before its remaining jobs fail at once
)

// errLate ends a job that is better done by compiled code.
var errLate = fault.Newf(fault.Timeout, "interpreting it takes longer than %v", interpretTime)

// pluginState is what a pool knows about a plugin. It is safe for concurrent use.
type pluginState struct {
	begin   sync.Once     // for the first phase
	turn    chan struct{} // held by the one job that continues before the phase is compiled or refused
	settled chan struct{} // closed when it is

	mu      sync.Mutex
	phase   phase
	failure *fault.Failure // that all jobs have when it is refused
	jobs    int            // that were interpreted
	lost    int            // workers that it has cost by time or memory
}

func newPluginState() *pluginState {
	return &pluginState{turn: make(chan struct{}, 1), settled: make(chan struct{})}
}

// move changes the phase. The caller holds the mutex, or is alone.
func (s *pluginState) move(to phase) {
	if s.phase = to; to == compiled || to == refused {
		close(s.settled)
	}
}

// enter waits until a job of the plugin may have a worker, and leave lets the next one have it.
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

// interprets reports whether a payload of that size is to be interpreted, and moves on if it is too large for that.
func (s *pluginState) interprets(payload int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == interpreted && payload > largestInterpreted {
		s.move(compiling)
	}
	return s.phase == interpreted
}

// interpretsMore reports whether there is to be another job for a worker that interprets.
func (s *pluginState) interpretsMore() bool { return s.interprets(0) }

// hasInterpreted notes that a job was interpreted, and reports whether compiled code is to do it again.
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

// hasLoaded notes how loading the plugin's code ended.
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

// hasExamined notes how a job ended.
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

// refusal returns why a plugin's jobs are not even tried.
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

// passing reports whether a failure says nothing about the plugin.
func passing(f *fault.Failure) bool { return f.Kind == fault.Cancelled || f.Kind == fault.IO }

func cancelled(ctx context.Context) *fault.Failure {
	return fault.Newf(fault.Cancelled, "cancelled: %v", context.Cause(ctx))
}
