package print

import (
	"io"
	"strings"

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
	case x.Run != nil:
		p.resumption(x.Run, o.FailOn)
	case len(x.Choices) > 0:
		p.line(p.bold(inProgress(x) + ". None is chosen for you; name one:"))
		p.runs(x.Choices, o.FailOn)
	case len(x.Failures) == 0 && len(x.Hidden) == 0:
		p.line("Nothing is in progress.")
	}
	if x.Run == nil && len(x.Choices) == 0 {
		p.runs(x.Over, o.FailOn)
	}
	for _, line := range errorLines(x.Hidden) {
		p.line(p.mark("not seen"), ": ", Safe(line))
	}
	for _, f := range x.Failures {
		p.failure(f)
	}
	if len(x.Failures) > 0 {
		p.line(p.mark(count(len(x.Failures), "failure") + ": some state could not be checked"))
	}
	return p.w.Flush()
}

func inProgress(x *Resumption) string {
	if len(x.Choices) == 1 {
		return "1 run is in progress"
	}
	return count(len(x.Choices), "run") + " are in progress"
}

// runs writes a run a line, with the command that names it below.
func (p *printer) runs(list []RunOption, failOn wire.Severity) {
	for i := range list {
		c := &list[i]
		p.line("  ", p.bold(Safe(c.Instance.Root)), "  ", p.faint(Safe(c.Instance.Plugin)), "  ", p.headline(&c.Run))
		if next := c.next(); next != "" {
			p.wrapped("    next: ", 10, "      ", Safe(cut(next)), "")
		}
		if n := len(c.Closing(failOn)); n > 0 {
			p.line("    ", p.mark("the gate is closed here: "+count(n, faultWord(failOn))+": "), Safe(c.Recover))
		}
		p.line("    ", Safe(c.Resume))
	}
}

func (c *RunOption) next() string {
	if c.Self == nil {
		return ""
	}
	return c.Self.Resume.Next
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

// resumption writes the brief of one run.
func (p *printer) resumption(c *RunOption, failOn wire.Severity) {
	p.line(p.bold(Safe(c.Instance.Root)), "  ", p.faint(Safe(c.Instance.Plugin)))
	p.line(p.headline(&c.Run))
	p.closed(c, failOn)
	if c.Self != nil {
		p.sections("", sections(c.Instance.Root, c.Self))
		p.parts(c, false)
		return
	}
	p.sections("", blockers(c.Parts))
	p.parts(c, true)
}

// closed says that the gate is closed at the run's instance, and the cure.
func (p *printer) closed(c *RunOption, failOn wire.Severity) {
	list := c.Closing(failOn)
	if len(list) == 0 {
		return
	}
	p.line()
	p.line(p.mark("The gate is closed here: "+count(len(list), faultWord(failOn))+". Mend before you go on: "), Safe(c.Recover))
	for i, line := range errorLines(list) {
		if i == mostErrors {
			p.line("  … and ", count(len(list)-i, "more "+faultWord(failOn)), ": ", Safe(c.Check))
			break
		}
		p.wrapped("  ", 2, "    ", Safe(cut(line)), "")
	}
}

func (p *printer) sections(indent string, list []section) {
	for _, s := range list {
		p.line()
		p.line(indent, p.bold(s.title))
		for _, item := range capped(s.items) {
			for _, line := range bulleted([]string{item}) {
				text := strings.TrimPrefix(strings.TrimPrefix(line, "- "), "  ")
				p.wrapped(indent+"  "+strings.TrimSuffix(line, text), len(indent)+4, indent+"    ", text, "")
			}
		}
	}
}

// parts writes the parts that go on, whole or a line each, and how many are over.
func (p *printer) parts(c *RunOption, whole bool) {
	on, over := partition(c.Parts)
	if len(on) > 0 && !whole {
		p.line()
		p.line(p.bold("Parts that go on"))
	}
	for i, d := range on {
		if i == mostItems {
			p.line("  … and ", count(len(on)-i, "more part"), "; --format json has all")
			break
		}
		if whole {
			p.line()
			p.line(p.detection(d))
			p.sections("  ", sections(c.Instance.Root, d))
			continue
		}
		p.line("  ", p.detection(d))
		p.labelled("first", cut(d.Resume.First))
		for _, check := range capped(d.Resume.Checks) {
			p.labelled("check", cut(check))
		}
		p.labelled("next", cut(d.Resume.Next))
	}
	p.over(over)
}

func (p *printer) over(list []*wire.Detection) {
	if len(list) == 0 {
		return
	}
	p.line()
	p.line(p.bold("Parts that are over"))
	for i, d := range list {
		if i == mostItems {
			p.line("  … and ", count(len(list)-i, "more part"))
			break
		}
		p.line("  ", p.detection(d))
	}
}
