package edit

import (
	"bytes"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/wire"
)

// mark is the UTF-8 byte-order mark.
const mark = "\xef\xbb\xbf"

// texts sets p.now to the files with the edits inside their texts applied.
func (p *plan) texts() error {
	p.now = maps.Clone(p.was)
	byPath := map[string][]wire.Edit{}
	var order []string
	for _, e := range p.edits {
		if kindOf(e.Op) != inside {
			continue
		}
		if byPath[e.Range.Path] == nil {
			order = append(order, e.Range.Path)
		}
		byPath[e.Range.Path] = append(byPath[e.Range.Path], e)
	}
	for _, name := range order {
		if err := p.text(name, byPath[name]); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) text(name string, edits []wire.Edit) error {
	file, ok := p.was[name]
	switch {
	case !ok:
		return &Error{edits[0], "there is no such document"}
	case strings.HasSuffix(name, "/"):
		return &Error{edits[0], "it is a directory, expected a document"}
	case file.Unread:
		return &Error{edits[0], "the document's content is not available"}
	}
	text, marked := strings.CutPrefix(string(file.Data), mark)
	inner := make([]wire.Edit, 0, len(edits))
	for _, e := range edits {
		if e.Op != wire.Unmark {
			inner = append(inner, e)
			continue
		}
		if !marked {
			return &Error{e, "the document has no byte-order mark"}
		}
		marked = false
	}
	text, err := p.rewrite(text, inner)
	if err != nil {
		return err
	}
	if marked {
		text = mark + text
	}
	p.now[name] = File{Data: []byte(text)}
	return nil
}

// rewrite applies the edits of one text.
func (p *plan) rewrite(text string, edits []wire.Edit) (string, error) {
	if len(edits) == 0 {
		return text, nil
	}
	if !utf8.ValidString(text) {
		return "", &Error{edits[0], "the document is not UTF-8"}
	}
	edits = slices.Clone(edits)
	for i := range edits {
		edits[i].New = p.timedText(edits[i].New)
	}
	if slices.ContainsFunc(edits, func(e wire.Edit) bool {
		return e.Op != wire.Replace || e.Range.Pointer != "" && wire.IsYAML(e.Range.Path)
	}) {
		return rewriteValues(text, edits)
	}
	return replaceAll(text, edits)
}

// timedText replaces ${now} in new text with the time.
func (p *plan) timedText(text string) string {
	return wire.Expand(text, p.env.Now.UTC().Truncate(time.Second).Format(time.RFC3339))
}

// A replacement is a Replace with a resolved range.
type replacement struct {
	start, end int
	text       string
	edit       wire.Edit
}

func replaceAll(text string, edits []wire.Edit) (string, error) {
	ending := lineEnding(text)
	list := make([]replacement, 0, len(edits))
	for _, e := range edits {
		r, err := findReplacement(text, e)
		if err != nil {
			return "", err
		}
		r.text = withEnding(e.New, ending)
		list = append(list, r)
	}
	sort.SliceStable(list, func(i, j int) bool {
		return list[i].start < list[j].start || list[i].start == list[j].start && list[i].end < list[j].end
	})
	return splice(text, list)
}

// findReplacement resolves a Replace. It refuses a Replace without a range unless the text is empty, because the
// document would be lost if the plugin meant byte 0.
func findReplacement(text string, e wire.Edit) (replacement, error) {
	whole := e.Range == (wire.Range{Path: e.Range.Path})
	if whole && text != "" {
		return replacement{},
			&Error{e, "it has no range; use Create to write the whole document, or specify a line or bytes"}
	}
	start, end, err := Span(text, e.Range)
	if err != nil {
		return replacement{}, &Error{e, err.Error()}
	}
	return replacement{start: outOfCRLF(text, start), end: outOfCRLF(text, end), edit: e}, nil
}

// outOfCRLF moves an offset between CR and LF to before both, because an author who searches for the end of a line
// finds the line feed.
func outOfCRLF(text string, at int) int {
	if at > 0 && at < len(text) && text[at-1] == '\r' && text[at] == '\n' {
		return at - 1
	}
	return at
}

func splice(text string, list []replacement) (string, error) {
	var b strings.Builder
	at := 0
	for i, r := range list {
		if i > 0 && touches(list[i-1], r) {
			return "", &Conflict{list[i-1].edit, r.edit, "both change the same place"}
		}
		b.WriteString(text[at:r.start])
		b.WriteString(r.text)
		at = r.end
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

// touches reports whether two replacements, in order, share a byte or insert at the same offset.
func touches(a, b replacement) bool {
	if a.start == a.end && b.start == b.end {
		return a.start == b.start
	}
	return b.start < a.end
}

// lineEnding returns the most common line ending.
func lineEnding(text string) string {
	crlf := strings.Count(text, "\r\n")
	if 2*crlf > strings.Count(text, "\n") {
		return "\r\n"
	}
	return "\n"
}

func withEnding(text, ending string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if ending == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", ending)
}

// equalData reports whether two files have the same content.
func equalData(a, b File) bool { return a.Unread == b.Unread && bytes.Equal(a.Data, b.Data) }

// EndLines returns a text of the same length in which every line ends in a line feed. In Markdown, a carriage
// return alone ends a line, so code that splits a text at line feeds would miss lines.
func EndLines(text string) string {
	for i := 0; ; {
		at := strings.IndexByte(text[i:], '\r')
		if at < 0 {
			return text
		}
		if i += at + 1; i == len(text) || text[i] != '\n' {
			break
		}
	}
	bytes := []byte(text)
	for i, c := range bytes {
		if c == '\r' && (i+1 == len(bytes) || bytes[i+1] != '\n') {
			bytes[i] = '\n'
		}
	}
	return string(bytes)
}
