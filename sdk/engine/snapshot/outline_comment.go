package snapshot

import (
	"bytes"
)

// blankFill replaces the bytes of comments. It counts as white space but not as indentation: text after a comment
// is not indented code.
const blankFill = '\r'

// fill blanks a range but keeps its line breaks.
func (s *scan) fill(start, end int) {
	for i := start; i < end; i++ {
		if s.src[i] != '\n' {
			s.src[i] = blankFill
		}
	}
}

// blankComments blanks the comments on a line outside fences. Code spans and backslashes hide the beginning of a
// comment; nothing hides its end.
func (s *scan) blankComments(start, end int) {
	if s.comment > 0 {
		s.fill(start, min(s.comment, end))
		if s.comment > end {
			return
		}
		start, s.comment = s.comment, 0
	}
	line := s.src[start:end]
	if s.unclosed >= 0 || !bytes.Contains(line, []byte("<!--")) || fenceLike(line) {
		return
	}
	ticks := tickRuns{line: line}
	for i := 0; i < len(line); {
		switch {
		case line[i] == '\\':
			i += 2
		case line[i] == '`':
			i = ticks.skip(i)
		case !bytes.HasPrefix(line[i:], []byte("<!--")):
			i++
		default:
			if i = s.blankComment(start+i, end) - start; i < 0 {
				return
			}
		}
	}
}

// blankComment blanks the comment at an offset. It returns the offset at which to continue, or -1 if the line ends
// inside the comment.
func (s *scan) blankComment(at, end int) int {
	length := bytes.Index(s.src[at+len("<!"):], []byte("-->"))
	if length < 0 {
		s.unclosed = at
		return -1
	}
	stop := at + len("<!") + length + len("-->")
	s.fill(at, min(stop, end))
	if stop > end {
		s.comment = stop
		return -1
	}
	return stop
}

func fenceLike(line []byte) bool {
	line = bytes.TrimLeft(line, " \t>")
	return bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
}

// tickRuns finds the code spans on a line. It searches only once for the end of a run of each length, so it takes
// linear time.
type tickRuns struct {
	line    []byte
	missing [33]bool
}

// skip returns the offset after the code span, or else the run of backticks, that begins at an offset.
func (t *tickRuns) skip(at int) int {
	n := t.run(at)
	if n >= len(t.missing) || t.missing[n] {
		return at + n
	}
	for i := at + n; i < len(t.line); i++ {
		if t.line[i] != '`' {
			continue
		}
		length := t.run(i)
		i += length
		if length == n {
			return i
		}
	}
	t.missing[n] = true
	return at + n
}

func (t *tickRuns) run(at int) int {
	end := at
	for end < len(t.line) && t.line[end] == '`' {
		end++
	}
	return end - at
}
