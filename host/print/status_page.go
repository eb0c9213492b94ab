package print

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // for the page's files
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/result"
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
	words := template.FuncMap{"safe": Safe, "code": codeSpans, "claim": claimed,
		"accept":  func() string { return acceptText },
		"failure": func(f result.Failure) string { return failureText(&f) },
		"item":    func(step string) string { return strings.TrimPrefix(step, "- ") },
		"count":   Count, "safety": func(s string) string { return safetyWords[s] },
		"word":  func(s wire.State) string { return stateWords[s] },
		"class": func(s wire.State) string { return stateClasses[s] }}
	return template.Must(template.New("status").Funcs(words).Parse(statusPage))
})

// A page is the data for the page's template. The page needs no other file, and its policy runs only its own script,
// which filters the list. Without the script, the page is complete. The template escapes text from files and plugins.
type page struct {
	Policy           template.HTMLAttr
	Style            template.CSS
	Script           template.JS
	Result           *result.Result
	Gate             result.Gate
	Verdict, Version string
	Standing         string // the number of runs in each state
	Recover          string // the command that fixes what closes the gate
	Facts            []fact
	States           []wire.State
	Counts           map[wire.State]int
	Workflows        []string
	Runs             []template.HTML // one element per run
	Groups           []pageGroup
	Unlisted         string        // how many findings the page lacks, or ""
	Directory        []pageFinding // findings that belong to no run
	Lifecycles       []pageLifecycle
	Drawings         []drawing
	Bars             []bar20
	Notes            []string
	Accept           string

	*overview                      // configured for a terminal; it provides the runs' texts
	rules     map[string]wire.Rule // by id
	listed    int                  // the number of findings that the runs show
}

type pageRun struct {
	runFacts
	Class           string
	Bar             int
	Drawing, Step   string
	Lean, Broken    bool // Broken: findings close the gate
	Closing, Others []pageFinding
	Parts           []string
	PartCount, Rest string
}

type pageFinding struct {
	Severity, Message, Place, Rule, Link, ID string
	Fixes                                    []fix
}

type pageLifecycle struct {
	Workflow string
	wire.Lifecycle
}

// StatusPage writes a view's runs as an HTML page.
func StatusPage(w io.Writer, r *result.Result, v View, o Options) error {
	o.short = shortIDs(r)
	p := &page{
		Policy: template.HTMLAttr(`content="default-src 'none'; style-src '` + digest(pageStyle) + "'; script-src '" +
			digest(statusScript) + "'; base-uri 'none'; form-action 'none'; " +
			`require-trusted-types-for 'script'; trusted-types 'none'"`),
		Style: template.CSS(pageStyle), Script: template.JS(statusScript),
		Result: r, Gate: r.Gate(o.FailOn), Verdict: counts(r, wire.Inherit), Version: o.Version, Facts: v.facts(r),
		States: result.States, Counts: result.CountStates(v.Runs, o.FailOn), Notes: o.notes(r),
		overview: &overview{newReport(io.Discard, r, o), &v, r.Current()}, rules: rulesByID(r.Plugins),
	}
	p.Standing, p.Recover, p.Accept = standing(p.Counts), Safe(o.Recover), acceptAny(&o)
	for i, d := range r.OfDirectory(o.FailOn) {
		p.Directory = append(p.Directory, p.pageFinding(i, d))
	}
	p.legend(v.Runs)
	if err := p.runs(v.Runs); err != nil {
		return err
	}
	p.group(v.Runs)
	p.Unlisted = p.unlisted(r)
	return pageTemplate().Execute(w, p)
}

// standing returns the number of runs in each state, blocked ones first.
func standing(counts map[wire.State]int) string {
	var list []string
	for _, s := range result.States {
		if n := counts[s]; n > 0 {
			list = append(list, fmt.Sprintf("%d %s", n, stateWords[s]))
		}
	}
	return strings.Join(list, ", ")
}

// codeSpans returns text as HTML. Parts between backticks are code, which a reader copies without the backticks.
func codeSpans(text string) template.HTML {
	code := func(s string) string { return "<code>" + template.HTMLEscapeString(s) + "</code>" }
	return template.HTML(withSpans(text, code, template.HTMLEscapeString))
}

// claimed returns a message as HTML, with emphasis on what it claims, and not on the details after that.
func claimed(text string) template.HTML {
	quoted := false
	for n, c := range text {
		switch {
		case c == '"' || c == '`':
			quoted = !quoted
		case n > 0 && !quoted && (c == ':' || c == ';') && strings.HasPrefix(text[n+1:], " "):
			return "<strong>" + codeSpans(text[:n]) + "</strong>" + codeSpans(text[n:])
		}
	}
	return "<strong>" + codeSpans(text) + "</strong>"
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

// legend lists the workflows that have runs, and those runs' lifecycles.
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

func (p *page) run(run *result.Run, place result.RunPlace) *pageRun {
	x := &pageRun{runFacts: p.runFacts(run, place), PartCount: partCount(run)}
	x.Class = stateClasses[x.state]
	if d := run.Self; d != nil {
		at := stepOf(run)
		if x.Drawing = p.drawing(at); at.actual >= 0 && at.all > 0 {
			x.Step = fmt.Sprintf("%d of %d", at.actual+1, at.all)
		}
		if d.Progress.Total > 0 {
			x.Bar = p.bar(d.Progress)
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

// findings adds a run's findings. Those that close the gate come first.
func (p *page) findings(x *pageRun, run *result.Run) {
	list := findingsOf(run, p.how.FailOn)
	if n := len(list); n > mostErrors {
		list, x.Rest = list[:mostErrors], Count(n-mostErrors, "more finding")
	}
	for n := range list {
		f := p.pageFinding(run.Instance, &list[n])
		if list[n].Severity >= p.how.FailOn {
			x.Closing = append(x.Closing, f)
		} else {
			x.Others = append(x.Others, f)
		}
	}
	x.Broken = len(x.Closing) > 0
}

func (p *page) pageFinding(i *result.Instance, d *result.Diagnostic) pageFinding {
	return pageFinding{d.Severity.String(), Safe(d.Message), Safe(d.Place.String()), Safe(d.Rule),
		p.rules[d.Rule].URL, p.how.short[d.Fingerprint], p.how.fixes(i, d)}
}

// A drawing shows a position in a lifecycle as one dot per phase.
type drawing struct {
	ID   string
	End  int
	Dots []dot
}

type dot struct {
	Class string
	X     int
}

// drawing returns the id of the drawing for a position, or "" if there is no lifecycle.
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
		class := step{actual: at.actual, recorded: -1}.mark(n, "past", "actual", "todo", "")
		x.Dots = append(x.Dots, dot{class, first + n*distance})
		if n == at.recorded && n != at.actual {
			x.Dots = append(x.Dots, dot{"recorded", first + n*distance})
		}
	}
	p.Drawings = append(p.Drawings, x)
	return id
}

// bar20 is a progress bar in twentieths.
type bar20 int

// End returns where the finished part ends, on a bar from 3 to 93.
func (b bar20) End() int { return 3 + int(b)*90/20 }

// bar returns the number of the progress bar for pr. If the bar is new, it adds it to the page.
func (p *page) bar(pr wire.Progress) int {
	n := bar20(min(max(pr.Done*20/pr.Total, 0), 20))
	if !slices.Contains(p.Bars, n) {
		p.Bars = append(p.Bars, n)
	}
	return int(n)
}
