package print

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// saying is a result in which every text from outside is one text.
func saying(text string) *result.Result {
	life := func(name string, unit wire.Unit) wire.Lifecycle {
		return wire.Lifecycle{Name: name, Unit: unit,
			Phases: []wire.Phase{{Name: text}, {Name: "write"}, {Name: "done"}}}
	}
	run := wire.Detection{Lifecycle: "run", Subject: text, Claimed: text, Observed: "write", Fit: wire.Ahead,
		State:    wire.Active,
		Progress: wire.Progress{Done: 1, Total: 2, Unit: text}, Resume: wire.Resume{First: text, Next: text}}
	part := run
	part.Lifecycle = "part"
	now := time.Date(2026, 3, 12, 16, 0, 0, 0, time.UTC)
	return &result.Result{
		Revision: text,
		Plugins: []*plugin.Plugin{{Name: text,
			Manifest: &wire.Manifest{Lifecycles: []wire.Lifecycle{life("run", wire.Run), life("part", wire.Part)}}}},
		Instances: []result.Instance{{Plugin: text, Root: text,
			Lifecycles: []wire.Lifecycle{life("run", wire.Run), life("part", wire.Part)}, Detections: []wire.Detection{run, part},
			LastUpdate: result.Update{At: now, By: text},
			Diagnostics: []result.Diagnostic{{Rule: text, Severity: wire.Error, Message: text,
				Place: result.Place{Path: text, Line: 2}}}}},
		Failures: []result.Failure{{Plugin: text, Root: text, Failure: fault.Failure{Kind: fault.IO, Message: text}}},
	}
}

