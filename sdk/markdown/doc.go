// Package markdown lets a workflow ask questions about a Markdown document
// without parsing it. The host parses; a document arrives as its text and an
// Outline, a flat list of nodes with their places. Nothing here copies the
// text: what a query returns are places in it.
//
//	progress := pass.Docs.Get("REVIEW_PROGRESS.md").Outline()
//	status := progress.Head().Field("Status")              // **Status**: In Progress
//	table := progress.Find("Paper Tracking").Section().Table()
//	state, doi := table.Column("Status"), table.Column("DOI/PMID", "DOI")
//	for _, row := range table.Rows() {
//		if row.Cell(state).Text() == "Complete" && row.Cell(doi).Text() == "" {
//			// row.Line() is where to report; row.Set(doi, "n/a") is how to fix it
//		}
//	}
//
// Every query is safe on what is not there: a missing heading has an empty
// section, an empty section has no table, and the cell of a missing column has
// no text. Ask OK where the difference matters.
//
// What counts as data:
//   - HTML comments are blank space, a pipe or a line of Markdown inside them
//     included. A comment that nothing closes is text; see Outline.OpenComment.
//   - Fenced and indented code, HTML blocks and link definitions hold no data.
//   - A range is always raw, markup, escapes and inner comments included; Text
//     is what a reader sees.
//   - Names (headings, columns, keys) are compared as Name makes them: without
//     case, markup, numbering, emoji or closing punctuation.
package markdown
