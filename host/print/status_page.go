package print

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // for what the page is made of
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

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
		"item":  func(step string) string { return strings.TrimPrefix(step, "- ") },
		"count": Count, "safety": func(s string) string { return safetyWords[s] },
		"word":  func(s wire.State) string { return stateWords[s] },
		"class": func(s wire.State) string { return stateClasses[s] }}
	return template.Must(template.New("status").Funcs(words).Parse(statusPage))
})

// A page is what the template of the page shows. It needs no other file, and its policy lets nothing run but its own
// script, which filters the list: without it the page has everything. The template escapes what comes from outside.
type page struct {
	Policy           template.HTMLAttr
	Style            template.CSS
	Script           template.JS
	Result           *result.Result
	Gate             result.Gate
	Verdict, Version string
	Standing         string // how many runs are in each state
	Recover          string // the command that fixes what closes the gate
	Facts            [][2]string
	Checked          string // when
	States           []wire.State
	Counts           map[wire.State]int
	Workflows        []string
	Runs             []template.HTML // a run each
	Directory        []pageFinding   // that belong to no run
	Lifecycles       []pageLifecycle
	Drawings         []drawing
	Bars             []bar20
	Notes            []string
	Accept           string

	*overview                   // for a terminal, from which runs take their words
	links     map[string]string // to the documentation of rules
}

// A pageRun is a run as the page shows it.
type pageRun struct {
	row
	Class, State, Place, Name, Of string
	Bar                           int
	Drawing, Step, Actual         string
	Recorded, Done, Next          string
	Updated, By                   string
	Current, Lean, Broken         bool // Broken: findings close the gate
	Closing, Others               []pageFinding
	Parts                         []string
	PartCount, Rest               string
}

// A pageFinding is a finding as the page shows it.
type pageFinding struct {
	Severity, Message, Place, Rule, Link, ID string
	Fixes                                    []fix
}

type pageLifecycle struct {
	Workflow string
	wire.Lifecycle
}

// mostPage is how large the page may become before runs at its end are shown in short.
const mostPage = 970_000

// StatusPage writes the runs of a view as a page of HTML.
func StatusPage(w io.Writer, r *result.Result, v View, o Options) error {
	p := &page{
		Policy: template.HTMLAttr(`content="default-src 'none'; style-src '` + digest(pageStyle) + "'; script-src '" +
			digest(statusScript) + "'; base-uri 'none'; form-action 'none'; " +
			`require-trusted-types-for 'script'; trusted-types 'none'"`),
		Style: template.CSS(pageStyle), Script: template.JS(statusScript),
		Result: r, Gate: r.Gate(o.FailOn), Verdict: counts(r, wire.Inherit), Version: o.Version, Facts: v.facts(r),
		Checked: v.Now.UTC().Format("2006-01-02 15:04 MST"), States: result.States,
		Counts: result.CountStates(v.Runs, o.FailOn), Notes: o.notes(r),
		overview: &overview{newReport(io.Discard, r, o), &v, r.Current()}, links: ruleLinks(r.Plugins),
	}
	p.short = shortIDs(r)
	if o.Accept != nil {
		p.Accept = o.Accept("ID")
	}
	p.Standing, p.Recover = standing(p.Counts), Safe(o.Recover)
	for i, d := range r.OfDirectory(o.FailOn) {
		p.Directory = append(p.Directory, p.pageFinding(i, d, ""))
	}
	p.legend(v.Runs)
	if err := p.runs(v.Runs); err != nil {
		return err
	}
	return pageTemplate().Execute(w, p)
}

// standing counts the runs of each state, the blocked ones first.
func standing(counts map[wire.State]int) string {
	var list []string
	for _, s := range result.States {
		if n := counts[s]; n > 0 {
			list = append(list, fmt.Sprintf("%d %s", n, stateWords[s]))
		}
	}
	return strings.Join(list, ", ")
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

var (
	stateWords = map[wire.State]string{wire.Blocked: "blocked", wire.Active: "in progress", wire.Finished: "finished",
		wire.Abandoned: "abandoned"}
	stateClasses = map[wire.State]string{wire.Blocked: "b", wire.Active: "a", wire.Finished: "f", wire.Abandoned: "x"}
)

var safetyWords = map[string]string{wire.Safe.String(): "safe", wire.Review.String(): "needs review",
	wire.Manual.String(): "by hand"}

// legend lists the workflows that have runs, and the lifecycles that runs are in.
func (p *page) legend(runs []result.Run) {
	for _, run := range runs {
		name := Safe(run.Instance.Plugin)
		if !slices.Contains(p.Workflows, name) {
			p.Workflows = append(p.Workflows, name)
		}
		for _, l := range run.Instance.Lifecycles {
			known := func(k pageLifecycle) bool { return k.Workflow == name && k.Name == l.Name }
			if run.Self != nil && run.Self.Lifecycle == l.Name && len(l.Phases) > 0 &&
				!slices.ContainsFunc(p.Lifecycles, known) {
				p.Lifecycles = append(p.Lifecycles, pageLifecycle{name, l})
			}
		}
	}
	slices.Sort(p.Workflows)
	slices.SortStableFunc(p.Lifecycles, func(a, b pageLifecycle) int { return cmp.Compare(a.Workflow, b.Workflow) })
}

// runs lays out all runs: in full from the first one on until the page is large, the others in short.
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
	}
	return nil
}

