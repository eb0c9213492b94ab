package jsondoc

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// fail sets the error and returns false. If the line begins with a merge conflict marker, the error blames the
// marker.
func (s *scanner) fail(offset int, message string) bool {
	if at, marker := conflictMarker(s.text, offset); marker != "" {
		offset = at
		message = "found the merge conflict marker " + marker + "; resolve the conflict and remove the markers"
	}
	line, column := Position(s.text, offset)
	s.err = &SyntaxError{Offset: offset, Line: line, Column: column, Message: message}
	return false
}

// failExpect reports that want was expected at pos.
func (s *scanner) failExpect(want string) bool {
	switch {
	case s.pos >= len(s.text):
		return s.failEnd(want)
	case s.mismatch():
		return s.failMismatch()
	}
	return s.fail(s.pos, "expected "+want+", found "+found(s.text, s.pos)+hint(s.text, s.pos))
}

// failAfter reports that a comma or the closing bracket of the container at `at` was expected.
func (s *scanner) failAfter(at uint32, what string) bool {
	closer := "]"
	if s.nodes[at].kind == Object {
		closer = "}"
	}
	return s.failExpect("a comma or " + closer + " after " + what)
}

func (s *scanner) failEnd(want string) bool {
	end := s.contentEnd()
	if end == 0 {
		return s.fail(0, "the document is empty, expected "+want)
	}
	message := "the document ends"
	if len(s.open) > 0 {
		message += " inside " + s.describe(s.open[len(s.open)-1])
	}
	return s.fail(end, message+", expected "+want)
}

// mismatch reports whether the innermost container is closed by the wrong kind of bracket.
func (s *scanner) mismatch() bool {
	if len(s.open) == 0 {
		return false
	}
	kind := s.nodes[s.open[len(s.open)-1]].kind
	return kind == Object && s.peek() == ']' || kind == Array && s.peek() == '}'
}

func (s *scanner) failMismatch() bool {
	at := s.nodes[s.open[len(s.open)-1]]
	return s.fail(s.pos, "the "+at.kind.String()+" opened on line "+s.line(int(at.start))+" is closed by "+
		s.text[s.pos:s.pos+1])
}

func (s *scanner) failTrailing() bool {
	root := s.nodes[0]
	return s.fail(s.pos, "expected the end of the document after the "+root.kind.String()+
		" that ends on line "+s.line(int(root.end)-1)+", found "+found(s.text, s.pos)+hint(s.text, s.pos))
}

func (s *scanner) failDepth() bool {
	return s.fail(s.pos, "arrays and objects are nested more than "+strconv.Itoa(s.depth)+" deep")
}

func (s *scanner) failEncoding() bool {
	if strings.HasPrefix(s.text, "\xff\xfe") || strings.HasPrefix(s.text, "\xfe\xff") {
		return s.fail(0, "the document begins with the byte-order mark of UTF-16; save it as UTF-8")
	}
	offset := 0
	for {
		r, size := utf8.DecodeRuneInString(s.text[offset:])
		if r == utf8.RuneError && size <= 1 {
			return s.fail(offset, "the byte 0x"+hexByte(s.text[offset], upperHex)+" is not valid UTF-8")
		}
		offset += size
	}
}

func (s *scanner) failOpenString(start int) bool {
	return s.fail(s.contentEnd(), "the document ends inside a string that begins on line "+s.line(start))
}

