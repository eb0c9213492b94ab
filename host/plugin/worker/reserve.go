package worker

import (
	"slices"
	"sync"

	"github.com/stategate/stategate/host/fault"
)

// A Reserve holds idle workers of closed pools for pools that are opened later, so that a call that checks several
// times loads each plugin once. It is safe for concurrent use. Close it last.
type Reserve struct {
	most int

	mu     sync.Mutex
	idle   []*process // most recently used last
	closed bool
	close  sync.Once
}

// NewReserve returns a Reserve that holds up to most workers.
func NewReserve(most int) *Reserve { return &Reserve{most: most} }

// Close ends the workers and waits until they have ended.
func (r *Reserve) Close() {
	r.close.Do(func() {
		r.mu.Lock()
		idle := r.idle
		r.idle, r.closed = nil, true
		r.mu.Unlock()
		for _, w := range idle {
			w.kill(fault.Cancelled) // kill all of them before waiting for any
		}
		for _, w := range idle {
			w.close()
		}
	})
}

// put adds a worker to the reserve, or ends it if there is no room.
func (r *Reserve) put(w *process) {
	r.mu.Lock()
	if !r.closed {
		r.idle = append(r.idle, w)
		w = nil
		if len(r.idle) > r.most {
			w, r.idle = r.idle[0], r.idle[1:]
		}
	}
	r.mu.Unlock()
	if w != nil {
		w.close()
	}
}

// take returns the workers that have loaded a plugin and were started with the same configuration.
func (r *Reserve) take(c Config, plugin string) (list []*process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = slices.DeleteFunc(r.idle, func(w *process) bool {
		fits := w.plugin == plugin && w.limits == c.Limits && slices.Equal(w.command, c.Command)
		if fits {
			list = append(list, w)
		}
		return fits
	})
	return list
}
