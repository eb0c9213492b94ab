package autopilot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

// readBoxes counts the checkboxes in a route.
func (p *phase) readBoxes(o *markdown.Outline) {
	for _, box := range o.Tasks() {
		if box.Checked() {
			p.ticked++
		} else {
			p.open++
		}
	}
}

// readTasks reads tasks from headings such as "Task 3.2" that have a status, or else from tables with a Task column.
func (p *phase) readTasks(path string, o *markdown.Outline) {
	found := false
	for _, h := range o.Headings() {
		text := clean(h.Text())
		if id, name, ok := readTask(text); ok && h.Level() == 3 && after(text, "Task ") != text {
			if state := h.Section().Field("Status"); state.OK() {
				found = true
				p.addTask(&task{id: id, name: untitled(name), state: readTaskState(state.Text()),
					at: place(path, h.Part)})
			}
		}
	}
	for _, t := range o.Tables() {
		if !found && t.Has("Task", "Status") {
			rows, _ := readTable(path, t, 0)
			for _, row := range rows {
				p.addTask(row)
			}
		}
	}
}

// readTable reads a table of tasks. torn reports whether a row does not name a task. In a table without a status
// column, all tasks are done, except the current one if its commit is missing.
func readTable(path string, t markdown.Table, current int) (rows []*task, torn bool) {
	column, name, state, commit := t.Column("Task"), t.Column("Name", "Description", "Title"),
		t.Column("Status", "State"), t.Column("Commit", "Commit hash", "Hash")
	for _, r := range t.Rows() {
		text := cellText(r, column)
		if bare := strings.TrimLeft(text, "#Tt"); integer(bare) > 0 { // #1 and T1
			text = bare
		}
		id, rest, ok := readTask(text)
		if !ok {
			torn = true
			continue
		}
		row := &task{id: id, name: untitled(rest), commit: cellText(r, commit), state: taskDone,
			at: place(path, r.Part)}
		if row.commitAt = row.at; r.Cell(commit).OK() {
			row.commitAt = place(path, r.Cell(commit).Part)
		}
		if name >= 0 {
			row.name = cellText(r, name)
		}
		switch {
		case state >= 0:
			row.state, row.stateAt = readTaskState(cellText(r, state)), place(path, r.Cell(state).Part)
		case commit >= 0 && none(row.commit) && id.n == current:
			row.state = taskUnknown
		}
		rows = append(rows, row)
	}
	return rows, torn
}

// addTask inserts a task in numeric order. Of several tasks with the same id, it keeps only the first, and marks it
// done if any of them is done.
func (p *phase) addTask(t *task) {
	if t.id.phase == 0 {
		t.id.phase = p.n
	}
	i, found := slices.BinarySearchFunc(p.tasks, t.id, func(other *task, id taskID) int {
		return cmp.Or(cmp.Compare(other.id.phase, id.phase), cmp.Compare(other.id.n, id.n))
	})
	switch {
	case found && t.state == taskDone:
		p.tasks[i].state = taskDone
	case !found && len(p.tasks) < 1000:
		p.tasks = slices.Insert(p.tasks, i, t)
	}
}
