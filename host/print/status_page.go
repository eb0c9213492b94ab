package print

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // for what the page is made of
	"encoding/base64"
	"html/template"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/wire"
)

var (
	//go:embed page/page.css
	pageStyle string
	//go:embed page/status.js
	statusScript string
	//go:embed page/status.html
	statusPage string
)

var pageTemplate = sync.OnceValue(func() *template.Template {
	words := template.FuncMap{"safe": Safe, "failure": func(f result.Failure) string { return failureText(&f) },
		"word":  func(s wire.State) string { return stateWords[s] },
		"class": func(s wire.State) string { return stateClasses[s] }}
	return template.Must(template.New("status").Funcs(words).Parse(statusPage))
})

// A page is what the template of the page shows. It needs no other file, and its policy lets nothing run but its own
// script, which lays out the rows of Workflows: thousands of rows would be large as markup, and slow long before they
// are read. The template sanitises what comes from outside, and escapes it.
type page struct {
	Policy                 template.HTMLAttr
	Style                  template.CSS
	Script                 template.JS
	Result                 *result.Result
	Open                   bool
	Gate, Verdict, Version string
	Now                    time.Time
	States                 []wire.State
	Runs                   map[wire.State]int
	Workflows              []*pageWorkflow
	Texts                  []string // sanitised; rows have numbers of these, since most say the same

	table   *overview      // for a terminal, from which rows take their words
	numbers map[string]int // of Texts
}

// A pageWorkflow is a workflow with its runs, blocked ones first.
type pageWorkflow struct {
	ID, Name   string
	Lifecycles []wire.Lifecycle
	Runs       []*result.Run
	Rows       [][]any // the script says what the columns are
}

// StatusPage writes the runs of a view as a page of HTML.
func StatusPage(w io.Writer, r *result.Result, v View, o Options) error {
	gate := r.Gate(o.FailOn)
	p := &page{
		Policy: template.HTMLAttr(`content="default-src 'none'; style-src '` + digest(pageStyle) + "'; script-src '" +
			digest(statusScript) + "'; base-uri 'none'; form-action 'none'; " +
			`require-trusted-types-for 'script'; trusted-types 'none'"`),
		Style: template.CSS(pageStyle), Script: template.JS(statusScript),
		Result: r, Open: gate == result.Open, Gate: gateWords[gate], Verdict: verdict(r, o.FailOn), Version: o.Version,
		Now: v.Now.UTC(), States: result.States, Runs: result.CountStates(v.Runs, o.FailOn),
		table: &overview{newReport(io.Discard, r, o), &v, nil}, numbers: map[string]int{},
	}
	p.number("")
	by := map[string]*pageWorkflow{}
	for i := range v.Runs {
		name := v.Runs[i].Instance.Plugin
		if by[name] == nil {
			by[name] = &pageWorkflow{Name: name}
		}
		by[name].Runs = append(by[name].Runs, &v.Runs[i])
	}
	for n, name := range slices.Sorted(maps.Keys(by)) {
		x := by[name]
		x.ID, p.Workflows = "w"+strconv.Itoa(n+1), append(p.Workflows, x)
		if at := slices.IndexFunc(r.Plugins, func(p *plugin.Plugin) bool { return p.Name == name }); at >= 0 {
			x.Lifecycles = r.Plugins[at].Manifest.Lifecycles
		}
		x.Rows = each(x.Runs, func(run **result.Run) []any { return p.row(*run, x.Lifecycles) })
	}
	return pageTemplate().Execute(w, p)
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Count is how many runs there are.
func (x *pageWorkflow) Count() string { return Count(len(x.Runs), "run") }

// On is how many runs are in each phase of a lifecycle; none if it has no runs.
func (x *pageWorkflow) On(l wire.Lifecycle) map[string]int {
	at := map[string]int{}
	for _, run := range x.Runs {
		if run.Self != nil && run.Self.Lifecycle == l.Name && l.Unit != wire.Part && len(l.Phases) > 0 {
			at[run.Self.Observed]++
		}
	}
	return at
}

var (
	stateWords = map[wire.State]string{wire.Blocked: "blocked", wire.Active: "in progress", wire.Finished: "finished",
		wire.Abandoned: "abandoned"}
	stateClasses = map[wire.State]string{wire.Blocked: "b", wire.Active: "a", wire.Finished: "f", wire.Abandoned: "x"}
)

func (p *page) number(text string) int {
	text = Safe(text)
	n, known := p.numbers[text]
	if !known {
		n = len(p.Texts)
		p.numbers[text], p.Texts = n, append(p.Texts, text)
	}
	return n
}

// mostNext is how many columns of the next action are shown.
const mostNext = 160

func (p *page) row(run *result.Run, lives []wire.Lifecycle) []any {
	x := p.table.row(run, result.RunPlace{Path: run.Instance.Root, Alone: true})
	name, at, progress, where := "", []int{}, []int{}, partCount(run)
	if d := run.Self; d != nil {
		name, where, at = result.NameOf(d), phase(d), onLifecycle(d, lives)
		if pr := d.Progress; pr.Total > 0 {
			progress = []int{min(max(pr.Done, 0), pr.Total), pr.Total, p.number(done(pr) + " " + pr.Unit)}
		}
	}
	t, by := run.Updated, ""
	switch {
	case t.At.IsZero():
	case t.Uncommitted:
		by = "not committed"
	default:
		by = FirstColumns(t.By, 30)
	}
	parts := []int{0} // how many go on, and the first of them
	for _, d := range run.Parts {
		if !result.GoesOn(d.State) {
			continue
		}
		if parts[0]++; parts[0] <= mostItems {
			parts = append(parts, p.number(result.NameOf(d)+": "+phase(d)+"; "+cmp.Or(d.Resume.First, d.Resume.Next)))
		}
	}
	return []any{stateClasses[x.state], Safe(run.Instance.Root), p.number(name), at, p.number(where), progress,
		p.number(x.updated), p.number(by),
		p.number(FirstColumns(x.next, mostNext)), parts, p.findings(run)}
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

// findings are how many a run has, how many close the gate, and the first of them, the worst first.
func (p *page) findings(run *result.Run) []any {
	i, failOn := run.Instance, p.table.how.FailOn
	list := run.Closing(min(wire.Warning, failOn))
	slices.SortStableFunc(list, func(a, b result.Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
	closing := 0
	for _, d := range list {
		if d.Severity >= failOn {
			closing++
		}
	}
	all := []any{len(list), closing}
	for _, d := range list[:min(len(list), mostErrors)] {
		all = append(all, []int{p.number(d.Severity.String()), p.number(slashpath.Below(i.Root, d.Place.String())),
			p.number(d.Message), p.number(d.Rule)})
	}
	return all
}
