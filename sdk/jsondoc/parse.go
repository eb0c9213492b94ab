package jsondoc

import (
	"math"
	"unicode/utf8"
)

// DefaultDepth is the nesting limit for arrays and objects if a [Parser] sets none.
const DefaultDepth = 512

// maxDepth is the highest nesting limit that a Parser can set. It bounds the stack of the recursive functions that
// walk the tree.
const maxDepth = 10_000

// A Document is a parsed text. It is immutable.
type Document struct {
	text  string
	nodes []node
	depth int // the nesting limit that it was parsed with
}

// A node is one value or key. All nodes of a document are in one slice, in document order and without pointers: 16
// bytes per node and no work for the garbage collector. next is the index after the node's subtree. An object
// member consists of two nodes, key and value.
type node struct {
	start, end, next uint32
	kind             Kind
	escaped          bool // a string that contains a backslash
}

// Parse parses text as a single JSON value. It refuses invalid UTF-8, anything except white space around the value,
// and nesting beyond [DefaultDepth]; it keeps duplicate keys. An error is always a *[SyntaxError], and the document
// is then nil. Time and memory are linear in the length of text.
func Parse(text string) (*Document, error) {
	return Parser{}.Parse(text)
}

// TextOf parses text and returns the string that its object has under key, or "" if there is none.
func TextOf(text, key string) string {
	doc, err := Parse(text)
	if err != nil {
		return ""
	}
	member, _ := doc.Root().Get(key).Text()
	return member
}

// A Parser parses with limits. The zero value uses the defaults.
type Parser struct {
	// MaxDepth is the nesting limit for arrays and objects. Zero means [DefaultDepth]; the maximum is 10,000.
	MaxDepth int
}

// Parse is like the function [Parse] with p's limits.
func (p Parser) Parse(text string) (*Document, error) {
	depth := p.MaxDepth
	if depth <= 0 {
		depth = DefaultDepth
	}
	doc, err := parse(text, min(depth, maxDepth))
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// parse returns a concrete error type; callers must not convert a nil one to an interface.
func parse(text string, depth int) (*Document, *SyntaxError) {
	s := scanner{text: text, depth: depth}
	if !s.document() {
		return nil, s.err
	}
	return &Document{text: text, nodes: s.nodes, depth: depth}, nil
}

// A scanner reads a text from left to right. If one of its methods returns a bool, it sets err before it
// returns false.
type scanner struct {
	text  string
	pos   int
	nodes []node
	open  []uint32 // the containers around pos
	depth int
	err   *SyntaxError
}

func (s *scanner) document() bool {
	if len(s.text) > math.MaxInt32 {
		return s.fail(0, "the document is larger than 2 GiB")
	}
	if !utf8.ValidString(s.text) {
		return s.failEncoding()
	}
	s.nodes = make([]node, 0, len(s.text)/24+8)
	s.space()
	if !s.value(func() string { return "a JSON value" }) {
		return false
	}
	s.space()
	if s.pos < len(s.text) {
		return s.failTrailing()
	}
	return true
}

// value reads one value. want describes the expected value for the error message.
func (s *scanner) value(want func() string) bool {
	switch c := s.peek(); {
	case c == '{':
		return s.object()
	case c == '[':
		return s.array()
	case c == '"':
		return s.string()
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	case c == 't':
		return s.word("true", Bool) || s.failExpect(want())
	case c == 'f':
		return s.word("false", Bool) || s.failExpect(want())
	case c == 'n':
		return s.word("null", Null) || s.failExpect(want())
	}
	return s.failExpect(want())
}

func (s *scanner) object() bool {
	at, ok := s.enter(Object)
	if !ok {
		return false
	}
	if s.take('}') {
		return s.leave(at)
	}
	for {
		key := uint32(len(s.nodes))
		if !s.member(key) {
			return false
		}
		comma := s.pos
		switch {
		case s.take('}'):
			return s.leave(at)
		case !s.take(','):
			return s.failAfter(at, "the value of "+s.quoteKey(key))
		case s.peek() == '}':
			return s.fail(comma, "the comma before } is superfluous; remove it")
		}
	}
}

// member reads a key, a colon, a value and the white space after it.
func (s *scanner) member(key uint32) bool {
	if s.peek() != '"' {
		return s.failExpect(s.wantKey())
	}
	if !s.string() {
		return false
	}
	s.space()
	if !s.take(':') {
		return s.failExpect("a colon after the key " + s.quoteKey(key))
	}
	if !s.value(func() string { return "the value of " + s.quoteKey(key) }) {
		return false
	}
	s.space()
	return true
}

func (s *scanner) array() bool {
	at, ok := s.enter(Array)
	if !ok {
		return false
	}
	if s.take(']') {
		return s.leave(at)
	}
	for {
		if !s.value(s.wantElement) {
			return false
		}
		s.space()
		comma := s.pos
		switch {
		case s.take(']'):
			return s.leave(at)
		case !s.take(','):
			return s.failAfter(at, "an element")
		case s.peek() == ']':
			return s.fail(comma, "the comma before ] is superfluous; remove it")
		}
	}
}

// enter begins an array or object and stops before its first child.
func (s *scanner) enter(kind Kind) (at uint32, ok bool) {
	if len(s.open) >= s.depth {
		return 0, s.failDepth()
	}
	at = uint32(len(s.nodes))
	s.add(node{start: uint32(s.pos), kind: kind})
	s.open = append(s.open, at)
	s.pos++
	s.space()
	return at, true
}

// leave ends the array or object whose closing bracket was just read.
func (s *scanner) leave(at uint32) bool {
	s.nodes[at].end = uint32(s.pos)
	s.nodes[at].next = uint32(len(s.nodes))
	s.open = s.open[:len(s.open)-1]
	return true
}

// leaf adds a value without children that ends at pos.
func (s *scanner) leaf(kind Kind, start int, escaped bool) bool {
	next := uint32(len(s.nodes) + 1)
	s.add(node{uint32(start), uint32(s.pos), next, kind, escaped})
	return true
}

// add adds a node. A full slice grows to the size that the whole text will need at its density so far. With plain
// append, copying would use several times as much memory: 194 MB instead of 36 for 4 MiB of "1,1,1".
func (s *scanner) add(n node) {
	if len(s.nodes) == cap(s.nodes) {
		size := len(s.nodes) * 5 / 4
		if s.pos > 0 {
			size = max(size, int(int64(len(s.nodes))*int64(len(s.text))/int64(s.pos)))
		}
		// Every node takes at least one byte of text.
		s.nodes = append(make([]node, 0, min(size, len(s.text))+8), s.nodes...)
	}
	s.nodes = append(s.nodes, n)
}

// peek returns the byte at pos, or 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// take reads c if it is next, and the white space after it if it is a comma or colon.
func (s *scanner) take(c byte) bool {
	if s.pos >= len(s.text) || s.text[s.pos] != c {
		return false
	}
	s.pos++
	if c == ',' || c == ':' {
		s.space()
	}
	return true
}

func (s *scanner) space() {
	for s.pos < len(s.text) && isSpace(s.text[s.pos]) {
		s.pos++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
