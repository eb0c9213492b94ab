package check

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// CutShort begins a finding for each document that ends within a line that the base has and goes on behind, as one does whose writing was
// interrupted. What was left out in whole lines, or at the end of the last one, may be a decision. In documents of which a spec asks for no
// content it finds nothing.
func (r *Report) CutShort(paths ...string) {
	for _, path := range paths {
		now, was := r.Docs.Get(path), r.Base.Docs.Get(path)
		if !now.Readable() || !was.Readable() || now.Digest == was.Digest {
			continue
		}
		if then := breaksOff(linesOf(now), linesOf(was)); then >= 0 {
			text := strings.TrimRight(now.Text, " \t\r\n")
			at := sdk.AtBytes(path, len(text), len(text))
			if now.Format == sdk.YAML { // the text is what it means, on the lines of the document
				at = sdk.AtLine(path, 1+strings.Count(text, "\n"))
			}
			r.At(at, path+" ends within a line of the base"+say.Line(was, then)+", which goes on").Keyed(path).
				Advise("Put the end back", "Put back what is behind this line in the base, or write the line to its end if the rest is given up.")
		}
	}
}

// breaksOff says where the line of the base begins of which the last one is the beginning, behind the same line as there; -1 if it is none, or
// the last line of the base.
func breaksOff(now, was []line) (then int) {
	n := len(now) - 1
	for i := range max(0, len(was)-1) {
		if n < 0 || i == 0 != (n == 0) || n > 0 && now[n-1].text != was[i-1].text {
			continue
		}
		if rest, ok := strings.CutPrefix(was[i].text, now[n].text); ok && rest != "" {
			return was[i].at
		}
	}
	return -1
}

// A line is one that says something, as it is compared: without the marks of lists and boxes.
type line struct {
	text string
	at   int
}

func linesOf(d *sdk.Document) (list []line) {
	unmarked, at := strings.NewReplacer("[x", "[", "[X", "[", "[ ", "[", "*", "", "|", " "), 0 // a guest that needs none is smaller without
	for whole := range strings.Lines(d.Text) {
		l := whole
		if d.Format == sdk.YAML { // what closes a value is not in the document
			l = strings.TrimSuffix(strings.TrimRight(l, "\"}], \r\n"), "null")
		}
		if s := strings.TrimRight(strings.Join(strings.Fields(unmarked.Replace(strings.TrimLeft(l, " \t-*+>"))), " "), " #"); s != "" {
			list = append(list, line{s, at})
		}
		at += len(whole)
	}
	return list
}
