package jsondoc

import "strings"

// Position returns the line and column of a byte offset in text. Both count from 1; the column counts bytes. A line
// ends after its "\n", so CRLF is one line ending. Offsets outside text are clamped.
//
// It reads text from the beginning; for many offsets, use [Lines].
func Position(text string, offset int) (line, column int) {
	offset = max(0, min(offset, len(text)))
	before := text[:offset]
	return strings.Count(before, "\n") + 1, offset - strings.LastIndexByte(before, '\n')
}

// Lines computes [Position] for many offsets in one text. It reads the text once and then uses binary search.
type Lines struct {
	starts []int
	size   int
}

// NewLines finds the lines in text.
func NewLines(text string) *Lines {
	starts := make([]int, 1, strings.Count(text, "\n")+1)
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		starts = append(starts, i)
	}
	return &Lines{starts: starts, size: len(text)}
}

// Position returns the same result as the function [Position].
func (l *Lines) Position(offset int) (line, column int) {
	offset = max(0, min(offset, l.size))
	line, beyond := 1, len(l.starts)
	for beyond-line > 0 {
		if middle := int(uint(line+beyond) / 2); l.starts[middle] <= offset {
			line = middle + 1
		} else {
			beyond = middle
		}
	}
	return line, offset - l.starts[line-1] + 1
}
