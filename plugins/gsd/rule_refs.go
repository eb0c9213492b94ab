package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/graph"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/work"
)

// exists reports whether ROADMAP.md, a directory or an archive names a phase. Lines about dependencies do not count.
func (m *model) exists(number string) bool {
	known, ok := m.known[number]
	if !ok {
		known = backlog(number) || len(m.byNumber[number]) > 0 ||
			m.road.saysIn(m.road.claimed(), number) || m.cleaned(number)
		m.known[number] = known
	}
	return known
}

// claimed returns ROADMAP.md without its lines about dependencies. It is cached, because every dependency needs it.
func (r *roadmap) claimed() string {
	if r.claims != "" {
		return r.claims
	}
	var b strings.Builder
	for line := range strings.Lines(r.doc.Text) {
		if !strings.Contains(lower(line), "depend") {
			b.WriteString(line)
		}
	}
	r.claims = b.String()
	return r.claims
}

// A dependence holds the phases that a phase depends on: **Depends on**: Phase 1, Phase 2 (the API).
type dependence struct {
	numbers []string
	at      int  // offset in ROADMAP.md
	plain   bool // the line only names phases
}

// own returns the text of a phase's section up to the next phase's section.
func (r *roadmap) own(h *head) string {
	end := h.section.End()
	for _, other := range r.heads {
		if start := other.section.Start(); start > h.section.Start() {
			end = min(end, start)
		}
	}
	return r.doc.Text[h.section.Start():end]
}

// dependence reads the "Depends on" line in a phase's section. It is empty if the line names alternatives or
// conditions.
func (r *roadmap) dependence(h *head) dependence {
	at := h.section.Start()
	for line := range strings.Lines(r.own(h)) {
		start := at
		at += len(line)
		bare := lower(strings.TrimLeft(line, " \t-*"))
		value, ok := strings.CutPrefix(bare, "depends on")
		if !ok || len(value) == 0 || !strings.Contains("*:_", value[:1]) {
			continue
		}
		value = unbracketed(strings.Trim(value, "*:_ \r\n"))
		d := dependence{at: start, plain: true}
		if strings.HasPrefix(value, "no") || mentions(value, "or", "not", "independent", "parallel", "without",
			"before", "optional", "either", "if") {
			return dependence{}
		}
		for _, part := range strings.FieldsFunc(value,
			func(c rune) bool { return c == ',' || c == ';' || c == '+' || c == '&' }) {
			for {
				before, rest, found := strings.Cut(part, "phase ")
				if !found {
					break
				}
				number, tail := r.phaseNumber(strings.TrimLeft(rest, " *"))
				if number != "" {
					d.numbers = append(d.numbers, number)
				}
				d.plain = d.plain && strings.Trim(before, " *.and") == ""
				part = tail
				if number == "" {
					break
				}
			}
		}
		return d
	}
	return dependence{}
}

// unbracketed returns a text without its parts in brackets.
func unbracketed(text string) string {
	depth := 0
	return strings.Map(func(c rune) rune {
		switch {
		case c == '(' || c == '[':
			depth++
		case (c == ')' || c == ']') && depth > 0:
			depth--
			return ' '
		}
		if depth > 0 {
			return -1
		}
		return c
	}, text)
}

// ahead returns the sections of unfinished phases.
func (m *model) ahead() (list []*head) {
	for _, h := range m.road.heads {
		done := slices.ContainsFunc(m.road.entries,
			func(e *entry) bool { return e.number == h.number && (e.off || e.old || e.task.Checked()) })
		if !h.old && !h.off && !done {
			list = append(list, h)
		}
	}
	return list
}

// phaseDependencyUnknown skips workstreams, which may depend on phases of the main project.
func phaseDependencyUnknown(r *check.Report, m *model) {
	if r.Name != ".planning" {
		return
	}
	for _, h := range m.ahead() {
		d := m.road.dependence(h)
		for _, number := range d.numbers {
			if !m.exists(number) {
				r.At(sdk.AtBytes(roadmapPath, d.at, d.at),
					"phase "+h.number+" depends on phase "+number+
						", which is not in ROADMAP.md or phases/").About("phase-" + h.number).Keyed(number)
			}
		}
	}
}

