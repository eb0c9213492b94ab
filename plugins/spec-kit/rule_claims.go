package speckit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A claim is a line that says that a part of tasks.md, or all of it, is complete.
type claim struct {
	path  string
	line  int
	text  string
	start int // the part's offsets in tasks.md
	end   int
	field markdown.Field // the Status that makes the claim, if one does
}

// wholeClaims lists the claims that the feature is complete: in the Status of spec.md and tasks.md, at the top of
// tasks.md, and in the "Phase 4" checkbox in plan.md.
func (m *model) wholeClaims() []claim {
	if !m.claimsRead {
		m.claims, m.claimsRead = m.readClaims(), true
	}
	return m.claims
}

func (m *model) readClaims() (list []claim) {
	for _, d := range []*sdk.Document{m.spec, m.tasks} {
		if !d.Readable() {
			continue
		}
		for _, f := range d.Outline().Head().Fields() { // a merge may leave two
			if said(lower(f.Key()), f) && !(d == m.spec && ofTheSpec(f.Text())) {
				list = append(list, claim{path: d.Path, line: f.Line(), text: "Status is " + say.Quote(f.Text()),
					field: f})
				break
			}
		}
	}
	if m.tasks.Readable() {
		for _, part := range m.allDone() {
			if n := len(list); n > 0 && list[n-1].path == tasksPath {
				break
			}
			list = append(list, claim{path: tasksPath, line: part.Line(),
				text: say.Quote(say.Clip(part.Text())) + " says that all tasks are complete"})
		}
	}
	if m.plan.Readable() {
		for _, t := range m.plan.Outline().Tasks() {
			if !t.Checked() {
				continue
			}
			if text := lower(t.Text()); strings.HasPrefix(text, "phase 4:") &&
				strings.HasPrefix(strings.TrimSpace(text[8:]), "implementation complete") && !qualified(text) {
				list = append(list, claim{path: planPath, line: t.Line(), text: say.Quote(t.Text()) + " is ticked"})
			}
		}
	}
	return list
}

// allDone lists the parts of tasks.md that say that all tasks are complete: its title, and lines before its first
// section, such as "✅ **All tasks complete**".
func (m *model) allDone() (list []markdown.Part) {
	o := m.tasks.Outline()
	head := len(o.Text)
	for _, h := range m.heads {
		if h.Level() >= 2 {
			head = h.Start()
			break
		}
	}
	if len(m.heads) > 0 && m.heads[0].Level() == 1 && status.Title(m.heads[0].text, m.heads[0].Raw()) {
		list = append(list, m.heads[0].Part)
	}
	for _, part := range o.Document().Parts(markdown.KindParagraph) {
		if part.Start() > head {
			break
		}
		// progress-refuted compares counts with the checkboxes
		if text := part.Text(); !strings.Contains(text, "/") && status.Line(text) {
			list = append(list, part)
		}
	}
	return list
}

// claimsDone reports whether a claim says that the feature is complete without explaining which tasks are left.
func (m *model) claimsDone() bool {
	return slices.ContainsFunc(m.wholeClaims(), func(c claim) bool { return !m.explains(c) })
}

// leaves matches words for unfinished tasks, and for tasks that moved elsewhere.
var leaves = words.ListOf("carried", "moved", "deferred", "postponed", "tracked", "follow", "later", "remain", "left",
	"open", "pending", "next", "issue", "backlog", "skipped", "future", "延期", "推迟", "後続", "verschoben").AnyCase()

// explains reports whether a Status names exactly the open tasks, and says that they are left or where they went:
// "Completed (tasks T003–T004 carried over as issues #7–#8)".
func (m *model) explains(c claim) bool {
	text := c.field.Text()
	if leaves.Index(text) < 0 {
		return false
	}
	var named []string
	for i := range len(text) {
		if text[i] == 'T' && (i == 0 || !words.IsWord(text[i-1])) {
			named = written.Refs(named, text[i:])
		}
	}
	for i := range m.list {
		t := &m.list[i]
		if at := slices.Index(named, t.ID); (at >= 0) != (t.state == open) {
			return false
		}
	}
	return len(named) > 0 && !slices.ContainsFunc(named, func(id string) bool { return m.of(id) == nil })
}

