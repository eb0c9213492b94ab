package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func stateMissing(r *check.Report, m *model) {
	if (m.state.doc == nil || hollow(m.state.doc)) && r.Docs.Known(statePath) && !m.streams &&
		r.Docs.CompleteBelow("workstreams") &&
		(m.road.doc != nil || len(m.phases) > 0) {
		r.Whole(statePath, "STATE.md is "+missing(m.state.doc)+", but phases exist")
	}
}

// missing returns "empty" or "missing", for messages.
func missing(d *sdk.Document) string {
	if d != nil {
		return "empty"
	}
	return "missing"
}

// projectMissing skips workstreams, which use the project's PROJECT.md.
func projectMissing(r *check.Report, m *model) {
	if r.Docs.Get("PROJECT.md") == nil && r.Docs.Known("PROJECT.md") && len(m.phases) > 0 && r.Name == ".planning" {
		f := r.Whole("PROJECT.md", "PROJECT.md is missing, but phases exist; commands read the goal from it")
		if m.base != nil && m.base.docs.Get("PROJECT.md") != nil {
			f.Offer(sdk.Review, "Restore PROJECT.md from the base", sdk.Restore("PROJECT.md"))
		}
	}
}

// roadmapMissing requires a waiting plan, because between milestones there may be no ROADMAP.md: it is archived with
// the previous milestone.
func roadmapMissing(r *check.Report, m *model) {
	if m.road.doc != nil && !hollow(m.road.doc) || !r.Docs.Known(roadmapPath) || m.streams ||
		!r.Docs.CompleteBelow("workstreams") {
		return
	}
	ph := m.waiting()
	if ph == nil {
		return
	}
	f := r.Whole(roadmapPath, "ROADMAP.md is "+missing(m.road.doc)+", but "+ph.dir+" has waiting plans: "+
		say.List(ids(ph.open())))
	if m.base != nil && m.base.road.doc.Readable() && !hollow(m.base.road.doc) {
		f.Offer(sdk.Review, "Restore ROADMAP.md from the base", sdk.Restore(roadmapPath))
	}
	f.Advise("Restore ROADMAP.md", "Restore ROADMAP.md from git if it has one.",
		"Otherwise, rewrite it from the phases in phases/.")
	if m.state.shipped || !r.Docs.Known(statePath) { // ROADMAP.md may be archived with the milestone
		f.As(sdk.Warning)
	}
}

// waiting returns the first phase with a waiting plan, or nil if there is none. It skips directories that share a
// number, because one of them may be left from an earlier milestone.
func (m *model) waiting() *phase {
	at := slices.IndexFunc(m.phases,
		func(ph *phase) bool { return len(ph.open()) > 0 && len(m.byNumber[ph.number]) == 1 })
	if at < 0 {
		return nil
	}
	return m.phases[at]
}

// phaseDuplicate reports directories with the same number. It is a warning if one is finished, because that one may be
// left from an earlier milestone. It skips two names that differ only in case, which stategate itself reports.
func phaseDuplicate(r *check.Report, m *model) {
	m.emptyDuplicate(r)
	for _, ph := range m.phases {
		list := m.byNumber[ph.number]
		if len(list) < 2 || list[0] != ph || len(list) == 2 && lower(ph.dir) == lower(list[1].dir) {
			continue
		}
		alive := 0
		for _, one := range list {
			if done, all := one.executed(); done < all || all == 0 {
				alive++
			}
		}
		f := r.Whole(list[1].dir, list[0].dir+" and "+list[1].dir+" are both phase "+ph.number+
			"; commands use the first").About(ph.subject())
		if f.See(sdk.At(list[0].dir), "this is also phase "+ph.number); alive < len(list) {
			f.As(sdk.Warning)
		}
		if keep, from := list[0], list[1]; len(list) == 2 {
			if m.proper(keep) < m.proper(from) {
				keep, from = from, keep
			}
			if from.within(keep) && m.proper(from) < m.proper(keep) {
				f.Advise("Remove the copy", "Remove "+from.dir+": "+keep.dir+" has the same plans and summaries.")
			}
		}
		if into, from := list[0], list[1]; len(list) == 2 && lower(into.title) == lower(from.title) {
			if len(from.plans)+len(from.reports) > len(into.plans)+len(into.reports) {
				into, from = from, into
			}
			f.Advise("Merge the directories", "Move the files that "+into.dir+" lacks from "+from.dir+", and remove "+
				from.dir+".")
		}
	}
}

