package print

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// A report writes what a check found.
type report struct {
	*printer
	result *result.Result
	short  map[string]string // the ids that are shown, by whole ids
}

func newReport(w io.Writer, r *result.Result, o Options) *report {
	return &report{printer: newPrinter(w, o), result: r}
}

// Text writes findings for people, the command that repairs them, and a summary line.
func Text(w io.Writer, r *result.Result, o Options) error {
	if o.silent(r) {
		return nil
	}
	p := newReport(w, r, o)
	p.short = shortIDs(r)
	best, cure := -1, ""
	for n := range r.Instances {
		i := &r.Instances[n]
		list := o.shown(i)
		for at, d := range list {
			remedies := remediesOf(i, list, at)
			p.remedied(d, remedies)
			for _, x := range remedies {
				if rank := usefulness(d, &x, o.FailOn); rank > best {
					best, cure = rank, p.short[x.ID]
				}
			}
		}
	}
	p.unseen()
	p.summary()
	p.fix(cure)
	if p.how.Last != "" {
		p.line(p.how.Last)
	}
	return p.w.Flush()
}

// usefulness ranks what to name as the one command that can be copied: a safe remedy of a finding
// that closes the gate comes first, -1 is for what a person does.
func usefulness(d *result.Diagnostic, r *result.Remedy, failOn wire.Severity) int {
	rank := 0
	if r.Safety == wire.Manual {
		return -1
	}
	if d.Severity >= failOn {
		rank += 2
	}
	if r.Safety == wire.Safe {
		rank++
	}
	return rank
}

// silent reports whether there is nothing to show: the gate is open, and the change touches no run.
func (o *Options) silent(r *result.Result) bool {
	if r.Gate(o.FailOn) != result.Open || len(r.Skipped) > 0 {
		return false
	}
	if o.Quiet {
		return !slices.ContainsFunc(r.Notes, func(n result.Note) bool { return n.Kind == result.PathsNotChecked })
	}
	return o.Hook && r.Changed && !slices.ContainsFunc(r.Instances, func(i result.Instance) bool { return i.Touched })
}

func (o *Options) shown(i *result.Instance) []*result.Diagnostic {
	var list []*result.Diagnostic
	for n := range i.Diagnostics {
		if d := &i.Diagnostics[n]; d.Severity >= o.FailOn || d.Severity >= o.Show && !o.Quiet {
			list = append(list, d)
		}
	}
	return list
}

// remediesOf are the remedies that stand below the finding at a place of a list: its own, and the
// recoveries that end it and no finding above. Those that end none of them stand below the last one.
func remediesOf(i *result.Instance, list []*result.Diagnostic, at int) []result.Remedy {
	all := slices.Clone(list[at].Remedies)
	for _, r := range i.Recoveries {
		first := slices.IndexFunc(list, func(d *result.Diagnostic) bool { return i.Ends(&r, d) })
		if first == at || first < 0 && at == len(list)-1 {
			all = append(all, r)
		}
	}
	return all
}

// remedied writes a finding, and what ends it below.
func (p *report) remedied(d *result.Diagnostic, remedies []result.Remedy) {
	p.finding(d)
	if len(d.Fixed) > 0 {
		p.line("  ", p.how.fixed(d))
	}
	p.remedies(remedies)
	p.line()
}

func (p *report) finding(d *result.Diagnostic) {
	begin := p.linked(d.Place) + ": " + p.severity(d.Severity) + ": "
	p.wrapped(begin, Columns(p.place(d.Place)+d.Severity.String())+4, "    ", Safe(d.Message), " ["+Safe(d.Rule)+"]")
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
	around, within := 60, 80
	if p.how.Width > 0 {
		around = max(min(around, (p.how.Width-4)*3/10), 8)
		within = around * 4 / 3
	}
	before := lastColumns(shownExcerpt(at.Excerpt[:at.ExcerptFrom]), around)
	marked := FirstColumns(shownExcerpt(at.Excerpt[at.ExcerptFrom:at.ExcerptEnd]), within)
	after := FirstColumns(shownExcerpt(at.Excerpt[at.ExcerptEnd:]), around)
	p.line("    ", strings.TrimRight(disarm(before+marked+after), " "))
	tildes := max(Columns(marked)-1, 0)
	p.line("    ", strings.Repeat(" ", Columns(before)), p.paint(color, "^"+strings.Repeat("~", tildes)))
}

