//go:build !wasip1

package yamldoc

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/sdk/jsondoc"
)

// lineStarts returns the offsets of the lines. In YAML, lines end at LF, CR, both together, or one of three Unicode
// characters.
func lineStarts(text string) []int {
	list := []int{0}
	for i, r := range text {
		switch r {
		case '\r':
			if strings.HasPrefix(text[i+1:], "\n") {
				continue
			}
		case '\n', '\u0085', '\u2028', '\u2029':
		default:
			continue
		}
		list = append(list, i+utf8.RuneLen(r))
	}
	return list
}

// firstLine returns the first line of a text, including its line feed.
func firstLine(text string) string {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return text
}

// Offset returns the byte offset of a line and column in the library's terms: both count from 1, columns count
// characters, and a leading byte-order mark does not count.
func Offset(text string, line, column int) int {
	if line == 1 && strings.HasPrefix(text, mark) {
		column++
	}
	return (&Document{text: text, lines: lineStarts(text), marks: marks(text)}).at(line, column)
}

// at returns the byte offset of a line and column that YAML counts in characters.
func (d *Document) at(line, column int) int {
	if line < 1 || line > len(d.lines) {
		return len(d.text)
	}
	at := d.lines[line-1]
	// On a long line, counting starts at the nearest mark, because counting from the line's start for each
	// value would take quadratic time.
	if first := sort.SearchInts(d.marks, at); column > 2*markEvery && first < len(d.marks) {
		column -= utf8.RuneCountInString(d.text[at:d.marks[first]])
		ahead := min((column-1)/markEvery, len(d.marks)-1-first)
		at, column = d.marks[first+ahead], column-ahead*markEvery
	}
	for ; column > 1 && at < len(d.text); column-- {
		_, n := utf8.DecodeRuneInString(d.text[at:])
		at += n
	}
	return at
}

// markEvery is the number of characters between two of a document's marks.
const markEvery = 256

// marks returns the offset of every markEvery-th character of a text.
func marks(text string) (list []int) {
	n := 0
	for at := range text {
		if n%markEvery == 0 {
			list = append(list, at)
		}
		n++
	}
	return list
}

// column returns one plus the number of characters before a byte on its line.
func (d *Document) column(at int) int {
	from := strings.LastIndexByte(d.text[:at], '\n') + 1
	return len([]rune(d.text[from:at])) + 1
}

// Lookup returns the half-open byte range of the value at a pointer. It returns false if the value does not exist
// or comes from an alias.
func (d *Document) Lookup(pointer string) (start, end int, ok bool) {
	_, value, ok := d.find(pointer)
	if !ok {
		return 0, 0, false
	}
	start, end = d.span(value)
	return start, end, true
}

// Key returns the half-open byte range of the member key at a pointer.
func (d *Document) Key(pointer string) (start, end int, ok bool) {
	key, _, ok := d.find(pointer)
	if !ok || key == nil {
		return 0, 0, false
	}
	start, end = d.span(key)
	return start, end, true
}

// find follows a pointer through values that do not come from an alias. The key is nil for an item and for the
// whole document.
func (d *Document) find(pointer string) (key, value *yaml.Node, ok bool) {
	tokens, err := jsondoc.Tokens(pointer)
	if err != nil || d.root == nil {
		return nil, nil, false
	}
	value = d.root
	for _, token := range tokens {
		if key, value = Member(value, token); value == nil {
			return nil, nil, false
		}
	}
	return key, value, true
}

// Member returns the key and value of a mapping's member, or the list item at an index. It returns nil if there is
// none.
func Member(n *yaml.Node, token string) (key, value *yaml.Node) {
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == token && n.Content[i].ShortTag() != mergeTag {
				return n.Content[i], n.Content[i+1]
			}
		}
	case n.Kind == yaml.SequenceNode:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Content) && strconv.Itoa(i) == token {
			return nil, n.Content[i]
		}
	}
	return nil, nil
}

// span returns the half-open byte range of a node, including its anchor and tag. In block style, a list or mapping
// ends with its last value.
func (d *Document) span(n *yaml.Node) (start, end int) {
	start = d.at(n.Line, n.Column)
	switch {
	case n.Kind == yaml.AliasNode:
		return start, min(start+1+len(n.Value), len(d.text))
	case n.Kind == yaml.ScalarNode:
		return start, d.scalarEnd(n, d.bare(start))
	case n.Style&yaml.FlowStyle != 0:
		return start, d.flowEnd(n, d.bare(start))
	case len(n.Content) == 0:
		return start, start
	}
	if n.Kind == yaml.MappingNode && n.Content[0].Line > 0 { // a mapping with an anchor begins with the anchor
		start = min(start, d.at(n.Content[0].Line, n.Content[0].Column))
	}
	_, end = d.span(n.Content[len(n.Content)-1])
	if n.Kind == yaml.MappingNode {
		_, key := d.span(n.Content[len(n.Content)-2])
		if value := n.Content[len(n.Content)-1]; empty(value) { // include the colon
			end = key + strings.IndexByte(d.text[key:]+":", ':') + 1
		}
	}
	return start, max(start, min(end, len(d.text)))
}

// empty reports whether a value is omitted.
func empty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.Anchor == ""
}

var isProperty = lazy(`^(?:[&!][^\s\v\x{85}\pZ]*(?:[ \t\r\n]|#[^\n]*\n?)*)+`)

// bare returns the offset at which a value begins after its anchor and tag.
func (d *Document) bare(at int) int { return at + len(isProperty().FindString(d.text[at:])) }

var (
	isQuoted  = lazy(`^(?s:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')`)
	toBracket = lazy(`^(?:[^\]}#]|#[^\n]*\n)*[\]}]`)
)

// scalarEnd returns the offset after the scalar that begins at a byte.
func (d *Document) scalarEnd(n *yaml.Node, at int) int {
	rest := d.text[at:]
	switch {
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		return at + len(isQuoted().FindString(rest))
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return at + blockEnd(rest)
	}
	return at + plainEnd(rest, n.Value)
}

// blockEnd returns the length of a literal or folded scalar without its last line break, which includes all lines
// that are indented like the first one.
func blockEnd(text string) int {
	head := firstLine(text)
	end, indent := len(head), -1
	last := len(strings.TrimRight(head, "\r\n"))
	for end < len(text) {
		l := firstLine(text[end:])
		blank := strings.TrimSpace(l) == ""
		by := len(l) - len(strings.TrimLeft(l, " "))
		if indent < 0 && !blank {
			indent = by
		}
		if !blank && (by < indent || indent == 0) {
			break
		}
		end += len(l)
		if !blank {
			last = end - (len(l) - len(strings.TrimRight(l, "\r\n")))
		}
	}
	return last
}

// plainEnd returns the length of a plain scalar, given its value with folded line breaks.
func plainEnd(text, value string) int {
	at := 0
	for i := 0; i < len(value); i++ {
		if value[i] == ' ' || value[i] == '\n' {
			at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
			continue
		}
		if at >= len(text) || text[at] != value[i] {
			return at
		}
		at++
	}
	return at
}

// flowEnd returns the offset after a list or mapping in brackets.
func (d *Document) flowEnd(n *yaml.Node, start int) int {
	at := start + 1
	if len(n.Content) > 0 {
		_, at = d.span(n.Content[len(n.Content)-1])
	}
	return at + len(toBracket().FindString(d.text[at:]))
}
