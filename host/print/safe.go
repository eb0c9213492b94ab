// Package print writes results, one format per file.
//
// Everything it writes goes through one sanitiser: paths, excerpts, messages and stderr quote hostile files and
// plugins, and a terminal or a CI log must show them without obeying them.
package print

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
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
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteString(shown(r))
		}
		i += n
	}
	return b.String()
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
	case hidden(r):
		return fmt.Sprintf(`\u{%x}`, r)
	}
	return string(r)
}

// hidden reports whether a terminal shows r as nothing, or lets it change how
// its neighbours are shown. The joiners that scripts and emoji need stay.
func hidden(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner = 0x200c, 0x200d
	if r == zeroWidthNonJoiner || r == zeroWidthJoiner {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) || r >= 0xfe00 && r < 0xfe0f
}

// disarm keeps CI logs from reading a text as a command. GitHub obeys a line
// whose first characters that are not white space are "::", and "##[" anywhere.
func disarm(s string) string {
	s = strings.ReplaceAll(s, "##[", `#\x23[`)
	start := strings.TrimLeftFunc(s, unicode.IsSpace)
	if rest, ok := strings.CutPrefix(start, "::"); ok {
		return s[:len(s)-len(start)] + `\x3a:` + rest
	}
	return s
}
