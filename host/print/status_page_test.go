package print

import (
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

// saying returns a result in which every text from outside is the same.
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
			Lifecycles: []wire.Lifecycle{life("run", wire.Run), life("part", wire.Part)},
			Detections: []wire.Detection{run, part},
			LastUpdate: result.Update{At: now, By: text},
			Diagnostics: []result.Diagnostic{{Rule: text, Severity: wire.Error, Message: text,
				Place: result.Place{Path: text, Line: 2}}}}},
		Failures: []result.Failure{{Plugin: text, Root: text, Failure: fault.Failure{Kind: fault.IO, Message: text}}},
	}
}

var pageNow = time.Date(2026, 3, 12, 17, 0, 0, 0, time.UTC)

func pageOf(t testing.TB, r *result.Result, write func(*strings.Builder, View) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b, View{Runs: r.Runs(), Now: pageNow}); err != nil {
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

// skeleton returns a page's tags without the content of quoted attributes.
func skeleton(page string) string {
	return betweenTags.ReplaceAllString(quotedValue.ReplaceAllString(page, `""`), "><")
}

var evilTexts = []string{"<script>alert(1)</script>", `" onmouseover="alert(1)`, "'><img src=x onerror=alert(1)>",
	"</code></style><style>*{}", "]]>--><!--", "&lt;b&gt;&#60;b", "a\x00\u202e\x1b[2J\r\n<b>", "javascript:alert(1)",
	"` | [x](http://x) <b>"}

// FuzzStatusPage: no text adds a tag, an attribute or anything that a terminal obeys.
func FuzzStatusPage(f *testing.F) {
	for _, text := range evilTexts {
		f.Add(text)
	}
	plain := skeleton(pageFor(f, saying("plain")))
	f.Fuzz(func(t *testing.T, text string) {
		if text == "write" || text == "done" || text == "run" {
			t.Skip("the text is a phase of the workflow, and stands for what it says")
		}
		page := pageFor(t, saying(text))
		if got := skeleton(page); got != plain && strings.TrimSpace(text) != "" {
			t.Fatalf("%q changes the page:\n%s\nwant\n%s", text, got, plain)
		}
		if at := strings.IndexFunc(page, func(r rune) bool {
			return r < ' ' && r != '\n' || r == 0x7f || r == 0x202e
		}); at >= 0 {
			t.Fatalf("%q: the page holds %q", text, page[at])
		}
	})
}

// alone fails if a page refers to another file, or its policy allows more than its own style and script.
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
				t.Errorf("the policy %q does not name the content of %s: %s", policy, tag.open, digest(text))
			}
		}
	}
	for _, want := range []string{"default-src 'none'", "require-trusted-types-for 'script'; trusted-types 'none'",
		`<html lang="en">`, "<style>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	page = strings.ReplaceAll(page, `<a href="https://example.com/#lie" rel="noreferrer">`, "") // documents a rule
	for _, outside := range []string{"http:", "https:", "src=", `href="/`, `href="h`, "url(", "@import", " style=",
		"unsafe"} {
		if strings.Contains(page, outside) {
			t.Errorf("the page holds %q", outside)
		}
	}
}

