package result

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// A Run is what is resumed as a whole: a detection of a lifecycle of runs, with the parts of its instance. An instance
// that has parts only is one run without a detection of its own.
type Run struct {
	Instance *Instance
	Self     *wire.Detection   // nil if the instance has parts only
	Parts    []*wire.Detection // in the plugin's order
	Commands
}

// Commands speak of one run alone.
type Commands struct {
	Resume  string `json:"resume"`  // prints its brief
	Recover string `json:"recover"` // shows what mends its instance
	Check   string `json:"check"`   // shows all its findings
}

// Runs returns the runs of all instances, in the order of the instances and then of the plugin's detections.
func (r *Result) Runs() []Run {
	manifests := map[string]*wire.Manifest{}
	for _, p := range r.Plugins {
		manifests[p.Name] = p.Manifest
	}
	var all []Run
	for i := range r.Instances {
		all = append(all, runsOf(&r.Instances[i], manifests[r.Instances[i].Plugin])...)
	}
	return all
}

// RunsAndRoots returns the runs of all instances, and then an empty one for each instance that has none.
func (r *Result) RunsAndRoots() []Run {
	all := r.Runs()
	for i := range r.Instances {
		if len(r.Instances[i].Detections) == 0 {
			all = append(all, Run{Instance: &r.Instances[i]})
		}
	}
	return all
}

func runsOf(i *Instance, m *wire.Manifest) []Run {
	var runs []Run
	var parts []*wire.Detection
	for j := range i.Detections {
		d := &i.Detections[j]
		if unitOf(m, d.Lifecycle) == wire.Part {
			parts = append(parts, d)
		} else {
			runs = append(runs, Run{Instance: i, Self: d})
		}
	}
	if len(runs) == 0 && len(parts) > 0 {
		return []Run{{Instance: i, Parts: parts}}
	}
	for j := range runs {
		runs[j].Parts = parts
	}
	return runs
}

func unitOf(m *wire.Manifest, lifecycle string) wire.Unit {
	if m == nil {
		return wire.Run
	}
	at := slices.IndexFunc(m.Lifecycles, func(l wire.Lifecycle) bool { return l.Name == lifecycle })
	if at < 0 {
		return wire.Run
	}
	return m.Lifecycles[at].Unit
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

// StateIn is the state of a run as status has it: blocked, too, where its findings close the gate. They count for the
// runs that go on, or for all where none does.
func (r Run) StateIn(failOn wire.Severity) wire.State {
	s := r.State()
	if len(r.Parts) == 0 && r.Self == nil { // nothing but findings
		s = wire.Finished
	}
	someGoOn := slices.ContainsFunc(r.Instance.Detections, func(d wire.Detection) bool { return GoesOn(d.State) })
	if len(r.Closing(failOn)) > 0 && (r.InProgress() || !someGoOn) {
		return wire.Blocked
	}
	return s
}

// GoesOn reports whether there is something to continue: what is blocked goes on once its blocker is settled.
func GoesOn(s wire.State) bool { return s == wire.Active || s == wire.Blocked }

// States are all states of runs, in the order in which they are shown.
var States = []wire.State{wire.Blocked, wire.Active, wire.Finished, wire.Abandoned}

// SortRuns puts runs in the order in which they are shown: by state, then the last ones that were updated first.
func SortRuns(runs []Run, failOn wire.Severity) {
	slices.SortStableFunc(runs, func(x, y Run) int {
		return cmp.Or(slices.Index(States, x.StateIn(failOn))-slices.Index(States, y.StateIn(failOn)),
			y.Instance.LastUpdate.At.Compare(x.Instance.LastUpdate.At))
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

// Closing are the findings that close the gate at the run's instance if those of failOn or worse do.
func (r Run) Closing(failOn wire.Severity) []Diagnostic {
	return slices.DeleteFunc(slices.Clone(r.Instance.Diagnostics),
		func(d Diagnostic) bool { return d.Severity < failOn })
}
