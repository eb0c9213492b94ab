package snapshot

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A tableBlock is a table in goldmark's tree: its lines, without cells.
type tableBlock struct {
	ast.BaseBlock
	columns   int
	header    text.Segment
	delimiter text.Segment
	rows      []text.Segment
}

var kindTable = ast.NewNodeKind("OutlineTable")

func (t *tableBlock) Kind() ast.NodeKind { return kindTable }

func (t *tableBlock) IsRaw() bool { return true }

func (t *tableBlock) Dump(_ []byte, _ int) {}

// tables turns a paragraph with a delimiter row into a table, according to the GitHub specification.
type tables struct{}

func (tables) Transform(node *ast.Paragraph, _ text.Reader, pc parser.Context) {
	s, lines := scanOf(pc), node.Lines()
	for i := 1; i < lines.Len(); i++ {
		columns := s.delimiter(lines.At(i))
		if columns == 0 {
			continue
		}
		header := lines.At(i - 1)
		if len(s.cells(nil, header)) != columns {
			return
		}
		if columns > outlineColumns {
			s.fail(header.Start, "a table of %d columns; at most %d are read; split it, or write \\| for a pipe "+
				"that is text", columns, outlineColumns)
			return
		}
		if rows := lines.Len() - i - 1; rows > outlineRows {
			s.fail(lines.At(i+1+outlineRows).Start, "a table of %d rows; at most %d are read; split it", rows,
				outlineRows)
			return
		}
		table := &tableBlock{columns: columns, header: header, delimiter: lines.At(i),
			rows: lines.Sliced(i+1, lines.Len())}
		parent := node.Parent()
		parent.InsertAfter(parent, node, table)
		if i > 1 {
			parent.InsertBefore(parent, node, s.before(node, i-1))
		}
		// If the paragraph stayed, its text would become a heading.
		parent.RemoveChild(parent, node)
		return
	}
}

// before returns a paragraph that has only the first lines of another paragraph.
func (s *scan) before(node *ast.Paragraph, lines int) *ast.Paragraph {
	p := ast.NewParagraph()
	p.SetBlankPreviousLines(node.HasBlankPreviousLines())
	for i := range lines {
		line := node.Lines().At(i)
		p.Lines().Append(line.TrimLeftSpace(s.src))
	}
	return p
}

// delimiter returns the number of columns in a delimiter row, or 0 if the line is not one.
func (s *scan) delimiter(line text.Segment) int {
	start, end := s.trimmed(line.Start, line.Stop)
	row := s.src[start:end]
	if len(bytes.Trim(row, "-")) == 0 || indented(s.src[line.Start:start], line.Padding) {
		return 0
	}
	columns := 0
	for _, part := range bytes.Split(unpiped(row), []byte("|")) {
		part = bytes.Trim(part, " \t\r")
		part = bytes.TrimSuffix(bytes.TrimPrefix(part, []byte(":")), []byte(":"))
		if len(part) == 0 || len(bytes.Trim(part, "-")) > 0 {
			return 0
		}
		columns++
	}
	return columns
}

func indented(lead []byte, padding int) bool {
	return len(lead)+padding > 3 || bytes.IndexByte(lead, '\t') >= 0
}

// unpiped removes the outer pipes of a trimmed row.
func unpiped(row []byte) []byte {
	row = bytes.TrimPrefix(row, []byte("|"))
	if bytes.HasSuffix(row, []byte("|")) && !bytes.HasSuffix(row, []byte(`\|`)) {
		row = row[:len(row)-1]
	}
	return row
}

// cells appends the trimmed ranges of a row's cells to dst. A pipe after a backslash belongs to its cell, even in
// code spans.
func (s *scan) cells(dst [][2]int, line text.Segment) [][2]int {
	start, end := s.trimmed(line.Start, line.Stop)
	if start < end && s.src[start] == '|' {
		start++
	}
	if start < end && s.src[end-1] == '|' && s.src[end-2] != '\\' {
		end--
	}
	from := start
	for i := start; i <= end; i++ {
		if i == end || s.src[i] == '|' && (i == start || s.src[i-1] != '\\') {
			dst = append(dst, s.cell(from, i))
			from = i + 1
		}
	}
	return dst
}

// cell returns the range of a cell's content. A blank cell begins after its first blank, where an author would
// write its content.
func (s *scan) cell(start, end int) [2]int {
	from, to := s.trimmed(start, end)
	if from == to {
		from = min(start+1, end)
		if start < end && s.src[start] != ' ' {
			from = start
		}
		return [2]int{from, from}
	}
	return [2]int{from, to}
}

// linkDefinitions removes definitions such as "[1]: https://example.org" from the beginning of a paragraph.
// Definitions that span lines stay text.
type linkDefinitions struct{}

func (linkDefinitions) Transform(node *ast.Paragraph, _ text.Reader, pc parser.Context) {
	s, lines, n := scanOf(pc), node.Lines(), 0
	for n < lines.Len() && s.linkDefinition(lines.At(n)) {
		n++
	}
	if n == lines.Len() {
		node.Parent().RemoveChild(node.Parent(), node)
		return
	}
	lines.SetSliced(n, lines.Len())
}

func (s *scan) linkDefinition(line text.Segment) bool {
	start, end := s.trimmed(line.Start, line.Stop)
	b := s.src[start:end]
	if len(b) == 0 || b[0] != '[' {
		return false
	}
	close := bytes.IndexByte(b, ']')
	if close < 2 || bytes.IndexByte(b[1:close], '[') >= 0 || len(bytes.TrimSpace(b[1:close])) == 0 ||
		!bytes.HasPrefix(b[close:], []byte("]:")) {
		return false
	}
	rest := bytes.TrimLeft(b[close+2:], " \t")
	target := bytes.IndexAny(rest, " \t")
	if target < 0 {
		return len(rest) > 0
	}
	title := bytes.TrimSpace(rest[target:])
	return len(title) >= 2 && bytes.IndexByte([]byte(`"')`), title[len(title)-1]) >= 0 &&
		(title[0] == title[len(title)-1] || title[0] == '(')
}
