package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/words"
)

func (p *plainer) angle() {
	rest := p.src[p.at:]
	if strings.HasPrefix(rest, "<!--") && !p.uncommented {
		if end := strings.Index(rest[2:], "-->"); end >= 0 {
			p.at += 2 + end + len("-->")
			return
		}
		p.uncommented = true
	}
	end := strings.IndexAny(rest[1:], "<> \t\n") + 1
	switch {
	case end > 0 && words.Alike(strings.TrimRight(rest[1:end], "/"), "br") &&
		strings.HasPrefix(strings.TrimLeft(rest[end:], " /"), ">"):
		p.write(" ")
		p.at += strings.IndexByte(rest, '>') + 1
	case end > 0 && rest[end] == '>' && strings.ContainsAny(rest[1:end], ":@"):
		p.write(rest[1:end])
		p.at += end + 1
	default:
		p.copy(1)
	}
}

var entities = []struct{ name, text string }{
	{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", `"`}, {"apos", "'"}, {"nbsp", " "}, {"vert", "|"},
}

func (p *plainer) entity() {
	rest := p.src[p.at+1:]
	end := strings.IndexByte(rest[:min(len(rest), 10)], ';')
	if end < 1 {
		p.copy(1)
		return
	}
	if text := entity(rest[:end]); text != "" {
		p.write(text)
		p.at += end + 2
		return
	}
	p.copy(1)
}

func entity(name string) string {
	for _, e := range entities {
		if e.name == name {
			return e.text
		}
	}
	if name[0] != '#' {
		return ""
	}
	code := rune(0)
	for i := 1; i < len(name); i++ {
		if name[i] < '0' || name[i] > '9' {
			return ""
		}
		code = code*10 + rune(name[i]-'0') // at most 8 digits
	}
	if code == 0 || !utf8.ValidRune(code) {
		return ""
	}
	return string(rune(code))
}
