package glob

import (
	"strings"
)

// Alternatives writes out the braces of a glob. A malformed glob has none.
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

// Sample returns a path that a glob without braces matches, with an x for each wildcard. It is for asking what holds of
// whatever the glob matches.
func Sample(glob string) string {
	var names []string
	all := strings.Split(glob, "/")
	for i, name := range all {
		if name == "**" && i < len(all)-1 && all[i+1] != "" {
			continue // it may stand for no directory
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
