package print

import (
	"github.com/stategate/stategate/sdk/wire"
)

// The escape sequences that stategate itself writes, on a terminal only.
const (
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	blue   = "\x1b[34m"
	cyan   = "\x1b[36m"
	reset  = "\x1b[0m"
)

func (p *printer) paint(color, text string) string {
	if !p.color {
		return text
	}
	return color + text + reset
}

func (p *printer) bold(text string) string { return p.paint(bold, text) }

func (p *printer) faint(text string) string { return p.paint(faint, text) }

func (p *printer) mark(text string) string { return p.paint(red, text) }

func (p *printer) severity(s wire.Severity) string {
	switch s {
	case wire.Error:
		return p.paint(red, s.String())
	case wire.Warning:
		return p.paint(yellow, s.String())
	}
	return p.paint(blue, s.String())
}
