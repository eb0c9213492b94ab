package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/graph"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// needs returns the numbers of the tasks that a task depends on.
func (m *model) needs(t *task) []string {
	if !m.depends {
		return nil
	}
	return form.Needs(t, t.Body(m.list))
}

// numbersOf returns the words in a text that are task numbers.
func numbersOf(text string) []string {
	var list []string
	for _, word := range strings.FieldsFunc(text, func(c rune) bool {
		return c == ',' || c == ';' || c == ' ' ||
			c == '、'
	}) {
		if number := strings.TrimRight(word, "."); number != "" && isDigit(number[0]) &&
			strings.Trim(number, "0123456789.") == "" {
			list = append(list, number)
		}
	}
	return list
}

func dependencyMissing(r *check.Report, m *model) {
	if m.list == nil {
		return
	}
	vacated := m.vacated() // id-repeated reports these
	for _, t := range m.tasks {
		var gone []string
		for _, n := range m.needs(t) {
			if !m.has(n) && !vacated[n] {
				gone = append(gone, n)
			}
		}
		if len(gone) > 0 {
			r.At(sdk.AtLine("tasks.md", t.Line), work.SayMissing(say.Quote(t.Text), gone...)).Keyed(key(t))
		}
	}
	for _, w := range m.waves() {
		var gone []string
		for _, n := range w.all {
			if !m.has(n) && !vacated[n] {
				gone = append(gone, n)
			}
		}
		if len(gone) > 0 {
			r.At(sdk.AtLine("tasks.md", w.line), "the dependency graph has "+say.Count(len(gone), "task")+
				" that tasks.md does not have: "+say.List(gone)).Keyed("graph")
		}
	}
}

// has reports whether tasks.md has something with a number: a task, a group that only its tasks name, such as 2 above
// 2.1, or a part without a box, such as "**4.1 Schema**" in a list.
func (m *model) has(number string) bool {
	if len(m.of(number)) > 0 {
		return true
	}
	for _, t := range m.tasks {
		if strings.HasPrefix(t.ID, number+".") {
			return true
		}
	}
	for line := range strings.Lines(m.list.Text) {
		text := bare(line)
		if id, rest := numberOf(words.TrimLeft(text, "*")); id == number && rest != "" &&
			strings.Contains(id, ".") && len(text) < len(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// waves holds one dependency graph.
type waves struct {
	line int
	all  []string // the tasks in all waves, in order
}

// waves returns the graphs in tasks.md in the form that Kiro writes: {"waves": [{"id": 0, "tasks": ["1.1"]}, …]}, or
// with a list for each wave. It skips a graph with mostly unknown tasks, which is an example or belongs to another
// list.
func (m *model) waves() (list []waves) {
	if !m.graph {
		return nil
	}
	for _, f := range m.list.Outline().Document().Fences() {
		code := f.Text()
		if !strings.Contains(code, `"waves"`) {
			continue
		}
		doc, err := jsondoc.Parse(code)
		if err != nil {
			continue
		}
		w, known := waves{line: f.Line()}, 0
		for _, wave := range doc.Root().Get("waves").Elements() {
			if wave.Kind() == jsondoc.Object {
				wave = wave.Get("tasks")
			}
			for _, id := range wave.Elements() {
				text, _ := id.Text()
				w.all = append(w.all, numbersOf(text)...)
			}
		}
		for _, n := range w.all {
			if m.has(n) {
				known++
			}
		}
		if 2*known >= len(w.all) && known > 0 {
			list = append(list, w)
		}
	}
	return list
}

func dependencyCircle(r *check.Report, m *model) {
	if !m.depends {
		return
	}
	var names []string
	for _, t := range m.tasks {
		if len(m.of(t.ID)) == 1 {
			names = append(names, t.ID)
		}
	}
	g := graph.New(names...)
	for _, t := range m.tasks {
		if len(m.of(t.ID)) != 1 {
			continue
		}
		for _, n := range m.needs(t) {
			g.Need(t.ID, n)
		}
		for _, u := range t.Parts { // a task is done when its subtasks are
			g.Need(t.ID, u.ID)
		}
	}
	for _, circle := range g.Cycles() {
		first := m.of(circle[0])[0]
		if !slices.ContainsFunc(circle, func(n string) bool { return !m.of(n)[0].Ticked }) {
			continue
		}
		r.At(sdk.AtLine("tasks.md", first.Line), work.SayCircle("task", circle)).Keyed(circle[0])
	}
}

func dependencyOpen(r *check.Report, m *model) {
	if !m.depends {
		return
	}
	var open []*task // dependencies, in the order of the tasks that need them
	waiting := map[*task][]*task{}
	for _, t := range m.tasks {
		if !t.Ticked {
			continue
		}
		for _, n := range m.needs(t) {
			on := m.of(n)
			if len(on) != 1 || !on[0].Open() || on[0].Cancelled {
				continue
			}
			if waiting[on[0]] == nil {
				open = append(open, on[0])
			}
			waiting[on[0]] = append(waiting[on[0]], t)
		}
	}
	for _, on := range open {
		list := waiting[on]
		text := work.SayOpen(say.Quote(list[0].Text), "ticked", on.ID, place(on))
		if n := len(list); n > 1 {
			text = say.Count(n, "ticked task") + " depend on " + on.ID + ", which is not ticked" + place(on) + ": " +
				textsOf(list)
		}
		r.At(sdk.AtLine("tasks.md", list[0].Line), text).Keyed(key(list[0]) + " " + on.ID)
	}
}

// blocked returns why a task cannot be done, or "" if no note says so.
func (m *model) blocked(t *task) string {
	if m.blocks {
		if why := note(m.list, t, "Blocked:"); why != "" {
			return why
		}
	}
	if is, line := m.told(t); is == status.Blocked {
		return line
	}
	return ""
}

func blockedTicked(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if !t.Ticked {
			continue
		}
		text := ""
		if why := m.blocked(t); why != "" {
			text = " is ticked but blocked: " + say.Quote(why)
		} else if is, line := m.told(t); is.Left() && is != status.Review {
			text = " is ticked, but the note under it says that it is not done: " + say.Quote(line)
		}
		if text != "" {
			r.At(t.At("tasks.md"), say.Quote(t.Text)+text).Keyed(key(t)).
				Offer(sdk.Review, "Untick the task", set(t, " ")...)
		}
	}
}
