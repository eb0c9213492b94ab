package snapshot

import (
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// kindConflict is the kind of the fault for an unresolved merge conflict. It is always an error; plugins cannot
// lower it.
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
// may have a single marker. Fenced blocks only quote, and ======= alone underlines a heading.
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
