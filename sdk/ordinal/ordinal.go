// Package ordinal sorts numbered names the way people do: 2 before 10, 02 equal to 2, 2.1 after 2, 12A after 12, R9
// before R10.
package ordinal

import (
	"cmp"
	"strings"
)

// Compare orders two names naturally: runs of digits by value, ignoring leading zeros, and everything else by
// bytes. It returns 0 for names that differ only in leading zeros.
func Compare(a, b string) int {
	for a != "" && b != "" {
		restA, restB := strings.TrimLeft(a, digits), strings.TrimLeft(b, digits)
		if len(restA) < len(a) && len(restB) < len(b) {
			x, y := strings.TrimLeft(a[:len(a)-len(restA)], "0"), strings.TrimLeft(b[:len(b)-len(restB)], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = restA, restB
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

const digits = "0123456789"

// Leading returns the ordinal that a name begins with, and the rest after the separator: "02-01" and "plan.md" for
// "02-01-plan.md", "2.1" for "2.1 Parse", "12A" for "12A: Fix". A letter belongs to the ordinal only if it follows
// a digit and precedes a separator or the end.
func Leading(name string) (ordinal, rest string) {
	at := 0
	for {
		n := len(name[at:]) - len(strings.TrimLeft(name[at:], digits))
		if n == 0 {
			break
		}
		at += n
		if at < len(name) && 'A' <= name[at]&^0x20 && name[at]&^0x20 <= 'Z' &&
			(at+1 == len(name) || !isLetter(name[at+1])) {
			at++
		}
		ordinal = name[:at]
		if at >= len(name)-1 || (name[at] != '.' && name[at] != '-') || name[at+1] < '0' || name[at+1] > '9' {
			break
		}
		at++
	}
	if ordinal == "" || len(ordinal) < len(name) && isLetter(name[len(ordinal)]) {
		return "", name
	}
	return ordinal, strings.TrimLeft(name[len(ordinal):], " .:)_-–—")
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80 }
