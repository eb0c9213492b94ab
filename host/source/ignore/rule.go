package ignore

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/stategate/stategate/host/slashpath"
)

// A Rule is a line in an ignore file, as described in gitignore(5). The zero Rule matches nothing. A character class
// in a form that the glob library does not support, such as "[[:alpha:]]" or "[]a]", also matches nothing, so that
// too much is checked rather than too little.
type Rule struct {
	Source  string // the file, relative to the top if it is a .gitignore
	Line    int    // 1-based
	Pattern string // as written
	*matcher
}

// A matcher is the parsed form of a rule.
type matcher struct {
	dir      string // it applies below this directory
	text     string // the pattern without "!" and without slashes at its ends, as a glob
	negated  bool   // matching paths are not ignored after all
	dirOnly  bool
	anyDepth bool // text is compared with a path's last component
	literal  int  // number of bytes in text before the first special character
}

// Ignores reports whether the rule makes git ignore the path. A pattern that begins with "!" does the opposite.
func (r Rule) Ignores() bool { return r.matcher != nil && !r.negated }

// Names returns the pattern as a path relative to the top, which may contain wildcards. It returns "" if the rule
// does not ignore anything.
func (r Rule) Names() string {
	if !r.Ignores() {
		return ""
	}
	return path.Join(r.dir, r.Pattern)
}

// String returns the rule's location and text.
func (r Rule) String() string { return fmt.Sprintf("%s:%d: %s", r.Source, r.Line, r.Pattern) }

func parse(source, dir string, text []byte) (list []Rule) {
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))) {
		n++
		pattern := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		if pattern = trimSpaces(pattern); pattern != "" && pattern[0] != '#' {
			list = append(list, Rule{source, n, pattern, newMatcher(dir, pattern)})
		}
	}
	return list
}

// trimSpaces removes trailing spaces, except those after a backslash.
func trimSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
			end = min(i+1, len(s))
		case s[i] != ' ':
			end = i + 1
		}
	}
	return s[:end]
}

func newMatcher(dir, text string) *matcher {
	m := &matcher{dir: dir}
	text, m.negated = strings.CutPrefix(text, "!")
	text, m.dirOnly = strings.CutSuffix(text, "/")
	m.anyDepth = !strings.Contains(text, "/")
	m.text = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(strings.TrimPrefix(text, "/"))
	if strings.HasSuffix(m.text, "/**") {
		m.text += "/*" // what is in the directory, not the directory itself
	}
	if m.literal = strings.IndexAny(m.text, `*?[\`); m.literal < 0 {
		m.literal = len(m.text)
	}
	return m
}

func lastOf(list []Rule, name string, fold bool, isDir func() bool) Rule {
	for _, r := range slices.Backward(list) {
		if r.matches(name, fold) && (!r.dirOnly || isDir()) {
			return r
		}
	}
	return Rule{}
}

func (m *matcher) matches(name string, fold bool) bool {
	text, head, rest := slashpath.Below(m.dir, name), m.text[:m.literal], m.text[m.literal:]
	if m.anyDepth {
		text = path.Base(name)
	}
	if fold {
		text, head, rest = lower(text), lower(head), lower(rest)
	}
	text, ok := strings.CutPrefix(text, head)
	if !ok || rest == "" || strings.Contains(rest, "[:") {
		return ok && rest+text == ""
	}
	matches, err := doublestar.Match(characters(rest), characters(text))
	return matches && err == nil // a malformed pattern matches nothing
}

// characters turns each byte into a character, because git compares bytes.
func characters(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return s
	}
	list := make([]rune, len(s))
	for i, c := range []byte(s) {
		list[i] = rune(c)
	}
	return string(list)
}

// lower converts only ASCII letters, as git does.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