func statusComplete(r *check.Report, m *model) {
	if m.open == 0 {
		m.uncheckedLists(r)
		return
	}
	left := m.openIDs()
	for _, c := range m.wholeClaims() {
		found := r.At(sdk.AtLine(c.path, c.line), c.text+", but "+say.Int(m.open)+" of "+say.Count(m.total(), "task")+
			" "+say.Are(m.open)+" not ticked: "+say.List(left)).Keyed(c.path)
		unkept := m.unkept(r.Pass)
		if m.explains(c) {
			found.As(sdk.Info)
			continue
		} else if unkept {
			found.As(sdk.Warning)
		}
		edit, ok := c.field.Set("In Progress")
		plain := ok && bare(c.field.Text())
		if plain {
			found.Offer(sdk.Review, "Set Status to In Progress", sdk.Edits(c.path, edit)...)
		}
		steps := []string{"Tick finished tasks in tasks.md.",
			"Strike out abandoned tasks, as in `- [ ] ~~T051 …~~`, with the reason."}
		if m.form == headings {
			steps = []string{"Tick the steps of finished tasks in tasks.md.",
				"Mark abandoned tasks in their headings, as in `T051 … (dropped: reason)`."}
		}
		if ok && !plain {
			steps = append(steps, "If work remains, correct the Status, and keep its other details.")
		}
		found.Advise("Tick or strike out the open tasks", steps...)
	}
}

// uncheckedLists reports open checkboxes in the checklists of a finished tasks.md. They are not tasks.
func (m *model) uncheckedLists(r *check.Report) {
	if !m.complete() || m.form != boxes {
		return
	}
	var first markdown.Task
	titles, n, title, h := []string(nil), 0, "", 0
	for _, t := range m.tasks.Outline().Tasks() {
		for ; h < len(m.heads) && m.heads[h].Start() < t.Start(); h++ {
			if m.heads[h].Level() <= 2 {
				title = m.heads[h].text
			}
		}
		if id, _, _ := idOf(t.Text()); t.Checked() || id != "" || !strings.Contains(lower(title), "checklist") {
			continue
		}
		if n++; n == 1 {
			first = t
		}
		if !slices.Contains(titles, say.Quote(title)) {
			titles = append(titles, say.Quote(title))
		}
	}
	if n > 0 {
		r.At(sdk.AtLine(tasksPath, first.Line()), say.Count(n, "item")+" of "+say.List(titles)+" "+say.Are(n)+
			" open, although every task is ticked").Keyed("checklist").As(sdk.Info).
			Advise("Check the items", "Check the open items, and tick those that are met.")
	}
}

// bare reports whether a Status has at most three English words, possibly with a date, so that a new value would lose
// no details.
func bare(text string) bool {
	text = strings.TrimFunc(strings.TrimRight(text, "0123456789-/. ()"), markdown.Symbol)
	return len(strings.Fields(text)) <= 3 && !strings.ContainsFunc(text,
		func(r rune) bool { return r != ' ' && (r >= utf8.RuneSelf || !letter(byte(r))) })
}

// unkept reports whether the project seems not to use its checkboxes: few are ticked, and at most half of the files
// that the open tasks name are missing.
func (m *model) unkept(p *sdk.Pass) bool {
	if m.done*4 >= m.total() {
		return false
	}
	asked, absent, s := 0, 0, m.newSearch(p)
	for i := range m.list {
		if t := &m.list[i]; t.state == open && i < 60 {
			for _, named := range t.files() {
				if f := s.Find(named.Path); f.Top != sdk.Absent {
					if asked++; f.Gone() && f.Top == sdk.Present {
						absent++
					}
				}
			}
		}
	}
	return absent*2 <= asked
}

// statusKeys matches the ASCII beginnings of keys for a Status or Checkpoint.
var statusKeys = words.ListOf("status", "estado", "statut", "chec").AnyCase()

