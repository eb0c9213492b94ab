package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
)

// progressBeyond compares the counts with the files only in projects without archives, where the files and ROADMAP.md
// show everything that was completed.
func progressBeyond(r *check.Report, m *model) {
	m.percentBeyond(r)
	if len(m.archived) > 0 || r.Docs.Get("MILESTONES.md") != nil ||
		slices.ContainsFunc(m.phases, func(ph *phase) bool { return ph.whole }) {
		return
	}
	proved, all := counted("plans", m.phases)
	if c := m.state.counts["completed_plans"]; c != nil && c.value > proved && c.value <= proved+m.missed() {
		return // summary-lost reports it
	}
	for _, ph := range m.phases {
		proved += len(ph.orphans)
		for _, p := range ph.plans {
			if p.stopped != nil { // upstream's counts include such a summary
				proved++
			}
		}
	}
	if all == 0 || m.beyond(r, "plans", proved, "phases/ has "+say.Count(proved, "plan")+" with a summary") ||
		len(m.road.spans) > 0 { // counters may or may not include history
		return
	}
	finished := m.finished()
	m.beyond(r, "phases", finished, "ROADMAP.md and the summaries show "+say.Count(finished, "finished phase"))
}

// percentBeyond reports a percent that is higher than the percentage of completed plans and also higher than that of
// completed phases. Versions of the tool differ in which of the two they count.
func (m *model) percentBeyond(r *check.Report) {
	percent, most, why := m.state.counts["percent"], -1, ""
	for _, unit := range []string{"phases", "plans"} {
		done, all := m.state.counts["completed_"+unit], m.state.counts["total_"+unit]
		if done == nil || all == nil || all.value == 0 || done.value > all.value {
			return // progress-impossible reports a count above the total
		}
		if n := (done.value*200 + all.value) / (2 * all.value); n >= most {
			most = n
			why = "completed_" + unit + " is " + say.Int(done.value) + " and total_" + unit + " is " +
				say.Int(all.value)
		}
	}
	if percent == nil || percent.value > 100 || percent.value <= most+1 { // rounded up
		return
	}
	at := sdk.AtBytes(statePath, percent.start, percent.end)
	edits := []sdk.Edit{sdk.Replace(at, say.Int(most))}
	if p := markdown.PairAmong(m.state.pairs, "Progress"); p != nil && p.Value == bar(percent.value) {
		edits = append(edits, sdk.Replace(pairAt(p), bar(most)))
	}
	r.At(at, "percent is "+say.Int(percent.value)+", but "+why).Keyed("percent").
		Offer(sdk.Review, "Set percent to "+say.Int(most), edits...)
}

// bar draws a percentage as upstream's tool does.
func bar(percent int) string {
	full := (percent + 5) / 10
	return "[" + strings.Repeat("█", full) + strings.Repeat("░", 10-full) + "] " + say.Int(percent) + "%"
}

// missed counts the summaries lost since the base, except those of reverted plans.
func (m *model) missed() (n int) {
	if m.base == nil {
		return 0
	}
	for _, was := range m.base.phases {
		list := was.reports[:0:0]
		if at := slices.IndexFunc(m.phases, func(ph *phase) bool { return ph.dir == was.dir }); at >= 0 {
			list = m.missing(was, m.phases[at])
		} else if len(m.vanished(was)) > 0 {
			list = was.reports
		}
		for _, s := range list {
			if !m.undone(was, s.number) {
				n++
			}
		}
	}
	return n
}

// beyond reports a completed count that is higher than proved; what describes the proof.
func (m *model) beyond(r *check.Report, unit string, proved int, what string) bool {
	c, t := m.state.counts["completed_"+unit], m.state.counts["total_"+unit]
	if c == nil || c.value <= proved || t != nil && c.value > t.value {
		return false
	}
	name := "completed_" + unit
	r.At(sdk.AtBytes(statePath, c.start, c.end), name+" is "+say.Int(c.value)+", but "+what).Keyed(keyOf(unit)).
		Offer(sdk.Review, "Set "+name+" to "+say.Int(proved),
			sdk.Replace(sdk.AtBytes(statePath, c.start, c.end), say.Int(proved)))
	return true
}

