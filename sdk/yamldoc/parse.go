//go:build !wasip1

package yamldoc

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/sdk/jsondoc"
)

// maxValues returns the maximum number of values and keys in a text. Values that aliases expand to count each time.
func maxValues(text string) int { return 10_000 + 2*len(text) }

// A Document is a parsed text.
type Document struct {
	// JSON is the equivalent JSON. Each value begins on its line in the YAML text, unless the document's lines end
	// earlier; the value of an alias is on the alias's line.
	JSON string

	text  string
	root  *yaml.Node     // nil if the document contains only comments
	lines []int          // offsets of the lines that YAML counts
	marks []int          // see the function marks
	feeds *jsondoc.Lines // the lines that editors count, which end only at line feeds
}

// An Error describes a fault in a text.
type Error struct {
	Kind    string // syntax, duplicate-key, documents, key, depth, alias
	Pointer string // of the value, or of the duplicate key; "" for the document
	Message string // found, expected and the fix
	Start   int    // half-open byte range; both 0 if the location is unknown
	End     int
}

func (e *Error) Error() string { return e.Message }

// Parse parses a text, which must be UTF-8 without a byte-order mark. An error is an *Error. Time and memory are
// linear in the length of the text.
func Parse(text string) (*Document, error) {
	d := &Document{text: text, lines: lineStarts(text), marks: marks(text), feeds: jsondoc.NewLines(text)}
	if err := d.read(); err != nil {
		return nil, err
	}
	w := &writer{doc: d, line: 1, most: maxValues(text)}
	if d.root == nil {
		d.JSON = "null"
		return d, nil
	}
	if err := w.value(d.root, "", 0, 0); err != nil {
		return nil, err
	}
	d.JSON = w.out.String()
	return d, nil
}

// The library drops the first character of a line after a byte-order mark that is not at the start of the text.
// Before parsing, such a mark is replaced by a character of the same length that does not occur in the text.
const (
	mark    = "\ufeff"
	standIn = "\ufdd0"
)

func restore(n *yaml.Node) {
	n.Value = strings.ReplaceAll(n.Value, standIn, mark)
	for _, c := range n.Content {
		restore(c)
	}
}

// read parses the text into nodes.
func (d *Document) read() error {
	decoder := yaml.NewDecoder(strings.NewReader(strings.ReplaceAll(d.text, mark, standIn)))
	for {
		var n yaml.Node
		err := Decode(decoder, &n)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return d.syntax(err)
		case len(n.Content) == 0 || n.Content[0].Kind == yaml.ScalarNode && n.Content[0].Value == "" &&
			n.Content[0].Style == 0:
		case d.root != nil:
			start, _ := d.span(n.Content[0])
			return &Error{Kind: "documents", Message: "the file holds more than one YAML document, expected one; " +
				"keep one and remove the --- line between them", Start: start, End: start}
		default:
			d.root = n.Content[0]
			if strings.Contains(d.text, mark) {
				restore(d.root)
			}
		}
	}
}

// Decode decodes the next document. It turns a panic in the library into an error.
func Decode(d *yaml.Decoder, into any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	return d.Decode(into)
}

// lazy compiles a regular expression on first use.
func lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

var atLine = lazy(`^line (\d+): `)

// A writer converts nodes to JSON.
type writer struct {
	doc    *Document
	out    strings.Builder
	line   int          // the line of the text that out has reached
	values int          // number written
	most   int          // limit of values
	within []*yaml.Node // the anchors around the value
}

func (w *writer) fail(n *yaml.Node, kind, pointer, message string) error {
	start, end := w.doc.span(n)
	return &Error{Kind: kind, Pointer: pointer, Message: message, Start: start, End: end}
}

func (w *writer) tooMany(n *yaml.Node, pointer string) error {
	return w.fail(n, "alias", pointer, fmt.Sprintf("the document has more than %d values after its aliases are "+
		"expanded; use fewer aliases", w.most))
}

// advance writes line breaks up to the line of a node. If the node belongs to an earlier line, it stays on
// the current line.
func (w *writer) advance(n *yaml.Node) {
	for line, _ := w.doc.feeds.Position(w.doc.at(n.Line, n.Column)); w.line < line; w.line++ {
		w.out.WriteByte('\n')
	}
}

// value writes a node. Inside an alias's value, line is the line of the alias; otherwise it is 0.
func (w *writer) value(n *yaml.Node, pointer string, depth, line int) error {
	if w.values++; w.values > w.most {
		return w.tooMany(n, pointer)
	}
	if depth > jsondoc.DefaultDepth {
		return w.fail(n, "depth", pointer, fmt.Sprintf("lists and mappings are nested deeper than %d; make them "+
			"flatter", jsondoc.DefaultDepth))
	}
	if line == 0 {
		w.advance(n)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return w.alias(n, pointer, depth, line)
	case yaml.SequenceNode:
		w.out.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				w.out.WriteByte(',')
			}
			if err := w.value(item, pointer+"/"+strconv.Itoa(i), depth+1, line); err != nil {
				return err
			}
		}
		w.out.WriteByte(']')
	case yaml.MappingNode:
		return w.mapping(n, pointer, depth, line)
	default:
		w.out.WriteString(scalar(n))
	}
	return nil
}

