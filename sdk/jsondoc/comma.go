package jsondoc

import "strings"

// maxCommas bounds how many commas TrailingCommas looks for: each costs a reading
// of the text.
const maxCommas = 32

// TrailingCommas returns the offsets of the commas after the last member or element of an object or array, if nothing
// else keeps the text from being JSON. Removing them does not change its meaning: no reader interprets them.
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
		rest = rest[:at] + " " + rest[at+1:] // what follows keeps its offset
	}
	return nil, false
}

// trails reports whether a value and a comma, and then the end of what it is in, meet
// at an offset.
func trails(text string, at int) bool {
	if at >= len(text) || text[at] != ',' {
		return false
	}
	const space = " \t\r\n"
	before, after := strings.TrimRight(text[:at], space), strings.TrimLeft(text[at+1:], space)
	return before != "" && !strings.ContainsAny(before[len(before)-1:], "[{,:") && after != "" &&
		strings.ContainsAny(after[:1], "]}")
}
