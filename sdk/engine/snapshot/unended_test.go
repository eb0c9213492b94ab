package snapshot

import (
	"strings"
	"testing"
)

// TestHiddenRest checks that a line that hides the rest of a document from Markdown readers is found.
func TestHiddenRest(t *testing.T) {
	const body = "# Roadmap\n\n- [ ] one\n- [x] two\n"
	for text, want := range map[string]string{
		"```\n" + body:                "fence",
		"~~~~\n" + body + "~~~\n":     "fence",
		"<pre>\n" + body:              "HTML",
		"<script>\n" + body:           "HTML",
		"<textarea>\n" + body:         "HTML",
		"<?\n" + body:                 "HTML",
		"<![CDATA[\n" + body:          "HTML",
		"<!DOCTYPE\n" + body:          "HTML",
		body + "\n```\n" + body:       "fence",
		asCode(body):                  "four blanks",
		body:                          "",
		"```\n" + body + "```\n":      "",
		"<pre>\n" + body + "</pre>\n": "",
		"<!DOCTYPE html>\n" + body:    "",
		body + "```\n":                "", // nothing follows
		body + asCode(body):           "",
		"<div>\n" + body:              "",
		"a `<pre>` of code\n" + body:  "",
		"":                            "",
	} {
		_, what := hiddenRest(text)
		if (want == "") != (what == "") || !strings.Contains(what, want) {
			t.Errorf("%q: %q, want %q", text, what, want)
		}
	}
}

func asCode(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}
