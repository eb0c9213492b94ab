package bmad

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A story is what the file of a story says.
type story struct {
	doc    *sdk.Document
	text   string // of the status; "" without one
	status status.Status
	line   int // of the status, 1-based
	ticked int // boxes of its tasks
	boxes  int
	first  int // the line of the first open box of its tasks
	follow int // open follow-ups of its review
	at     int // the line of the first of them
}

// story is the one of a document: that of the name, if the same stands there.
func (m *model) story(name string, d *sdk.Document) *story {
	if m != nil {
		if s := m.stories[name]; s != nil && s.doc.Path == d.Path && s.doc.Text == d.Text {
			return s
		}
	}
	return readStory(d)
}

// readStory reads the status, which stands near the top, and the boxes below the heading of the tasks.
func readStory(d *sdk.Document) *story {
	s := &story{doc: d}
	front := markdown.FrontOf(d.Text)
	if !front.Closed || front.Unread > 0 { // a rule, and no front matter
		front = markdown.Front{Body: d.Text}
	}
	for _, e := range front.Entries {
		if words.Alike(e.Key, "status") && e.Value != "" {
			s.put(e.Value, e.Line)
		}
	}
	fenced, tasks, heading := false, false, false
	n, put := front.Lines, -1 // the indentation of a box that stays open for a reason: what is below it does, too
	for line := range strings.Lines(front.Body) {
		n++
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
			fenced = !fenced
			continue
		case fenced || text == "":
			continue
		}
		if s.text == "" && n <= 60 {
			if heading && text[0] != '#' {
				s.put(text, n)
			} else if value, ok := statusLine(text); ok && value != "" {
				s.put(value, n)
			} else if heading = ok; ok {
				continue
			}
		}
		if level := len(text) - len(strings.TrimLeft(text, "#")); level > 0 && level <= 6 {
			name := strings.ToLower(strings.Trim(text, "# *"))
			if level <= 2 {
				tasks = strings.Contains(name, "task")
			}
			continue
		}
		mark, rest, ok := box(text)
		if !ok {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if mark == ' ' && settled(rest) && (put < 0 || indent <= put) {
			put = indent
		} else if indent <= put {
			put = -1
		}
		switch {
		case mark == ' ' && put >= 0:
		case strings.Contains(rest, "[AI-Review]") || strings.Contains(rest, "[Review]"):
			if mark == ' ' {
				if s.follow++; s.at == 0 {
					s.at = n
				}
			}
		case tasks:
			s.boxes++
			if mark != ' ' {
				s.ticked++
			} else if s.first == 0 {
				s.first = n
			}
		}
	}
	return s
}

// put takes the status. Approved is no status of a file: of the plan it says that the story is ready, of the review
// that it is done.
func (s *story) put(text string, line int) {
	s.text, s.status, s.line = strings.Trim(text, "*_`'\" "), statusOf(text), line
	if words.First(strings.ToLower(s.text)) == "approved" {
		s.status = status.Unknown
	}
}

// statusLine reads "Status: done", "**Status:** Done", "## Status" and "| Status | done |". The value is "" if it
// stands below.
func statusLine(text string) (value string, ok bool) {
	bare := strings.TrimLeft(text, "#*_-|> \t")
	if len(bare) < len("status") || !strings.EqualFold(bare[:len("status")], "status") {
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

// box reads "- [x] text" of a line that is not empty.
func box(text string) (mark byte, rest string, ok bool) {
	if c := text[0]; c >= 'A' && c != '[' || c >= 0x80 { // most lines are prose
		return 0, "", false
	}
	text = strings.TrimLeft(text, "-*+0123456789. ")
	if len(text) < 3 || text[0] != '[' || text[2] != ']' {
		return 0, "", false
	}
	return text[1], text[3:], true
}

// settled reports whether the text of an open box says why it stays open: it is put off, optional, or struck out. What
// is to be done after the merge is not part of the story.
func settled(text string) bool {
	return strings.Contains(text, "~~") || status.GivenUp(text) || status.Optional(text) ||
		words.Mentions(text, "post-merge")
}
