package sdk

import (
	"strings"
	"unicode/utf8"
)

// Match reports whether a slash-separated path matches a glob. Globs are
// written as in a DocumentSpec: "?" is one character, "*" any characters but a
// slash, "**" as a whole path element any number of elements, also none;
// "[a-z]" is one character of a class, "[!a-z]" or "[^a-z]" one that is not in
// it; "{a,b}" is either. A backslash makes the next character mean itself.
//
// Match panics if the glob is malformed: an unclosed class or brace is a slip of
// the author, and a rule that matches nothing would never be noticed. So do not build globs
// from names that are found in documents; compare such names as texts.
func Match(glob, name string) bool {
	mustBeGlob("sdk.Match", glob)
	return matches(glob, name)
}

// mustBeGlob panics, naming the call and the glob, if the glob is malformed.
func mustBeGlob(call, glob string) {
	if why := globFault(glob); why != "" {
		panic(call + `: the glob "` + glob + `" ` + why)
	}
}

// matches is Match of a glob that is well formed.
func matches(glob, name string) bool {
	return anyChoice(glob, func(plain string) bool {
		return matchSegments(strings.Split(plain, "/"), strings.Split(name, "/"))
	})
}

// anyChoice reports whether f holds for one of the globs that the braces of a
// well-formed glob stand for.
func anyChoice(glob string, f func(plain string) bool) bool {
	open := nextOf(glob, 0, "{")
	if open == len(glob) {
		return f(glob)
	}
	for at := open; glob[at] != '}'; {
		from := at + 1
		at = nextOf(glob, from, ",}")
		rest := glob[nextOf(glob, at, "}")+1:]
		if anyChoice(glob[:open]+glob[from:at]+rest, f) {
			return true
		}
	}
	return false
}

// nextOf returns where the first of some characters stands in a well-formed
// glob, from a place on, neither escaped nor in a class; its length if nowhere.
func nextOf(glob string, from int, of string) int {
	for i := from; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.IndexByte(of, c) >= 0:
			return i
		case c == '\\':
			i++
		case c == '[':
			i += classLength(glob[i:]) - 1
		}
	}
	return len(glob)
}

// globFault says what is malformed in a glob, "" if nothing is.
func globFault(glob string) string {
	open := false
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			if i++; i == len(glob) || glob[i] == '/' {
				return "has a backslash with no character of a name behind it"
			}
		case '[':
			n := classLength(glob[i:])
			if n == 0 {
				return "has a malformed character class, expected one such as [a-z] or [!a-z]"
			}
			i += n - 1
		case ']':
			return "closes a character class that is not open"
		case '{':
			if open {
				return "nests braces; write the alternatives out"
			}
			open = true
		case '}':
			if !open {
				return "closes a brace that is not open"
			}
			open = false
		}
	}
	if open {
		return "opens a brace and does not close it"
	}
	return ""
}

// classLength returns the length of the class that a glob begins with, 0 if it
// is malformed: not closed, empty, with a slash, or with a range whose ends do not rise.
func classLength(glob string) int {
	rest := classBody(glob)
	for first := true; first || !strings.HasPrefix(rest, "]"); first = false {
		low, high, next, ok := classRange(rest)
		if !ok || low > high {
			return 0
		}
		rest = next
	}
	return len(glob) - len(rest) + 1
}

// classBody is a class without its bracket and the mark of negation.
func classBody(glob string) string {
	if body := glob[1:]; strings.HasPrefix(body, "!") || strings.HasPrefix(body, "^") {
		return body[1:]
	}
	return glob[1:]
}

// classRange reads a character or a range of a class.
func classRange(class string) (low, high rune, rest string, ok bool) {
	if low, rest, ok = classRune(class); !ok || !strings.HasPrefix(rest, "-") {
		return low, low, rest, ok
	}
	high, rest, ok = classRune(rest[1:])
	return low, high, rest, ok
}

// classRune reads a character of a class, perhaps behind a backslash.
func classRune(class string) (r rune, rest string, ok bool) {
	if class == "" || strings.IndexByte("-[]/", class[0]) >= 0 {
		return 0, "", false
	}
	class = strings.TrimPrefix(class, `\`)
	r, size := utf8.DecodeRuneInString(class)
	return r, class[size:], size > 0 && (r != utf8.RuneError || size > 1)
}

// matchSegments matches path elements: as matchSegment does with characters, and "**" for the star.
func matchSegments(glob, name []string) bool {
	var afterStars, from []string
	starred := false
	for {
		if len(glob) > 0 && glob[0] == "**" {
			glob = glob[1:]
			afterStars, from, starred = glob, name, true
			continue
		}
		if len(glob) == 0 && len(name) == 0 {
			return true
		}
		if len(glob) > 0 && len(name) > 0 && matchSegment(glob[0], name[0]) {
			glob, name = glob[1:], name[1:]
			continue
		}
		if !starred || len(from) == 0 {
			return false
		}
		from = from[1:]
		glob, name = afterStars, from
	}
}

// matchSegment matches one path element against one without braces.
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
		_, size := utf8.DecodeRuneInString(from)
		from = from[size:]
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
		return glob[classLength(glob):], name[size:], inClass(glob, r)
	}
	glob = strings.TrimPrefix(glob, `\`)
	if glob == "" || glob[0] != name[0] {
		return "", "", false
	}
	return glob[1:], name[1:], true
}

// inClass reports whether a character is of the class that a glob begins with.
func inClass(glob string, r rune) bool {
	rest := classBody(glob)
	negated, found := len(rest) < len(glob)-1, false
	for !strings.HasPrefix(rest, "]") {
		low, high, next, ok := classRange(rest)
		if !ok {
			return false
		}
		found = found || low <= r && r <= high
		rest = next
	}
	return found != negated
}