// phaseUnlisted looks for a phase's number anywhere in ROADMAP.md, because roadmaps name phases in many ways and in
// ranges.
func phaseUnlisted(r *check.Report, m *model) {
	if len(m.road.entries)+len(m.road.heads) == 0 {
		return
	}
	var dirs []string
	for _, ph := range m.aside {
		if len(ph.open()) > 0 {
			dirs = append(dirs, ph.dir)
		}
	}
	if dirs != nil {
		r.Whole(dirs[0], say.And(dirs...)+" "+say.Are(len(dirs))+" left from a milestone that ROADMAP.md marks as "+
			"shipped; stategate does not check the plans without a summary there").Keyed("shipped").As(sdk.Info).
			Advise("Archive the old phases", "Move "+say.And(dirs...)+" to the milestone's archive in milestones/.")
	}
	for _, ph := range m.phases {
		if len(ph.open()) > 0 && !m.road.names(ph) && !m.road.says(ph.number) && !backlog(ph.number) {
			r.Whole(ph.dir, "ROADMAP.md does not name phase "+ph.number+", which has waiting plans: "+
				say.List(ids(ph.open()))).About(ph.subject())
		}
	}
}

// names reports whether ROADMAP.md lists a phase or names its directory.
func (r *roadmap) names(ph *phase) bool {
	return r.lists(ph.number) || strings.Contains(r.doc.Text, strings.TrimPrefix(strings.TrimSuffix(ph.dir, "/"),
		"phases/"))
}

// phaseTickedEarly reports phases that have waiting plans but whose box or row in the table marks them complete.
func phaseTickedEarly(r *check.Report, m *model) {
	m.tickedForNothing(r)
	for _, ph := range m.phases {
		waits := m.waits(ph)
		if len(waits) == 0 {
			continue
		}
		done, all := ph.executed()
		excused, reopened := m.excused(ph), m.reopened(ph, waits)
		what := ", but " + ph.summaries() + "; open: " + say.List(ids(waits))
		e, w := m.entry(ph), m.row(ph)
		if w != nil && !w.complete {
			w = nil
		}
		switch {
		case e != nil && e.task.Checked() && !e.off:
			edits := e.untick()
			f := r.At(sdk.AtLine(roadmapPath, e.task.Line()), "phase "+ph.number+" is ticked"+what).About(ph.subject())
			if w != nil {
				f.See(sdk.AtLine(roadmapPath, w.row.Line()), "the table also marks it complete")
				edits = append(edits, w.set(done, all, true)...)
			}
			fresh := m.closes(ph) && (m.base != nil || r.Base.State == sdk.BaseNew)
			if left := m.leftOver(ph); len(left) == len(waits) {
				if m.retire(f, ph, left); ph.passed() {
					f.As(sdk.Warning)
					continue
				}
			}
			if excused && !fresh && !reopened {
				f.As(sdk.Warning).Advise("Write the summaries", "Write the summary of "+say.List(names(waits))+".")
				continue
			}
			if reopened {
				f.As(sdk.Warning)
			}
			back, title := m.restores(waits)
			f.Offer(sdk.Review, title, back...)
			more, too := m.takeBack(ph, done)
			record(f, waits, fresh, "Untick phase "+ph.number+too, append(edits, more...))
		case w != nil && (e == nil || !e.task.Checked() && !e.off):
			f := r.At(sdk.AtLine(roadmapPath, w.row.Line()),
				"the table marks phase "+ph.number+" complete"+what).About(ph.subject())
			if excused && !reopened {
				f.As(sdk.Warning).Advise("Write the summaries", "Write the summary of "+say.List(names(waits))+".")
				continue
			}
			if reopened {
				f.As(sdk.Warning)
			}
			edits := w.set(done, all, true)
			if more, too := m.takeBack(ph, done); edits != nil && !m.road.ticks(ph.number) {
				record(f, waits, m.freshRow(w), "Update the row for phase "+ph.number+too,
					append(edits, more...))
			} else {
				record(f, waits, false, "", nil)
			}
		case e == nil:
			if _, early, _ := m.early(ph); early != nil {
				continue // plan-ticked-early reports it
			}
			if w := m.pastRow(ph.number, ph.title); w != nil && !reopened && !m.inArchive(ph.number) {
				f := r.At(sdk.AtLine(roadmapPath, w.row.Line()), "the table marks phase "+ph.number+
					" of an earlier milestone complete"+what).About(ph.subject()).As(sdk.Warning)
				record(f, waits, false, "", nil)
			} else if at := m.pastTick(ph); at > 0 && m.current() == ph && !m.state.shipped {
				f := r.At(sdk.AtLine(roadmapPath, at), "phase "+ph.number+
					" is ticked among shipped phases, but STATE.md is at this phase, and "+ph.summaries()+"; open: "+
					say.List(ids(waits))).About(ph.subject()).As(sdk.Warning)
				record(f, waits, false, "", nil)
			}
		}
	}
}

// excused reports whether a phase is done although it has waiting plans: its goal is reached, or the roadmap lists
// other finished work in place of the plans.
func (m *model) excused(ph *phase) bool { return ph.proved() || m.road.otherwise(ph.number) }

// closes reports whether the phase's tick is new since the base. Upstream's tool never closes a phase while a plan has
// no summary, whatever a verification says. If the base has the tick, only a summary was forgotten.
func (m *model) closes(ph *phase) bool {
	return !m.road.otherwise(ph.number) && (m.base == nil || !m.base.road.ticks(ph.number))
}

