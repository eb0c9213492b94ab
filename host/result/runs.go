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

// A Run is what a person would call a run: a detection of a lifecycle of runs, with its parts. A state directory may
// contain many. Parts without a detection of their own run form one run together.
type Run struct {
	Instance *Instance
	Self     *wire.Detection   // nil if the instance only has parts
	Parts    []*wire.Detection // in the plugin's order
	Updated  Update            // if it was requested
	Commands

	partition *Partition
}

// Commands are the commands for a single run.
type Commands struct {
	Resume  string `json:"resume"`  // prints its brief
	Recover string `json:"recover"` // shows how to fix its instance
	Check   string `json:"check"`   // shows all its findings
}

// Runs returns all instances' runs, in the order of the instances and of the plugin's detections.
func (r *Result) Runs() (all []Run) {
	for i := range r.Instances {
		all = append(all, r.Instances[i].Runs()...)
	}
	return all
}

// PassOver marks a run as out of scope in a check of a change, unless one of its findings is in scope.
func (i *Instance) PassOver(run *wire.Detection) {
	if i.untouched == nil {
		i.untouched = map[*wire.Detection]bool{}
	}
	i.untouched[run] = true
}

// SetUpdated sets when the run was last updated. A state directory's last update is the latest of its runs' updates.
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

// RunsAndRoots returns all instances' runs, followed by an empty run for each instance without runs. It skips such an
// instance if it contains only a pointer, or if it has no error and its plugin has runs elsewhere.
func (r *Result) RunsAndRoots() []Run {
	runs := r.Runs()
	all := runs
	for i := range r.Instances {
		x := &r.Instances[i]
		pointer := len(x.Chooses) > 0 && len(x.Diagnostics)+len(x.Suppressed) == 0
		if len(x.Detections) == 0 && !pointer && !x.besides(runs) {
			all = append(all, Run{Instance: &r.Instances[i]})
		}
	}
	return all
}

// Counted returns what a person would count as runs: the runs, and the state directories without runs in which
// something is wrong.
func Counted(r *Result) (list []Run) {
	for _, run := range r.RunsAndRoots() {
		if i := run.Instance; len(i.Detections)+len(i.Diagnostics)+len(i.Suppressed) > 0 {
			list = append(list, run)
		}
	}
	return list
}

// besides reports whether an instance has no error, and other instances of its plugin have runs.
func (i *Instance) besides(runs []Run) bool {
	wrong := func(d Diagnostic) bool { return d.Severity == wire.Error }
	sister := func(r Run) bool { return r.Instance.Plugin == i.Plugin && r.Instance != i }
	return !slices.ContainsFunc(i.Diagnostics, wrong) && slices.ContainsFunc(runs, sister)
}

// Runs returns a state directory's runs. A part that does not name its run belongs to each of them.
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

// State returns the run's own state. A run that only has parts is active if any part is active, or else blocked,
// abandoned or finished, in this order, if any part has that state.
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

// StateIn returns the run's state as status shows it. A run is also blocked if its own findings close the gate, or if
// a finding of the state directory says that it blocks the run.
func (r Run) StateIn(failOn wire.Severity) wire.State {
	switch {
	case len(r.Closing(failOn)) > 0:
		return wire.Blocked
	case len(r.Parts) == 0 && r.Self == nil: // there are only findings
		return wire.Finished
	}
	return r.State()
}

// GoesOn reports whether a run in this state can be continued. A blocked run continues once its blocker is resolved.
func GoesOn(s wire.State) bool { return s == wire.Active || s == wire.Blocked }

// States lists all states of runs in display order.
var States = []wire.State{wire.Blocked, wire.Active, wire.Finished, wire.Abandoned}

// SortRuns sorts runs for display: by state, then most recently updated first.
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

// Current returns the runs that the workflows choose: for each plugin, the detection with the smallest rank. If
// ranks are equal, the last one wins, because names that begin with a date sort the newest last.
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

// InProgress reports whether the run can be continued.
func (r Run) InProgress() bool { return GoesOn(r.State()) }

// Name distinguishes a run from others in its instance, such as "review round-1" or "flight". A run that only has
// parts has its workflow's name.
func (r Run) Name() string {
	if r.Self == nil {
		return r.Instance.Plugin
	}
	return NameOf(r.Self)
}

// NameOf returns the name of a detection's subject. A subject such as epic-1 already contains the lifecycle's name.
func NameOf(d *wire.Detection) string {
	switch {
	case d.Subject == "" || d.Subject == d.Lifecycle:
		return d.Lifecycle
	case strings.HasPrefix(d.Subject, d.Lifecycle+"-"):
		return d.Subject
	}
	return d.Lifecycle + " " + d.Subject
}

// Closing returns the findings that close the gate for the run, if severity failOn or worse closes it: the run's own
// findings, and others that block the run.
func (r Run) Closing(failOn wire.Severity) (list []Diagnostic) {
	for n := range r.Instance.Diagnostics {
		if d := &r.Instance.Diagnostics[n]; d.Severity >= failOn && r.concerns(d) {
			list = append(list, *d)
		}
	}
	return list
}

// HasFix reports whether recover offers or describes a fix for a finding that closes the gate for the run.
func (r Run) HasFix(failOn wire.Severity) bool {
	return slices.ContainsFunc(r.Closing(failOn), func(d Diagnostic) bool {
		return r.Instance.HasFix(&d)
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

// Paths returns the paths of a run's files, relative to the workspace.
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

// A RunPlace is a run's location, as a person would name it.
type RunPlace struct {
	Path  string // the path of its files if they share one, or else its state directory's root
	Alone bool   // there is no other run at Path
}

// Places returns the runs' locations.
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

// literal returns the leading path components of a glob that contain no special characters, or "." if there are none.
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

// OfDirectory yields the findings that close the gate and belong to no run, for state directories that have runs.
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
