package print

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/stategate/stategate/host/result"
)

// FuzzDiff: the diff of any two texts contains nothing that a terminal or a CI log would obey, and the diff of equal
// texts is empty.
func FuzzDiff(f *testing.F) {
	f.Add("a", "b", "one\n", "two\n")
	f.Add("a\n", "::b", "\x1b[31m\n##vso[x]\n", "no end")
	f.Add("a", "a", "same", "same")
	f.Fuzz(func(t *testing.T, from, to, before, after string) {
		if len(before) > 2000 || len(after) > 2000 {
			return
		}
		var b bytes.Buffer
		if err := Diff(&b, []result.FileChange{{From: from, To: to, Before: []byte(before), After: []byte(after)}},
			Options{}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || obeyed.MatchString(line) {
				t.Fatalf("the line %q", line)
			}
			if strings.ContainsFunc(strings.TrimSuffix(strings.TrimRight(line, "\n"), "\r"),
				func(r rune) bool { return r != '\t' && unicode.IsControl(r) }) {
				t.Fatalf("the line %q", line)
			}
		}
	})
}
