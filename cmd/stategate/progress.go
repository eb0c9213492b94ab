package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// patience is how long work goes on before its progress is shown; moment is the
// shortest time between two reports of it.
const (
	patience = 500 * time.Millisecond
	moment   = 100 * time.Millisecond
)

// progress counts on a line of the terminal how far long work has come.
type progress struct {
	w           io.Writer
	start, last time.Time
	width       int // of what the line shows
}

// newProgress returns nil, which shows nothing, unless stderr is a terminal that can be drawn on.
func (a *app) newProgress() *progress {
	if a.env.dumb || !isTerminal(a.stderr) {
		return nil
	}
	return &progress{w: a.stderr, start: time.Now()}
}

// report is called as instances are finished, one call at a time.
func (p *progress) report(done, total int) {
	now := time.Now()
	if now.Sub(p.start) < patience || now.Sub(p.last) < moment {
		return
	}
	p.last = now
	text := fmt.Sprintf("checking %d/%d", done, total)
	p.width = max(p.width, len(text))
	fmt.Fprint(p.w, "\r", text) // a terminal that has gone away is no reason to stop
}

// end erases the line before anything else is printed, with the ^C that the terminal
// shows behind it when it is interrupted.
func (p *progress) end() {
	if p != nil && p.width > 0 {
		fmt.Fprint(p.w, "\r", strings.Repeat(" ", p.width+len("^C")), "\r")
	}
}
