package snapshot

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// MaxExcerpt is the maximum length of an excerpt, in bytes.
const MaxExcerpt = 1000

// A Resolver resolves ranges in a set of documents. It parses a document on first use. It is not safe for
// concurrent use.
type Resolver struct {
	docs  map[string]*wire.Document
	texts map[string]*resolved
}

type resolved struct {
	text   string
	lines  *jsondoc.Lines
	format wire.Format
	values *values // of the document, or of the JSON Lines line that was used last
}

// values are the values of a text within a document.
type values struct {
	places edit.Places // nil if the text cannot be parsed
	from   int         // where the text begins
}

// NewResolver returns a resolver for documents, which it keeps.
func NewResolver(documents []wire.Document) *Resolver {
	r := &Resolver{docs: make(map[string]*wire.Document, len(documents)), texts: map[string]*resolved{}}
	for i := range documents {
		r.docs[documents[i].Path] = &documents[i]
	}
	return r
}

// Place resolves a range. If the pointer does not exist, the result is the key of the nearest existing parent. A
// range outside its document, or in a document without text, becomes the whole document.
func (r *Resolver) Place(at wire.Range) finding.Place {
	if at == (wire.Range{Path: at.Path}) {
		return finding.Place{Path: at.Path}
	}
	t := r.text(at.Path)
	if t == nil {
		return finding.Place{Path: at.Path}
	}
	start, end, ok := t.span(at)
	if !ok {
		return finding.Place{Path: at.Path}
	}
	return t.place(at.Path, start, end)
}

// text returns a document's text, or nil if it is not available.
func (r *Resolver) text(path string) *resolved {
	if t, ok := r.texts[path]; ok {
		return t
	}
	var t *resolved
	if doc := r.docs[path]; doc != nil && !doc.Dir && doc.Need == wire.Content {
		t = &resolved{text: doc.Text, format: doc.Format}
		if doc.Format == wire.YAML {
			t.text = doc.YAML
		}
		t.lines = jsondoc.NewLines(t.text)
	}
	r.texts[path] = t
	return t
}

func (t *resolved) span(at wire.Range) (start, end int, ok bool) {
	if at.Pointer != "" {
		return t.pointer(at)
	}
	if t.format == wire.YAML && at.Bytes { // offsets in the JSON that the plugin received
		return 0, 0, false
	}
	start, end, err := edit.Span(t.text, at)
	if at.Line != 0 && err == nil {
		// A line is shown from its first nonblank character.
		line := t.text[start:end]
		start += len(line) - len(strings.TrimLeft(line, " \t"))
	}
	return start, end, err == nil
}

// pointer finds the value at the pointer of a range.
func (t *resolved) pointer(at wire.Range) (start, end int, ok bool) {
	if t.format == wire.JSONLines {
		return t.linePointer(at)
	}
	if t.values == nil {
		t.values = valuesOf(at.Path, t.text, 0)
	}
	return t.values.pointer(at.Pointer, at.Key)
}

// linePointer finds the value at a pointer in one line of JSON Lines, or the line if it cannot be parsed.
func (t *resolved) linePointer(at wire.Range) (start, end int, ok bool) {
	number, rest, deeper := strings.Cut(strings.TrimPrefix(at.Pointer, "/"), "/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= math.MaxInt32 {
		return 0, 0, false
	}
	start, end, err = edit.Span(t.text, wire.Range{Path: at.Path, Line: n + 1})
	if err != nil || !deeper {
		return start, end, err == nil
	}
	if t.values == nil || t.values.from != start {
		t.values = valuesOf("", t.text[start:end], start)
	}
	if s, e, found := t.values.pointer("/"+rest, at.Key); found {
		return s, e, true
	}
	return start, end, true
}

func valuesOf(name, text string, from int) *values {
	places, err := edit.ParsePlaces(name, text)
	if err != nil {
		places = nil
	}
	return &values{places, from}
}

// pointer finds the value or key at a pointer, or the nearest parent's key.
func (v *values) pointer(pointer string, wantKey bool) (start, end int, ok bool) {
	if v.places == nil {
		return 0, 0, false
	}
	start, end, ok = nearest(v.places, pointer, wantKey)
	return v.from + start, v.from + end, ok
}

func (t *resolved) place(path string, start, end int) finding.Place {
	p := finding.Place{Path: path, Start: start, End: end}
	p.Line, p.Column = t.position(start)
	p.EndLine, p.EndColumn = t.position(end)
	p.Excerpt = t.excerpt(start)
	return p
}

func (t *resolved) position(offset int) (line, column int) {
	line, column = t.lines.Position(offset)
	from := offset - (column - 1)
	return line, utf8.RuneCountInString(t.text[from:offset]) + 1
}

func (t *resolved) excerpt(offset int) string {
	_, column := t.lines.Position(offset)
	rest := t.text[offset-(column-1):]
	line, _, _ := strings.Cut(strings.ToValidUTF8(rest[:min(len(rest), MaxExcerpt)], ""), "\n")
	if column-1 > len(line) {
		return ""
	}
	return strings.TrimSuffix(line, "\r")
}
