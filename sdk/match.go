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
	if !wellFormed(glob) {
		panic(call + `: the glob "` + glob + `" is malformed: look for a bracket or brace that is not closed or not ` +
			`opened, ` +
			`for braces in braces, for a range such as [z-a], and for a backslash at the end`)
	}
}

// matches is Match of a glob that is well formed.
func matches(glob, name string) bool {
	return anyChoice(glob, func(plain string) bool { return matchPath(plain, name) })
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

// beginning is what every path begins with that a well-formed glob matches.
func beginning(glob string) string {
	end := 0
	for end < len(glob) && strings.IndexByte("?*[{\\", glob[end]) < 0 {
		end++
	}
	return strings.TrimSuffix(glob[:end], "/") // "a/**" matches "a"
}

// nextOf returns the place of the first of some characters in a well-formed glob, from a place on, neither escaped
// nor in a class; its length if there is none.
func nextOf(glob string, from int, of string) int {
	for i := from; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.IndexByte(of, c) >= 0:
			return i
		case c == '\\':
			i++
		case c == '[':
			n, _ := class(glob[i:], 0)
			i += n - 1
		}
	}
	return len(glob)
}

// wellFormed reports whether a glob's classes and braces are closed, do not nest and hold what they may, and every
// backslash has a character after it.
func wellFormed(glob string) bool {
	open := false
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			if i++; i == len(glob) || glob[i] == '/' {
				return false
			}
		case '[':
			n, _ := class(glob[i:], 0)
			if n == 0 {
				return false
			}
			i += n - 1
		case ']':
			return false
		case '{', '}':
			if open != (glob[i] == '}') {
				return false
			}
			open = !open
		}
	}
	return !open
}

// class reads the class that a glob begins with, and says whether a character is in
// it. The length is 0 if the class is malformed: not closed, empty, with a slash, or
// with a range whose ends do not rise.
func class(glob string, r rune) (length int, in bool) {
	i := 1
	negated := len(glob) > 1 && (glob[1] == '!' || glob[1] == '^')
	if negated {
		i++
	}
	for first := true; first || i < len(glob) && glob[i] != ']'; first = false {
		low, n := classRune(glob[i:])
		high, m := low, n
		if i += n; i < len(glob) && glob[i] == '-' {
			high, m = classRune(glob[i+1:])
			i += m + 1
		}
		if n == 0 || m == 0 || low > high {
			return 0, false
		}
		in = in || low <= r && r <= high
	}
	if i >= len(glob) {
		return 0, false
	}
	return i + 1, in != negated
}

// classRune reads a character of a class, perhaps behind a backslash; its length is 0 if there is none.
func classRune(class string) (r rune, length int) {
	if class == "" || strings.IndexByte("-[]/", class[0]) >= 0 {
		return 0, 0
	}
	bare := strings.TrimPrefix(class, `\`)
	r, n := utf8.DecodeRuneInString(bare)
	if r == utf8.RuneError && n < 2 {
		return 0, 0
	}
	return r, len(class) - len(bare) + n
}

// elements are what is left of a path, read element by element; no more than its text, so that matching makes no
// garbage.
type elements struct {
	text string
	left bool // there is an element, which may be ""
}

// next returns the first element and those after it.
func (e elements) next() (first string, rest elements) {
	first, rest.text, rest.left = strings.Cut(e.text, "/")
	return first, rest
}

// matchPath matches a path against a glob without braces: its elements as matchSegment does characters, and "**" for
// the star.
func matchPath(plain, path string) bool {
	glob, name := elements{plain, true}, elements{path, true}
	var afterStars, from elements
	starred := false
	for {
		pattern, globRest := glob.next()
		if glob.left && pattern == "**" {
			glob = globRest
			afterStars, from, starred = glob, name, true
			continue
		}
		if !glob.left && !name.left {
			return true
		}
		first, nameRest := name.next()
		if glob.left && name.left && matchSegment(pattern, first) {
			glob, name = globRest, nameRest
			continue
		}
		if !starred || !from.left {
			return false
		}
		_, from = from.next()
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
		n, in := class(glob, r)
		return glob[n:], name[size:], in
	}
	glob = strings.TrimPrefix(glob, `\`)
	if glob == "" || glob[0] != name[0] {
		return "", "", false
	}
	return glob[1:], name[1:], true
}
