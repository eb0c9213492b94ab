package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/work"
)

func requirementDuplicate(r *check.Report, m *model) {
	for i, t := range m.reqs.traces {
		if was := m.reqs.disputes(t, m.reqs.traces[:i]); was != nil {
			r.At(sdk.AtLine(requirementsPath, t.row.Line()), "the table has a second row for "+t.id+", "+
				say.Quote(t.row.Cell(t.status).Text())+"; the first is "+say.Quote(was.row.Cell(was.status).Text())+
				say.Line(m.reqs.doc, was.row.Start())).About(t.id).Keyed("row").
				See(sdk.AtLine(requirementsPath, was.row.Line()), "the first row").As(sdk.Warning).
				Advise("Keep one row", "Keep the row for the phase that delivers "+t.id+", and remove the other.")
		}
	}
	first := map[string]*requirement{}
	for _, q := range m.reqs.list {
		if q.later {
			continue
		}
		was := first[q.id]
		if was == nil {
			first[q.id] = q
			continue
		}
		r.At(sdk.AtLine(requirementsPath, q.task.Line()),
			q.id+" is defined twice: as "+say.Quote(q.text)+", and as "+say.Quote(was.text)+say.Line(m.reqs.doc,
				was.task.Start())).
			About(q.id).See(sdk.AtLine(requirementsPath, was.task.Line()), "the other definition")
	}
}

// disputes returns the row among others that contradicts a row, or nil. It is about the same requirement, but only one
// of the two is complete.
func (r *requirements) disputes(t *trace, others []*trace) *trace {
	at := slices.IndexFunc(others, func(o *trace) bool {
		return o.id == t.id && (t.complete && o.open || t.open && o.complete)
	})
	if at < 0 {
		return nil
	}
	return others[at]
}

// requirementDisagrees reports one finding for each phase and direction, because such updates are forgotten together.
// It skips ticks that requirement-ticked-early reports, because there the row is right.
func requirementDisagrees(r *check.Report, m *model) {
	boxes := m.reqs.boxes()
	remedy := func(t *trace) string {
		q := boxes[t.id]
		if q == nil || q.later || m.reqs.disputes(t, m.reqs.traces) != nil ||
			strings.Contains(q.task.Raw()[:min(16, len(q.task.Raw()))], "~~") {
			return ""
		}
		switch ticked := q.task.Checked(); {
		case ticked && t.open && !m.tickedEarly(t.id, t.phase):
			return "Set the rows to Complete"
		case ticked || !t.complete:
			return ""
		case m.tickedEarly(t.id, t.phase):
			return "Set the rows to Pending"
		}
		return "Tick the requirements"
	}
	for _, group := range work.Grouped(m.reqs.traces, func(t *trace) string {
		if remedy(t) == "" {
			return ""
		}
		return t.phase + " " + remedy(t)
	}) {
		first, ids, edits := group[0], []string{}, []markdown.Edit{}
		title, message := remedy(first), " not ticked, but complete in the table"
		if boxes[first.id].task.Checked() {
			message = " ticked, but still open in the table"
		}
		for _, t := range group {
			fix, _ := t.row.Set(t.status, title[strings.LastIndexByte(title, ' ')+1:])
			if title == "Tick the requirements" {
				fix, _ = boxes[t.id].task.Check()
			}
			ids, edits = append(ids, t.id), append(edits, fix)
		}
		at := sdk.AtLine(requirementsPath, boxes[first.id].task.Line())
		f := r.At(at, say.List(ids)+" "+say.Are(len(ids))+message+say.Line(m.reqs.doc, first.row.Start())).Keyed(title).
			Offer(sdk.Review, title, sdk.Edits(requirementsPath, edits...)...)
		if first.phase != "" {
			f.About("phase-" + first.phase)
		}
	}
	m.leftOpen(r, boxes)
}

