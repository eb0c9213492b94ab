package sdk

import (
	"strings"
	"unicode/utf8"
)

// Match reports whether a slash-separated path matches a glob. The syntax is that of a DocumentSpec:
//
//   - "?" matches one character other than a slash.
//   - "*" matches any number of characters other than a slash.
//   - "**" as a whole path element matches any number of elements, including none.
//   - "[a-z]" matches one character in the class; "[!a-z]" or "[^a-z]" matches one that is not.
//   - "{a,b}" matches either alternative.
//   - A backslash makes the next character literal.
//
// Match panics if the glob is malformed, for example with an unclosed class or brace. That is a programming error:
// a rule whose glob matches nothing would go unnoticed. Do not build globs from names found in documents; compare
// such names as strings.
func Match(glob, name string) bool {
	mustBeGlob("sdk.Match", glob)
	return matches(glob, name)
}

// mustBeGlob panics if the glob is malformed. The panic names the call and the glob.
func mustBeGlob(call, glob string) {
	if !wellFormed(glob) {
		panic(call + `: the glob "` + glob + `" is malformed: check for a bracket or brace that is not closed or not ` +
			`opened, ` +
			`for braces in braces, for a range such as [z-a], and for a backslash at the end`)
	}
}

// matches is like Match but does not check that the glob is well formed.
func matches(glob, name string) bool {
	return anyChoice(glob, func(plain string) bool { return matchPath(plain, name) })
}

// anyChoice expands the braces of a well-formed glob and reports whether f returns true for any of the results.
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

// beginning returns a prefix of every path that a well-formed glob matches.
func beginning(glob string) string {
	end := 0
	for end < len(glob) && strings.IndexByte("?*[{\\", glob[end]) < 0 {
		end++
	}
	return strings.TrimSuffix(glob[:end], "/") // so that "a/**" matches "a"
}

// nextOf returns the index, at or after `from`, of the first character that `of` contains. It skips escaped
// characters and classes. If there is no such character, it returns the glob's length.
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

// wellFormed reports whether a glob's classes and braces are closed, valid and not nested, and whether every
// backslash is followed by a character.
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

// class parses the class at the beginning of a glob and reports whether it contains r. The length is 0 if the class
// is malformed: unclosed, empty, with a slash, or with a range that does not ascend.
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

// classRune reads one character of a class, which may be escaped. The length is 0 if there is none.
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

// elements iterates over the elements of a path. It is a slice of the path's text, so matching does not allocate.
type elements struct {
	text string
	left bool // there is another element, which may be ""
}

// next returns the first element and the rest.
func (e elements) next() (first string, rest elements) {
	first, rest.text, rest.left = strings.Cut(e.text, "/")
	return first, rest
}

// matchPath matches a path against a glob without braces. It handles elements and "**" the way matchSegment handles
// characters and "*".
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

// matchSegment matches one path element against a glob element without braces.
func matchSegment(glob, name string) bool {
	afterStar, from, starred := "", "", false // where to retry: after the last star, one character later
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

// matchOne matches one character at the beginning of glob and name, and returns the rest of each.
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
