package wire

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/internal/guest"
)

// maxSkip is how deep a member that is not known may nest. Known members nest
// only as deep as their types do.
const maxSkip = 64

// A reader takes JSON apart, front to back and once. The first thing it cannot
// read becomes err; from then on every method returns at once.
//
// It exists beside jsontext.Decoder to name the member and what was found there, to copy
// no string, and because in a guest it takes two thirds of the time (BenchmarkDecodeRequest).
// FuzzSkip holds the grammar against it.
type reader struct {
	data string
	pos  int
	path string // of the member that could not be read, filled in while unwinding
	err  error
}

// fail ends reading. Callers up the stack add their part of the path.
func (r *reader) fail(why string) {
	if r.err == nil {
		r.err = errors.New(why)
		r.pos = len(r.data)
	}
}

// under adds one part of the path in front, if reading has failed below it.
func (r *reader) under(part string) {
	if r.err != nil {
		r.path = part + r.path
	}
}

// peek skips white space and gives the next byte, 0 at the end.
func (r *reader) peek() byte {
	for r.pos < len(r.data) {
		switch b := r.data[r.pos]; b {
		case ' ', '\n', '\t', '\r':
			r.pos++
		default:
			return b
		}
	}
	return 0
}

// mismatch refuses what comes next because something else belongs there.
func (r *reader) mismatch(expected string) {
	found := "the end"
	switch b := r.peek(); {
	case r.pos == len(r.data):
	case b == '"':
		found = "a string"
	case b == '-' || isDigit(b):
		found = "a number"
	case b == 't' || b == 'f':
		found = "a boolean"
	case b == 'n':
		found = "null"
	case b == '{':
		found = "an object"
	case b == '[':
		found = "an array"
	default:
		found = shown(r.data[r.pos:r.pos+1]) + " at byte " + strconv.Itoa(r.pos)
	}
	r.fail("found " + found + ", expected " + expected)
}

// begin enters an object or array and says whether it holds anything.
func (r *reader) begin(open, end byte, expected string) bool {
	if r.peek() != open {
		r.mismatch(expected)
		return false
	}
	r.pos++
	if r.peek() == end {
		r.pos++
		return false
	}
	return true
}

// another continues after an element and reports whether one more follows.
func (r *reader) another(end byte) bool {
	if r.err != nil {
		return false
	}
	switch r.peek() {
	case ',':
		r.pos++
		return true
	case end:
		r.pos++
		return false
	}
	r.mismatch("a comma or " + shown(string(rune(end))))
	return false
}

// key reads the name of an object's member and the colon after it.
func (r *reader) key() string {
	if r.peek() != '"' {
		r.mismatch("the name of a member")
		return ""
	}
	name := r.word()
	if r.err != nil {
		return ""
	}
	if r.peek() != ':' {
		r.mismatch("a colon")
		return ""
	}
	r.pos++
	return name
}

// word reads a string. It is fast for small letters: for names of members, and words of vocabularies.
func (r *reader) word() string {
	if r.at('"') {
		end := r.pos + 1
		for end < len(r.data) && r.data[end] >= 'a' && r.data[end] <= 'z' {
			end++
		}
		if s := r.data[r.pos+1 : end]; end < len(r.data) && r.data[end] == '"' {
			r.pos = end + 1
			return s
		}
	}
	return r.text()
}

// text reads a string. One without escapes is part of the data, not a copy.
func (r *reader) text() string {
	if r.peek() != '"' {
		r.mismatch("a string")
		return ""
	}
	start, i, ascii := r.pos+1, r.pos+1, true
	if guest.Inside {
		if n := strings.IndexByte(r.data[start:], '"'); n >= 0 && strings.IndexByte(r.data[start:start+n], '\\') < 0 {
			r.pos = start + n + 1
			return r.data[start : start+n]
		}
	}
	for {
		for i < len(r.data) && plain[r.data[i]] {
			i++
		}
		switch {
		case i == len(r.data):
			r.fail("found the end, expected the end of a string")
			return ""
		case r.data[i] == '"':
			r.pos = i + 1
			if !ascii && !utf8.ValidString(r.data[start:i]) {
				r.fail("found a string that is not UTF-8")
				return ""
			}
			return r.data[start:i]
		case r.data[i] == '\\':
			return r.escaped(i)
		case r.data[i] < ' ':
			r.fail("found a control character in a string, expected it escaped")
			return ""
		}
		ascii = false
		i++
	}
}

