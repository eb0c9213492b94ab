package sdk

import (
	"strings"
	"unicode/utf8"
)

// Match reports whether a slash-separated path matches a glob. A segment **
// matches any number of segments, also none; within a segment * and ? stand for
// characters, [a-z] and [^a-z] for one, and \ makes the next one mean itself, as in path.Match. Braces, which a DocumentSpec may use, are not known here.
func Match(glob, name string) bool {
	return matchSegments(strings.Split(glob, "/"), strings.Split(name, "/"))
}

func matchSegments(glob, name []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			return matchAnywhere(glob[1:], name)
		}
		if len(name) == 0 {
			return false
		}
		if !matchSegment(glob[0], name[0]) {
			return false
		}
		glob, name = glob[1:], name[1:]
	}
	return len(name) == 0
}

func matchAnywhere(glob, name []string) bool {
	for i := 0; i <= len(name); i++ {
		if matchSegments(glob, name[i:]) {
			return true
		}
	}
	return false
}

// matchSegment is path.Match, which would bring its package along, but that a
// malformed glob matches nothing.
func matchSegment(glob, name string) bool {
	afterStar, from, starred := "", "", false // where to try again: what follows the last star begins further on
	for {
		if strings.HasPrefix(glob, "*") {
			glob = glob[1:]
			afterStar, from, starred = glob, name, true
			continue
		}
		if glob == "" && name == "" {
			return true
		}
		if glob2, name2, ok := matchOne(glob, name); ok {
			glob, name = glob2, name2
			continue
		}
		if !starred || from == "" {
			return false
		}
		from = from[1:]
		glob, name = afterStar, from
	}
}

// matchOne matches what glob and name begin with, and returns what is behind.
func matchOne(glob, name string) (globRest, nameRest string, ok bool) {
	if glob == "" || name == "" {
		return "", "", false
	}
	r, size := utf8.DecodeRuneInString(name)
	switch glob[0] {
	case '?':
		return glob[1:], name[size:], true
	case '[':
		globRest, ok = matchClass(glob[1:], r)
		return globRest, name[size:], ok
	}
	glob = strings.TrimPrefix(glob, `\`)
	if glob == "" || glob[0] != name[0] {
		return "", "", false
	}
	return glob[1:], name[1:], true
}

// matchClass matches a character against the inside of brackets.
func matchClass(glob string, r rune) (rest string, ok bool) {
	rest = strings.TrimPrefix(glob, "^")
	negated, found := len(rest) < len(glob), false
	for first := true; first || !strings.HasPrefix(rest, "]"); first = false {
		var low, high rune
		if low, rest, ok = classRune(rest); !ok {
			return rest, false
		}
		if high = low; strings.HasPrefix(rest, "-") {
			if high, rest, ok = classRune(rest[1:]); !ok {
				return rest, false
			}
		}
		found = found || low <= r && r <= high
	}
	return rest[1:], found != negated
}

// classRune reads a character of a class, perhaps behind a backslash.
func classRune(glob string) (r rune, rest string, ok bool) {
	if strings.HasPrefix(glob, "-") || strings.HasPrefix(glob, "]") {
		return 0, "", false
	}
	glob = strings.TrimPrefix(glob, `\`)
	r, size := utf8.DecodeRuneInString(glob)
	return r, glob[size:], size > 0 && (r != utf8.RuneError || size > 1)
}
