package print

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// Options say how a result is shown.
type Options struct {
	Color   bool          // use terminal colours
	FailOn  wire.Severity // the mildest severity that closes the gate
	Version string        // of stategate
	Recover string        // the command that offers the remedies shown; "" if none does
	Detail  Detail        // of Text

	Anchor string                   // absolute: where the paths of a result begin; "" if stategate was started there
	Path   func(path string) string // makes a path of a result one that text shows; nil leaves it as it is

	Stage func(paths []string) string // the command that stages paths; nil prints the paths alone
}

// Text writes findings for people, and a summary line.
func Text(w io.Writer, r *result.Result, o Options) error {
	p := newPrinter(w, o)
	if o.silent(r) {
		return nil
	}
	for _, i := range r.Instances {
		i.Diagnostics = o.shown(&i)
		for _, d := range i.Diagnostics {
			p.diagnostic(d)
		}
		p.recoveries(i)
	}
	p.unseen(r)
	p.summary(r, o.FailOn)
	return p.w.Flush()
}

// printer writes lines. Its callers sanitise what comes from outside.
type printer struct {
	w     *bufio.Writer
	color bool
	how   Options // of commands
}

func (p *printer) line(parts ...string) {
	for _, s := range parts {
		p.w.WriteString(s)
	}
	p.w.WriteByte('\n')
}

// unseen writes what was not looked at, and why.
func (p *printer) unseen(r *result.Result) {
	for _, f := range r.Failures {
		p.failure(f)
	}
	p.notes(r)
}

// notes writes what was not looked at on purpose.
func (p *printer) notes(r *result.Result) {
	for _, u := range r.Unlooked {
		p.line("note: ", Safe(u.Plugin), " was not checked: ", Safe(u.Why))
	}
	if p.how.Detail == Closing {
		return
	}
	for _, d := range r.Declined {
		if inside(d, r.Instances) {
			continue
		}
		p.line("note: ", p.path(d.Root), " is not examined by ", Safe(d.Plugin), ": ", Safe(d.Why))
	}
	if len(r.Excluded) > 0 {
		p.line("note: excluded by the configuration: ", strings.Join(p.paths(r.Excluded), ", "))
	}
	for _, n := range r.Notes {
		at := p.place(n.Place)
		if r.Policy != "" { // it is named as git does a file of a commit
			at = Safe(n.Place.String())
		}
		p.line("note: ", at, ": ", Safe(n.Message))
	}
	if r.Policy != "" {
		p.line("note: the configuration is that of commit ", Safe(r.Policy))
	}
}

// inside reports whether what a plugin declined is a part of what it examined,
// such as a folder of a run that looks like a run: nobody needs to know.
func inside(d result.Declined, instances []result.Instance) bool {
	return slices.ContainsFunc(instances, func(i result.Instance) bool {
		return i.Plugin == d.Plugin && (i.Root == "." || strings.HasPrefix(d.Root, i.Root+"/"))
	})
}

func (p *printer) diagnostic(d result.Diagnostic) {
	p.line(p.bold(p.place(d.Place)), ": ", p.severity(d.Severity), ": ", Safe(d.Message), p.faint(" ["+Safe(d.Rule)+"]"))
	p.excerpt(d.Place)
	for _, r := range d.Related {
		p.line("  see ", p.place(r.Place), ": ", Safe(r.Message))
		p.excerpt(r.Place)
	}
	if len(d.Fixed) > 0 {
		p.line("  ", p.how.fixed(&d))
	}
	for _, r := range d.Remedies {
		p.remedy(r)
	}
}

// excerpt shows the source line with the place underlined.
func (p *printer) excerpt(at result.Place) {
	if at.Excerpt == "" || at.ExcerptFrom < 0 || at.ExcerptEnd < at.ExcerptFrom || at.ExcerptEnd > len(at.Excerpt) {
		return
	}
	before := lastColumns(shownExcerpt(at.Excerpt[:at.ExcerptFrom]), 60)
	marked := FirstColumns(shownExcerpt(at.Excerpt[at.ExcerptFrom:at.ExcerptEnd]), 80)
	after := FirstColumns(shownExcerpt(at.Excerpt[at.ExcerptEnd:]), 60)
	p.line("    ", strings.TrimRight(disarm(before+marked+after), " "))
	tildes := max(Columns(marked)-1, 0)
	p.line("    ", strings.Repeat(" ", Columns(before)), p.mark("^"+strings.Repeat("~", tildes)))
}

func shownExcerpt(s string) string {
	return Safe(strings.ReplaceAll(s, "\t", "    "))
}

// recoveries writes the ways back of an instance that has findings.
func (p *printer) recoveries(i result.Instance) {
	if len(i.Diagnostics) == 0 || len(i.Recoveries) == 0 {
		return
	}
	p.line("recovery options for ", p.path(i.Root), ":")
	for _, r := range i.Recoveries {
		p.remedy(r)
	}
}

func (p *printer) remedy(r result.Remedy) {
	if r.Safety == wire.Manual {
		p.line("  by hand: ", Safe(r.Title))
	} else {
		p.line("  ", cmp.Or(p.how.apply(&r), "remedy "+r.ID), " (", r.Safety.String(), "): ", Safe(r.Title))
	}
	if r.Doubt != "" {
		p.line("    - not safe: ", Safe(r.Doubt))
	}
	for _, s := range r.Steps {
		p.line("    - ", Safe(s))
	}
}

func (p *printer) failure(f result.Failure) {
	where := ""
	if f.Root != "" {
		where = p.path(f.Root)
	}
	if f.Plugin != "" {
		where = strings.TrimSuffix("plugin "+Safe(f.Plugin)+", "+where, ", ")
	}
	if where != "" {
		where += ": "
	}
	p.line(p.mark("failure"), ": ", where, Safe(string(f.Kind)), ": ", Safe(f.Message))
	for text := range strings.Lines(f.Stderr) {
		p.line("    | ", shownExcerpt(strings.TrimRight(text, "\r\n")))
	}
}

func (p *printer) summary(r *result.Result, failOn wire.Severity) {
	s := r.Summary()
	counts := []string{count(s.Instances, "instance")}
	for _, c := range []struct {
		n    int
		name string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Infos, "info"}, {s.Failures, "failure"}} {
		if c.n > 0 {
			counts = append(counts, count(c.n, c.name))
		}
	}
	if n := s.Suppressed - s.Known; n > 0 {
		counts = append(counts, fmt.Sprintf("%d ignored", n))
	}
	if s.Known > 0 {
		counts = append(counts, fmt.Sprintf("%d known", s.Known))
	}
	p.line(strings.Join(counts, ", "), ": ", p.gate(r.Gate(failOn)))
}

func (p *printer) gate(g result.Gate) string {
	switch g {
	case result.Open:
		return p.paint(green, "the gate is open")
	case result.Broken:
		return p.mark("the check is incomplete")
	}
	return p.mark("the gate is closed")
}

func count(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
