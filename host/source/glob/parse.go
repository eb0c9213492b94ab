package glob

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// maxAlternatives is the greatest number of globs that the braces of one glob make.
const maxAlternatives = 1024

type nameKind uint8

const (
	literal nameKind = iota
	pattern          // wildcards among other characters
	star             // "*": any name
	stars            // "**": any number of directories
)

// A name is one part of a glob between slashes.
type name struct {
	kind   nameKind
	text   string
	prefix string // of a pattern: what every name that matches begins with
	raw    bool   // in a set that folds: it is compared with names as they are
}

func (n name) matches(text string) bool {
	switch n.kind {
	case literal:
		return n.text == text
	case star:
		return true
	}
	if !strings.HasPrefix(text, n.prefix) {
		return false
	}
	ok, _ := doublestar.Match(n.text, text)
	return ok
}

func parse(glob string) (alts [][]name, dirOnly bool, err error) {
	if !utf8.ValidString(glob) {
		return nil, false, fmt.Errorf("glob %q is not UTF-8", glob)
	}
	if !doublestar.ValidatePattern(glob) {
		return nil, false, fmt.Errorf("glob %q is malformed: check for an open bracket or brace, or a \\ at the end", glob)
	}
	bare := strings.TrimSuffix(glob, "/")
	texts, err := expand(bare)
	if err != nil {
		return nil, false, fmt.Errorf("glob %q %w", glob, err)
	}
	for _, t := range texts {
		names, err := split(t)
		if err != nil {
			return nil, false, fmt.Errorf("glob %q %w", glob, err)
		}
		alts = append(alts, names)
	}
	return alts, bare != glob, nil
}

func split(text string) ([]name, error) {
	parts := strings.Split(text, "/")
	if len(parts) > maxNames {
		return nil, fmt.Errorf("has %d names, at most %d are allowed", len(parts), maxNames)
	}
	names := make([]name, len(parts))
	for i, p := range parts {
		switch {
		case p == "" || p == "." || p == "..":
			return nil, fmt.Errorf("has the name %q, which no path below a directory has: remove it", p)
		case p == "*":
			names[i] = name{kind: star, text: p}
		case p == "**":
			names[i] = name{kind: stars, text: p}
		case !doublestar.ValidatePattern(p):
			return nil, fmt.Errorf("has a slash inside %q: no name contains one", text)
		case strings.ContainsAny(p, `*?[\`):
			names[i] = name{kind: pattern, text: p, prefix: p[:strings.IndexAny(p, `*?[\`)]}
		default:
			names[i] = name{kind: literal, text: p}
		}
	}
	return names, nil
}

// expand writes out the braces of a valid glob.
func expand(glob string) ([]string, error) {
	open := special(glob, '{')
	if open < 0 {
		return []string{glob}, nil
	}
	inner := glob[open+1:]
	end := special(inner, '}')
	if end < 0 {
		return nil, fmt.Errorf("has a brace that is never closed")
	}
	inner, rest := inner[:end], inner[end+1:]
	if special(inner, '{') >= 0 {
		return nil, fmt.Errorf("has braces inside braces: write the alternatives out")
	}
	tails, err := expand(rest)
	if err != nil {
		return nil, err
	}
	var list []string
	for more := true; more; {
		choice := inner
		if i := special(inner, ','); i >= 0 {
			choice, inner = inner[:i], inner[i+1:]
		} else {
			more = false
		}
		for _, t := range tails {
			list = append(list, glob[:open]+choice+t)
		}
		if len(list) > maxAlternatives {
			return nil, fmt.Errorf("has more than %d alternatives: split it", maxAlternatives)
		}
	}
	return list, nil
}

// special returns the index of the first c that is neither escaped nor in a class, or -1.
func special(s string, c byte) int {
	class := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case class:
			class = s[i] != ']'
		case s[i] == c:
			return i
		case s[i] == '[':
			class = true
		}
	}
	return -1
}

// Escape returns a glob that matches the path and nothing else.
func Escape(path string) string {
	if !strings.ContainsAny(path, `*?[]{}\`) {
		return path
	}
	var b strings.Builder
	for _, c := range []byte(path) {
		if strings.IndexByte(`*?[]{}\`, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
