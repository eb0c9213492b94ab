package gsd

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func requirementDuplicate(r *check.Report, m *model) {
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
			q.id+" is defined twice: "+say.Quote(q.text)+", and "+say.Quote(was.text)+say.Line(m.reqs.doc,
				was.task.Start())).
			About(q.id).See(sdk.AtLine(requirementsPath, was.task.Line()), "the other one")
	}
}

// requirementDisagrees has one finding for each phase and direction: they are forgotten together.
func requirementDisagrees(r *check.Report, m *model) {
	type group struct {
		phase  string
		ticked bool
	}
	type lag struct {
		ids   []string
		edits []markdown.Edit
		line  int
		at    int
	}
	boxes := map[string]*requirement{}
	for _, q := range m.reqs.list {
		if boxes[q.id] == nil {
			boxes[q.id] = q
		}
	}
	found, order := map[group]*lag{}, []group{}
	for _, t := range m.reqs.traces {
		q := boxes[t.id]
		if q == nil || q.later || strings.Contains(q.task.Raw()[:min(16, len(q.task.Raw()))], "~~") {
			continue
		}
		ticked := q.task.Checked()
		if !(ticked && t.open || !ticked && t.complete) {
			continue
		}
		g := group{t.phase, ticked}
		if found[g] == nil {
			found[g], order = &lag{line: q.task.Line(), at: t.row.Start()}, append(order, g)
		}
		l := found[g]
		l.ids = append(l.ids, t.id)
		if ticked {
			set, _ := t.row.Set(t.status, "Complete")
			l.edits = append(l.edits, set)
		} else {
			tick, _ := q.task.Check()
			l.edits = append(l.edits, tick)
		}
	}
	for _, g := range order {
		l := found[g]
		message, title := " ticked, but the table says that they are open", "Set the rows to Complete"
		if !g.ticked {
			message, title = " not ticked, but the table says Complete", "Tick them"
		}
		subject := ""
		if g.phase != "" {
			subject = "phase-" + g.phase
		}
		r.At(sdk.AtLine(requirementsPath, l.line),
			say.List(l.ids)+message+say.Line(m.reqs.doc, l.at)).About(subject).Keyed(title).
			Offer(sdk.Review, title, sdk.Edits(requirementsPath, l.edits...)...)
	}
}

// requirementUnmapped is silent where the table is not filled yet, or maps ranges.
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
		r.At(sdk.AtLine(requirementsPath, line), say.List(list)+" not in the table of traceability, which has "+
			say.Count(len(m.reqs.traces), "row"))
	}
}

func requirementTickedEarly(r *check.Report, m *model) {
	ids, order, line := map[*phase][]string{}, []*phase{}, map[*phase]int{}
	boxes := map[string]*requirement{}
	for _, q := range m.reqs.list {
		boxes[q.id] = q
	}
	for _, t := range m.reqs.traces {
		q, list := boxes[t.id], m.byNumber[t.phase]
		if q == nil || !q.task.Checked() || len(list) != 1 {
			continue
		}
		ph := list[0]
		if done, _ := ph.executed(); done > 0 || len(m.waits(ph)) == 0 || m.ticked(ph) > 0 {
			continue
		}
		if ids[ph] == nil {
			order, line[ph] = append(order, ph), q.task.Line()
		}
		ids[ph] = append(ids[ph], t.id)
	}
	for _, ph := range order {
		r.At(sdk.AtLine(requirementsPath, line[ph]),
			say.List(ids[ph])+" ticked, but "+ph.summaries()).About(ph.subject()).See(sdk.At(ph.dir), "the phase")
	}
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
		r.Whole("MILESTONES.md", say.List(missing)+" archived in milestones/"+missing[0]+
			"-ROADMAP.md, and MILESTONES.md has no heading of it")
	}
}
