package main

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/wire"
)

// An ink is how a text is shown, as the parameter of the terminal's control sequence.
type ink string

const (
	bold   ink = "1"
	faint  ink = "2"
	red    ink = "31"
	green  ink = "32"
	yellow ink = "33"
)

// A line is what one row of the terminal shows: sanitised texts, each in one ink.
type line []span

type span struct {
	ink  ink
	text string
}

var gap = span{"", "  "}

func (l line) columns() int {
	n := 0
	for _, s := range l {
		n += print.Columns(s.text)
	}
	return n
}

// A style says whether inks are used at all.
type style struct{ color bool }

// paint cuts a line to the width and puts it into one text with control sequences.
func (s style) paint(l line, width int) string {
	var b strings.Builder
	for _, part := range l.cut(width) {
		if part.ink == "" || !s.color {
			b.WriteString(part.text)
		} else {
			b.WriteString("\x1b[" + string(part.ink) + "m" + part.text + "\x1b[m")
		}
	}
	return b.String()
}

// cut cuts the end of a line that is wider than the width.
func (l line) cut(width int) line {
	if l.columns() <= width {
		return l
	}
	for i, s := range l {
		n := print.Columns(s.text)
		if n < width {
			width -= n
			continue
		}
		s.text = print.FirstColumns(s.text+" ", width) // the blank stands for what follows
		return append(slices.Clone(l[:i]), s)
	}
	return l
}

func stateInk(s wire.State) ink {
	switch s {
	case wire.Active:
		return yellow
	case wire.Blocked:
		return red
	case wire.Finished:
		return green
	}
	return faint
}
