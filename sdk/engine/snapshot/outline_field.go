package snapshot

import (
	"bytes"

	"github.com/stategate/stategate/sdk/markdown"
)

// outlineKey is the longest key of a field in bytes.
const outlineKey = 200

// fields adds the fields of one line of a paragraph: one at its beginning, and
// each that follows another and " | ".
func (b *builder) fields(start, end, parent int, origin markdown.Origin) {
	start, end = b.trimmed(start, end)
	for start < end && b.fault == nil {
		key, value, ok := b.field(start, end)
		if !ok {
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
		b.add(markdown.KindValue, 0, field, value[0], value[1])
		start = next
	}
}

// wide is the colon of Chinese and Japanese texts.
const wide = "："

// colonLen is the length of the colon that a text begins with, or ends with; 0 without one.
func colonLen(text []byte, has func(text, colon []byte) bool) int {
	for _, c := range []string{":", wide} {
		if has(text, []byte(c)) {
			return len(c)
		}
	}
	return 0
}

// field reads "**Key**:" or "**Key:**" at a place, also with a wide colon. It returns the range of
// the key with the place behind the colon and stars, and that of the rest.
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

// valueEnd is where the value that begins at a place ends, and where the next
// field of the line begins.
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

// A scalar is one field of the front matter.
type scalar struct {
	key, value [2]int
	quoting    markdown.Quoting
}

// A frontBlock is the front matter; its end is 0 if there is none.
type frontBlock struct {
	end     int
	scalars []scalar
}

// frontMatter reads and blanks the lines between two --- at the very top.
func (s *scan) frontMatter() frontBlock {
	var front frontBlock
	if !isRule(s.src[:s.lineEnd(0)]) {
		return front
	}
	var open *scalar // its value may turn out to be a list or map
	for at := s.lineEnd(0) + 1; at < len(s.src); at = s.lineEnd(at) + 1 {
		end := s.lineEnd(at)
		line := s.src[at:end]
		if isRule(line) || string(bytes.TrimRight(line, " \t\r")) == "..." {
			_, front.end = s.trimmed(0, end)
			s.fill(0, end)
			return front
		}
		if nested(line) && open != nil && open.value[0] == open.value[1] {
			front.scalars, open = front.scalars[:len(front.scalars)-1], nil
		}
		if f, ok := s.scalar(at, end); ok {
			front.scalars = append(front.scalars, f)
			open = &front.scalars[len(front.scalars)-1]
		} else if len(bytes.TrimSpace(line)) > 0 {
			open = nil
		}
	}
	return frontBlock{}
}

func isRule(line []byte) bool { return string(bytes.TrimRight(line, " \t\r")) == "---" }

// nested reports whether a line belongs to the key above it.
func nested(line []byte) bool {
	return len(bytes.TrimSpace(line)) > 0 && (line[0] == ' ' || line[0] == '\t' || line[0] == '-')
}

// scalar reads "key: value". Lists, maps, block texts, anchors and tags are none.
func (s *scan) scalar(at, end int) (scalar, bool) {
	line := s.src[at:end]
	colon := bytes.IndexByte(line, ':')
	if colon < 1 || isBlank(line[0]) || bytes.IndexByte([]byte("-#?\"'[]{}&*!|>%@`,"), line[0]) >= 0 {
		return scalar{}, false
	}
	if colon+1 < len(line) && !isBlank(line[colon+1]) {
		return scalar{}, false
	}
	from, to := s.trimmed(at, at+colon)
	f := scalar{key: [2]int{from, to}}
	start, stop := s.trimmed(at+colon+1, end)
	if start == stop {
		if start < end && s.src[start] == ' ' {
			start++
		}
		f.value = [2]int{start, start}
		return f, true
	}
	switch c := s.src[start]; {
	case c == '"' || c == '\'':
		length := quoted(s.src[start+1:stop], c)
		f.value, f.quoting = [2]int{start + 1, start + 1 + length}, quoting(c)
		return f, length >= 0
	case bytes.IndexByte([]byte("[{|>&*!"), c) >= 0:
		return scalar{}, false
	case c == '#':
		f.value = [2]int{start, start}
	default:
		if note := bytes.Index(s.src[start:stop], []byte(" #")); note >= 0 {
			_, stop = s.trimmed(start, start+note)
		}
		f.value = [2]int{start, stop}
	}
	return f, true
}

func quoting(c byte) markdown.Quoting {
	if c == '\'' {
		return markdown.SingleQuoted
	}
	return markdown.DoubleQuoted
}

// quoted is the length of a text up to its closing quote, -1 without one or if
// more than a note follows it.
func quoted(b []byte, quote byte) int {
	for i := 0; i < len(b); i++ {
		switch {
		case quote == '"' && b[i] == '\\', quote == '\'' && bytes.HasPrefix(b[i:], []byte("''")):
			i++
		case b[i] == quote:
			if rest := bytes.TrimSpace(b[i+1:]); len(rest) > 0 && rest[0] != '#' {
				return -1
			}
			return i
		}
	}
	return -1
}

func (b *builder) frontMatter(front frontBlock) {
	if front.end == 0 {
		return
	}
	node := b.add(markdown.KindFrontMatter, 0, -1, 0, front.end)
	for _, f := range front.scalars {
		end := f.value[1]
		if f.quoting != markdown.Unquoted {
			end++
		}
		field := b.add(markdown.KindField, int(markdown.FromFrontMatter), node, f.key[0], end)
		b.add(markdown.KindKey, 0, field, f.key[0], f.key[1])
		b.add(markdown.KindValue, int(f.quoting), field, f.value[0], f.value[1])
	}
}
