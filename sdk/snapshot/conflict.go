//go:build !wasip1

package snapshot

import (
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// kindConflict is the kind of the fault of an unresolved merge. It is an error wherever it is found: no plugin lowers it.
const kindConflict = "conflict"

// conflict returns the fault of a text that holds an unresolved merge. JSON has another, of its syntax.
func conflict(text string, d *wire.Document) []wire.DocumentFault {
	start, end := conflictOf(text)
	if start < 0 || d.Format != wire.Markdown && d.Format != wire.Text {
		return nil
	}
	f := wire.DocumentFault{
		Rule: wire.RuleUnreadable, Kind: kindConflict, Key: kindConflict, Line: 1 + strings.Count(text[:start], "\n"), Start: start, End: end,
		Message: "found the merge conflict marker <<<<<<<: resolve the conflict and remove the markers",
	}
	if d.Need != wire.Content {
		f.Start, f.End = 0, 0
	}
	return []wire.DocumentFault{f}
}

// conflictOf returns the place of the first line of an unresolved merge, -1 without one. What stands in a fenced block
// is quoted.
func conflictOf(text string) (start, end int) {
	at, want, fenced := 0, 0, false
	start = -1
	if !strings.Contains(text, "<<<<<<< ") {
		return -1, -1
	}
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(strings.TrimLeft(bare, " "), "```"):
			fenced = !fenced
		case want == 0 && !fenced && strings.HasPrefix(bare, "<<<<<<< "):
			start, end, want = at, at+len(bare), 1
		case want == 1 && bare == "=======":
			want = 2
		case want == 2 && strings.HasPrefix(bare, ">>>>>>> "):
			return start, end
		}
		at += len(line)
	}
	return -1, -1
}
