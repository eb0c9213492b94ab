package main

import (
	"context"
	"time"

	"github.com/stategate/stategate/host/limits"
)

// An overseer ends work that may never end by itself: holding a plugin to the laws
// interprets its schemas and patterns in this process, where nobody kills it.
type overseer struct {
	limit time.Duration // for one step
	moved chan struct{} // told of every step
}

// newOverseer allows one step what a worker is allowed.
func newOverseer(lim limits.Limits) *overseer {
	return &overseer{limit: lim.Compile + lim.Instance, moved: make(chan struct{}, 1)}
}

// step says that the work goes on.
func (o *overseer) step() {
	select {
	case o.moved <- struct{}{}:
	default:
	}
}

// with does the work. Where that gives up, or is interrupted, the work goes on unwatched
// until the process ends, and nothing that it touches may be used.
func (o *overseer) with(ctx context.Context, origin string, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	timer := time.NewTimer(o.limit)
	defer timer.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-o.moved:
			timer.Reset(o.limit)
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return brokenf("%s: reading a fixture as its manifest says takes longer than %v; look for a schema or a pattern that never ends", origin, o.limit)
		}
	}
}
