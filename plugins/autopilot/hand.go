package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A hand is the hand-off of an interrupted session.
type hand struct {
	doc         *sdk.Document
	fields      []markdown.Field
	numbers     [4]int // phase, plan, task and total_tasks; -1 if not readable
	over        bool
	created     instant.Moment
	front       sdk.Range
	at          [4]sdk.Range // of the numbers, else front
	rows        []handRow
	remaining   []handItem
	odd         bool // Remaining Work has something of another shape
	remainingAt sdk.Range
	headings    bool // some heading has text
	texts       [5]string
	nextAt      sdk.Range

	phase, plan, task, total int // the numbers
}

var frontKeys = [4]string{"phase", "plan", "task", "total_tasks"}

const (
	keyPhase = iota
	keyPlan
	keyTask
	keyTotal
)

// The texts of a hand-off.
const (
	textState = iota
	textDecisions
	textBlockers
	textContext
	textNext
)

var handSections = [...]string{"currentstate", "decisionsmade", "blockers", "context", "nextaction"}

// A handRow is one row of the completed work.
type handRow struct {
	n              int
	name, commit   string
	state          taskState
	at, commitCell sdk.Range
}

// A handItem is one item of the remaining work: tasks from to to, 0 if unread.
type handItem struct {
	item
	from, to int
}

func readHand(d *sdk.Document) *hand {
	h := &hand{doc: d, numbers: [4]int{-1, -1, -1, -1}, front: head(d.Path), remainingAt: sdk.At(d.Path), nextAt: sdk.At(d.Path)}
	o := d.Outline()
	h.readFront(o)
	for _, heading := range o.Headings() {
		body := heading.Body()
		text := strings.TrimSpace(o.Text[min(heading.End(), body.End()):body.End()])
		h.headings = h.headings || markdown.Plain(text) != ""
		name := markdown.Name(mend(heading.Text()))
		for i, want := range handSections {
			if name == want && h.texts[i] == "" {
				h.texts[i] = oneLine(clean(markdown.Plain(text)))
				if i == textNext {
					h.nextAt = place(d.Path, heading.Part)
				}
			}
		}
		switch name {
		case "completedwork":
			h.readRows(heading.Section())
		case "remainingwork":
			h.remainingAt = place(d.Path, heading.Part)
			h.readRemaining(heading.Section())
			h.odd = h.odd || len(h.remaining) == 0 && !none(markdown.Plain(text))
		}
	}
	return h
}

func (h *hand) readFront(o *markdown.Outline) {
	h.fields = o.FrontMatter()
	for n := range h.at {
		h.at[n] = h.front
	}
	for _, f := range h.fields {
		text := strings.TrimSpace(f.Text())
		for n, key := range frontKeys {
			if words.Alike(f.Key(), key) {
				h.at[n] = place(h.doc.Path, f.Part)
				h.numbers[n] = frontNumber(n, text)
				if c, ok := readCount(text, false); ok && n == keyTask && c.of > 0 && h.numbers[keyTotal] < 0 {
					h.numbers[keyTotal] = c.of
				}
			}
		}
		switch strings.ToLower(f.Key()) {
		case "status":
			name := markdown.Name(text)
			h.over = name == "complete" || name == "completed" || name == "done"
		case "created":
			h.created = readStamp(text)
		}
	}
	h.phase, h.plan, h.task, h.total = h.numbers[keyPhase], h.numbers[keyPlan], h.numbers[keyTask], h.numbers[keyTotal]
}

// frontNumber reads a number of the front matter, -1 if there is none above 0: 3, "03", 03-dashboard as a
// phase, 3.2 as plan 2 of phase 3, 3.2.1 as its first task, 3 of 5 as a task.
func frontNumber(key int, text string) int {
	n, ok := 0, false
	switch id, rest, isTask := readTask(text); {
	case key == keyPhase:
		n, ok = phaseNumber(text)
	case (key == keyPlan || key == keyTask) && isTask && id.phase > 0 && rest == "":
		n, ok = id.n, true
	default:
		c, counted := readCount(text, false)
		n, ok = c.n, counted
	}
	if !ok || n < 1 {
		return -1
	}
	return n
}