func (w *writer) alias(n *yaml.Node, pointer string, depth, line int) error {
	if slices.Contains(w.within, n.Alias) {
		return w.fail(n, "alias", pointer, "the alias *"+n.Value+
			" is inside the value that it refers to; write the value itself")
	}
	w.within = append(w.within, n.Alias)
	defer func() { w.within = w.within[:len(w.within)-1] }()
	return w.value(n.Alias, pointer, depth, max(line, n.Line))
}

func (w *writer) mapping(n *yaml.Node, pointer string, depth, line int) error {
	members, err := w.members(n, pointer, line)
	if err != nil {
		return err
	}
	w.out.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			w.out.WriteByte(',')
		}
		if w.values++; m.line == 0 {
			w.advance(m.key)
		}
		w.out.WriteString(jsondoc.Quote(m.key.Value) + ":")
		if err := w.value(m.value, pointer+"/"+jsondoc.EscapeToken(m.key.Value), depth+1, m.line); err != nil {
			return err
		}
	}
	w.out.WriteByte('}')
	return nil
}

// A member is a member of a mapping. line is the line of the merge key that the member comes from, or 0 if
// the mapping itself contains the member.
type member struct {
	key, value *yaml.Node
	line       int
}

const mergeTag = "!!merge"

// members lists the members that a mapping itself contains, followed by merged members that it does
// not override.
func (w *writer) members(n *yaml.Node, pointer string, line int) ([]member, error) {
	var list, merged []member
	own := make(map[string]*yaml.Node, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.AliasNode && key.Alias.Kind == yaml.ScalarNode {
			stands := *key.Alias
			stands.Line, stands.Column = key.Line, key.Column
			key = &stands
		}
		if key.Kind != yaml.ScalarNode {
			return nil, w.fail(key, "key", pointer, "a key is a list or a mapping, expected a string; write it as one")
		}
		if key.ShortTag() == mergeTag {
			more, err := w.merged(value, pointer, max(line, key.Line))
			if err != nil {
				return nil, err
			}
			merged = append(merged, more...)
			continue
		}
		if first := own[key.Value]; first != nil {
			return nil, w.fail(key, "duplicate-key", pointer+"/"+jsondoc.EscapeToken(key.Value),
				fmt.Sprintf("the key %s is duplicated in a mapping, first on line %d; readers disagree on which "+
					"counts, so keep one", jsondoc.Quote(key.Value), first.Line))
		}
		own[key.Value] = key
		list = append(list, member{key, value, line})
	}
	for _, m := range merged {
		if own[m.key.Value] == nil {
			own[m.key.Value] = m.key
			list = append(list, m)
		}
	}
	return list, nil
}

// merged lists the mappings of a merge key. If there are several, the first one takes precedence.
func (w *writer) merged(n *yaml.Node, pointer string, line int) ([]member, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if w.values += len(n.Content); w.values > w.most {
		return nil, w.tooMany(n, pointer)
	}
	switch n.Kind {
	case yaml.MappingNode:
		if slices.Contains(w.within, n) {
			return nil, w.fail(n, "alias", pointer, "a mapping is merged into itself; write its members instead")
		}
		w.within = append(w.within, n)
		defer func() { w.within = w.within[:len(w.within)-1] }()
		return w.members(n, pointer, line)
	case yaml.SequenceNode:
		var list []member
		for _, item := range n.Content {
			if item.Kind == yaml.SequenceNode || item.Kind == yaml.AliasNode && item.Alias.Kind == yaml.SequenceNode {
				break
			}
			more, err := w.merged(item, pointer, line)
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
		return list, nil
	}
	return nil,
		w.fail(n, "key", pointer, "the merge key << needs a mapping or a list of mappings; write the members "+
			"themselves")
}

var (
	isNull   = lazy(`^(|~|null|Null|NULL)$`)
	isBool   = lazy(`^(true|True|TRUE|false|False|FALSE)$`)
	isHex    = lazy(`^0x[0-9a-fA-F]+$|^0o[0-7]+$`)
	leading0 = lazy(`^[-+]?0[0-9]`)
	// sign, integer part, optional fraction, exponent
	isNumber = lazy(`^([-+]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))([eE][-+]?[0-9]+)?$`)
)

// scalar returns a scalar as JSON.
func scalar(n *yaml.Node) string {
	v := n.Value
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	switch {
	case n.Style&(quoted|yaml.TaggedStyle) != 0, leading0().MatchString(v):
		return jsondoc.Quote(v)
	case isNull().MatchString(v):
		return "null"
	case isBool().MatchString(v):
		return strings.ToLower(v)
	case isHex().MatchString(v):
		n, _ := new(big.Int).SetString(v, 0)
		return n.String()
	}
	m := isNumber().FindStringSubmatch(v)
	if m == nil {
		return jsondoc.Quote(v)
	}
	number := strings.TrimPrefix(m[1], "+") + cmp.Or(m[2], "0")
	if fraction := m[3] + m[4]; fraction != "" {
		number += "." + fraction
	}
	return number + m[5]
}
