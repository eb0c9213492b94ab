// Package check implements one check of the gate. It is a pipeline:
//
//	options  say what to check, how to judge it, and what to report          options.go
//	open     open the source, its bases, the plugins and the workers         open.go, plugins.go, compare.go
//	find     find all plugins' state directories in one walk, and lost ones  find.go, moved.go
//	read     read each one together with its earlier states                  run.go
//	examine  examine each one in a worker, or reuse an earlier verdict       examine.go, intersect.go, paths.go
//	gather   combine the replies and the host's findings into one result     gather.go, replies.go
//
// The host reports problems that no plugin can see itself. Each kind has its own file: lost.go, hidden.go,
// duplicate.go, merge.go and ignored.go.
package check

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
)

// patience is the maximum duration of a whole check, regardless of the time that each plugin may
// take.
const patience = 10 * time.Minute

// Check runs one check. A *fault.UsageError reports a usage error. Result.Failures lists everything that could not be
// checked.
func Check(ctx context.Context, o Options) (*result.Result, error) {
	most := cmp.Or(o.Patience, patience)
	ctx, end := context.WithTimeoutCause(ctx, most,
		fault.Newf(fault.Timeout, "the check took longer than %v; check some PATHs at a time, or exclude "+
			"directories in the configuration", most))
	defer end()
	c, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	r := c.newResult()
	defer func() { c.close(r.Whole) }()

	found, err := c.change.find(ctx)
	if err != nil {
		return nil, err
	}
	r.Changed = c.scope.changed
	if r.OwnChanged, err = c.change.differs(c.change.own); err != nil {
		return nil, err
	}
	if err := c.reportPlaces(ctx, found, r); err != nil {
		return nil, err
	}
	c.examiner.shareOut(found.Instances, c.Plugins, c.bases)
	lost, err := c.copies.findLost(ctx, found, r)
	if err != nil {
		return nil, err
	}
	if err := c.examiner.checkOptions(ctx, r); err != nil {
		return nil, err
	}
	runs := slices.Concat(found.Instances, sorted(maps.Keys(lost)))
	outcomes := c.examineAll(runs, func(i discover.Instance) Outcome {
		if was := lost[i]; was != nil {
			return c.losses.lostRun(ctx, found, i, was)
		}
		return c.Examine(ctx, i)
	})
	// All findings come first, because policy and scope apply to the host's findings, too.
	gather(r, outcomes)
	reportTwinRoots(r, found, c.losses.restorer, c.bases)
	if err := c.copies.report(ctx, outcomes, r); err != nil {
		return nil, err
	}
	noteUnanswered(r, outcomes)
	c.finish(r) // sets severities, by which the scope decides
	c.change.narrow(ctx, r, outcomes)
	countBrought(c, r, outcomes)
	if len(c.Options.Unsaved) == 0 { // an editor replaces all of a state directory's findings
		result.Restrict(r.Instances, c.scope.Only)
	}
	c.remediesElsewhere(ctx, r, outcomes) // only of findings that stay, because it checks the working tree for them
	return r, context.Cause(ctx)
}

// Roots returns what Check would examine, sorted by path and plugin, without running any plugin. workspace is an
// absolute path. It fails like Check.
func Roots(ctx context.Context, o Options) (workspace string, roots []discover.Instance, err error) {
	c, err := Open(ctx, o)
	if err != nil {
		return "", nil, err
	}
	defer c.Close()
	found, err := c.change.find(ctx)
	if err != nil {
		return "", nil, err
	}
	return c.Workspace.Path, found.Instances, nil
}
