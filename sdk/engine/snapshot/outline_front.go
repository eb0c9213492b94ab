package snapshot

import (
	"bytes"

	"github.com/stategate/stategate/sdk/markdown"
)

// A scalar is a value in the front matter.
type scalar struct {
	place   [2]int
	quoting markdown.Quoting
}

// end returns the end of a scalar, including its quote.
func (s scalar) end() int {
	if s.quoting != markdown.Unquoted {
		return s.place[1] + 1
	}
	return s.place[1]
}

// A frontEntry is a front matter key with a scalar or a list of scalars.
type frontEntry struct {
	key    [2]int
	values []scalar
	list   bool
	end    int // of the whole entry
}

// A frontBlock is the front matter; its end is 0 if there is none.
type frontBlock struct {
	end     int
	entries []frontEntry
}

// frontMatter parses and blanks the lines between two --- at the very top.
func (s *scan) frontMatter() frontBlock {
	var front frontBlock
	if !isRule(s.src[:s.lineEnd(0)]) {
		return front
	}
	var open *frontEntry // its value may turn out to be a list or map
	for at := s.lineEnd(0) + 1; at < len(s.src); at = s.lineEnd(at) + 1 {
		end := s.lineEnd(at)
		line := s.src[at:end]
		if isRule(line) || string(bytes.TrimRight(line, " \t\r")) == "..." {
			_, front.end = s.trimmed(0, end)
			s.fill(0, end)
			return front
		}
		if nested(line) && open != nil {
			if last := s.block(open, at); last > at {
				at, open = last, nil
				continue
			}
			front.entries, open = front.entries[:len(front.entries)-1], nil
		}
		if e, ok := s.entry(at, end); ok {
			front.entries = append(front.entries, e)
			if at = e.end; !e.list && e.values[0].place[0] == e.values[0].place[1] {
				open = &front.entries[len(front.entries)-1]
			} else {
				open = nil
			}
		} else if text := bytes.TrimSpace(line); len(text) > 0 && text[0] != '#' {
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

// entry parses "key: value" and "key: [value, value]". It returns false for maps, block scalars, anchors and tags.
func (s *scan) entry(at, end int) (frontEntry, bool) {
	line := s.src[at:end]
	colon := bytes.IndexByte(line, ':')
	if colon < 1 || isBlank(line[0]) || bytes.IndexByte([]byte("-#?\"'[]{}&*!|>%@`,"), line[0]) >= 0 {
		return frontEntry{}, false
	}
	if colon+1 < len(line) && !isBlank(line[colon+1]) {
		return frontEntry{}, false
	}
	from, to := s.trimmed(at, at+colon)
	e := frontEntry{key: [2]int{from, to}}
	start, stop := s.trimmed(at+colon+1, end)
	if start < stop && s.src[start] == '[' {
		e.list = true
		e.values, e.end = s.flow(start)
		return e, e.end > 0
	}
	if start == stop {
		if start = at + colon + 1; start < end && s.src[start] == ' ' {
			start++
		}
		stop = start
	}
	value, ok := s.scalar(start, stop)
	e.values, e.end = []scalar{value}, value.end()
	return e, ok
}

// scalar parses the nonblank text in a range, without the comment after it.
func (s *scan) scalar(start, stop int) (value scalar, ok bool) {
	if start == stop {
		return scalar{place: [2]int{start, start}}, true
	}
	switch c := s.src[start]; {
	case c == '"' || c == '\'':
		length := quoted(s.src[start+1:stop], c)
		return scalar{[2]int{start + 1, start + 1 + length}, quoting(c)}, length >= 0
	case bytes.IndexByte([]byte("[{|>&*!"), c) >= 0:
		return value, false
	case c == '#':
		stop = start
	default:
		if note := bytes.Index(s.src[start:stop], []byte(" #")); note >= 0 {
			_, stop = s.trimmed(start, start+note)
		}
	}
	return scalar{place: [2]int{start, stop}}, true
}

// block parses the list of scalars, one per line, below an entry. It returns an offset in its last line, or 0 if
// there is no such list or it contains anything else.
func (s *scan) block(e *frontEntry, at int) (last int) {
	var values []scalar
	margin := -1
	for ; at < len(s.src); at = s.lineEnd(at) + 1 {
		end := s.lineEnd(at)
		start, stop := s.trimmed(at, end)
		if start == stop || s.src[start] == '#' {
			continue
		}
		dash := s.src[start] == '-' && (start+1 == stop || isBlank(s.src[start+1]))
		if !dash {
			if start > at {
				return 0
			}
			break
		}
		if margin < 0 {
			margin = start - at
		}
		from, to := s.trimmed(start+1, stop)
		value, ok := s.scalar(from, to)
		if !ok || start-at != margin || value.quoting == markdown.Unquoted && isMap(s.src[from:value.end()]) {
			return 0
		}
		values, last = append(values, value), at
	}
	if last > 0 {
		e.values, e.list, e.end = values, true, values[len(values)-1].end()
	}
	return last
}

// isMap reports whether an unquoted text is a key with a value, or a list inside a list.
func isMap(text []byte) bool {
	return bytes.Contains(text, []byte(": ")) || bytes.HasSuffix(text, []byte(":")) ||
		bytes.HasPrefix(text, []byte("- "))
}

// flow parses a list in brackets, which may span lines. The end is 0 if it contains anything except scalars.
func (s *scan) flow(at int) (values []scalar, end int) {
	for at++; ; at++ { // after a bracket or comma
		if at = s.skipBlanks(at); at < len(s.src) && s.src[at] == ']' {
			break
		}
		value, behind := s.flowScalar(at)
		if behind >= len(s.src) || s.src[behind] != ',' && s.src[behind] != ']' {
			return nil, 0
		}
		values = append(values, value)
		if at = behind; s.src[at] == ']' {
			break
		}
	}
	end = at + 1
	if start, stop := s.trimmed(end, s.lineEnd(end)); start < stop && s.src[start] != '#' {
		return nil, 0
	}
	return values, end
}

// flowScalar parses a quoted text, or a text up to a comma, bracket or line break, and skips the blanks after it.
func (s *scan) flowScalar(at int) (value scalar, behind int) {
	if at < len(s.src) && (s.src[at] == '"' || s.src[at] == '\'') {
		length := quoteEnd(s.src[at+1:], s.src[at])
		if length < 0 {
			return value, len(s.src)
		}
		value = scalar{[2]int{at + 1, at + 1 + length}, quoting(s.src[at])}
		return value, s.skipBlanks(value.end())
	}
	stop := at
	for stop < len(s.src) && bytes.IndexByte([]byte(",]\n[{}#"), s.src[stop]) < 0 {
		stop++
	}
	start, end := s.trimmed(at, stop)
	text := s.src[start:end]
	if start == end || isMap(text) || bytes.IndexByte([]byte("|>&*!"), text[0]) >= 0 ||
		bytes.HasPrefix(text, []byte("---")) || string(text) == "..." { // these end the front matter
		return value, len(s.src)
	}
	return scalar{place: [2]int{start, end}}, s.skipBlanks(stop)
}

func (s *scan) skipBlanks(at int) int { return skipBlanks(s.src, at) }

func quoting(c byte) markdown.Quoting {
	if c == '\'' {
		return markdown.SingleQuoted
	}
	return markdown.DoubleQuoted
}

// quoted returns the length of a text up to its closing quote. It returns -1 if there is none, or if more than a
// comment follows.
func quoted(b []byte, quote byte) int {
	length := quoteEnd(b, quote)
	if length < 0 {
		return -1
	}
	if rest := bytes.TrimSpace(b[length+1:]); len(rest) > 0 && rest[0] != '#' {
		return -1
	}
	return length
}

// quoteEnd returns the offset of the closing quote, or -1.
func quoteEnd(b []byte, quote byte) int {
	for i := 0; i < len(b); i++ {
		switch {
		case quote == '"' && b[i] == '\\', quote == '\'' && bytes.HasPrefix(b[i:], []byte("''")):
			i++
		case b[i] == quote:
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
	for i := range front.entries {
		e := &front.entries[i]
		kind := markdown.KindField
		if e.list {
			kind = markdown.KindList
		}
		entry := b.add(kind, int(markdown.FromFrontMatter), node, e.key[0], e.end)
		b.add(markdown.KindKey, 0, entry, e.key[0], e.key[1])
		for _, v := range e.values {
			b.add(markdown.KindValue, int(v.quoting), entry, v.place[0], v.place[1])
		}
	}
}
