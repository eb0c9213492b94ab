package jsondoc

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Quote returns text as a JSON string, including quotes. It escapes the characters that JSON requires and those
// that are unsafe to print: quotes, backslashes, control characters (including U+007F to U+009F) and the line
// separators U+2028 and U+2029. Invalid UTF-8 becomes U+FFFD.
func Quote(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	b.WriteByte('"')
	from := 0
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if escaped := escape(r, size); escaped != "" {
			b.WriteString(text[from:i])
			b.WriteString(escaped)
			from = i + size
		}
		i += size
	}
	b.WriteString(text[from:])
	b.WriteByte('"')
	return b.String()
}

// escape returns the escape sequence for a character, or "" if it needs none.
func escape(r rune, size int) string {
	switch {
	case r == '"':
		return `\"`
	case r == '\\':
		return `\\`
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < ' ', 0x7f <= r && r < 0xa0, r == 0x2028, r == 0x2029:
		return `\u` + hexRune(r, lowerHex)
	case r == utf8.RuneError && size <= 1:
		return "\ufffd"
	}
	return ""
}

// unescape resolves the escape sequences in a valid string without its quotes.
func unescape(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		r, size := unescapeOne(text[i:])
		b.WriteRune(r)
		text = text[i+size:]
	}
}

// unescapeOne resolves the escape sequence at the beginning of text, or two of them if they are a surrogate pair.
func unescapeOne(text string) (r rune, size int) {
	switch c := text[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
	default:
		return rune(c), 2
	}
	r, _ = hex4(text[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if strings.HasPrefix(text[6:], `\u`) {
		low, _ := hex4(text[8:])
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}
