package print

import (
	"io"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// ResumeText writes a brief for people, or the runs to choose from.
func ResumeText(w io.Writer, x *Resumption, o Options) error {
	p := newPrinter(w, o)
	if x.Workspace != "" && (x.Run != nil || len(x.Choices)+len(x.Over) > 0) {
		p.line(p.faint("Paths begin at " + Safe(x.Workspace) + "."))
		p.line()
	}
	switch {
	case x.Run != nil && len(x.Failures) > 0:
		p.line(p.mark(doubtful))
		p.line()
		fallthrough
	case x.Run != nil:
		p.resumption(x.Run, o.FailOn)
	case len(x.Choices) > 0:
		p.line(p.bold(x.heading() + ". None is chosen for you; name one:"))
		p.runs(x.Choices, o.FailOn)
	default:
		p.line(x.heading() + ".")
		p.runs(x.Over, o.FailOn)
	}
	for _, line := range errorLines(x.Hidden) {
		p.line(p.mark("not seen"), ": ", Safe(line))
	}
	for _, f := range x.Failures {
		p.failure(f)
	}
	if len(x.Failures) > 0 {
		p.line(p.mark(Count(len(x.Failures), "failure") + ": some state could not be checked"))
	}
	return p.w.Flush()
}

// runs writes a run a line, with the command that names it below.
func (p *printer) runs(list []RunOption, failOn wire.Severity) {
	for i := range list {
		c := &list[i]
		p.line("  ", p.bold(Safe(c.Instance.Root)), "  ", p.faint(Safe(c.Instance.Plugin)), "  ", p.headline(&c.Run))
		if c.Self != nil && c.Self.Resume.Next != "" {
			p.wrapped("    next: ", 10, "      ", Safe(cut(c.Self.Resume.Next)), "")
		}
		if closed, _ := c.closing(failOn); closed != "" {
			p.line("    ", p.mark("the gate is closed here: "+closed+": "), Safe(c.Recover))
		}
		p.line("    ", Safe(c.Resume))
	}
}

// headline says who the run is, its phase, its progress and its state.
func (p *printer) headline(run *result.Run) string {
	if run.Self == nil {
		return partCount(run) + "  " + p.state(run.State())
	}
	return p.detection(run.Self)
}

func (p *printer) detection(d *wire.Detection) string {
	text := ""
	for _, cell := range cells(d) {
		if cell != "" {
			text += cell + "  "
		}
	}
	return text + p.state(d.State)
}

func (p *printer) resumption(c *RunOption, failOn wire.Severity) {
	p.line(p.bold(Safe(c.Instance.Root)), "  ", p.faint(Safe(c.Instance.Plugin)))
	p.line(p.headline(&c.Run))
	closed, lines := c.closing(failOn)
	if closed != "" {
		p.line()
		p.line(p.mark("The gate is closed here: "+closed+". Mend before you go on: "), Safe(c.Recover))
	}
	for _, line := range lines {
		p.wrapped("  ", 2, "    ", Safe(cut(line)), "")
	}
	all, on, over := c.brief()
	p.sections("", all)
	if len(on) > 0 && c.Self != nil {
		p.head("Parts that go on")
	}
	for i, part := range on {
		switch {
		case i == mostItems:
			p.line("  … and ", Count(len(on)-i, "more part"), "; --format json has all")
		case i > mostItems:
		case c.Self == nil:
			p.line()
			p.line(p.detection(part.Detection))
			p.sections("  ", part.sections)
		default:
			p.line("  ", p.detection(part.Detection))
			for _, s := range part.sections {
				for _, item := range capped(s.items) {
					p.labelled(s.label, cut(item))
				}
			}
		}
	}
	if len(over) > 0 {
		p.head("Parts that are over")
	}
	for i, d := range over[:min(len(over), mostItems)] {
		p.line("  ", p.detection(d))
		if rest := len(over) - mostItems; i == mostItems-1 && rest > 0 {
			p.line("  … and ", Count(rest, "more part"))
		}
	}
}

func (p *printer) sections(indent string, list []section) {
	for _, s := range list {
		p.line()
		p.line(indent, p.bold(s.title))
		for _, item := range capped(s.items) {
			begin := "  - "
			for _, line := range quotedLines(item) {
				p.wrapped(indent+begin, len(indent+begin), indent+"    ", line, "")
				begin = "    "
			}
		}
	}
}
