package print

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// A View chooses which runs Status shows, and how.
type View struct {
	Runs     []result.Run // in display order
	Filtered bool         // some runs were left out for a reason other than their state
	Whole    bool         // show each run and its parts in full, rather than on one line
	Facts    bool         // with Whole: also the plugin's facts
	Most     int          // maximum lines of runs; 0 means unlimited
	Now      time.Time
	Where    Where
}

type overview struct {
	*report
	view  *View
	picks map[*wire.Detection]bool
}

// Status writes one line per run of a view, and the number of runs in each state.
func Status(w io.Writer, r *result.Result, v View, o Options) error {
	p := &overview{newReport(w, r, o), &v, r.Current()}
	if v.Whole {
		p.whole()
	} else {
		p.table()
	}
	p.unseen()
	p.states()
	return p.w.Flush()
}

const barWidth = 10

func bar(d *wire.Detection) string {
	pr := d.Progress
	if pr.Total <= 0 {
		return ""
	}
	if pr.Done < pr.Total && !result.GoesOn(d.State) {
		return done(pr) // skipped parts are not missing progress
	}
	full := max(0, min(barWidth, pr.Done*barWidth/pr.Total))
	return strings.Repeat("█", full) + strings.Repeat("░", barWidth-full) + " " + done(pr)
}

func done(pr wire.Progress) string { return strconv.Itoa(pr.Done) + "/" + strconv.Itoa(pr.Total) }

// phases returns the phase that the documents show, and the phase that the state file records, if it differs.
func phases(d *wire.Detection) (actual, recorded string) {
	if d.Claimed == d.Observed || d.Fit == wire.Consistent {
		return d.Observed, ""
	}
	return d.Observed, d.Claimed
}

func phase(d *wire.Detection) string {
	actual, recorded := phases(d)
	if recorded == "" {
		return actual
	}
	return strings.TrimPrefix(actual+" (recorded: "+recorded+")", " ")
}

// fitWord describes how a recorded phase relates to what the documents show. If the fit is unknown, the recorded
// phase does not exist, or nothing confirms or refutes it.
func fitWord(f wire.Fit) string {
	switch f {
	case wire.FitUnknown:
		return "not proved"
	case wire.JustBehind:
		return "just behind"
	}
	return f.String()
}

var stateColors = map[wire.State]string{wire.Active: cyan, wire.Blocked: red, wire.Finished: green,
	wire.Abandoned: faint}

func (p *printer) state(s wire.State) string { return p.paint(stateColors[s], s.String()) }

// age returns how long ago something happened, in the largest unit that fits.
func age(now, then time.Time) string {
	d := now.Sub(then)
	switch {
	case then.IsZero():
		return "-"
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + " h"
	}
	return strconv.Itoa(int(d.Hours()/24)) + " d"
}

// ago returns age for use in a sentence, such as "3 d ago".
func ago(now, then time.Time) string {
	text := age(now, then)
	if text == "now" || then.IsZero() {
		return text
	}
	return text + " ago"
}

// whole writes a view's runs with their parts, grouped by state directory, in the plugin's order.
func (p *overview) whole() {
	shown := map[*wire.Detection]bool{}
	for _, run := range p.view.Runs {
		for _, d := range append(run.Parts, run.Self) {
			shown[d] = true
		}
	}
	var last *result.Instance
	for _, run := range p.view.Runs {
		if run.Instance != last {
			last = run.Instance
			p.instance(last, shown)
		}
	}
}

func (p *overview) instance(i *result.Instance, shown map[*wire.Detection]bool) {
	p.line(p.bold(p.path(i.Root)), "  ", p.faint(Safe(i.Plugin)), p.problems(i))
	if at := i.LastUpdate; !at.At.IsZero() {
		text := "  updated " + ago(p.view.Now, at.At)
		if at.Uncommitted {
			text += ", not committed"
		}
		p.line(p.faint(text))
	}
	var widths [3]int
	var list []*wire.Detection
	for j := range i.Detections {
		if d := &i.Detections[j]; shown[d] {
			list = append(list, d)
			for n, cell := range columns(d) {
				widths[n] = max(widths[n], Columns(cell))
			}
		}
	}
	for _, d := range list {
		p.subject(d, widths)
	}
	p.line()
}

