package main

import "strings"

// A key is what status --watch does at a key press.
type key int

const (
	keyNone key = iota
	keyUp
	keyDown
	keyPageUp
	keyPageDown
	keyHome
	keyEnd
	keyRedraw
	keySuspend
	keyQuit
)

// What single bytes, and the ends of control sequences, mean.
var (
	byteKeys = map[byte]key{
		'q': keyQuit, ctrl('C'): keyQuit, ctrl('Z'): keySuspend, ctrl('L'): keyRedraw,
		'k': keyUp, 'j': keyDown, 'b': keyPageUp, 'f': keyPageDown, ' ': keyPageDown, 'g': keyHome, 'G': keyEnd,
	}
	sequenceKeys = map[string]key{
		"A": keyUp, "B": keyDown, "H": keyHome, "F": keyEnd,
		"5~": keyPageUp, "6~": keyPageDown, "1~": keyHome, "7~": keyHome, "4~": keyEnd, "8~": keyEnd,
	}
)

func ctrl(letter byte) byte { return letter & 0x1f }

const escape = '\x1b'

// longestSequence is how many bytes a control sequence may have; a terminal sends none
// that is longer.
const longestSequence = 32

// keysIn reads what a terminal in raw mode sends. The rest is the beginning of a control
// sequence, to be read with what comes next.
func keysIn(input string) (keys []key, rest string) {
	for input != "" {
		n, k := 1, byteKeys[input[0]]
		if input[0] == escape {
			if n, k = sequence(input); n == 0 {
				return keys, input
			}
		}
		if k != keyNone {
			keys = append(keys, k)
		}
		input = input[n:]
	}
	return keys, ""
}

// sequence reads the control sequence that the input begins with and returns how many
// bytes it has, 0 if its end is missing. An escape that begins none is one byte alone.
func sequence(input string) (n int, k key) {
	switch {
	case len(input) == 1:
		return 0, keyNone
	case input[1] != '[' && input[1] != 'O':
		return 1, keyNone
	}
	end := strings.IndexFunc(input[2:], func(r rune) bool { return r < ' ' || r >= '@' })
	switch {
	case end < 0 && len(input) > longestSequence:
		return len(input), keyNone
	case end < 0:
		return 0, keyNone
	case input[2+end] < '@' || input[2+end] > '~': // no sequence after all
		return 2 + end, keyNone
	}
	name := input[2+end : 3+end]
	if name == "~" {
		name, _, _ = strings.Cut(input[2:2+end], ";")
		name += "~"
	}
	return 3 + end, sequenceKeys[name]
}
