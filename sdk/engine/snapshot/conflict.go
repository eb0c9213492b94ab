package snapshot

import (
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// kindConflict is the kind of the fault for an unresolved merge conflict. It is always an error; plugins cannot
// lower its severity.
const kindConflict = "conflict"

// conflict returns the fault of a text with an unresolved merge conflict.
func conflict(text string, d *wire.Document) []wire.DocumentFault {
	start, end := conflictOf(text)
	if start < 0 || d.Format != wire.Markdown && d.Format != wire.Text {
		return nil
	}
	f := wire.DocumentFault{
		Rule: wire.RuleUnreadable, Kind: kindConflict, Key: kindConflict, Line: 1 + strings.Count(text[:start], "\n"),
		Bytes: true, Start: start, End: end,
		Message: unresolved(text[start : start+7]),
	}
	if d.Need != wire.Content {
		f.Bytes, f.Start, f.End = false, 0, 0
	}
	return []wire.DocumentFault{f}
}

func unresolved(marker string) string {
	return "found the merge conflict marker " + marker + "; resolve the conflict and remove the markers"
}

// conflictOf returns the range of the first line that opens or closes a conflict, or -1. A half-resolved conflict
// may have a single marker. conflictOf ignores fenced blocks, which only quote markers, and =======, which may
// underline a heading.
func conflictOf(text string) (start, end int) {
	at, fenced := 0, false
	if !strings.Contains(text, "<<<<<<< ") && !strings.Contains(text, ">>>>>>> ") {
		return -1, -1
	}
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, " \t\r\n")
		switch lead := strings.TrimLeft(bare, " "); {
		case strings.HasPrefix(lead, "```"), strings.HasPrefix(lead, "~~~"):
			fenced = !fenced
		case !fenced && (strings.HasPrefix(bare, "<<<<<<< ") || strings.HasPrefix(bare, ">>>>>>> ")):
			return at, at + len(bare)
		}
		at += len(line)
	}
	return -1, -1
}

// resolve returns the advice for an unresolved merge conflict.
func resolve(doc *wire.Document, fault *wire.DocumentFault) wire.Remedy {
	lines := conflicts(doc.Text)
	if lines == "" { // the document has no text here
		lines = "line " + strconv.Itoa(fault.Line)
	}
	return wire.Remedy{Title: "Resolve the conflict", Safety: wire.Manual, Fixes: []string{wire.RuleUnreadable},
		Steps: []string{"Resolve the conflict on " + lines + " of " + doc.Path + ": keep what is true on each side, " +
			"and remove the markers."}}
}

// conflicts returns the lines with merge conflicts: "lines 25-31, 40-44".
func conflicts(text string) string {
	var list []string
	line, from := 0, 0
	for bare := range strings.Lines(text) {
		line++
		switch {
		case strings.HasPrefix(bare, "<<<<<<< "):
			from = line
		case strings.HasPrefix(bare, ">>>>>>> ") && from > 0:
			list, from = append(list, strconv.Itoa(from)+"-"+strconv.Itoa(line)), 0
		case strings.HasPrefix(bare, ">>>>>>> "):
			list = append(list, strconv.Itoa(line))
		}
	}
	if from > 0 { // the end marker is missing
		list = append(list, strconv.Itoa(from)+"-"+strconv.Itoa(line))
	}
	switch {
	case len(list) == 0:
		return ""
	case len(list) == 1 && !strings.Contains(list[0], "-"):
		return "line " + list[0]
	}
	return "lines " + say.List(list)
}
