package markdown_test

import (
	"testing"

	"github.com/stategate/stategate/sdk/markdown"
)

func TestShownOmitsCommentsAndFences(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain text", "a\nb\n", "a\nb\n"},
		{"a comment over lines", "a\n<!--\n- [ ] b\n-->\nc\n", "a\n\nc\n"},
		{"comments within a line", "a <!-- b --> c <!-- d -->\n", "a  c \n"},
		{"a comment that is not closed", "a\n<!-- b\nc\n", "a\n<!-- b\nc\n"},
		{"the sign of a comment in code", "use `<!--` here\nb\n-->\n", "use `<!--` here\nb\n-->\n"},
		{"a fence", "a\n```text\n- [ ] b\n```\nc\n", "a\nc\n"},
		{"a fence in a fence", "~~~~\n~~~\nb\n~~~~\nc\n", "c\n"},
		{"a fence in a comment", "<!--\n```\n-->\nb\n", "\nb\n"},
		{"a comment in a fence", "```\n<!--\n```\nb\n-->\n", "b\n-->\n"},
		{"a fence that is not closed", "a\n```\nb\n", "a\n"},
	} {
		if got := markdown.Shown(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
