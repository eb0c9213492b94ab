package result

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

// A Run is what a person would name: a detection of a lifecycle of runs, with its parts. A state directory may hold
// many. One that has parts only is one run without a detection of its own.
type Run struct {
	Instance *Instance
	Self     *wire.Detection   // nil if the instance has parts only
	Parts    []*wire.Detection // in the plugin's order
	Updated  Update            // as far as it was asked for
	Commands

	partition *Partition
}

// Commands about one run alone.
type Commands struct {
	Resume  string `json:"resume"`  // prints its brief
	Recover string `json:"recover"` // shows how to fix its instance
	Check   string `json:"check"`   // shows all its findings
}

// Runs returns the runs of all instances, in the order of the instances and then of the plugin's detections.
func (r *Result) Runs() (all []Run) {
	for i := range r.Instances {
		all = append(all, r.Instances[i].Runs()...)
	}
	return all
}

// PassOver leaves a run out of what a check of a change reports, unless a finding of it is in scope.
func (i *Instance) PassOver(run *wire.Detection) {
	if i.untouched == nil {
		i.untouched = map[*wire.Detection]bool{}
	}
	i.untouched[run] = true
}

// SetUpdated notes when the run was updated last; its state directory was updated when the last of its runs was.
func (r *Run) SetUpdated(u Update) {
	r.Updated = u
	if i := r.Instance; r.Self != nil {
		if i.updates == nil {
			i.updates = map[*wire.Detection]Update{}
		}
		i.updates[r.Self] = u
	}
	if u.At.After(r.Instance.LastUpdate.At) {
		r.Instance.LastUpdate = u
	}
}

// RunsAndRoots returns the runs of all instances, and then an empty one for each instance that has none, unless there
// is nothing in it but a pointer.
func (r *Result) RunsAndRoots() []Run {
	all := r.Runs()
	for i := range r.Instances {
		x := &r.Instances[i]
		pointer := len(x.Chooses) > 0 && len(x.Diagnostics)+len(x.Suppressed) == 0
		if len(x.Detections) == 0 && !pointer {
			all = append(all, Run{Instance: &r.Instances[i]})
		}
	}
	return all
}

// Runs returns the runs of a state directory. A part that does not say which run it is a part of is one of each.
func (i *Instance) Runs() (runs []Run) {
	p := i.Partition()
	for _, self := range p.runs {
		found := func(d Diagnostic) bool { return p.RunOf(&d) == self }
		if i.untouched[self] && !slices.ContainsFunc(i.Diagnostics, found) {
			continue
		}
		updated, known := i.updates[self]
		if !known {
			updated = i.LastUpdate
		}
		runs = append(runs, Run{Instance: i, Self: self, Updated: updated, partition: p})
	}
	var parts []*wire.Detection
	for j := range i.Detections {
		if d := &i.Detections[j]; !slices.Contains(p.runs, d) {
			parts = append(parts, d)
		}
	}
	if len(p.runs) == 0 && len(parts) > 0 {
		return []Run{{Instance: i, Parts: parts, Updated: i.LastUpdate, partition: p}}
	}
	for j := range runs {
		for _, d := range parts {
			if of := p.named(d.PartOf); of == nil || of == runs[j].Self {
				runs[j].Parts = append(runs[j].Parts, d)
			}
		}
	}
	return runs
}

// State is that of the run itself. A run of parts only is active while a part is,
// else blocked, abandoned or finished like any of them, in this order.
func (r Run) State() wire.State {
	if r.Self != nil {
		return r.Self.State
	}
	for _, s := range []wire.State{wire.Active, wire.Blocked, wire.Abandoned} {
		if slices.ContainsFunc(r.Parts, func(d *wire.Detection) bool { return d.State == s }) {
			return s
		}
	}
	return wire.Finished
}

// StateIn is the state of a run as in status: blocked, too, if findings of its own close the gate, or if one of the
// state directory says that it blocks the run.
func (r Run) StateIn(failOn wire.Severity) wire.State {
	switch {
	case len(r.Closing(failOn)) > 0:
		return wire.Blocked
	case len(r.Parts) == 0 && r.Self == nil: // nothing but findings
		return wire.Finished
	}
	return r.State()
}

// GoesOn reports whether there is something to continue: a blocked run continues once its blocker is resolved.
func GoesOn(s wire.State) bool { return s == wire.Active || s == wire.Blocked }

// States are all states of runs, in the order in which they are shown.
var States = []wire.State{wire.Blocked, wire.Active, wire.Finished, wire.Abandoned}

// SortRuns puts runs in the order in which they are shown: by state, then the last ones that were updated first.
func SortRuns(runs []Run, failOn wire.Severity) {
	slices.SortStableFunc(runs, func(x, y Run) int {
		return cmp.Or(slices.Index(States, x.StateIn(failOn))-slices.Index(States, y.StateIn(failOn)),
			y.Updated.At.Compare(x.Updated.At))
	})
}

