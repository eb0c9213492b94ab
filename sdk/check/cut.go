package check

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// CutShort begins a finding for each document that ends in the middle of a line of the base, as if writing it was
// interrupted. It ignores whole lines that are missing, and words that are missing at the end of the last line,
// because someone may have removed them intentionally. It skips documents whose spec does not ask for their
// content.
func (r *Report) CutShort(paths ...string) (found []*Finding) {
	for _, path := range paths {
		if f := r.cut(path, false, path+" ends partway through a line of the base"); f != nil {
			found = append(found, f)
		}
	}
	return found
}

// CutAtLine does the same for a document that ends with a whole line of the base. It returns nil if there is no
// finding. Someone may have removed lines intentionally, so call it only if the document lacks a part that it must
// have.
func (r *Report) CutAtLine(path string) *Finding {
	return r.cut(path, true, path+" ends after a line of the base")
}

func (r *Report) cut(path string, whole bool, says string) *Finding {
	now, was := r.Docs.Get(path), r.Base.Docs.Get(path)
	if !now.Readable() || !was.Readable() || now.Digest == was.Digest {
		return nil
	}
	then := breaksOff(now, was, whole)
	if then < 0 {
		return nil
	}
	text := strings.TrimRight(now.Text, " \t\r\n")
	at := sdk.AtBytes(path, len(text), len(text))
	if now.Format == sdk.YAML { // Text is the equivalent JSON, which has only the line numbers in common with the file
		at = sdk.AtLine(path, 1+strings.Count(text, "\n"))
	}
	f := r.At(at, says+say.Line(was, then)+"; the rest is missing").Keyed(path)
	if strings.HasPrefix(was.Text, text) { // the document is the beginning of the base, with nothing else
		f.Offer(sdk.Review, "Restore "+path+" from the base", sdk.Restore(path))
	} else if from := lineBefore(now, len(now.Text)).at; now.Format != sdk.YAML &&
		strings.HasPrefix(was.Text[then:], text[from:]) {
		f.Offer(sdk.Review, "Restore the end from the base",
			sdk.Replace(sdk.AtBytes(path, from, len(now.Text)), was.Text[then:]))
	}
	if whole {
		return f.Advise("Restore the end",
			"Restore the text after this line from the base, or write the missing part again.")
	}
	return f.Advise("Restore the end", "Restore the text after this line from the base. If it was dropped on "+
		"purpose, complete this line.")
}

// OnlyTitles reports whether a readable document contains only headings, as a truncated one may.
func OnlyTitles(d *sdk.Document) bool {
	if !d.Readable() {
		return false
	}
	titles := false
	for line := range strings.Lines(d.Text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
		titles = titles || line != ""
	}
	return titles
}

// fewBytes is shorter than any sentence: a document with so little text was overwritten, not rewritten.
const fewBytes = 12

// Emptied says how a document lost its text since the base: it is empty, or only titles are left, or less than a
// quarter of the text is left. The last case counts only if the rest is a word or two, or if it contains nothing new.
// The result begins with a blank, so that path+Emptied(now, was) is "plan.md is empty", "plan.md has only titles
// left" or "plan.md lost most of its text". Emptied returns "" for a document that was rewritten, even in one
// sentence, and if one of the documents cannot be read.
func Emptied(now, was *sdk.Document) (how string) {
	if !now.Readable() || !was.Readable() || strings.TrimSpace(was.Text) == "" {
		return ""
	}
	size := prose(now)
	switch {
	case strings.TrimSpace(now.Text) == "":
		return " is empty"
	case OnlyTitles(now) && !OnlyTitles(was):
		return " has only titles left"
	case size > 0 && 4*size < prose(was):
		if kept, all := Kept(now, was); size < fewBytes || kept == all {
			return " lost most of its text"
		}
	}
	return ""
}

// prose counts the bytes of a document's lines that are not headings, in the form used for comparison.
func prose(d *sdk.Document) (n int) {
	for l := range strings.Lines(d.Text) {
		if l[0] != '#' {
			n += len(meant(d, l))
		}
	}
	return n
}

