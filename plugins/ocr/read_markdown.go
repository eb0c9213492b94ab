package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A Mention is a text that a document holds, with its place.
type Mention struct {
	Text string // as a reader sees it, trimmed; "" if there is none
	At   sdk.Range
}

// hasGuidance looks for a heading that speaks of the Tech Lead.
func hasGuidance(d *sdk.Document) bool {
	for _, h := range headings(d) {
		text := strings.ReplaceAll(strings.ToLower(h.text), "-", " ")
		if strings.Contains(strings.Join(strings.Fields(text), " "), "tech lead") {
			return true
		}
	}
	return false
}

type heading struct {
	level int
	text  string
}

// headings lists a document's headings, whether it came with its text or not.
func headings(d *sdk.Document) []heading {
	var list []heading
	if d.Need != sdk.Content {
		for _, h := range d.Summary.Headings {
			list = append(list, heading{h.Level, h.Text})
		}
		return list
	}
	for _, h := range d.Outline().Headings() {
		list = append(list, heading{h.Level(), h.Text()})
	}
	return list
}

// Findings counts the findings of a reviewer file: headings that begin with the
// word Finding, Issue or Suggestion, all of level 2 and 3, and those of level 2,
// which are the ones that `ocr progress` counts.
func (r *Reviewer) Findings() (all, counted int) {
	if r.Doc == nil {
		return 0, 0
	}
	for _, h := range headings(r.Doc) {
		if h.level != 2 && h.level != 3 || !isFinding(h.text) {
			continue
		}
		all++
		if h.level == 2 {
			counted++
		}
	}
	return all, counted
}

// isFinding tells "Finding 1: title" from the section "Findings".
func isFinding(text string) bool {
	for _, word := range []string{"Finding", "Issue", "Suggestion"} {
		if beginsWith(text, word) && (len(text) == len(word) || !isLetter(text[len(word)])) {
			return true
		}
	}
	return false
}

// beginsWith reports whether text begins with one of some words, in any case.
func beginsWith(text string, words ...string) bool {
	for _, w := range words {
		if len(text) >= len(w) && strings.EqualFold(text[:len(w)], w) {
			return true
		}
	}
	return false
}

// SessionOf reads the field Session of context.md or map.md: the text up to a
// pipe, of a path the last name; "" if there is none.
func SessionOf(f File) Mention {
	if f.Doc == nil || f.Doc.Need != sdk.Content {
		return Mention{}
	}
	field := f.Doc.Outline().Field("Session")
	if !field.OK() {
		return Mention{}
	}
	text, _, _ := strings.Cut(field.Text(), "|")
	text = strings.Trim(text, " \t`/")
	return Mention{text[strings.LastIndexByte(text, '/')+1:], at(f.Doc, field.Value())}
}

// at is the place of a part, or of its line if it has no bytes.
func at(d *sdk.Document, p markdown.Part) sdk.Range {
	if p.End() > p.Start() {
		return sdk.AtBytes(d.Path, p.Start(), p.End())
	}
	if p.Line() > 0 {
		return sdk.AtLine(d.Path, p.Line())
	}
	return sdk.At(d.Path)
}
