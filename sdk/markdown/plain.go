package markdown

import (
	"bytes"
	"strings"
	"unsafe"
)

// Plain is inline Markdown as a reader sees it: comments are gone; emphasis,
// strike-through and code marks that have a partner, and the targets of links,
// are dropped; escapes and the common entities are resolved; a line break and
// <br> are a space. Marks without a partner stay, so 2 * 3 and snake_case do.
func Plain(raw string) string {
	raw = trim(raw)
	mark := marked(raw)
	if mark < 0 {
		return raw
	}
	// nothing is longer than what stands for it
	p := plainer{src: raw, out: make([]byte, 0, len(raw)), links: links(raw)}
	if !p.links {
		p.copy(mark)
	}
	for p.at < len(raw) {
		p.step()
	}
	return trim(p.kept())
}

// marked is where the first thing stands that Plain may change, -1 if there is none. Most
// cells have none.
func marked(s string) int {
	for i := range len(s) {
		if stops[s[i]] != 0 && (stops[s[i]] == markup || s[i] == ']' && i+1 < len(s) && s[i+1] == '(') {
			return i
		}
	}
	return -1
}

// links reports whether a ]( is somewhere.
func links(s string) bool {
	for at := strings.IndexByte(s, ']'); at >= 0 && at+1 < len(s); at = strings.IndexByte(s, ']') {
		if s = s[at+1:]; s[0] == '(' {
			return true
		}
	}
	return false
}

func trim(s string) string {
	for s != "" && blank(s[0]) {
		s = s[1:]
	}
	return trimRight(s)
}

