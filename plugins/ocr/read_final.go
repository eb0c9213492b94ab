package ocr

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A Final is the content of final.md.
type Final struct {
	Doc *sdk.Document
	s   *Subject

	Mode     Mention    // the field Mode
	Verdict  Mention    // the text where the verdict belongs; At is its heading or field
	Word     string     // the only known verdict in it; "" for none or several
	Blockers []Mention  // headings or items under Blockers or Must Fix, except those that say None
	Cited    []Citation // the File cells of the review tables

	cited   bool // it mentions the discourse
	skipped bool // it says that there was no discourse
}

// A Citation is the File cell of a review table.
type Citation struct {
	Cell string // as displayed, without quotes
	Path string // the file it names, relative to the session; "" if it names none or several
	At   sdk.Range
}

// readFinal returns the content of final.md, which must be legible. It parses the file only once.
func (s *Subject) readFinal() *Final {
	if s.final != nil {
		return s.final
	}
	d := s.Result.Doc
	f := &Final{Doc: d, s: s, Mode: keyed(d, "Mode", "Review Mode")}
	outline := d.Outline()
	f.readVerdict(outline)
	f.readDiscourse(outline)
	f.readBlockers(outline)
	for _, t := range outline.Tables() {
		f.readCitations(t)
	}
	s.final = f
	return f
}

// torn returns a document's last line if that line ends within a sentence and without a line break, as after an
// interruption. Otherwise, it returns "".
func (f File) torn() string {
	if !f.Legible() {
		return ""
	}
	last := f.Doc.Text[strings.LastIndexByte(f.Doc.Text, '\n')+1:]
	if last == "" || !words.IsWord(last[len(last)-1]) || !strings.Contains(last, " ") {
		return ""
	}
	return last
}

// halfFinal returns the last line of a final.md that ends within a sentence and has no verdict, or "".
func (s *Subject) halfFinal() string {
	if last := s.Result.torn(); s.Kind == Review && last != "" && !s.readFinal().Verdict.OK() {
		return last
	}
	return ""
}

// Full reports whether the mode promises a discourse.
func (f *Final) Full() bool { return words.Mentions(f.Mode.Text, "full", "with discourse") }

// Quick reports whether the review says that the discourse was left out.
func (f *Final) Quick() bool {
	return words.Mentions(f.Mode.Text, "quick", "no discourse", "schnell", "rapide", "rápid", "クイック") || f.skipped
}

// readDiscourse looks for text about the discourse: a section of that name, or the name of its file.
func (f *Final) readDiscourse(o *markdown.Outline) {
	about := false
	for _, line := range o.Document().Meaning() {
		switch discourse := words.Mentions(line, "discourse"); {
		case strings.HasPrefix(line, "#"):
			about = beginsWith(unmarked(line), "Discourse")
		case words.Mentions(line, "quick") && words.Mentions(line, "mode", "review") && !words.Mentions(line, "not "),
			words.Mentions(line, "schnellmodus", "keine diskussion", "ohne diskussion", "sans discussion",
				"sin discusión"),
			discourse && words.Mentions(line, "no ", "not ", "skip", "quick", "without", "left out", "omitted"):
			f.skipped = true
		case about && words.Real(line), words.Mentions(line, "discourse.md"):
			f.cited = true
		}
	}
}

func (f *Final) readBlockers(o *markdown.Outline) {
	for _, h := range o.Headings() {
		lines, section := h.Body().Meaning(), h.Section()
		if !beginsWith(unmarked(h.Text()), "Blockers", "Must Fix", "Blocking") || len(lines) > 0 && saysNone(lines[0]) {
			continue
		}
		below := section.Headings()
		if len(below) == 0 {
			for _, item := range section.Items() {
				if item.Depth() == 1 && !item.Task().Checked() {
					f.addBlocker(item.Own().Text(), item.Own())
				}
			}
			continue
		}
		top := slices.MinFunc(below, func(a, b markdown.Heading) int { return a.Level() - b.Level() }).Level()
		for _, h := range below {
			if h.Level() == top { // deeper headings are parts of a blocker
				f.addBlocker(unmarked(h.Text()), h.Part)
			}
		}
	}
}

// addBlocker adds a heading or list item as a blocker, unless it says that there is none or
// that it is resolved.
func (f *Final) addBlocker(text string, p markdown.Part) {
	struck := strings.HasPrefix(strings.TrimLeft(p.Raw(), "# "), "~~")
	if !struck && !saysNone(text) && !settled(text) && words.Placeholder(text) == "" {
		f.Blockers = append(f.Blockers, Mention{text, at(f.Doc, p)})
	}
}

// saysNone reports whether text says that there is no blocker.
func saysNone(text string) bool {
	text = unmarked(text)
	if name, value, ok := strings.Cut(text, ":"); ok && words.Mentions(name, "blocker", "must fix") && len(name) < 20 {
		text = unmarked(value)
	}
	return !words.Real(text) || beginsWith(text, "No ", "None", "Nothing", "There are no", "There is no",
		"There were no", "There was no",
		"We found no", "Not ", "N/A", "All ", "Clear", "Zero", "Everything", "Kein", "Aucun", "Ning")
}

// settled reports whether text says that a blocker is resolved.
func settled(text string) bool {
	return words.Mentions(text, "resolved", "fixed", "addressed", "withdrawn") &&
		!words.Mentions(text, "must", "should", "need", "to be", "unresolved", "not ")
}

// unmarked removes the symbols and emoji before the first word of a heading.
func unmarked(s string) string {
	return strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

func (f *Final) readCitations(t markdown.Table) {
	file := t.Column("File")
	if file < 0 || !t.Has("Reviewer") {
		return
	}
	for _, row := range t.Rows() {
		cell := strings.Trim(row.Cell(file).Text(), "` \t")
		f.Cited = append(f.Cited, Citation{cell, f.s.citedPath(cell), at(f.Doc, row.Part)})
	}
}

// citedPath resolves a path in a review table. The path is relative to the round or to the session, or is complete;
// "round-{n}" is the round itself. A file name without a directory is in reviews/, unless it is the name of one of the
// round's own files.
func (s *Subject) citedPath(cell string) string {
	if !strings.HasSuffix(cell, ".md") || strings.Contains(cell, " ") {
		return ""
	}
	cell = path.Clean("/" + strings.ReplaceAll(cell, "round-{n}", s.Name()))[1:]
	rounds, reviews := strings.Index(cell, Review.Parent), strings.Index(cell, "reviews/")
	switch {
	case rounds >= 0:
		return cell[rounds:]
	case strings.HasPrefix(cell, "round-"):
		return Review.Parent + cell
	case reviews >= 0:
		return s.Dir + cell[reviews:]
	case slices.Contains(Review.Files, cell):
		return s.Dir + cell
	case strings.Contains(cell, "/"):
		return "" // a file under review
	}
	return s.ReviewsDir() + cell
}
