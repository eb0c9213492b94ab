// Package markdown answers questions about a Markdown document, so that plugins need no parser. The host parses the
// document and provides its text and an Outline, a flat list of nodes with their positions. Queries do not copy the
// text; their results are positions in it.
//
//	progress := pass.Docs.Get("REVIEW_PROGRESS.md").Outline()
//	status := progress.Head().Field("Status")              // **Status**: In Progress
//	table := progress.Find("Paper Tracking").Section().Table()
//	state, doi := table.Column("Status"), table.Column("DOI/PMID", "DOI")
//	for _, row := range table.Rows() {
//		if row.Cell(state).Text() == "Complete" && row.Cell(doi).Text() == "" {
//			// report at row.Line(); row.Set(doi, "n/a") is a fix
//		}
//	}
//
// Every query is safe on missing parts: a missing heading has an empty section, an empty section has no table, and
// the cell of a missing column has no text. Call OK if the difference matters.
//
// The following rules say what counts as data:
//   - HTML comments count as blank space, including any pipe or line of Markdown
//     inside them. An unclosed comment is text; see Outline.OpenComment.
//   - Fenced and indented code, HTML blocks and link definitions hold no data.
//   - A range is always raw: it includes markup, escapes and inner comments.
//     Text returns the rendered text.
//   - Names of headings, columns and keys are compared in the form that Name
//     returns: in lower case, without markup, numbering, emoji and closing
//     punctuation.
package markdown