// reopened reports whether all waiting plans close gaps and the phase's tick is not new: such plans are created after
// the phase is ticked.
func (m *model) reopened(ph *phase, waits []*plan) bool {
	return closing(waits) &&
		(m.base == nil || !slices.ContainsFunc(m.base.road.entries,
			func(e *entry) bool { return e.number == ph.number && !e.old && !e.task.Checked() }))
}

// takeBack returns the edits that withdraw the other claims that the waiting plans are done, in plan boxes and in
// STATE.md. These would otherwise be separate findings. title continues the remedy's title.
func (m *model) takeBack(ph *phase, done int) (edits []sdk.Edit, title string) {
	if boxes, plans, _ := m.early(ph); plans != nil {
		edits, title = sdk.Edits(roadmapPath, boxes...), ", untick "+say.Count(len(plans), "plan")
	}
	if m.current() != ph || m.state.complete == nil {
		return edits, title
	}
	word := "Ready to execute"
	if done > 0 {
		word = "In progress"
	}
	for _, at := range m.state.claims {
		edits = append(edits, sdk.Replace(at, word))
	}
	return edits, title + ", set STATE.md to " + say.Quote(word)
}

// set returns the edits that update a row to the given number of finished plans. The row becomes complete if all plans
// are finished and proved is true: the phase is ticked or its verification passed.
func (w *row) set(done, all int, proved bool) []sdk.Edit {
	word := "In Progress"
	if done >= all && proved {
		word = "Complete"
	} else if done == 0 {
		word = "Planned"
	}
	texts := make([]string, max(w.status, w.plans, w.percent, w.date)+1) // for each column
	texts[w.status] = word
	if w.plans >= 0 {
		texts[w.plans] = say.Int(done) + "/" + say.Int(all)
	}
	if percent := w.row.Cell(w.percent).Text(); w.percent >= 0 && strings.HasSuffix(percent, "%") &&
		digits(strings.TrimSuffix(percent, "%")) && all > 0 {
		texts[w.percent] = say.Int(done*100/all) + "%"
	}
	if date := w.row.Cell(w.date); done < all && w.date >= 0 && words.Meant(date.Text()) {
		texts[w.date] = "-"
	}
	var edits []markdown.Edit
	for column, text := range texts {
		if text == "" {
			continue
		}
		if set, ok := w.row.Set(column, text); ok {
			edits = append(edits, set)
		} else if column == w.status {
			return nil
		}
	}
	return sdk.Edits(roadmapPath, edits...)
}

func phasesUnread(r *check.Report, m *model) {
	if n := len(m.road.unread); n > 0 {
		r.At(sdk.AtLine(roadmapPath, m.road.unread[0].Line()), "ROADMAP.md has "+say.Count(n, "phase")+
			" numbered by milestone, such as "+say.Quote(m.road.unread[0].Text())+
			"; stategate does not check them, because config.json has no phase_id_convention: milestone-prefixed")
	}
}

// rowAlone returns the row that marks an unticked phase and all its plans complete, or nil. It returns nil if the phase
// has a directory, which shows whether the row or the box is right.
func (m *model) rowAlone(e *entry) *row {
	titled := &phase{title: strings.ReplaceAll(e.name, " ", "-")}
	at := slices.IndexFunc(m.road.rows, func(w *row) bool {
		return w.number == e.number && !w.old && w.complete && w.counted && w.done == w.all && w.all > 0 &&
			w.name != "" && titled.fits(w.name)
	})
	if at < 0 || len(m.byNumber[e.number]) > 0 {
		return nil
	}
	return m.road.rows[at]
}

// phaseNotTicked skips phases that nothing shows to be complete, and the last executed phase: both may be unticked.
func phaseNotTicked(r *check.Report, m *model) {
	last := -1
	for i, ph := range m.phases {
		if done, _ := ph.executed(); done > 0 && !backlog(ph.number) {
			last = i
		}
	}
	for i, ph := range m.phases {
		done, all := ph.executed()
		e := m.entry(ph)
		if i >= last || e == nil || e.task.Checked() || e.off || all == 0 || done < all {
			continue
		}
		proof, at := m.shown(ph)
		if proof == "" {
			continue
		}
		tick, _ := e.task.Check()
		r.At(sdk.AtLine(roadmapPath, e.task.Line()),
			"phase "+ph.number+" is not ticked, although "+ph.summaries()+" and "+proof).
			About(ph.subject()).See(at, proof).Offer(sdk.Review,
			"Tick phase "+ph.number, sdk.Edits(roadmapPath, tick)...)
	}
	for _, e := range m.road.entries {
		if w := m.rowAlone(e); w != nil && !e.old && !e.off && !e.task.Checked() {
			r.At(sdk.AtLine(roadmapPath, e.task.Line()), "phase "+e.number+
				" is not ticked, but the table marks it complete"+say.Line(m.road.doc, w.row.Start())+
				"; phases/ has no directory for it").About("phase-"+e.number).
				See(sdk.AtLine(roadmapPath, w.row.Line()), "the row").
				Advise("Correct the box or the row", "If the phase is done, which git log may show, tick it.",
					"Otherwise, set its row to Not started.")
		}
	}
}
