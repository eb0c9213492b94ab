package bmad

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A story is the file of one story.
type story struct {
	doc    *sdk.Document
	text   string // the status; "" if there is none
	status status.Status
	line   int // the status's line, 1-based

	read, left *boxes // set on first use
}

// boxes counts a story's checkboxes.
type boxes struct {
	ticked int // ticked tasks
	all    int
	first  int // the line of the first open task
	under  int // open tasks under a ticked one
	next   int // the line of the first open task that is not under a ticked one; if all are, the line of the first one
	follow int // open review follow-ups
	at     int // the line of the first open follow-up

	list []*tasks.Task // tasks and review follow-ups
}

// partly reports whether some tasks are ticked and some are not.
func (b *boxes) partly() bool { return b.ticked > 0 && b.ticked < b.all }

// name returns the file's name without .md.
func (s *story) name() string {
	return strings.TrimSuffix(s.doc.Path[strings.LastIndexByte(s.doc.Path, '/')+1:], ".md")
}

// set returns the edit that writes another status into the file.
func (s *story) set(to status.Status) []sdk.Edit { return s.write(written(to)) }

func (s *story) write(text string) []sdk.Edit {
	line := strings.Split(s.doc.Text, "\n")[s.line-1]
	at := strings.LastIndex(line, s.text)
	if at < 0 {
		return nil
	}
	return []sdk.Edit{sdk.Replace(s.claims(), sdk.Literal(line[:at]+text+line[at+len(s.text):]))}
}

// title returns the text of the file's first heading.
func (s *story) title() string {
	for line := range strings.Lines(s.doc.Text) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

// spec reports whether a file is the specification that bmad-build works from, which keeps its status current.
func (s *story) spec() bool { return strings.HasPrefix(s.name(), "spec-") }

// story reads a document's story. If m is not nil and has a story with this name from the same document, story returns
// that one.
func (m *model) story(name string, d *sdk.Document) *story {
	if m != nil {
		if s := m.stories[name]; s != nil && s.doc.Path == d.Path && s.doc.Text == d.Text {
			return s
		}
	}
	s := &story{doc: d}
	s.readStatus()
	return s
}

// open returns the checkbox counts of a story that may have an open checkbox, and zero counts for any other story. Most
// stories are done, and no rule needs their counts.
func (s *story) open() *boxes {
	if s.left == nil {
		if s.left = new(boxes); tasks.MayBeOpen(s.doc.Text) {
			s.left = s.boxes()
		}
	}
	return s.left
}

// boxes reads the checkboxes under the tasks heading, and the follow-ups.
func (s *story) boxes() *boxes {
	if s.read == nil {
		s.read = readBoxes(s.doc.Text)
	}
	return s.read
}

// form describes how stories write tasks: each checkbox is one. Work after the merge, or under a condition, is not part
// of the story. A title such as "Story 1.2: Close the door" only shows the epic's progress.
var form = tasks.Form{Mixed: true, Waives: func(title string) bool {
	rest, story := strings.CutPrefix(title, "Story ")
	number, _, _ := strings.Cut(strings.ReplaceAll(rest, ":", " "), " ")
	return words.Mentions(title, "post-merge", "only if") || story && numberOf(keyOf(number)) != ""
}}

func readBoxes(text string) *boxes {
	b := &boxes{}
	o := markdown.Blocks(text)
	heads := o.Headings()
	section, wanted := -1, false
	for _, t := range tasks.Read(o, &form) {
		if t.Section != section {
			section, wanted = t.Section, ofTasks(heads[:t.Section])
		}
		review := strings.Contains(t.Raw, "[AI-Review]") || strings.Contains(t.Raw, "[Review]")
		if !review && !wanted {
			continue
		}
		b.list = append(b.list, t)
		switch {
		case t.Cancelled && !t.Ticked: // its text says why it stays open
		case review && t.Ticked:
		case review:
			if b.follow++; b.at == 0 {
				b.at = t.Line
			}
		default:
			if b.all++; t.Ticked {
				b.ticked++
				continue
			}
			if b.first == 0 {
				b.first, b.next = t.Line, t.Line
			}
			if underTicked(t) {
				b.under++
			} else if b.all-b.ticked-b.under == 1 {
				b.next = t.Line
			}
		}
	}
	return b
}

func underTicked(t *tasks.Task) bool {
	for up := t.Parent; up != nil; up = up.Parent {
		if up.Ticked {
			return true
		}
	}
	return false
}

// ofTasks reports whether the last heading of level 1 or 2 is the tasks heading.
func ofTasks(heads []markdown.Heading) bool {
	for i := len(heads) - 1; i >= 0; i-- {
		if heads[i].Level() <= 2 {
			return words.Mentions(heads[i].Raw(), "task")
		}
	}
	return false
}

// readStatus finds the status in the front matter or the first lines.
func (s *story) readStatus() {
	front := markdown.FrontOf(s.doc.Text)
	if !front.Closed || front.Unread > 0 { // a thematic break, not front matter
		front = markdown.Front{Body: s.doc.Text}
	}
	for _, e := range front.Entries {
		if words.Alike(e.Key, "status") && e.Value != "" {
			s.put(e.Value, e.Line)
		}
	}
	fenced, heading, n := false, false, front.Lines
	for line := range strings.Lines(front.Body) {
		text := strings.TrimSpace(line)
		if n++; n > 60 || s.text != "" && (s.status != status.Unknown || strings.HasPrefix(text, "## ")) {
			return
		}
		switch {
		case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
			fenced = !fenced
		case fenced || text == "":
		case heading && text[0] != '#':
			s.put(text, n)
		default:
			var value string
			if value, heading = statusLine(text); value != "" {
				s.put(value, n)
			}
		}
	}
}

// put sets the status. "Approved" is ambiguous: an approved plan means ready, and an approved review means done.
func (s *story) put(text string, line int) {
	s.text, s.status, s.line = strings.Trim(text, "*_`'\" "), statusOf(text), line
	if words.First(words.Lower(s.text)) == "approved" {
		s.status = status.Unknown
	}
}

// statusLine reads "Status: done", "**状态：** 完成", "## Status" and "| Status | done |". The value is "" if it
// is on the next line.
func statusLine(text string) (value string, ok bool) {
	bare := strings.TrimLeft(text, "#*_-|> \t")
	n := 0
	for _, key := range status.Keys() {
		if len(bare) >= len(key) && words.Alike(bare[:len(key)], key) {
			n = len(key)
			break
		}
	}
	if n == 0 {
		return "", false
	}
	rest := strings.TrimLeft(bare[n:], "*_ ")
	switch {
	case rest == "":
		return "", strings.HasPrefix(text, "#")
	case strings.HasPrefix(rest, "："):
		rest = rest[len("："):]
	case rest[0] != ':' && rest[0] != '|':
		return "", false
	default:
		rest = rest[1:]
	}
	return strings.Trim(strings.TrimRight(rest, "|"), "*_`'\" "), true
}
