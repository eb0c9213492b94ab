package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// A Mention is a text that a document holds, with its place.
type Mention struct {
	Text string // as a reader sees it, trimmed; "" if there is none
	At   sdk.Range
}

// hasGuidance looks for the guidance of the Tech Lead, under a heading or behind its name, in a
// document that may have come without its text.
func hasGuidance(d *sdk.Document) bool {
	if d.Need != sdk.Content {
		return slices.ContainsFunc(d.Summary.Headings, func(h wire.HeadingLine) bool { return isGuidance(h.Text) })
	}
	outline := d.Outline()
	for _, h := range outline.Headings() {
		if isGuidance(h.Text()) && slices.ContainsFunc(h.Section().Meaning(), isText) {
			return true
		}
	}
	for _, line := range outline.Document().Meaning() {
		name, text, ok := strings.Cut(line, ":")
		if ok && len(name) < 50 && !strings.HasPrefix(line, "#") && isGuidance(name) && isText(text) {
			return true
		}
	}
	return false
}

func isGuidance(name string) bool {
	return words.Mentions(name, "tech lead", "tech-lead", "techlead", "guidance", "review focus", "focus area", "hinweise")
}

// isText reports whether a line says something, and is neither a heading nor a placeholder.
func isText(line string) bool {
	line = strings.Trim(line, "|-*_ ")
	return !strings.HasPrefix(line, "#") && words.Real(line) && !isPlaceholder(line)
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
