package print

import (
	"bufio"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// Options configure how a result is shown.
type Options struct {
	Color  bool          // use terminal colors
	Width  int           // the terminal's width; 0 means unlimited
	FailOn wire.Severity // the lowest severity that closes the gate
	// Show is the lowest severity that Text and Concise show; it always shows findings that close the gate
	Show    wire.Severity
	All     bool   // Text and Recover list every finding, even if a rule has many
	Budget  int    // the maximum tokens for ResumeMarkdown; 0 means unlimited
	Quiet   bool   // Text shows only findings that close the gate, and nothing if it is open
	Hook    bool   // Text shows nothing if the gate is open and the change touches no run
	Version string // stategate's version
	Recover string // the command that offers the remedies shown; "" if there is none
	// CheckAll is the command that also reports what is out of scope.
	CheckAll string
	Accept   func(id string) string // returns the command that accepts a finding; nil if there is none
	Init     string                 // the command that sets up stategate; "" if it is set up
	Explain  string                 // the command that lists the known workflows
	Last     string                 // the last line of text; "" if there is none

	// Workspace is the absolute directory that a result's paths are relative to; "" if stategate
	// was started there
	Workspace string
	Path      func(path string) string // converts a path for display; nil keeps it
	Link      func(path string) string // returns a path's URL, for terminals that open links; nil if they do not

	Stage func(paths []string) string // returns the command that stages paths; nil prints only the paths

	short map[string]string // from full ids to the ids in printed commands; nil prints full ids
}

// printer writes lines. Callers must sanitize text from files and plugins.
type printer struct {
	w   *bufio.Writer
	how Options
}

func newPrinter(w io.Writer, o Options) *printer {
	return &printer{bufio.NewWriter(w), o}
}

func (p *printer) line(parts ...string) {
	for _, s := range parts {
		p.w.WriteString(s)
	}
	p.w.WriteByte('\n')
}

func (p *printer) lines(list []string) {
	for _, s := range list {
		p.line(s)
	}
}

// wrapped writes begin, which is width columns wide, then text, then end, which is faint. Text that does not fit
// continues on indented lines. The last line never consists of end alone: the last word of text then moves to
// that line.
func (p *printer) wrapped(begin string, width int, indent, text, end string) {
	list := wrap(text+end, p.how.Width-width, p.how.Width-len(indent))
	end = strings.TrimSpace(end)
	if last := len(list) - 1; last > 0 && end != "" && list[last] == end {
		at := strings.LastIndex(list[last-1], " ")
		if at > 0 && len(indent)+Columns(list[last-1][at:]+end) <= p.how.Width {
			list[last-1], list[last] = list[last-1][:at], list[last-1][at+1:]+" "+end
		}
	}
	for i, s := range list {
		if i == len(list)-1 {
			s = strings.TrimSuffix(s, end) + p.faint(end)
		}
		p.line(strings.TrimRight(begin+s, " "))
		begin = indent
	}
}

// text writes a text of several lines, with each line indented.
func (p *printer) text(indent, text string) {
	for _, line := range safeLines(text) {
		p.line(strings.TrimRight(indent+line, " "))
	}
}

// safeLines splits a text into lines and sanitizes each.
func safeLines(text string) []string {
	var list []string
	for line := range strings.Lines(strings.TrimRight(text, "\r\n")) {
		list = append(list, Safe(strings.TrimRight(line, "\r\n")))
	}
	return list
}

func safeText(text string) string { return strings.Join(safeLines(text), "\n") }

// Lines writes a text line by line, sanitized. first precedes the first line, and rest precedes the others. If rest
// is an indentation, lines are wrapped to width columns (0 means unlimited). Otherwise, lines are not wrapped,
// because they may be commands.
func Lines(w io.Writer, width int, first, rest, text string) error {
	p := newPrinter(w, Options{})
	if rest != "" {
		p.how.Width = width
	}
	for _, line := range safeLines(text) {
		p.wrapped(first, Columns(first), rest, line, "")
		first = rest
	}
	return p.w.Flush()
}

// rows writes cells in columns. Every row has the same number of cells. It sanitizes the cells and wraps the last
// one. A cell that is wider than half of the terminal gets a line of its own.
func (p *printer) rows(indent string, rows [][]string) {
	var widths []int
	wide := func(cell string) bool { return p.how.Width > 0 && Columns(cell) > p.how.Width/2 }
	for _, row := range rows {
		widths = append(widths, make([]int, len(row)-len(widths))...)
		for i, cell := range row {
			if cell = Safe(cell); !wide(cell) {
				widths[i] = max(widths[i], Columns(cell))
			}
		}
	}
	for _, row := range rows {
		begin, last := indent, len(row)-1
		for i, cell := range row[:last] {
			if cell = Safe(cell); wide(cell) {
				p.line(begin, cell)
				begin, cell = strings.Repeat(" ", Columns(begin)), ""
			}
			begin += padded(cell, widths[i]) + "  "
		}
		p.wrapped(begin, Columns(begin), strings.Repeat(" ", Columns(begin)), Safe(row[last]), "")
	}
}

// title returns a documentation's first paragraph on one line.
func title(doc string) string {
	first, _, _ := strings.Cut(doc, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

func (p *printer) path(path string) string {
	if p.how.Path != nil {
		path = p.how.Path(path)
	}
	return Safe(path)
}

func (p *printer) place(at result.Place) string {
	if p.how.Path != nil {
		at.Path = p.how.Path(at.Path)
	}
	return Safe(at.String())
}

// linked returns the location for display, with a link to its file if the terminal supports links.
func (p *printer) linked(at result.Place) string {
	text := p.bold(p.place(at))
	if p.how.Link == nil {
		return text
	}
	return "\x1b]8;;" + p.how.Link(at.Path) + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// These escape sequences are the only ones that stategate writes, and only to a terminal.
const (
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	reset  = "\x1b[0m"
)

func (p *printer) paint(color, text string) string {
	if !p.how.Color || color == "" || text == "" {
		return text
	}
	return color + text + reset
}

func (p *printer) bold(text string) string { return p.paint(bold, text) }

func (p *printer) faint(text string) string { return p.paint(faint, text) }

func (p *printer) mark(text string) string { return p.paint(red, text) }

// severityColor uses cyan for infos because blue is hard to read on black.
func severityColor(s wire.Severity) string { return worded(s, red, yellow, cyan) }

func (p *printer) severity(s wire.Severity) string { return p.paint(severityColor(s), s.String()) }

// Columns returns the width of a sanitized text on a terminal.
func Columns(s string) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return uniseg.StringWidth(s)
		}
	}
	return len(s) // the usual case, which this makes a hundred times faster
}

// firstColumns truncates the end of a text that is wider than n columns.
func firstColumns(s string, n int) string { return clip(s, n-1, 0) }

// middleColumns cuts the middle of a text that is wider than n columns.
func middleColumns(s string, n int) string { return clip(s, (n+1)/2-1, n-(n+1)/2) }

// lastColumns truncates the beginning of a text that is wider than n columns.
func lastColumns(s string, n int) string { return clip(s, 0, n-1) }

// clip keeps the first and last columns of a text that is wider than both plus the mark between them.
func clip(s string, first, last int) string {
	all, width, begin, end := Columns(s), 0, "", ""
	if all <= first+1+last {
		return s
	}
	for g := uniseg.NewGraphemes(s); g.Next(); width += g.Width() {
		from, to := g.Positions()
		if width+g.Width() <= first {
			begin = s[:to]
		}
		if end == "" && width >= all-last {
			end = s[from:]
		}
	}
	return begin + strings.Repeat("…", min(first+last+1, 1)) + end
}

func padded(s string, n int) string { return s + strings.Repeat(" ", max(n-Columns(s), 0)) }

// Wrap breaks a text between words into lines of at most width columns.
func Wrap(text string, width int) []string { return wrap(text, width, width) }

// leastWidth is the narrowest width at which text is wrapped.
const leastWidth = 20

// wrap breaks a text between words. The first line has at most first columns, and the other lines have at most
// rest. If rest is too small, wrap does not break the text.
func wrap(text string, first, rest int) []string {
	if rest < leastWidth || Columns(text) <= first {
		return []string{text}
	}
	var list []string
	line, room := "", first
	for word := range strings.SplitSeq(text, " ") {
		switch {
		case line == "" && (len(list) > 0 || Columns(word) <= room || rest <= first):
			line = word
		case line != "" && Columns(line)+1+Columns(word) <= room:
			line += " " + word
		default:
			list, line, room = append(list, line), word, rest
		}
	}
	return append(list, line)
}
