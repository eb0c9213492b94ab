package check

import (
	"slices"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// Twins are two names that are the same on macOS and Windows, so that in a checkout the second overwrites the first.
type twins struct{ first, second string }

// twinsAmong finds twins in sorted paths. They are the directories or files at which two paths diverge.
func twinsAmong(paths []string) (list []twins) {
	by := map[string]string{}
	for _, p := range paths {
		folded := edit.Fold(p)
		first, taken := by[folded]
		if !taken {
			by[folded] = p
			continue
		}
		var t twins
		if t.first, t.second = slashpath.Parting(first, p); t.first != t.second && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// ordered returns twins below a root. The name that the base has comes first, because the other one is
// new.
func (b *bases) ordered(root string, t twins) twins {
	had := func(name string) bool {
		return slices.ContainsFunc(b.list, func(base *source.Base) bool {
			was, err := base.Tree()
			if err == nil {
				_, err = was.Stat(slashpath.Join(root, name))
			}
			return err == nil
		})
	}
	if had(t.second) && !had(t.first) {
		return twins{t.second, t.first}
	}
	return t
}

// reportTwinRoots reports a plugin's state directories whose names are twins. It ignores lost runs, which no longer
// exist, and names that match a root only without regard to case, because these are reported elsewhere.
func reportTwinRoots(r *result.Result, found *discover.Found, rest restorer, b *bases) {
	roots := map[string][]string{}
	for _, i := range found.Instances {
		roots[i.Plugin] = append(roots[i.Plugin], i.Root)
	}
	for plugin, list := range roots {
		slices.Sort(list)
		for _, t := range twinsAmong(list) {
			t = b.ordered(".", t)
			for n := range r.Instances {
				if i := &r.Instances[n]; i.Plugin == plugin && slashpath.Holds(t.second, i.Root) {
					i.Diagnostics = append(i.Diagnostics,
						miscased(rest, plugin, wire.Error, t.second, t.first, true, ""))
					i.Touched = i.Touched || b.touches(t.first) || b.touches(t.second)
					break
				}
			}
		}
	}
}

// reportTwins reports documents, and directories between them and the root, whose names are twins.
func reportTwins(i *result.Instance, run *Run, r restorer, b *bases) {
	var names []string
	for _, f := range run.Now.Files {
		if f.Kind != snapshot.Directory {
			names = append(names, f.Path)
		}
	}
	for _, t := range twinsAmong(names) {
		t = b.ordered(run.Now.Root, t)
		at := slashpath.Join(run.Now.Root, t.second)
		if slices.ContainsFunc(i.Diagnostics, func(d result.Diagnostic) bool {
			return result.RuleName(d.Rule) == wire.RuleMiscased &&
				(d.Place.Path == at || d.Place.Path == slashpath.Join(run.Now.Root, t.first))
		}) {
			continue
		}
		i.Diagnostics = append(i.Diagnostics,
			miscased(r, i.Plugin, wire.Error, at, slashpath.Join(run.Now.Root, t.first), true, ""))
		i.Touched = i.Touched || b.touches(at) || b.touches(slashpath.Join(run.Now.Root, t.first))
	}
}
