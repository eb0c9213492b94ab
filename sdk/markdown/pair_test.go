//go:build !wasip1

package markdown_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/markdown"
)

func pairs(text string) string {
	var b strings.Builder
	for _, p := range outline(text).Document().Pairs() {
		fmt.Fprintf(&b, "%s=%s%s[%s];", p.Key, p.Value, strings.Repeat("+", len(p.Items))+strings.Join(p.Items, "+"),
			text[p.Start:p.End])
	}
	return b.String()
}

func TestPairs(t *testing.T) {
	for text, want := range map[string]string{
		"**状态：** a\n**状态**：b":                                        "状态=a[a];状态=b[b];",
		"**Did:** a *b*\n**Remaining**: c":                           "Did=a b[a *b*];Remaining=c[c];",
		"Did: a\nRemaining: None":                                    "Did=a[a];Remaining=None[None];",
		"*Did:* a\n__Did__: b\n`Did`: c":                             "Did=a[a];Did=b[b];Did=c[c];",
		"- Did: a\n- **Remaining:** b\n1. Blockers: c":               "Did=a[a];Remaining=b[b];Blockers=c[c];",
		"- [ ] **R1**: Find\n  - Output: x":                          "R1=Find[Find];Output=x[x];",
		"**A:** 1 | **B:** 2":                                        "A=1[1];B=2[2];",
		"**Issues:**\n- one\n- Key: two\n\nafter":                    "Issues=++one+Key: two[**Issues:**];",
		"- **Issues:**\n  - one\n    - deep\n- Fix: b":               "Issues=+one[**Issues:**];Fix=b[b];",
		"| Field | Value |\n|---|---|\n| Did | a |\n| Why |  |":      "Did=a[a];Why=[Why];",
		"| Field | Value | Note |\n|---|---|---|\n| Did | a | b |\n": "Did=a[a];",
		"| Type | Now | Most |\n|---|---|---|\n| Did | a | b |\n":    "",
		"**Did:** a\\\nWhy: b\\\n":                                   "Did=a[a];Why=b[b];",
		"Did: a\nDid: b\n---\nDid: c":                                "Did=a[a];Did=b[b];Did=c[c];",
		"see https://x.y: no\nAt 10:00: late\nIt is, as said: so":    "",
		"one two three four five: x\n**not closed: x":                "",
		"✅ Did: a":         "Did=a[a];",
		"```\nDid: a\n```": "",
	} {
		if got := pairs(text); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
		if got := pairs(strings.ReplaceAll(text, "\n", "\r\n")); got != want {
			t.Errorf("%q with CRLF:\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestMeaning lists documents with the same meaning; the last one in each list has a different meaning.
func TestMeaning(t *testing.T) {
	for _, list := range [][]string{
		{"# T\n\n- a\n- b\n", "# T #\n- a\n- b", "# T\n\n* a\n\n* b\n\n\n", "# T\r\n\r\n+   a\r\n+   b\r\n",
			"# T\n\n- a\n  - b\n"},
		{"**K:** v\n\n---\n\nx", "**K**: v\n\n***\n\nx", "__K__:  v\n\nx\n", "**K:** w\n\nx"},
		{"| A | B |\n|---|---|\n| 1 | 2 |\n", "|A|B|\n|:--|--|\n|1|2|", "| A | B |\n|---|---|\n| 1 | 3 |\n"},
		{"## R1 - 2026-01-16T10:00:00Z\nx", "## R1 - 2026-01-16T10:00:00.000Z\nx",
			"## R1 - 2026-01-16T11:00:00+01:00\n\nx", "## R1 - 2026-01-16T10:00:01Z\nx"},
		{"- [x] a", "* [X] a", "- [ ] a"},
		{"```\na  b\n```", "~~~\na  b\n~~~", "```\na b\n```"},
		{"---\nat: 2026-01-16T10:00:00Z\n---\nx", "---\nat: \"2026-01-16T10:00:00.0Z\"\n---\n\nx",
			"---\nat: 2026-01-16\n---\nx"},
		{"## H\n**K:** v\n---\nx", "## H\n\n**K:** v\n\n---\nx", "## H\nx"},
	} {
		first := outline(list[0])
		for i, text := range list[1:] {
			if same := markdown.Same(first, outline(text)); same != (i < len(list)-2) {
				t.Errorf("%q and %q say the same: %v\n%q\n%q", list[0], text, same, first.Document().Meaning(),
					outline(text).Document().Meaning())
			}
		}
	}
}

func TestSplit(t *testing.T) {
	o := outline("# T\n\npre\n\n## R1 - 1\n**Did:** a\n---\n### sub\nb\n### R1 - 2\nc\n## Other\nd\n## R2\ne")
	sections := o.Split(func(h markdown.Heading) bool { return strings.HasPrefix(h.Text(), "R") })
	var got []string
	for _, s := range sections {
		got = append(got, s.Heading().Text()+": "+strings.Join(s.Meaning(), "/"))
	}
	if want := []string{"R1 - 1: Did: a/### sub/b", "R1 - 2: c", "R2: e"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestFront(t *testing.T) {
	o := outline("---\ntitle: \"A: b\" # note\n# comment\ntags: [x, 'y, z']\nneeds:\n- 01\n-   \"02\"\nowner:\n  " +
		"name: Ada\n  teams:\n    - one\nempty:\nflow: {a: 1, b: c}\ntext: |\n  first\n\n  last\nend: true\n---\n# T\n")
	entries, unread := o.Front()
	var show func([]markdown.Entry) string
	show = func(list []markdown.Entry) string {
		var b strings.Builder
		for _, e := range list {
			fmt.Fprintf(&b, "%d %s=%q%q(%s);", e.Line, e.Key, e.Value, e.List, show(e.Map))
		}
		return b.String()
	}
	want := `2 title="A: b"[]();4 tags=""["x" "y, z"]();5 needs=""["01" "02"]();8 owner=""[](9 name="Ada"[]();10 ` +
		`teams=""["one"]();)` +
		`;12 empty=""[]();13 flow=""[](13 a="1"[]();13 b="c"[](););14 text="first\n\nlast"[]();18 end="true"[]();`
	if got := show(entries); got != want || unread != 0 {
		t.Errorf("unread %d\n got %s\nwant %s", unread, got, want)
	}
	if e := markdown.Get(entries, "owner"); e == nil || markdown.Get(e.Map, "name").Value != "Ada" ||
		markdown.Get(entries, "none") != nil {
		t.Error("Get finds an entry by its key")
	}
	if _, unread = outline("---\na: 1\n\tb: 2\n---\n").Front(); unread != 3 {
		t.Errorf("unread line %d, expected 3", unread)
	}
}

func TestFrontForms(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a comment after a list", "needs: [a, b] # both\n", `needs=""[a b]`},
		{"a comment after an item", "needs:\n  - a # first\n  - b\n", `needs=""[a b]`},
		{"a list over several lines", "needs: [\n  a, # first\n  b\n]\nend: x\n", `needs=""[a b] end="x"[]`},
		{"a list that ends with its last item", "needs: [a,\n  b]\nend: x\n", `needs=""[a b] end="x"[]`},
		{"quoted keys", "\"needs\": [a]\n'status': done\n", `needs=""[a] status="done"[]`},
		{"signs in quotes", "needs: ['a, b', \"c # d\"] # e\nt: \"x # y\" # z\n", `needs=""[a, b c # d] t="x # y"[]`},
		{"an apostrophe", "t: Don't # c\nu: [Kim's, b]\n", `t="Don't"[] u=""[Kim's b]`},
		{"a text over several lines", "t: one\n  two\nu: \"three\n  four\"\n", `t="one two"[] u="three four"[]`},
		{"half a list", "needs: [a, b", `needs=""[a b]`},
		{"half a list before a key", "needs: [a,\n  b\nend: x\n", `needs=""[a b] end="x"[]`},
		{"half an item", "needs:\n  - a\n  -", `needs=""[a ]`},
		{"a placeholder", "name: {{name}}\nend: x\n", `name="{{name}}"[] end="x"[]`},
	} {
		for _, shut := range []string{"\n---\n", ""} {
			f := markdown.FrontOf("---\n" + strings.TrimSuffix(c.text, "\n") + shut)
			var parts []string
			for _, e := range f.Entries {
				parts = append(parts, fmt.Sprintf("%s=%q%v", e.Key, e.Value, e.List))
			}
			if got := strings.Join(parts, " "); got != c.want || f.Closed != (shut != "") {
				t.Errorf("%s, closed %v: got %s, expected %s", c.name, f.Closed, got, c.want)
			}
		}
	}
}

func TestFrontOfBody(t *testing.T) {
	for _, c := range []struct {
		text, body string
		lines      int
		closed     bool
	}{
		{"a: 1\n", "a: 1\n", 0, false},
		{"---\na: 1\n---\n# T\n", "# T\n", 3, true},
		{"---\r\na: 1\r\n---\r\n# T\r\n", "# T\r\n", 3, true},
		{"---\na: 1\n---## T\nb\n", "## T\nb\n", 2, true},
		{"---\na: 1\n", "", 2, false},
		{"---\n---\n", "", 2, true},
		{"---\na: 1\n---", "", 3, true},
		{"---\na: 1\n...\nb", "b", 3, true},
		{"----\na: 1\n", "----\na: 1\n", 0, false},
	} {
		if f := markdown.FrontOf(c.text); f.Body != c.body || f.Lines != c.lines || f.Closed != c.closed {
			t.Errorf("%q: got body %q behind %d lines, closed %v", c.text, f.Body, f.Lines, f.Closed)
		}
	}
	f := markdown.FrontOf("---\nstatus: done # agreed\n---\n")
	if f.Value("status") != "done" || f.Value("none") != "" || f.Get("status").Line != 2 {
		t.Errorf("got %+v", f)
	}
}

func ExampleSection_Pairs() {
	entry := outline("## R1 - Iteration 1\n\nDid: searched *three* libraries\n**Remaining:**\n- two libraries\n").Find(
		"R1 - Iteration 1").Section().Pairs()
	fmt.Println(markdown.PairAmong(entry, "did").Value)
	fmt.Println(markdown.PairAmong(entry, "Remaining").Texts())
	// Output:
	// searched three libraries
	// [two libraries]
}

func FuzzMeaning(f *testing.F) {
	f.Add("# T\n- a: 1\n  - b\n\n| A | B |\n|-|-|\n|1|2|\n", "---\na:\n- b\n---\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 4000 {
			return
		}
		x, y := tryOutline(a), tryOutline(b)
		if x == nil || y == nil {
			return
		}
		x.Front()
		markdown.FrontOf("---\n" + a)
		for _, p := range x.Document().Pairs() {
			if p.Start > p.End || p.End > len(a) || p.Key == "" && p.Value == "" && len(p.Items) == 0 &&
				p.Start == p.End {
				t.Errorf("%q has the pair %+v", a, p)
			}
		}
		if !markdown.Same(x, x) || markdown.Same(x, y) != markdown.Same(y, x) {
			t.Errorf("%q and %q: Same is not an equality", a, b)
		}
	})
}

// tryOutline returns nil for a text that the host refuses.
func tryOutline(text string) *markdown.Outline {
	if !utf8.ValidString(text) {
		return nil
	}
	o, err := snapshot.Outline(text)
	if err != nil {
		return nil
	}
	return o
}
