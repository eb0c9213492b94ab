package openspec

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// A section begins with a level-2 heading as OpenSpec reads it: an ATX heading outside fenced code. The text before the
// first such heading is a section without a title.
type section struct {
	title string
	line  int
	start int // offsets of this heading and the next one, if the document came with its text
	end   int
	head  markdown.Heading
	reqs  []*requirement
	other []title // level-3 headings that begin neither a requirement nor a scenario
}

// A requirement is a heading "### Requirement: NAME" and its text, up to the next such heading.
type requirement struct {
	name      string // without markup
	folded    string
	doc       *sdk.Document
	line      int
	head      markdown.Heading // set if the document came with its text
	scenarios []title          // its level-4 headings
	missed    title            // a scenario that OpenSpec misses, because its heading has the wrong level
	end       int
}

// key returns a requirement's name with case and spacing folded.
func (r *requirement) key() string { return r.folded }

// wordless reports whether a requirement has no text before its scenarios.
func (r *requirement) wordless() bool {
	first := strings.TrimLeft(r.doc.Text[r.head.End():r.end], " \t\r\n")
	if first != "" && (first[0]|0x20 >= 'a' && first[0]|0x20 <= 'z' || first[0] >= 0x80) { // a sentence, as in most
		return false
	}
	return len(r.head.Body().Meaning()) == 0
}

// lacks returns the scenarios in other whose names r does not have.
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

// meaning returns a requirement's lines without markup, to compare them.
func (r *requirement) meaning() []string { return lines(r.head) }

// lines returns the non-empty lines in a heading's section, without markup.
func lines(h markdown.Heading) []string {
	var lines []string
	for _, line := range h.Section().Meaning() {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// fold normalizes a name's case and spacing, to compare names that are only spelled differently.
func fold(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

// A title is an ATX heading. It comes from a document's text or, without a head, from its summary.
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

// titles returns a document's ATX headings. OpenSpec does not read Setext headings.
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

// read splits a spec or a delta into its sections.
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
			} else if req != nil && req.missed.level != 3 { // replaces a deeper heading, which may belong to a scenario
				req.missed = t
			}
		case t.level == 4 && req != nil:
			if rest, ok := after(t.text, "scenario:"); ok {
				t.text = rest
			}
			req.scenarios = append(req.scenarios, t)
		case t.level > 4 && req != nil && req.missed.level == 0:
			if _, scenario := after(t.text, "scenario:"); scenario {
				req.missed = t
			}
		}
	}
	return list
}

// requirementName returns the name in the title "Requirement: NAME".
func requirementName(text string) (string, bool) {
	name, ok := after(text, "requirement:")
	return name, ok && name != ""
}

// editions and editioned translate titles and title prefixes of OpenSpec's Chinese edition, which also reads the
// English ones.
var (
	editions = map[string]string{"目的": "Purpose", "需求": "Requirements", "新增需求": "ADDED Requirements",
		"修改需求": "MODIFIED Requirements", "移除需求": "REMOVED Requirements", "重命名需求": "RENAMED Requirements"}
	editioned = []string{"需求:", "Requirement: ", "需求：", "Requirement: ", "场景:", "Scenario: ", "场景：", "Scenario: "}
)

// english translates a title of OpenSpec's Chinese edition into English. It returns any other title unchanged.
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

// after returns the text after a prefix, ignoring case.
func after(text, prefix string) (string, bool) {
	if len(text) < len(prefix) || strings.ToLower(text[:len(prefix)]) != prefix {
		return "", false
	}
	return strings.TrimSpace(text[len(prefix):]), true
}

// A name is a requirement's name and its location in a delta.
type name struct {
	text string
	line int
	from int // the name's offset in the text
}

// listed calls each for every line in a section that names a requirement: "### Requirement: NAME", possibly in
// backticks or after a list marker, FROM: or TO:. The first argument of each is "", "from" or "to".
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
