package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lower is strings.ToLower, faster.
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

// LowerWide is a text as it is, or in lower case where that changes a character beyond ASCII: what a list of
// [List.AnyCase] asks for.
func LowerWide(text string) string {
	for i := range len(text) {
		c := text[i]
		// within a character, in a script without capitals, a dash
		if c < 0xc0 || c >= 0xe3 && c <= 0xe9 || c == 0xe2 && i+1 < len(text) && text[i+1] == 0x80 {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(text[i:]); small(r) != r {
			return Lower(text)
		}
	}
	return text
}

// small is unicode.ToLower for characters beyond ASCII, faster for what most texts hold.
func small(r rune) rune {
	switch {
	case r >= 0x2000 && r < 0x2100, r >= 0x2190 && r < 0x2400, r >= 0x2500 && r < 0x2c00, r >= 0x2e80 && r < 0xa640,
		r >= 0xac00 && r < 0xff00, r >= 0x1f000:
		// signs, scripts without capitals
		return r
	case r >= 'ß' && r <= 'ÿ', r >= 'а' && r <= 'я':
		return r
	case r >= 'А' && r <= 'Я':
		return r + 0x20
	}
	return unicode.ToLower(r)
}