// TestStatusPage: the page is self-contained. Without its script, which only filters, it shows every fact of a run.
func TestStatusPage(t *testing.T) {
	r := saying("plain")
	r.Plugins[0].Manifest.Rules = []wire.Rule{{Name: "lie", URL: "https://example.com/#lie"}}
	d := &r.Instances[0].Diagnostics[0]
	d.Rule, d.Fingerprint = "plain/lie", "d036d036"
	d.Remedies = []result.Remedy{{ID: "f0ea", Remedy: wire.Remedy{Safety: wire.Review, Title: "Set it"},
		ReviewReason: "it guesses"}, {Remedy: wire.Remedy{Safety: wire.Manual, Title: "Write it"}}}
	var b strings.Builder
	v := View{Runs: r.Runs(), Now: pageNow, Where: Where{"acme/shop", "main", "1449f07aaaaaaaa"}}
	r.Revision, r.Base = "", []result.Base{{Rev: "HEAD", ID: "1449f07aaaaaaaa"}}
	o := Options{FailOn: wire.Error, Version: "1", Recover: "stategate recover"}
	if err := StatusPage(&b, r, v, o); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	alone(t, page)
	for _, want := range []string{
		"<title>acme/shop · main · 1449f07 · the gate is incomplete · stategate</title>",
		`<h1>acme/shop <span class="gate incomplete">check incomplete</span></h1>`,
		"<dt>branch</dt><dd>main</dd>", "<dt>commit</dt><dd>1449f07</dd>", "<dt>checked</dt><dd>working tree</dd>",
		`<div class="same"><dt>compared with</dt><dd>HEAD (1449f07)</dd>`,
		`<div class="same"><dt>scope</dt><dd>everything</dd>`, "<div><dt>time</dt><dd>2026-03-12 17:00 UTC</dd>",
		`<li class="b"><h4><i>blocked</i> <b>plain</b></h4>`,
		`<p class="of">plain · run <code></code></p>`,
		`<use href="#l3-2-1"/></svg><span>write <small>2 of 3</small></span> <em>recorded: plain</em></p>`,
		`<circle class="recorded" cx="7" cy="8" r="4"/><circle class="actual" cx="43" cy="8" r="4"/>` +
			`<circle class="todo" cx="79" cy="8" r="4"/>`,
		`<use href="#b10"/></svg>1/2 plain done</p>`, `<p class="when">updated 1 h ago <span>by plain</span></p>`,
		`<p><b>error</b> <strong>plain</strong></p>`, `<a href="https://example.com/#lie" rel="noreferrer">plain/lie</a>`,
		`id <code>d036</code>`,
		`<i class="review">needs review</i> Set it<code class="run">stategate recover --apply f0ea</code>` +
			`<ul><li>not safe: it guesses</li></ul>`,
		`<i class="manual">by hand</i> Write it</li>`, `role="search"`, `<script>` + statusScript,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if t.Failed() {
		t.Log(page)
	}
	// a phone shows the base and the scope unless they are the default
	r.Changed, r.Outside = true, result.Outside{Runs: 3, Errors: 3}
	r.Base = []result.Base{{Rev: "main", ID: "1449f07aaaaaaaa", Role: result.RoleMergeBase}}
	page = pageFor(t, r)
	for _, want := range []string{
		`<div class="chosen"><dt>compared with</dt><dd>1449f07, the merge base with main</dd>`,
		`<div class="chosen"><dt>scope</dt><dd>what the change touches; not shown: 3 errors in 3 runs `,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, sink := range []string{"innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval", "Function(",
		"href", ".src"} {
		if strings.Contains(statusScript, sink) {
			t.Errorf("the script uses %s", sink)
		}
	}
}

// TestStatusPageText: text between backticks is code, what a message claims is emphasized, and the page says how many
// findings it does not list.
func TestStatusPageText(t *testing.T) {
	r := saying("plain")
	d := r.Instances[0].Diagnostics[0]
	d.Severity, d.Message = wire.Info, "hidden"
	r.Instances[0].Diagnostics = append(r.Instances[0].Diagnostics, d)
	r.Instances[0].Diagnostics[0].Message = "run `a: <b>` \"x; y\" now: at once"
	page := pageFor(t, r)
	for _, want := range []string{"</b> <strong>run <code>a: &lt;b&gt;</code> &#34;x; y&#34; now</strong>: at once</p>",
		"<p>This page lists 1 of 2 findings. All of them: <code>stategate check --show all</code></p>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	r.Instances[0].Diagnostics[0].Message = "one ` only"
	if page = pageFor(t, r); !strings.Contains(page, "</b> <strong>one ` only</strong></p>") {
		t.Error("a single backtick does not stay as it is")
	}
}

// TestStatusPageOrder: one list has the runs of all workflows in the order of the view.
func TestStatusPageOrder(t *testing.T) {
	r := saying("a")
	one := r.Instances[0]
	for n, state := range []wire.State{wire.Finished, wire.Active, wire.Active, wire.Blocked} {
		i := one
		i.Plugin, i.Root, i.Diagnostics = fmt.Sprintf("w%d", n), fmt.Sprintf("run%d", n), nil
		i.Detections = []wire.Detection{{Lifecycle: "run", State: state}}
		i.LastUpdate.At = pageNow.Add(time.Duration(n) * time.Hour)
		r.Instances = append(r.Instances, i)
	}
	r.Instances = r.Instances[1:]
	v := View{Runs: r.Runs(), Now: pageNow}
	result.SortRuns(v.Runs, wire.Error)
	var b strings.Builder
	if err := StatusPage(&b, r, v, Options{FailOn: wire.Error}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, run := range regexp.MustCompile(`<b>(run\d)`).FindAllStringSubmatch(b.String(), -1) {
		got = append(got, run[1])
	}
	if want := "run3 run2 run1 run0"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// TestStatusPageEmpty: without runs there is nothing to filter.
func TestStatusPageEmpty(t *testing.T) {
	page := pageFor(t, &result.Result{})
	alone(t, page)
	for text, want := range map[string]bool{"<p>No runs.</p>": true, "gate open": true, "<form": false,
		"<script": false, `id="runs"`: false} {
		if strings.Contains(page, text) != want {
			t.Errorf("%s is in the page: %v", text, !want)
		}
	}
}

// TestStatusPageLinks: an external plugin's own links are used, and no address becomes a script.
func TestStatusPageLinks(t *testing.T) {
	r := saying("plain")
	for url, want := range map[string]string{
		"":                        `<span>plain/lie</span>`,
		"https://example.com/lie": `<a href="https://example.com/lie" rel="noreferrer">plain/lie</a>`,
		"javascript:alert(1)":     `<a href="#ZgotmplZ"`,
	} {
		r.Plugins[0].Manifest.Rules = []wire.Rule{{Name: "lie", URL: url}}
		r.Instances[0].Diagnostics[0].Rule = "plain/lie"
		if page := pageFor(t, r); !strings.Contains(page, want) {
			t.Errorf("%q: the page lacks %s", url, want)
		}
	}
	r.Plugins[0].Manifest.Rules[0].URL = "https://example.com/a)|`b\\>"
	row := newSummary(r, Options{}, "").finding(&r.Instances[0], &r.Instances[0].Diagnostics[0])
	if want := "| [plain/lie](https://example.com/a%29%7C%60b%5C%3E) |"; !strings.Contains(row, want) {
		t.Errorf("%s lacks %s", row, want)
	}
}

// manyRuns returns runs with unique texts.
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

// TestStatusPageSize: a page with 3,000 runs is smaller than 1 MB. All runs are listed, and the first ones are shown
// in full.
func TestStatusPageSize(t *testing.T) {
	page := pageFor(t, manyRuns(3000))
	rows, full := strings.Count(page, `<li class="`+"b\""), strings.Count(page, `<ul class="findings">`)
	rows += strings.Count(page, `<li class="`+"a\"")
	if len(page) > 1_000_000 || rows != 3000 || full < 100 {
		t.Errorf("the page has %d bytes, %d runs, and the findings of %d", len(page), rows, full)
	}
	t.Logf("%d bytes, the findings of %d runs", len(page), full)
}

// TestStatusMarkdown: a text from outside stays in its cell.
func TestStatusMarkdown(t *testing.T) {
	write := func(r *result.Result) string {
		return pageOf(t, r, func(b *strings.Builder,
			v View) error {
			return StatusMarkdown(b, r, v, Options{FailOn: wire.Error,
				Accept: func(id string) string { return "accept " + id }})
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
	const row = "| ✗ blocked | plain · run | plain | ◌◉○ write (recorded\\: plain) | " +
		"1/2 plain | 1 h ago, by plain | fix first\\: plain (1 error) |\n"
	const finding = "| error | plain\\:2\\:1 | plain | plain |  | |\n"
	if got := write(saying("plain")); !strings.Contains(got, row) || !strings.Contains(got, finding) ||
		!strings.Contains(got, "\n1 run\\: 1 error, 1 failure · 1 blocked\n\ncommit plain · checked working tree · "+
			"compared with nothing · scope everything · time 2026-03-12 17\\:00 UTC\n") ||
		!strings.HasSuffix(got, "\nAccept a finding with a reason: `accept ID`\n") {
		t.Errorf("it lacks %s or %s:\n%s", row, finding, got)
	}
}
