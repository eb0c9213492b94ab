package check

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
)

// query is about all plugins, within the PATHs of the call.
func (c *Checker) query() discover.Query {
	return discover.Query{Only: c.Workspace.Only, Plugins: rootsOf(c.Plugins.sorted()), Exclude: c.Options.Exclude}
}

// find walks what is checked; with Options.Changed only what the change touches, if that is known.
func (c *Checker) find(ctx context.Context) (*discover.Found, error) {
	q := c.query()
	if c.Options.Changed && c.bases.changesKnown() {
		paths, err := c.bases.changed()
		q.Only, q.Changed = slices.DeleteFunc(paths, func(p string) bool { return !c.inScope(p) }), true
		if err != nil || len(q.Only) == 0 {
			return &discover.Found{}, err
		}
	}
	return c.source.Find(ctx, q)
}

// inScope reports whether a path is below a PATH of the call.
func (c *Checker) inScope(name string) bool {
	return slices.ContainsFunc(c.Workspace.Only, func(only string) bool { return slashpath.Holds(only, name) })
}

// nothingAt returns a notice for each place without state that the check is restricted to: an open gate says nothing
// about it. All that is reported so far is what is in the place of state.
func (c *Checker) nothingAt(f *discover.Found, reported int) (notices []string) {
	if c.Workspace.IsWhole() || c.Options.Changed ||
		len(f.Failures)+len(f.Links)+len(f.Nested)+len(f.Excluded)+reported > 0 {
		return nil
	}
	for _, only := range c.Workspace.Only {
		if !slices.ContainsFunc(f.Instances, func(i discover.Instance) bool { return related(only, i.Root) }) {
			top := ""
			if c.Options.Dir != c.Workspace.Path {
				top = " (the workspace begins at " + c.Workspace.Path + ")"
			}
			notices = append(notices, "no workflow state found in "+only+top)
		}
	}
	return notices
}

func sorted(set iter.Seq[discover.Instance]) []discover.Instance {
	return slices.SortedFunc(set, compareInstances)
}

// compareInstances has the order of discover.Found.
func compareInstances(a, b discover.Instance) int {
	return cmp.Or(discover.ComparePaths(a.Root, b.Root), cmp.Compare(a.Plugin, b.Plugin))
}

func isFound(f *discover.Found, i discover.Instance) bool {
	_, found := slices.BinarySearchFunc(f.Instances, i, compareInstances)
	return found
}

func failure(plugin, root string, f *fault.Failure) result.Failure {
	return result.Failure{Plugin: plugin, Root: root, Failure: *f}
}
