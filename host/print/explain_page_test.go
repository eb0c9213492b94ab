package print

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/wire"
)

// explaining is the page of a workflow in which every text is one text.
func explaining(t testing.TB, text string) string {
	t.Helper()
	m := &wire.Manifest{Name: text, Version: text, Doc: text, Paths: []string{text}, Roots: []wire.Root{{Dir: text, Markers: []string{text}}},
		Documents: []wire.DocumentSpec{{Glob: text, Schema: text}},
		Lifecycles: []wire.Lifecycle{{Name: text, Doc: text, Unit: wire.Run, Phases: []wire.Phase{{Name: text, Doc: text}, {Name: "b", Title: text}, {Name: "c"}, {Name: "d"}},
			Transitions: []wire.Transition{{From: text, To: "b", Doc: text}, {From: "b", To: "b"}, {From: "b", To: "d"}, {From: text, To: "d"}, {From: "d", To: "b"}, {From: "nowhere", To: "b"}}}},
		Rules: []wire.Rule{{Name: text, Group: text, Doc: "one\n\n" + text, Why: text, Fix: text, Severity: wire.Error, Replaces: []string{text}, Hides: []string{text}}}}
	var b strings.Builder
	if err := WorkflowPage(&b, &plugin.Plugin{Origin: text, Manifest: m}, map[string]string{text: text + "\n  {"}, Options{Version: "1"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWorkflowPage: lifecycles are drawn, rules are whole, and the page stands alone and runs nothing.
func TestWorkflowPage(t *testing.T) {
	page := explaining(t, "plain")
	alone(t, page)
	if strings.Contains(page, "<script") || strings.Contains(page, "script-src") {
		t.Error("the page has a script")
	}
	for _, want := range []string{
		`<svg role="img" aria-label="The lifecycle plain drawn: 4 phases" width="144" height="184"`,
		`<g><title>plain → b: plain</title><path d="M58 30V48"/>`,                   // down to the next box
		`<g><title>b → d</title><path d="M90 69H113q5 0 5 5V142q0 5 -5 5H90"/>`,     // beside the boxes on the right
		`<g><title>plain → d</title><path d="M90 23H127q5 0 5 5V142q0 5 -5 5H90"/>`, // outside of that
		`<g><title>d → b</title><path d="M26 147H17q-5 0 -5 -5V74q0 -5 5 -5H26"/>`,  // and up on the left
		`<li value="0"><code>plain</code> plain<ul><li>→ <code>b</code> plain</li>`,
		`<details id="plain"><summary><code>plain</code> <span class="bad">error</span> one</summary>`,
		"<p><strong>How to fix it</strong></p>\n<p class=\"prose\">plain</p>", "<pre>plain\n  {</pre>",
		"It was called plain before.", "rules: {plain/plain: warning}", "<code>unreadable-document</code>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if p := newPage(nil, Options{}); p.prose("a `b` c\nd `e\n\n<f>") != "<p class=\"prose\">a <code>b</code> c\nd `e</p>\n<p class=\"prose\">&lt;f&gt;</p>\n" {
		t.Errorf("prose: %s", p.prose("a `b` c\nd `e\n\n<f>"))
	}
}

// TestWorkflowPageHostile: no text of a manifest becomes a tag.
func TestWorkflowPageHostile(t *testing.T) {
	skeleton := func(page string) string { // a paragraph may hold code
		return strings.NewReplacer("<p class=\"\">", "<p>", "<code>", "", "</code>", "").Replace(skeleton(page))
	}
	plain := skeleton(explaining(t, "plain"))
	for _, evil := range evilTexts {
		if got := skeleton(explaining(t, evil)); got != plain {
			t.Errorf("%q changes the page:\n%s\nwant\n%s", evil, got, plain)
		}
	}
}
