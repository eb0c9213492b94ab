package legalmemo

import (
	"cmp"
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
	open     string   // the first of them that is neither complete nor skipped
	complete int      // how many of them are complete or skipped
	left     bool     // one is neither
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
		d.left, d.open = true, cmp.Or(d.open, key)
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

// syntax is what is wrong with a JSON text, nil for nothing. errors.As would make the guest 30 kB larger.
func syntax(err error) *jsondoc.SyntaxError {
	wrong, _ := any(err).(*jsondoc.SyntaxError) // Parse wraps nothing
	return wrong
}

// beginning is a text as JSON: the whole, or what is before the fault.
func beginning(text string) string {
	_, err := jsondoc.Parse(text)
	if wrong := syntax(err); wrong != nil {
		return closed(text[:min(wrong.Offset, len(text))])
	}
	return text
}

// closed cuts the beginning of a JSON text behind its last whole member or element, and closes what is open there.
func closed(text string) string {
	var open, due []byte // the closing brackets that are due, the outermost first: here, and where it is cut
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
			open = append(open, c+2) // } and ] follow two behind { and [
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

// extracted is the sum of the footnotes of the items.
func (a *agent) extracted() int {
	sum := 0
	for _, it := range a.items {
		n, _ := integer(it.body.Get("footnotes_extracted"))
		sum += n
	}
	return sum
}
