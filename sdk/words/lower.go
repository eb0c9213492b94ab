package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lower is a faster strings.ToLower.
func Lower(text string) string {
	i := 0
	for i < len(text) && text[i] < utf8.RuneSelf && (text[i] < 'A' || text[i] > 'Z') {
		i++
	}
	if i == len(text) {
		return text
	}
	var short [128]byte
	out, same := append(short[:0], text...), true
	for i < len(text) {
		switch c := text[i]; {
		case 'A' <= c && c <= 'Z':
			out[i], same = c|0x20, false
			i++
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRuneInString(text[i:])
			if to := small(r); to != r || r == utf8.RuneError {
				if utf8.RuneLen(to) != n {
					return strings.ToLower(text)
				}
				utf8.EncodeRune(out[i:], to)
				same = false
			}
			i += n
		}
	}
	if same {
		return text
	}
	return string(out)
}

// LowerWide prepares a text for a search with [List.AnyCase]. It converts the text to lower case if that changes a
// character beyond ASCII; otherwise it returns the text unchanged.
func LowerWide(text string) string {
	for i := range len(text) {
		c := text[i]
		// continuation byte, script without capitals, or dash
		if c < 0xc0 || c >= 0xe3 && c <= 0xe9 || c == 0xe2 && i+1 < len(text) && text[i+1] == 0x80 {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(text[i:]); small(r) != r {
			return Lower(text)
		}
	}
	return text
}

// small is a version of unicode.ToLower for characters beyond ASCII that is faster for common scripts.
func small(r rune) rune {
	switch {
	case r >= 0x2000 && r < 0x2100, r >= 0x2190 && r < 0x2400, r >= 0x2500 && r < 0x2c00, r >= 0x2e80 && r < 0xa640,
		r >= 0xac00 && r < 0xff00, r >= 0x1f000:
		// symbols, scripts without capitals
		return r
	case r >= 'ß' && r <= 'ÿ', r >= 'а' && r <= 'я':
		return r
	case r >= 'А' && r <= 'Я':
		return r + 0x20
	}
	return unicode.ToLower(r)
}
