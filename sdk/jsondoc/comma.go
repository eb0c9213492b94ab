package jsondoc

import "strings"

// maxCommas limits the number of commas that TrailingCommas finds, because each one requires another parse.
const maxCommas = 32

// TrailingCommas returns the offsets of trailing commas in objects and arrays, if the text is otherwise valid JSON.
// Removing them does not change the meaning, because no reader interprets them.
func TrailingCommas(text string) (offsets []int, ok bool) {
	rest := text
	for range maxCommas {
		_, err := parse(rest, DefaultDepth)
		if err == nil {
			return offsets, len(offsets) > 0
		}
		at := err.Offset
		if !trails(rest, at) {
			return nil, false
		}
		offsets = append(offsets, at)
		rest = rest[:at] + " " + rest[at+1:] // keeps later offsets unchanged
	}
	return nil, false
}

// trails reports whether a comma at an offset follows a value and precedes the end of its container.
func trails(text string, at int) bool {
	if at >= len(text) || text[at] != ',' {
		return false
	}
	before, after := strings.TrimRight(text[:at], spaces), strings.TrimLeft(text[at+1:], spaces)
	return before != "" && !strings.ContainsAny(before[len(before)-1:], "[{,:") && after != "" &&
		strings.ContainsAny(after[:1], "]}")
}
