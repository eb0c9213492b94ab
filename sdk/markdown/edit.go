package markdown

import (
	"strings"
	"unicode/utf8"
)

// An Edit replaces a half-open byte range of the text. Edits of one outline can be applied together if they do
// not overlap.
type Edit struct {
	Start, End int
	New        string
}

// Set returns the edit that sets the content of the row's cell in a column; columns count from 0. The content is
// Markdown: Set escapes pipes and turns line breaks into spaces. If the column is padded to a width, it keeps that
// width as long as the content fits. Set adds empty cells if the row lacks cells before the column. It returns
// false if the table does not have the column.
func (r Row) Set(column int, content string) (Edit, bool) {
	if !r.OK() || column < 0 || column >= max(r.Table().Node().Data, r.Len()) {
		return Edit{}, false
	}
	content = escapePipes(inline(content))
	if cell := r.Cell(column); cell.OK() {
		if cell.Start() == r.Start() && column == 0 {
			content = "| " + content // without a leading pipe, "- x" would begin a list
		}
		if content == "" && cell.End() == r.End() {
			content = " |" // without a trailing pipe, an empty cell would disappear
		}
		return cell.set(content), true
	}
	return r.extend(column, content), true
}

// extend adds the cells that the row lacks, up to a column.
func (r Row) extend(column int, content string) Edit {
	var b strings.Builder
	start := r.End()
	if raw := r.Raw(); !strings.HasPrefix(raw, "|") {
		start = r.Start() // as in Set: without a pipe, "* | x" would begin a list
		b.WriteString("| " + raw)
	}
	if !r.closed() {
		b.WriteString(" |")
	}
	for i := r.Len(); i < column; i++ {
		b.WriteString("  |")
	}
	b.WriteString(" " + content + " |")
	return Edit{start, r.End(), b.String()}
}

// closed reports whether a pipe follows the last cell.
func (r Row) closed() bool {
	raw := r.Raw()
	return len(raw) > 1 && strings.HasSuffix(raw, "|") && !strings.HasSuffix(raw, `\|`)
}

// A slot is the space of a cell: its content, the blanks on both sides, and whether a pipe follows.
type slot struct {
	start, end  int
	lead, trail int // blanks, in bytes
	width       int // of the whole slot, in characters
	piped       bool
}

func (c Cell) slot() slot {
	text, s := c.outline.Text, slot{start: c.Start(), end: c.End()}
	for s.start > 0 && (text[s.start-1] == ' ' || text[s.start-1] == '\t') {
		s.start--
	}
	for s.end < len(text) && (text[s.end] == ' ' || text[s.end] == '\t') {
		s.end++
	}
	s.lead, s.trail = c.Start()-s.start, s.end-c.End()
	s.width = utf8.RuneCountInString(text[s.start:s.end])
	s.piped = s.end < len(text) && text[s.end] == '|'
	return s
}

func (c Cell) set(content string) Edit {
	s := c.slot()
	if !s.piped {
		return Edit{c.Start(), c.End(), c.detached(s, content)}
	}
	lead, trail := s.lead, s.trail
	room := s.width - utf8.RuneCountInString(content)
	switch {
	case !c.padded(s):
		trail = min(max(trail, lead), 1)
	case lead > 1 && trail <= 1 && c.End() > c.Start():
		lead = max(room-trail, 1) // the content is right-aligned
	default:
		trail = max(room-lead, 1)
	}
	if strings.HasSuffix(content, `\`) {
		trail = max(trail, 1)
	}
	return Edit{s.start, s.end, strings.Repeat(" ", lead) + content + strings.Repeat(" ", trail)}
}

// detached adds a blank if the content would touch the pipe before it.
func (c Cell) detached(s slot, content string) string {
	if s.lead == 0 && c.Start() == c.End() {
		return " " + content
	}
	return content
}

// padded reports whether the cell's column is padded to a width: the cell is as wide as its header or has extra
// blanks.
func (c Cell) padded(s slot) bool {
	if s.lead > 1 || s.trail > 1 {
		return true
	}
	header := Row{Part{c.outline, c.Node().Parent}}.Table().Header().Cell(c.Column())
	return header.OK() && s.width > 2 && header.slot().width == s.width
}

// Remove returns the edit that removes the row's line. It returns false for a missing row and for a header.
func (r Row) Remove() (Edit, bool) {
	if r.Node().Kind != KindRow {
		return Edit{}, false
	}
	text := r.outline.Text
	start := strings.LastIndexByte(text[:r.Start()], '\n') + 1
	if n := strings.IndexByte(text[r.End():], '\n'); n >= 0 {
		return Edit{start, r.End() + n + 1, ""}, true
	}
	return Edit{start - 1, len(text), ""}, true
}

// Set returns the edit that sets the field's value. It turns line breaks into spaces. In a table it escapes pipes
// and keeps padding like Row.Set; in front matter it adds quotes if the value needs them. It returns false if the
// field is missing.
func (f Field) Set(value string) (Edit, bool) {
	if !f.OK() {
		return Edit{}, false
	}
	switch f.origin {
	case FromTable:
		return Row{f.Part}.Set(1, value)
	case FromFrontMatter:
		return f.setScalar(trim(oneLine(value))), true
	}
	return f.put(strings.ReplaceAll(inline(value), " | **", ` \| **`)), true
}

// put returns the edit that writes a value unchanged, with a blank before it if there was none.
func (f Field) put(value string) Edit {
	at, end := f.value.Start(), f.value.End()
	if at == end && at > 0 && value != "" && !blank(f.outline.Text[at-1]) {
		value = " " + value
	}
	return Edit{at, end, value}
}

func (f Field) setScalar(value string) Edit {
	at, end := f.value.Start(), f.value.End()
	switch Quoting(f.value.Node().Data) {
	case DoubleQuoted:
		return Edit{at, end, quoteDouble(value)}
	case SingleQuoted:
		return Edit{at, end, strings.ReplaceAll(value, "'", "''")}
	}
	if needsQuotes(value) {
		value = `"` + quoteDouble(value) + `"`
	}
	return f.put(value)
}

// needsQuotes reports whether a value without quotes would be read back as something else.
func needsQuotes(value string) bool {
	if value == "" {
		return false
	}
	return strings.IndexByte("!&*-?|>@`%\"'#,[]{}:", value[0]) >= 0 ||
		strings.Contains(value, ": ") || strings.Contains(value, " #") || strings.HasSuffix(value, ":")
}

// Check returns the edit that puts an x in the box. It returns false if the task is missing.
func (t Task) Check() (Edit, bool) { return t.mark("x") }

// Uncheck returns the edit that clears the box. It returns false if the task is missing.
func (t Task) Uncheck() (Edit, bool) { return t.mark(" ") }

func (t Task) mark(with string) (Edit, bool) {
	if !t.OK() {
		return Edit{}, false
	}
	return Edit{t.Start() + 1, t.Start() + 2, with}, true
}

// inline converts a text to one line of Markdown that does not begin a comment.
func inline(text string) string {
	return trim(strings.ReplaceAll(oneLine(text), "<!--", `\<!--`))
}

func oneLine(text string) string {
	if !strings.ContainsAny(text, "\r\n") {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", " ")
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n", " "), "\r", " ")
}

func escapePipes(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
