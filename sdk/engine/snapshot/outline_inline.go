package snapshot

import (
	"bytes"

	"github.com/stategate/stategate/sdk/markdown"
)

// lineLinks adds the links on each line of a text.
func (b *builder) lineLinks(start, end, parent int) {
	for start < end && b.fault == nil {
		stop := min(b.lineEnd(start), end)
		b.links(start, stop, parent)
		start = stop + 1
	}
}

// links adds the links on one line: [text](target) and <scheme:target>, outside code. It skips images, but an image
// may be the text of a link.
func (b *builder) links(start, end, parent int) {
	line := b.src[start:end]
	if bytes.IndexByte(line, '<') < 0 && !bytes.Contains(line, []byte("](")) {
		return
	}
	ticks := tickRuns{line: line}
	var open []int // brackets that may begin a link
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == '\\':
			i += 2
			continue
		case c == '`':
			i = ticks.skip(i)
			continue
		case c == '[':
			open = append(open, i)
		case c == '<':
			if length := autolink(line[i:]); length > 0 {
				b.link(start+i, start+i+length, 0, [2]int{start + i + 1, start + i + length - 1}, parent)
				open = open[:0]
				i += length
				continue
			}
		case c == ']' && len(open) > 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			target, length := destination(line[i+1:])
			if length == 0 {
				break
			}
			behind := i + 1 + length
			if from == 0 || line[from-1] != '!' {
				target[0], target[1] = start+i+1+target[0], start+i+1+target[1]
				b.link(start+from, start+behind, i-from-1, target, parent)
				open = open[:0] // a link cannot contain another one
			}
			i = behind
			continue
		}
		i++
	}
}

func (b *builder) link(start, end, text int, target [2]int, parent int) {
	link := b.add(markdown.KindLink, text, parent, start, end)
	b.add(markdown.KindTarget, 0, link, target[0], target[1])
}

// autolink returns the length of <scheme:target> at the beginning of a text, or 0.
func autolink(b []byte) int {
	scheme := 1
	for ; scheme < len(b) && scheme <= 33 && isScheme(b[scheme], scheme == 1); scheme++ {
	}
	if scheme < 3 || scheme >= len(b) || b[scheme] != ':' {
		return 0
	}
	for i := scheme; i < len(b) && b[i] > ' ' && b[i] != '<'; i++ {
		if b[i] == '>' {
			return i + 1
		}
	}
	return 0
}

func isScheme(c byte, first bool) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	return letter || !first && (c >= '0' && c <= '9' || c == '+' || c == '.' || c == '-')
}

// destination parses "(target)" or "(target "title")" at the beginning of a text. The length is 0 if there is none.
func destination(b []byte) (target [2]int, length int) {
	if len(b) == 0 || b[0] != '(' {
		return target, 0
	}
	i := skipBlanks(b, 1)
	if i < len(b) && b[i] == '<' {
		n := bytes.IndexAny(b[i+1:], "<>")
		if n < 0 || b[i+1+n] != '>' {
			return target, 0
		}
		target = [2]int{i + 1, i + 1 + n}
		i += n + 2
	} else {
		n := bare(b[i:])
		if n < 0 {
			return target, 0
		}
		target = [2]int{i, i + n}
		i += n
	}
	title := skipBlanks(b, i)
	if title > i && title < len(b) {
		i = title
		if quote := bytes.IndexByte([]byte(`"'(`), b[title]); quote >= 0 {
			n := closing(b[title+1:], b[title], `"')`[quote])
			if n < 0 {
				return target, 0
			}
			i = skipBlanks(b, title+n+2)
		}
	}
	if i >= len(b) || b[i] != ')' {
		return target, 0
	}
	return target, i + 1
}

// targetNesting is the maximum number of open parentheses in a target, as in CommonMark's reference parser.
const targetNesting = 32

// bare returns the length of a target without angle brackets, or -1 if its parentheses are unbalanced.
func bare(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\\' && i+1 < len(b) && b[i+1] > ' ':
			i++
		case c <= ' ':
			if depth > 0 {
				return -1
			}
			return i
		case c == '(':
			if depth++; depth > targetNesting {
				return -1
			}
		case c == ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return -1
}

// closing returns the end of a title, in which a backslash escapes the next character, or -1.
func closing(b []byte, begin, end byte) int {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case end:
			return i
		case begin:
			return -1
		}
	}
	return -1
}

func skipBlanks(b []byte, at int) int {
	for at < len(b) && isBlank(b[at]) {
		at++
	}
	return at
}
