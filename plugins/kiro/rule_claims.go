package kiro

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

func completeWithOpen(r *check.Report, m *model) {
	open, severity := left(m.open())
	if m.list == nil || len(open) == 0 {
		return
	}
	c := m.claim()
	if c.text == "" {
		return
	}
	m.tickAgain(r, r.At(c.at, c.text+", but "+say.Count(len(open), "required task")+" "+say.Are(len(open))+" open: "+
		textsOf(open)).As(severity), open).
		Advise("Correct the line", "Correct the line to match the tasks, or tick what is done.")
}

// A claim is a statement, at the top of tasks.md or after all tasks, that everything is complete.
type claim struct {
	text string
	at   sdk.Range
}

// claim returns the first claim in a field, the title, a line before the first task, or a conclusion.
func (m *model) claim() claim {
	head := m.list.Outline().Head()
	if len(head.Fields()) > 0 {
		if f := head.Field(status.ProgressKeys()...); f.OK() && status.Complete(f.Text()) &&
			(len(m.tasks) == 0 || f.Start() < m.tasks[0].Start) { // not a task's own status
			return claim{f.Key() + " is " + say.Quote(f.Text()),
				sdk.AtBytes("tasks.md", f.Value().Start(), f.Value().End())}
		}
	}
	if h := title(m.heads); h.OK() && status.Title(h.Text(), h.Raw()) {
		return claim{"the title is " + say.Quote(h.Text()), sdk.AtLine("tasks.md", h.Line())}
	}
	at := head.Start()
	for line := range strings.Lines(m.list.Text[at:head.End()]) {
		if len(m.tasks) > 0 && at >= m.tasks[0].Start || strings.HasPrefix(line, "```") ||
			strings.HasPrefix(line, "<!--") {
			break
		}
		if text := markdown.Plain(bare(line)); text != "" && text[0] != '#' && status.Line(text) {
			return claim{"tasks.md says " + say.Quote(text),
				sdk.AtLine("tasks.md", 1+strings.Count(m.list.Text[:at], "\n"))}
		}
		at += len(line)
	}
	return m.conclusion()
}

// aims are words in the headings of sections that describe goals, not results.
var aims = []string{"criteri", "definition", "success", "accept", "goal", "checklist", "when", "requirement", "标准",
	"基準", "条件", "критери"}

// conclusion finds a sentence after the last task that says that all tasks are complete.
func (m *model) conclusion() claim {
	if len(m.tasks) == 0 {
		return claim{}
	}
	at, aim, fenced := m.tasks[len(m.tasks)-1].End, false, false
	for line := range strings.Lines(m.list.Text[at:]) {
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "```"):
			fenced = !fenced
		case strings.HasPrefix(text, "#"):
			aim = has(text, aims)
		case !fenced && !aim && text == bare(line) && (line[0] > ' ') && status.Sentence(markdown.Plain(text)):
			return claim{"tasks.md says " + say.Quote(markdown.Plain(text)),
				sdk.AtLine("tasks.md", 1+strings.Count(m.list.Text[:at], "\n"))}
		}
		at += len(line)
	}
	return claim{}
}

// bare returns a line without quote and list markers.
func bare(line string) string {
	for line = strings.TrimSpace(line); len(line) > 1 && strings.IndexByte(">-*+", line[0]) >= 0 &&
		(line[1] == ' ' || line[0] == '>'); {
		line = strings.TrimSpace(line[1:])
	}
	return line
}

// title returns the only level-1 heading, or none if there are several.
func title(heads []markdown.Heading) (first markdown.Heading) {
	for _, h := range heads {
		if h.Level() == 1 && first.OK() {
			return markdown.Heading{}
		} else if h.Level() == 1 {
			first = h
		}
	}
	return first
}

func sectionComplete(r *check.Report, m *model) {
	if m.list == nil {
		return
	}
	titledComplete(r, m)
	top := title(m.heads)
	for i, h := range m.heads {
		if h == top || h.Level() < 2 && top.OK() || !status.Title(h.Text(), h.Raw()) && !status.Line(m.firstLine(i)) {
			continue
		}
		s := h.Section()
		var list []*task
		total, numbered := 0, false
		for _, t := range m.tasks {
			if t.Start >= s.Start() && t.Start < s.End() && !t.Cancelled && !t.HasParts() {
				if total++; !t.Ticked {
					list, numbered = append(list, t), numbered || t.ID != ""
				}
			}
		}
		open, severity := left(list)
		if len(open) == 0 {
			continue
		}
		if !numbered { // usually criteria, which few people tick
			severity = sdk.Warning
		}
		lacks := say.Int(len(open)) + " of its " + say.Count(total, "required task") + " " + say.Are(len(open))
		if total == 1 {
			lacks = "its only required task is"
		}
		m.tickAgain(r, r.At(sdk.AtLine("tasks.md", h.Line()), say.Quote(h.Text())+" is marked complete, but "+lacks+
			" open: "+textsOf(open)).Keyed(fold(say.Clip(h.Text()))).As(severity), open)
	}
}

// proclaimed reports whether a task's title marks it complete with a sign or in capitals. "Phase 1 (complete)" may
// describe the work.
func proclaimed(text string) bool {
	last := words.Trim(text[strings.LastIndexByte(text, ' ')+1:], "()[]*_!.")
	if len(last) < 3 || last[0] < 0x80 && (len(last) < 4 || last[0] < 'A' || last[0] > 'Z' ||
		last != strings.ToUpper(last)) && !strings.Contains(text, "✅") {
		return false
	}
	return status.Title(text, text) && (strings.ContainsAny(text, "✅☑✔") || last[0] < 0x80)
}

// titledComplete reports open tasks whose titles say that they are complete.
func titledComplete(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if t.ID == "" || !t.Open() || t.Cancelled {
			continue
		}
		if !proclaimed(t.Text) {
			if is, line := m.told(t); is == status.Done && !t.HasParts() {
				r.At(t.At("tasks.md"), "the note under "+say.Quote(t.Text)+" says "+say.Quote(line)+
					", but its box is open").Keyed("task "+key(t)).As(sdk.Warning).
					Advise("Check the task", "Tick the task if it is done, or correct the note.")
			}
			continue
		}
		at, text := t.At("tasks.md"), say.Quote(t.Text)+" is marked complete, but "
		if lacks := t.OpenParts(); len(lacks) > 0 {
			_, severity := left(lacks)
			m.tickAgain(r, r.At(at, text+say.Count(len(lacks), "required subtask")+" "+say.Are(len(lacks))+" open: "+
				textsOf(lacks)).Keyed("task "+key(t)).As(severity), lacks)
		} else {
			r.At(at, text+"its box is open").Keyed("task " + key(t)).As(sdk.Warning)
		}
	}
}

// firstLine returns the first line under heading i, or "" if it is a task or another list item.
func (m *model) firstLine(i int) string {
	if m.heads[i].Level() < 2 {
		return ""
	}
	body := m.list.Text[m.heads[i].Start():]
	if i+1 < len(m.heads) {
		body = body[:m.heads[i+1].Start()-m.heads[i].Start()]
	}
	_, body, _ = strings.Cut(words.TrimLeft(body, "\r\n"), "\n")
	line, _, _ := strings.Cut(strings.TrimSpace(body), "\n")
	if line == "" || line[0] == '-' || line[0] == '+' || strings.HasPrefix(line, "* ") || isDigit(line[0]) {
		return ""
	}
	return markdown.Plain(line)
}
