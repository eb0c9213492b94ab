package sdk_test

import (
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

type (
	lines  int
	header string
)

// What is read of a document is read once for each type, and for each document.
func TestKept(t *testing.T) {
	docs := sdk.NewDocs([]wire.Document{{Path: "a.md", Text: "# A\n"}, {Path: "b.md", Text: "# B\n"}}, nil)
	read := map[string]int{}
	count := func(d *sdk.Document) lines { read["lines of "+d.Path]++; return 1 }
	title := func(d *sdk.Document) header { read["header of "+d.Path]++; return header(d.Text[2:3]) }
	for range 3 {
		for _, d := range docs.All() {
			if n, h := sdk.Kept(d, count), sdk.Kept(d, title); n != 1 || h != header(d.Text[2:3]) {
				t.Errorf("%s: found %d and %q", d.Path, n, h)
			}
		}
	}
	for what, n := range read {
		if n != 1 {
			t.Errorf("the %s: read %d times, expected once", what, n)
		}
	}
	if len(read) != 4 {
		t.Errorf("found %v, expected two readings of each document", read)
	}
}
