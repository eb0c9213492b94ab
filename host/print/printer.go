package print

import (
	"bufio"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// Options say how a result is shown.
type Options struct {
	Color   bool          // use terminal colors
	Width   int           // the columns of the terminal, 0 for a line of any length
	FailOn  wire.Severity // the mildest severity that closes the gate
	Show    wire.Severity // the mildest severity that Text and Concise show; what closes the gate is shown in any case
	All     bool          // Text and Recover list every finding, also where a rule has many
	Budget  int           // the tokens that ResumeMarkdown may take, 0 for any number
	Quiet   bool          // Text shows only what closes the gate, and nothing if it is open
	Hook    bool          // Text shows nothing if the gate is open and the change touches no run
	Version string        // of stategate
	Recover string        // the command that offers the remedies shown; "" if none does
	// CheckAll is the command that also reports what is out of scope
	CheckAll string
	Accept   func(id string) string // the command that accepts a finding; nil if none does
	Init     string                 // the command that sets stategate up; "" if that is done
	Explain  string                 // the command that lists the known workflows
	Last     string                 // the last line of text; "" for none

	Workspace string                   // absolute: where the paths of a result begin; "" if stategate was started there
	Path      func(path string) string // makes a path of a result one that text shows; nil leaves it as it is
	Link      func(path string) string // the URL of a path of a result, for terminals that open it; nil if they do not

	Stage func(paths []string) string // the command that stages paths; nil prints the paths alone
}

// printer writes lines. Its callers sanitize what comes from outside.
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

// wrapped writes a text and its faint end after a beginning that is so many columns wide. What
// does not fit into the terminal continues on the next line, indented.
func (p *printer) wrapped(begin string, width int, indent, text, end string) {
	list := wrap(text+end, p.how.Width-width, p.how.Width-len(indent))
	end = strings.TrimSpace(end)
	for i, s := range list {
		if i == len(list)-1 {
			s = strings.TrimSuffix(s, end) + p.faint(end)
		}
		p.line(strings.TrimRight(begin+s, " "))
		begin = indent
	}
}

// text writes a text of several lines behind an indentation.
func (p *printer) text(indent, text string) {
	for _, line := range safeLines(text) {
		p.line(strings.TrimRight(indent+line, " "))
	}
}

// safeLines are the lines of a text, each sanitized.
func safeLines(text string) []string {
	var list []string
	for line := range strings.Lines(strings.TrimRight(text, "\r\n")) {
		list = append(list, Safe(strings.TrimRight(line, "\r\n")))
	}
	return list
}

// safeText sanitizes a text line by line.
func safeText(text string) string { return strings.Join(safeLines(text), "\n") }

// Lines writes a text line by line, each sanitized: the first one after first, the others after rest. Where that
// indents, a line is wrapped to so many columns (0 for any); others may be commands.
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

// rows writes cells in columns; every row has as many. It sanitizes them and wraps the last one. A cell that is wider
// than half of the terminal has a line of its own.
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

// title is the first paragraph of a documentation, on one line.
func title(doc string) string {
	first, _, _ := strings.Cut(doc, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

// path is a path of a result as text shows it.
func (p *printer) path(path string) string {
	if p.how.Path != nil {
		path = p.how.Path(path)
	}
	return Safe(path)
}

// place is a place of a result as text shows it.
func (p *printer) place(at result.Place) string {
	if p.how.Path != nil {
		at.Path = p.how.Path(at.Path)
	}
	return Safe(at.String())
}

// linked is place with a link to its file, where the terminal takes one.
func (p *printer) linked(at result.Place) string {
	text := p.bold(p.place(at))
	if p.how.Link == nil {
		return text
	}
	return "\x1b]8;;" + p.how.Link(at.Path) + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// The escape sequences that stategate itself writes, on a terminal only.
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

// severityColor is cyan for infos: blue cannot be read on black.
func severityColor(s wire.Severity) string { return worded(s, red, yellow, cyan) }

func (p *printer) severity(s wire.Severity) string { return p.paint(severityColor(s), s.String()) }

// Columns is how many columns of a terminal a sanitized text takes.
func Columns(s string) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return uniseg.StringWidth(s)
		}
	}
	return len(s) // the usual case, a hundred times as fast
}

// FirstColumns cuts the end of a text that is wider than n columns.
func FirstColumns(s string, n int) string { return clip(s, n-1, 0) }

// MiddleColumns cuts the middle of a text that is wider than n columns.
func MiddleColumns(s string, n int) string { return clip(s, (n+1)/2-1, n-(n+1)/2) }

// lastColumns cuts the beginning of a text that is wider than n columns.
func lastColumns(s string, n int) string { return clip(s, 0, n-1) }

// clip leaves so many first and last columns of a text that is wider than both and the mark between them.
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

// Wrap breaks a text between words into lines of so many columns.
func Wrap(text string, width int) []string { return wrap(text, width, width) }

// leastWidth is the narrowest column that text is wrapped into.
const leastWidth = 20

// wrap breaks a text between words: the first line has so many columns, the others have rest.
// It is not broken where that leaves too little.
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
