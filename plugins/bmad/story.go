package bmad

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A story is what the file of a story says.
type story struct {
	doc    *sdk.Document
	text   string // of the status; "" without one
	status status.Status
	line   int // of the status, 1-based

	read, left *boxes // once they are asked for
}

// A boxes is what the boxes of a story say.
type boxes struct {
	ticked int // boxes of its tasks
	all    int
	first  int // the line of the first open box of its tasks
	follow int // open follow-ups of its review
	at     int // the line of the first of them

	list []*tasks.Task // its tasks and the follow-ups of its review
}

// partly reports whether some tasks are ticked and some are not.
func (b *boxes) partly() bool { return b.ticked > 0 && b.ticked < b.all }

// name is that of the file.
func (s *story) name() string {
	return strings.TrimSuffix(s.doc.Path[strings.LastIndexByte(s.doc.Path, '/')+1:], ".md")
}

// set is the edit that writes another status into the file.
func (s *story) set(to status.Status) []sdk.Edit {
	line := strings.Split(s.doc.Text, "\n")[s.line-1]
	at := strings.LastIndex(line, s.text)
	if at < 0 {
		return nil
	}
	return []sdk.Edit{sdk.Replace(s.claims(), sdk.Literal(line[:at]+written(to)+line[at+len(s.text):]))}
}

// spec reports whether a file is the specification from which bmad-build works: its status is kept.
func (s *story) spec() bool { return strings.HasPrefix(s.name(), "spec-") }

// story reads the story of a document, or returns m's story with this name if its document is the same.
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

// open is what the boxes say of a story in which one may be open, and nothing for any other: most stories are done, and
// no rule asks how many ticks they have.
func (s *story) open() *boxes {
	if s.left == nil {
		if s.left = new(boxes); tasks.MayBeOpen(s.doc.Text) {
			s.left = s.boxes()
		}
	}
	return s.left
}

// boxes reads the boxes under the tasks heading, and the follow-ups.
func (s *story) boxes() *boxes {
	if s.read == nil {
		s.read = readBoxes(s.doc.Text)
	}
	return s.read
}

// form is how stories write tasks: each box is one. Work after the merge, or under a condition, is not part of the
// story, and "Story 1.2: Close the door" shows the epic's progress.
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
		case t.Cancelled && !t.Ticked: // it says why it stays open
		case review && t.Ticked:
		case review:
			if b.follow++; b.at == 0 {
				b.at = t.Line
			}
		default:
			if b.all++; t.Ticked {
				b.ticked++
			} else if b.first == 0 {
				b.first = t.Line
			}
		}
	}
	return b
}

// ofTasks reports whether the last heading of level 1 or 2 is that of the tasks.
func ofTasks(heads []markdown.Heading) bool {
	for i := len(heads) - 1; i >= 0; i-- {
		if heads[i].Level() <= 2 {
			return words.Mentions(heads[i].Raw(), "task")
		}
	}
	return false
}

// readStatus looks for the status in the front matter and in the first lines.
func (s *story) readStatus() {
	front := markdown.FrontOf(s.doc.Text)
	if !front.Closed || front.Unread > 0 { // a rule, and no front matter
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
		if n++; n > 60 || s.text != "" {
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

// put takes the status. Approved is no status of a file: of the plan it says that the story is ready, of the review
// that it is done.
func (s *story) put(text string, line int) {
	s.text, s.status, s.line = strings.Trim(text, "*_`'\" "), statusOf(text), line
	if words.First(words.Lower(s.text)) == "approved" {
		s.status = status.Unknown
	}
}

// statusLine reads "Status: done", "**Status:** Done", "## Status" and "| Status | done |". The value is "" if it
// is on the next line.
func statusLine(text string) (value string, ok bool) {
	bare := strings.TrimLeft(text, "#*_-|> \t")
	if len(bare) < len("status") || !words.Alike(bare[:len("status")], "status") {
		return "", false
	}
	rest := strings.TrimLeft(bare[len("status"):], "*_ ")
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
