package main

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A position is a position in the protocol: a line, and an offset in that line in code units. Each
// counts from 0.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

func (r textRange) touches(other textRange) bool {
	return !r.End.before(other.Start) && !other.End.before(r.Start)
}

func (p position) before(q position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}

// units counts code units in the negotiated encoding, UTF-8 or UTF-16.
type units struct{ bytes bool }

func (u units) of(s string) int {
	if u.bytes {
		return len(s)
	}
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// offset returns the byte offset of a position in a text. A position beyond the end of its line means the end
// of the line.
func (u units) offset(text string, p position) int {
	at := 0
	for range p.Line {
		n := ending(text[at:])
		if n < 0 {
			return len(text)
		}
		at += n
	}
	line := strings.TrimRight(lineOf(text[at:]), "\r\n")
	for i, r := range line {
		if p.Character <= 0 {
			return at + i
		}
		p.Character -= u.of(string(r))
	}
	return at + len(line)
}

func (u units) position(text string, offset int) position {
	p := position{}
	for {
		n := ending(text)
		if n < 0 || n > offset {
			return position{p.Line, u.of(text[:offset])}
		}
		p.Line++
		text, offset = text[n:], offset-n
	}
}

// ending returns the offset where the second line begins, or -1 if there is none. The protocol has three line endings.
func ending(text string) int {
	i := strings.IndexAny(text, "\r\n")
	if i < 0 {
		return -1
	}
	if strings.HasPrefix(text[i:], "\r\n") {
		i++
	}
	return i + 1
}

func lineOf(text string) string {
	if n := ending(text); n >= 0 {
		return text[:n]
	}
	return text
}

// placed returns the range of a location in stategate's output, in which lines end with \n and columns count
// characters, from 1. A location without a line is the first line. A location without a column is the whole
// line.
func placed(text string, line, column int, end bool) int {
	at := 0
	for range line - 1 {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	row, _, _ := strings.Cut(text[at:], "\n")
	row = strings.TrimSuffix(row, "\r")
	if column == 0 && end {
		return at + len(row)
	}
	for range column - 1 {
		_, n := utf8.DecodeRuneInString(row)
		at, row = at+n, row[n:]
	}
	return at
}
