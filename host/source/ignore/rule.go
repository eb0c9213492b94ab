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

// A Rule is a line of an ignore file, as gitignore(5) describes it. The zero Rule is none. Where a class of characters
// is written in a way that the library does not know, "[[:alpha:]]" or "[]a]", it matches nothing: more is checked
// then, not less.
type Rule struct {
	Source  string // the file, below the top if it is a .gitignore
	Line    int    // 1-based
	Pattern string // as it is written
	*matcher
}

// A matcher is what a rule matches.
type matcher struct {
	dir      string // what is below this directory
	text     string // the pattern without "!" and slashes at its ends, as a glob
	negated  bool   // what it matches is not ignored after all
	dirOnly  bool
	anyDepth bool // text is compared with the last name of a path
	literal  int  // bytes of text before the first special character
}

// Ignores reports whether the rule makes git ignore the path. A pattern that begins with "!" takes it back in.
func (r Rule) Ignores() bool { return r.matcher != nil && !r.negated }

// Names returns the pattern as a path below the top, which may contain wildcards; "" if it includes paths again.
func (r Rule) Names() string {
	if !r.Ignores() {
		return ""
	}
	return path.Join(r.dir, r.Pattern)
}

// String returns the place and the text of the rule.
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

// trimSpaces removes spaces at the end, except those after a backslash.
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
		m.text += "/*" // something, not the directory itself
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

// characters makes a character of each byte, since git compares bytes.
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

// lower is for ASCII only, as in git.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
