package ocr

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// late returns the reviewer files of C that final.md does not include: they are new or replaced since the base, which
// has the same final.md.
func (m *Model) late() (paths []string) {
	b := m.Base
	if m.T != Review || !m.onBase() || !m.sameC() || b.State.Status == "closed" || len(b.C.Written()) == 0 ||
		!b.C.Result.Legible() || !same(b.C.Result.Doc, m.C.Result.Doc) {
		return nil
	}
	for _, f := range m.C.Reviews {
		was := b.Get(f.Path)
		cited := strings.Contains(b.C.Result.Doc.Text, stem(f))
		if was == nil && !cited && b.C.lacks(f) || f.Filled() && replaced(was, f.Doc) {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

func (m *Model) reportLate(r *check.Report) {
	for _, path := range m.late() {
		on(r, m.C, path, path+" is newer than "+m.C.Result.Path+", which does not include it").
			Advise("Include the review", "Rewrite "+m.C.Result.Path+" to include it, or move it to "+
				Review.directory(m.C.N+1)+"reviews/ and start that round.")
	}
}

// has reports whether a document of the session has the same text as d.
func (m *Model) has(d *sdk.Document) bool {
	return slices.ContainsFunc(m.All(), func(other *sdk.Document) bool { return same(other, d) })
}

// replaced reports whether most lines of a document, except headings, are new.
func replaced(was, is *sdk.Document) bool {
	if was == nil || is == nil {
		return false
	}
	lines, kept := 0, 0
	before, now := meaning(was, is)
	for _, line := range now {
		if !strings.HasPrefix(line, "#") {
			lines++
			if slices.Contains(before, line) {
				kept++
			}
		}
	}
	return 2*kept < lines
}

// unsaid describes text that a document no longer contains, ignoring boxes and ticks. It returns "" if nothing is
// missing.
func unsaid(was, is *sdk.Document) string {
	before, now := meaning(was, is)
	kept := map[string]bool{}
	for _, line := range now {
		kept[wordsOf(line)] = true
	}
	for _, line := range before {
		if text := wordsOf(line); text != "" && !kept[text] {
			return "; it no longer says " + say.Quote(line)
		}
	}
	return ""
}

// wordsOf returns the words of a line, without punctuation, boxes and ticks.
func wordsOf(line string) string {
	isMark := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }
	all := strings.FieldsFunc(strings.ToLower(line), isMark)
	return strings.Join(slices.DeleteFunc(all, func(word string) bool { return word == "x" }), " ")
}

// difference describes text that a document no longer contains, or newly contains.
func difference(was, is *sdk.Document) string {
	before, now := meaning(was, is)
	for _, line := range before {
		if !slices.Contains(now, line) {
			return "; it no longer says " + say.Quote(line)
		}
	}
	for _, line := range now {
		if !slices.Contains(before, line) {
			return "; it now says " + say.Quote(line)
		}
	}
	if before == nil && now == nil {
		return ""
	}
	return "; its lines are in a different order"
}
