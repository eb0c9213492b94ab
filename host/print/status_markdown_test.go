package print

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func statusMarkdown(t *testing.T, r *result.Result) string {
	t.Helper()
	return pageOf(t, r, func(b *strings.Builder, v View) error {
		return StatusMarkdown(b, r, v, Options{FailOn: wire.Error, Recover: "stategate recover"})
	})
}

// TestStatusMarkdownBeginsWithErrors: what closes the gate comes before the runs, and the warnings are counted by rule
// and folded.
func TestStatusMarkdownBeginsWithErrors(t *testing.T) {
	r := manyRuns(3)
	d := &r.Instances[0].Diagnostics[0]
	d.Fingerprint, r.Instances[1].Diagnostics[0].Fingerprint, r.Instances[2].Diagnostics[0].Fingerprint = "1", "2", "3"
	d.Remedies = []result.Remedy{way("0123456789abcdef", "Run `a_b`", wire.Review), way("2", "Decide", wire.Manual)}
	d.Remedies[1].Steps = []string{"one", "two"}
	got := statusMarkdown(t, r)
	last := 0
	for _, want := range []string{
		"### stategate: the check is incomplete\n\n3 runs\\: 1 error, 2 warnings, 1 failure · 1 blocked, " +
			"2 in progress\n",
		"\ncould not be checked\\: plugin plain, plain\\: io\\: plain\n",
		"| `stategate recover --apply 0123` (review): Run `a_b`<br>by hand: Decide<br>- one<br>- two |\n",
		"\n| ✗ blocked |", "\n| ● in progress |", "\n| warnings | rule |\n|---|---|\n| 2 | plain |\n",
		"\n<details>\n<summary>2 warnings</summary>\n\n| severity |", "\n\n</details>\n",
	} {
		at := strings.Index(got, want)
		if at < last {
			t.Errorf("%q is missing, or is not after the text before it:\n%s", want, got)
		}
		last = max(at, last)
	}
}

// TestStatusMarkdownFitsInAComment: whatever there is a lot of, the status stays below GitHub's limit, ends each table
// with a whole row, counts what it leaves out, and closes what it opens.
func TestStatusMarkdownFitsInAComment(t *testing.T) {
	runs, errors := manyRuns(3000), manyRuns(3000)
	for n := range runs.Instances {
		runs.Instances[n].Diagnostics[0].Fingerprint = fmt.Sprint(n)
		d := &errors.Instances[n].Diagnostics[0]
		d.Fingerprint, d.Severity = fmt.Sprint(n), wire.Error
	}
	failures := manyRuns(300)
	for range 1000 {
		failures.Failures = append(failures.Failures, result.Failure{Plugin: "toy", Root: strings.Repeat("deep/", 20)})
	}
	long := manyRuns(2)
	long.Instances[0].Diagnostics[0].Message = strings.Repeat("x", 2*mostStatus)
	more := regexp.MustCompile(`(?m)^… and [0-9]+ more ([a-z]+): stategate (check|status)$`)
	for name, c := range map[string]struct {
		r    *result.Result
		more string
	}{
		"runs":         {runs, "runs warnings"},
		"errors":       {errors, "errors runs"},
		"failures":     {failures, "failures runs"},
		"a long error": {long, "errors"},
	} {
		got := statusMarkdown(t, c.r)
		var left []string
		for _, m := range more.FindAllStringSubmatch(got, -1) {
			left = append(left, m[1])
		}
		if len(got) >= mostStatus || strings.Join(left, " ") != c.more {
			t.Errorf("%s: %d bytes leave out %q, want %q", name, len(got), left, c.more)
		}
		if open := strings.Count(got, "<details>"); open != strings.Count(got, "\n\n</details>\n") {
			t.Errorf("%s: %d details are open", name, open)
		}
		for line := range strings.Lines(got) {
			if strings.HasPrefix(line, "|") && !strings.HasSuffix(line, "|\n") {
				t.Errorf("%s: a row is cut: %.80s", name, line)
			}
		}
		if again := statusMarkdown(t, c.r); again != got {
			t.Errorf("%s: the second status differs", name)
		}
	}
}

// TestCodeInMarkdown: a command, and a text in backticks, stays in its cell and is shown literally.
func TestCodeInMarkdown(t *testing.T) {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	tags := regexp.MustCompile(`</?code>`)
	for _, text := range append([]string{
		"run `openspec archive a_b`", "`a` and `b`", "`a``b`", "`a|b`", "`a\\`", "`a\\|b`", "`<b>`", "`` ` ``",
		"`a` | b", "[`a`](http://x)", "*`a`*", "`*a`*b`", "` `",
	}, breakouts...) {
		if text = Safe(strings.TrimSpace(text)); text == "" {
			continue
		}
		for as, show := range map[string]func(string) string{"text": withCode, "command": code} {
			var b strings.Builder
			if err := md.Convert([]byte("| a | b |\n|---|---|\n| "+show(text)+" | c |"), &b); err != nil {
				t.Fatal(err)
			}
			_, shown, _ := strings.Cut(b.String(), "<tbody>\n<tr>\n<td>")
			shown, _, whole := strings.Cut(shown, "</td>\n<td>c</td>")
			shown = html.UnescapeString(tags.ReplaceAllString(shown, ""))
			without := strings.ReplaceAll(text, "`", "")
			if !whole || strings.TrimSpace(strings.ReplaceAll(shown, "`", "")) != strings.TrimSpace(without) {
				t.Errorf("the %s %q is shown as %q", as, text, b.String())
			}
		}
	}
	if got := withCode("run `a_b` c_d"); got != "run `a_b` c\\_d" {
		t.Errorf("got %s", got)
	}
}
