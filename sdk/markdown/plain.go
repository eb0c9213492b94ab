package markdown

import (
	"bytes"
	"strings"
	"unsafe"
)

// Plain renders inline Markdown as text. It removes comments, paired marks for emphasis, strikethrough and code,
// and link targets. It resolves escapes and common entities, and turns line breaks and <br> into spaces. Unpaired
// marks stay, as in 2 * 3 and snake_case.
func Plain(raw string) string {
	raw = trim(raw)
	mark := marked(raw)
	if mark < 0 {
		return raw
	}
	// the output is never longer than the input
	p := plainer{src: raw, out: make([]byte, 0, len(raw)), links: links(raw)}
	if !p.links {
		p.copy(mark)
	}
	for p.at < len(raw) {
		p.step()
	}
	return trim(p.kept())
}

// marked returns the index of the first character that Plain may change, or -1. Most cells have none.
func marked(s string) int {
	for i := range len(s) {
		if stops[s[i]] != 0 && (stops[s[i]] == markup || s[i] == ']' && i+1 < len(s) && s[i+1] == '(') {
			return i
		}
	}
	return -1
}

// links reports whether a text contains ](.
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

// A plainer writes its output while it reads. For a mark that may open something, it remembers the position in out,
// so that it can cut the mark if the matching mark appears. It overwrites cut bytes with a byte that UTF-8 never
// contains.
type plainer struct {
	src      string
	at       int
	out      []byte
	opened   [3][]span          // unpaired marks * _ ~
	links    bool               // the text contains ](
	brackets []span             // [ and ![, if there are links
	missing  [maxTicks + 1]bool // by length: no run of backticks of this length follows

	uncommented bool // no --> follows
}

type span struct{ at, n int }

const (
	maxTicks = 32
	gone     = 0xff
)

// step handles the next character in a single switch.
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

// stops marks the bytes that may have a meaning.
var stops = [256]uint8{
	'\\': markup, '`': markup, '*': markup, '_': markup, '~': markup, '<': markup, '&': markup, '\n': markup,
	'[': bracket, '!': bracket, ']': bracket,
}

const (
	markup  = 1
	bracket = 2 // part of a link
)

func (p *plainer) copy(n int) {
	p.write(p.src[p.at : p.at+n])
	p.at += n
}

// write is not inlined, because inlining its dozen calls would make every guest larger.
//
//go:noinline
func (p *plainer) write(text string) { p.out = append(p.out, text...) }

func (p *plainer) newline() {
	for len(p.out) > 0 && strings.IndexByte(space, p.out[len(p.out)-1]) >= 0 {
		p.out = p.out[:len(p.out)-1]
	}
	p.write(" ")
	// On a continuation line, > is a quote mark.
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

// replaced is strings.ReplaceAll with a fast path for texts without matches.
func replaced(s, what, with string) string {
	if strings.IndexByte(s, what[0]) < 0 {
		return s
	}
	return strings.ReplaceAll(s, what, with)
}

// closer finds the next run of exactly n backticks.
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
	if c == '_' && after == '.' && p.at+n+1 < len(p.src) {
		if next := p.src[p.at+n+1] | 0x20; next >= 'a' && next <= 'z' {
			closes = false // __init__.py is a file, although CommonMark makes it bold
		}
	}
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

// flanks reports whether a run of c between two characters can open emphasis, and whether it can
// close it.
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

// target finds the end of a link target in parentheses that begins at from. The depth limit keeps [a]([a]([a](…
// from taking quadratic time.
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

// kept returns the output without cut bytes.
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
