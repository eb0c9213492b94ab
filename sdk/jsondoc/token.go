package jsondoc

import "strconv"

// string reads the string at pos.
func (s *scanner) string() bool {
	start := s.pos
	end, escaped, ok := scanString(s.text, start)
	switch {
	case ok:
		s.pos = end
		return s.leaf(String, start, escaped)
	case end >= len(s.text):
		return s.failOpenString(start)
	case s.text[end] == '\\':
		return s.failEscape(start, end)
	}
	return s.failControl(start, end)
}

// scanString returns the offset after the string that begins at start. If the string is invalid, it returns the
// offset of the fault: a backslash, a control character or the end of text.
func scanString(text string, start int) (end int, escaped, ok bool) {
	for i := start + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return i + 1, escaped, true
		case c == '\\':
			n := escapeLen(text[i:])
			if n == 0 {
				return i, true, false
			}
			escaped = true
			i += n - 1
		case c < ' ':
			return i, escaped, false
		}
	}
	return len(text), escaped, false
}

// escapeLen returns the length of the escape sequence at the beginning of text, or 0 if there is none.
func escapeLen(text string) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(text[2:]); ok {
			return 6
		}
	}
	return 0
}

// hex4 parses the four hexadecimal digits at the beginning of text.
func hex4(text string) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	var r rune
	for i := range 4 {
		d, ok := hexDigit(text[i])
		if !ok {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// word reads literal. Other text is not an error at this point.
func (s *scanner) word(literal string, kind Kind) bool {
	start := s.pos
	if wordAt(s.text, start) != literal {
		return false
	}
	s.pos += len(literal)
	return s.leaf(kind, start, false)
}

// number reads the number at pos.
func (s *scanner) number() bool {
	n, fault := numberLen(s.text[s.pos:])
	word := wordAt(s.text, s.pos)
	if fault == "" && n < len(word) {
		fault = "is not a number"
	}
	if fault != "" {
		return s.fail(s.pos, "found "+clip(word)+", which "+fault)
	}
	start := s.pos
	s.pos += n
	return s.leaf(Number, start, false)
}

// numberLen returns the length of the number at the beginning of text, or describes its fault.
func numberLen(text string) (n int, fault string) {
	if text[0] == '-' {
		n = 1
	}
	whole := digits(text[n:])
	switch {
	case whole == 0:
		return n, "has no digit after the minus sign"
	case whole > 1 && text[n] == '0':
		return n, "is not a number: JSON numbers have no leading zeros"
	}
	n += whole
	if n < len(text) && text[n] == '.' {
		fraction := digits(text[n+1:])
		if fraction == 0 {
			return n, "has no digit after the decimal point"
		}
		n += 1 + fraction
	}
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		n++
		if n < len(text) && (text[n] == '+' || text[n] == '-') {
			n++
		}
		exponent := digits(text[n:])
		if exponent == 0 {
			return n, "has no digit in its exponent"
		}
		n += exponent
	}
	return n, ""
}

// digits counts the decimal digits at the beginning of text.
func digits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// wordAt returns the word, number or date at offset for use in a message.
func wordAt(text string, offset int) string {
	end := offset
	for end < len(text) && isWordByte(text[end]) {
		end++
	}
	return text[offset:end]
}

func isWordByte(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c == '_' || c == '-' || c == '+' || c == '.' || c == '$'
}

func (s *scanner) line(offset int) string {
	line, _ := Position(s.text, offset)
	return strconv.Itoa(line)
}
