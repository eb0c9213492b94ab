package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/work"
)

func requirementLost(r *check.Report, m *model) {
	was, now := m.base.wants, m.wants
	if was == nil || now == nil {
		return
	}
	kept, then := map[string]bool{}, map[string]bool{}
	for _, list := range [][]requirement{now.list, now.again} {
		for _, q := range list {
			kept[fold(q.title)] = true
		}
	}
	for _, q := range was.list {
		then[fold(q.title)] = true
	}
	var lost []string
	named := false // by a task that still exists
	for _, q := range was.list {
		is := now.find(q.number)
		// A requirement that keeps its number was reworded, unless the new words belong to another requirement that
		// moved up.
		if kept[fold(q.title)] && q.title != "" || is != nil && (is.title == "" || !then[fold(is.title)]) {
			continue
		}
		lost = append(lost, q.number+" "+say.Quote(q.title))
		for _, t := range m.tasks {
			named = named || slices.ContainsFunc(m.asks(t),
				func(id string) bool { return id == q.number || strings.HasPrefix(id, q.number+".") })
		}
	}
	if len(lost) == 0 {
		return
	}
	f := r.Whole("requirements.md", "requirements.md no longer has "+say.Count(len(lost), "requirement")+
		" from the base: "+say.List(lost)).
		Advise("Restore the requirements", "Restore the requirements that still apply, and strike out "+
			"abandoned ones with the reason.")
	fresh := slices.ContainsFunc(now.list, func(q requirement) bool { return !then[fold(q.title)] })
	if !m.base.begun() || !named || fresh {
		f.As(sdk.Warning)
	}
}

func taskDropped(r *check.Report, m *model) {
	if m.list == nil || m.base.list == nil {
		return
	}
	if m.boxesLost() {
		m.allLost(r)
		return
	}
	if !m.over() {
		m.shortened(r)
		return
	}
	var waived []*task
	for _, t := range m.tasks {
		if was := m.before(t); t.Optional && !t.Ticked && was != nil && was.Remains() && !has(t.Text, aside) {
			waived = append(waived, t)
		}
	}
	if len(waived) > 1 {
		f := r.At(sdk.AtLine("tasks.md", waived[0].Line),
			"every required task is ticked, but "+say.Count(len(waived), "task")+" that "+say.Were(len(waived))+
				" required and open in the base "+say.Are(len(waived))+" now optional: "+
				textsOf(waived)).Keyed("optional").As(sdk.Warning).
			Advise("Decide which tasks are still required", "Write `[ ]` for tasks that still have to be done, "+
				"and strike out abandoned ones with the reason.")
		// the plan was rewritten
		if slices.ContainsFunc(m.tasks, func(t *task) bool {
			return m.before(t) == nil ||
				m.before(t).FoldedTitle() != t.FoldedTitle()
		}) {
			f.As(sdk.Info)
		}
	}
	gone, rewritten := m.openGone()
	if len(gone) == 0 {
		return
	}
	ticked := "every required task is ticked"
	if len(m.around()) > 0 {
		ticked = "every required task is ticked, except groups"
	}
	f := m.offerBack(r.Whole("tasks.md", ticked+", but "+work.SayGone(len(gone), "task", "open")+
		": "+textsOf(gone)), gone).
		Advise("Restore the tasks", "Restore the tasks that still have to be done, mark optional ones `[ ]*`, and "+
			"strike out abandoned ones with the reason.")
	if rewritten {
		f.As(sdk.Warning)
	}
}

// openGone returns the base's open tasks that this revision lacks. rewritten is true if the plan was rewritten: it then
// has many new tasks, but a truncated list has none.
func (m *model) openGone() (gone []*task, rewritten bool) {
	if m.list == nil || m.base == nil || m.base.list == nil {
		return nil, false
	}
	if gone = m.gone((*task).Remains); len(gone) == 0 {
		return nil, false
	}
	fresh := 0
	for _, t := range m.tasks { // a task whose text was cut off is not new
		if !slices.ContainsFunc(m.base.tasks, func(was *task) bool {
			return strings.HasPrefix(was.Folded(), t.Folded())
		}) {
			fresh++
		}
	}
	return gone, fresh > 7 && 2*fresh > len(m.tasks)
}

// aside are words for work that is often made optional: tests and documentation.
var aside = []string{"test", "doc", "bench", "テスト", "测试", "文档", "тест"}

// boxesLost reports whether no task is left in a tasks.md that still has text: the tasks were indented as code, put
// into a comment or a quote, or rewritten as prose after work began. document-lost reports a file without other text.
func (m *model) boxesLost() bool {
	return len(m.tasks) == 0 && m.base.begun() && !m.emptied("tasks.md") && strings.TrimSpace(m.list.Text) != "" &&
		len(m.gone(func(*task) bool { return true })) > 0
}

// planElsewhere reports whether tasks.md says that its plan is somewhere else.
func (m *model) planElsewhere() bool {
	return has(m.list.Text, []string{"archive", "moved to", "see tasks",
		"归档", "歸檔", "封存", "移至", "移到", "アーカイブ"})
}

