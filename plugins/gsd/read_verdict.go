package gsd

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/words"
)

// A verdict is a VERIFICATION or UAT file.
type verdict struct {
	path   string
	status string // as written, or ""
	word   string // folded
	line   int    // the status's line
	front  bool   // the status is in the front matter
	tests  []test // in a UAT file
}

// A test is one test for a person: a heading with a result.
type test struct {
	title, result string
	line          int
}

// readVerdict reads the status in the front matter, or else the first **Status:** of the text, and the results of
// tests. It ignores text in fences and quotes.
func readVerdict(d *sdk.Document) *verdict {
	v := &verdict{path: d.Path}
	f := front(d)
	if e := f.Get("status"); e != nil {
		v.status, v.line, v.front = e.Value, e.Line, true
	}
	fenced, line, title := "", 0, ""
	for rest := d.Text; rest != ""; {
		var text string
		text, rest, _ = strings.Cut(rest, "\n")
		line++
		text = strings.TrimRight(text, " \t\r")
		if bare := strings.TrimLeft(text, " "); strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			if fenced == "" {
				fenced = bare[:3]
			} else if strings.HasPrefix(bare, fenced) {
				fenced = ""
			}
		}
		if fenced != "" || text == "" {
			continue
		}
		if strings.HasPrefix(text, "### ") {
			title = text[4:]
		} else if strings.HasPrefix(text, "## ") {
			title = ""
		}
		if value, ok := strings.CutPrefix(text, "result:"); ok && title != "" {
			v.tests = append(v.tests, test{title, strings.TrimSpace(value), line})
		}
		if value, ok := strings.CutPrefix(text, "**Status:**"); ok && v.status == "" && line < 40 {
			v.status, v.line = strings.TrimSpace(value), line
		}
	}
	if _, v.word = verdictWords.Split(v.status); v.word == "" {
		v.word = words.Fold(v.status)
	}
	return v
}

// waits reports whether a test was not run yet or did not pass: pending, blocked, issue.
func (t *test) waits() bool {
	word := lower(words.First(strings.TrimLeft(t.result, "[*_` ")))
	return word == "pending" || word == "blocked" || word == "issue" || word == "fail" || word == "failed"
}

// tried reports whether all tests in a UAT file were run and passed.
func (v *verdict) tried() bool {
	for i := range v.tests {
		if v.tests[i].waits() {
			return false
		}
	}
	return len(v.tests) > 0 && (strings.HasPrefix(v.word, "complete") || strings.HasPrefix(v.word, "passed"))
}