// leftOpen reports requirements of a ticked phase that are open in their box and in their row, although another
// requirement of the phase is done. It skips requirements that an open phase lists, too.
func (m *model) leftOpen(r *check.Report, boxes map[string]*requirement) {
	done := map[string]bool{}
	for _, t := range m.reqs.traces {
		done[t.phase] = done[t.phase] || boxes[t.id] != nil && boxes[t.id].task.Checked()
	}
	for _, ph := range m.phases {
		e, open := m.entry(ph), []string(nil)
		if e == nil || !e.task.Checked() || e.off || !done[ph.number] || len(m.waits(ph)) > 0 {
			continue
		}
		line := 0
		for _, t := range m.reqs.traces {
			if q := boxes[t.id]; t.phase != ph.number || !t.open || q == nil || q.later || q.task.Checked() ||
				slices.ContainsFunc(m.ahead(), func(h *head) bool { return strings.Contains(m.road.own(h), t.id) }) {
				continue
			} else if open = append(open, t.id); line == 0 {
				line = q.task.Line()
			}
		}
		if open != nil {
			r.At(sdk.AtLine(requirementsPath, line), say.List(open)+" "+say.Are(len(open))+" open, although phase "+
				ph.number+" is ticked").Keyed("open").About(ph.subject()).As(sdk.Info).
				See(sdk.AtLine(roadmapPath, e.task.Line()), "the tick").
				Advise("Tick or move the requirements", "Tick the delivered requirements, and set their rows to "+
					"Complete.", "Map the others to a later phase.")
		}
	}
}

// boxes returns the first requirement with each id.
func (r *requirements) boxes() map[string]*requirement {
	boxes := map[string]*requirement{}
	for _, q := range r.list {
		if boxes[q.id] == nil {
			boxes[q.id] = q
		}
	}
	return boxes
}

// requirementUnmapped skips tables that map ranges or that are not filled in yet.
func requirementUnmapped(r *check.Report, m *model) {
	if len(m.reqs.traces) < 3 || m.reqs.ranges {
		return
	}
	mapped := map[string]bool{}
	for _, t := range m.reqs.traces {
		mapped[t.id] = true
	}
	var list []string
	line := 0
	for _, q := range m.reqs.list {
		if !q.later && !mapped[q.id] && !q.task.Checked() {
			if line == 0 {
				line = q.task.Line()
			}
			list = append(list, q.id)
		}
	}
	if list != nil {
		r.At(sdk.AtLine(requirementsPath, line), say.List(list)+" "+say.Are(len(list))+
			" missing from the traceability table, which has "+say.Count(len(m.reqs.traces), "row"))
	}
}

func requirementTickedEarly(r *check.Report, m *model) {
	boxes, told := m.reqs.boxes(), map[string]bool{}
	early := func(t *trace) string {
		q, list := boxes[t.id], m.byNumber[t.phase]
		if q == nil || !q.task.Checked() || q.later ||
			(m.unbegun(t.phase) == nil || m.delivers(t.id)) && (len(list) != 1 || !m.unproved(list[0])) {
			return ""
		}
		return t.phase
	}
	for _, group := range work.Grouped(m.reqs.traces, early) {
		var ids []string
		for _, t := range group {
			ids = append(ids, t.id)
		}
		phase := group[0].phase
		at := sdk.AtLine(requirementsPath, boxes[ids[0]].task.Line())
		ticked := say.List(ids) + " " + say.Are(len(ids)) + " ticked, but "
		if e := m.unbegun(phase); e != nil {
			r.At(at, ticked+"phase "+e.number+" has no plan, and no executed plan lists "+
				say.Verb(len(ids), "it", "them")).About("phase-"+e.number).
				See(sdk.AtLine(roadmapPath, e.task.Line()), "the phase's checkbox")
			continue
		}
		ph := m.byNumber[phase][0]
		told[phase] = true
		r.At(at, ticked+ph.summaries()).About(ph.subject()).See(sdk.At(ph.dir), "the phase")
	}
	for _, ph := range m.phases {
		if !told[ph.number] && m.ticked(ph) == 0 {
			m.tickedByNoPlan(r, ph)
		}
	}
}

// unproved reports whether a phase has waiting plans but no executed plan and no tick.
func (m *model) unproved(ph *phase) bool {
	done, _ := ph.executed()
	return done == 0 && len(m.waits(ph)) > 0 && m.ticked(ph) == 0
}

// unbegun returns the box of a phase in the current milestone that certainly has not begun, or nil.
func (m *model) unbegun(number string) *entry {
	at := slices.IndexFunc(m.road.entries, func(e *entry) bool { return e.number == number && !e.old && !e.off })
	if at < 0 || m.road.entries[at].task.Checked() || !m.bare(number) {
		return nil
	}
	return m.road.entries[at]
}

