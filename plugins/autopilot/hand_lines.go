package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// lines returns the task lines of a section: its headings that start with Task and the items before them, or else its
// items, or else its lines if one starts with Task.
func (h *hand) lines(s markdown.Section) (list []*item) {
	add := func(text string, at sdk.Range) {
		text = clean(strings.TrimLeftFunc(text, markdown.Symbol))
		id, rest, _ := readTask(text)
		if after(after(text, "Tasks "), "Task ") != text || id.n > 0 && rest != "" &&
			strings.IndexByte(".:)", rest[0]) >= 0 {
			list = append(list, &item{text: text, at: at})
		}
	}
	for _, heading := range s.Headings() {
		text := heading.Text()
		for _, key := range [...]string{"Status", "Commit"} {
			if f := heading.Section().Field(key); f.OK() {
				text += " " + f.Text()
			}
		}
		add(text, place(h.doc.Path, heading.Part))
	}
	for _, it := range s.Items() {
		if it.Depth() == 1 && (len(list) == 0 || list[0].whole.Path != "" || it.Start() < list[0].at.Start) {
			list = append(list, newItem(h.doc.Path, it))
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, p := range s.Parts(markdown.KindParagraph) {
		at := p.Start()
		for line := range strings.Lines(h.doc.Text[at:p.End()]) {
			add(markdown.Plain(strings.TrimSpace(line)),
				sdk.AtBytes(h.doc.Path, at, at+len(strings.TrimRight(line, " \r\n"))))
			at += len(line)
		}
	}
	return list
}

// readTasks reads "Task 3: …", "Tasks 4-5", "4 to 5" and "4 and 5". It returns 0 for other forms, such as a list of
// numbers that are not consecutive. Task 3.1 is a step of task 3 unless 3 is the phase.
func readTasks(text string, phase int) (from, to int) {
	named := after(after(text, "Tasks "), "Task ")
	id, rest, ok := readTask(named)
	if !ok || id.n == 0 {
		return 0, 0
	} else if id.phase > 0 && phase > 0 && id.phase != phase && named[0] != '0' {
		return id.phase, id.phase
	}
	link, last, beyond := readLink(rest)
	if one := after(text, "Task ") != text && strings.HasPrefix(rest, " "); last < id.n || one && link == "-" {
		link, last, beyond = "", id.n, rest // "Task 3 - 4 endpoints"
	}
	switch more, _, _ := readLink(beyond); {
	case link != "" && more != "", link == ",", link == "and" && last != id.n+1, last-id.n > 5000,
		named == text && beyond != "" && beyond[0] != ':' && beyond[0] != '.':
		return 0, 0
	}
	return id.n, last
}

// readLink reads the word or sign that joins two task numbers, and the second number. It returns "" if s does not
// start with both.
func readLink(s string) (link string, n int, rest string) {
	trimmed := strings.TrimLeft(s, " ")
	for _, l := range [...][2]string{{"-", "-"}, {"–", "-"}, {"—", "-"}, {"to ", "to"}, {"through ", "to"},
		{"and ", "and"}, {"& ", "and"}, {",", ","}} {
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