// sectionClaims lists the claims that a part of tasks.md is complete: in headings, in a section's Status and
// Checkpoint, and on lines about a numbered phase.
func (m *model) sectionClaims() []claim {
	if !m.sectionsRead {
		m.sections, m.sectionsRead = m.readSections(), true
	}
	return m.sections
}

func (m *model) readSections() (list []claim) {
	o := m.tasks.Outline()
	add := func(p markdown.Part, s markdown.Section) {
		if s.OK() {
			list = append(list, claim{path: tasksPath, line: p.Line(), text: say.Quote(p.Text()), start: s.Start(),
				end: s.End()})
		}
	}
	phase := func(name string) markdown.Section {
		if n := phaseNumber(name); n != "" {
			for _, h := range m.heads {
				if phaseNumber(h.text) == n {
					return h.Section()
				}
			}
		}
		return markdown.Section{}
	}
	for _, h := range m.heads {
		if h.Level() >= 2 && status.Title(h.text, h.Raw()) {
			add(h.Part, h.Section())
		}
	}
	for _, f := range o.Document().Fields() {
		key := f.Key()
		if key == "" || key[0] < utf8.RuneSelf && !statusKeys.Begin(key) && anyPhase.Index(key) < 0 {
			continue
		}
		switch key = lower(key); {
		case said(key, f) || key == "checkpoint" && passed(f.Text()):
			around, text := markdown.Section{}, lower(f.Text())
			phase := key == "checkpoint" && (strings.Contains(text, "phase ") || strings.Contains(text, "stor"))
			for _, h := range m.heads {
				if h.Start() < f.Start() && (h.Level() == 2 || h.Level() > 2 && !phase) {
					around = h.Section()
				}
			}
			add(f.Part, around)
		case phaseNumber(key) != "" && status.Complete(f.Text()):
			add(f.Part, phase(key))
		}
	}
	for _, t := range o.Tables() {
		for _, row := range t.Rows() {
			if cells := row.Cells(); len(cells) > 1 && phaseNumber(cells[0].Text()) != "" &&
				status.Complete(cells[len(cells)-1].Text()) {
				add(cells[0].Part, phase(cells[0].Text()))
			}
		}
	}
	return list
}

var anyPhase = words.ListOf("phase ").AnyCase()

// phaseNumber returns the phase number that a title begins with, such as 3.1 in "Phase 3.1: Setup", or "" if there is
// none.
func phaseNumber(title string) string {
	if anyPhase.Index(title) < 0 {
		return ""
	}
	rest, ok := strings.CutPrefix(strings.TrimLeftFunc(lower(title), markdown.Symbol), "phase ")
	if !ok {
		return ""
	}
	n := 0
	for n < len(rest) && (digit(rest[n]) || letter(rest[n]) || rest[n] == '.' && n+1 < len(rest) && digit(rest[n+1])) {
		n++
	}
	if n == 0 || !digit(rest[0]) {
		return ""
	}
	return rest[:n]
}

func sectionComplete(r *check.Report, m *model) {
	list := m.sectionClaims()
	said := map[string]bool{} // keyed by the ids of the open tasks
	for i := range list {
		c := &list[len(list)-1-i] // inner sections first
		opened, all := m.within(c.start, c.end)
		if left := strings.Join(opened, " "); len(opened) > 0 && !said[left] {
			said[left] = true
			f := r.At(sdk.AtLine(tasksPath, c.line),
				c.text+" is marked complete, but "+say.Int(len(opened))+" of its "+say.Count(all, "task")+" "+
					say.Are(len(opened))+" not ticked: "+say.List(opened)).Keyed(say.Clip(c.text)).
				Advise("Tick the tasks or remove the mark", "Tick finished tasks.", "If work remains, remove the mark.")
			if m.unkept(r.Pass) {
				f.As(sdk.Warning)
			}
		}
	}
}

// within lists the open tasks in a part of tasks.md, and counts all tasks that are not dropped.
func (m *model) within(start, end int) (opened []string, all int) {
	for i := range m.list {
		if t := &m.list[i]; t.Start >= start && t.Start < end && t.state != off {
			if all++; t.state == open {
				opened = append(opened, t.ID)
			}
		}
	}
	return opened, all
}
