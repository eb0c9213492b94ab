package speckit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// A claim is a place that calls a part of tasks.md, or all of it, complete.
type claim struct {
	path  string
	line  int
	text  string
	start int // of the part in tasks.md
	end   int
	field markdown.Field // the Status that says so
}

// completed are words and phrases that call work complete, elsewhere those of other languages, endings those that do so behind a mark.
var (
	completed = []string{"implementation complete", "implementation completed", "implementation done", "fully implemented", "fully complete", "feature complete", "all tasks complete", "all tasks completed", "all tasks are complete", "all tasks done", "all phases complete", "all done"}
	elsewhere = []string{"已完成", "全部完成", "完成", "完了", "実装済み", "实现完成", "완료", "abgeschlossen", "fertig", "erledigt", "umgesetzt", "concluído", "concluída", "concluido", "concluida", "finalizado", "finalizada", "completado", "completada", "terminé", "terminée", "завершено", "готово", "выполнено"}
	endings   = append([]string{"complete", "completed", "done", "finished", "implemented"}, elsewhere...)
	statuses  = []string{"status", "状态", "狀態", "ステータス", "状態", "상태", "estado", "statut", "статус"}
)

// called reports whether a text begins with a word that calls something complete, and takes nothing of it back.
func called(text string) bool {
	text = lower(strings.TrimLeft(strings.TrimLeftFunc(text, markdown.Symbol), "[ "))
	first := words.First(text)
	switch first {
	case "complete", "completed", "implemented", "done", "shipped", "delivered", "finished":
		rest := strings.TrimLeft(text[len(first):], " ")
		return !qualified(text) && (first != "complete" || rest == "" || !letter(rest[0])) // "Complete the setup" is a task
	}
	return begun(text, completed) && !qualified(text) || text != "" && text[0] >= 'a' && begun(text, elsewhere) && !qualified(text)
}

// begun reports whether a text begins with one of some words, and not only with the beginning of another one.
func begun(text string, any []string) bool {
	return slices.ContainsFunc(any, func(word string) bool {
		rest, ok := strings.CutPrefix(text, word)
		next, _ := utf8.DecodeRuneInString(rest)
		return ok && (rest == "" || !unicode.IsLetter(next) && next != '度')
	})
}

// said reports whether a field is a Status that calls something complete.
func said(f markdown.Field) bool {
	return slices.Contains(statuses, lower(f.Key())) && (called(f.Text()) || strings.Trim(f.Text(), " ️") == "✅")
}

