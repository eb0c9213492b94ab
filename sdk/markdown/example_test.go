//go:build !wasip1

package markdown_test

import (
	"fmt"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/markdown"
)

const progress = `# Literature Review Progress

**Status**: Phase 3 -- Organizing <!-- or Searching -->
**Mode:** Full Review | **Date**: 2026-02-08

## 2. Paper Tracking 📄

| # | Citation   | Status    | DOI/PMID |
|---|------------|-----------|----------|
| 1 | Baker 2019 | Candidate | 10.1/b   |
| 2 | Diaz 2020  | Included  |          |

## Verdict

All *good*, see ` + "`final.md`" + `.
Continued.
`

// A plugin finds a table, checks its rows and proposes an edit.
func Example() {
	doc := outline(progress)
	fmt.Println(doc.Head().Field("status").Text(), "/", doc.Head().Field("Date").Text())

	table := doc.Find("Paper Tracking").Section().Table()
	citation, doi := table.Column("Citation"), table.Column("DOI", "DOI/PMID")
	for _, row := range table.Rows() {
		if row.Cell(doi).Text() == "" {
			edit, _ := row.Set(doi, "10.1/d|x")
			fmt.Printf("line %d: %s has no DOI\n%s\n", row.Line(), row.Cell(citation).Text(),
				lineOf(apply(progress, edit), row.Line()))
		}
	}
	fmt.Println(doc.Find("verdict").Section().Paragraph().Text())
	// Output:
	// Phase 3 -- Organizing / 2026-02-08
	// line 11: Diaz 2020 has no DOI
	// | 2 | Diaz 2020  | Included  | 10.1/d\|x |
	// All good, see final.md. Continued.
}

func outline(text string) *markdown.Outline {
	o, err := snapshot.Outline(text)
	if err != nil {
		panic(err)
	}
	// A guest receives the outline in the wire format.
	o, err = markdown.Decode(text, o.Encode(nil))
	if err != nil {
		panic(err)
	}
	return o
}