// tickedByNoPlan reports ticked requirements that only waiting plans list. Upstream's tool ticks a plan's requirements
// when it executes the plan.
func (m *model) tickedByNoPlan(r *check.Report, ph *phase) {
	if ph.vague() {
		return
	}
	for _, p := range m.waits(ph) {
		var names []string
		var edits []markdown.Edit
		line := 0
		for _, q := range m.reqs.list {
			if q.later || !q.task.Checked() || !slices.Contains(p.requires, q.id) || m.delivers(q.id) {
				continue
			}
			if line == 0 {
				line = q.task.Line()
			}
			untick, _ := q.task.Uncheck()
			names, edits = append(names, q.id), append(edits, untick)
			for _, t := range m.reqs.traces {
				if set, ok := t.row.Set(t.status, "Pending"); t.id == q.id && t.complete && ok {
					edits = append(edits, set)
				}
			}
		}
		if names != nil {
			them := say.Verb(len(names), "it", "them")
			r.At(sdk.AtLine(requirementsPath, line), say.List(names)+" "+say.Are(len(names))+" ticked, but "+
				file(p.path)+" has no summary, and no executed plan lists "+them).About(ph.subject()).Keyed(p.id()).
				See(sdk.At(p.path), "the plan").
				Offer(sdk.Review, "Untick "+say.List(names), sdk.Edits(requirementsPath, edits...)...).
				Advise("Finish the plan", "Execute "+file(p.path)+" and write its summary, or add "+say.List(names)+
					" to the plan that delivered "+them+".")
		}
	}
}

// vague reports whether it is unknown which requirements the phase's executed plans delivered.
func (ph *phase) vague() bool {
	done, _ := ph.executed()
	return done < len(ph.reports) ||
		slices.ContainsFunc(ph.plans, func(p *plan) bool { return p.summary != "" && p.requires == nil })
}

// tickedEarly reports whether the files show that a ticked requirement is not delivered: its phase has not begun or
// has no summary, or only a waiting plan lists it.
func (m *model) tickedEarly(id, number string) bool {
	if !m.docs.CompleteBelow("phases") || m.delivers(id) {
		return false
	}
	list := m.byNumber[number]
	if m.unbegun(number) != nil || len(list) == 1 && m.unproved(list[0]) {
		return true
	}
	return slices.ContainsFunc(m.phases, func(ph *phase) bool {
		return m.ticked(ph) == 0 && !ph.vague() &&
			slices.ContainsFunc(m.waits(ph), func(p *plan) bool { return slices.Contains(p.requires, id) })
	})
}

// delivers reports whether an executed plan or a summary lists a requirement.
func (m *model) delivers(id string) bool {
	for _, ph := range m.phases {
		if slices.ContainsFunc(ph.plans,
			func(p *plan) bool { return p.summary != "" && slices.Contains(p.requires, id) }) {
			return true
		}
		for _, s := range ph.reports {
			for _, key := range []string{"requirements-completed", "requirements_completed", "requirements"} {
				if e := s.front.Get(key); e != nil && (slices.Contains(e.List, id) || e.Value == id) {
					return true
				}
			}
		}
	}
	return false
}

// milestoneUnlisted needs only the headings of MILESTONES.md.
func milestoneUnlisted(r *check.Report, m *model) {
	d := r.Docs.Get("MILESTONES.md")
	if d == nil {
		return
	}
	listed := map[string]bool{}
	for _, h := range d.Summary.Headings {
		listed[strings.TrimSuffix(version(h.Text), ".0")] = true
	}
	var missing []string
	for _, a := range r.Docs.Match("milestones/*-ROADMAP.md") {
		if v := strings.TrimSuffix(file(a.Path), "-ROADMAP.md"); v == version(v) && v != "" &&
			!listed[strings.TrimSuffix(v, ".0")] {
			missing = append(missing, v)
		}
	}
	if missing != nil && len(d.Summary.Headings) < 200 {
		r.Whole("MILESTONES.md", say.List(missing)+" "+say.Are(len(missing))+
			" archived in milestones/, but MILESTONES.md does not list "+say.Verb(len(missing), "it", "them"))
	}
}
