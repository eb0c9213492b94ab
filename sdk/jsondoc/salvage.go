package jsondoc

import (
	"strings"
	"unicode/utf8"
)

// Salvage finds what a text that does not parse still says about a key: the
// string or number after the last "key": in it, at whatever depth. The value
// stands alone: its offsets are those of text, it is the root of a document of
// its own. It passes over values that are not whole, such as a string without
// its closing quote or a number that the end of the text may have cut off.
// What it finds is a guess: check it before use.
func Salvage(text, key string) (Value, bool) {
	quoted := Quote(key)
	for rest := text; ; {
		at := strings.LastIndex(rest, quoted)
		if at < 0 {
			return Value{}, false
		}
		if v, ok := salvageAt(text, at+len(quoted)); ok {
			return v, true
		}
		rest = text[:at]
	}
}

// salvageAt reads a colon and a string or number.
func salvageAt(text string, offset int) (Value, bool) {
	s := scanner{text: text, pos: offset}
	s.space()
	if !s.take(':') {
		return Value{}, false
	}
	ok := false
	switch c := s.peek(); {
	case c == '"':
		// The line is cut off so that a broken string costs no more than it.
		s.text = text[:lineEnd(text, s.pos)]
		ok = s.string()
	case c == '-' || '0' <= c && c <= '9':
		ok = s.number() && s.pos < len(text)
	}
	if !ok || !utf8.ValidString(text[s.nodes[0].start:s.nodes[0].end]) {
		return Value{}, false
	}
	return (&Document{text: text, nodes: s.nodes}).Root(), true
}

// lineEnd is the offset of the first line break at or after offset, or the end.
func lineEnd(text string, offset int) int {
	if n := strings.IndexByte(text[offset:], '\n'); n >= 0 {
		return offset + n
	}
	return len(text)
}
