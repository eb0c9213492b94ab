package jsondoc

import (
	"slices"
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

// Beginning returns a text as JSON: the whole text if it parses, or else the part before the error. It cuts that part
// after its last whole member or element and adds the missing closing brackets. The result may be empty.
func Beginning(text string) string {
	_, wrong := parse(text, DefaultDepth)
	if wrong == nil {
		return text
	}
	text = text[:min(wrong.Offset, len(text))]
	var open, due []byte // pending closing brackets, outermost first: at this byte, and at the cut
	cut := 0
scan:
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			open = append(open, c+2) // } and ] are two code points after { and [
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				break scan
			}
			open = open[:len(open)-1]
			cut, due = i+1, slices.Clone(open)
		case ',':
			cut, due = i, slices.Clone(open)
		}
	}
	slices.Reverse(due)
	return text[:cut] + string(due)
}
