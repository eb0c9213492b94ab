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

// keepPhases keeps phases open that the readable part of a damaged file records as open.
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

// reached returns how many phases at the start of a readable part are done.
func (a *agent) reached() int {
	n := 0
	for n < len(a.phases) && a.phases[n].done() && (n != a.kind.worked || len(a.openItems()) == 0) {
		n++
	}
	return n
}

// syntax returns the syntax error of a JSON text, or nil. errors.As would make the guest 30 kB larger.
func syntax(err error) *jsondoc.SyntaxError {
	wrong, _ := any(err).(*jsondoc.SyntaxError) // Parse wraps nothing
	return wrong
}

// beginning returns a text as JSON: the whole text, or the part before the error.
func beginning(text string) string {
	_, err := jsondoc.Parse(text)
	if wrong := syntax(err); wrong != nil {
		return closed(text[:min(wrong.Offset, len(text))])
	}
	return text
}

// closed cuts the start of a JSON text after its last whole member or element, and closes the open brackets.
func closed(text string) string {
	var open, due []byte // pending closing brackets, outermost first: at this byte, and at the cut
	cut := 0
scan:
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			open = append(open, c+2) // } and ] are two code points after { and [
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				break scan
			}
			open = open[:len(open)-1]
			cut, due = i+1, slices.Clone(open)
		case ',':
			cut, due = i, slices.Clone(open)
		}
	}
	slices.Reverse(due)
	return text[:cut] + string(due)
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