func trimRight(s string) string {
	for s != "" && blank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// A plainer writes out what it reads. Of a mark that may open something it
// keeps the place in out, to cut it when the partner turns up. What is cut is
// overwritten with a byte that UTF-8 never holds.
type plainer struct {
	src      string
	at       int
	out      []byte
	opened   [3][]span          // marks of * _ ~ that wait for a partner
	links    bool               // a ]( is somewhere
	brackets []span             // [ and ![, if there are links
	missing  [maxTicks + 1]bool // by length: no run of back-ticks of this length follows

	uncommented bool // no --> follows
}

type span struct{ at, n int }

const (
	maxTicks = 32
	gone     = 0xff
)

// step is one switch over what a character may begin.
func (p *plainer) step() {
	c := p.src[p.at]
	rest := p.src[p.at:]
	switch {
	case c == '\\' && len(rest) > 1 && (punct(rest[1]) || rest[1] == '\n'):
		p.at++
		if rest[1] != '\n' {
			p.copy(1)
		}
	case c == '`':
		p.code()
	case c == '*' || c == '_' || c == '~':
		p.emphasis(c)
	case p.links && (c == '[' || c == '!' && len(rest) > 1 && rest[1] == '['):
		n := 1 + strings.IndexByte(rest, '[')
		p.brackets = append(p.brackets, span{len(p.out), n})
		p.copy(n)
	case c == ']' && len(p.brackets) > 0:
		p.link()
	case c == '<':
		p.angle()
	case c == '&':
		p.entity()
	case c == '\n':
		p.newline()
	default:
		n := 1
		for n < len(rest) && (stops[rest[n]] == 0 || stops[rest[n]] == bracket && !p.links) {
			n++
		}
		p.copy(n)
	}
}

// stops are the bytes at which something may begin.
var stops = [256]uint8{
	'\\': markup, '`': markup, '*': markup, '_': markup, '~': markup, '<': markup, '&': markup, '\n': markup,
	'[': bracket, '!': bracket, ']': bracket,
}

const (
	markup  = 1
	bracket = 2 // of a link
)

func (p *plainer) copy(n int) {
	p.write(p.src[p.at : p.at+n])
	p.at += n
}

// write is not inlined because a dozen calls of it would make each guest larger.
//
//go:noinline
func (p *plainer) write(text string) { p.out = append(p.out, text...) }

func (p *plainer) newline() {
	for len(p.out) > 0 && strings.IndexByte(space, p.out[len(p.out)-1]) >= 0 {
		p.out = p.out[:len(p.out)-1]
	}
	p.write(" ")
	// A continuation line that begins with > is one of a quote.
	for p.at < len(p.src) && strings.IndexByte(space+">", p.src[p.at]) >= 0 {
		p.at++
	}
}

func (p *plainer) code() {
	n := run(p.src, p.at)
	end := p.closer(p.at+n, n)
	if end < 0 {
		p.copy(n)
		return
	}
	inner := replaced(p.src[p.at+n:end], "\n", " ")
	if len(inner) > 2 && inner[0] == ' ' && inner[len(inner)-1] == ' ' {
		inner = inner[1 : len(inner)-1]
	}
	p.write(inner)
	p.at = end + n
}

// replaced is strings.ReplaceAll, faster where there is nothing to replace.
func replaced(s, what, with string) string {
	if strings.IndexByte(s, what[0]) < 0 {
		return s
	}
	return strings.ReplaceAll(s, what, with)
}

// closer finds the next run of exactly n back-ticks.
func (p *plainer) closer(from, n int) int {
	if n > maxTicks || p.missing[n] {
		return -1
	}
	for i := from; i < len(p.src); i++ {
		at := strings.IndexByte(p.src[i:], '`')
		if at < 0 {
			break
		}
		i += at
		length := run(p.src, i)
		if length == n {
			return i
		}
		i += length - 1
	}
	p.missing[n] = true
	return -1
}

func run(s string, at int) int {
	end := at
	for end < len(s) && s[end] == s[at] {
		end++
	}
	return end - at
}

func (p *plainer) emphasis(c byte) {
	n := run(p.src, p.at)
	before, after := byte(' '), byte(' ')
	if p.at > 0 {
		before = p.src[p.at-1]
	}
	if p.at+n < len(p.src) {
		after = p.src[p.at+n]
	}
	opens, closes := flanks(c, before, after)
	stack := &p.opened[strings.IndexByte("*_~", c)]
	left := n
	for closes && left > 0 && len(*stack) > 0 {
		top := &(*stack)[len(*stack)-1]
		k := min(top.n, left)
		top.n, left = top.n-k, left-k
		p.cut(span{top.at + top.n, k})
		if top.n == 0 {
			*stack = (*stack)[:len(*stack)-1]
		}
	}
	if opens && left > 0 {
		*stack = append(*stack, span{len(p.out), left})
	}
	p.at += n - left
	p.copy(left)
}

// flanks says whether a run of c between two characters may open and close.
func flanks(c, before, after byte) (opens, closes bool) {
	left := !blank(after) && (!punct(after) || blank(before) || punct(before))
	right := !blank(before) && (!punct(before) || blank(after) || punct(after))
	if c == '_' {
		return left && (!right || punct(before)), right && (!left || punct(after))
	}
	return left, right
}

func (p *plainer) link() {
	open := p.brackets[len(p.brackets)-1]
	p.brackets = p.brackets[:len(p.brackets)-1]
	end := target(p.src, p.at+1)
	if end < 0 {
		p.copy(1)
		return
	}
	p.cut(open)
	p.at = end
}

// target finds the end of a link target in parentheses that begins at from.
// Giving up at some depth keeps [a]([a]([a](… from costing the square.
func target(s string, from int) int {
	if from >= len(s) || s[from] != '(' {
		return -1
	}
	depth := 0
	for i := from; i < len(s) && s[i] != '\n' && depth <= 32; i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

func (p *plainer) cut(s span) {
	for i := s.at; i < s.at+s.n; i++ {
		p.out[i] = gone
	}
}

// kept is what was written and not cut.
func (p *plainer) kept() string {
	if n := bytes.IndexByte(p.out, gone); n >= 0 {
		for _, c := range p.out[n:] {
			if c != gone {
				p.out[n] = c
				n++
			}
		}
		p.out = p.out[:n]
	}
	return unsafe.String(unsafe.SliceData(p.out), len(p.out))
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func punct(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}
