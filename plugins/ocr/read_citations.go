package ocr

import (
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A Citation is a word in the cell File of a review table, which may name several files.
type Citation struct {
	Reviewer string
	Cell     string // the word as a reader sees it, without quotes
	Path     string // the file meant, below the session's root; "" if it names none
	At       sdk.Range
}

// cite takes the reviewer files that an item of a list names by their paths.
func (f *Final) cite(s *Subject, p markdown.Part) {
	for _, token := range strings.FieldsFunc(p.Raw(), func(r rune) bool { return strings.ContainsRune(" \t\n()[]<>`*|,;\"'", r) }) {
		path := ""
		if strings.Contains(token, "reviews/") && !strings.Contains(token, "{") {
			path = s.citedPath(strings.TrimRight(token, ".:"))
		}
		if path != "" && !slices.ContainsFunc(f.Cited, func(c Citation) bool { return c.Path == path }) {
			f.Cited = append(f.Cited, Citation{Cell: token, Path: path, At: at(f.Doc, p)})
		}
	}
}

func (f *Final) readCitations(s *Subject, t markdown.Table) {
	reviewer, file := t.Column("Reviewer"), t.Column("File")
	if reviewer < 0 || file < 0 {
		return
	}
	for _, row := range t.Rows() {
		whole := strings.Trim(row.Cell(file).Text(), "` \t")
		cells := strings.FieldsFunc(whole, func(r rune) bool { return strings.ContainsRune(" \t()`,;\"'", r) })
		if slices.ContainsFunc(s.Reviews, func(r *Reviewer) bool { return r.Path == s.citedPath(whole) }) {
			cells = []string{whole} // a name with a space or a comma in it
		}
		for _, cell := range cells {
			f.Cited = append(f.Cited, Citation{Reviewer: row.Cell(reviewer).Text(), Cell: cell, Path: s.citedPath(cell), At: at(f.Doc, row.Part)})
		}
	}
}

// citedPath resolves a path that stands in a review table: relative to the
// round, to the session or in full; "round-{n}" is the round itself. A bare
// file name lies in reviews/, unless it is that of the round's own file.
func (s *Subject) citedPath(cell string) string {
	if !strings.HasSuffix(cell, ".md") {
		return ""
	}
	cell = strings.ReplaceAll(cell, "round-{n}", s.Name())
	cell = path.Clean("/" + cell)[1:]
	if i := strings.Index(cell, "rounds/"); i >= 0 && !s.Flat {
		return cell[i:]
	}
	if strings.HasPrefix(cell, "round-") && !s.Flat {
		return Review.Parent + cell
	}
	if i := strings.Index(cell, "reviews/"); i >= 0 {
		return s.Dir + cell[i:]
	}
	if cell == "discourse.md" || cell == "final.md" {
		return s.Dir + cell
	}
	if strings.Contains(cell, "/") {
		return "" // a file under review
	}
	return s.ReviewsDir() + cell
}
