package print

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// StateOf is the state of a run as status has it: blocked, too, where its findings close the gate. They count for the runs
// that go on, or for all where none does.
func StateOf(run *result.Run, failOn wire.Severity) wire.State {
	s := run.State()
	if len(run.Parts) == 0 && run.Self == nil { // nothing but findings
		s = wire.Finished
	}
	goesOn := false
	for i := range run.Instance.Detections {
		goesOn = goesOn || !over(run.Instance.Detections[i].State)
	}
	if len(run.Closing(failOn)) > 0 && (run.InProgress() || !goesOn) {
		return wire.Blocked
	}
	return s
}

func tally(runs []result.Run, failOn wire.Severity) map[wire.State]int {
	n := map[wire.State]int{}
	for i := range runs {
		n[StateOf(&runs[i], failOn)]++
	}
	return n
}

// A row is a run as the table has it.
type row struct {
	mark, run, phase, progress, done, touched, next string
	state                                           wire.State
}

var heads = row{run: "RUN", phase: "PHASE", progress: "PROGRESS", done: "DONE", touched: "TOUCHED", next: "NEXT"}

func (x *row) name() string { return strings.TrimLeft(x.mark+" "+x.run, " ") }

// table writes a line for each run.
func (p *printer) table(v *View, picks map[*wire.Detection]bool) {
	if len(v.Runs) == 0 {
		return
	}
	rows, starred := []row{heads}, false
	for i := range v.Runs {
		if v.Most > 0 && i == v.Most {
			break
		}
		run := &v.Runs[i]
		x := p.row(run, v)
		if run.Self != nil && picks[run.Self] {
			x.run, starred = x.run+" *", true
		}
		rows = append(rows, x)
	}
	p.tableRows(rows)
	if rest := len(v.Runs) + 1 - len(rows); rest > 0 {
		p.line(p.faint("… and " + count(rest, "more run")))
	}
	if starred {
		p.line(p.faint("* the run that the workflow's own tool would choose"))
	}
	p.line()
}

func (p *printer) row(run *result.Run, v *View) row {
	x := row{run: p.path(run.Instance.Root), touched: age(v.Now, run.Instance.LastTouch.At), state: StateOf(run, p.how.FailOn)}
	x.mark = map[wire.State]string{wire.Active: "●", wire.Blocked: "✗", wire.Finished: "✓", wire.Abandoned: "○"}[x.state]
	switch d := run.Self; {
	case d != nil:
		x.phase = Safe(who(d) + " " + phase(d))
		x.next = d.Resume.Next
		if d.Progress.Total > 0 {
			x.progress, x.done = bar(d), done(d.Progress)
		}
		if d.State == wire.Blocked {
			x.next = cmp.Or(d.Resume.First, d.Resume.Next)
		}
	case len(run.Parts) > 0:
		x.phase = partCount(run)
	default:
		x.phase = "no run can be seen"
	}
	if n := len(run.Closing(p.how.FailOn)); n > 0 && x.state == wire.Blocked {
		x.next = "fix first: " + count(n, faultWord(p.how.FailOn))
	}
	if over(x.state) {
		x.next = ""
	}
	x.next = Safe(x.next)
	return x
}

// The least columns that a narrow terminal leaves to a cell.
const leastRun, leastPhase, leastNext = 26, 8, 20

// goodPhase is as narrow as a phase gets before another column goes.
const goodPhase = 20

const gap = "  "

// A layout is how wide the columns of a table are.
type layout struct {
	run, phase, progress, touched int
	next                          int  // 0 for any width
	below                         bool // what comes next has a line of its own
}

// layoutOf fits rows into a terminal: on a narrow one what comes next goes to a line of its own and bars go, then the end of
// phases, then progress, and last the middle of the run's name, which is typed.
func layoutOf(rows []row, width int) layout {
	var l layout
	for i := range rows {
		x := &rows[i]
		l.run, l.phase, l.touched = max(l.run, Columns(x.name())), max(l.phase, Columns(x.phase)), max(l.touched, Columns(x.touched))
		l.progress = max(l.progress, Columns(x.progress))
	}
	if width == 0 || l.room(width) >= leastNext {
		l.next = max(l.room(width), 0)
		return l
	}
	l.below, l.next, l.progress = true, width-len("    "), 0
	for i := range rows {
		rows[i].progress = rows[i].done
		l.progress = max(l.progress, Columns(rows[i].done))
	}
	if l.phase = l.shrunk(l.phase, goodPhase, width); l.room(width) < 0 {
		l.progress = 0
	}
	l.phase = l.shrunk(l.phase, leastPhase, width)
	l.run = l.shrunk(l.run, leastRun, width)
	return l
}

// room is what the other columns leave to what comes next.
func (l *layout) room(width int) int {
	width -= l.run + l.phase + l.touched + 2*len(gap)
	if l.progress > 0 {
		width -= l.progress + len(gap)
	}
	if !l.below {
		width -= len(gap)
	}
	return width
}

// shrunk makes a column narrower until the line fits, or the column can be no narrower.
func (l *layout) shrunk(column, least, width int) int {
	return column - max(min(-l.room(width), column-least), 0)
}

// tableRows writes rows in columns, the heads first.
func (p *printer) tableRows(rows []row) {
	l := layoutOf(rows, p.how.Width)
	for i := range rows {
		x := &rows[i]
		next := x.next
		if l.next > 0 {
			next = FirstColumns(next, l.next)
		}
		line := padded(MiddleColumns(x.name(), l.run), l.run) + gap + padded(FirstColumns(x.phase, l.phase), l.phase) + gap
		if l.progress > 0 {
			line += padded(x.progress, l.progress) + gap
		}
		line += padded(x.touched, l.touched)
		if !l.below {
			line += gap + next
		}
		line = strings.TrimRight(line, " ")
		switch {
		case i == 0:
			line = p.bold(line)
		case x.state == wire.Blocked:
			line = p.mark(x.mark) + strings.TrimPrefix(line, x.mark)
		}
		p.line(line)
		if l.below && next != "" && i > 0 {
			p.line("    ", next)
		}
	}
}
