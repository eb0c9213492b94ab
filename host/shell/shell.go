// Package shell quotes words of printed commands that users type.
package shell

import (
	"fmt"
	"runtime"
	"strings"
	"unicode"
)

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:+"

// Word quotes a word for a POSIX shell, or for PowerShell on Windows, if it needs quoting.
func Word(s string) string {
	if runtime.GOOS == "windows" {
		return powerShell(s)
	}
	if s != "" && s[0] != '~' && strings.Trim(s, plain+"@%,~^") == "" {
		return s
	}
	if escaped, ok := escape(s); ok {
		return `"$(printf '` + escaped + `')"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// escape writes a word as a printf format that contains escapes for the characters that a terminal does not show. It
// reports false if the word has no such character, or ends in a line feed, which a command substitution would drop.
func escape(s string) (format string, ok bool) {
	var b strings.Builder
	for i, r := range s {
		switch next := i + len(string(r)); {
		case unseen(r):
			ok = true
			if r == unicode.ReplacementChar && !strings.HasPrefix(s[i:], string(r)) {
				next = i + 1
			}
			for _, c := range []byte(s[i:next]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		case strings.ContainsRune(`%\'`, r), r == '-' && i == 0: // printf has options
			fmt.Fprintf(&b, `\%03o`, r)
		default:
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(b.String(), `\045`, "%%"), ok && !strings.HasSuffix(s, "\n")
}

// unseen reports whether a terminal does not show a character, or whether it stands for an invalid byte.
func unseen(r rune) bool {
	const brailleBlank = 0x2800
	return !unicode.IsPrint(r) || r == unicode.ReplacementChar || r == brailleBlank ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// powerShell quotes for PowerShell, which also treats typographic quotes as quotes. The result is also safe in a
// POSIX shell.
func powerShell(s string) string {
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.NewReplacer("'", "''", "‘", "‘‘", "’", "’’", "‚", "‚‚", "‛", "‛‛").Replace(s) + "'"
}
