package snapshot

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/stategate/stategate/sdk/markdown"
)

// A builder writes an outline's nodes in the order of the text.
type builder struct {
	*scan
	nodes []markdown.Node
	at    int // an offset in the text
	line  int // its line
	row   [][2]int
}

// add appends a node and returns its index.
func (b *builder) add(kind markdown.Kind, data, parent, start, end int) int {
	if len(b.nodes) >= outlineNodes {
		b.fail(start, "more than %d headings, cells, items and other parts; split the document", outlineNodes)
		return 0
	}
	if start >= b.at {
		b.line += bytes.Count(b.src[b.at:start], []byte("\n"))
	} else {
		b.line -= bytes.Count(b.src[start:b.at], []byte("\n"))
	}
	b.at = start
	b.nodes = append(b.nodes, markdown.Node{Kind: kind, Data: data, Parent: parent, Line: b.line, Start: start,
		End: end})
	return len(b.nodes) - 1
}

// blocks adds the blocks in a node and returns the end of the last one.
func (b *builder) blocks(in ast.Node, parent, depth int) int {
	end := 0
	for c := in.FirstChild(); c != nil && b.fault == nil; c = c.NextSibling() {
		end = max(end, b.block(c, parent, depth))
	}
	return end
}

func (b *builder) block(n ast.Node, parent, depth int) int {
	switch n := n.(type) {
	case *ast.Heading:
		return b.heading(n, parent)
	case *ast.Paragraph, *ast.TextBlock:
		return b.paragraph(n, parent)
	case *ast.List:
		return b.blocks(n, parent, depth+1)
	case *ast.ListItem:
		item := b.add(markdown.KindItem, depth, parent, n.Pos(), b.markerEnd(n.Pos()))
		return b.extend(item, b.blocks(n, item, depth))
	case *ast.Blockquote:
		quote := b.add(markdown.KindQuote, 0, parent, n.Pos(), n.Pos()+1)
		return b.extend(quote, b.blocks(n, quote, depth))
	case *ast.FencedCodeBlock:
		return b.fence(n, parent)
	case *tableBlock:
		return b.table(n, parent)
	case *ast.CodeBlock, *ast.HTMLBlock:
		return b.contentEnd(n)
	}
	return 0
}

func (b *builder) extend(node, end int) int {
	if b.fault != nil {
		return 0
	}
	b.nodes[node].End = max(b.nodes[node].End, end)
	return b.nodes[node].End
}

func (b *builder) markerEnd(at int) int {
	for b.src[at] >= '0' && b.src[at] <= '9' {
		at++
	}
	return at + 1
}

// contentEnd returns the end of a block's last line, without blanks.
func (b *builder) contentEnd(n ast.Node) int {
	lines := n.Lines()
	if lines.Len() == 0 {
		return 0
	}
	_, end := b.trimmed(lines.At(0).Start, lines.At(lines.Len()-1).Stop)
	return end
}

// heading adds a heading. With an underline, its text begins where the heading begins; with #, it begins after the
// markers.
func (b *builder) heading(n *ast.Heading, parent int) int {
	start, last := n.Pos(), n.Pos()
	if lines := n.Lines(); lines.Len() > 0 && lines.At(0).Start == start {
		last = min(b.lineEnd(b.contentEnd(n))+1, len(b.src))
	}
	_, end := b.trimmed(start, b.lineEnd(last))
	node := b.add(markdown.KindHeading, n.Level, parent, start, end)
	text := start
	for text < end && b.src[text] == '#' {
		text++
	}
	text, _ = b.trimmed(text, end)
	b.box(text, end, node)
	b.lineLinks(text, end, node)
	return end
}

func (b *builder) paragraph(n ast.Node, parent int) int {
	lines := n.Lines()
	if lines.Len() == 0 {
		return 0
	}
	start, end := b.trimmed(lines.At(0).Start, lines.At(lines.Len()-1).Stop)
	if start == end {
		return 0
	}
	kind, data, origin, skip := markdown.KindParagraph, 0, markdown.FromText, 0
	if n.Parent().Kind() == ast.KindListItem && n.PreviousSibling() == nil {
		origin = markdown.FromItem
		if box := b.src[start:min(start+4, len(b.src))]; isBox(box) {
			kind, skip = markdown.KindTask, len("[ ]")
			if box[1]|0x20 == 'x' {
				data = 1
			}
		}
	}
	node := b.add(kind, data, parent, start, end)
	b.box(start, end, node)
	for i := range lines.Len() {
		line := lines.At(i)
		b.fields(max(line.Start, start+skip), line.Stop, node, origin)
	}
	return end
}

func (b *builder) fence(n *ast.FencedCodeBlock, parent int) int {
	start := n.Pos()
	from := min(b.lineEnd(start)+1, len(b.src))
	to := from
	if lines := n.Lines(); lines.Len() > 0 {
		to = lines.At(lines.Len() - 1).Stop
	}
	end, closed := b.closed[start]
	open := 0
	if !closed {
		end, open = to, 1
	}
	node := b.add(markdown.KindFence, open, parent, start, end)
	if n.Info != nil {
		b.add(markdown.KindInfo, 0, node, n.Info.Segment.Start, n.Info.Segment.Stop)
	}
	b.add(markdown.KindCode, 0, node, from, to)
	return end
}

func (b *builder) table(t *tableBlock, parent int) int {
	start, _ := b.trimmed(t.header.Start, t.header.Stop)
	_, end := b.trimmed(t.delimiter.Start, t.delimiter.Stop)
	node := b.add(markdown.KindTable, t.columns, parent, start, end)
	b.tableRow(markdown.KindHeader, t.header, node)
	for _, row := range t.rows {
		if b.fault != nil {
			return 0
		}
		end = b.tableRow(markdown.KindRow, row, node)
	}
	return b.extend(node, end)
}

func (b *builder) tableRow(kind markdown.Kind, line text.Segment, table int) int {
	start, end := b.trimmed(line.Start, line.Stop)
	b.row = b.cells(b.row[:0], line)
	if len(b.row) > outlineColumns {
		b.fail(start, "a row of %d cells; at most %d are read; write \\| for a pipe that is text", len(b.row),
			outlineColumns)
		return end
	}
	row := b.add(kind, len(b.row), table, start, end)
	for i, cell := range b.row {
		node := b.add(markdown.KindCell, i, row, cell[0], cell[1])
		b.box(cell[0], cell[1], node)
		b.links(cell[0], cell[1], node)
	}
	return end
}
