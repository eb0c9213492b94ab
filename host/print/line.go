package print

import (
	"io"
	"strings"
)

// Lines writes a text line by line, each sanitised: the first one after first,
// the others after rest.
func Lines(w io.Writer, first, rest, text string) error {
	var b strings.Builder
	prefix := first
	for line := range strings.Lines(strings.TrimRight(text, "\r\n")) {
		b.WriteString(prefix + Safe(strings.TrimRight(line, "\r\n")) + "\n")
		prefix = rest
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// text writes a text of several lines behind an indentation.
func (p *printer) text(indent, text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\r\n")) {
		if line = Safe(strings.TrimRight(line, "\r\n")); line != "" {
			line = indent + line
		}
		p.line(line)
	}
}

// rows writes cells in columns; every row has as many. It sanitises them.
func (p *printer) rows(indent string, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Columns(Safe(cell)))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			cell = Safe(cell)
			b.WriteString(cell + strings.Repeat(" ", widths[i]-Columns(cell)+2))
		}
		p.line(strings.TrimRight(indent+b.String(), " "))
	}
}

// title is the first paragraph of a documentation, on one line.
func title(doc string) string {
	first, _, _ := strings.Cut(doc, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}
