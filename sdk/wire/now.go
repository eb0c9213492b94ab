package wire

import "strings"

// Now is a placeholder in an edit's new text for the time at which the edit is applied. A preceding dollar sign
// escapes it: "$${now}" is written as "${now}", and "$$${now}" as "$${now}".
const Now = "${now}"

// Literal escapes a text for Edit.New, so that it is written unchanged.
func Literal(text string) string { return strings.ReplaceAll(text, Now, "$"+Now) }

// Timed reports whether an edit's new text depends on the time at which the edit is applied.
func Timed(text string) bool { return Expand(text, "") != Expand(text, "x") }

// Expand returns the text that an edit writes at a given time.
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
