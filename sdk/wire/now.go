package wire

import "strings"

// Now stands in an edit's new text for the time of applying. A dollar sign before it makes it mean itself: "$${now}"
// is written as "${now}", and "$$${now}" as "$${now}".
const Now = "${now}"

// Literal makes a text stand for itself in Edit.New, whatever it holds.
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
