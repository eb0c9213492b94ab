package snapshot

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

const mebibyte = 1 << 20

// bombs are documents for which Markdown parsers take quadratic time or memory. fault is the outline's error, or ""
// if it reads the document.
var bombs = []struct {
	name  string
	text  func() string
	line  int
	fault string
}{
	{"ragged table", func() string {
		return pipes(64) + strings.Repeat("|-", 64) + "|\n" + strings.Repeat("|\n", 19_000)
	}, 0, ""},
	{"ragged table of 5000 columns", func() string {
		return pipes(5000) + strings.Repeat("|-", 5000) + "|\n" + strings.Repeat("|\n", 38_000)
	}, 1, "a table of 5000 columns; at most 64 are read"},
	{"wide row", func() string { return "|a|b|\n|-|-|\n|1|2|\n" + pipes(65) }, 4,
		"a row of 65 cells; at most 64 are read"},
	{"long table", func() string { return "a|b\n-|-\n" + strings.Repeat("1|2\n", 20_001) }, 20_003,
		"a table of 20001 rows; at most 20000 are read"},
	{"many cells", func() string {
		return strings.Repeat(pipes(64)+strings.Repeat("|-", 64)+"|\n"+strings.Repeat(pipes(64), 10_000)+"\n", 3)
	}, -1, "more than 500000 headings, cells, items and other parts"},
	{"dashes", func() string { return strings.Repeat("- ", 50_000) }, 0, ""},
	{"dashes and a word", func() string { return strings.Repeat("- ", 50_000) + "x" }, 1,
		"lists and quotes nested 65 deep; at most 64 are read"},
	{"numbers", func() string { return strings.Repeat("1. ", 50_000) + "x" }, 1,
		"lists and quotes nested 65 deep; at most 64 are read"},
	{"steps", func() string {
		var b strings.Builder
		for i := range 70 {
			fmt.Fprintf(&b, "%*s- x\n", 2*i, "")
		}
		return b.String()
	}, 65, "lists and quotes nested 65 deep; at most 64 are read"},
	{"quotes", func() string { return strings.Repeat(">", 4*mebibyte-1) }, 1,
		"a line of 4194303 bytes; at most 1048576 are read outside fenced code"},
	{"quotes in a long line", func() string { return strings.Repeat(">", mebibyte) }, 1,
		"lists and quotes nested 65 deep; at most 64 are read"},
	{"quotes on lines", func() string { return strings.Repeat(">\n", 2*mebibyte) }, 100_001,
		"2097152 lines; at most 100000 are read"},
	{"deep quotes then lines", func() string { return strings.Repeat(">", 64) + strings.Repeat("x\n", 99_000) }, 0, ""},
	{"deep list then blank lines", func() string {
		return strings.Repeat("- ", 64) + "x" + strings.Repeat("\n",
			99_000)
	}, -1, "too many list items"},
	{"deep list on lines", func() string {
		return strings.Repeat(strings.Repeat("- ", 64)+"x\n", 30_000)
	}, -1, "too many list items"},
	{"deep quotes and blanks", func() string {
		return strings.Repeat(strings.Repeat(">", 64)+strings.Repeat(" ", mebibyte-100)+"\n", 4)
	}, -1, ""},
	{"deep list and tabs", func() string {
		return strings.Repeat(strings.Repeat("-\t", 64)+strings.Repeat("- ", mebibyte/2-100)+"\n", 4)
	}, -1, ""},
	{"items", func() string { return strings.Repeat("- a\n", 80_000) }, 0, ""},
	{"more items", func() string { return strings.Repeat("- a\n", 99_000) }, -1, "too many list items"},
	{"empty items", func() string { return strings.Repeat("-\n", 80_000) }, 0, ""},
	{"quoted items", func() string { return strings.Repeat("> - a\n\n", 37_000) }, 0, ""},
	{"headings", func() string { return strings.Repeat("#\n", 99_000) }, 0, ""},
	{"underlines", func() string { return strings.Repeat("a\n=\n", 49_000) }, 0, ""},
	{"links", func() string { return strings.Repeat("[a](", 50_000) }, 0, ""},
	{"brackets", func() string { return strings.Repeat("[", mebibyte) }, 0, ""},
	{"images", func() string { return strings.Repeat("![", mebibyte/2) }, 0, ""},
	{"stars", func() string { return strings.Repeat("*a ", mebibyte/3) }, 0, ""},
	{"stars and underscores", func() string { return strings.Repeat("*a _b ", mebibyte/6) }, 0, ""},
	{"back-ticks", func() string {
		var b strings.Builder
		for i := range 1400 {
			b.WriteString(strings.Repeat("`", i) + " ")
		}
		return b.String() + "<!-- x -->"
	}, 0, ""},
	{"link definitions", func() string { return strings.Repeat("[a]: b\n", 99_000) }, 0, ""},
	{"definition titles", func() string { return strings.Repeat("[a]: b\n\"x\n", 49_000) }, 0, ""},
	{"open comments", func() string { return strings.Repeat("<!--\n", 99_000) }, 0, ""},
	{"open comments in a line", func() string { return strings.Repeat("<!-- ", mebibyte/5) }, 0, ""},
	{"comments", func() string { return strings.Repeat("<!---->", mebibyte/7) }, 0, ""},
	{"tags", func() string { return strings.Repeat("<a b\n", 99_000) }, 0, ""},
	{"attributes", func() string { return strings.Repeat("<a"+strings.Repeat(" b", mebibyte/2-10)+"\n", 4) }, 0, ""},
	{"angles", func() string { return strings.Repeat("<", mebibyte) }, 0, ""},
	{"declarations", func() string { return strings.Repeat("<!A"+strings.Repeat("x", mebibyte-10)+"\n", 4) }, 0, ""},
	{"cell", func() string { return "|a|b|\n|-|-|\n|1|" + strings.Repeat("x", 4*mebibyte-20) + "|\n" }, 3,
		"a line of 4194289 bytes; at most 1048576 are read outside fenced code"},
	{"keys", func() string { return strings.Repeat("**a**: b | ", mebibyte/11) }, 0, ""},
	{"pipes after a key", func() string { return "**a**: " + strings.Repeat(" |", mebibyte/2-10) }, 0, ""},
	{"delimiters", func() string { return strings.Repeat("a\n|-\n", 49_000) }, 20_003,
		"a table of 97998 rows; at most 20000 are read"},
	{"delimiter in a line", func() string {
		return strings.Repeat("|-", mebibyte/2-1) + "\n" + strings.Repeat("|-",
			mebibyte/2-1)
	}, 1, "a table of 524287 columns; at most 64 are read"},
	{"fences", func() string { return strings.Repeat("```\n", 99_000) }, 0, ""},
	{"long fence", func() string { return "```\n" + strings.Repeat("x", 4*mebibyte-100) }, 0, ""},
	{"front matter", func() string { return "---\n" + strings.Repeat("a: b\n", 99_000) + "---\n" }, 0, ""},
	{"bytes", func() string { return "a\nb \xff" }, 2, "not valid UTF-8"},
}

func TestOutlineBombs(t *testing.T) {
	for _, b := range bombs {
		t.Run(b.name, func(t *testing.T) {
			text := b.text()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := Outline(text)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			t.Logf("%8d bytes  %8s  %6.1f MB allocated", len(text), took.Round(100*time.Microsecond),
				float64(after.TotalAlloc-before.TotalAlloc)/1e6)
			var fault *OutlineError
			if b.fault == "" {
				if b.line >= 0 && err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			if !errors.As(err, &fault) {
				t.Fatalf("error %v, want %q", err, b.fault)
			}
			if !strings.HasPrefix(fault.Found, b.fault) || b.line >= 0 && fault.Line != b.line {
				t.Errorf("line %d: %q, want line %d: %q", fault.Line, fault.Found, b.line, b.fault)
			}
		})
	}
}

func pipes(n int) string { return strings.Repeat("|a", n) + "|\n" }
