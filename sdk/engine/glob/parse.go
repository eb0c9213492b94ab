// Package glob matches paths against many globs at once, one name at a time.
//
// A walk from a directory to its children carries a State and steps it with each child's name. The State says not only
// which globs match here but also whether anything below can match, which a matcher for whole paths cannot determine.
//
// The syntax is doublestar's: "*" and "?" stay within a name; "**" as a whole name matches any number of
// directories, including none; "{a,b}" lists alternatives; "[a-z]" is a class; "\" makes the next character
// literal. A glob that ends in a slash matches only directories.
package glob

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// maxAlternatives is the maximum number of globs that one glob's braces expand to.
const maxAlternatives = 1024

type nameKind uint8

const (
	literal nameKind = iota
	pattern          // wildcards among other characters
	star             // "*": any name
	stars            // "**": any number of directories
)

// A name is the part of a glob between two slashes.
type name struct {
	kind   nameKind
	text   string
	prefix string // of a pattern: the prefix of every name that matches
	raw    bool   // in a folded set: compared with unfolded names
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
		return nil, false, fmt.Errorf("glob %q is malformed: check for an open bracket or brace, or a \\ at the end",
			glob)
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
		// For three stars in a row at the end of a name, the matcher would require a character.
		for p != "**" && strings.Contains(p, "***") && !strings.ContainsAny(p, `[\`) {
			p = strings.ReplaceAll(p, "***", "*")
		}
		switch {
		case p == "" || p == "." || p == "..":
			return nil, fmt.Errorf("has the name %q, which no path below a directory has; remove it", p)
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

// expand expands the braces of a valid glob.
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
		return nil, fmt.Errorf("has nested braces; write out the alternatives")
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
			return nil, fmt.Errorf("has more than %d alternatives; split it", maxAlternatives)
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

// Escape returns a glob that matches only this path.
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

// Alternatives expands the braces of a glob. A malformed glob has no alternatives.
func Alternatives(glob string) []string {
	alts, dirOnly, err := parse(glob)
	if err != nil {
		return nil
	}
	list := make([]string, len(alts))
	for i, names := range alts {
		texts := make([]string, len(names))
		for k, n := range names {
			texts[k] = n.text
		}
		list[i] = strings.Join(texts, "/")
		if dirOnly {
			list[i] += "/"
		}
	}
	return list
}

// Sample returns a path that matches a glob without braces, with an x for each wildcard. Use it to test a property
// of all paths that match the glob.
func Sample(glob string) string {
	var names []string
	all := strings.Split(glob, "/")
	for i, name := range all {
		if name == "**" && i < len(all)-1 && all[i+1] != "" {
			continue // it may match no directory
		}
		names = append(names, sampleName(name))
	}
	return strings.Join(names, "/")
}

func sampleName(name string) string {
	if name == "**" {
		return "x"
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '*' || c == '?':
			b.WriteByte('x')
		case c == '\\' && i+1 < len(name):
			i++
			b.WriteByte(name[i])
		case c == '[' && strings.IndexByte(name[i:], ']') > 1:
			end := i + strings.IndexByte(name[i:], ']')
			if first := name[i+1]; first != '^' && first != '!' {
				b.WriteByte(first)
			} else {
				b.WriteByte('x')
			}
			i = end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