func (s *scanner) failEscape(start, at int) bool {
	if at+1 >= len(s.text) {
		return s.failOpenString(start)
	}
	if s.text[at+1] == 'u' {
		return s.fail(at, `the escape \u in a string needs four hexadecimal digits`)
	}
	return s.fail(at, `\`+found(s.text, at+1)+` is not a JSON escape sequence; write \\ for a backslash`)
}

func (s *scanner) failControl(start, at int) bool {
	c := s.text[at]
	if c == '\n' || c == '\r' {
		return s.fail(at, "the string "+clip(s.text[start:at])+" has no closing quote before the end of its line")
	}
	return s.fail(at, "found the control character "+found(s.text, at)+" in a string, expected "+
		strings.Trim(Quote(string(c)), `"`))
}

func (s *scanner) wantElement() string {
	if s.emptySoFar() {
		return "a value or ]"
	}
	return "a value after the comma"
}

func (s *scanner) wantKey() string {
	if s.emptySoFar() {
		return "a key in double quotes or }"
	}
	return "a key in double quotes after the comma"
}

// emptySoFar reports whether the innermost container has no child yet.
func (s *scanner) emptySoFar() bool {
	return len(s.open) > 0 && int(s.open[len(s.open)-1]) == len(s.nodes)-1
}

func (s *scanner) describe(at uint32) string {
	n := s.nodes[at]
	return "the " + n.kind.String() + " that begins on line " + s.line(int(n.start))
}

func (s *scanner) quoteKey(key uint32) string {
	n := s.nodes[key]
	return clip(s.text[n.start:n.end])
}

// contentEnd returns the offset after the last byte that is not white space.
func (s *scanner) contentEnd() int { return len(strings.TrimRight(s.text, spaces)) }

// conflictMarker finds a merge conflict marker at the beginning of the line, if there is nothing else between it
// and offset.
func conflictMarker(text string, offset int) (at int, marker string) {
	at = strings.LastIndexByte(text[:offset], '\n') + 1
	for _, c := range [...]byte{'<', '=', '>', '|'} {
		marker = text[at:min(at+7, len(text))]
		if marker == strings.Repeat(string(c), 7) && offset < at+7 {
			return at, marker
		}
	}
	return 0, ""
}

// found describes the text at offset, which must be inside text.
func found(text string, offset int) string {
	if text[offset] == '"' {
		return clip(stringAt(text, offset))
	}
	if word := wordAt(text, offset); word != "" {
		return clip(word)
	}
	r, size := utf8.DecodeRuneInString(text[offset:])
	if invisible(r) {
		return "U+" + hexRune(r, upperHex)
	}
	return text[offset : offset+size]
}

// stringAt returns the raw string at offset, up to its closing quote or the end of its line.
func stringAt(text string, offset int) string {
	for i := offset + 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return text[offset : i+1]
		case '\n', '\r':
			return text[offset:i]
		case '\\':
			i++
		}
	}
	return text[offset:]
}

// invisible reports whether a message must name a character instead of showing it.
func invisible(r rune) bool {
	return r < ' ' || 0x7f <= r && r <= 0xa0 || 0x200b <= r && r <= 0x200f ||
		0x2028 <= r && r <= 0x202f || 0x2060 <= r && r <= 0x206f || r == 0xfeff
}

// clip shortens a quotation to about 60 bytes, without splitting characters.
func clip(text string) string {
	const limit = 60
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// hint suggests a fix for common mistakes in JSON.
func hint(text string, offset int) string {
	rest := text[offset:]
	switch wordAt(text, offset) {
	case "None", "Null", "NULL", "nil", "undefined":
		return ": JSON writes null"
	case "True", "TRUE":
		return ": JSON writes true"
	case "False", "FALSE":
		return ": JSON writes false"
	case "NaN", "Infinity", "+Infinity":
		return ": JSON has no such value"
	}
	switch {
	case rest[0] == '\'' || strings.HasPrefix(rest, "“") || strings.HasPrefix(rest, "”"):
		return ": JSON uses straight double quotes"
	case strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || rest[0] == '#':
		return ": JSON has no comments"
	case strings.HasPrefix(rest, "\ufeff"):
		return ", a byte-order mark; remove it"
	case rest[0] == 0 && offset < 2:
		return "; the document looks like UTF-16, so save it as UTF-8"
	}
	return ""
}

// The digits for hexByte and hexRune.
const (
	upperHex = "0123456789ABCDEF"
	lowerHex = "0123456789abcdef"
)

func hexByte(c byte, digits string) string { return string([]byte{digits[c>>4], digits[c&15]}) }

// hexRune formats r with at least four hexadecimal digits.
func hexRune(r rune, digits string) string {
	short := hexByte(byte(r>>8), digits) + hexByte(byte(r), digits)
	if r > 0xffff {
		return hexByte(byte(r>>16), digits) + short
	}
	return short
}
