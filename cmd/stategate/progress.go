package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// patience is how long work goes on before a progress bar is shown.
const patience = 500 * time.Millisecond

// progress shows a bar on a terminal for long work.
type progress struct {
	w     io.Writer
	start time.Time
	bar   *progressbar.ProgressBar // nil until it is shown
}

// newProgress returns nil, which shows nothing, if w is no terminal.
func newProgress(w io.Writer) *progress {
	if !isTerminal(w) {
		return nil
	}
	return &progress{w: w, start: time.Now()}
}

// report is called as instances are finished, one call at a time.
func (p *progress) report(done, total int) {
	if p.bar == nil {
		if time.Since(p.start) < patience {
			return
		}
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetDescription("looking"),
			progressbar.OptionSetTheme(progressbar.ThemeASCII),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(),
			progressbar.OptionThrottle(65*time.Millisecond))
	}
	p.bar.ChangeMax(total)
	_ = p.bar.Set(done) // a terminal that has gone away is no reason to stop
}

// end takes the bar away before anything else is printed.
func (p *progress) end() {
	if p != nil && p.bar != nil {
		_ = p.bar.Clear()
	}
}
