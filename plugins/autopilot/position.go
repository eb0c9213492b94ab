package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A position is what the position file says.
type position struct {
	path      string
	title     string // its first heading of level 1
	titleAt   sdk.Range
	layoutB   bool
	fields    []*field
	decisions []item
	blockers  []item
	limits    []*limitRow
	acks      []ackItem
	arguments []taskID // of --task= in the resume instructions

	phase, plan        count
	phaseBad, planBad  bool
	status             status
	statusText, reason string // as written; what follows Blocked
	percent            float64
	hasPercent         bool
	bar                string
	stamp              stamp
	activity           stamp
	activityText       string
	last, next         taskID
	hasLast, hasNext   bool
	leg                int
	stopPlan           count // plan P.Q as n and of, -1 without
	stopTask           count
}

// A limitRow is one row of the table of thresholds: a type in layout A, a level of
// cost in layout B.
type limitRow struct {
	kind    int // of kinds; in layout B of levels, 1-based
	cells   [5]string
	amounts [5]amount // current (used), warning (limit), alert (remaining), stop
	at      [5]sdk.Range
	row     markdown.Row
	columns [5]int
	acked   bool
	level   int // of the status cell, -1 if not judged
}

// Columns of a row: those of layout A, and what they hold in layout B.
const (
	colCurrent = iota // Used
	colWarning        // Limit
	colAlert          // Remaining
	colStop
	colStatus
)

// An ackItem is one item of the list of acknowledged alerts.
type ackItem struct {
	item
	kind  int
	value amount
	stamp stamp
}

// readPosition reads a position file.
func readPosition(d *sdk.Document) *position {
	p := &position{path: d.Path}
	p.walk(d.Outline())
	p.derive()
	return p
}

// walk goes through the outline once.
func (p *position) walk(o *markdown.Outline) {
	section, level, scope, listing := "", 0, 0, false
	for i := range o.Nodes {
		part := o.At(i)
		n := part.Node()
		switch n.Kind {
		case markdown.KindHeading:
			if n.Parent >= 0 {
				continue
			}
			name := markdown.Name(mend(part.Text()))
			if listing = false; n.Data == 1 && p.title == "" {
				p.title, p.titleAt = name, place(p.path, part)
			}
			if scope > 0 && n.Data <= scope {
				scope = 0
			}
			if name == "currentposition" || name == "currentstate" || name == "position" {
				scope = n.Data
			}
			section, level = name, max(level, n.Data)
		case markdown.KindField:
			f := o.FieldAt(i)
			if f.Origin() == markdown.FromFrontMatter {
				continue
			}
			made := p.add(newField(p.path, part, o.At(i+1), f.Value()), section, scope > 0 || level < 2)
			made.set = f.Set
			listing = made.key == "acknowledgedalerts" || listing && f.Origin() == markdown.FromItem
		case markdown.KindTable:
			listing = false
			p.table(markdown.Table{Part: part}, section, scope > 0 || level < 2)
		case markdown.KindItem:
			it := markdown.Item{Part: part}
			if it.Depth() == 1 {
				p.item(it, section, listing)
			}
		case markdown.KindCode:
			if section == "resumeinstructions" {
				p.tasks(part.Raw())
			}
		}
	}
	p.layoutB = p.title == "flightwaypoint" || p.title == "contextcheckpoint" ||
		p.title != "projectstate" && (p.get("leg") != nil || p.get("lasttaskcompleted") != nil)
}

func (p *position) add(f *field, section string, scoped bool) *field {
	f.in, f.scoped = section, scoped
	p.fields = append(p.fields, f)
	return f
}

// table reads fields or limits.
func (p *position) table(t markdown.Table, section string, scoped bool) {
	header := t.Header()
	if header.Len() == 2 {
		for _, row := range t.Rows() {
			if row.Len() == 2 {
				f := p.add(newField(p.path, row.Part, row.Cell(0).Part, row.Cell(1).Part), section, scoped)
				f.set = func(value string) (markdown.Edit, bool) { return row.Set(1, value) }
			}
		}
		return
	}
	kind, state := t.Column("Type"), t.Column("Status")
	if kind < 0 || state < 0 {
		return
	}
	columns := [5]int{t.Column("Current"), t.Column("Warning"), t.Column("Alert"), t.Column("Stop"), state}
	ofCost := columns[colCurrent] < 0
	if ofCost {
		columns = [5]int{t.Column("Used"), t.Column("Limit"), t.Column("Remaining"), -1, state}
	}
	if columns[colCurrent] < 0 || columns[colWarning] < 0 {
		return
	}
	for _, row := range t.Rows() {
		r := &limitRow{kind: kindOf(row.Cell(kind).Text()), row: row, columns: columns}
		if ofCost {
			r.kind = max(0, cellLevel(strings.ToLower(row.Cell(kind).Text())))
		}
		if r.kind < 0 || ofCost && r.kind == 0 {
			continue
		}
		for c, column := range columns {
			cell := row.Cell(column)
			r.cells[c] = clean(cell.Text())
			r.amounts[c] = readAmount(r.cells[c])
			r.at[c] = place(p.path, row.Part)
			if cell.OK() && cell.End() > cell.Start() {
				r.at[c] = place(p.path, cell.Part)
			}
		}
		low := strings.ToLower(r.cells[colStatus])
		r.level = cellLevel(low)
		r.acked = !ofCost && strings.Contains(r.cells[colAlert], "ACK") || strings.Contains(low, "(ack)")
		p.limits = append(p.limits, r)
	}
}

