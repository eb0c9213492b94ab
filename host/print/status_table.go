package print

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

type row struct {
	mark, run, phase, progress, done, updated string
	Actual, Recorded, Next                    string // the parts of phase, and the next step; also for the page
	state                                     wire.State
	current                                   bool // the workflow chooses this run
}

var heads = row{run: "RUN", phase: "PHASE", Actual: "PHASE", progress: "PROGRESS", done: "DONE", updated: "UPDATED",
	Next: "NEXT"}

func (x *row) name() string { return strings.TrimLeft(x.mark+" "+x.run, " ") }

func (p *overview) table() {
	p.ofDirectories()
	v := p.view
	if len(v.Runs) == 0 {
		return
	}
	rows, places := []row{heads}, result.Places(v.Runs)
	for i := range v.Runs {
		if v.Most > 0 && i == v.Most {
			break
		}
		run := &v.Runs[i]
		x := p.row(run, places[i])
		if x.current = run.Self != nil && p.picks[run.Self]; x.current {
			x.run += " *"
		}
		rows = append(rows, x)
	}
	if _, below := p.roomForNext(rows); below && v.Most > 0 { // two lines per run
		rows = rows[:min(len(rows), 1+max(v.Most/2, 1))]
	}
	p.tableRows(rows)
	if rest := len(v.Runs) + 1 - len(rows); rest > 0 {
		p.line(p.faint("… and " + Count(rest, "more run")))
	}
	if slices.ContainsFunc(rows, func(x row) bool { return x.current }) {
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
	x := row{run: p.runName(run, place), updated: age(p.view.Now, run.Updated.At),
		state: run.StateIn(p.how.FailOn)}
	x.mark = map[wire.State]string{wire.Active: "●", wire.Blocked: "✗", wire.Finished: "✓",
		wire.Abandoned: "○"}[x.state]
	switch d := run.Self; {
	case d != nil:
		x.phase = Safe(phase(d))
		x.Actual, x.Recorded = phases(d)
		x.Next = d.Resume.Next
		if d.Progress.Total > 0 {
			x.progress, x.done = bar(d), done(d.Progress)
		}
		if d.State == wire.Blocked {
			x.Next = cmp.Or(d.Resume.First, d.Resume.Next)
		}
	case len(run.Parts) > 0:
		x.phase = partCount(run)
		x.Actual = x.phase
	default:
		x.phase = "no run can be seen"
		x.Actual = x.phase
	}
	if x.state == wire.Blocked {
		x.Next = cmp.Or(fixFirst(run, p.how.FailOn), x.Next)
	}
	if !result.GoesOn(x.state) {
		x.Next = ""
	}
	x.Next = Safe(x.Next)
	x.Actual, x.Recorded = Safe(x.Actual), Safe(x.Recorded)
	return x
}

// runName returns a run's name for display: its path and, if other runs have the same path, its own name.
func (p *printer) runName(run *result.Run, place result.RunPlace) string {
	if name := p.path(place.Path); place.Alone {
		return name
	}
	return p.path(place.Path) + " " + Safe(run.Name())
}

// These are the minimum widths of cells. If a terminal leaves less room for a next step, the step moves to its own
// line.
const leastRun, leastPhase, leastNext = 26, 14, 60

const gap = "  "

// below returns the part of a row that moves to its own line on a narrow terminal.
func (x *row) below() string {
	if x.Recorded == "" || x.Next == "" {
		return strings.TrimSuffix("recorded: "+x.Recorded, "recorded: ") + x.Next
	}
	return "recorded: " + x.Recorded + "; " + x.Next
}

func widest(rows []row, cell func(x *row) string) int {
	return Columns(slices.MaxFunc(each(rows, cell), func(a, b string) int { return Columns(a) - Columns(b) }))
}

func (x *row) phaseCell() string    { return x.phase }
func (x *row) progressCell() string { return x.progress }
func (x *row) updatedCell() string  { return x.updated }

// roomForNext returns the number of columns that a terminal leaves for the next step. below is true if the longest
// next step does not fit.
func (p *overview) roomForNext(rows []row) (room int, below bool) {
	room = p.how.Width - widest(rows, (*row).name) - widest(rows, (*row).phaseCell) - widest(rows, (*row).updatedCell) -
		3*len(gap)
	if progress := widest(rows, (*row).progressCell); progress > 0 {
		room -= progress + len(gap)
	}
	longest := widest(rows, func(x *row) string { return x.Next })
	return room, p.how.Width > 0 && room < min(leastNext, longest)
}

// tableRows writes rows in columns, starting with the heads. On a narrow terminal, the next step and the recorded
// phase move to their own line and bars are dropped. If that is not enough, it shortens the run's name in the middle,
// then truncates phases, and finally drops progress.
func (p *overview) tableRows(rows []row) {
	next, below := p.roomForNext(rows)
	run, phase, bars := widest(rows, (*row).name), widest(rows, (*row).phaseCell), true
	progress, updated := widest(rows, (*row).progressCell), widest(rows, (*row).updatedCell)
	if below {
		for i := range rows {
			rows[i].phase, rows[i].Next = rows[i].Actual, rows[i].below()
		}
		phase, next = widest(rows, (*row).phaseCell), p.how.Width-len("    ")
		bars = run+phase+progress+updated+3*len(gap) <= p.how.Width
		if !bars {
			progress = widest(rows, func(x *row) string { return x.done })
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
			x.Next = firstColumns(x.Next, next)
		}
		line := padded(middleColumns(x.name(), run), run) + gap + padded(firstColumns(x.phase, phase), phase) + gap
		switch {
		case progress > 0 && bars:
			line += padded(x.progress, progress) + gap
		case progress > 0:
			line += padded(x.done, progress) + gap
		}
		line += padded(x.updated, updated)
		if !below {
			line += gap + x.Next
		}
		line = strings.TrimRight(line, " ")
		if i == 0 {
			line = p.bold(line)
		} else {
			line = p.paint(stateColors[x.state], x.mark) + strings.TrimPrefix(line, x.mark)
		}
		p.line(line)
		if below && x.Next != "" && i > 0 {
			p.line("    ", p.faint(x.Next))
		}
	}
}