// CountStates counts runs by state.
func CountStates(runs []Run, failOn wire.Severity) map[wire.State]int {
	n := map[wire.State]int{}
	for _, r := range runs {
		n[r.StateIn(failOn)]++
	}
	return n
}

// Current returns the runs that the workflows choose: per plugin the detection of the smallest rank, the last of
// equals, since names that begin with a date sort the newest last.
func (r *Result) Current() map[*wire.Detection]bool {
	best := map[string]*wire.Detection{}
	for i := range r.Instances {
		inst := &r.Instances[i]
		for j := range inst.Detections {
			d := &inst.Detections[j]
			if old := best[inst.Plugin]; d.Chosen > 0 && (old == nil || d.Chosen <= old.Chosen) {
				best[inst.Plugin] = d
			}
		}
	}
	picks := map[*wire.Detection]bool{}
	for _, d := range best {
		picks[d] = true
	}
	return picks
}

// InProgress reports whether there is something to continue.
func (r Run) InProgress() bool { return GoesOn(r.State()) }

// Name tells a run from the others of its instance: "review round-1", "flight". A run
// of parts only has the name of its workflow.
func (r Run) Name() string {
	if r.Self == nil {
		return r.Instance.Plugin
	}
	return NameOf(r.Self)
}

// NameOf names the subject of a detection.
func NameOf(d *wire.Detection) string {
	if d.Subject == "" || d.Subject == d.Lifecycle {
		return d.Lifecycle
	}
	return d.Lifecycle + " " + d.Subject
}

// Closing are the findings that close the gate at the run if those of failOn or worse do: its own, and those of others
// that say that they block it.
func (r Run) Closing(failOn wire.Severity) (list []Diagnostic) {
	for n := range r.Instance.Diagnostics {
		if d := &r.Instance.Diagnostics[n]; d.Severity >= failOn && r.concerns(d) {
			list = append(list, *d)
		}
	}
	return list
}

// HasFix reports whether recover has something to offer or to advise for what closes the gate at the run.
func (r Run) HasFix(failOn wire.Severity) bool {
	return slices.ContainsFunc(r.Closing(failOn), func(d Diagnostic) bool {
		return len(d.Remedies) > 0 || len(r.Instance.RecoveriesOf(&d)) > 0
	})
}

func (r Run) concerns(d *Diagnostic) bool {
	p := r.partition
	if p == nil {
		p = r.Instance.Partition()
	}
	if r.Self == nil || len(p.runs) < 2 || p.RunOf(d) == r.Self {
		return true
	}
	return slices.ContainsFunc(d.Blocks, func(name wire.RunName) bool { return p.named(name) == r.Self })
}

// Paths are where the files of a run are, below the workspace.
func (r Run) Paths() (list []string) {
	if r.Self == nil || len(r.Self.Files) == 0 {
		return []string{r.Instance.Root}
	}
	for _, g := range r.Self.Files {
		for _, g := range glob.Alternatives(g) {
			if p := slashpath.Join(r.Instance.Root, literal(g)); !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// A RunPlace is where a run is, as a person would point at it.
type RunPlace struct {
	Path  string // of its files, if they are in one place, else the root of its state directory
	Alone bool   // no other run is there
}

// Places returns where runs are.
func Places(runs []Run) []RunPlace {
	type key struct {
		*Instance
		path string
	}
	places, count := make([]RunPlace, len(runs)), map[key]int{}
	for n, r := range runs {
		places[n].Path = r.Instance.Root
		if paths := r.Paths(); len(paths) == 1 {
			places[n].Path = paths[0]
		}
		count[key{r.Instance, places[n].Path}]++
	}
	for n, r := range runs {
		places[n].Alone = count[key{r.Instance, places[n].Path}] == 1
	}
	return places
}

// literal is the beginning of a glob in which nothing is special, in whole components; "." if there is none.
func literal(g string) string {
	var names []string
	for name := range strings.SplitSeq(g, "/") {
		if strings.ContainsAny(name, `*?[\`) {
			break
		}
		names = append(names, name)
	}
	return path.Join(names...)
}

// OfDirectory yields the findings that close the gate and belong to no run of their state directory, although it has
// some.
func (r *Result) OfDirectory(failOn wire.Severity) iter.Seq2[*Instance, *Diagnostic] {
	return func(yield func(*Instance, *Diagnostic) bool) {
		for n := range r.Instances {
			i := &r.Instances[n]
			p := i.Partition()
			for at := range i.Diagnostics {
				d := &i.Diagnostics[at]
				if d.Severity >= failOn && len(p.runs) > 1 && p.RunOf(d) == nil && !yield(i, d) {
					return
				}
			}
		}
	}
}
