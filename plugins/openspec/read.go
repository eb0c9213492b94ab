package openspec

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// A section is what a heading of level 2 begins, as OpenSpec reads it: an ATX heading outside
// fenced code. What comes before the first one is a section without a title.
type section struct {
	title string
	line  int
	start int // of the heading and of the next one, in a document that came with its text
	end   int
	head  markdown.Heading
	reqs  []*requirement
	other []title // headings of level 3 that begin no requirement and no scenario
}

// A requirement is a heading "### Requirement: NAME" with all below it, up to the next one.
type requirement struct {
	name      string // as a reader sees it
	folded    string
	doc       *sdk.Document
	line      int
	head      markdown.Heading // of a document that came with its text
	scenarios []title          // its headings of level 4
	badLine   int              // of a scenario that no reader finds, because it has another level
	end       int
}

// key is a requirement's name without regard to case and to how many blanks there are.
func (r *requirement) key() string { return r.folded }

// wordless reports whether a requirement has not one line of text before its scenarios.
func (r *requirement) wordless() bool {
	first := strings.TrimLeft(r.doc.Text[r.head.End():r.end], " \t\r\n")
	if first != "" && (first[0]|0x20 >= 'a' && first[0]|0x20 <= 'z' || first[0] >= 0x80) { // most begin with a sentence
		return false
	}
	return len(r.head.Body().Meaning()) == 0
}

// lacks lists the scenarios of another requirement whose names a requirement does not have.
func (r *requirement) lacks(other *requirement) (lost []title) {
	left := map[string]int{}
	for _, s := range r.scenarios {
		left[fold(s.text)]++
	}
	for _, s := range other.scenarios {
		if left[fold(s.text)]--; left[fold(s.text)] < 0 {
			lost = append(lost, s)
		}
	}
	return lost
}

// meaning is what a requirement says, however it is written.
func (r *requirement) meaning() []string { return lines(r.head) }

// lines are those of the section of a heading that say something.
func lines(h markdown.Heading) []string {
	var lines []string
	for _, line := range h.Section().Meaning() {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// fold is the form in which names are compared to find one that is only written in another way.
func fold(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

// A title is one ATX heading of a document that came whole or as a summary.
type title struct {
	level, line int
	text        string
	head        markdown.Heading
}

func texts(list []title) []string {
	quoted := make([]string, len(list))
	for i, t := range list {
		quoted[i] = say.Quote(t.text)
	}
	return quoted
}

// titles lists the ATX headings of a document. A paragraph that a separator below it makes a heading is none for
// OpenSpec.
func titles(d *sdk.Document) []title {
	var list []title
	if d.Need != sdk.Content {
		for _, h := range d.Summary.Headings {
			list = append(list, title{level: h.Level, line: h.Line, text: english(markdown.Plain(h.Text))})
		}
		return list
	}
	for _, h := range d.Outline().Headings() {
		if strings.HasPrefix(strings.TrimLeft(h.Raw(), " "), "#") {
			list = append(list, title{h.Level(), h.Line(), english(h.Text()), h})
		}
	}
	return list
}

// read cuts a spec or a delta into its sections.
func read(d *sdk.Document) []*section {
	now := &section{line: 1}
	list := []*section{now}
	var req *requirement
	for _, t := range titles(d) {
		if req != nil && t.level <= 3 {
			req.end = t.head.Start()
		}
		switch {
		case t.level == 2:
			now.end = t.head.Start()
			now, req = &section{title: t.text, line: t.line, start: t.head.Start(), end: len(d.Text), head: t.head}, nil
			list = append(list, now)
		case t.level == 3:
			if name, ok := requirementName(t.text); ok {
				req = &requirement{name: name, folded: fold(name), doc: d, line: t.line, head: t.head, end: len(d.Text)}
				now.reqs = append(now.reqs, req)
			} else if _, scenario := after(t.text, "scenario:"); !scenario {
				now.other = append(now.other, t)
			} else if req != nil && req.badLine == 0 {
				req.badLine = t.line
			}
		case t.level == 4 && req != nil:
			if rest, ok := after(t.text, "scenario:"); ok {
				t.text = rest
			}
			req.scenarios = append(req.scenarios, t)
		case t.level > 4 && req != nil && req.badLine == 0:
			if _, scenario := after(t.text, "scenario:"); scenario {
				req.badLine = t.line
			}
		}
	}
	return list
}

// requirementName is the name in the title "Requirement: NAME".
func requirementName(text string) (string, bool) {
	name, ok := after(text, "requirement:")
	return name, ok && name != ""
}

// editions are the words of the Chinese edition of OpenSpec, which reads the English ones as well: titles, and
// beginnings of titles.
var (
	editions = map[string]string{"目的": "Purpose", "需求": "Requirements", "新增需求": "ADDED Requirements",
		"修改需求": "MODIFIED Requirements", "移除需求": "REMOVED Requirements", "重命名需求": "RENAMED Requirements"}
	editioned = []string{"需求:", "Requirement: ", "需求：", "Requirement: ", "场景:", "Scenario: ", "场景：", "Scenario: "}
)

// english is a title in the words of OpenSpec.
func english(text string) string {
	if text == "" || text[0] < 0x80 {
		return text
	}
	for i := 0; i < len(editioned); i += 2 {
		if rest, ok := strings.CutPrefix(text, editioned[i]); ok {
			return editioned[i+1] + strings.TrimSpace(rest)
		}
	}
	return cmp.Or(editions[text], text)
}

// after returns what follows a prefix, which is matched without regard to case.
func after(text, prefix string) (string, bool) {
	if len(text) < len(prefix) || strings.ToLower(text[:len(prefix)]) != prefix {
		return "", false
	}
	return strings.TrimSpace(text[len(prefix):]), true
}

// A name is a requirement that a delta names without a heading of its own, at a line.
type name struct {
	text string
	line int
	from int // of the name in the text
}

// listed calls each for the requirements that the lines of a section name: "### Requirement: NAME", also after a list
// marker, FROM: or TO:, and in backticks. before is the word in front: "", "from" or "to".
func listed(d *sdk.Document, s *section, each func(before string, n name)) {
	if d.Need != sdk.Content {
		return
	}
	line, at := s.line, s.start
	var fence string
	for text := range strings.Lines(d.Text[s.start:s.end]) {
		bare := strings.TrimSpace(text)
		if mark := strings.TrimLeft(bare, "`~"); len(bare)-len(mark) >= 3 {
			if fence == "" {
				fence = bare[:3]
			} else if strings.HasPrefix(bare, fence) {
				fence = ""
			}
		} else if before, after0, ok := strings.Cut(bare, "### "); ok && fence == "" {
			before := strings.ToLower(strings.Trim(before, " -*+`:"))
			if rest, ok := requirementName(english(strings.TrimRight(strings.TrimSpace(after0), "`# "))); ok {
				plain := markdown.Plain(rest)
				from := at + strings.Index(text, rest)
				each(before, name{plain, line, from})
			}
		}
		line, at = line+1, at+len(text)
	}
}
