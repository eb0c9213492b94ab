package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/words"
)

// A verdict is a VERIFICATION or UAT file.
type verdict struct {
	path   string
	status string // as written, or ""
	word   string // the status, normalized
	line   int    // the status's line
	front  bool   // the status is in the front matter
	tests  []test // in a UAT file
}

// A test is one test for a person: a heading with a result.
type test struct {
	title, result string
	line          int
}

// readVerdict reads the status in the front matter, or else in the text's first **Status:** line, and the results of
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

// word returns the first word of a test's result, in lower case.
func (t *test) word() string { return lower(words.First(strings.TrimLeft(t.result, "[*_` "))) }

// pending reports whether a test was not run yet.
func (t *test) pending() bool { return t.word() == "pending" || t.word() == "blocked" }

// failed reports whether a test did not pass and its result does not say that the issue is fixed: "issue (fixed)".
func (t *test) failed() bool {
	return (t.word() == "issue" || t.word() == "fail" || t.word() == "failed") &&
		!mentions(t.result, "(fixed", "(resolved")
}

// testing reports whether a UAT file's status says that testing continues.
func (v *verdict) testing() bool {
	return v.word == "partial" || v.word == "testing" || v.word == "in_progress"
}

// waiting returns the tests in a UAT file that were not run yet or did not pass. A failed test no longer counts once
// plans have closed the gaps or the status is resolved, because upstream's tool never rewrites its result.
func (ph *phase) waiting(v *verdict) (list []*test) {
	closed := v.word == "resolved" || ph.gapsClosed()
	for i := range v.tests {
		if t := &v.tests[i]; t.pending() || t.failed() && !closed {
			list = append(list, t)
		}
	}
	return list
}

// gapsClosed reports whether plans for the phase's gaps exist and all of them are executed.
func (ph *phase) gapsClosed() bool {
	any := false
	for _, p := range ph.plans {
		if p.gaps && !p.superseded {
			if p.summary == "" {
				return false
			}
			any = true
		}
	}
	return any
}

// tried reports whether a UAT file of the phase is finished: all its tests were run, and they passed or their gaps were
// closed. A file that lists its tests in another form counts only if it passed.
func (ph *phase) tried() bool {
	return slices.ContainsFunc(ph.uats, func(v *verdict) bool {
		return len(ph.waiting(v)) == 0 && (strings.HasPrefix(v.word, "passed") ||
			len(v.tests) > 0 && (strings.HasPrefix(v.word, "complete") || v.word == "resolved"))
	})
}

// untested returns the UAT file whose tests a person still has to run or whose failures no plan closes. failed is true
// if one of its tests failed and the status does not say that testing continues.
func (ph *phase) untested() (v *verdict, failed bool) {
	for _, v := range ph.uats {
		list := ph.waiting(v)
		if slices.ContainsFunc(list, (*test).failed) && !v.testing() {
			return v, true
		}
		if list != nil || len(v.tests) == 0 && v.testing() {
			return v, false
		}
	}
	return nil, false
}