func pageOf(t testing.TB, r *result.Result, write func(*strings.Builder, View) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b, View{Runs: r.Runs(), Now: time.Date(2026, 3, 12, 17, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func pageFor(t testing.TB, r *result.Result) string {
	t.Helper()
	return pageOf(t, r, func(b *strings.Builder, v View) error {
		return StatusPage(b, r, v, Options{FailOn: wire.Error, Version: "1"})
	})
}

var (
	quotedValue = regexp.MustCompile(`"[^"]*"`)
	betweenTags = regexp.MustCompile(`>[^<]*<`)
)

// skeleton are the tags of a page, without what their quoted attributes hold.
func skeleton(page string) string {
	return betweenTags.ReplaceAllString(quotedValue.ReplaceAllString(page, `""`), "><")
}

// A pageData is the data of a page of runs.
type pageData struct {
	Runs  map[string][][]any
	Texts []string
}

// parted parts a page of runs into what is no data, and the data as its script gets it.
func parted(t testing.TB, page string) (string, pageData) {
	t.Helper()
	before, rest, begins := strings.Cut(page, `<script type="application/json" id="data">`)
	text, after, ends := strings.Cut(rest, "</script>")
	var d pageData
	if err := json.Unmarshal([]byte(text), &d); err != nil || !begins || !ends || strings.ContainsAny(text, "<>&") {
		t.Fatalf("the data of the page: %v\n%s", err, text)
	}
	return before + after, d
}

var evilTexts = []string{"<script>alert(1)</script>", `" onmouseover="alert(1)`, "'><img src=x onerror=alert(1)>",
	"</code></style><style>*{}", "]]>--><!--", "&lt;b&gt;&#60;b", "a\x00\u202e\x1b[2J\r\n<b>", "javascript:alert(1)",
	"` | [x](http://x) <b>"}

// FuzzStatusPage: no text adds a tag, an attribute or anything that a terminal obeys, in the page and in its data.
func FuzzStatusPage(f *testing.F) {
	for _, text := range evilTexts {
		f.Add(text)
	}
	plain, _ := parted(f, pageFor(f, saying("plain")))
	plain = skeleton(plain)
	f.Fuzz(func(t *testing.T, text string) {
		if text == "write" || text == "done" || text == "run" {
			t.Skip("the text is a phase of the workflow, and stands for what it says")
		}
		page, data := parted(t, pageFor(t, saying(text)))
		if got := skeleton(page); got != plain && strings.TrimSpace(text) != "" {
			t.Fatalf("%q changes the page:\n%s\nwant\n%s", text, got, plain)
		}
		for _, s := range append(data.Texts, page) {
			if at := strings.IndexFunc(s, func(r rune) bool {
				return r < ' ' && r != '\n' || r == 0x7f ||
					r == 0x202e
			}); at >= 0 {
				t.Fatalf("%q: the page holds %q", text, s[at])
			}
		}
	})
}

// alone fails where a page names something outside of it, or its policy allows more than its own style and script.
func alone(t *testing.T, page string) {
	t.Helper()
	for _, tag := range []struct{ open, close, directive string }{{"<style>", "</style>", "style-src"},
		{"<script>", "</script>", "script-src"}} {
		rest := page
		for {
			_, after, found := strings.Cut(rest, tag.open)
			if !found {
				break
			}
			text, after, _ := strings.Cut(after, tag.close)
			rest = after
			policy, _, _ := strings.Cut(page[strings.Index(page, tag.directive):], ";")
			if !strings.Contains(policy, "'"+digest(text)+"'") {
				t.Errorf("the policy %q does not name what stands in %s: %s", policy, tag.open, digest(text))
			}
		}
	}
	for _, want := range []string{"default-src 'none'", "require-trusted-types-for 'script'; trusted-types 'none'",
		`<html lang="en">`, "<style>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, outside := range []string{"http:", "https:", "src=", `href="/`, `href="h`, "url(", "@import", " style=",
		"unsafe"} {
		if strings.Contains(page, outside) {
			t.Errorf("the page holds %q", outside)
		}
	}
}

// TestStatusPage: the page stands alone, and its data are what the script lays out.
func TestStatusPage(t *testing.T) {
	page := pageFor(t, saying("plain"))
	alone(t, page)
	for _, want := range []string{`role="search"`, `role="status"`, `<script>` + statusScript, "<noscript>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	_, d := parted(t, page)
	got, _ := json.Marshal(d.Runs["w1"])
	const want = `[["b","plain",3,[3,1,0],4,[1,2,1],5,6,7,[1,2],[1,1,[8,9,6,6]]]]`
	const texts = "|1/2 plain|part plain: write (says plain); plain|run plain|write (says plain)|1 h|plain|fix " +
		"first: 1 error|error|plain:2:1"
	if string(got) != want || strings.Join(d.Texts, "|") != texts {
		t.Errorf("%s %q, want %s", got, strings.Join(d.Texts, "|"), want)
	}
	for _, sink := range []string{"innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval", "Function(",
		"href", ".src"} {
		if strings.Contains(statusScript, sink) {
			t.Errorf("the script uses %s", sink)
		}
	}
}

// manyRuns are runs of which each has something that no other one says.
func manyRuns(all int) *result.Result {
	r := saying("plain")
	one := r.Instances[0]
	r.Instances = nil
	for n := range all {
		i := one
		i.Root = fmt.Sprintf(".ocr/sessions/2026-03-11-a-long-name-of-a-session-%04d", n)
		i.Detections = []wire.Detection{one.Detections[0]}
		i.Detections[0].Resume.Next = strings.Repeat("a next action that is rather long ", 10)
		i.Diagnostics = slices.Clone(one.Diagnostics)
		i.Diagnostics[0].Message = fmt.Sprintf("the state file claims what run %d refutes", n)
		if n%10 > 0 {
			i.Diagnostics[0].Severity = wire.Warning
		}
		r.Instances = append(r.Instances, i)
	}
	return r
}

// TestStatusPageSize: 3,000 runs are less than half of 2 MB.
func TestStatusPageSize(t *testing.T) {
	if n := len(pageFor(t, manyRuns(3000))); n > 1_000_000 {
		t.Errorf("the page has %d bytes", n)
	} else {
		t.Logf("%d bytes", n)
	}
}

// TestStatusMarkdown: a text from outside stays in its cell.
func TestStatusMarkdown(t *testing.T) {
	write := func(r *result.Result) string {
		return pageOf(t, r, func(b *strings.Builder,
			v View) error {
			return StatusMarkdown(b, r, v, Options{FailOn: wire.Error})
		})
	}
	words := regexp.MustCompile(`(Text "(?:[^"\\]|\\.)*" )+`)
	kinds := func(text string) string { return words.ReplaceAllString(shape(write(saying(text))), "Text ") }
	want := kinds("plain")
	for _, evil := range evilTexts {
		if got := kinds(evil); got != want {
			t.Errorf("%q changes the table:\n%s\nwant\n%s", evil, got, want)
		}
	}
	const row = "| ✗ blocked | plain | plain | write (says plain) | 1/2 | 1 h, plain | fix first\\: 1 " +
		"error |\n"
	if got := write(saying("plain")); !strings.Contains(got, row) {
		t.Errorf("it lacks %s:\n%s", row, got)
	}
}
