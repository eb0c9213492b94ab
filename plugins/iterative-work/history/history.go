// Package history compares the records of a document with those of the base. The document is a log that only grows, or
// a list of lessons that must be kept. The comparison is about what records say, not about how they are written.
package history

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A Record is a section of a document: an entry in a log, a lesson or a row.
type Record struct {
	Name       string // identifies the record, in messages too; times in it are in canonical form
	Lines      []string
	Start, End int
}

// Records returns the records of sections, named by their headings.
func Records(sections []markdown.Section) []Record {
	list := make([]Record, len(sections))
	for i, s := range sections {
		list[i] = Record{Name: s.Heading().Text(), Lines: s.Meaning(), Start: s.Start(), End: s.End()}
	}
	return list
}

// A Loss is a record of the base that is now missing or says something else.
type Loss struct {
	Was  *Record
	Now  *Record // nil if it is missing
	Line string  // the first line of Was that is now missing
}

// Appended returns the lost records of an append-only document. The last record may have grown at its end.
func Appended(was, now []Record) []Loss {
	var losses []Loss
	from := 0
	for i := range was {
		w := &was[i]
		at, loss := find(w, now, from, i == len(was)-1)
		if loss != nil {
			losses = append(losses, *loss)
		}
		if at >= from {
			from = at + 1
		}
	}
	return losses
}

// Kept returns the lost records of a document whose records may be moved, renamed and extended.
func Kept(was, now []Record) []Loss {
	var losses []Loss
	for i := range was {
		w := &was[i]
		whole := func(n Record) bool { return len(w.Lines) > 0 && contains(n.Lines, w.Lines) }
		if slices.ContainsFunc(now, whole) {
			continue
		}
		if _, loss := find(w, now, 0, true); loss != nil {
			losses = append(losses, *loss)
		}
	}
	return losses
}

// find returns the current index of a record, or -1 if it is missing. If the record is missing or has changed, find
// also returns the loss.
func find(w *Record, now []Record, from int, mayGrow bool) (int, *Loss) {
	named := -1
	for i := range now {
		n := &now[i]
		if n.Name != w.Name {
			continue
		}
		if slices.Equal(n.Lines, w.Lines) || mayGrow && len(n.Lines) > len(w.Lines) &&
			slices.Equal(n.Lines[:len(w.Lines)], w.Lines) {
			if i >= from {
				return i, nil
			}
			named = i
		} else if named < 0 {
			named = i
		}
	}
	if named < 0 {
		return -1, &Loss{Was: w, Line: first(w.Lines, nil)}
	}
	n := &now[named]
	line := first(w.Lines, n.Lines)
	return named, &Loss{Was: w, Now: n, Line: line}
}

// contains reports whether lines contain other lines in the same order, with nothing in between.
func contains(lines, others []string) bool {
	for i := 0; i+len(others) <= len(lines); i++ {
		if slices.Equal(lines[i:i+len(others)], others) {
			return true
		}
	}
	return false
}

// first returns the first line that is not among others.
func first(lines, others []string) string {
	for _, line := range lines {
		if !slices.Contains(others, line) {
			return line
		}
	}
	return ""
}

// Rejoined returns an edit that replaces the current text, starting at its first record, with the base's log text
// followed by the new records and the text between them. It reports false if a mark, such as an open fence, might
// swallow the appended text.
func Rejoined(wasText string, was []Record, nowText string, now []Record) (markdown.Edit, bool) {
	from := len(nowText)
	if len(now) > 0 {
		from = now[0].Start
	}
	last, end := &was[len(was)-1], from
	latest, added := wasText[last.Start:last.End], ""
	add := func(text string) {
		if text = strings.Trim(text, space); text != "" {
			added += "\n" + text + "\n"
		}
	}
	left := make(map[string]int, len(was))
	for i := range was {
		left[was[i].Name]++
	}
	lines := map[string]bool{"": true}
	for line := range strings.Lines(wasText) {
		lines[strings.Trim(line, space)] = true
	}
	between := func(to int) {
		for line := range strings.Lines(nowText[end:to]) {
			if !lines[strings.Trim(line, space)] {
				add(nowText[end:to])
				return
			}
		}
	}
	for i := range now {
		n := &now[i]
		between(n.Start)
		end = n.End
		if left[n.Name]--; left[n.Name] < 0 {
			add(nowText[n.Start:n.End])
		} else if left[n.Name] == 0 && n.Name == last.Name &&
			contains(n.Lines[:min(len(n.Lines), len(last.Lines))], last.Lines) {
			latest = nowText[n.Start:n.End] // it has grown
		}
	}
	between(len(nowText))
	text := strings.TrimRight(wasText[was[0].Start:last.Start]+latest+wasText[last.End:], space) + "\n" + added
	if from > 0 && len(now) == 0 {
		text = "\n" + text
	}
	return markdown.Edit{Start: from, End: len(nowText), New: text}, !fragile(text) && !fragile(nowText[:from])
}

// PutBack returns the edit that restores the text of a lost record from the base, in its place or at the end of the
// document. It reports false like [Rejoined].
func PutBack(wasText string, l *Loss, nowText string) (markdown.Edit, bool) {
	text := strings.TrimRight(wasText[l.Was.Start:l.Was.End], space) + "\n"
	ok := !fragile(text) && !fragile(nowText)
	if l.Now != nil {
		if l.Now.End < len(nowText) {
			text += "\n"
		}
		return markdown.Edit{Start: l.Now.Start, End: l.Now.End, New: text}, ok
	}
	end := len(strings.TrimRight(nowText, space))
	if end > 0 {
		text = "\n\n" + text
	}
	return markdown.Edit{Start: end, End: len(nowText), New: text}, ok
}

const space = " \t\r\n"

// fragile reports whether text contains marks that may swallow appended text.
func fragile(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t>-*+0123456789.")
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") || strings.HasPrefix(line, "<") ||
			strings.Contains(line, "<!") {
			return true
		}
	}
	return false
}

// In returns the current location of a record, or of the document as a whole.
func (l *Loss) In(path string) sdk.Range {
	if l.Now == nil {
		return sdk.At(path)
	}
	return sdk.AtBytes(path, l.Now.Start, l.Now.End)
}