// readRows reads the completed work: a table, or a list.
func (h *hand) readRows(s markdown.Section) {
	if h.rows != nil {
		return
	}
	t := s.TableWith("Task")
	task, name, state, commit := t.Column("Task"), t.Column("Name", "Description", "Title"), t.Column("Status"), t.Column("Commit")
	for _, r := range t.Rows() {
		id, rest, ok := readTask(cellText(r, task))
		if !ok {
			continue
		}
		row := handRow{n: id.n, name: cellText(r, name), commit: cellText(r, commit), state: taskDone, at: place(h.doc.Path, r.Part)}
		row.commitCell = row.at
		if cell := r.Cell(commit); cell.OK() {
			row.commitCell = place(h.doc.Path, cell.Part)
		}
		if name < 0 {
			row.name = strings.TrimLeft(rest, " :–—-")
		}
		if state >= 0 {
			row.state = readTaskState(cellText(r, state))
		}
		h.rows = append(h.rows, row)
	}
	if t.OK() {
		return
	}
	for _, part := range s.Items() {
		it := newItem(h.doc.Path, part)
		id, name, ok := readTask(strings.TrimLeftFunc(it.text, markdown.Symbol))
		if !ok || part.Depth() > 1 {
			continue
		}
		row := handRow{n: id.n, name: strings.TrimLeft(name, " :–—-"), state: readTaskState(it.text), at: it.span(), commitCell: it.span()}
		if mark := part.Task(); mark.OK() && mark.Checked() || row.state == taskUnknown {
			row.state = taskDone
		} else if mark.OK() {
			row.state = taskPending
		}
		if open := strings.LastIndexByte(row.name, '('); open >= 0 && isCommit(strings.Trim(row.name[open:], "()")) {
			row.name, row.commit = strings.TrimRight(row.name[:open], " "), strings.Trim(row.name[open:], "()")
		}
		h.rows = append(h.rows, row)
	}
}

// readRemaining reads the remaining work: a list, or a table.
func (h *hand) readRemaining(s markdown.Section) {
	add := func(it item) {
		made := handItem{item: it}
		made.from, made.to = readTasks(made.text)
		h.odd = h.odd || made.from == 0
		h.remaining = append(h.remaining, made)
	}
	for _, it := range s.Items() {
		if it.Depth() == 1 && !none(it.Text()) {
			add(newItem(h.doc.Path, it))
		}
	}
	for _, r := range s.TableWith("Task").Rows() {
		text := ""
		for _, c := range r.Cells() {
			text += " " + clean(c.Text())
		}
		id, rest, ok := readTask(strings.TrimSpace(text))
		if text = strings.TrimSpace(text); ok {
			text = "Task " + itoa(id.n) + ": " + strings.TrimLeft(rest, " :–—-")
		}
		add(item{text, h.doc.Path, r.Start(), r.End(), r.Start(), r.End()})
	}
}

// readTasks reads "Task 3: …", "Tasks 4-5", "4 to 5" and "4 and 5"; 0 for another shape, such as a list of numbers that are not neighbours.
func readTasks(text string) (from, to int) {
	named := after(after(text, "Tasks "), "Task ")
	id, rest, ok := readTask(named)
	if !ok || id.n == 0 {
		return 0, 0
	}
	link, last, beyond := readLink(rest)
	if one := after(text, "Task ") != text && strings.HasPrefix(rest, " "); last < id.n || one && link == "-" {
		link, last, beyond = "", id.n, rest // "Task 3 - 4 endpoints"
	}
	from, to, rest = id.n, last, beyond
	switch more, _, _ := readLink(rest); {
	case link != "" && more != "", link == ",", link == "and" && to != from+1, to-from > 5000:
		return 0, 0
	case named == text && rest != "" && rest[0] != ':' && rest[0] != '.':
		return 0, 0
	}
	return from, to
}

// readLink reads what joins two task numbers and the second number; "" if a text does not begin with a link and a number.
func readLink(s string) (link string, n int, rest string) {
	trimmed := strings.TrimLeft(s, " ")
	for _, l := range [...][2]string{{"-", "-"}, {"–", "-"}, {"—", "-"}, {"to ", "to"}, {"and ", "and"}, {"& ", "and"}, {",", ","}} {
		second := after(trimmed, l[0])
		if len(second) == len(trimmed) {
			continue
		}
		if l[1] == "," {
			second = after(second, "and ")
		}
		if id, more, ok := readTask(second); ok {
			return l[1], id.n, more
		}
	}
	return "", 0, s
}

// readable reports whether all four numbers are there.
func (h *hand) readable() bool { return h.phase > 0 && h.plan > 0 && h.task > 0 && h.total > 0 }

// done lists the rows that are done and have a number within the total.
func (h *hand) done() int {
	n := 0
	seen := map[int]bool{}
	for i := range h.rows {
		if r := &h.rows[i]; r.state == taskDone && !seen[r.n] {
			seen[r.n] = true
			n++
		}
	}
	return n
}

// row returns the first row of a task, nil without one.
func (h *hand) row(n int) *handRow {
	for i := range h.rows {
		if h.rows[i].n == n {
			return &h.rows[i]
		}
	}
	return nil
}
