package print

import (
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/result"
)

// maxSummary is how large a summary becomes, in bytes: GitHub refuses one of a step beyond 1 MiB whole.
const maxSummary = 900 << 10

// GitHubSummary writes a result as the Markdown that GitHub Actions shows as the
// summary of a job: every failure and finding, the most severe first.
func GitHubSummary(w io.Writer, r *result.Result, o Options) error {
	s := &summary{}
	s.add("### stategate: the gate is " + string(r.Gate(o.FailOn)) + "\n\n" + markdown(verdict(r, o.FailOn)) + "\n")
	var rows []string
	for _, f := range r.Failures {
		rows = append(rows, markdownRow("failure", f.Root, f.Message, strings.TrimPrefix(f.Plugin+": "+string(f.Kind), ": ")))
	}
	for _, f := range severest(r) {
		rows = append(rows, markdownRow(f.Severity.String(), f.Place.String(), f.Message, f.Rule, o.cures(f.instance, f.Diagnostic)...))
	}
	if len(rows) > 0 {
		s.add("\n| severity | place | finding | rule | remedies |\n|---|---|---|---|---|\n")
	}
	for n, text := range rows {
		if !s.add(text) {
			s.text.WriteString("\n" + strconv.Itoa(len(rows)-n) + " more do not fit here; the log of the step has them.\n")
			break
		}
	}
	for _, text := range o.notes(r) {
		s.add("\n" + markdown(text) + "\n")
	}
	_, err := io.WriteString(w, s.text.String()+"\n")
	return err
}

// A summary is a text that stops growing at maxSummary.
type summary struct{ text strings.Builder }

// add reports whether there was room.
func (s *summary) add(text string) bool {
	if s.text.Len()+len(text) > maxSummary {
		return false
	}
	s.text.WriteString(text)
	return true
}

func markdownRow(severity, place, message, rule string, cures ...string) string {
	var b strings.Builder
	for _, c := range []string{severity, place, message, rule} {
		b.WriteString("| " + markdown(c) + " ")
	}
	for n, c := range cures {
		cures[n] = markdown(strings.ReplaceAll(c, "\n", " "))
	}
	return b.String() + strings.TrimRight("| "+strings.Join(cures, "<br>"), " ") + " |\n"
}

var marks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[\\\\`*_\\[\\]<>|~&!@#$:.]") })

// markdown returns a text as Markdown that shows it in the cell of a table, or behind a word: links, images, HTML and code of
// a hostile text are shown, not obeyed.
func markdown(text string) string { return marks().ReplaceAllString(Safe(text), `\$0`) }
