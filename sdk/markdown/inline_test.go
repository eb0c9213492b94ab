package markdown_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A workflow can query marks, links and lists that are neither tasks nor fields.
func TestBoxesLinksAndLists(t *testing.T) {
	o := outline("---\nneeds: [\"a\", b]\n---\n# [~] Track\n- [-] see [the *plan*](plan.md)\n\n" +
		"| a | b |\n|---|---|\n| [x](y) | [!] z |\n")
	var got strings.Builder
	row := o.Tables()[0].Rows()[0]
	fmt.Fprintf(&got, "%c %c %c %d", o.Headings()[0].Box().Mark(), o.Document().Items()[0].Box().Mark(),
		row.Cell(1).Box().Mark(), row.Cell(0).Box().Mark())
	for _, l := range o.Document().Links() {
		fmt.Fprintf(&got, " %s:%s", l.Text(), l.Target().Raw())
	}
	if want := "~ - ! 0 the plan:plan.md x:y"; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
	if f := o.FrontMatterField("needs"); f.OK() {
		t.Errorf("a list is a field: %q", f.Text())
	}
}

// Links are read in linear time, even on lines that are designed to prevent it.
func TestLinksAreReadInLinearTime(t *testing.T) {
	for _, unit := range []string{"[a](b (", "[a](<", "[a](b '", "[a](b \"[a](b '", "<http:", "[",
		"[a]([a](", "![", "`[a](b"} {
		began := time.Now()
		outline(strings.Repeat(unit, 1<<20/len(unit)))
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%q: took %v", unit, took)
		}
	}
}