func phaseCycle(r *check.Report, m *model) {
	heads, sections := map[string]*head{}, map[string]int{}
	var numbers []string
	for _, h := range m.ahead() {
		if sections[h.number]++; heads[h.number] == nil {
			heads[h.number], numbers = h, append(numbers, h.number)
		}
	}
	g := graph.New(numbers...)
	for _, number := range numbers {
		if d := m.road.dependence(heads[number]); d.plain && sections[number] == 1 {
			for _, other := range d.numbers {
				if sections[other] == 1 {
					g.Need(number, other)
				}
			}
		}
	}
	for _, circle := range g.Cycles() {
		d := m.road.dependence(heads[circle[0]])
		r.At(sdk.AtBytes(roadmapPath, d.at, d.at),
			work.SayCircle("phase", circle)).About("phase-" + circle[0])
	}
}

// archivedPlan reports whether a plan of the given phase is archived.
func (m *model) archivedPlan(number string) bool {
	for name := range m.archived {
		first, _, _ := strings.Cut(name, "-")
		if strings.Contains(number, "-") {
			first = name[:prefixedID(name)]
		}
		if left, _ := cutLast(first, "."); key(first) == number || key(left) == number {
			return true
		}
	}
	return false
}

// requirementPhaseUnknown reports one finding for each phase that only the table names.
func requirementPhaseUnknown(r *check.Report, m *model) {
	rows, order := map[string][]*trace{}, []string{}
	for _, t := range m.reqs.traces {
		if t.phase == "" || t.complete || m.exists(t.phase) {
			continue
		}
		if rows[t.phase] == nil {
			order = append(order, t.phase)
		}
		rows[t.phase] = append(rows[t.phase], t)
	}
	for _, number := range order {
		var names []string
		for _, t := range rows[number] {
			names = append(names, t.id)
		}
		r.At(sdk.AtLine(requirementsPath, rows[number][0].row.Line()),
			say.List(names)+" "+say.Are(len(names))+" mapped to phase "+number+
				", which is not in ROADMAP.md or phases/").Keyed(number)
	}
}

// requirementUnknown reports ids that REQUIREMENTS.md does not contain in any form. It only checks ids that the base
// defines and ids whose prefix REQUIREMENTS.md uses, because others may be defined elsewhere. It skips ranges and
// words. If the base defines an id, mentions of it in a comment or a fence do not count.
func requirementUnknown(r *check.Report, m *model) {
	words := map[string]bool{}
	for _, q := range m.reqs.list {
		word, _ := cutLast(q.id, "-")
		words[word] = true
	}
	was, shown := map[string]bool{}, m.reqs.doc.Text
	if m.base != nil && m.sameMilestone() {
		end := goesOn(m.reqs.doc, m.base.reqs.doc) // end-lost reports what comes after this offset
		for _, q := range m.base.reqs.list {
			was[q.id] = end < 0 || q.task.Start() < end
		}
		shown = markdown.Shown(shown)
	}
	used := func(id string) bool {
		word, _ := cutLast(id, "-")
		return words[word] || was[id]
	}
	times := func(id string) int {
		if was[id] {
			return strings.Count(shown, id)
		}
		return strings.Count(m.reqs.doc.Text, id)
	}
	var undefined []string
	line := 0
	for _, t := range m.reqs.traces {
		if used(t.id) && !t.complete && times(t.id) == 1 {
			if line == 0 {
				line = t.row.Line()
			}
			undefined = append(undefined, t.id)
		}
	}
	if undefined != nil {
		r.At(sdk.AtLine(requirementsPath, line), "the table names "+say.List(undefined)+
			", which REQUIREMENTS.md does not define").Keyed("table")
	}
	for _, h := range m.ahead() {
		at := h.section.Start()
		for line := range strings.Lines(m.road.own(h)) {
			start := at
			at += len(line)
			value, ok := strings.CutPrefix(strings.TrimLeft(line, " \t-*"), "Requirements")
			if !ok || value == "" || !strings.Contains("*:_", value[:1]) {
				continue
			}
			var unknown []string
			for part := range strings.SplitSeq(unbracketed(strings.Trim(value, "*:_ \r\n")), ",") {
				part = strings.Trim(part, " *`")
				if id, rest := requirementID(part); used(id) && rest == "" && times(id) == 0 {
					unknown = append(unknown, id)
				}
			}
			if unknown != nil {
				r.At(sdk.AtBytes(roadmapPath, start, start),
					"phase "+h.number+" names "+say.List(unknown)+", which REQUIREMENTS.md does not define").
					About("phase-" +
						h.number)
			}
		}
	}
}
