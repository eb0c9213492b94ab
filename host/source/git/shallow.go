package git

import (
	"context"

	"github.com/stategate/stategate/host/fault"
)

func (r *process) shallow(ctx context.Context) bool {
	is, _ := r.line(ctx, "rev-parse", "--is-shallow-repository")
	return is == "true"
}

func (r *process) tooShallow(what string) *fault.Failure {
	return fault.Newf(fault.Source, "%s is not in %s, which is a shallow clone, so nothing can be compared with it: "+
		"fetch more (git fetch --unshallow; in CI fetch-depth: 0 or GIT_DEPTH: 0)", what, r.Top)
}
