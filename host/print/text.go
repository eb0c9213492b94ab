package print

import (
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

type report struct {
	*printer
	result *result.Result
}

func newReport(w io.Writer, r *result.Result, o Options) *report {
	return &report{printer: newPrinter(w, o), result: r}
}

// Text writes findings for people, the command that fixes them, and a summary line.
func Text(w io.Writer, r *result.Result, o Options) error {
	if o.silent(r) {
		return nil
	}
	o.short = shortIDs(r)
	p := newReport(w, r, o)
	list, rules, findings := p.listed(p.how.shows), p.ruleCounts(p.how.shows), 0
	for _, c := range rules {
		findings += c.n
	}
	if errors := slices.IndexFunc(rules, func(c ruleCount) bool { return c.severity < wire.Error }); findings > many &&
		errors > 0 {
		p.counts("errors by rule:", rules[:errors])
	}
	list.write()
	p.unseen()
	if findings > many {
		p.counts("findings by rule:", rules)
	}
	p.summary()
	list.next(findings)
	return p.w.Flush()
}

// silent reports whether there is nothing to show, because the gate is open and the change touches no run.
func (o *Options) silent(r *result.Result) bool {
	if r.Gate(o.FailOn) != result.Open || len(r.Skipped) > 0 {
		return false
	}
	if o.Quiet {
		return !slices.ContainsFunc(r.Notes, func(n result.Note) bool { return n.ChecksLess() })
	}
	mergesFaults := len(r.Base) > 1 && outOfScope(r) != ""
	return o.Hook && r.Changed && !mergesFaults &&
		!slices.ContainsFunc(r.Instances, func(i result.Instance) bool { return i.Touched })
}

func (p *report) finding(d *result.Diagnostic) {
	begin, text, rule := p.linked(d.Place)+": ", Safe(d.Message), " ["+Safe(d.Rule)+"]"
	width, what := Columns(p.place(d.Place))+2, Columns(d.Severity.String())+2
	if p.how.Width > 0 && width+what+Columns(text+rule) > p.how.Width {
		p.line(strings.TrimRight(begin, " ")) // the message begins at the same column, however long the path is
		begin, width = "  ", 2
	}
	p.wrapped(begin+p.severity(d.Severity)+": ", width+what, "    ", text, rule)
	p.excerpt(d.Place, severityColor(d.Severity))
	for _, r := range d.Related {
		p.wrapped("  see "+p.linked(r.Place)+": ", Columns(p.place(r.Place))+8, "    ", Safe(r.Message), "")
		p.excerpt(r.Place, cyan)
	}
}

func (p *report) excerpt(at result.Place, color string) {
	if at.Excerpt == "" || at.ExcerptFrom < 0 || at.ExcerptEnd < at.ExcerptFrom || at.ExcerptEnd > len(at.Excerpt) {
		return
	}
	before, marked := shownExcerpt(at.Excerpt[:at.ExcerptFrom]), shownExcerpt(at.Excerpt[at.ExcerptFrom:at.ExcerptEnd])
	after := shownExcerpt(at.Excerpt[at.ExcerptEnd:])
	if room := max(p.how.Width-4, 8); p.how.Width > 0 && Columns(before+marked+after) > room {
		marked = firstColumns(marked, room)
		room -= Columns(marked)
		before = lastColumns(before, max(room/2, room-Columns(after)))
		after = firstColumns(after, room-Columns(before))
	}
	p.line("    ", strings.TrimRight(disarm(before+marked+after), " "))
	tildes := max(Columns(marked)-1, 0)
	p.line("    ", strings.Repeat(" ", Columns(before)), p.paint(color, "^"+strings.Repeat("~", tildes)))
}

func shownExcerpt(s string) string {
	return Safe(strings.ReplaceAll(s, "\t", "    "))
}

// remedies writes one line per remedy, with its manual steps below. Paths in them are relative to root.
func (p *report) remedies(root string, list []result.Remedy) {
	id, width := 0, 0
	for _, r := range list {
		if r.Safety != wire.Manual {
			id, width = max(id, len(p.how.short[r.ID])), max(width, len(r.Safety.String()))
		}
	}
	for n := range list {
		r := &list[n]
		if r.Safety == wire.Manual {
			label := "  by hand" + below(root, p.path(root), r) + ": "
			p.wrapped(label, Columns(label), "    ", Safe(r.Title), "")
		} else {
			indent := id + width + 6
			p.wrapped("  "+p.bold(padded(p.how.short[r.ID], id))+"  "+p.safety(r.Safety, width)+"  ", indent,
				strings.Repeat(" ", indent), Safe(r.Title), "")
		}
		for _, s := range steps(r) {
			p.wrapped("    ", 4, "      ", s, "")
		}
	}
}

var aPath = regexp.MustCompile(`[\w-]/[\w.-]`)

// below names the directory, shown as given, that the paths in a remedy's text are relative to, if it has any.
func below(root, shown string, r *result.Remedy) string {
	named := func(s string) bool { return aPath.MatchString(s) && !strings.Contains(s, root+"/") }
	if root == "" || root == "." || !named(r.Title) && !slices.ContainsFunc(r.Steps, named) {
		return ""
	}
	return ", in " + shown
}

func (p *report) safety(s wire.Safety, width int) string {
	color := ""
	switch s {
	case wire.Safe:
		color = green
	case wire.Review:
		color = yellow
	}
	return p.paint(color, padded(s.String(), width))
}

// unseen writes what could not be checked, and what was deliberately not checked.
func (p *report) unseen() {
	for _, f := range p.result.Failures {
		p.failure(f)
	}
	p.lines(p.how.notes(p.result))
}

func (p *report) failure(f result.Failure) {
	if f.Root != "" && p.how.Path != nil {
		f.Root = p.how.Path(f.Root)
	}
	p.line(p.mark("failure"), ": ", failureText(&f))
	for _, text := range strings.Split(strings.TrimRight(f.Stderr, "\r\n"), "\n") {
		if f.Stderr != "" {
			p.line("    | ", shownExcerpt(strings.TrimRight(text, "\r")))
		}
	}
}

type hint struct{ label, command, text string }

// hints writes commands in one column. If the terminal is too narrow for a command and its description, the description
// moves to the next line, because a command is never wrapped.
func (p *report) hints(list []hint) {
	width := 0
	for _, h := range list {
		width = max(width, len(h.label)+1)
	}
	for _, h := range list {
		begin, text := padded(h.label, width)+h.command, h.text
		if text != "" && (p.how.Width <= 0 || Columns(begin+"  "+text) <= p.how.Width) {
			begin, text = begin+"  "+p.faint(text), ""
		}
		p.line(begin)
		if text == "" {
			continue
		}
		for _, s := range wrap(text, p.how.Width-width, p.how.Width-width) {
			p.line(strings.Repeat(" ", width), p.faint(s))
		}
	}
}

// Concise writes one line per finding, like a compiler, and a summary line.
func Concise(w io.Writer, r *result.Result, o Options) error {
	if o.silent(r) {
		return nil
	}
	p := newReport(w, r, o)
	p.concise()
	p.unseen()
	p.summary()
	return p.w.Flush()
}

// Findings is like Concise, but without the summary.
func Findings(w io.Writer, r *result.Result, o Options) error {
	p := newReport(w, r, o)
	p.concise()
	p.unseen()
	return p.w.Flush()
}

func (p *report) concise() {
	for _, d := range p.result.Severest() {
		if p.how.shows(d) {
			p.line(p.linked(d.Place), ": ", p.severity(d.Severity), ": ", Safe(d.Message),
				p.faint(" ["+Safe(d.Rule)+"]"))
		}
	}
}

// Statistics writes the number of findings per rule, and a summary line.
func Statistics(w io.Writer, r *result.Result, o Options) error {
	p := newReport(w, r, o)
	p.counts("", p.ruleCounts(func(*result.Diagnostic) bool { return true }))
	p.unseen()
	p.how.Show = wire.Inherit // count all of them
	p.summary()
	return p.w.Flush()
}
