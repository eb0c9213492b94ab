package snapshot

import (
	"bytes"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/markdown"
)

// longestBox is the maximum length of a checkbox in bytes: brackets, blanks and a mark of several bytes.
const longestBox = 16

// isBox reports whether a text begins with a checkbox and a blank.
func isBox(b []byte) bool {
	if len(b) < 3 || b[0] != '[' || b[2] != ']' || len(b) == 4 && !isBlank(b[3]) {
		return false
	}
	return b[1] == ' ' || b[1] == '\t' || b[1]|0x20 == 'x'
}

// box adds the checkbox at the beginning of a text: brackets around nothing, blanks or one character. If a
// target, a label or a colon follows the brackets, they belong to a link.
func (b *builder) box(start, end, parent int) {
	text := b.src[start:min(end, start+longestBox)]
	if len(text) < len("[]") || text[0] != '[' {
		return
	}
	length := bytes.IndexByte(text, ']') + 1
	if length == 0 || bytes.IndexByte(text[1:length], '[') >= 0 || bytes.IndexByte(text[:length], '\n') >= 0 ||
		start+length < end && bytes.IndexByte([]byte("([:"), b.src[start+length]) >= 0 {
		return
	}
	inner := text[1 : length-1]
	mark := bytes.TrimSuffix(bytes.Trim(inner, " \t"), []byte("\ufe0f")) // a variation selector for emoji
	char, size := utf8.DecodeRune(mark)
	switch {
	case size < len(mark):
		return
	case len(inner) == 0:
		char = 0
	case size == 0:
		char = ' '
	}
	b.add(markdown.KindBox, int(char), parent, start, start+length)
}
