package print

import (
	"cmp"
	_ "embed" // for the script of the page
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/wire"
)

//go:embed page/status.js
var statusScript string

// StatusPage writes the runs of a view as a page of HTML. Runs are data, which its script lays out: thousands of rows
// would be large, and slow long before they are read.
func StatusPage(w io.Writer, r *result.Result, v View, o Options) error {
	p := newPage(w, o)
	gate := r.Gate(o.FailOn)
	p.begin("stategate: "+gateWords[gate], statusScript)
	class := map[result.Gate]string{result.Open: "good"}[gate]
	p.put("<header>\n<h1>Runs of workflows</h1>\n<p><strong class=\"", cmp.Or(class, "bad"), "\">",
		p.text(verdict(r, o.FailOn)), "</strong></p>\n<p class=\"faint\">Made by stategate ",
		p.text(o.Version), " on <time>", v.Now.UTC().Format("2006-01-02 15:04 MST"), "</time>")
	if r.Revision != "" {
		p.put(", of the commit ", p.code(r.Revision))
	}
	p.put(". ◉ is the phase that the documents prove, ◌ the one that the state file claims.</p>\n",
		"<noscript><p>The script of this page lays out the runs, and scripts are off. <code>stategate status</code> "+
			"prints them as text.</p></noscript>\n</header>\n<main>\n")
	p.failures(r)
	flows := flowsOf(&v)
	p.form(flows, tally(v.Runs, o.FailOn))
	s := &sheet{View: &v, rows: newPrinter(io.Discard, o), numbers: map[string]int{}}
	s.number("")
	for _, f := range flows {
		p.flow(r, f, s)
	}
	p.put("</main>\n<script type=\"application/json\" id=\"data\">\n{\"runs\": {")
	for i, f := range flows {
		p.put(map[bool]string{true: ","}[i > 0], "\n\"", f.id, "\": [")
		for n, row := range f.rows {
			line, err := json.Marshal(row) // <, > and & are escaped
			if err != nil {
				return err
			}
			p.put(map[bool]string{true: ","}[n > 0], "\n", string(line))
		}
		p.put("]")
	}
	texts, err := json.Marshal(s.texts)
	if err != nil {
		return err
	}
	p.put("},\n\"texts\": ", string(texts), "}\n</script>\n")
	return p.end(statusScript)
}

func (p *page) failures(r *result.Result) {
	if len(r.Failures) == 0 {
		return
	}
	p.put("<h2>Could not be checked</h2>\n<ul>\n")
	for _, f := range r.Failures {
		p.put("<li>", p.text(failureText(&f)), "</li>\n")
	}
	p.put("</ul>\n")
}

// A flow is a workflow with its runs, blocked ones first.
type flow struct {
	name, id string
	runs     []*result.Run
	rows     []any
}

func flowsOf(v *View) (list []*flow) {
	for i := range v.Runs {
		run := &v.Runs[i]
		at := slices.IndexFunc(list, func(f *flow) bool { return f.name == run.Instance.Plugin })
		if at < 0 {
			at, list = len(list), append(list, &flow{name: run.Instance.Plugin})
		}
		list[at].runs = append(list[at].runs, run)
	}
	slices.SortFunc(list, func(a, b *flow) int { return cmp.Compare(a.name, b.name) })
	for i := range list {
		list[i].id = "w" + strconv.Itoa(i+1)
	}
	return list
}

var pageStates = []wire.State{wire.Blocked, wire.Active, wire.Finished, wire.Abandoned}

var (
	stateWords = map[wire.State]string{wire.Blocked: "blocked", wire.Active: "in progress", wire.Finished: "finished",
		wire.Abandoned: "abandoned"}
	stateClasses = map[wire.State]string{wire.Blocked: "b", wire.Active: "a", wire.Finished: "f", wire.Abandoned: "x"}
)

func (p *page) form(flows []*flow, n map[wire.State]int) {
	p.put("<form role=\"search\" hidden>\n<label>Search <input type=\"search\" " +
		"name=\"words\"></label>\n<label>Workflow <select name=\"workflow\"><option value=\"\">all</option>")
	for _, f := range flows {
		p.put("<option value=\"", f.id, "\">", p.text(f.name), "</option>")
	}
	p.put("</select></label>\n<fieldset><legend>State</legend>")
	for _, s := range pageStates {
		p.put("<label><input type=\"checkbox\" name=\"state\" value=\"", stateClasses[s], "\" checked> <span>",
			stateWords[s], "</span> (", strconv.Itoa(n[s]), ")</label>")
	}
	p.put("</fieldset>\n<output role=\"status\"></output> <button type=\"button\" hidden></button>\n</form>\n")
}

