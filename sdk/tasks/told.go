package tasks

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// Told returns the lines that may explain why a document no longer has a task: its shown lines and the lines of its
// boxes. It omits other lines that contain a box, because a box that was quoted, escaped, linked or put into a table or
// a script is neither a task nor a reason for deleting one. Lines that are struck out count as reasons.
func Told(text string, boxes []*Task) string {
	var b strings.Builder
	for line := range strings.Lines(markdown.Shown(text)) {
		if !containsBox(line) || strings.Contains(line, "~~") {
			b.WriteString(line)
		}
	}
	for _, t := range boxes {
		first, _, _ := strings.Cut(t.Raw, "\n")
		b.WriteString("\n" + first)
	}
	return b.String()
}

var (
	brackets = []string{"[", "［", "&#91;", "&#x5b;", "&lbrack;", "&lsqb;"}
	closers  = []string{"]", "］", "&#93;", "&#x5d;", "&rbrack;", "&rsqb;"}
)

// containsBox reports whether a line contains brackets around a blank or an x. The brackets of an index, as in list[x],
// do not count.
func containsBox(line string) bool {
	for _, open := range brackets {
		for at := 0; ; at += len(open) {
			i := strings.Index(line[at:], open)
			if i < 0 {
				break
			}
			at += i
			if at > 0 && words.IsWord(line[at-1]) {
				continue
			}
			inner := line[at+len(open):]
			rest := strings.TrimLeftFunc(strings.TrimLeft(inner, " \txX"), unseen)
			for _, shut := range closers {
				if len(rest) < len(inner) && strings.HasPrefix(strings.TrimPrefix(rest, `\`), shut) {
					return true
				}
			}
		}
	}
	return false
}
