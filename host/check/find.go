package check

import (
	"iter"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
)

// A scope is the part of the workspace that is checked.
type scope struct {
	*source.Workspace
	dir     string // absolute; the caller's directory
	exclude []string
	changed bool // report only what the change touches
	named   bool // the call names PATHs
	plugins Plugins
}

// partial reports whether some state directories may be left unchecked.
func (s *scope) partial() bool { return s.changed || !s.IsWhole() }

func (s *scope) query() discover.Query {
	return discover.Query{Only: s.Only, Plugins: rootsOf(s.plugins.sorted()), Exclude: s.exclude}
}

// holds reports whether a path is at or below one of the call's PATHs.
func (s *scope) holds(name string) bool {
	return slices.ContainsFunc(s.Only, func(only string) bool { return slashpath.Holds(only, name) })
}

// nothingAt returns a notice for each requested path without state, because an open gate alone would be
// misleading. It skips paths for which an obstruction is already reported.
func (s *scope) nothingAt(f *discover.Found, reported []result.Instance) (notices []string) {
	if s.IsWhole() && !s.named || s.changed || len(f.Failures)+len(f.Excluded) > 0 {
		return nil
	}
	for _, only := range s.Only {
		if !slices.ContainsFunc(f.Instances, func(i discover.Instance) bool { return related(only, i.Root) }) &&
			!slices.ContainsFunc(reported, func(i result.Instance) bool { return related(only, i.Root) }) {
			top := ""
			if s.dir != s.Path {
				top = " (the workspace begins at " + s.Path + ")"
			}
			notices = append(notices, "no workflow state found in "+only+top)
		}
	}
	return notices
}

func sorted(set iter.Seq[discover.Instance]) []discover.Instance {
	return slices.SortedFunc(set, discover.Instance.Compare)
}

func isFound(f *discover.Found, i discover.Instance) bool {
	_, found := slices.BinarySearchFunc(f.Instances, i, discover.Instance.Compare)
	return found
}

func failure(plugin, root string, f *fault.Failure) result.Failure {
	return result.Failure{Plugin: plugin, Root: root, Failure: *f}
}