func (p *page) flow(r *result.Result, f *flow, s *sheet) {
	p.put("<section id=\"", f.id, "\">\n<h2 id=\"", f.id, "h\">", p.text(f.name), " <small>", Count(len(f.runs), "run"),
		"</small></h2>\n")
	at := slices.IndexFunc(r.Plugins, func(x *plugin.Plugin) bool { return x.Name == f.name })
	var lives []wire.Lifecycle
	if at >= 0 {
		lives = r.Plugins[at].Manifest.Lifecycles
	}
	for _, l := range lives {
		if l.Unit == wire.Part || len(l.Phases) == 0 {
			continue
		}
		at, all := map[string]int{}, 0
		for _, run := range f.runs {
			if run.Self != nil && run.Self.Lifecycle == l.Name {
				at[run.Self.Observed]++
				all++
			}
		}
		if all == 0 {
			continue
		}
		p.put("<ol class=\"phases\" aria-label=\"Phases of ", p.text(l.Name), ", with how many runs are there\">")
		for _, ph := range l.Phases {
			p.put("<li>", p.text(ph.Name), " (", strconv.Itoa(at[ph.Name]), ")</li>")
		}
		p.put("</ol>\n")
	}
	p.put("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-labelledby=\"", f.id,
		"h\" hidden>\n<table>\n<thead><tr><th scope=\"col\">State</th><th scope=\"col\">Run</th><th "+
			"scope=\"col\">Phase</th>",
		"<th scope=\"col\">Progress</th><th scope=\"col\">Touched</th><th "+
			"scope=\"col\">Next</th></tr></thead>\n<tbody></tbody>\n</table>\n</div>\n</section>\n")
	for _, run := range f.runs {
		f.rows = append(f.rows, s.row(run, lives))
	}
}

// A sheet turns runs into rows, in which a number is that of a text: most say the same. What the columns are says the
// script.
type sheet struct {
	*View
	rows    *printer // of the table for a terminal
	texts   []string
	numbers map[string]int
}

func (s *sheet) number(text string) int {
	text = Safe(text)
	n, known := s.numbers[text]
	if !known {
		n = len(s.texts)
		s.numbers[text], s.texts = n, append(s.texts, text)
	}
	return n
}

// mostNext is how many columns of the next action are shown.
const mostNext = 160

func (s *sheet) row(run *result.Run, lives []wire.Lifecycle) []any {
	x := s.rows.row(run, s.View)
	name, at, progress, where := "", []int{}, []int{}, partCount(run)
	if d := run.Self; d != nil {
		name, where, at = result.NameOf(d), phase(d), onLifecycle(d, lives)
		if pr := d.Progress; pr.Total > 0 {
			progress = []int{min(max(pr.Done, 0), pr.Total), pr.Total, s.number(done(pr) + " " + pr.Unit)}
		}
	}
	t, by := run.Instance.LastTouch, ""
	switch {
	case t.At.IsZero():
	case t.Uncommitted:
		by = "not committed"
	default:
		by = FirstColumns(t.By, 30)
	}
	parts := []int{0} // how many go on, and the first of them
	for _, d := range run.Parts {
		if !goesOn(d) {
			continue
		}
		if parts[0]++; parts[0] <= mostItems {
			parts = append(parts, s.number(result.NameOf(d)+": "+phase(d)+"; "+cmp.Or(d.Resume.First, d.Resume.Next)))
		}
	}
	return []any{stateClasses[x.state], Safe(run.Instance.Root), s.number(name), at, s.number(where), progress,
		s.number(x.touched), s.number(by),
		s.number(FirstColumns(x.next, mostNext)), parts, s.findings(run.Instance)}
}

// onLifecycle is the place of a run on its lifecycle: how many phases that has, and which one is proved and which is
// claimed.
func onLifecycle(d *wire.Detection, lives []wire.Lifecycle) []int {
	at := slices.IndexFunc(lives, func(l wire.Lifecycle) bool { return l.Name == d.Lifecycle })
	if at < 0 {
		return []int{}
	}
	index := func(name string) int {
		return slices.IndexFunc(lives[at].Phases, func(ph wire.Phase) bool { return ph.Name == name })
	}
	return []int{len(lives[at].Phases), index(d.Observed), index(d.Claimed)}
}

// findings are how many there are, how many close the gate, and the first of them, the worst first.
func (s *sheet) findings(i *result.Instance) []any {
	failOn := s.rows.how.FailOn
	list := slices.DeleteFunc(slices.Clone(i.Diagnostics),
		func(d result.Diagnostic) bool { return d.Severity < min(wire.Warning, failOn) })
	slices.SortStableFunc(list, func(a, b result.Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
	closing := 0
	for _, d := range list {
		if d.Severity >= failOn {
			closing++
		}
	}
	all := []any{len(list), closing}
	for _, d := range list[:min(len(list), mostErrors)] {
		all = append(all, []int{s.number(d.Severity.String()), s.number(slashpath.Below(i.Root, d.Place.String())),
			s.number(d.Message), s.number(d.Rule)})
	}
	return all
}