// keyOf returns the key that distinguishes the finding about phases from the finding about plans.
func keyOf(unit string) string {
	if unit == "plans" {
		return ""
	}
	return unit
}

// finished counts the phases that ROADMAP.md ticks or marks complete in its table, and those that are executed or
// verified.
func (m *model) finished() int {
	seen := map[string]bool{}
	for _, e := range m.road.entries {
		seen[e.number] = seen[e.number] || e.task.Checked()
	}
	for _, w := range m.road.rows {
		seen[w.number] = seen[w.number] || w.complete
	}
	for _, ph := range m.phases {
		done, all := ph.executed()
		seen[ph.number] = seen[ph.number] || done == all && done+len(ph.reports) > 0 || ph.proved()
	}
	n := 0
	for _, done := range seen {
		if done {
			n++
		}
	}
	return n
}

// progressImpossible offers the numbers that the files show. It is a warning if only the total is outdated, because the
// completed count then claims no more than the files show.
func progressImpossible(r *check.Report, m *model) {
	percent := m.state.counts["percent"]
	for _, unit := range []string{"plans", "phases"} {
		done, all := m.state.counts["completed_"+unit], m.state.counts["total_"+unit]
		if done == nil || all == nil || done.value <= all.value {
			continue
		}
		f := r.At(sdk.AtBytes(statePath, done.start, done.end),
			"completed_"+unit+" is "+say.Int(done.value)+", but total_"+unit+" is "+say.Int(all.value)+
				say.Line(m.state.doc, all.start)).Keyed(unit)
		f.See(sdk.AtBytes(statePath, all.start, all.end), "the total")
		proved, there := m.counted(unit)
		if unit == "plans" && done.value <= m.summaries() || unit == "phases" && done.value <= m.finished() {
			f.As(sdk.Warning)
		}
		counts := map[*count]int{done: proved, all: there}
		if percent != nil && percent.value > 100 && there > 0 {
			counts[percent], percent = proved*100/there, nil
		}
		var edits []sdk.Edit
		for _, c := range []*count{all, done, m.state.counts["percent"]} {
			if n, ok := counts[c]; ok && c.value != n {
				edits = append(edits, sdk.Replace(sdk.AtBytes(statePath, c.start, c.end), say.Int(n)))
			}
		}
		if there > 0 {
			f.Offer(sdk.Review, "Set completed_"+unit+" to "+say.Int(proved)+" and total_"+unit+" to "+say.Int(there)+
				", as in phases/", edits...)
		} else {
			f.Advise("Correct the numbers", "Set completed_"+unit+" and total_"+unit+" to the milestone's numbers.")
		}
	}
	if percent == nil || percent.value <= 100 {
		return
	}
	at := sdk.AtBytes(statePath, percent.start, percent.end)
	f := r.At(at, "percent is "+say.Int(percent.value)+"; expected at most 100").Keyed("percent")
	if done, all := m.counted("plans"); all > 0 {
		f.Offer(sdk.Review, "Set percent to "+say.Int(done*100/all)+": "+say.Int(done)+" of "+say.Count(all, "plan")+
			" in phases/", sdk.Replace(at, say.Int(done*100/all)))
	} else {
		f.Advise("Correct the number", "Calculate percent from completed_plans and total_plans.")
	}
}

// summaries counts the summaries under phases/.
func (m *model) summaries() (n int) {
	for _, ph := range m.phases {
		n += len(ph.reports)
	}
	return n
}

// counted counts the plans or phases in the current milestone's directories: the completed ones, and all of them.
func (m *model) counted(unit string) (done, all int) {
	return counted(unit, slices.DeleteFunc(slices.Clone(m.phases), func(ph *phase) bool { return !m.own(ph) }))
}

func counted(unit string, phases []*phase) (done, all int) {
	for _, ph := range phases {
		d, a := ph.executed()
		if unit == "plans" {
			done, all = done+d, all+a
		} else if all++; d == a && a > 0 {
			done++
		}
	}
	return done, all
}

