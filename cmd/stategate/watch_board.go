package main

import (
	"fmt"
	"strings"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/wire"
)

// A board is what status --watch shows: a result on a terminal of some size. The lines
// that scroll are made once per result and width; a frame only picks from them.
type board struct {
	looked
	style
	progress      string // of a check that takes long
	headline      string
	body          []string // the lines that scroll
	top           int      // the first of them that is shown
	width, height int
}

func newBoard(first looked, width, height int, s style) *board {
	b := &board{looked: first, style: s}
	b.resize(width, height)
	return b
}

func (b *board) resize(width, height int) {
	b.width, b.height = width, height
	b.layout()
}

// layout makes the headline and the lines that scroll.
func (b *board) layout() {
	b.headline = b.paint(b.head(), b.width)
	b.body = b.draw(bodyLines(&b.looked, b.width))
	b.scroll(0)
}

func (b *board) draw(lines []line) []string {
	drawn := make([]string, len(lines))
	for i, l := range lines {
		drawn[i] = b.paint(l, b.width)
	}
	return drawn
}

// scroll moves by n lines, within the body.
func (b *board) scroll(n int) { b.top = max(min(b.top+n, len(b.body)-b.room()), 0) }

// tell shows how far a check has come, unless it is over.
func (b *board) tell(p looking) {
	switch {
	case p.look <= b.look:
	case p.total == 0:
		b.progress = "checking"
	default:
		b.progress = fmt.Sprintf("checking %d/%d", p.done, p.total)
	}
}

// take shows what a check found. When nothing could be checked, what was found before
// stays, with the reason.
func (b *board) take(saw looked) {
	b.progress = ""
	if saw.err != "" {
		saw.rows, saw.unseen, saw.anchor = b.rows, b.unseen, b.anchor
	}
	b.looked = saw
	b.layout()
}

// press scrolls.
func (b *board) press(k key) {
	switch k {
	case keyUp:
		b.scroll(-1)
	case keyDown:
		b.scroll(1)
	case keyPageUp:
		b.scroll(-b.room())
	case keyPageDown:
		b.scroll(b.room())
	case keyHome:
		b.scroll(-len(b.body))
	case keyEnd:
		b.scroll(len(b.body))
	}
}

// room is how many lines of the body are shown.
func (b *board) room() int { return max(b.height-1-len(b.notes())-1, 1) }

// frame returns a line for each row of the terminal.
func (b *board) frame() []string {
	end := min(b.top+b.room(), len(b.body))
	lines := append([]string{b.headline}, b.body[min(b.top, end):end]...)
	foot := b.draw(append(b.notes(), b.foot()))
	for len(lines) < b.height-len(foot) {
		lines = append(lines, "")
	}
	lines = append(lines, foot...)
	return lines[max(len(lines)-b.height, 0):]
}

func (b *board) head() line {
	var n [4]int
	errors, last := 0, ""
	for _, r := range b.rows {
		if r.Who != "" {
			n[min(int(r.State), 3)]++
		}
		if at := r.Root + "\x00" + r.Plugin; at != last {
			errors, last = errors+r.Errors, at
		}
	}
	l := line{{bold, "stategate"}, {"", " " + b.anchor}}
	for s, k := range n {
		if k > 0 {
			l = append(l, span{"", fmt.Sprintf("  %d %s", k, wire.State(s))})
		}
	}
	if errors > 0 {
		l = append(l, gap, span{red, plural(errors, "error")})
	}
	if len(b.unseen) > 0 {
		l = append(l, gap, span{red, plural(len(b.unseen), "failure")})
	}
	return l
}

// notes say what keeps the view from being whole.
func (b *board) notes() []line {
	var lines []line
	if b.err != "" {
		lines = append(lines, line{{red, "could not check: " + b.err}})
	}
	if b.polling != "" {
		lines = append(lines, line{{yellow, "checks every 2 s, because directories cannot be watched: " + b.polling}})
	}
	return lines
}

// foot says how to leave, when was checked, and where the view is.
func (b *board) foot() line {
	text := "q quits  "
	if b.progress != "" {
		text += b.progress
	} else {
		text += "checked at " + b.at.Format("15:04:05")
	}
	if n := len(b.body); n > b.room() {
		text += fmt.Sprintf("  line %d of %d, arrows scroll", b.top+1, n)
	}
	return line{{faint, text}}
}

// bodyLines are the lines that scroll.
func bodyLines(saw *looked, width int) []line {
	var lines []line
	last := ""
	for _, r := range saw.rows {
		if at := r.Root + "\x00" + r.Plugin; at != last {
			if last != "" {
				lines = append(lines, nil)
			}
			lines, last = append(lines, instanceLine(r, width)), at
		}
		lines = append(lines, runLines(r, width)...)
	}
	if len(saw.rows) == 0 && saw.err == "" && len(saw.unseen) == 0 {
		lines = append(lines, line{{"", "No run is here yet."}})
	}
	for _, f := range saw.unseen {
		lines = append(lines, line{{red, "failure"}, {"", ": " + f}})
	}
	return lines
}

// instanceLine cuts the path, not what is wrong with it, on a narrow terminal.
func instanceLine(r print.Row, width int) line {
	l := line{gap, {faint, r.Plugin}}
	if r.Errors > 0 {
		l = append(l, gap, span{red, plural(r.Errors, "error")})
	}
	if r.Warnings > 0 {
		l = append(l, gap, span{yellow, plural(r.Warnings, "warning")})
	}
	return append(line{{bold, print.FirstColumns(r.Root, max(width-l.columns(), 8))}}, l...)
}

// runLines are a line for a run, and more if it goes on. On a narrow terminal the
// bar has a line of its own.
func runLines(r print.Row, width int) []line {
	if r.Who == "" {
		return nil
	}
	mark := "  "
	if r.Picked {
		mark = "* "
	}
	who := line{{"", mark + r.Who + "  " + r.Phase}}
	state := append(bar(r), span{stateInk(r.State), r.State.String()})
	lines := []line{append(append(who, gap), state...)}
	if lines[0].columns() > width {
		lines = []line{who, append(line{gap, gap}, state...)}
	}
	if r.First != "" {
		lines = append(lines, line{gap, gap, {bold, "first:"}, {"", " " + r.First}})
	}
	if r.Next != "" {
		lines = append(lines, line{gap, gap, {bold, "next:"}, {"", " " + r.Next}})
	}
	return lines
}

const boardBar = 10

func bar(r print.Row) line {
	if r.Total <= 0 {
		return nil
	}
	full := max(0, min(boardBar, r.Done*boardBar/r.Total))
	return line{
		{stateInk(r.State), strings.Repeat("█", full)}, {faint, strings.Repeat("░", boardBar-full)},
		{"", fmt.Sprintf(" %d/%d %s  ", r.Done, r.Total, r.Unit)},
	}
}

func plural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