func (m *model) allLost(r *check.Report) {
	done := 0
	for _, t := range m.base.tasks {
		if t.Ticked {
			done++
		}
	}
	f := r.Whole("tasks.md", "tasks.md has no tasks; the base has "+say.Int(len(m.base.tasks))+place(m.base.tasks[0])+
		", "+say.Int(done)+" of them ticked").
		Offer(sdk.Review, "Restore tasks.md", sdk.Restore("tasks.md")).
		Advise("Restore the tasks", "Restore the finished and the remaining tasks as list items, each with its box.")
	if len(m.base.open()) == 0 && (m.planElsewhere() || m.notice().text != "") {
		f.As(sdk.Warning)
	}
}

// shortened reports deleted open tasks if other tasks remain.
func (m *model) shortened(r *check.Report) {
	gone, fresh := m.vanished()
	if len(gone) == 0 || len(m.tasks) == 0 {
		return
	}
	f := r.Whole("tasks.md", work.SayGone(len(gone), "task", "open")+", and tasks.md does not say why: "+
		textsOf(gone)).As(sdk.Warning)
	if !m.base.begun() || fresh >= len(gone) { // a new or rewritten plan
		f.As(sdk.Info).Advise("Check the new tasks", "Check whether these tasks are done or part of the new ones. "+
			"Restore the others.").
			Offer(sdk.Review, "Restore the tasks from the base", m.putBack(gone)...)
		return
	}
	m.offerBack(f, gone).Advise("Restore the tasks", "Restore the tasks that still have to be done, mark optional "+
		"ones `[ ]*`, and strike out abandoned ones with the reason.")
}

// vanished returns the base's open tasks that left no trace: no line has their title, no reworded task has their
// number, and no new task seems to include them. It also counts the new tasks.
func (m *model) vanished() (gone []*task, fresh int) {
	then, now := map[string]bool{}, map[string]bool{}
	for _, t := range m.base.tasks {
		then[t.FoldedTitle()] = true
	}
	var changed []string          // texts of new tasks
	reworded := map[string]bool{} // numbers of new tasks
	for _, t := range m.tasks {
		if now[t.FoldedTitle()] = true; !then[t.FoldedTitle()] {
			changed = append(changed, fold(tasks.Told(t.Body(m.list), []*task{t})))
			reworded[t.ID] = t.ID != ""
			if len(m.base.of(t.ID)) == 0 {
				fresh++
			}
		}
	}
	text, moved := fold(tasks.Told(m.list.Text, tasks.Boxes(m.list.Outline(), &form))), m.moved()
	for _, t := range m.base.open() {
		title := t.FoldedTitle()
		if now[title] || m.wrecked(t) || moved[t.ID] || reworded[t.ID] || m.pointless(t) ||
			len(title) > 7 && strings.Contains(text, title) || stands(text, t.Folded()) {
			continue
		}
		if words := telling(title); !slices.ContainsFunc(changed,
			func(text string) bool { return merged(words, text) }) {
			gone = append(gone, t)
		}
	}
	return gone, fresh
}

// pointless reports whether all requirements that a task in the base names were also removed. requirement-lost reports
// them.
func (m *model) pointless(t *task) bool {
	ids := m.base.asks(t)
	if len(ids) == 0 || m.wants == nil || m.base.wants == nil {
		return false
	}
	for _, id := range ids {
		head, _, _ := strings.Cut(id, ".")
		if m.base.wants.find(head) == nil || m.wants.find(head) != nil {
			return false
		}
	}
	return true
}

// stands reports whether a text contains all the words of a task in a row, with or without its box.
func stands(text, wording string) bool {
	at := strings.Index(text, wording)
	return at >= 0 && (at == 0 || text[at-1] == ' ') && (at+len(wording) == len(text) || text[at+len(wording)] == ' ')
}

// merged reports whether a text contains at least two thirds of some words.
func merged(words []string, text string) bool {
	kept := 0
	for _, word := range words {
		if strings.Contains(text, word) {
			kept++
		}
	}
	return len(words) > 0 && 3*kept >= 2*len(words)
}

// telling returns the distinctive words of a title: those longer than three bytes.
func telling(title string) (list []string) {
	for _, word := range strings.Fields(title) {
		if word = strings.Trim(word, "`*_.,:;()"); len(word) > 3 {
			list = append(list, word)
		}
	}
	return list
}

func doneTaskLost(r *check.Report, m *model) {
	if m.list == nil || m.base.list == nil {
		return
	}
	if m.boxesLost() {
		return // item-lost reports it
	}
	if gone := m.gone(func(t *task) bool { return t.Ticked }); len(gone) > 0 {
		m.offerBack(r.Whole("tasks.md", work.SayGone(len(gone), "task", "ticked")+": "+textsOf(gone)).As(sdk.Warning),
			gone).
			Advise("Restore the tasks", "Restore the tasks from the base, with their ticks.")
	}
	var first *task
	var swapped []string
	for _, was := range m.base.tasks {
		if t := m.find(was); t != nil && m.swapped(was, t) {
			if swapped = append(swapped, say.Quote(was.Text)+place(was)+" is now "+say.Quote(t.Text)); first == nil {
				first = t
			}
		}
	}
	if len(swapped) > 0 {
		r.At(first.At("tasks.md"),
			say.Count(len(swapped), "task")+" that "+say.Were(len(swapped))+" ticked in the base "+
				say.Were(len(swapped))+" replaced by other work with the same number and tick: "+
				say.List(swapped)).Keyed("swapped").
			Advise("Restore the ticked tasks", "Restore the tasks that were ticked, and give the other work new "+
				"numbers.")
	}
}