func (p *overview) problems(i *result.Instance) string {
	s := (&result.Result{Instances: []result.Instance{*i}}).Summary()
	text := ""
	if s.Errors > 0 {
		text = "  " + p.mark(Count(s.Errors, "error"))
	}
	if s.Warnings > 0 {
		text += "  " + Count(s.Warnings, "warning")
	}
	return text
}

func columns(d *wire.Detection) [3]string {
	progress := bar(d)
	if progress != "" {
		progress += " " + Safe(d.Progress.Unit)
	}
	return [3]string{Safe(result.NameOf(d)), Safe(phase(d)), progress}
}

func (p *overview) subject(d *wire.Detection, widths [3]int) {
	begin := "  "
	if p.picks[d] {
		begin = "* "
	}
	for n, cell := range columns(d) {
		begin += padded(cell, widths[n]) + "  "
	}
	p.line(begin, p.state(d.State))
	if result.GoesOn(d.State) {
		p.labelled("first", d.Resume.First)
		p.labelled("next", d.Resume.Next)
	}
	p.facts(slices.DeleteFunc(slices.Clone(d.Facts), func(f wire.Fact) bool {
		return f.Level == wire.Debug || f.Level == wire.Detail && !p.view.Facts
	}))
}

func (p *overview) labelled(name, text string) {
	if text != "" {
		p.wrapped("    "+p.bold(name+":")+" ", len(name)+6, "      ", Safe(text), "")
	}
}

// facts writes a plugin's facts about a run, in its order: short facts on one line, tables below their titles. It
// skips empty facts.
func (p *overview) facts(list []wire.Fact) {
	for _, f := range list {
		title := Safe(strings.Join(strings.Fields(cmp.Or(f.Title, f.Name)), " "))
		if f.Value.Kind == wire.TableValue {
			if len(f.Value.Rows) > 0 {
				p.line("    ", title, ":")
				p.rows("      ", append([][]string{f.Value.Columns}, f.Value.Rows...))
			}
		} else if text := Safe(f.Value.String()); text != "" {
			p.wrapped("    ", 4, "      ", title+": "+text, "")
		}
	}
}

// states counts the runs by state, names the states that are not shown, and states whether the gate is open.
func (p *overview) states() {
	r, v := p.result, p.view
	all, shown := result.CountStates(r.Runs(), p.how.FailOn), result.CountStates(v.Runs, p.how.FailOn)
	if v.Whole && len(r.Instances) == 1 {
		shown = all
	}
	var parts []string
	for _, s := range result.States {
		word := stateWords[s]
		if all[s] == 0 {
			continue
		}
		text := fmt.Sprintf("%d %s", all[s], word)
		if hidden := all[s] - shown[s]; hidden == all[s] && !result.GoesOn(s) {
			text += " (list with --all)"
		} else if hidden > 0 {
			text += fmt.Sprintf(" (%d not shown)", hidden)
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		parts = []string{"no runs"}
	}
	gate, s := r.Gate(p.how.FailOn), r.Summary()
	color, word, end := red, gateWords[gate], ""
	switch gate {
	case result.Open:
		color = green
	case result.Closed:
		end = ", " + Count(s.Errors, "error") + " (stategate check)"
	default:
		end = ", " + Count(s.Failures, "failure")
	}
	text := strings.Join(append(parts, accepted(&s)...), ", ") + ":"
	if p.how.Width > 0 && Columns(text+" "+word+end) > p.how.Width {
		p.wrapped("", 0, "", text, "")
		text = ""
	}
	p.line(strings.TrimLeft(text+" ", " "), p.paint(color, word), end)
}
