package print

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"

	"github.com/stategate/stategate/host/result"
)

// This file renders the runs on the page.

// mostPage is the size in bytes from which the page shows further runs in short form.
const mostPage = 970_000

// A pageGroup is a list of runs that have the same state. State is "all" for a list that is not
// grouped by state.
type pageGroup struct {
	State string
	Runs  []template.HTML
}

// runs renders all runs: in full until the page is large, then in short form.
func (p *page) runs(runs []result.Run) error {
	places, size := result.Places(runs), 0
	list := make([]*pageRun, len(runs))
	for n := range runs {
		list[n] = p.run(&runs[n], places[n])
		list[n].Lean = true
		text, err := list[n].html()
		if err != nil {
			return err
		}
		p.Runs, size = append(p.Runs, text), size+len(text)
	}
	for n, x := range list {
		x.Lean = false
		text, err := x.html()
		if err != nil {
			return err
		}
		if size += len(text) - len(p.Runs[n]); size > mostPage {
			break
		}
		p.Runs[n] = text
		p.listed += len(x.Closing) + len(x.Others)
	}
	return nil
}

// group divides the runs by state, unless they are in another order.
func (p *page) group(runs []result.Run) {
	for n, text := range p.Runs {
		state := stateWords[runs[n].StateIn(p.how.FailOn)]
		if last := len(p.Groups) - 1; last >= 0 && p.Groups[last].State == state {
			p.Groups[last].Runs = append(p.Groups[last].Runs, text)
		} else if slices.ContainsFunc(p.Groups, func(g pageGroup) bool { return g.State == state }) {
			p.Groups = []pageGroup{{"all", p.Runs}}
			return
		} else {
			p.Groups = append(p.Groups, pageGroup{state, []template.HTML{text}})
		}
	}
}

// unlisted returns a sentence about the findings that are not on the page, or "" if there are none.
func (p *page) unlisted(r *result.Result) string {
	all := 0
	for n := range r.Instances {
		all += len(r.Instances[n].Diagnostics)
	}
	listed := p.listed + len(p.Directory)
	if all == listed {
		return ""
	}
	return fmt.Sprintf("This page lists %d of %s. All of them: `stategate check --show all`", listed,
		Count(all, "finding"))
}

func (x *pageRun) html() (template.HTML, error) {
	var b bytes.Buffer
	err := pageTemplate().ExecuteTemplate(&b, "run", x)
	return template.HTML(b.String()), err
}
