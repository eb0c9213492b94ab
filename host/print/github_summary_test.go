package print

import (
	"html"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// TestMarkdown: any text is shown literally after a word and in a table.
func TestMarkdown(t *testing.T) {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	for _, text := range append([]string{
		"current_round is 3", "see `a_b` and c_d", "1. one", "2) two", "+ item", "=", "# head", "www.example.com",
		"http://e.example/y", "a@b.example",
		"<b>@someone</b> &amp; a|b", "version 1.2-3", "~~x~~", "[^1]: note",
	}, breakouts...) {
		if text = Safe(strings.TrimSpace(text)); text == "" {
			continue
		}
		for before, after := range map[string]string{"text: ": "", "| a | b |\n|---|---|\n| ": " | c |"} {
			var b strings.Builder
			if err := md.Convert([]byte(before+markdown(text)+after), &b); err != nil {
				t.Fatal(err)
			}
			begin, end := "<p>text: ", "</p>"
			if before != "text: " {
				begin, end = "<tbody>\n<tr>\n<td>", "</td>\n<td>c</td>"
			}
			_, shown, _ := strings.Cut(b.String(), begin)
			shown, _, _ = strings.Cut(shown, end)
			if html.UnescapeString(shown) != text {
				t.Errorf("%q is shown as %q", text, b.String())
			}
		}
	}
}
