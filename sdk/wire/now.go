package wire

import "strings"

// Now in an edit's new text stands for the time of applying. A dollar sign before it makes it literal: "$${now}" is
// written as "${now}", and "$$${now}" as "$${now}".
const Now = "${now}"

// Literal escapes a text for Edit.New, so that it is written as it is.
func Literal(text string) string { return strings.ReplaceAll(text, Now, "$"+Now) }

// Timed reports whether the time of applying is a part of an edit's new text.
func Timed(text string) bool { return Expand(text, "") != Expand(text, "x") }

// Expand returns the text that an edit writes at a time.
func Expand(text, time string) string {
	before, rest, ok := strings.Cut(text, Now)
	if !ok {
		return text
	}
	var b strings.Builder
	for ; ok; before, rest, ok = strings.Cut(rest, Now) {
		if literal, escaped := strings.CutSuffix(before, "$"); escaped {
			b.WriteString(literal + Now)
		} else {
			b.WriteString(before + time)
		}
	}
	return b.String() + before
}
