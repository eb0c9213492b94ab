package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/markdown"
)

// review returns a literature review of 2,000 papers, about 400 KB, with a table row and an entry with fields for
// each.
func review() string {
	var b strings.Builder
	b.WriteString("# Literature Review Progress\n\n**Status**: Phase 3 -- Organizing\n\n## Paper Tracking\n\n")
	b.WriteString("| # | Citation | Source Type | Source | Relevance | Status | Exemplar? | DOI/PMID " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "| %d | Baker et al. %d | Web search | Semantic Scholar | High | Level-2-Complete | No | "+
			"10.1000/x%d |\n", i, 1990+i%30, i)
	}
	b.WriteString("\n## Entries\n\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "#### Baker (%d)\n\n- **DOI**: 10.1000/x%d\n- **Verified**: Yes\n- **Summary**: A *short* "+
			"text about what the paper says, `code` included.\n\n", 1990+i%30, i)
	}
	return b.String()
}

func BenchmarkOutline(b *testing.B) {
	text := review()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Outline(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOutlineDecode(b *testing.B) {
	text := review()
	o, err := Outline(text)
	if err != nil {
		b.Fatal(err)
	}
	data := o.Encode(nil)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := markdown.Decode(text, data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOutlineQueries reads four columns of each row and three fields of each entry, like the rules of a
// review.
func BenchmarkOutlineQueries(b *testing.B) {
	o, err := Outline(review())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		table := o.Find("Paper Tracking").Section().Table()
		columns := []int{table.Column("Citation"), table.Column("Status"), table.Column("Exemplar?"),
			table.Column("DOI/PMID")}
		read := 0
		for _, row := range table.Rows() {
			for _, c := range columns {
				read += len(row.Cell(c).Text())
			}
		}
		for _, h := range o.Find("Entries").Section().Headings() {
			s := h.Section()
			read += len(s.Field("DOI").Text()) + len(s.Field("Verified").Text()) + len(s.Field("Summary").Text())
		}
		if read == 0 {
			b.Fatal("nothing read")
		}
	}
}