// escaped reads the string at pos whose first backslash is at i.
func (r *reader) escaped(i int) string {
	for i < len(r.data) && r.data[i] != '"' {
		if r.data[i] == '\\' {
			i++
		}
		i++
	}
	if i >= len(r.data) {
		r.fail("found the end, expected the end of a string")
		return ""
	}
	s, ok := unquote(r.data[r.pos+1 : i])
	if !ok {
		r.fail("found a malformed string: not UTF-8, or an escape that JSON lacks")
		return ""
	}
	r.pos = i + 1
	return s
}

func (r *reader) at(b byte) bool { return r.pos < len(r.data) && r.data[r.pos] == b }

// truth reads true or false.
func (r *reader) truth() bool {
	switch {
	case r.peek() == 't' && r.literal("true"):
		return true
	case r.peek() == 'f' && r.literal("false"):
		return false
	}
	r.mismatch("true or false")
	return false
}

func (r *reader) literal(word string) bool {
	if len(r.data)-r.pos < len(word) || r.data[r.pos:r.pos+len(word)] != word {
		return false
	}
	r.pos += len(word)
	return true
}

// skip passes over one value of any kind. The open brackets are kept in a
// string of bytes, so hostile nesting costs no stack.
func (r *reader) skip() {
	var open [maxSkip]byte
	depth := 0
	for r.err == nil {
		switch b := r.peek(); {
		case (b == '{' || b == '[') && depth == maxSkip:
			r.fail("found a value nested deeper than " + strconv.Itoa(maxSkip))
			return
		case b == '{' && r.begin('{', '}', ""):
			open[depth] = '}'
			depth++
			r.key()
			continue
		case b == '[' && r.begin('[', ']', ""):
			open[depth] = ']'
			depth++
			continue
		case b == '{', b == '[': // empty, and passed
		default:
			r.scalar(b)
		}
		for depth > 0 && !r.another(open[depth-1]) {
			depth--
		}
		if depth == 0 {
			return
		}
		if open[depth-1] == '}' {
			r.key()
		}
	}
}

// scalar passes over a value that begins with b and holds no others.
func (r *reader) scalar(b byte) {
	switch {
	case b == '"':
		r.text()
	case b == '-' || isDigit(b):
		r.number()
	case b == 'n' && r.literal("null"):
	case b == 't' || b == 'f':
		r.truth()
	default:
		r.mismatch("a value")
	}
}

// finish refuses anything but white space behind the value and gives the error
// with its path.
func (r *reader) finish(what string) error {
	if r.err == nil {
		r.peek()
		if r.pos < len(r.data) {
			r.mismatch("nothing behind the " + what)
		}
	}
	if r.err == nil {
		return nil
	}
	path := r.path
	if len(path) > 0 && path[0] == '.' {
		path = path[1:]
	}
	if path != "" {
		path += ": "
	}
	return errors.New("decode " + what + ": " + path + r.err.Error())
}

// shown quotes what a stranger wrote, shortened and in ASCII, for a message.
func shown(s string) string {
	const most = 64
	if len(s) > most {
		s = s[:most] + "…"
	}
	out := []byte{'"'}
	for _, r := range s {
		switch {
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = appendUnit(appendUnit(out, high), low)
		case r < utf8.RuneSelf && plain[r]:
			out = append(out, byte(r))
		default:
			out = appendEscaped(out, r)
		}
	}
	return string(append(out, '"'))
}
