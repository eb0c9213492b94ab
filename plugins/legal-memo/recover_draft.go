package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk/jsondoc"
)

// A draft is a state file that is made from outputs, and from what can be read of a damaged one.
type draft struct {
	done     int  // phases before this one are done
	grows    bool // more phases may be done than the outputs prove
	finished bool
	next     string
	guards   []string
	items    *jsondoc.Builder
	names    []string // of the items
	complete int      // how many of them are complete or skipped
	left     bool     // one is neither
	total    string   // the metric of the one, "" for none
	counter  string   // and of the other
	metrics  *jsondoc.Builder
	own      []string // the names of the metrics that are set
}

// item adds an item, unless it is there.
func (d *draft) item(key, json string, w word) {
	if d.items == nil {
		d.items = jsondoc.NewObject()
	} else if d.has(key) {
		return
	}
	d.names = append(d.names, key)
	d.items.Raw(key, json)
	switch {
	case w.open():
		d.left = true
	case w == complete:
		d.guards = append(d.guards, key)
		fallthrough
	default:
		d.complete++
	}
}

// has reports whether an item is there, by its name or the section that it names.
func (d *draft) has(key string) bool {
	l := sectionLetter(key)
	return slices.ContainsFunc(d.names, func(s string) bool { return s == key || l != "" && (s == l || sectionLetter(s) == l) })
}

// figure sets a metric.
func (d *draft) figure(key string, n int) {
	d.own = append(d.own, key)
	d.metrics.Int(key, int64(n))
}

// keepPhases calls no phase done that the readable part of a damaged file calls open.
func (d *draft) keepPhases(p *agent) {
	for i, ph := range p.phases {
		if ph.open() {
			d.done = min(d.done, i)
			break
		} else if ph.in && i == d.done && d.grows && (i != p.kind.worked || len(p.openItems()) == 0) {
			d.done++
		}
	}
	d.finished = d.finished && d.done == len(p.kind.names())
	d.guards = slices.DeleteFunc(slices.Clone(d.guards), func(s string) bool { return p.phaseNamed(norm(s)) >= d.done })
}
