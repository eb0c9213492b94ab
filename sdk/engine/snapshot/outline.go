package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

// The limits of an outline. The first three are part of the ABI. The others keep time and memory linear in the text
// even for Markdown that would take more: single-line blocks, thousands of lines inside sixty lists, one endless
// line.
const (
	outlineColumns = 64
	outlineRows    = 20_000 // per table
	outlineNesting = 64     // nested lists and quotes
	outlineLines   = 100_000
	outlineLine    = 1 << 20 // bytes of a line outside fences
	outlineWork    = 500_000 // see container
	outlineNodes   = 500_000
)

// An OutlineError says why a Markdown document has no outline: it exceeds a limit.
type OutlineError struct {
	Line  int    // line number, from 1
	Found string // the value found and the limit: "a table of 97 columns; at most 64 are read"
}

func (f *OutlineError) Error() string { return fmt.Sprintf("line %d: %s", f.Line, f.Found) }

// Outline parses a Markdown document, without its byte-order mark, into headings, tables, fields, tasks, items,
// fences and front matter. Time and memory are linear in the text. For a text that exceeds the limits or is not
// UTF-8, it returns an *OutlineError.
func Outline(text string) (*markdown.Outline, error) {
	if at := invalidAt(text); at >= 0 {
		return nil, faultAt([]byte(text), at, "not valid UTF-8; save the document as UTF-8")
	}
	return new(scratch).outline(text)
}

// outline outlines a Markdown document. If the document exceeds the limits, it gets a fault and no outline.
func outline(doc *wire.Document) {
	m := scratches.Get().(*scratch)
	defer scratches.Put(m)
	o, err := m.outline(doc.Text)
	if err == nil {
		doc.Outline = o.Encode(nil)
		m.nodes = o.Nodes[:0]
		return
	}
	f := wire.DocumentFault{Rule: wire.RuleUnreadable, Kind: "outline", Key: "outline", Message: err.Error()}
	var limit *OutlineError
	if errors.As(err, &limit) {
		f.Line, f.Message = limit.Line, limit.Found
	}
	doc.Faults = append(doc.Faults, f)
}

// A scratch is reusable memory for creating outlines, because that takes several times the size of a document.
type scratch struct {
	src   []byte
	nodes []markdown.Node
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// outline is Outline for a text that is known to be UTF-8.
func (m *scratch) outline(text string) (outline *markdown.Outline, err error) {
	defer func() {
		if p := recover(); p != nil {
			outline, err = nil, &OutlineError{1, fmt.Sprintf("the Markdown parser failed: %v", p)}
		}
	}()
	m.src = append(m.src[:0], text...)
	s := &scan{src: m.src, unclosed: -1, closed: map[int]int{}}
	lines := bytes.Count(s.src, []byte("\n"))
	if lines > outlineLines {
		return nil, &OutlineError{outlineLines + 1,
			fmt.Sprintf("%d lines; at most %d are read; split the document", lines, outlineLines)}
	}
	front := s.frontMatter()
	root := s.parse()
	b := builder{scan: s, line: 1}
	b.nodes = slices.Grow(m.nodes[:0], min(outlineNodes, bytes.Count(s.src, []byte("|"))+2*lines+16))
	b.frontMatter(front)
	b.blocks(root, -1, 0)
	if s.unclosed >= 0 {
		b.add(markdown.KindOpenComment, 0, -1, s.unclosed, s.unclosed+len("<!--"))
	}
	if s.fault != nil {
		return nil, s.fault
	}
	return markdown.New(text, b.nodes)
}

// A scan reads one document. Comments and front matter are blanked in src, so that offsets stay the same.
type scan struct {
	src      []byte
	fault    *OutlineError // the first one; the rest of the text is not read
	work     int           // number of lists and quotes, summed over the lines in them
	fences   int           // number of open fences
	closed   map[int]int   // by offset of the opening fence: end of the closing one
	comment  int           // end of the comment that an earlier line began, or 0
	unclosed int           // offset of the unclosed comment, or -1
}

func (s *scan) fail(at int, format string, args ...any) {
	if s.fault == nil {
		s.fault = faultAt(s.src, at, format, args...)
	}
}

func faultAt(src []byte, at int, format string, args ...any) *OutlineError {
	line := 1 + bytes.Count(src[:min(at, len(src))], []byte("\n"))
	return &OutlineError{line, fmt.Sprintf(format, args...)}
}

// lineEnd returns the offset of the next line break, or the end of the text.
func (s *scan) lineEnd(at int) int {
	if n := bytes.IndexByte(s.src[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(s.src)
}

// trimmed shrinks a range to exclude blanks at both ends.
func (s *scan) trimmed(start, end int) (int, int) {
	for start < end && isBlank(s.src[end-1]) {
		end--
	}
	for start < end && isBlank(s.src[start]) {
		start++
	}
	return start, end
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
