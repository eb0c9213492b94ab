package autopilot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A hand is an interrupted session's hand-off.
type hand struct {
	doc         *sdk.Document
	fields      []*field
	front       sdk.Range
	cut         bool   // whether the front matter is not closed
	wrong       string // how the front matter contradicts itself
	wrongAt     sdk.Range
	at          [4]sdk.Range // ranges of the numbers; front for a missing number
	over        bool
	created     instant.Moment
	createdText string
	createdAt   sdk.Range // range of created, or front
	rows        []*task
	remaining   []*item
	odd         bool // whether Remaining Work has an item that does not name a task
	torn        bool // whether Completed Work has a row that does not name a task
	headed      bool // whether the document has a heading
	hollow      bool // whether the document has only headings
	texts       [7]string
	textAt      [7]sdk.Range // ranges of the texts' headings, or of the document

	numbers                  [4]int // -1 for an unreadable number
	phase, plan, task, total int    // the four numbers by name
}

var frontKeys = [...]string{"phase", "plan", "task", "total_tasks"}

const (
	keyPhase = iota
	keyPlan
	keyTask
	keyTotal
)

// Indexes of a hand-off's sections in texts.
const (
	textState = iota
	textDecisions
	textBlockers
	textContext
	textNext
	textDone // Completed Work, if it contains no readable task
	textRemaining
)

var handSections = []string{"currentstate", "decisionsmade", "blockers", "context", "nextaction", "completedwork",
	"remainingwork"}

// noHand stands for a missing hand-off.
var noHand = &hand{phase: -1, plan: -1, task: -1, total: -1, odd: true}

func readHand(d *sdk.Document) *hand {
	front := sdk.AtLine(d.Path, 1)
	h := &hand{doc: d, numbers: [4]int{-1, -1, -1, -1}, at: [4]sdk.Range{front, front, front, front}, front: front,
		createdAt: front}
	for i := range h.textAt {
		h.textAt[i] = sdk.At(d.Path)
	}
	o := d.Outline()
	h.readFront(o)
	h.hollow = len(h.fields) == 0 && strings.Trim(o.Text[:top(o)], "- \r\n") == ""
	for _, heading := range o.Headings() {
		body, section := heading.Body(), heading.Section()
		text := markdown.Plain(strings.TrimSpace(o.Text[min(heading.End(), body.End()):body.End()]))
		h.headed, h.hollow = true, h.hollow && text == ""
		i := slices.Index(handSections, markdown.Name(heading.Text()))
		switch i {
		case textDone:
			rows, torn := readTable(d.Path, section.Table(), h.task) // a row without a status is done
			if h.rows, h.torn = append(h.rows, rows...), h.torn || torn; section.Table().OK() {
				text = ""
			}
		case textRemaining:
			h.readRemaining(section)
			h.odd = h.odd || len(h.remaining) == 0 && !none(text)
		}
		if i >= 0 && h.texts[i] == "" {
			h.texts[i], h.textAt[i] = words.Spaced(clean(text)), place(d.Path, heading.Part)
		}
	}
	h.readLabels(o)
	for _, row := range h.rows {
		row.id.phase = 0
	}
	h.markDoubtful()
	return h
}

// readLabels reads the sections that have a label instead of a heading, such as **Remaining work:** above a list.
func (h *hand) readLabels(o *markdown.Outline) {
	for _, p := range o.Document().Pairs() {
		i := slices.Index(handSections, markdown.Name(p.Key))
		if i < 0 || h.texts[i] != "" || h.textAt[i] != sdk.At(h.doc.Path) {
			continue
		}
		at := sdk.AtBytes(h.doc.Path, p.Start, p.End)
		h.texts[i], h.textAt[i] = words.Spaced(clean(strings.Join(p.Texts(), " "))), at
		for _, text := range p.Items {
			if i == textRemaining && !none(text) {
				h.remain(&item{text: clean(text), at: at})
			}
		}
	}
}

func (h *hand) readFront(o *markdown.Outline) {
	h.fields = frontFields(h.doc, o)
	h.cut = len(o.FrontMatter()) == 0 && strings.HasPrefix(h.doc.Text, "---")
	var texts [4]string
	for i, f := range h.fields {
		text, at := f.value, f.at
		n := slices.IndexFunc(frontKeys[:], func(key string) bool { return f.key == markdown.Name(key) })
		if first := slices.IndexFunc(h.fields, func(o *field) bool { return o.key == f.key }); first < i &&
			h.wrong == "" && h.fields[first].value != text && (n >= 0 || f.key == "status" || f.key == "created") {
			h.wrong, h.wrongAt = f.label+" appears twice, as "+quote(h.fields[first].value)+" and as "+quote(text)+
				"; expected once", at
			text = ""
		}
		switch {
		case n >= 0:
			h.at[n], texts[n] = at, text
		case f.key == "status":
			h.over = readTaskState(text) == taskDone
		case f.key == "created":
			h.created, h.createdText, h.createdAt = readStamp(text), text, at
		}
	}
	for n := range texts {
		h.numbers[n] = h.frontNumber(n, texts[n])
		if c, ok := readCount(texts[n], false); ok && n == keyTask && c.of > 0 && texts[keyTotal] == "" {
			texts[keyTotal] = itoa(c.of)
		}
	}
	h.phase, h.plan, h.task, h.total = h.numbers[keyPhase], h.numbers[keyPlan], h.numbers[keyTask], h.numbers[keyTotal]
}

