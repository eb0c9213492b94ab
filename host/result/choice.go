package result

import (
	"cmp"
	"path"
	"slices"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/wire"
)

// A Choice is the run to continue, or the reason why there is none.
type Choice struct {
	Run      *Run  // nil if there is none, or several
	Choices  []Run // the runs in progress, if Run is nil
	Others   []Run // the other runs in progress, if the files choose Run
	Finished []Run // finished and abandoned runs, if Run is nil
	// errors of instances in which no run was found; if nothing is in progress, also errors that belong to no run
	ErrorsWithoutRun []Diagnostic
	Failures         []Failure // what could not be checked
}

// Choose selects the run to continue: the run called name, in any state, or the only run in progress if name is "".
// It reports false if no run has that name and no failure could hide it.
func (r *Result) Choose(runs []Run, name string) (*Choice, bool) {
	c := &Choice{Failures: r.Failures}
	if name != "" {
		found := slices.DeleteFunc(slices.Clone(runs), func(run Run) bool { return !run.Called(name) })
		if len(found) == 1 {
			c.Run = &found[0]
		} else {
			c.Choices = found
		}
		return c, len(found)+len(r.Failures) > 0
	}
	for _, run := range runs {
		if run.InProgress() {
			c.Choices = append(c.Choices, run)
		} else {
			c.Finished = append(c.Finished, run)
		}
	}
	c.ErrorsWithoutRun = r.errorsWithoutRun(len(c.Choices) == 0) // an error may be about a run that is lost
	if run := r.chosen(c.Choices); run != nil && certain(*run, r.Failures) {
		c.Others = slices.DeleteFunc(slices.Clone(c.Choices), func(other Run) bool {
			return other.Instance == run.Instance && other.Self == run.Self
		})
		c.Run, c.Choices, c.Finished = run, nil, nil
	}
	return c, true
}

// chosen returns the run in progress that the files choose: the only one, or the one that the workflow's own pointer
// names. It returns nil if runs of two workflows are in progress, or if two pointers name different runs.
func (r *Result) chosen(inProgress []Run) *Run {
	if len(inProgress) == 1 {
		return &inProgress[0]
	}
	var chosen *Run
	for n := range inProgress {
		run := &inProgress[n]
		if run.Instance.Plugin != inProgress[0].Instance.Plugin ||
			path.Dir(run.Instance.Root) != path.Dir(inProgress[0].Instance.Root) {
			return nil
		}
		if run.Self == nil || run.Self.Chosen == 0 {
			continue
		}
		// if ranks are equal, the last one wins, because names begin with a date
		if chosen == nil || run.Self.Chosen <= chosen.Self.Chosen {
			chosen = run
		}
	}
	return chosen
}

// FollowPointers marks the runs that pointers in other state directories choose.
func FollowPointers(r *Result) {
	for n := range r.Instances {
		from := &r.Instances[n]
		for rank, root := range from.Chooses {
			at := slices.IndexFunc(r.Instances, func(i Instance) bool {
				return i.Plugin == from.Plugin && i.Root == root
			})
			if at < 0 {
				continue
			}
			for _, run := range r.Instances[at].Runs() {
				if run.Self != nil && run.Self.Chosen == 0 {
					run.Self.Chosen = rank + 1
				}
			}
		}
	}
}

// Gate is incomplete if something could not be checked. It is closed if the user must choose a run, or if an error
// may hide one.
func (c *Choice) Gate() Gate {
	switch {
	case len(c.Failures) > 0:
		return Incomplete
	case c.Run == nil && len(c.Choices)+len(c.ErrorsWithoutRun) > 0:
		return Closed
	}
	return Open
}

// Called reports whether name refers to the run. It may be its name, its subject, or its state directory's last part.
func (r Run) Called(name string) bool {
	return name == r.Name() || r.Self != nil && name == r.Self.Subject || name == path.Base(r.Instance.Root)
}

// certain reports whether a run is certainly the only one in progress, because every failure is about it.
func certain(run Run, failures []Failure) bool {
	return !slices.ContainsFunc(failures, func(f Failure) bool {
		return f.Plugin != run.Instance.Plugin || f.Root != run.Instance.Root
	})
}

