package wire

import (
	"unicode/utf16"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// plain is the set of ASCII bytes that stand for themselves in a string.
var plain = func() (t [256]bool) {
	for b := ' '; b < utf8.RuneSelf; b++ {
		t[b] = b != '"' && b != '\\'
	}
	return t
}()

// behindPlain returns the index of the first byte, from i on, that is not plain. It tests eight bytes at a time:
// the high bit of a byte in the result is set if the byte is beyond ASCII, less than a blank, or one of the two
// that need an escape.
func behindPlain(s string, i int) int {
	const ones, greatest = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s); i += 8 {
		w := eight(s[i:])
		quote, slash := w^ones*'"', w^ones*'\\'
		if (w|(w-ones*' ')|(quote-ones)|(slash-ones))&greatest != 0 {
			break
		}
	}
	for i < len(s) && plain[s[i]] {
		i++
	}
	return i
}

// eight returns the first eight bytes of a string as a number. The compiler turns it into a single load.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 |
		uint64(s[6])<<48 | uint64(s[7])<<56
}

// appendQuoted appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD. It escapes only what JSON
// requires.
func appendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	from := 0
	for i := behindPlain(s, 0); i < len(s); i = behindPlain(s, i) {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if r < utf8.RuneSelf || r == utf8.RuneError && size == 1 {
			out = append(out, s[from:i]...)
			out = appendEscaped(out, r)
			from = i + size
		}
		i += size
	}
	out = append(out, s[from:]...)
	return append(out, '"')
}

// appendEscaped appends a character that a string must escape.
func appendEscaped(out []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(out, '\\', byte(r))
	case '\n':
		return append(out, '\\', 'n')
	case '\t':
		return append(out, '\\', 't')
	case '\r':
		return append(out, '\\', 'r')
	}
	return appendUnit(out, r)
}

// appendUnit appends \uXXXX.
func appendUnit(out []byte, r rune) []byte {
	return append(out, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// unquote resolves the escape sequences in a string without its quotes. It returns false for invalid UTF-8, control
// characters, unknown escapes and unpaired surrogates.
func unquote(s string) (string, bool) {
	out := make([]byte, 0, len(s))
	for s != "" {
		if s[0] < ' ' {
			return "", false
		}
		if s[0] != '\\' {
			out = append(out, s[0])
			s = s[1:]
			continue
		}
		r, size := unescape(s)
		if size == 0 {
			return "", false
		}
		out = utf8.AppendRune(out, r)
		s = s[size:]
	}
	return string(out), utf8.Valid(out)
}

// escapes lists the one-letter escapes, each followed by its character.
const escapes = "\"\"\\\\//b\bf\fn\nr\rt\t"

// unescape resolves the escape at the beginning of s, or two of them if they are a surrogate pair. The size is 0 if
// there is no valid escape.
func unescape(s string) (r rune, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	for i := 0; i < len(escapes); i += 2 {
		if s[1] == escapes[i] {
			return rune(escapes[i+1]), 2
		}
	}
	r, ok := unit(s)
	switch {
	case !ok:
		return 0, 0
	case !utf16.IsSurrogate(r):
		return r, 6
	}
	low, ok := unit(s[6:])
	if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

// unit parses \uXXXX.
func unit(s string) (r rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for i := 2; i < 6; i++ {
		b := s[i]
		switch {
		case isDigit(b):
			b -= '0'
		case 'a' <= b|0x20 && b|0x20 <= 'f':
			b = b | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(b)
	}
	return r, true
}