// Kept counts the lines of a base document that also occur in any of the other documents, and all of its lines. List
// bullets and checkboxes make no difference. Lines without a word do not count, nor do headings unless the document
// contains nothing else.
func Kept(was *sdk.Document, others ...*sdk.Document) (kept, all int) {
	there := map[string]bool{}
	for _, d := range others {
		for l := range strings.Lines(d.Text) {
			there[words.TrimLeft(meant(d, l), "# ")] = true
		}
	}
	titles := OnlyTitles(was)
	for l := range strings.Lines(was.Text) {
		if text := words.TrimLeft(meant(was, l), "# "); words.Says(text) && (titles || l[0] != '#') {
			if all++; there[text] {
				kept++
			}
		}
	}
	return kept, all
}

// breaksOff returns the offset of the base line at which a document is cut off. That line begins with the
// document's last line, or equals it if whole is true. The lines before it are also the same in the base and the
// document. It returns -1 if there is no such line, or if it is the last line of the base.
func breaksOff(now, was *sdk.Document, whole bool) (then int) {
	last := lineBefore(now, len(now.Text))
	if last.text == "" {
		return -1
	}
	before, end, at := lineBefore(now, last.at), lineBefore(was, len(was.Text)).at, 0
	for l := range strings.Lines(was.Text[:end]) {
		if mayBegin(l, last.text) {
			if rest, ok := strings.CutPrefix(meant(was, l), last.text); ok && (rest == "") == whole &&
				lineBefore(was, at).text == before.text {
				return at
			}
		}
		at += len(l)
	}
	return -1
}

// A line is a line with text, in the form used for comparison: without list bullets and checkboxes.
type line struct {
	text string
	at   int
}

// lineBefore returns the last line with text before an offset at a line's beginning or at the end of the document.
// Its text is empty if there is none.
func lineBefore(d *sdk.Document, at int) line {
	for at > 0 {
		start := strings.LastIndexByte(d.Text[:at-1], '\n') + 1
		if text := meant(d, d.Text[start:at]); text != "" {
			return line{text, start}
		}
		at = start
	}
	return line{}
}

// marks are the characters that may precede the text of a line.
const marks = " \t-*+>"

// meant returns a line in the form used for comparison.
func meant(d *sdk.Document, l string) string {
	if d.Format == sdk.YAML { // closing brackets are not in the YAML document
		l = strings.TrimSuffix(strings.TrimRight(l, "\"}], \r\n"), "null")
	}
	l = words.TrimLeft(l, marks)
	text := make([]byte, 0, len(l))
	for i := 0; i < len(l); i++ {
		switch c := l[i]; c {
		case '*':
		case '|':
			text = append(text, ' ')
		default:
			if text = append(text, c); boxed(l, i) {
				i++
			}
		}
	}
	l = words.Spaced(string(text))
	if said := strings.TrimRight(l, " #"); said != "" {
		return said
	}
	return l // a heading that was cut off before its text
}

// boxed reports whether a checkbox begins at an index, ticked or not. Callers skip its mark.
func boxed(l string, i int) bool {
	return l[i] == '[' && i+1 < len(l) && (l[i+1]|0x20 == 'x' || l[i+1] == ' ')
}

// mayBegin reports whether the compared form of a line may begin with a text. It is a fast filter, and exact for
// ASCII lines; most lines begin differently.
func mayBegin(l, text string) bool {
	l = words.TrimLeft(l, marks)
	said, blank := 0, false
	for i := 0; i < len(l) && said < len(text); i++ {
		switch c := l[i]; {
		case c >= utf8.RuneSelf:
			return true
		case c == '*':
		case c == '|' || c == ' ' || c >= '\t' && c <= '\r':
			blank = said > 0
		case blank && text[said] != ' ':
			return false
		default:
			if blank {
				said, blank = said+1, false
			}
			if said == len(text) || text[said] != c {
				return said == len(text)
			}
			if said++; boxed(l, i) {
				i++
			}
		}
	}
	return said == len(text)
}
