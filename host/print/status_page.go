package print

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	_ "embed" // for what a page is made of
	"encoding/base64"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/wire"
)

//go:embed page/page.css
var pageStyle string

//go:embed page/page.js
var pageScript string

// pageBegin keeps a large table from being laid out before all of it is read.
const pageBegin = `document.documentElement.className = "js";`

// A page writes HTML. Whatever is no constant goes through text, and the page's policy lets nothing run but its own script.
type page struct {
	*bufio.Writer
	how  Options
	rows *printer // of the table for a terminal
	view *View
	safe *strings.Replacer
}

// text is a text as HTML shows it, in an element or in a quoted attribute.
func (p *page) text(s string) string { return p.safe.Replace(Safe(s)) }

func (p *page) put(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

func code(p *page, s string) string { return "<code>" + p.text(s) + "</code>" }

// StatusPage writes the runs of a view as a page of HTML that needs no other file.
func StatusPage(w io.Writer, r *result.Result, v View, o Options) error {
	p := &page{bufio.NewWriter(w), o, newPrinter(io.Discard, o), &v, strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")}
	gate := r.Gate(o.FailOn)
	p.put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '", digest(pageStyle),
		"'; script-src '", digest(pageScript), "' '", digest(pageBegin), "'; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>stategate: ",
		gateWords[gate], "</title>\n<style>", pageStyle, "</style>\n<script>", pageBegin, "</script>\n</head>\n<body>\n<header>\n<h1>Runs of workflows</h1>\n")
	class := map[result.Gate]string{result.Open: "good"}[gate]
	p.put("<p><strong class=\"", cmp.Or(class, "bad"), "\">", p.text(verdict(r, o.FailOn)), "</strong></p>\n<p class=\"faint\">Made by stategate ", p.text(o.Version), " on <time>", v.Now.UTC().Format("2006-01-02 15:04 MST"), "</time>")
	if r.Revision != "" {
		p.put(", of the commit ", code(p, r.Revision))
	}
	p.put(". ◉ is the phase that the documents prove, ◌ the one that the state file claims.</p>\n</header>\n<main>\n")
	p.failures(r)
	flows := p.flows()
	p.form(flows)
	for _, f := range flows {
		p.flow(r, f)
	}
	p.put("</main>\n<script>", pageScript, "</script>\n</body>\n</html>\n")
	return p.Flush()
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
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
}

func (p *page) flows() (list []flow) {
	for i := range p.view.Runs {
		run := &p.view.Runs[i]
		at := slices.IndexFunc(list, func(f flow) bool { return f.name == run.Instance.Plugin })
		if at < 0 {
			at, list = len(list), append(list, flow{name: run.Instance.Plugin})
		}
		list[at].runs = append(list[at].runs, run)
	}
	slices.SortFunc(list, func(a, b flow) int { return cmp.Compare(a.name, b.name) })
	for i := range list {
		list[i].id = "w" + strconv.Itoa(i+1)
	}
	return list
}

var pageStates = []wire.State{wire.Blocked, wire.Active, wire.Finished, wire.Abandoned}

func (p *page) form(flows []flow) {
	p.put("<form role=\"search\" hidden>\n<label>Search <input type=\"search\" name=\"words\"></label>\n<label>Workflow <select name=\"workflow\"><option value=\"\">all</option>")
	for _, f := range flows {
		p.put("<option value=\"", f.id, "\">", p.text(f.name), "</option>")
	}
	n := tally(p.view.Runs, p.how.FailOn)
	p.put("</select></label>\n<fieldset><legend>State</legend>")
	for _, s := range pageStates {
		p.put("<label><input type=\"checkbox\" name=\"state\" value=\"", stateClasses[s], "\" checked> ", stateWords[s], " (", strconv.Itoa(n[s]), ")</label>")
	}
	p.put("</fieldset>\n<output role=\"status\"></output> <button type=\"button\" hidden></button>\n</form>\n")
}

func (p *page) flow(r *result.Result, f flow) {
	p.put("<section id=\"", f.id, "\">\n<h2 id=\"", f.id, "h\">", p.text(f.name), " <small>", Count(len(f.runs), "run"), "</small></h2>\n")
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
	p.put("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-labelledby=\"", f.id, "h\">\n<table>\n<thead><tr><th scope=\"col\">State</th><th scope=\"col\">Run</th><th scope=\"col\">Phase</th>",
		"<th scope=\"col\">Progress</th><th scope=\"col\">Touched</th><th scope=\"col\">Next</th></tr></thead>\n<tbody>\n")
	for _, run := range f.runs {
		p.run(run, lives)
	}
	p.put("</tbody>\n</table>\n</div>\n</section>\n")
}

var (
	stateWords   = map[wire.State]string{wire.Blocked: "blocked", wire.Active: "in progress", wire.Finished: "finished", wire.Abandoned: "abandoned"}
	stateClasses = map[wire.State]string{wire.Blocked: "b", wire.Active: "a", wire.Finished: "f", wire.Abandoned: "x"}
)

func (p *page) run(run *result.Run, lives []wire.Lifecycle) {
	s := StateOf(run, p.how.FailOn)
	p.put("<tr class=", stateClasses[s], "><td>", stateWords[s], "</td><th scope=row>", code(p, run.Instance.Root))
	if run.Self != nil {
		p.put("<br><small>", p.text(result.NameOf(run.Self)), "</small>")
	}
	p.put("</th><td>")
	if d := run.Self; d != nil {
		p.drawn(d, lives)
		p.put(p.text(phase(d)), "</td><td>")
		if pr := d.Progress; pr.Total > 0 {
			p.put("<progress max=", strconv.Itoa(pr.Total), " value=", strconv.Itoa(min(max(pr.Done, 0), pr.Total)), " aria-label=progress></progress>", done(pr), " ", p.text(pr.Unit))
		}
	} else {
		p.put(partCount(run), "</td><td>")
	}
	p.put("</td><td>")
	p.touched(run.Instance.LastTouch)
	p.put("</td><td>")
	p.put(p.text(FirstColumns(p.rows.row(run, p.view).next, mostNext)))
	p.parts(run)
	p.findings(run.Instance)
	p.put("</td></tr>\n")
}

// mostNext is how many columns of the next action are shown.
const mostNext = 160

// drawn draws the lifecycle: a dot for each phase, with the one that is proved and the one that is claimed.
func (p *page) drawn(d *wire.Detection, lives []wire.Lifecycle) {
	at := slices.IndexFunc(lives, func(l wire.Lifecycle) bool { return l.Name == d.Lifecycle })
	if at < 0 || len(lives[at].Phases) == 0 {
		return
	}
	index := func(name string) int {
		return slices.IndexFunc(lives[at].Phases, func(ph wire.Phase) bool { return ph.Name == name })
	}
	proved, claimed := index(d.Observed), index(d.Claimed)
	p.put("<span role=img aria-label=\"phase ", strconv.Itoa(proved+1), " of ", strconv.Itoa(len(lives[at].Phases)), "\">")
	for i := range lives[at].Phases {
		switch {
		case i == proved:
			p.put("<b>◉</b>")
		case i == claimed:
			p.put("<s>◌</s>")
		case i < proved:
			p.put("●")
		default:
			p.put("○")
		}
	}
	p.put("</span>")
}

func (p *page) touched(t result.Touch) {
	if t.At.IsZero() {
		return
	}
	p.put("<time datetime=", t.At.UTC().Format(time.RFC3339), ">", age(p.view.Now, t.At), "</time>")
	switch {
	case t.Uncommitted:
		p.put("<br><small>not committed</small>")
	case t.By != "":
		p.put("<br><small>", p.text(FirstColumns(t.By, 30)), "</small>")
	}
}

func (p *page) parts(run *result.Run) {
	var on []*wire.Detection
	for _, d := range run.Parts {
		if goesOn(d) {
			on = append(on, d)
		}
	}
	if len(on) == 0 {
		return
	}
	p.put("<details><summary>", Count(len(on), "part"), " in progress</summary><ul>")
	for _, d := range on[:min(len(on), mostItems)] {
		p.put("<li>", p.text(result.NameOf(d)+": "+phase(d)+"; "+cmp.Or(d.Resume.First, d.Resume.Next)), "</li>")
	}
	p.put("</ul></details>")
}

func (p *page) findings(i *result.Instance) {
	list := slices.DeleteFunc(slices.Clone(i.Diagnostics), func(d result.Diagnostic) bool { return d.Severity < min(wire.Warning, p.how.FailOn) })
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b result.Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
	open, class := "", "faint" // of severities that do not close the gate
	if list[0].Severity >= p.how.FailOn {
		open, class = " open", "bad"
	}
	p.put("<details", open, "><summary class=", class, ">", Count(len(list), "finding"), "</summary><ul>")
	for n, d := range list {
		if n == mostErrors {
			p.put("<li>… and ", strconv.Itoa(len(list)-n), " more</li>")
			break
		}
		p.put("<li>", d.Severity.String(), " ", code(p, slashpath.Below(i.Root, d.Place.String())), " ", p.text(d.Message), " [", p.text(d.Rule), "]</li>")
	}
	p.put("</ul></details>")
}
