package result

import (
	"path"
	"slices"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/wire"
)

// A Choice is the run to continue, or why there is none.
type Choice struct {
	Run              *Run         // nil if there is none, or several
	Choices          []Run        // the runs in progress where Run is nil
	Finished         []Run        // finished and abandoned runs where Run is nil
	ErrorsWithoutRun []Diagnostic // errors of instances in which no run can be seen
	Failures         []Failure    // what could not be checked
}

// Choose picks the run to continue: the one that is called name, over or not; without a name the only one in progress.
// It reports false if no run is called so, and nothing failed that could be it.
func (r *Result) Choose(runs []Run, name string) (*Choice, bool) {
	c := &Choice{Failures: r.Failures}
	if name != "" {
		found := slices.DeleteFunc(slices.Clone(runs), func(run Run) bool { return !run.called(name) })
		if len(found) == 1 {
			c.Run = &found[0]
		} else {
			c.Choices = found
		}
		return c, len(found)+len(r.Failures) > 0
	}
	c.ErrorsWithoutRun = r.errorsWithoutRun()
	for _, run := range runs {
		if run.InProgress() {
			c.Choices = append(c.Choices, run)
		} else {
			c.Finished = append(c.Finished, run)
		}
	}
	if run := r.chosen(c.Choices); run != nil && certain(*run, r.Failures) {
		c.Run, c.Choices, c.Finished = run, nil, nil
	}
	return c, true
}

// chosen returns the run that the files choose among those in progress: the only one, or the one that the workflow's
// own pointer names. Where runs of two workflows are in progress, or two pointers name one each, it returns nil.
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
		if chosen == nil || run.Self.Chosen <= chosen.Self.Chosen { // of equals the last: names begin with a date
			chosen = run
		}
	}
	return chosen
}

// FollowPointers marks the runs of the state directories that pointers in others choose.
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

// Gate is incomplete if something could not be checked, and closed if a run must be named or an error hides whether
// there is one.
func (c *Choice) Gate() Gate {
	switch {
	case len(c.Failures) > 0:
		return Incomplete
	case c.Run == nil && len(c.Choices)+len(c.ErrorsWithoutRun) > 0:
		return Closed
	}
	return Open
}

func (r Run) called(name string) bool {
	return name == r.Name() || r.Self != nil && name == r.Self.Subject
}

// certain reports whether a run is the only one in progress although something
// could not be checked: then it is what the failures are about.
func certain(run Run, failures []Failure) bool {
	return !slices.ContainsFunc(failures, func(f Failure) bool {
		return f.Plugin != run.Instance.Plugin || f.Root != run.Instance.Root
	})
}

// errorsWithoutRun are the errors of instances in which no run was found: a symbolic link or a
// repository of its own where state belongs may hide one.
func (r *Result) errorsWithoutRun() (list []Diagnostic) {
	for i, d := range r.Findings() {
		if len(i.Detections) == 0 && d.Severity >= wire.Error {
			list = append(list, *d)
		}
	}
	return list
}

// MeantBy keeps the runs that a PATH means. At is the PATH below the workspace.
//
//   - It may be in the files of runs, or be the directory of one: those are meant.
//   - Named by the caller, it may be the root of a state directory: all of its runs are meant.
//   - Else it holds runs: those are meant, not one that lies around it.
//   - Else it is in state directories: the runs of the innermost are meant.
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
		func(r Run) bool { return r.Instance.Root == innermost },
	} {
		list := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return !meant(r) })
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// holds reports whether a path is in the files of a run that names some, and in no other place of its state directory.
func (r Run) holds(at string) bool {
	return r.Self != nil && len(r.Self.Files) > 0 && slices.ContainsFunc(r.Paths(), func(p string) bool {
		return p != r.Instance.Root && slashpath.Holds(p, at)
	})
}

// Restrict keeps of each state directory that lies around PATHs the runs and findings that these mean: the runs whose
// files they are in, and what is found at or below them. Paths are below the workspace.
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
