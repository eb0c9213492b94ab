package git

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/slashpath"
)

// A Rule is a line of an ignore file, as gitignore(5) describes it. The zero Rule is none.
type Rule struct {
	Source  string // the file, below the top if it is a .gitignore
	Line    int    // 1-based
	Pattern string // as it is written
	*matcher
}

// A matcher is what a rule matches.
type matcher struct {
	dir      string // what is below this directory
	text     string // the pattern without "!" and slashes at its ends
	takeBack bool   // what it matches is not ignored after all
	dirOnly  bool
	anyDepth bool // text is compared with the last name of a path
	literal  int  // bytes of text before the first special character
	glob     *regexp.Regexp
	compiled bool
}

// Ignores reports whether the rule makes git ignore the path. A pattern that begins with "!" takes it back in.
func (r Rule) Ignores() bool { return r.matcher != nil && !r.takeBack }

// Names returns the pattern as a path below the top, of which wildcards may be parts; "" if it takes paths back in.
func (r Rule) Names() string {
	if !r.Ignores() {
		return ""
	}
	return path.Join(r.dir, r.Pattern)
}

// String returns the place and the text of the rule.
func (r Rule) String() string { return fmt.Sprintf("%s:%d: %s", r.Source, r.Line, r.Pattern) }

// parseRules reads an ignore file about what is below a directory.
func parseRules(source, dir string, text []byte) (list []Rule) {
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

// trimSpaces removes spaces at the end, but for those behind a backslash.
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
	text, m.takeBack = strings.CutPrefix(text, "!")
	text, m.dirOnly = strings.CutSuffix(text, "/")
	m.anyDepth = !strings.Contains(text, "/")
	m.text = strings.TrimPrefix(text, "/")
	if m.literal = strings.IndexAny(m.text, `*?[\`); m.literal < 0 {
		m.literal = len(m.text)
	}
	return m
}

// lastOf returns the last rule of a list that matches a path.
func lastOf(list []Rule, name string, fold bool, isDir func() bool) Rule {
	for _, r := range slices.Backward(list) {
		if r.matches(name, fold) && (!r.dirOnly || isDir()) {
			return r
		}
	}
	return Rule{}
}

func (m *matcher) matches(name string, fold bool) bool {
	text, head := slashpath.Below(m.dir, name), m.text[:m.literal]
	if m.anyDepth {
		text = path.Base(name)
	}
	if fold {
		text, head = lower(text), lower(head)
	}
	rest := m.text[m.literal:]
	text, ok := strings.CutPrefix(text, head)
	switch {
	case !ok || rest == "":
		return ok && text == ""
	case m.anyDepth && rest[0] == '*' && !fold && !strings.ContainsAny(rest[1:], `*?[\`):
		return strings.HasSuffix(text, rest[1:])
	}
	if !m.compiled {
		m.glob, m.compiled = compileGlob(rest, !m.anyDepth, fold), true
	}
	return m.glob != nil && m.glob.MatchString(characters(text))
}

// lower is for ASCII only, as git has it.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// characters makes a character of each byte, since git compares bytes.
func characters(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// compileGlob compiles a pattern as git's wildmatch has it; nil if it matches nothing. If it is for paths, wildcards do not match
// a slash, except for "**" as a whole name. If it folds, it is for text in lower case.
func compileGlob(p string, paths, fold bool) *regexp.Regexp {
	any := "."
	if paths {
		any = "[^/]"
	}
	b := strings.Builder{}
	b.WriteString(`(?s)\A`)
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '?':
			b.WriteString(any)
		case '*':
			end := i
			for end < len(p) && p[end] == '*' {
				end++
			}
			whole := end-i > 1 && (i == 0 || p[i-1] == '/') && (end == len(p) || p[end] == '/' || strings.HasPrefix(p[end:], `\/`))
			switch {
			case !paths || !whole:
				b.WriteString(any + "*")
			case end < len(p) && p[end] == '/':
				b.WriteString("(?:.*/)?")
				end++
			default:
				b.WriteString(".*")
			}
			i = end - 1
		case '[':
			set, end := class(p, i, paths, fold)
			if set == "" {
				return nil
			}
			b.WriteString(set)
			i = end
		case '\\':
			if i++; i == len(p) {
				return nil
			}
			fallthrough
		default:
			c := characters(p[i : i+1])
			if fold {
				c = lower(c)
			}
			b.WriteString(regexp.QuoteMeta(c))
		}
	}
	glob, err := regexp.Compile(b.String() + `\z`)
	if err != nil {
		return nil // too large
	}
	return glob
}

// class returns the class of characters that begins at p[at] as a regular expression, and where it ends; "" if it is malformed.
func class(p string, at int, paths, fold bool) (set string, end int) {
	var b strings.Builder
	for c := range 256 {
		matched, to := inClass(p, at+1, byte(c), fold)
		if to < 0 {
			return "", 0
		}
		if end = to; matched && (!paths || c != '/') {
			b.WriteString(`\x{` + strconv.FormatInt(int64(c), 16) + "}")
		}
	}
	if b.Len() == 0 {
		return "", 0
	}
	return "[" + b.String() + "]", end
}

// inClass reports whether a class that begins behind a bracket at p[:i] matches a byte, and where it ends; -1 if it is malformed.
func inClass(p string, i int, c byte, fold bool) (matched bool, end int) {
	p += "\x00"
	upper := c
	if fold && 'a' <= c && c <= 'z' {
		upper -= 'a' - 'A'
	}
	negated := p[i] == '!' || p[i] == '^'
	if negated {
		i++
	}
	for before, first := byte(0), true; first || p[i] != ']'; first = false {
		now := p[i]
		switch {
		case now == 0:
			return false, -1
		case now == '-' && before != 0 && p[i+1] != 0 && p[i+1] != ']':
			if i++; p[i] == '\\' {
				i++
			}
			if p[i] == 0 {
				return false, -1
			}
			matched = matched || before <= c && c <= p[i] || before <= upper && upper <= p[i]
			now = 0
		case strings.HasPrefix(p[i:], "[:"):
			name, _, ok := strings.Cut(p[i+2:], "]")
			if !ok {
				return false, -1
			}
			if inner, closed := strings.CutSuffix(name, ":"); closed {
				kind, err := regexp.Compile("[[:" + inner + ":]]")
				if err != nil || inner[0] == '^' || inner == "ascii" || inner == "word" {
					return false, -1
				}
				matched = matched || c < 0x80 && kind.Match([]byte{c}) || inner == "upper" && upper != c
				now, i = 0, i+2+len(name)
			} else {
				matched = matched || c == '['
			}
		case now == '\\':
			if i++; p[i] == 0 {
				return false, -1
			}
			now = p[i]
			fallthrough
		default:
			matched = matched || c == now
		}
		before = now
		i++
	}
	return matched != negated, i
}
