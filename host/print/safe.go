// Package print writes results, one format per file.
//
// All output goes through one sanitizer. Paths, excerpts, messages and stderr may come from hostile files and
// plugins, and a terminal or a CI log must display them without interpreting them.
package print

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Safe returns a text as one line in which control, bidirectional and other invisible characters are shown as
// escapes. Invalid UTF-8 is shown byte by byte. The result never contains anything that a CI log reads as a command.
func Safe(s string) string {
	if plain(s) {
		return s
	}
	return disarm(visible(s))
}

// visible escapes everything that a terminal would interpret.
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

// twin reports whether a combining mark and the character before it equal a precomposed character that the text also
// contains. The two look alike, and a message about both must distinguish them.
func twin(s string, before, mark rune) bool {
	if before == 0 || !unicode.Is(unicode.M, mark) {
		return false
	}
	whole := norm.NFC.String(string([]rune{before, mark}))
	return utf8.RuneCountInString(whole) == 1 && strings.Contains(s, whole)
}

// A scan reads a text character by character.
type scan struct {
	before rune // 0 if it was hidden
	marks  int  // number of consecutive combining marks
}

// maxMarks is the most combining marks per character in any script. More marks hide bytes or the lines around them.
const maxMarks = 4

// unseen reports whether a character is invisible or changes how its neighbors look. Joiners that scripts and emoji
// need are allowed after a character that they can join.
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

// plain reports whether s is printable ASCII without anything that disarm handles.
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

// hidden reports whether r is a format character, blank without being a space, or ignored by fonts that lack it.
func hidden(r rune) bool {
	const emojiStyle, brailleBlank, nullNotehead = 0xfe0f, 0x2800, 0x1d159
	return r >= utf8.RuneSelf && r != emojiStyle && (r == brailleBlank || r == nullNotehead ||
		unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector))
}

// disarm keeps CI logs from reading a text as a command. GitHub obeys a line that starts with "::" after white space,
// and "##[" anywhere; Azure obeys "##vso[", and TeamCity "##teamcity[".
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

// command reports whether the text after "##" may be a command.
func command(s string) bool {
	return s != "" && (s[0] == '[' || s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
}