func (x *pageRun) html() (template.HTML, error) {
	var b bytes.Buffer
	err := pageTemplate().ExecuteTemplate(&b, "run", x)
	return template.HTML(b.String()), err
}

func (p *page) run(run *result.Run, place result.RunPlace) *pageRun {
	x := &pageRun{row: p.row(run, place), Place: Safe(place.Path), PartCount: partCount(run)}
	x.Class, x.State, x.Next = stateClasses[x.state], stateWords[x.state], x.next
	x.Updated, x.By = p.updated(run)
	x.Of, x.Actual = Safe(run.Instance.Plugin), x.phase
	if dir, base := path.Split(place.Path); place.Alone {
		x.Place, x.Name = strings.TrimSuffix(Safe(dir), "/"), Safe(base)
	}
	if d := run.Self; d != nil {
		x.Current = p.picks[d]
		actual, recorded := phases(d)
		x.Actual, x.Recorded = Safe(actual), Safe(recorded)
		at := stepOf(run)
		if x.Drawing = p.drawing(at); at.actual >= 0 && at.all > 0 {
			x.Step = fmt.Sprintf("%d of %d", at.actual+1, at.all)
		}
		if pr := d.Progress; pr.Total > 0 {
			x.Bar = p.bar(pr)
			x.Done = strings.TrimSpace(done(pr) + " " + Safe(pr.Unit))
		}
		name := Safe(result.NameOf(d))
		if !place.Alone {
			x.Name, name = name, ""
		} else if Safe(d.Subject) == x.Name {
			name = Safe(d.Lifecycle)
		}
		if name != "" {
			x.Of += " · " + name
		}
	}
	for n, d := range run.Parts {
		if result.GoesOn(d.State) && n < mostItems {
			x.Parts = append(x.Parts, Safe(result.NameOf(d)+": "+phase(d)+"; "+d.Resume.Next))
		}
	}
	p.findings(x, run)
	return x
}

// findings adds the findings of a run: first those that close the gate.
func (p *page) findings(x *pageRun, run *result.Run) {
	list := findingsOf(run, p.how.FailOn)
	if n := len(list); n > mostErrors {
		list, x.Rest = list[:mostErrors], Count(n-mostErrors, "more finding")
	}
	for n := range list {
		f := p.pageFinding(run.Instance, &list[n], run.Instance.Root)
		if list[n].Severity >= p.how.FailOn {
			x.Closing = append(x.Closing, f)
		} else {
			x.Others = append(x.Others, f)
		}
	}
	x.Broken = len(x.Closing) > 0
}

// pageFinding is a finding whose place is below a directory.
func (p *page) pageFinding(i *result.Instance, d *result.Diagnostic, below string) pageFinding {
	fixes := p.how.fixes(i, d)
	for _, r := range append(i.RecoveriesOf(d), d.Remedies...) {
		for n := range fixes {
			fixes[n].Command = strings.ReplaceAll(fixes[n].Command, r.ID, cmp.Or(p.short[r.ID], r.ID))
		}
	}
	return pageFinding{d.Severity.String(), Safe(d.Message), Safe(slashpath.Below(below, d.Place.String())),
		Safe(d.Rule), p.links[d.Rule], p.short[d.Fingerprint], fixes}
}

// A drawing is a place on a lifecycle: a dot for each phase.
type drawing struct {
	ID   string
	End  int
	Dots []dot
}

// A dot is a phase.
type dot struct {
	Class string
	X     int
}

// drawing returns the id of the drawing of a place; "" if there is no lifecycle.
func (p *page) drawing(at step) string {
	if at.all == 0 {
		return ""
	}
	id := fmt.Sprintf("l%d-%d-%d", at.all, at.actual+1, at.recorded+1)
	if slices.ContainsFunc(p.Drawings, func(x drawing) bool { return x.ID == id }) {
		return id
	}
	const first, width, most = 7, 152, 36 // pixels
	distance := min(width/max(at.all-1, 1), most)
	x := drawing{ID: id, End: first + distance*(at.all-1)}
	for n := range at.all {
		x.Dots = append(x.Dots, dot{at.mark(n, "past", "actual", "todo", "recorded"), first + n*distance})
	}
	p.Drawings = append(p.Drawings, x)
	return id
}

// bar20 is a bar of progress in twentieths.
type bar20 int

// End is where what is done ends, on a bar from 3 to 93.
func (b bar20) End() int { return 3 + int(b)*90/20 }

// bar returns the number of a bar.
func (p *page) bar(pr wire.Progress) int {
	n := bar20(min(max(pr.Done*20/pr.Total, 0), 20))
	if !slices.Contains(p.Bars, n) {
		p.Bars = append(p.Bars, n)
	}
	return int(n)
}