// frontNumber reads a number in the front matter. It returns -1 if there is no number above 0. It accepts "3" and "03"
// for every key, "03-dashboard" for a phase, "3.2" for plan 2 of phase 3, "3.2.1" for the first task of that plan, and
// "3 of 5" for a task. A task may also start with only its plan, as in "2.1".
func (h *hand) frontNumber(key int, text string) int {
	c, ok := readCount(text, false)
	phase, plan := h.numbers[keyPhase], h.numbers[keyPlan]
	if id, rest, isTask := readTask(text); key == keyPhase {
		c.n, ok = phaseNumber(text)
	} else if key != keyTotal && isTask && id.phase > 0 && rest == "" {
		if c.n, ok = id.n, true; phase > 0 && id.phase != phase && !(key == keyTask && id.phase == plan) {
			if ok = false; h.wrong == "" {
				h.wrong, h.wrongAt = frontKeys[key]+" is "+quote(text)+", but phase is "+itoa(phase), h.at[key]
			}
		}
	}
	if !ok || c.n < 1 {
		return -1
	}
	return c.n
}

// readRemaining reads the remaining work from a list.
func (h *hand) readRemaining(s markdown.Section) {
	for _, it := range s.Items() {
		if one := newItem(h.doc.Path, it); it.Depth() == 1 && !none(one.text) {
			h.remain(one)
		}
	}
}

// remain adds an item to the remaining work.
func (h *hand) remain(it *item) {
	it.from, it.to = readTasks(it.text, h.phase)
	h.odd = h.odd || it.from == 0
	h.remaining = append(h.remaining, it)
}

// finished returns the tasks whose row is done and not doubtful.
func (h *hand) finished() map[int]bool {
	done := map[int]bool{}
	for _, row := range h.rows {
		if row.state == taskDone && !row.doubtful {
			done[row.id.n] = true
		}
	}
	return done
}

// markDoubtful marks rows of tasks that are done without a commit while the hand-off also records them as open: as the
// current task, or as remaining. If no row has a commit, only a task that is both current and remaining is doubtful.
// It skips lists that are longer than any that an agent writes.
func (h *hand) markDoubtful() {
	if len(h.rows) > 500 || len(h.remaining) > 500 {
		return
	}
	some := h.commits()
	for _, row := range h.rows {
		current, remains := row.id.n == h.task, h.remains(row.id.n) != nil
		row.doubtful = row.state == taskDone && !isCommit(row.commit) &&
			(current && remains || (current || remains) && some)
	}
}

// commits reports whether a done row has a commit.
func (h *hand) commits() bool {
	return slices.ContainsFunc(h.rows, func(t *task) bool { return t.state == taskDone && isCommit(t.commit) })
}

// unlisted returns the tasks that the hand-off lists as neither done nor remaining. If Completed Work has no readable
// row, it returns only tasks before the current one.
func (m *model) unlisted() (list []int) {
	h := m.hand
	if !m.inRange() || h.odd || h.total > 5000 || len(h.rows) == 0 &&
		(!none(h.texts[textDone]) || m.verdict != handLive) {
		return nil
	}
	for n := 1; n <= h.total && (len(h.rows) > 0 || n < h.task); n++ {
		if row := h.row(n); h.remains(n) == nil && (row == nil || n > h.task && row.state != taskDone) {
			list = append(list, n)
		}
	}
	return list
}

// droppedTask returns the first task that remains in the base's hand-off but exceeds the current total, although
// neither the route nor the decisions changed. It returns 0 if there is none.
func (m *model) droppedTask() int {
	h, was := m.hand, m.base.hand
	now, then := m.phases.at(h.phase).route, m.base.phases.at(h.phase).route
	kept := now != nil && then != nil && now.Digest == then.Digest &&
		h.texts[textDecisions] == was.texts[textDecisions]
	if !m.inRange() || h.phase != was.phase || h.plan != was.plan || was.total > 5000 || !kept {
		return 0
	}
	return firstNot(func(n int) bool { return was.remains(n) == nil }, h.total+1, was.total)
}

// begins returns the task that Next Action starts with, as in "Continue with task 2: …", or 0 if that is the current
// task or there is none.
func (h *hand) begins() int {
	text := pickUp(h.texts[textNext])
	if id, _, ok := readTask(text); ok && after(text, "Task ") != text && id.n != h.task {
		return id.n
	}
	return 0
}

// row returns a task's first row, or nil if there is none.
func (h *hand) row(n int) *task { return find(h.rows, func(t *task) bool { return t.id.n == n }) }

// remains returns the first remaining item for a task, or nil if there is none.
func (h *hand) remains(n int) *item {
	return find(h.remaining, func(it *item) bool { return it.from <= n && n <= it.to })
}

// get returns the first field in the front matter with a key, or noField.
func (h *hand) get(key string) *field {
	return cmp.Or(find(h.fields, func(f *field) bool { return f.key == key }), noField)
}

// twice returns the second row of a task that has two rows with different names, or nil if there is none.
func (h *hand) twice() *task {
	rows := make(map[int]*task, len(h.rows))
	return find(h.rows, func(t *task) bool {
		first := rows[t.id.n]
		if first == nil {
			rows[t.id.n] = t
			return false
		}
		return first.state == t.state && markdown.Name(first.name) != markdown.Name(t.name)
	})
}

// place returns the hand-off's phase and plan for use in a message.
func (h *hand) place() string {
	s := "phase " + itoa(h.phase)
	if h.plan > 0 {
		s += ", plan " + itoa(h.plan)
	}
	return s
}

// isCommit reports whether s is a SHA-1 or SHA-256 commit hash, or a prefix of one.
func isCommit(s string) bool {
	return strings.Trim(s, "0123456789abcdefABCDEF") == "" && len(s) >= 6 && len(s) <= 64
}