// item keeps the items of the lists that rules look at.
func (p *position) item(part markdown.Item, section string, listing bool) {
	it := item{clean(part.Text()), p.path, part.Start(), part.End(), part.Own().Start(), part.Own().End()}
	p.bareField(&it, section)
	switch {
	case listing:
		name, rest, found := strings.Cut(it.text, "@")
		if kind := kindOf(name); found && kind >= 0 {
			a := ackItem{item: it, kind: kind}
			value, when, _ := strings.Cut(rest, "acknowledged")
			a.value, a.stamp = readAmount(value), readStamp(strings.TrimLeft(when, ": "))
			p.acks = append(p.acks, a)
		}
	case section == "recentdecisions":
		p.decisions = append(p.decisions, it)
	case section == "blockers" && !none(it.text) && !placeholder(it.text):
		p.blockers = append(p.blockers, it)
	}
}

// bareField makes a field of "Alert acknowledged: Yes", which layout B writes without
// marks.
func (p *position) bareField(it *item, section string) {
	const label = "Alert acknowledged"
	value := after(it.text, label+":")
	if value == it.text || it.stop-it.own != len(it.text) {
		return
	}
	start := it.stop - len(value)
	f := &field{key: markdown.Name(label), label: label, value: clean(value), at: it.span()}
	p.add(f, section, false).set = func(text string) (markdown.Edit, bool) {
		return markdown.Edit{Start: start, End: it.stop, New: text}, true
	}
}

// tasks reads the arguments --task= of commands.
func (p *position) tasks(code string) {
	for _, part := range strings.Split(code, "--task=")[1:] {
		if id, _, ok := readTask(strings.TrimLeft(part, `"'`)); ok && len(p.arguments) < 50 {
			p.arguments = append(p.arguments, id)
		}
	}
}

// get returns the field of a key: Phase, Plan, Status and Progress first from
// where the position stands.
func (p *position) get(key string) *field {
	var first *field
	for _, f := range p.fields {
		if f.key != key {
			continue
		}
		if !positional(key) || f.scoped {
			return f
		}
		if first == nil {
			first = f
		}
	}
	return first
}

func positional(key string) bool {
	return key == "phase" || key == "plan" || key == "status" || key == "progress"
}

// derive works out what the fields say.
func (p *position) derive() {
	p.phase, p.phaseBad = p.count("phase")
	p.plan, p.planBad = p.count("plan")
	if p.get("phase") == nil {
		p.phase.of = integer(p.get("phases").given())
	}
	p.readStatus()
	p.readProgress()
	stampKey := "updated"
	if p.layoutB && p.get("saved") != nil {
		stampKey = "saved"
	}
	p.stamp = readStamp(p.get(stampKey).text())
	p.activityText = p.get("lastactivity").given()
	p.activity = stamp{}
	for i := range p.activityText {
		if dash(p.activityText, i) || strings.HasPrefix(p.activityText[i:], ": ") {
			if p.activity = readStamp(p.activityText[:i]); p.activity.text != "" {
				p.activityText = strings.TrimLeft(p.activityText[i:], " :–—-")
			}
			break
		}
	}
	if s := readStamp(p.activityText); s.text != "" {
		p.activity, p.activityText = s, ""
	}
	p.last, _, p.hasLast = readTask(p.get("lasttaskcompleted").given())
	p.next, _, p.hasNext = readTask(p.get("nexttask").given())
	p.leg = integer(p.get("leg").given())
	p.readStop()
}

// count reads Phase or Plan; bad if it is there and cannot be read.
func (p *position) count(key string) (c count, bad bool) {
	text := p.get(key).given()
	if text == "" {
		return count{-1, -1}, false
	}
	c, ok := readCount(text)
	return c, !ok
}

func (p *position) readStatus() {
	p.status, p.reason, p.statusText = unknown, "", ""
	if f := p.get("status"); f != nil {
		p.statusText = f.value
		if p.status, p.reason = readStatus(f.value); p.status == completeText {
			p.status = projectComplete
			if p.phase.n >= 0 && p.phase.n < p.phase.of {
				p.status = phaseComplete
			}
		}
	} else if f := p.get("reason"); f != nil && p.layoutB {
		p.statusText = f.value
		p.status = reasonTexts[markdown.Name(f.value)]
	}
}

// statusField is where the status stands, nil if nowhere.
func (p *position) statusField() *field {
	if f := p.get("status"); f != nil || !p.layoutB {
		return f
	}
	return p.get("reason")
}

func (p *position) stampField() *field {
	if f := p.get("saved"); p.layoutB && f != nil {
		return f
	}
	return p.get("updated")
}

// readProgress reads the bar and the last percentage.
func (p *position) readProgress() {
	p.percent, p.hasPercent, p.bar = 0, false, ""
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
	end := strings.LastIndexByte(text, '%')
	if end < 0 {
		return
	}
	head := strings.TrimRight(text[:end], " ")
	start := len(head)
	for start > 0 && (head[start-1] >= '0' && head[start-1] <= '9' || head[start-1] == '.') {
		start--
	}
	number := readAmount(head[start:])
	if p.percent, p.hasPercent = number.v, number.ok; start > 0 && (head[start-1] == '-' || strings.HasSuffix(head[:start], "−")) {
		p.percent = -p.percent
	}
}

// readStop picks plan P.Q and task t of u out of Stopped at.
func (p *position) readStop() {
	p.stopPlan, p.stopTask = count{-1, -1}, count{-1, -1}
	text := strings.ToLower(p.get("stoppedat").given())
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "plan ")
		if !found {
			break
		}
		rest = after
		if id, _, ok := readTask(after); ok && id.phase > 0 {
			p.stopPlan = count{id.phase, id.n}
			break
		}
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "task ")
		if !found {
			break
		}
		rest = after
		if n, more := leading(after); n >= 0 && strings.HasPrefix(more, " of ") {
			if u, _ := leading(more[4:]); u >= 0 {
				p.stopTask = count{n, u}
				break
			}
		}
	}
}
