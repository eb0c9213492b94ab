package print

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host/result"
)

// TestExcerpt: the mark stands under the place, however long the line is.
func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 500)
	for _, c := range []struct {
		before, marked, after string
		line, mark            string
	}{
		{`{"a": `, `"b"`, `}`, `{"a": "b"}`, `      ^~~`},
		{"\t安全 ", "é", "", "    安全 é", "         ^"},
		{"a", "", "b", "ab", " ^"},
		{long, "!", long, "…" + long[:59] + "!" + long[:59] + "…", strings.Repeat(" ", 60) + "^"},
		{"", long, "", long[:79] + "…", "^" + strings.Repeat("~", 79)},
		{"  ", "::x", "", `  \x3a:x`, "  ^~~~~~"},
	} {
		var b strings.Builder
		place := result.Place{Path: "p", Line: 1, Excerpt: c.before + c.marked + c.after, ExcerptFrom: len(c.before), ExcerptEnd: len(c.before) + len(c.marked)}
		r := &result.Result{Instances: []result.Instance{{Diagnostics: []result.Diagnostic{{Place: place}}}}}
		if err := Text(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(b.String(), "\n")
		if lines[1] != "    "+c.line || lines[2] != "    "+c.mark {
			t.Errorf("%.20q:\ngot\n%s\n%s\nwant\n    %s\n    %s", c.before, lines[1], lines[2], c.line, c.mark)
		}
	}
}