// qualified reports whether a claim takes back a part of itself, or is a condition.
func qualified(text string) bool {
	text = lower(text)
	for _, word := range []string{"%", "partial", "mostly", "almost", "nearly", "except", "but ", "deviation", "pending", "deferred", "remaining", "skipped", "open", "not ", "until", "todo", "when", "after ", "before ", "?", "未", "部分", "予定", "teilweise", "außer", "nicht", "parcial", "exceto", "excepto", "partiel"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// ofTheSpec reports whether a Status calls the document complete, so that what comes next may begin: "Complete - ready for planning".
func ofTheSpec(text string) bool {
	text = lower(text)
	for _, word := range []string{
		"speckit", "specification", "spec complete", "spec only", "spec phase", "for planning", "awaiting", "ready to plan", "ready to impl", "ready to build", "ready to start",
		"ready for plan", "ready for the plan", "ready for task", "ready for impl", "ready for dev", "ready for design", "ready for clarif", "ready for technical",
	} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// passed reports whether a checkpoint, such as "✅ User Story 1 complete", says that its phase is complete. Without a sign it is a plan.
func passed(text string) bool {
	text = strings.Trim(lower(text), " .")
	return (strings.HasPrefix(text, "✅") || strings.HasSuffix(text, "✅")) && strings.Contains(text, "complete") && !strings.Contains(text, "incomplete") && !qualified(text)
}

// wholeClaims lists what calls the feature complete: the Status of spec.md and of tasks.md, and the last box but one of plan.md.
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
		for _, f := range d.Outline().Head().Fields() { // a merge leaves two of them
			if said(f) && !(d == m.spec && ofTheSpec(f.Text())) {
				list = append(list, claim{path: d.Path, line: f.Line(), text: "Status is " + say.Quote(f.Text()), field: f})
				break
			}
		}
	}
	if m.tasks.Readable() {
		for _, part := range allDone(m.tasks.Outline()) {
			if n := len(list); n > 0 && list[n-1].path == tasksPath {
				break
			}
			list = append(list, claim{path: tasksPath, line: part.Line(), text: say.Quote(say.Clip(part.Text())) + " calls all complete"})
		}
	}
	if m.plan.Readable() {
		for _, t := range m.plan.Outline().Tasks() {
			if !t.Checked() {
				continue
			}
			if text := lower(t.Text()); strings.HasPrefix(text, "phase 4:") && strings.HasPrefix(strings.TrimSpace(text[8:]), "implementation complete") && !qualified(text) {
				list = append(list, claim{path: planPath, line: t.Line(), text: say.Quote(t.Text()) + " is ticked"})
			}
		}
	}
	return list
}

// allDone lists what calls all tasks complete: the title of tasks.md, and a line in front of its first section, "✅ **All tasks complete**".
func allDone(o *markdown.Outline) (list []markdown.Part) {
	heads, head := o.Headings(), -1
	for _, h := range heads {
		if h.Level() >= 2 {
			head = h.Start()
			break
		}
	}
	if len(heads) > 0 && heads[0].Level() == 1 && claimsComplete(heads[0].Text()) {
		list = append(list, heads[0].Part)
	}
	for _, part := range o.Document().Parts(markdown.KindParagraph) {
		if head >= 0 && part.Start() > head {
			break
		}
		if !strings.Contains(part.Raw(), "✅") {
			continue
		}
		if text := strings.Trim(lower(strings.TrimLeftFunc(part.Text(), markdown.Symbol)), " .!*"); begun(text, completed[6:]) && !qualified(text) {
			list = append(list, part)
		}
	}
	return list
}

// claimsDone reports whether something calls the feature complete.
func (m *model) claimsDone() bool { return len(m.wholeClaims()) > 0 }

func statusComplete(r *check.Report, m *model) {
	if m.open == 0 || !m.claimsDone() {
		return
	}
	left := m.ids(open)
	for _, c := range m.wholeClaims() {
		found := r.At(sdk.AtLine(c.path, c.line), c.text+", but "+say.Int(m.open)+" of "+say.Count(m.total(), "task")+" "+are(m.open)+" not ticked: "+say.List(left)).Keyed(c.path)
		if m.unkept(r.Pass) {
			found.As(sdk.Warning)
		}
		if edit, ok := c.field.Set("In Progress"); ok {
			found.Offer(sdk.Review, "Set Status to In Progress", sdk.Edits(c.path, edit)...)
		}
		found.Advise("Settle the tasks", "Tick what is done in tasks.md.", "Strike out what was given up, as in `- [ ] ~~T051 …~~`, with the reason.")
	}
}

// unkept reports whether the boxes say nothing, because few are ticked, and the files that the open tasks name do not show otherwise:
// less than half of those that can be meant are missing.
func (m *model) unkept(p *sdk.Pass) bool {
	if m.done*4 >= m.total() {
		return false
	}
	asked, absent, s := 0, 0, &search{Pass: p}
	for i := range m.list {
		if t := &m.list[i]; t.state == open && i < 60 {
			for _, path := range t.files() {
				if f := s.find(path); f.top != sdk.Absent {
					if asked++; f.now == sdk.Absent && f.top == sdk.Present {
						absent++
					}
				}
			}
		}
	}
	return absent*2 <= asked
}

// sectionClaims lists what calls a part of tasks.md complete: headings, the Status and the Checkpoint of a section, and lines about a
// phase by its number.
func (m *model) sectionClaims() []claim {
	if !m.sectionsRead {
		m.sections, m.sectionsRead = m.readSections(), true
	}
	return m.sections
}

func (m *model) readSections() (list []claim) {
	o := m.tasks.Outline()
	heads := o.Headings()
	add := func(p markdown.Part, s markdown.Section) {
		if s.OK() {
			list = append(list, claim{path: tasksPath, line: p.Line(), text: say.Quote(p.Text()), start: s.Start(), end: s.End()})
		}
	}
	phase := func(name string) markdown.Section {
		if n := phaseNumber(name); n != "" {
			for _, h := range heads {
				if phaseNumber(h.Text()) == n {
					return h.Section()
				}
			}
		}
		return markdown.Section{}
	}
	for _, h := range heads {
		if h.Level() >= 2 && claimsComplete(h.Text()) {
			add(h.Part, h.Section())
		}
	}
	for _, f := range o.Document().Fields() {
		switch key := lower(f.Key()); {
		case said(f) || key == "checkpoint" && passed(f.Text()):
			around, text := markdown.Section{}, lower(f.Text())
			phase := key == "checkpoint" && (strings.Contains(text, "phase ") || strings.Contains(text, "stor"))
			for _, h := range heads {
				if h.Start() < f.Start() && (h.Level() == 2 || h.Level() > 2 && !phase) {
					around = h.Section()
				}
			}
			add(f.Part, around)
		case called(f.Text()):
			add(f.Part, phase(key))
		}
	}
	for _, t := range o.Tables() {
		for _, row := range t.Rows() {
			if cells := row.Cells(); len(cells) > 1 && called(cells[len(cells)-1].Text()) {
				add(cells[0].Part, phase(cells[0].Text()))
			}
		}
	}
	return list
}

// phaseNumber is the number of a phase that a title begins with, such as 3.1 of "Phase 3.1: Setup"; "" without one.
func phaseNumber(title string) string {
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
	said := map[string]bool{} // by the tasks that are open
	for i := range list {
		c := &list[len(list)-1-i] // inner ones first
		opened, all := m.within(c.start, c.end)
		if left := strings.Join(opened, " "); len(opened) > 0 && !said[left] {
			said[left] = true
			f := r.At(sdk.AtLine(tasksPath, c.line), c.text+" is called complete, but "+say.Int(len(opened))+" of its "+say.Count(all, "task")+" "+are(len(opened))+" not ticked: "+say.List(opened)).Keyed(say.Clip(c.text)).
				Advise("Settle the section", "Tick what is done.", "Take the claim back if something is left.")
			if m.unkept(r.Pass) {
				f.As(sdk.Warning)
			}
		}
	}
}

// within lists the open tasks of a part of tasks.md, and counts all but those that were given up.
func (m *model) within(start, end int) (opened []string, all int) {
	for i := range m.list {
		if t := &m.list[i]; t.start >= start && t.start < end && t.state != off {
			if all++; t.state == open {
				opened = append(opened, t.id)
			}
		}
	}
	return opened, all
}

// claimsComplete reports whether a heading ends with a sign or a word that calls its section complete, a remark in brackets aside.
func claimsComplete(text string) bool {
	text = lower(text)
	i := strings.LastIndexByte(text, '(')
	return (ends(text) || i > 0 && strings.HasSuffix(text, ")") && ends(text[:i])) && !qualified(text)
}

// ends reports whether a text ends with a sign or a word for what is complete. A sign, a bracket or a dash makes a word a mark:
// "Setup (COMPLETE)", not "Make the index complete". So does a count of all: "Setup (3/3 complete)".
func ends(text string) bool {
	for trimmed := ""; trimmed != text; {
		trimmed = text
		text = strings.TrimSuffix(strings.TrimRight(text, " )]*_"), "）")
	}
	if strings.HasSuffix(text, "✅") {
		return true
	}
	for _, word := range endings {
		if cut, ok := strings.CutSuffix(text, word); ok {
			cut = strings.TrimRight(cut, " ")
			for _, mark := range []string{"[", "(", "（", "*", "_", "✅", "-", "–", "—", ":", "："} {
				if strings.HasSuffix(cut, mark) {
					return true
				}
			}
			all := cut[strings.LastIndexAny(cut, "([")+1:]
			n, rest := leading(all)
			after, ok := cutAny(rest, "/", " / ", " of ")
			m, rest := leading(after)
			if ok && all != cut && n > 0 && n == m && rest == "" {
				return true
			}
		}
	}
	return false
}
