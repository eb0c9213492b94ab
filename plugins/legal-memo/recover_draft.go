package legalmemo

import (
	"cmp"
	"slices"

	"github.com/stategate/stategate/sdk/jsondoc"
)

// A draft is a state file built from outputs and from the readable part of a damaged file.
type draft struct {
	done     int  // phases before this one are done
	alone    bool // whether no output exists, so only the readable part proves work
	grows    bool // whether more phases may be done than the outputs prove
	finished bool
	next     string
	guards   []string
	items    *jsondoc.Builder
	names    []string // names of the items
	open     string   // first item that is neither complete nor skipped
	complete int      // number of complete or skipped items
	left     bool     // whether an item is neither
	metrics  *jsondoc.Builder
	own      []string // names of the metrics that the draft sets
}

// item adds an item unless it exists.
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
		d.left, d.open = true, cmp.Or(d.open, key)
	case w == complete:
		d.guards = append(d.guards, key)
		fallthrough
	default:
		d.complete++
	}
}

// has reports whether an item exists, by its name or by the section that it names.
func (d *draft) has(key string) bool {
	l := sectionLetter(key)
	return slices.ContainsFunc(d.names, func(s string) bool {
		return s == key || l != "" &&
			(s == l || sectionLetter(s) == l)
	})
}

// figure sets a metric.
func (d *draft) figure(key string, n int) {
	d.own = append(d.own, key)
	d.metrics.Int(key, int64(n))
}

// keepPhases reopens the first phase that the readable part of a damaged file records as open, and all phases after it.
// If grows is set, it also keeps further phases that this part records as done.
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

// reached returns the number of done phases before the first other one.
func (a *agent) reached() int {
	n := 0
	for n < len(a.phases) && a.phases[n].done() && (n != a.kind.worked || len(a.openItems()) == 0) {
		n++
	}
	return n
}

// extracted returns the sum of the items' footnotes.
func (a *agent) extracted() int {
	sum := 0
	for _, it := range a.items {
		n, _ := integer(it.body.Get("footnotes_extracted"))
		sum += n
	}
	return sum
}