func shownExcerpt(s string) string {
	return Safe(strings.ReplaceAll(s, "\t", "    "))
}

// remedies writes a remedy a line, with what is to be done by hand below it.
func (p *report) remedies(list []result.Remedy) {
	id, width := 0, 0
	for _, r := range list {
		if r.Safety != wire.Manual {
			id, width = max(id, len(p.short[r.ID])), max(width, len(r.Safety.String()))
		}
	}
	for n := range list {
		r := &list[n]
		if r.Safety == wire.Manual {
			p.wrapped("  by hand: ", 11, "    ", Safe(r.Title), "")
		} else {
			indent := id + width + 6
			p.wrapped("  "+p.bold(padded(p.short[r.ID], id))+"  "+p.safety(r.Safety, width)+"  ", indent,
				strings.Repeat(" ", indent), Safe(r.Title), "")
		}
		for _, s := range steps(r) {
			p.wrapped("    ", 4, "      ", s, "")
		}
	}
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

// unseen writes what could not be checked, and what was left out on purpose.
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

func (p *report) summary() {
	gate := p.result.Gate(p.how.FailOn)
	color := red
	if gate == result.Open {
		color = green
	}
	show := min(p.how.Show, p.how.FailOn)
	if p.how.Quiet {
		show = wire.Inherit
	}
	if text := comparedWith(p.result.Base); text != "" && len(p.result.Instances) > 0 {
		p.line(p.faint(text))
	}
	if text := outOfScope(p.result); text != "" {
		p.line(text, ": ", p.how.CheckAll)
	}
	p.line(counts(p.result, show), ": ", p.paint(color, gateWords[gate]))
}

// fix writes the commands that repair what was found; id is that of a remedy, "" if none can be applied.
func (p *report) fix(id string) {
	if id == "" || p.how.Recover == "" {
		return
	}
	p.hint("fix: ", Safe(p.how.Recover), "asks, and shows every change first")
	then := ""
	if p.result.Source == wire.Index {
		then = "then git add and commit again"
	}
	p.hint(" or: ", advice.Apply(Safe(p.how.Recover), id), then)
}

// hint writes a command and what is to be said about it, in the next line where the terminal is too narrow for both:
// a command is not broken.
func (p *report) hint(begin, command, text string) {
	gap := "  "
	if p.how.Width > 0 && Columns(begin+command+gap+text) > p.how.Width {
		gap = "\n" + strings.Repeat(" ", len(begin))
	}
	if text == "" {
		gap = ""
	}
	p.line(begin, command, gap, p.faint(text))
}

// Concise writes a finding a line, as compilers do, and a summary line.
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

func (p *report) concise() {
	for n := range p.result.Instances {
		for _, d := range p.how.shown(&p.result.Instances[n]) {
			p.line(p.linked(d.Place), ": ", p.severity(d.Severity), ": ", Safe(d.Message),
				p.faint(" ["+Safe(d.Rule)+"]"))
		}
	}
}

// Statistics writes how many findings each rule has, and a summary line.
func Statistics(w io.Writer, r *result.Result, o Options) error {
	p := newReport(w, r, o)
	type key struct {
		severity wire.Severity
		rule     string
	}
	n := map[key]int{}
	for _, d := range r.Findings() {
		n[key{d.Severity, d.Rule}]++
	}
	var list []key
	for k := range n {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b key) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(n[b], n[a]), cmp.Compare(a.rule, b.rule))
	})
	for _, k := range list {
		p.line(fmt.Sprintf("%6d  ", n[k]), p.paint(severityColor(k.severity),
			padded(k.severity.String(), len("warning"))), "  ", Safe(k.rule))
	}
	p.unseen()
	p.how.Show = wire.Inherit // all are counted
	p.summary()
	return p.w.Flush()
}
