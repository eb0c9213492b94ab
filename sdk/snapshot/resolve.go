//go:build !wasip1

package snapshot

import (
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/edit"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// MaxExcerpt is the greatest length of an excerpt, in bytes.
const MaxExcerpt = 1000

// A Resolver works out ranges of one set of documents. It reads a document once,
// when it is first asked for. It is not safe for use by several goroutines.
type Resolver struct {
	docs  map[string]*wire.Document
	texts map[string]*resolved
}

type resolved struct {
	text  string
	lines *jsondoc.Lines
	json  *jsondoc.Document // nil if it does not parse, or not yet
	tried bool
}

// NewResolver returns a resolver of documents, which it keeps.
func NewResolver(documents []wire.Document) *Resolver {
	r := &Resolver{docs: make(map[string]*wire.Document, len(documents)), texts: map[string]*resolved{}}
	for i := range documents {
		r.docs[documents[i].Path] = &documents[i]
	}
	return r
}

// Place works out a range. Where nothing lies at a pointer, the key of the
// nearest parent that exists is meant. A range that is not in its document, or
// whose document's text is not here, is the document as a whole.
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

// text returns the text of a document, nil if it is not here.
func (r *Resolver) text(path string) *resolved {
	if t, ok := r.texts[path]; ok {
		return t
	}
	var t *resolved
	if doc := r.docs[path]; doc != nil && !doc.Dir && doc.Need == wire.Content {
		t = &resolved{text: doc.Text, lines: jsondoc.NewLines(doc.Text)}
	}
	r.texts[path] = t
	return t
}

func (t *resolved) span(at wire.Range) (start, end int, ok bool) {
	if at.Pointer != "" {
		return t.pointer(at)
	}
	start, end, err := edit.Span(t.text, at)
	if at.Line != 0 && err == nil {
		// A line is shown from its first character that is not blank.
		line := t.text[start:end]
		start += len(line) - len(strings.TrimLeft(line, " \t"))
	}
	return start, end, err == nil
}

// pointer finds the value or key at a pointer, or the nearest parent's key.
func (t *resolved) pointer(at wire.Range) (start, end int, ok bool) {
	if !t.tried {
		t.tried = true
		t.json, _ = jsondoc.Parse(t.text)
	}
	if t.json == nil {
		return 0, 0, false
	}
	pointer, wantKey := at.Pointer, at.Key
	for pointer != "" {
		if m, found := t.json.LookupMember(pointer); found && wantKey {
			return m.KeyStart, m.KeyEnd, true
		}
		if v, found := t.json.Lookup(pointer); found {
			return v.Start(), v.End(), true
		}
		slash := strings.LastIndexByte(pointer, '/')
		if slash < 0 {
			return 0, 0, false
		}
		pointer, wantKey = pointer[:slash], true
	}
	// Nothing above exists but the document: its first character.
	start = t.json.Root().Start()
	return start, start + 1, true
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
	if len(rest) > MaxExcerpt {
		cut := MaxExcerpt
		for cut > 0 && !utf8.RuneStart(rest[cut]) {
			cut--
		}
		rest = rest[:cut]
	}
	line, _, _ := strings.Cut(rest, "\n")
	if column-1 > len(line) {
		return ""
	}
	return strings.TrimSuffix(line, "\r")
}
