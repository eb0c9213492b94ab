package snapshot

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// blockParser parses blocks with goldmark but no inlines (see blocksOnly): Markdown parsers take quadratic time for
// links and emphasis, and no query needs them. This package parses tables, link definitions and HTML blocks itself.
// goldmark drops cells beyond the header's and adds missing ones, which turned 19 KB into 1.1 GB. It also takes
// quadratic time for many definitions: 0.2 s for 20,000 lines, 1.6 s for 40,000.
var blockParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(container{parser.NewListParser(), true}, 300),
		util.Prioritized(container{parser.NewListItemParser(), false}, 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(placed{parser.NewATXHeadingParser()}, 600),
		util.Prioritized(fence{parser.NewFencedCodeBlockParser()}, 700),
		util.Prioritized(container{parser.NewBlockquoteParser(), true}, 800),
		util.Prioritized(htmlBlock{}, 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithParagraphTransformers(
		util.Prioritized(linkDefinitions{}, 100),
		util.Prioritized(tables{}, 200),
	),
)

var scanKey = parser.NewContextKey()

func scanOf(pc parser.Context) *scan { return pc.Get(scanKey).(*scan) }

func (s *scan) parse() ast.Node {
	pc := &blocksOnly{Context: parser.NewContext(), blocks: ast.NewDocument()}
	pc.Set(scanKey, s)
	r := &lineReader{text.NewReader(s.src), s, pc}
	r.enter()
	blockParser.Parse(r, parser.WithContext(pc))
	return pc.blocks
}

// blocksOnly removes the blocks from goldmark's document when the last one is closed, so that goldmark does not
// search them for inlines, which would take a third of its time.
type blocksOnly struct {
	parser.Context
	document, blocks ast.Node
}

func (c *blocksOnly) SetOpenedBlocks(open []parser.Block) {
	if c.document == nil && len(open) > 0 {
		c.document = open[0].Node.Parent()
	}
	c.Context.SetOpenedBlocks(open)
}

func (c *blocksOnly) take() {
	for c.document != nil && c.document.HasChildren() {
		c.blocks.AppendChild(c.blocks, c.document.FirstChild())
	}
}

// A lineReader blanks the comments of each line before a block parser sees it, and ends the text at the first
// fault.
type lineReader struct {
	text.Reader
	scan    *scan
	context *blocksOnly
}

// AdvanceLine is called once more at the end of the text, when all blocks are closed.
func (r *lineReader) AdvanceLine() {
	if line, _ := r.PeekLine(); line == nil && len(r.context.OpenedBlocks()) == 0 {
		r.context.take()
	}
	r.Reader.AdvanceLine()
	r.enter()
}

// SkipBlankLines is a copy of goldmark's, except that it advances this reader.
func (r *lineReader) SkipBlankLines() (text.Segment, int, bool) {
	for lines := 0; ; lines++ {
		line, seg := r.PeekLine()
		if line == nil {
			r.context.take()
			return seg, lines, false
		}
		if !util.IsBlank(line) {
			return seg, lines, true
		}
		r.AdvanceLine()
	}
}

func (r *lineReader) enter() {
	line, seg := r.Position()
	if seg.Start >= len(r.scan.src) || r.scan.fences > 0 && r.scan.fault == nil {
		return
	}
	if n := seg.Stop - seg.Start; n > outlineLine {
		r.scan.fail(seg.Start, "a line of %d bytes; at most %d are read outside fenced code; break it", n, outlineLine)
	}
	if r.scan.fault != nil {
		r.SetPosition(line, text.NewSegment(len(r.scan.src), len(r.scan.src)))
		return
	}
	r.scan.blankComments(seg.Start, seg.Stop)
}

// placed corrects the position of a block after a tab that a container uses only in part. goldmark counts the blanks
// that it inserts for the tab.
type placed struct{ parser.BlockParser }

func (p placed) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, seg := r.Position()
	offset := pc.BlockOffset() - seg.Padding
	node, state := p.BlockParser.Open(parent, r, pc)
	if node != nil {
		pc.SetBlockOffset(offset)
	}
	return node, state
}

// A container is a list, list item or quote with limits. Each one costs memory where it begins, and again on
// each line inside it, because goldmark keeps a record of every line at every level.
type container struct {
	parser.BlockParser
	nests bool // false for an item, because its list counts
}

func (c container) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	s := scanOf(pc)
	if c.nests && s.fault != nil {
		return nil, parser.NoChildren
	}
	_, seg := r.Position()
	node, state := placed{c.BlockParser}.Open(parent, r, pc)
	if node == nil {
		return nil, state
	}
	s.spend(seg.Start, 4)
	if c.nests && nesting(parent) >= outlineNesting {
		s.fail(seg.Start, "lists and quotes nested %d deep; at most %d are read; flatten them", outlineNesting+1,
			outlineNesting)
	}
	return node, state
}

func (s *scan) spend(at, work int) {
	if s.work += work; s.work > outlineWork {
		s.fail(at, "too many list items, or too many lines in nested lists and quotes, up to here; split the document")
	}
}

func nesting(n ast.Node) int {
	depth := 0
	for ; n != nil; n = n.Parent() {
		if k := n.Kind(); k == ast.KindList || k == ast.KindBlockquote {
			depth++
		}
	}
	return depth
}

func (c container) Continue(node ast.Node, r text.Reader, pc parser.Context) parser.State {
	s := scanOf(pc)
	_, seg := r.Position()
	s.spend(seg.Start, 1+seg.Len()/128)
	state := c.BlockParser.Continue(node, r, pc)
	if state&parser.Continue == 0 && s.fences > 0 {
		// The line ends the fence together with its container, so it may contain comments.
		s.blankComments(seg.Start, seg.Stop)
		r.Advance(0)
	}
	return state
}

// A fence records where it is closed. It contains no comments.
type fence struct{ parser.BlockParser }

func (f fence) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	node, state := placed(f).Open(parent, r, pc)
	if node != nil {
		scanOf(pc).fences++
	}
	return node, state
}

func (f fence) Continue(node ast.Node, r text.Reader, pc parser.Context) parser.State {
	_, seg := r.Position()
	state := f.BlockParser.Continue(node, r, pc)
	if state&parser.Continue == 0 {
		s := scanOf(pc)
		_, s.closed[node.Pos()] = s.trimmed(seg.Start, seg.Stop)
	}
	return state
}

func (f fence) Close(node ast.Node, r text.Reader, pc parser.Context) {
	scanOf(pc).fences--
	f.BlockParser.Close(node, r, pc)
}
