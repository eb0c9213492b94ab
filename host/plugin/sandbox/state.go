package sandbox

import (
	"context"
	"fmt"

	"github.com/stategate/stategate/host/limits"
)

// state is what the functions behind a guest's imports know about its instance.
type state struct {
	memories
	limits    limits.Limits
	stderr    *Tail
	errorText string // what the guest gave to error_set
}

type stateKey struct{}

func (g *Guest) newState() *state {
	return &state{memories: memories{limit: uint64(g.limits.Guest)}, limits: g.limits, stderr: g.stderr}
}

// in returns a context that carries s.
func (s *state) in(ctx context.Context) context.Context { return context.WithValue(ctx, stateKey{}, s) }

// stateIn returns the state that in has put there.
func stateIn(ctx context.Context) *state { return ctx.Value(stateKey{}).(*state) }

// recovered turns a panic of the engine into an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the engine panicked: %v", p)
	}
}