// errorsWithoutRun returns the errors of instances in which no run was found: a symbolic link or a nested
// repository in place of state may hide one. If all is true, it also returns errors that belong to none of an
// instance's runs.
func (r *Result) errorsWithoutRun(all bool) (list []Diagnostic) {
	for i, d := range r.Findings() {
		if d.Severity >= wire.Error && (len(i.Detections) == 0 || all && i.Partition().RunOf(d) == nil) {
			list = append(list, *d)
		}
	}
	return list
}

// SortByUpdate sorts runs to choose from by their last update, newest first. Runs in progress whose items are all
// done come last: only their end is left, as in a change to archive.
func SortByUpdate(runs []Run) {
	ends := func(r Run) int {
		if r.Self != nil && r.InProgress() {
			if p := r.Self.Progress; p.Total > 0 && p.Done == p.Total {
				return 1
			}
		}
		return 0
	}
	slices.SortStableFunc(runs, func(x, y Run) int {
		return cmp.Or(ends(x)-ends(y), y.Updated.At.Compare(x.Updated.At))
	})
}

// MeantBy keeps the runs that a PATH refers to. at is the PATH relative to the workspace. If the caller named no PATH,
// at is the current directory, which refers to all runs if it does not refer to some.
//
//   - If it is one of a run's files or the run's directory, it refers to that run.
//   - If the caller named it and it is a state directory's root, it refers to all of that directory's runs.
//   - Otherwise, if it contains runs, it refers to these, but not to a run around it.
//   - Otherwise it is inside state directories, and refers to the runs of the innermost one.
func MeantBy(runs []Run, at string, named bool) []Run {
	if at == "" {
		return runs
	}
	innermost := "."
	for _, r := range runs {
		if root := r.Instance.Root; slashpath.Holds(root, at) && slashpath.Holds(innermost, root) {
			innermost = root
		}
	}
	for _, meant := range []func(Run) bool{
		func(r Run) bool { return r.holds(at) },
		func(r Run) bool { return named && r.Instance.Root == at },
		func(r Run) bool {
			return slices.ContainsFunc(r.Paths(), func(p string) bool { return slashpath.Holds(at, p) })
		},
		func(r Run) bool { return r.Instance.Root == innermost && (named || innermost != ".") },
	} {
		list := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return !meant(r) })
		if len(list) > 0 {
			return list
		}
	}
	if named {
		return nil
	}
	return runs
}

// holds reports whether a path is one of the run's files or below one. It returns false if the run lists no files.
func (r Run) holds(at string) bool {
	return r.Self != nil && len(r.Self.Files) > 0 && slices.ContainsFunc(r.Paths(), func(p string) bool {
		return p != r.Instance.Root && slashpath.Holds(p, at)
	})
}

// Restrict reduces each state directory around paths to the runs that the paths refer to, and to the findings at or
// below the paths. The paths are relative to the workspace.
func Restrict(instances []Instance, paths []string) {
	for n := range instances {
		i := &instances[n]
		inside := slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
			return p == i.Root || !slashpath.Holds(i.Root, p)
		})
		if len(inside) == 0 || slices.ContainsFunc(paths, func(p string) bool { return slashpath.Holds(p, i.Root) }) {
			continue
		}
		i.restrict(inside)
	}
}

func (i *Instance) restrict(paths []string) {
	p, meant := i.Partition(), map[*wire.Detection]bool{}
	if len(p.runs) < 2 {
		return
	}
	for _, run := range i.Runs() {
		meant[run.Self] = slices.ContainsFunc(paths, func(at string) bool {
			return run.holds(at) ||
				slices.ContainsFunc(run.Paths(), func(file string) bool { return slashpath.Holds(at, file) })
		})
		if !meant[run.Self] {
			i.PassOver(run.Self)
		}
	}
	below := func(name string) bool {
		return slices.ContainsFunc(paths, func(at string) bool { return slashpath.Holds(at, name) })
	}
	i.Diagnostics = slices.DeleteFunc(i.Diagnostics, func(d Diagnostic) bool {
		return !meant[p.RunOf(&d)] && !below(d.Place.Path) &&
			!slices.ContainsFunc(d.Related, func(r Related) bool { return below(r.Path) })
	})
}
