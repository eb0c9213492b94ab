package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// cutShort also reports a plan whose front matter lost its closing ---, because tools then read none of its keys. A
// STATE.md that ends after a whole line is only reported if it lost its last section, which upstream reads to resume.
func cutShort(r *check.Report, m *model) {
	last := func(d *sdk.Document) bool { return d.Outline().Find("Session Continuity").OK() }
	if r.CutShort(statePath) == nil && last(m.base.state.doc) && !last(m.state.doc) {
		if f := r.CutAtLine(statePath); f != nil {
			f.As(sdk.Warning)
		}
	}
	r.CutShort(roadmapPath, requirementsPath)
	for _, ph := range m.phases {
		for _, v := range ph.checks {
			r.CutShort(v.path)
		}
		for _, s := range ph.reports {
			r.CutShort(s.doc.Path)
		}
		for _, p := range ph.plans {
			if was := m.base.docs.Get(p.path); unclosed(p.doc) && was.Readable() && hasFront(was) {
				r.Whole(p.path, file(p.path)+
					"'s front matter has no closing ---, but the base's has one").About(ph.subject()).Keyed(p.id())
				continue
			}
			for _, f := range r.CutShort(p.path) {
				if f.About(ph.subject()); p.summary != "" || !r.Docs.Known(summaryOf(p)) {
					f.As(sdk.Warning)
				}
			}
		}
	}
}

func unclosed(d *sdk.Document) bool {
	return d.Readable() && strings.HasPrefix(d.Text, "---") && !strings.HasPrefix(d.Text, "----") &&
		!hasFront(d)
}

// endLost reports documents that end after a line in the middle of the base's text, and so lost phases or requirements.
func endLost(r *check.Report, m *model) {
	if !m.sameMilestone() {
		return
	}
	if at := goesOn(m.road.doc, m.base.road.doc); at >= 0 {
		numbers, sure := m.phasesBehind(at)
		m.endOf(r, m.road.doc, m.base.road.doc, at, "phase", numbers, sure)
	}
	if at := goesOn(m.reqs.doc, m.base.reqs.doc); at >= 0 && !m.shelved(requirementsPath) {
		var ids []string
		for _, was := range m.base.reqs.list {
			if was.task.Start() >= at && !was.later &&
				!slices.ContainsFunc(m.reqs.list, func(q *requirement) bool { return q.id == was.id }) {
				ids = append(ids, was.id)
			}
		}
		traced := slices.ContainsFunc(m.base.reqs.traces, func(t *trace) bool { return slices.Contains(ids, t.id) })
		m.endOf(r, m.reqs.doc, m.base.reqs.doc, at, "requirement", ids, traced)
	}
}

// endOf reports one document that ends where the base continues, at an offset of the base. sure says whether the lost
// items are certainly needed.
func (m *model) endOf(r *check.Report, now, was *sdk.Document, at int, what string, lost []string, sure bool) {
	if lost == nil {
		return
	}
	end := len(strings.TrimRight(now.Text, " \t\r\n"))
	f := r.At(sdk.AtBytes(now.Path, end, end), now.Path+" ends where the base continues"+say.Line(was, at)+
		"; missing: "+say.Verb(len(lost), what, what+"s")+" "+say.List(lost)).Keyed(now.Path).
		Offer(sdk.Review, "Restore the end from the base", sdk.Replace(sdk.AtBytes(now.Path, end, len(now.Text)),
			"\n"+sdk.Literal(was.Text[at:])))
	if !sure {
		f.As(sdk.Warning)
	}
}

// phasesBehind returns the phases that the base has in a section or a box after an offset and that are missing now.
// sure is true if one of them still has a directory, a box or a row. A phase whose box was before that offset and is
// also missing was removed on purpose.
func (m *model) phasesBehind(at int) (numbers []string, sure bool) {
	boxed := func(r *roadmap, number string, end int) bool {
		return slices.ContainsFunc(r.entries, func(e *entry) bool {
			return e.number == number &&
				e.task.Start() < end
		}) ||
			slices.ContainsFunc(r.rows, func(w *row) bool { return w.number == number && w.row.Start() < end })
	}
	gone := func(number, name string) {
		listed := boxed(m.road, number, len(m.road.doc.Text)) || len(m.byNumber[number]) > 0
		if !slices.Contains(numbers, number) && (listed || !boxed(m.base.road, number, at)) &&
			!m.retired(&head{number: number, name: name}) {
			numbers, sure = append(numbers, number), sure || listed
		}
	}
	for _, was := range m.base.road.heads {
		if was.section.Start() >= at && !was.old && !was.off &&
			!slices.ContainsFunc(m.road.heads, func(h *head) bool { return h.number == was.number }) {
			gone(was.number, was.name)
		}
	}
	for _, was := range m.base.road.entries {
		if was.task.Start() >= at && !was.old && !was.off && !m.road.says(was.number) {
			gone(was.number, was.name)
		}
	}
	return numbers, sure
}

// goesOn returns the offset of the text with which the base continues after a document's last two lines, or -1 if it
// does not. If the two lines occur several times in the base, their last occurrence counts.
func goesOn(now, was *sdk.Document) int {
	if !now.Readable() || !was.Readable() || now.Digest == was.Digest {
		return -1
	}
	var last, before string
	for line := range strings.Lines(now.Text) {
		if line = said(line); line != "" {
			before, last = last, line
		}
	}
	found, behind, at, previous, rest := false, -1, 0, "", false
	for raw := range strings.Lines(was.Text) {
		at += len(raw)
		line := said(raw)
		if line == "" {
			continue
		}
		rest = true
		if line == last && previous == before {
			found, behind, rest = true, at, false
		}
		previous = line
	}
	if !found || !rest {
		return -1
	}
	return behind
}

// said returns a line's letters and digits, without the tick of its box.
func said(line string) string {
	return meaning(strings.NewReplacer("[x]", "", "[X]", "").Replace(line))
}
