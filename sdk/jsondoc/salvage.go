package jsondoc

import (
	"strings"
	"unicode/utf8"
)

// Salvage finds the value of a key in a text that does not parse: the string or number after the last "key": at any
// depth. The value is the root of a separate document, but its offsets are those in text. Salvage skips values that
// may be incomplete: a string without its closing quote, and a number at the end of the text. The result is a
// guess, so check it before use.
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

// salvageAt reads a colon and a string or number. It avoids the scanner's error messages, because each would count
// the lines of the whole text.
func salvageAt(text string, offset int) (Value, bool) {
	s := scanner{text: text, pos: offset}
	s.space()
	if !s.take(':') {
		return Value{}, false
	}
	start := s.pos
	switch c := s.peek(); {
	case c == '"':
		end, escaped, ok := scanString(text, start)
		if !ok || !utf8.ValidString(text[start:end]) {
			return Value{}, false
		}
		s.pos = end
		s.leaf(String, start, escaped)
	case c == '-' || '0' <= c && c <= '9':
		n, fault := numberLen(text[start:])
		s.pos += n
		if fault != "" || s.pos >= len(text) || isWordByte(text[s.pos]) {
			return Value{}, false
		}
		s.leaf(Number, start, false)
	default:
		return Value{}, false
	}
	return (&Document{text: text, nodes: s.nodes}).Root(), true
}
