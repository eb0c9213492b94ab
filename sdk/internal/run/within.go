// The build constraint keeps this file out of guests, which cannot wait for themselves.

//go:build !wasip1

package run

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/internal/hook"
	"github.com/stategate/stategate/sdk/wire"
)

// A StuckError says that a function of the plugin does not return.
type StuckError struct {
	doing string
	limit time.Duration
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("%s has not returned after %v; check it for an endless loop or a blocked channel", e.doing,
		e.limit)
}

// ExamineWithin is Examine with a time limit. On timeout, it returns an error that names the rule or function that
// has not returned. That function continues until the process ends.
func ExamineWithin(w *sdk.Workflow, request *wire.Request, limit time.Duration) (*wire.Report, error) {
	l, done := newLook(hook.NewPass(w, request)), make(chan *wire.Report, 1)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	go func() {
		l.run(request)
		done <- l.finish(request)
	}()
	select {
	case report := <-done:
		return report, nil
	case <-timer.C:
		doing := *cmp.Or(l.doing.Load(), new(string))
		if slices.ContainsFunc(w.Rules, func(r *sdk.Rule) bool { return r.Name == doing }) {
			doing = "rule " + doing
		}
		return nil, &StuckError{doing, limit}
	}
}
