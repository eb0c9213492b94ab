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

// A position holds the content of the position file.
type position struct {
	doc       *sdk.Document
	title     string // its first level-1 heading
	titleAt   sdk.Range
	layoutB   bool
	fields    []*field
	decisions []*item
	template  []*item // list items that are still template text
	todos     []*item // open todos
	blockers  []*item
	// items under Quick Reference
	references []*item
	limits     []*limitRow
	marks      []mark

	phase, plan        count
	statusField        *field // Status, or Reason in layout B
	stampField         *field
	status             status
	statusText, reason string // the status as written, and the text after Blocked
	percent            float64
	hasPercent         bool
	bar                string
	stamp, activity    instant.Moment
	session            instant.Moment
	activityText       string
	last, next         taskID
	hasLast, hasNext   bool
	stopPlan           count // phase (n) and plan (of) in Stopped at, or -1 if there is none
	stopTask           count
	midPlan            bool // whether Stopped at says that a plan was left before its end
	broken             bool // whether Stopped at says so in words; a task alone may belong to a resumed session
	planOver           bool // whether Stopped at says that its plan is complete
}

// A mark is text in the position file that marks an alert as acknowledged: a cell, a field, or an item with a value
// and a time.
type mark struct {
	kind  int
	at    sdk.Range
	gone  []sdk.Edit // edits that remove the mark
	item  *item
	value number
	stamp instant.Moment
}

// readPosition reads a position file, section by section.
func readPosition(d *sdk.Document) *position {
	p := &position{doc: d, titleAt: sdk.AtLine(d.Path, 1), stopPlan: count{-1, -1}, stopTask: count{-1, -1}}
	o := d.Outline()
	sections := o.Split(func(markdown.Heading) bool { return true })
	p.section(o.Document(), top(o), "", true)
	level, scope := 0, 0
	for _, s := range sections {
		h := s.Heading()
		name := markdown.Name(h.Text())
		if h.Level() == 1 && p.title == "" {
			p.title, p.titleAt = name, place(d.Path, h.Part)
		}
		if name == "currentposition" || name == "currentstate" || name == "position" {
			scope = h.Level()
		} else if h.Level() <= scope {
			scope = 0
		}
		level = max(level, h.Level())
		p.section(s, s.End(), name, scope > 0 || level < 2)
	}
	p.layoutB = slices.Contains(positionTitles[1:], p.title) ||
		p.title != positionTitles[0] && (p.get("leg") != noField || p.get("lasttaskcompleted") != noField)
	p.derive()
	return p
}

// section reads the part of a section that is before the offset end.
func (p *position) section(s markdown.Section, end int, name string, scoped bool) {
	pairs := s.Pairs()
	for i := range pairs {
		if pairs[i].Start < end {
			p.add(newField(p.doc, &pairs[i]), name, scoped)
		}
	}
	for _, t := range s.Tables() {
		if t.Start() < end {
			p.table(t)
		}
	}
	for _, it := range s.Items() {
		if it.Depth() == 1 && it.Start() < end {
			p.item(newItem(p.doc.Path, it), name)
		}
	}
}

func (p *position) add(f *field, section string, scoped bool) {
	f.in, f.scoped = section, scoped
	for _, s := range synonyms {
		if f.key == s[0] && (scoped || !positional(s[1])) {
			f.key = s[1]
		}
	}
	p.fields = append(p.fields, f)
}

// item stores a list item if a rule checks it.
func (p *position) item(it *item, section string) {
	if section == "quickreference" {
		p.references = append(p.references, it)
	}
	n := slices.Index([]string{"recentdecisions", "pendingtodos", "todos", "blockers"}, section)
	if n < 0 {
		name, rest, found := strings.Cut(it.text, "@")
		value, when, acked := strings.Cut(rest, "acknowledged")
		if kind := kindOf(name); found && acked && kind >= 0 {
			p.marks = append(p.marks, mark{kind, it.at, []sdk.Edit{it.remove(p.doc.Text)}, it, readAmount(value),
				readStamp(strings.TrimLeft(when, ": "))})
		}
		return
	}
	list := [...]*[]*item{&p.decisions, &p.todos, &p.todos, &p.blockers}[n]
	if placeholder(it.text) {
		list = &p.template
	}
	if !none(it.text) && (list == &p.decisions || !strings.HasPrefix(p.doc.Text[it.at.Start:], "~~")) &&
		!(it.done && list == &p.todos) {
		*list = append(*list, it)
	}
}

// noPosition stands for a missing position file.
var noPosition = &position{statusField: noField, stampField: noField, phase: count{-1, -1}, plan: count{-1, -1},
	stopPlan: count{-1, -1}, stopTask: count{-1, -1}}

// there reports whether there is a position file that can be read.
func (p *position) there() bool { return p.doc != nil }

// get returns the field with a key, or noField. For Phase, Plan, Status and Progress, it prefers the field in the
// position's section.
func (p *position) get(key string) *field { return cmp.Or(p.named(key), noField) }

func (p *position) named(key string) *field {
	first := find(p.fields, func(f *field) bool { return f.key == key && (f.scoped || !positional(key)) })
	return cmp.Or(first, find(p.fields, func(f *field) bool { return f.key == key }))
}

