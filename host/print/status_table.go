package print

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// A row is a run's row in the table.
type row struct {
	mark, run, phase, progress, done, updated, next string
	actual, recorded                                string // the parts of phase
	state                                           wire.State
}

var heads = row{run: "RUN", phase: "PHASE", actual: "PHASE", progress: "PROGRESS", done: "DONE", updated: "UPDATED",
	next: "NEXT"}

func (x *row) name() string { return strings.TrimLeft(x.mark+" "+x.run, " ") }

func (p *overview) table() {
	p.ofDirectories()
	v := p.view
	if len(v.Runs) == 0 {
		return
	}
	rows, starred, places := []row{heads}, false, result.Places(v.Runs)
	for i := range v.Runs {
		if v.Most > 0 && i == v.Most {
			break
		}
		run := &v.Runs[i]
		x := p.row(run, places[i])
		if run.Self != nil && p.picks[run.Self] {
			x.run, starred = x.run+" *", true
		}
		rows = append(rows, x)
	}
	p.tableRows(rows)
	if rest := len(v.Runs) + 1 - len(rows); rest > 0 {
		p.line(p.faint("… and " + Count(rest, "more run")))
	}
	if starred {
		p.line(p.faint("* current"))
	}
	p.line()
}

// ofDirectories writes the findings that close the gate and belong to no run, once, above the runs.
func (p *overview) ofDirectories() {
	n := 0
	for _, d := range p.result.OfDirectory(p.how.FailOn) {
		if n++; n <= mostErrors {
			p.finding(d)
		}
	}
	if n > mostErrors {
		p.line(p.faint("… and " + Count(n-mostErrors, "more "+faultWord(p.how.FailOn)) + ": stategate check"))
	}
	if n > 0 {
		p.line()
	}
}

func (p *overview) row(run *result.Run, place result.RunPlace) row {
	x := row{run: p.path(place.Path), updated: age(p.view.Now, run.Updated.At),
		state: run.StateIn(p.how.FailOn)}
	x.mark = map[wire.State]string{wire.Active: "●", wire.Blocked: "✗", wire.Finished: "✓",
		wire.Abandoned: "○"}[x.state]
	if !place.Alone {
		x.run += " " + Safe(run.Name())
	}
	switch d := run.Self; {
	case d != nil:
		x.phase = Safe(phase(d))
		x.actual, x.recorded = phases(d)
		x.next = d.Resume.Next
		if d.Progress.Total > 0 {
			x.progress, x.done = bar(d), done(d.Progress)
		}
		if d.State == wire.Blocked {
			x.next = cmp.Or(d.Resume.First, d.Resume.Next)
		}
	case len(run.Parts) > 0:
		x.phase = partCount(run)
		x.actual = x.phase
	default:
		x.phase = "no run can be seen"
		x.actual = x.phase
	}
	if x.state == wire.Blocked {
		x.next = cmp.Or(fixFirst(run, p.how.FailOn), x.next)
	}
	if !result.GoesOn(x.state) {
		x.next = ""
	}
	x.next = Safe(x.next)
	x.actual, x.recorded = Safe(x.actual), Safe(x.recorded)
	return x
}

// These are the fewest columns that a narrow terminal leaves for a cell.
const leastRun, leastPhase, leastNext = 26, 14, 20

const gap = "  "

// below returns the part of a row that moves to its own line on a narrow terminal.
func (x *row) below() string {
	if x.recorded == "" || x.next == "" {
		return strings.TrimSuffix("recorded: "+x.recorded, "recorded: ") + x.next
	}
	return "recorded: " + x.recorded + "; " + x.next
}

// tableRows writes rows in columns, starting with the heads. On a narrow terminal, the next step and the recorded
// phase move to their own line and bars are dropped. If that is not enough, it shortens the run's name in the middle,
// then truncates phases, and finally drops progress.
func (p *overview) tableRows(rows []row) {
	widest := func(cell func(x *row) string) int {
		return Columns(slices.MaxFunc(each(rows, cell), func(a, b string) int { return Columns(a) - Columns(b) }))
	}
	run, phase, updated := widest((*row).name), widest(func(x *row) string { return x.phase }),
		widest(func(x *row) string { return x.updated })
	progress := widest(func(x *row) string { return x.progress })
	next := p.how.Width - run - phase - updated - 3*len(gap)
	if progress > 0 {
		next -= progress + len(gap)
	}
	below, bars := p.how.Width > 0 && next < leastNext, true
	if below {
		for i := range rows {
			rows[i].phase, rows[i].next = rows[i].actual, rows[i].below()
		}
		phase, next = widest(func(x *row) string { return x.phase }), p.how.Width-len("    ")
		bars = run+phase+progress+updated+3*len(gap) <= p.how.Width
		if !bars {
			progress = widest(func(x *row) string { return x.done })
		}
		room := p.how.Width - updated - 2*len(gap) // for the run and its phase
		if progress > 0 && room-progress-len(gap)-min(run, leastRun) < min(phase, leastPhase) {
			progress = 0
		} else if progress > 0 {
			room -= progress + len(gap)
		}
		run = min(run, max(room-min(phase, leastPhase), leastRun))
		phase = min(phase, max(room-run, leastPhase))
	}
	for i := range rows {
		x := &rows[i]
		if p.how.Width > 0 {
			x.next = FirstColumns(x.next, next)
		}
		line := padded(MiddleColumns(x.name(), run), run) + gap + padded(FirstColumns(x.phase, phase), phase) + gap
		switch {
		case progress > 0 && bars:
			line += padded(x.progress, progress) + gap
		case progress > 0:
			line += padded(x.done, progress) + gap
		}
		line += padded(x.updated, updated)
		if !below {
			line += gap + x.next
		}
		line = strings.TrimRight(line, " ")
		if i == 0 {
			line = p.bold(line)
		} else {
			line = p.paint(stateColors[x.state], x.mark) + strings.TrimPrefix(line, x.mark)
		}
		p.line(line)
		if below && x.next != "" && i > 0 {
			p.line("    ", p.faint(x.next))
		}
	}
}
