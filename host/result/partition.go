package result

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

// A Partition tells which files and findings of a state directory belong to which run. A run is a detection; nil stands
// for the state directory itself, to which belongs what is no run's.
type Partition struct {
	instance *Instance
	runs     []*wire.Detection // without those that are parts
	files    []*glob.Set       // by run; nil for one that names no files
}

// Partition divides a state directory among its runs.
func (i *Instance) Partition() *Partition {
	p := &Partition{instance: i}
	for n := range i.Detections {
		if d := &i.Detections[n]; !i.isPart(d) {
			var files *glob.Set
			if len(d.Files) > 0 {
				files, _ = glob.Compile(d.Files) // admission has refused bad globs
			}
			p.runs, p.files = append(p.runs, d), append(p.files, files)
		}
	}
	return p
}

// isPart reports whether a detection is of a part of a run.
func (i *Instance) isPart(d *wire.Detection) bool {
	if d.PartOf != (wire.RunName{}) {
		return true
	}
	at := slices.IndexFunc(i.Lifecycles, func(l wire.Lifecycle) bool { return l.Name == d.Lifecycle })
	return at >= 0 && i.Lifecycles[at].Unit == wire.Part
}

// RunOf returns the run that a finding belongs to: the one that its rule names, else the one whose files its place is
// among, else the state directory. A state directory with one run is that run.
func (p *Partition) RunOf(d *Diagnostic) *wire.Detection {
	switch {
	case len(p.runs) == 0:
		return nil
	case len(p.runs) == 1:
		return p.runs[0]
	}
	if run := p.named(d.Run); run != nil {
		return run
	}
	return p.ownerOf(slashpath.Below(p.instance.Root, d.Place.Path))
}

// named returns the run of a name; of a part the run that it is a part of. It is nil if there is none.
func (p *Partition) named(name wire.RunName) *wire.Detection {
	for range p.instance.Detections { // a chain of parts is not longer
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

// Holds reports whether a document, named below the root, belongs to a run. One that names no files may have any.
func (p *Partition) Holds(run *wire.Detection, file string) bool {
	if len(p.runs) < 2 {
		return true
	}
	if at := slices.Index(p.runs, run); at >= 0 && p.files[at] == nil {
		return true
	}
	return p.ownerOf(file) == run
}

// byRun returns the findings of a state directory run by run: first what belongs to none.
func (i *Instance) byRun() []*Diagnostic {
	p, run := i.Partition(), map[*Diagnostic]int{}
	list := make([]*Diagnostic, len(i.Diagnostics))
	for n := range list {
		list[n] = &i.Diagnostics[n]
		run[list[n]] = slices.Index(p.runs, p.RunOf(list[n])) // -1 for none
	}
	slices.SortStableFunc(list, func(a, b *Diagnostic) int { return cmp.Compare(run[a], run[b]) })
	return list
}
