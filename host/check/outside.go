package check

import (
	"context"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/wire"
)

// noteElsewhere returns a notice if a change touches state, but none at the call's PATHs or in the caller's directory.
// Without the notice, a hook that changes directory would pass everything unnoticed.
func (c *change) noteElsewhere(ctx context.Context, found *discover.Found) ([]string, error) {
	if c.scope.IsWhole() || !c.scope.changed || len(found.Instances)+len(found.Failures) > 0 ||
		!c.bases.changesKnown() {
		return nil, nil
	}
	roots, err := c.outside(ctx)
	if err != nil || len(roots) == 0 {
		return nil, err
	}
	how := ""
	if c.source.Kind() == wire.Index {
		how = " --staged"
	}
	return []string{"this change touches no workflow state in " + strings.Join(c.scope.Only, ", ") +
		", so nothing was checked; it touches " + enumerated(roots, maxNamed) + ": run stategate check" + how +
		" in " + shell.Word(c.scope.Path)}, nil
}

// outside returns the sorted state directories outside the call's PATHs that a change touches.
func (c *change) outside(ctx context.Context) (roots []string, err error) {
	paths, err := c.bases.changed()
	if err != nil {
		return nil, err
	}
	q := c.scope.query()
	q.Only, q.Changed = slices.DeleteFunc(slices.Clone(paths), c.scope.holds), true
	if len(q.Only) == 0 {
		return nil, nil
	}
	found, err := c.source.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, i := range found.Instances {
		if run, err := c.read(ctx, i); err != nil || c.touched(ctx, run) {
			roots = append(roots, i.Root)
		}
	}
	gone, err := c.bases.list[0].Gone(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, i := range gone.Instances {
		roots = append(roots, i.Root)
	}
	slices.Sort(roots)
	roots = slices.Compact(roots)
	all := slices.Clone(roots)
	return slices.DeleteFunc(roots, func(a string) bool { // name only the nearest
		return slices.ContainsFunc(all, func(b string) bool { return a != b && slashpath.Holds(a, b) })
	}), nil
}
