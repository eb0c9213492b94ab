package result

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

// A Partition assigns a state directory's files and findings to runs. A run is a detection. nil stands for the state
// directory itself, which gets everything that belongs to no run.
type Partition struct {
	instance *Instance
	runs     []*wire.Detection // without detections that are parts
	files    []*glob.Set       // by run; nil for a run that lists no files
}

// Partition divides a state directory among its runs.
func (i *Instance) Partition() *Partition {
	p := &Partition{instance: i}
	for n := range i.Detections {
		if d := &i.Detections[n]; !i.isPart(d) {
			var files *glob.Set
			if len(d.Files) > 0 {
				files, _ = glob.Compile(d.Files) // admission has rejected invalid globs
			}
			p.runs, p.files = append(p.runs, d), append(p.files, files)
		}
	}
	return p
}

func (i *Instance) isPart(d *wire.Detection) bool {
	if d.PartOf != (wire.RunName{}) {
		return true
	}
	at := slices.IndexFunc(i.Lifecycles, func(l wire.Lifecycle) bool { return l.Name == d.Lifecycle })
	return at >= 0 && i.Lifecycles[at].Unit == wire.Part
}

// RunOf returns the run that a finding belongs to: the run that its rule names, or else the run whose files contain
// the finding's location, or else nil for the state directory. If a state directory has a single run, which
// lists no files, everything belongs to it.
func (p *Partition) RunOf(d *Diagnostic) *wire.Detection {
	if p.single() {
		return p.runs[0]
	}
	if run := p.named(d.Run); run != nil {
		return run
	}
	return p.ownerOf(slashpath.Below(p.instance.Root, d.Place.Path))
}

// single reports whether the only run lists no files, so that everything belongs to it.
func (p *Partition) single() bool { return len(p.runs) == 1 && p.files[0] == nil }

// NameOf returns the name of the run or part that a finding's rule names, or else of its run. It is empty for a finding
// of the state directory.
func (p *Partition) NameOf(d *Diagnostic) wire.RunName {
	if run := p.RunOf(d); d.Run == (wire.RunName{}) && run != nil {
		return wire.RunName{Lifecycle: run.Lifecycle, Subject: run.Subject}
	}
	return d.Run
}

// named returns the run with the given name. For a part, it returns the run that contains the part. It returns nil if
// there is none.
func (p *Partition) named(name wire.RunName) *wire.Detection {
	for range p.instance.Detections { // a chain of parts cannot be longer
		if name == (wire.RunName{}) {
			return nil
		}
		at := slices.IndexFunc(p.instance.Detections, func(d wire.Detection) bool {
			return d.Lifecycle == name.Lifecycle && d.Subject == name.Subject
		})
		if at < 0 {
			return nil
		}
		d := &p.instance.Detections[at]
		if slices.Contains(p.runs, d) {
			return d
		}
		name = d.PartOf
	}
	return nil
}

func (p *Partition) ownerOf(file string) *wire.Detection {
	for n, set := range p.files {
		if set != nil && set.Matches(file) {
			return p.runs[n]
		}
	}
	return nil
}

// Holds reports whether a document, relative to the root, belongs to a run. A run that lists no files may have any
// document.
func (p *Partition) Holds(run *wire.Detection, file string) bool {
	if len(p.runs) == 0 || p.single() {
		return true
	}
	if at := slices.Index(p.runs, run); at >= 0 && p.files[at] == nil {
		return true
	}
	return p.ownerOf(file) == run
}

// byRun returns a state directory's findings grouped by run. Findings that belong to no run come first.
func (i *Instance) byRun() []*Diagnostic {
	p, run := i.Partition(), map[*Diagnostic]int{}
	list := make([]*Diagnostic, len(i.Diagnostics))
	for n := range list {
		list[n] = &i.Diagnostics[n]
		run[list[n]] = slices.Index(p.runs, p.RunOf(list[n])) // -1 if it belongs to no run
	}
	slices.SortStableFunc(list, func(a, b *Diagnostic) int { return cmp.Compare(run[a], run[b]) })
	return list
}