func positional(key string) bool {
	return key == "phase" || key == "plan" || key == "status" || key == "progress"
}

// placeOf returns the range of a field. For a missing field, it returns the range of the title, or else of the first
// line.
func (p *position) placeOf(f *field) sdk.Range {
	if f == noField {
		return p.titleAt
	}
	return f.at
}

// where returns the position for use in a message.
func (p *position) where() string {
	s := "phase " + p.phase.String()
	if p.plan.n >= 0 {
		s += ", plan " + p.plan.String()
	}
	return s
}

// derive computes values from the fields.
func (p *position) derive() {
	p.phase, _ = p.get("phase").count()
	p.plan, _ = p.get("plan").count()
	if p.get("phase") == noField {
		p.phase.of = integer(p.get("phases").value)
	}
	p.statusField, p.stampField = p.get("status"), p.get("updated")
	if p.layoutB {
		p.statusField = cmp.Or(p.named("status"), p.get("reason"))
		p.stampField = cmp.Or(p.named("saved"), p.stampField)
	}
	p.readStatus()
	p.readProgress()
	p.stamp = readStamp(p.stampField.value)
	p.session = readStamp(p.get("lastsession").given())
	p.activityText = p.get("lastactivity").given()
	// a date, followed by the activity
	if m, behind := instant.Find(p.activityText); known(m) && strings.HasPrefix(p.activityText, m.Text) {
		p.activity, p.activityText = readStamp(m.Text), untitled(behind)
	}
	p.last, _, p.hasLast = readTask(p.get("lasttaskcompleted").given())
	p.next, _, p.hasNext = readTask(p.get("nexttask").given())
	p.readStop()
}

// bad returns the first unreadable Phase or Plan field, or noField if there is none.
func (p *position) bad(key string) *field {
	first := p.get(key)
	return cmp.Or(find(p.fields, func(f *field) bool {
		_, bad := f.count()
		return bad && f.key == key && (f == first || f.scoped)
	}), noField)
}

// unplanned holds words that Phase and Plan may contain instead of a number, as markdown.Name returns them.
var unplanned = strings.Fields("notstarted notplanned notplannedyet notyetplanned pending")

// count reads Phase or Plan. bad reports an existing but unreadable value.
func (f *field) count() (c count, bad bool) {
	first, rest, _ := strings.Cut(f.value, " ")
	// "— of —" means that the route is not written yet
	uncounted := f.key == "plan" && after(rest, "of ") != rest && integer(first) < 0 && (none(first) || first == "?")
	if uncounted || f.given() == "" && f.value != "0" || slices.Contains(unplanned, markdown.Name(f.value)) {
		return count{-1, -1}, false
	}
	c, ok := readCount(f.value, f.key == "plan")
	return c, !ok
}

func (p *position) readStatus() {
	p.statusText = p.statusField.value
	if p.statusField.key == "reason" {
		p.status = statusNamed(markdown.Name(p.statusText), reasonTexts[:])
	} else if p.status, p.reason = readStatus(p.statusText); p.status == completeText {
		p.status = projectComplete
		if p.phase.n >= 0 && p.phase.n < p.phase.of {
			p.status = phaseComplete
		}
	}
}

// readProgress reads the bar and the last percentage.
func (p *position) readProgress() {
	text := p.get("progress").given()
	if p.layoutB || text == "" {
		return
	}
	p.bar = strings.Map(func(r rune) rune {
		if r == '█' || r == '░' {
			return r
		}
		return -1
	}, text)
	if strings.ContainsAny(text, "▓▒") { // a bar with other shades is not checked
		p.bar = ""
	}
	if end := strings.LastIndexByte(text, '%'); end >= 0 {
		head := strings.TrimRight(text[:end], " ")
		head = head[max(strings.LastIndexAny(head, " █░"), 0):]
		number := readAmount(head)
		p.percent, p.hasPercent = number.v, number.ok
	}
}

// readStop reads Stopped at, such as "Mid-plan 3.2, task 4 of 5".
func (p *position) readStop() {
	text, phase := p.get("stoppedat").given(), 0
	for i := range text {
		if at := after(text[i:], "phase "); phase == 0 && len(at) < len(text)-i {
			phase, _ = words.Leading(at)
		} else if at := after(text[i:], "plan "); p.stopPlan.n < 0 && len(at) < len(text)-i {
			if id, rest, ok := readTask(at); ok && max(id.phase, phase) > 0 {
				p.stopPlan = count{cmp.Or(max(id.phase, 0), phase), id.n}
				p.planOver = readTaskState(untitled(rest)) == taskDone
			}
		} else if at := after(text[i:], "task "); p.stopTask.n < 0 && len(at) < len(text)-i {
			n, more := words.Leading(at)
			if u, _ := words.Leading(strings.TrimLeft(after(strings.TrimLeft(more, " "), "of "), " /")); n >= 0 &&
				u >= 0 {
				p.stopTask = count{n, u}
			}
		}
	}
	last := p.stopTask.n == p.stopTask.of && words.Mentions(text, "complete", "done", "finished")
	p.broken = words.Mentions(text, "mid-plan", "mid plan", "midplan", "middle of", "midway", "halfway", "half way") ||
		!last && words.Mentions(text, "after task")
	p.midPlan = p.broken || p.stopTask.n >= 0 && !last
}
