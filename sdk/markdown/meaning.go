package markdown

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/instant"
)

// Split splits the document at the headings for which accept returns true. A section extends to the next accepted
// heading, or to the next heading of the same or a higher level. Split ignores a paragraph of pairs that counts as a
// heading only because there is a separator under it.
func (o *Outline) Split(accept func(Heading) bool) []Section {
	var found []Section
	for _, h := range o.Headings() {
		if !h.ruled() && accept(h) {
			found = append(found, o.section(h.index, func(next Heading) bool {
				return !next.ruled() && (next.Level() <= h.Level() || accept(next))
			}))
		}
	}
	return found
}

// Meaning lists the section's content below its heading, line by line, without formatting. It ignores list markers
// and indentation, table padding, blank lines and separators, white space, the marks around keys, the closing # of
// headings, and time zones. Two sections mean the same if their lines are equal.
func (s Section) Meaning() []string {
	if s.outline == nil || s.heading >= 0 || s.to < len(s.outline.Nodes) {
		return s.lines()
	}
	if s.outline.meaning == nil {
		s.outline.meaning = s.lines()
	}
	return slices.Clone(s.outline.meaning)
}

func (s Section) lines() []string {
	var lines []string
	add := func(prefix, raw string) {
		for line := range strings.Lines(raw) {
			if prefix != "|" {
				line = strings.TrimLeft(line, space+">") // a quoted line
			}
			if line = meant(line); line != "" {
				lines = append(lines, prefix+line)
			}
		}
	}
	s.each(func(p Part, n *Node) bool {
		switch n.Kind {
		case KindHeading:
			if (Heading{p}).ruled() {
				add("", p.Raw()[:strings.LastIndexByte(p.Raw(), '\n')])
				return true
			}
			add(strings.Repeat("#", n.Data)+" ", p.Text())
		case KindParagraph:
			add(p.bullet(), p.Raw())
		case KindTask:
			add(p.bullet()+"["+strconv.Itoa(n.Data)+"] ", p.Raw()[len("[ ]"):])
		case KindTable:
			for _, row := range append([]Row{Table{p}.Header()}, Table{p}.Rows()...) {
				cells := make([]string, 0, n.Data)
				for _, c := range row.Cells() {
					cells = append(cells, c.Raw())
				}
				add("|", strings.Join(cells, " | "))
			}
		case KindInfo:
			add("```", p.Raw())
		case KindCode:
			for line := range strings.Lines(p.Text()) {
				lines = append(lines, " "+strings.TrimRight(line, space))
			}
		}
		return true
	})
	return lines
}

// Same reports whether two documents mean the same; see [Section.Meaning].
func Same(a, b *Outline) bool {
	return a.Text == b.Text || slices.Equal(a.Document().Meaning(), b.Document().Meaning()) &&
		slices.EqualFunc(a.FrontMatter(), b.FrontMatter(), func(x, y Field) bool {
			return x.Key() == y.Key() && instant.Same(x.Text(), y.Text())
		})
}

// bullet returns a marker for the item that a paragraph belongs to, with a hyphen for each level, or "" outside lists.
func (p Part) bullet() string {
	if parent := p.Node().Parent; parent >= 0 && p.outline.Nodes[parent].Kind == KindItem {
		return strings.Repeat("-", p.outline.Nodes[parent].Data) + " "
	}
	return ""
}

// meant returns a line without formatting.
func meant(line string) string {
	if key, from, ok := splitPair(line); ok {
		line = key + ": " + line[from:]
	}
	return instant.Canon(folded(line))
}

// folded returns a line with one blank between words and none around them.
func folded(line string) string {
	word := false
	for i := range len(line) {
		c := line[i]
		if c >= utf8.RuneSelf || c < ' ' || c == ' ' && !word { // characters that may be white space, or a second blank
			return strings.Join(strings.Fields(line), " ")
		}
		word = c != ' '
	}
	return strings.TrimSuffix(line, " ")
}
