package worker

import (
	"slices"
	"sync"
)

// A Reserve holds the idle workers of pools that have been closed for those that are opened later, so that a call that checks
// several times loads each plugin once. It is safe for concurrent use. Close it last.
type Reserve struct {
	most int

	mu     sync.Mutex
	idle   []*process // most recently used last
	closed bool
}

// NewReserve returns a Reserve for some workers at most.
func NewReserve(most int) *Reserve { return &Reserve{most: most} }

// Close ends the workers.
func (r *Reserve) Close() {
	r.mu.Lock()
	idle := r.idle
	r.idle, r.closed = nil, true
	r.mu.Unlock()
	for _, w := range idle {
		w.close()
	}
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

// take returns a worker that was started as a pool of that configuration does, and has loaded the plugin; nil if there is none.
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
