//go:build !wasip1

package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/markdown"
)

const report = `---
phase: 3
plan: "0\"2"
title: a *b*
---
# Report: X

**Session**: s1 | **Run**: r2
- **Owner**: ` + "`me`" + `

| Field | Value |
|-------|-------|
| **Matter Name** | Project *X* |
| Status | a\|b |

## Empty
### 1.2 Deep
- [x] first **bold**
  - [ ] nested
- plain
  more
> ## Quoted
> **In**: quote

## Code
1. text
   ` + "```go -v" + `
   x := 1

     y
   ` + "```" + `
> ~~~
> a
> > b
> ~~~

## Files
| Reviewer | File |
|--|--|
| a | ` + "`b.md`" + ` |
`

func TestQueries(t *testing.T) {
	o := outline(report)
	files := o.TableWith("file", "reviewer")
	for _, c := range []struct{ name, got, want string }{
		{"level", itoa(o.Find("report: x").Level()), "1"},
		{"field", o.Field("session").Text(), "s1"},
		{"field before a pipe", o.Field("Run").Text(), "r2"},
		{"field of an item", o.Field("owner").Text(), "me"},
		{"field of a table", o.Field("matter name").Text(), "Project X"},
		{"field with a pipe", o.Field("Status").Text(), "a|b"},
		{"field of a quote", o.Field("In").Text(), "quote"},
		{"no field", o.Field("phase").Text(), ""},
		{"front matter", o.FrontMatterField("phase").Text(), "3"},
		{"front matter, quoted", o.FrontMatterField("Plan").Text(), `0"2`},
		{"front matter is not Markdown", o.FrontMatterField("title").Text(), "a *b*"},
		{"head", itoa(len(o.Head().Fields())), "5"},
		{"headings", titles(o.Headings()), "Report: X, Empty, 1.2 Deep, Code, Files"},
		{"section", o.Find("empty").Section().Find("deep").Text(), "1.2 Deep"},
		{"body", itoa(len(o.Find("empty").Body().Tasks())), "0"},
		{"tasks", itoa(len(o.Find("empty").Section().Tasks())), "2"},
		{"task", o.Tasks()[0].Text(), "first bold"},
		{"task's depth", itoa(o.Tasks()[1].Item().Depth()), "2"},
		{"item", o.Find("Deep").Section().Items()[2].Text(), "plain more"},
		{"item with task", o.Find("Deep").Section().Items()[0].Text(), "first bold"},
		{"code in a list", o.Find("code").Section().Fence().Text(), "x := 1\n\n  y\n"},
		{"info", o.Find("code").Section().Fence().Info(), "go -v"},
		{"code in a quote", o.Find("code").Section().Fences()[1].Text(), "a\n> b\n"},
		{"table by columns", files.Rows()[0].Cell(files.Column("File")).Text(), "b.md"},
		{"table by its column", strings.Join(files.Columns(), ","), "Reviewer,File"},
		{"missing column", files.Rows()[0].Cell(files.Column("Nope")).Text(), ""},
		{"missing table", o.Find("nope").Section().Table().Header().Cell(0).Raw(), ""},
		{"no open comment", itoa(o.OpenComment().Line()), "0"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
}

func TestSectionRange(t *testing.T) {
	o := outline("intro\n# A\na\n## B\nb\n# C\n")
	if got := o.Find("A").Section().Raw(); got != "# A\na\n## B\nb\n" {
		t.Errorf("section %q", got)
	}
	if got := o.Find("A").Body().Raw(); got != "# A\na\n" {
		t.Errorf("body %q", got)
	}
	if got := o.Head().Raw(); got != "intro\n# A\na\n" {
		t.Errorf("head %q", got)
	}
}

func TestPlain(t *testing.T) {
	for raw, want := range map[string]string{
		" plain ":                         "plain",
		"**bold** and *it* and ~~no~~":    "bold and it and no",
		"***both***":                      "both",
		"2 * 3 * 4, a_b_c, **open":        "2 * 3 * 4, a_b_c, **open",
		"_it_ __bold__ snake_case":        "it bold snake_case",
		"_it_. init __init__.py and a.py": "it. init __init__.py and a.py",
		"`a * b` and ``c`d``":             "a * b and c`d",
		"` `` `":                          "``",
		"a <!-- no --> b":                 "a  b",
		"`<!-- code -->`":                 "<!-- code -->",
		`\*lit\* \| \a`:                   `*lit* | \a`,
		"[text](http://x.org/a_(b)_c) z":  "text z",
		"![alt](x.png) [no] [x](":         "alt [no] [x](",
		"<https://x.org> a<br>b<br />c":   "https://x.org a b c",
		"a &amp; b &lt;&#124;&#x;&nope;":  "a & b <|&#x;&nope;",
		"one  \n> two\r\n three":          "one two three",
		"**状态：**值":                        "状态：值",
		"✅ **Done**":                      "✅ Done",
	} {
		if got := markdown.Plain(raw); got != want {
			t.Errorf("Plain(%q) = %q, want %q", raw, got, want)
		}
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"Key Finding": "keyfinding", "provided?": "provided", "📄 2. Paper-Tracking:": "papertracking",
		"3.1 Deep": "deep", "3 Months": "3months", "#": "#", "4.": "4", "Done ✅": "done", "Überblick": "überblick",
		"": "",
	} {
		if got := markdown.Name(text); got != want {
			t.Errorf("Name(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	ok := markdown.Node{Kind: markdown.KindParagraph, Parent: -1, Line: 1, Start: 0, End: 3}
	change := func(f func(*markdown.Node)) []markdown.Node {
		n := ok
		f(&n)
		return []markdown.Node{n}
	}
	for name, nodes := range map[string][]markdown.Node{
		"unknown kind":    change(func(n *markdown.Node) { n.Kind = 99 }),
		"kind 0":          change(func(n *markdown.Node) { n.Kind = 0 }),
		"past the end":    change(func(n *markdown.Node) { n.End = 5 }),
		"backwards":       change(func(n *markdown.Node) { n.Start, n.End = 3, 0 }),
		"split character": change(func(n *markdown.Node) { n.End = 2 }),
		"parent after":    change(func(n *markdown.Node) { n.Parent = 0 }),
		"line 0":          change(func(n *markdown.Node) { n.Line = 0 }),
		"huge":            change(func(n *markdown.Node) { n.Start, n.End = -1, -1 }),
		"cell at the top": change(func(n *markdown.Node) { n.Kind = markdown.KindCell }),
		"out of its parent": {{Kind: markdown.KindQuote, Parent: -1, Line: 1, End: 1},
			{Kind: markdown.KindParagraph, Line: 1, End: 3}},
		"parent left": {{Kind: markdown.KindQuote, Parent: -1, Line: 1, End: 3}, ok,
			{Kind: markdown.KindParagraph, Line: 1, End: 3}},
		"a row short of cell": {{Kind: markdown.KindTable, Data: 1, Parent: -1, Line: 1, End: 3},
			{Kind: markdown.KindHeader, Data: 1, Line: 1, End: 3}},
		"task without box": {{Kind: markdown.KindItem, Data: 1, Parent: -1, Line: 1, End: 3},
			{Kind: markdown.KindTask, Line: 1, End: 3}},
	} {
		if _, err := markdown.Decode("aéb", (&markdown.Outline{Nodes: nodes}).Encode(nil)); err == nil {
			t.Errorf("%s: decoded", name)
		}
	}
	if _, err := markdown.Decode("", make([]byte, 19)); err == nil {
		t.Error("half a node: decoded")
	}
}

// FuzzDecode checks that a decoded outline encodes to the same bytes and can be queried.
func FuzzDecode(f *testing.F) {
	o := outline(report)
	f.Add(report, o.Encode(nil))
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		o, err := markdown.Decode(text, data)
		if err != nil {
			return
		}
		if !slices.Equal(o.Encode(nil), data) {
			t.Fatal("encoded differently")
		}
		for _, task := range o.Tasks() {
			task.Text()
		}
		o.Field("a").Set("b")
		for _, fence := range o.Document().Fences() {
			fence.Text()
		}
	})
}

func titles(headings []markdown.Heading) string {
	var texts []string
	for _, h := range headings {
		texts = append(texts, h.Text())
	}
	return strings.Join(texts, ", ")
}

func itoa(n int) string { return string(rune('0' + n)) }