// own reports whether a phase belongs to the current milestone: ROADMAP.md lists it outside history. Its box takes
// precedence over its row, and its row over its section, which often remains. A phase that ROADMAP.md does not list
// belongs to the milestone while STATE.md is at it or it has waiting plans.
func (m *model) own(ph *phase) bool {
	listed, now := false, false
	is := func(number, name string, old bool) {
		if number == ph.number {
			listed, now = true, now || !old && m.of(number, name) == ph
		}
	}
	for _, e := range m.road.entries {
		is(e.number, e.name, e.old)
	}
	for _, w := range m.road.rows {
		if !listed {
			is(w.number, w.name, w.old)
		}
	}
	for _, h := range m.road.heads {
		if !listed {
			is(h.number, h.name, h.old)
		}
	}
	at, waits := ph.number == m.state.number, len(m.waits(ph)) > 0
	return now || at && waits || !listed && (at || waits ||
		len(m.road.entries)+len(m.road.heads)+len(m.road.rows) == 0)
}

// progressRow reports outdated rows. If a row claims too much, done-with-open-parts reports it.
func progressRow(r *check.Report, m *model) {
	for _, ph := range m.phases {
		w := m.row(ph)
		done, all := ph.executed()
		if w != nil && len(ph.plans) == 0 && len(ph.reports) > 0 && w.open && w.unstarted() {
			r.At(sdk.AtLine(roadmapPath, w.row.Line()), "the row for phase "+ph.number+" says "+
				say.Quote(w.row.Cell(w.status).Text())+", but "+ph.dir+" has "+say.Count(len(ph.reports), "summary")).
				About(ph.subject()).See(sdk.At(ph.reports[0].doc.Path), "a summary")
		}
		stray := 0
		for _, s := range ph.reports {
			if m.stray(ph, s) {
				stray++
			}
		}
		if w == nil || all == 0 || stray > 0 || w.complete && len(m.waits(ph)) > 0 {
			continue
		}
		done, all = done+len(ph.orphans), all+len(ph.orphans) // ROADMAP.md lists them as plans
		ghosts := 0                                           // ticked, but missing; plan-ticked-early reports them
		for _, b := range m.road.boxes {
			if b.phase == ph.number && !b.old && !b.off && b.task.Checked() && m.ghost(b) {
				ghosts++
			}
		}
		if w.all == all+ghosts {
			all = w.all
		}
		left, counted := m.leftOver(ph), all
		if w.all == all-len(left) {
			counted = w.all
		}
		says, proved := "", ph.passed() || m.ticked(ph) > 0
		switch {
		case w.counted && (w.done != done || w.all != all && w.all != all+len(m.unwritten(ph))) &&
			!(w.complete && w.done == w.all) && !(counted != all && m.current() == ph && m.state.of == counted &&
			w.done == done): // plan-count reports it
			says = say.Int(w.done) + "/" + say.Int(w.all)
		case w.open && (done == all && proved || done > 0 && w.unstarted()):
			says = say.Quote(w.row.Cell(w.status).Text())
		default:
			continue
		}
		f := r.At(sdk.AtLine(roadmapPath, w.row.Line()), "the row for phase "+ph.number+" says "+says+", but "+
			ph.summed(done, all)).About(ph.subject())
		if w.counted && w.done == done && counted != all {
			m.retire(f, ph, left)
			continue
		}
		proved = proved || ph.tried() || m.wasComplete(w)
		f.Offer(sdk.Review, "Update the row for phase "+ph.number, w.set(done, counted, proved)...)
	}
}

// summaries says how many plans have a summary, for messages.
func (ph *phase) summaries() string { return ph.summed(ph.executed()) }

// summed is like summaries, for given counts.
func (ph *phase) summed(done, all int) string {
	if all == 1 && done == 0 {
		return "the only plan in " + ph.dir + " has no summary"
	} else if all == 1 {
		return "the only plan in " + ph.dir + " has a summary"
	}
	return say.Int(done) + " of " + say.Int(all) + " plans in " + ph.dir + " " + say.Has(done) + " a summary"
}

// wasComplete reports whether the base marks a row's phase complete.
func (m *model) wasComplete(w *row) bool {
	return m.base != nil && m.sameMilestone() && slices.ContainsFunc(m.base.road.rows,
		func(was *row) bool { return was.number == w.number && !was.old && was.complete })
}

// unstarted reports whether a row says that its phase has not begun.
func (w *row) unstarted() bool {
	of := phaseWords.Of(w.row.Cell(w.status).Raw())
	return of == status.Open || of == status.Ready
}
