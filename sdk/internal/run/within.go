// No guest waits for itself.

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
	return fmt.Sprintf("%s has not returned after %v; look for a loop or a channel that never ends in it", e.doing,
		e.limit)
}

// ExamineWithin is Examine that gives up after a while and names the rule or function that has not returned. That
// function continues until the process ends.
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
