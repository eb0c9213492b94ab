package wire

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/internal/guest"
)

// maxSkip is the nesting limit for unknown members. The nesting of known members is limited by their types.
const maxSkip = 64

// A reader parses JSON from front to back in a single pass. The first error is stored in err; after that, every
// method returns immediately.
//
// Unlike jsontext.Decoder, it reports the member and the text found there, and copies no strings. In a guest it
// also takes a third less time (BenchmarkDecodeRequest). FuzzSkip compares its grammar with jsontext.Decoder's.
type reader struct {
	data string
	pos  int
	path string // of the member that could not be read; callers prepend their parts
	err  error
}

// fail stops reading. Callers add their parts of the path.
func (r *reader) fail(why string) {
	if r.err == nil {
		r.err = errors.New(why)
		r.pos = len(r.data)
	}
}

// under prepends a part to the path if reading has failed below it.
func (r *reader) under(part string) {
	if r.err != nil {
		r.path = part + r.path
	}
}

// peek skips white space and returns the next byte, or 0 at the end.
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

// mismatch reports that the next value is not the expected one.
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

// begin enters an object or array and reports whether it is nonempty.
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

// another continues after an element and reports whether another one follows.
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

// key reads the name of an object member and the colon after it.
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

// word reads a string. It is optimized for lowercase letters: member names and words of vocabularies.
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

// text reads a string. A string without escapes is a slice of the data, not a copy.
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

// escaped reads the string at pos, whose first backslash is at i.
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

// skip skips one value of any kind. It keeps the open brackets in a byte string, so that hostile nesting does not
// use the stack.
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
		case b == '{', b == '[': // empty, and already skipped
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

// scalar skips a value without children that begins with b.
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

// finish checks that only white space follows the value, and returns the error with its path.
func (r *reader) finish(what string) error {
	if r.err == nil {
		r.peek()
		if r.pos < len(r.data) {
			r.mismatch("nothing after the " + what)
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

// shown quotes untrusted text for a message, shortened and in ASCII.
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
