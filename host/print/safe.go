// Package print writes results, one format per file.
//
// Everything it writes goes through one sanitizer: paths, excerpts, messages and stderr quote hostile files and
// plugins, and a terminal or a CI log must show them without obeying them.
package print

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Safe returns a text as one line that shows control, bidirectional and other invisible characters instead of obeying
// them. Invalid UTF-8 is shown byte by byte. It never yields what a CI log reads as a command.
func Safe(s string) string {
	if plain(s) {
		return s
	}
	return disarm(visible(s))
}

// visible shows what a terminal would obey.
func visible(s string) string {
	var b strings.Builder
	var x scan
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		before := x.before
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
			x = scan{}
		case x.unseen(r), twin(s, before, r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(shown(r))
		}
		i += n
	}
	return b.String()
}

// twin reports whether a combining mark makes a character of the one before that the text also has in one piece. The
// two look alike, and a message about both must tell them apart.
func twin(s string, before, mark rune) bool {
	if before == 0 || !unicode.Is(unicode.M, mark) {
		return false
	}
	whole := norm.NFC.String(string([]rune{before, mark}))
	return utf8.RuneCountInString(whole) == 1 && strings.Contains(s, whole)
}

// A scan reads a text one character after the other.
type scan struct {
	before rune // 0 if it was hidden
	marks  int  // in a row
}

// maxMarks is how many combining marks a character has in any script; more hide bytes, or the lines around.
const maxMarks = 4

// unseen reports whether a character is shown as nothing, or lets it change how its neighbors are shown. A joiner that
// scripts and emoji need stays behind what it can join.
func (x *scan) unseen(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner, firstPrintable = 0x200c, 0x200d, 0xa0 // beyond ASCII
	before := x.before
	x.before, x.marks = r, x.marks+1
	if r < utf8.RuneSelf || !unicode.Is(unicode.M, r) {
		x.marks = 0
	}
	hide := hidden(r) || x.marks > maxMarks
	if r == zeroWidthNonJoiner || r == zeroWidthJoiner {
		hide = before < firstPrintable || before == zeroWidthNonJoiner || before == zeroWidthJoiner
	}
	if hide {
		x.before = 0
	}
	return hide
}

// plain reports whether s is printable ASCII without what disarm looks for.
func plain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == ':' || r == '#' })
}

func shown(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return fmt.Sprintf(`\x%02x`, r)
	}
	return string(r)
}

// hidden reports whether r is a format character, blank although not a space, or ignored where it is not known.
func hidden(r rune) bool {
	const emojiStyle, brailleBlank, nullNotehead = 0xfe0f, 0x2800, 0x1d159
	return r >= utf8.RuneSelf && r != emojiStyle && (r == brailleBlank || r == nullNotehead ||
		unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector))
}

// disarm keeps CI logs from reading a text as a command. GitHub obeys a line
// whose first characters that are not white space are "::", and "##[" anywhere; Azure "##vso[", TeamCity "##teamcity[".
func disarm(s string) string {
	for i := 0; ; i += len(`#\x23`) {
		at := strings.Index(s[i:], "##")
		if at < 0 {
			break
		}
		if i += at; command(s[i+2:]) {
			s = s[:i+1] + `\x23` + s[i+2:]
		} else {
			i -= len(`\x23`)
		}
	}
	start := strings.TrimLeftFunc(s, unicode.IsSpace)
	if rest, ok := strings.CutPrefix(start, "::"); ok {
		return s[:len(s)-len(start)] + `\x3a:` + rest
	}
	return s
}

// command reports whether a text behind "##" may be a command.
func command(s string) bool {
	return s != "" && (s[0] == '[' || s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
}
