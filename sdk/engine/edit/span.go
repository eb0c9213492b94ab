package edit

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// Span returns the half-open byte range in text that a range refers to: a line without its line ending, the value
// or key at a pointer, the bytes, or the whole text. The text must not have a byte-order mark. Span returns an
// error for a range outside the text or inside a character.
func Span(text string, r wire.Range) (start, end int, err error) {
	switch {
	case r.Pointer != "":
		return pointerSpan(text, r)
	case r.Line != 0:
		return lineSpan(text, r.Line)
	case r.Bytes:
		return byteSpan(text, r.Start, r.End)
	}
	return 0, len(text), nil
}

func byteSpan(text string, start, end int) (int, int, error) {
	if start < 0 || end < start || end > len(text) {
		return 0, 0, errors.New("bytes " + strconv.Itoa(start) + " to " + strconv.Itoa(end) +
			" are not in the text, which has " + strconv.Itoa(len(text)))
	}
	for _, at := range [2]int{start, end} {
		if at < len(text) && !utf8.RuneStart(text[at]) {
			return 0, 0, errors.New("byte " + strconv.Itoa(at) + " is inside a character")
		}
	}
	return start, end, nil
}

func lineSpan(text string, line int) (start, end int, err error) {
	text = EndLines(text)
	rest := text
	for n := 1; n < line; n++ {
		_, after, ok := strings.Cut(rest, "\n")
		if !ok {
			if rest == "" {
				n-- // an edit may insert text after the last line feed, but that is not a line
			}
			return 0, 0, errors.New("line " + strconv.Itoa(line) + " is not in the text, which has " + strconv.Itoa(n))
		}
		rest = after
	}
	if line < 1 {
		return 0, 0, errors.New("line " + strconv.Itoa(line) + ": lines count from 1")
	}
	start = len(text) - len(rest)
	whole, _, _ := strings.Cut(rest, "\n")
	return start, start + len(strings.TrimSuffix(whole, "\r")), nil
}

func pointerSpan(text string, r wire.Range) (start, end int, err error) {
	p, err := ParsePlaces(r.Path, text)
	if err != nil {
		return 0, 0, err
	}
	ok := false
	if r.Key {
		if start, end, ok = p.Key(r.Pointer); !ok {
			err = errors.New("no key at " + r.Pointer)
		}
	} else if start, end, ok = p.Lookup(r.Pointer); !ok {
		err = errors.New("no value at " + r.Pointer)
	}
	return start, end, err
}

// Places finds the half-open byte ranges of values and keys by their pointers.
type Places interface {
	Lookup(pointer string) (start, end int, ok bool)
	Key(pointer string) (start, end int, ok bool)
}

// ParsePlaces parses a text as JSON, or as YAML if the text is not JSON and its name has a YAML extension.
func ParsePlaces(name, text string) (Places, error) {
	doc, err := jsondoc.Parse(text)
	if err != nil && wire.IsYAML(name) {
		return yamldoc.Parse(text)
	}
	return jsonPlaces{doc}, err
}

type jsonPlaces struct{ doc *jsondoc.Document }

func (p jsonPlaces) Lookup(pointer string) (start, end int, ok bool) {
	v, ok := p.doc.Lookup(pointer)
	if !ok {
		return 0, 0, false
	}
	return v.Start(), v.End(), true
}

func (p jsonPlaces) Key(pointer string) (start, end int, ok bool) {
	m, ok := p.doc.LookupMember(pointer)
	return m.KeyStart, m.KeyEnd, ok
}
