package snapshot

import (
	"bytes"

	"github.com/stategate/stategate/sdk/markdown"
)

// outlineKey is the maximum length of a field's key in bytes.
const outlineKey = 200

// fields adds the fields on one line of a paragraph: one at its beginning, and each one that follows another field
// and " | ". It also adds the links in their values and in other text.
func (b *builder) fields(start, end, parent int, origin markdown.Origin) {
	start, end = b.trimmed(start, end)
	for start < end && b.fault == nil {
		key, value, ok := b.field(start, end)
		if !ok {
			b.links(start, end, parent)
			return
		}
		stop, next := b.valueEnd(value[0], end)
		value[0], value[1] = b.trimmed(value[0], stop)
		if value[0] == value[1] {
			value[0] = min(key[2]+1, stop)
			value[1] = value[0]
		}
		field := b.add(markdown.KindField, int(origin), parent, start, max(value[1], key[2]))
		b.add(markdown.KindKey, 0, field, key[0], key[1])
		node := b.add(markdown.KindValue, 0, field, value[0], value[1])
		b.links(value[0], value[1], node)
		start = next
	}
}

// wide is the full-width colon in Chinese and Japanese texts.
const wide = "："

// colonLen returns the length of the colon at the beginning or end of a text, or 0.
func colonLen(text []byte, has func(text, colon []byte) bool) int {
	for _, c := range []string{":", wide} {
		if has(text, []byte(c)) {
			return len(c)
		}
	}
	return 0
}

// field parses "**Key**:" or "**Key:**", possibly with a wide colon. It returns the range of the key, the offset
// after the colon and stars, and the range of the rest.
func (b *builder) field(start, end int) (key [3]int, value [2]int, ok bool) {
	line := b.src[start:min(end, start+outlineKey)]
	if !bytes.HasPrefix(line, []byte("**")) {
		return key, value, false
	}
	length := bytes.Index(line[2:], []byte("**"))
	if length < 1 || isBlank(line[2]) || line[2] == '*' {
		return key, value, false
	}
	from, to := start+2, start+2+length
	behind := to + len("**")
	if n := colonLen(b.src[from:to], bytes.HasSuffix); n > 0 {
		from, to = b.trimmed(from, to-n)
	} else {
		at, _ := b.trimmed(behind, end)
		n := colonLen(b.src[at:end], bytes.HasPrefix)
		if n == 0 || isBlank(b.src[to-1]) {
			return key, value, false
		}
		behind = at + n
	}
	return [3]int{from, to, behind}, [2]int{behind, end}, from < to
}

// valueEnd returns the end of the value that begins at an offset, and the beginning of the next field on the line.
func (b *builder) valueEnd(start, end int) (stop, next int) {
	for i := start; i < end; i++ {
		if b.src[i] != '|' || i > start && !isBlank(b.src[i-1]) {
			continue
		}
		if next, _ = b.trimmed(i+1, end); next > i+1 && bytes.HasPrefix(b.src[next:end], []byte("**")) {
			return i, next
		}
	}
	return end, end
}
