package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/yamledit"
)

// maxDepth bounds lists and mappings inside each other: a configuration needs
// few, the options of a plugin perhaps more.
const maxDepth = 32

// maxNodes bounds keys, values and lists: to say what is wrong with 100,000 values
// took seconds.
const maxNodes = 10_000

// read returns the one mapping that the file holds, nil if it is empty.
func read(name string, data []byte) (*yaml.Node, error) {
	r := &reader{name: name, text: string(data)}
	if err := r.encoding(); err != nil {
		return nil, err
	}
	doc, err := r.document(data)
	if err != nil || doc == nil {
		return nil, err
	}
	r.inspect(doc, 0)
	if r.err != nil {
		return nil, r.err
	}
	if doc.Kind == yaml.ScalarNode && doc.Tag == "!!null" {
		return nil, nil
	}
	if doc.Kind != yaml.MappingNode {
		return nil, r.errorAt(positionOf(doc), "the configuration is %s, expected a mapping, such as `fail_on: warning`", shown(doc))
	}
	withoutNulls(doc)
	return doc, nil
}

// withoutNulls takes out top-level keys that have no value, such as a list whose
// entries are all comments.
func withoutNulls(root *yaml.Node) {
	kept := root.Content[:0:0]
	for i := 0; i+1 < len(root.Content); i += 2 {
		if v := root.Content[i+1]; v.Kind != yaml.ScalarNode || v.Tag != "!!null" {
			kept = append(kept, root.Content[i], v)
		}
	}
	root.Content = kept
}

type reader struct {
	name, text string
	nodes      int
	err        error
}

func (r *reader) errorAt(at Position, format string, args ...any) *Error {
	return &Error{r.name, at, fmt.Sprintf(format, args...)}
}

// encoding refuses what is no text of a sensible size.
func (r *reader) encoding() error {
	if n := len(r.text); n > MaxSize {
		return r.errorAt(Position{1, 1}, "the configuration has %d bytes, expected %d at most", n, MaxSize)
	}
	for i, c := range r.text {
		switch {
		case c == utf8.RuneError && !strings.HasPrefix(r.text[i:], "\ufffd"):
			return r.errorAt(position(r.text, i), "found the byte %#02x, expected UTF-8: save the file in this encoding", r.text[i])
		case c == '\u0085' || c == '\u2028' || c == '\u2029':
			return r.errorAt(position(r.text, i), "found the line break %U, expected an ordinary one: put it into quotes as \"\\u%04x\", or remove it", c, c)
		}
	}
	return nil
}

// position returns the place of a byte, the end of the text included. Line breaks are
// those of YAML: LF, CR, or both.
func position(text string, offset int) Position {
	at := Position{1, 1}
	for i, c := range text[:min(max(offset, 0), len(text))] {
		switch {
		case i == 0 && c == '\ufeff':
		case c == '\n', c == '\r' && !strings.HasPrefix(text[i+1:], "\n"):
			at = Position{at.Line + 1, 1}
		default:
			at.Column++
		}
	}
	return at
}

func positionOf(n *yaml.Node) Position { return Position{max(n.Line, 1), max(n.Column, 1)} }

// document parses the only document, nil if there is none.
func (r *reader) document(data []byte) (*yaml.Node, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	err := yamledit.Decode(d, &first)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, r.malformed(data, err)
	}
	switch err := yamledit.Decode(d, &second); {
	case err == nil:
		return nil, r.errorAt(positionOf(&second), "found a second document, expected one: remove the `---`")
	case !errors.Is(err, io.EOF):
		return nil, r.malformed(data, err)
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	return first.Content[0], nil
}

// malformed says where the library stopped: its own messages have no columns, and
// their lines are those of what it began to read. Given a byte at a time, it asks for
// few more than it needs.
func (r *reader) malformed(data []byte, err error) error {
	counted := &counter{r: bytes.NewReader(data)}
	d := yaml.NewDecoder(counted)
	for range 2 {
		var n yaml.Node
		if yamledit.Decode(d, &n) != nil {
			break
		}
	}
	text := strings.TrimRight(r.text[:min(counted.n, len(r.text))], " \t\r\n")
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		if _, problem, ok := strings.Cut(rest, ": "); ok {
			message = problem
		}
	}
	_, last := utf8.DecodeLastRuneInString(text)
	return r.errorAt(position(r.text, len(text)-last), "invalid YAML (%s): check indentation, quotes and brackets here and on the line before", message)
}

// counter returns a byte at a time and counts them.
type counter struct {
	r io.Reader
	n int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p[:min(len(p), 1)])
	c.n += n
	return n, err
}

// inspect refuses what has no place in a configuration. It keeps the first error.
func (r *reader) inspect(n *yaml.Node, depth int) {
	if r.err != nil {
		return
	}
	if r.nodes++; r.nodes > maxNodes {
		r.err = r.errorAt(positionOf(n), "found more than %d keys and values, expected fewer: use globs where they are alike", maxNodes)
		return
	}
	if message := strange(n, depth); message != "" {
		r.err = r.errorAt(positionOf(n), "%s", message)
		return
	}
	if n.Kind == yaml.MappingNode {
		r.keys(n)
	}
	for _, child := range n.Content {
		r.inspect(child, depth+1)
	}
}

func strange(n *yaml.Node, depth int) string {
	switch {
	case depth > maxDepth:
		return fmt.Sprintf("found more than %d lists and mappings inside each other, expected fewer", maxDepth)
	case n.Kind == yaml.AliasNode:
		return "found an alias, expected the value itself: write it out"
	case n.Anchor != "":
		return "found an anchor, expected the value alone: aliases are not allowed"
	case n.Style&yaml.TaggedStyle != 0:
		return "found the tag " + clipped(n.Tag) + ", expected the value alone: remove the tag"
	case n.Tag == "!!merge":
		return "found a merge key, expected a name: write out what it stands for, or put << into quotes"
	}
	return ""
}

// keys refuses keys that are no texts, and those that stand twice.
func (r *reader) keys(n *yaml.Node) {
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		line, twice := first[key.Value]
		switch {
		case r.err != nil || key.Kind == yaml.AliasNode || key.Tag == "!!merge":
			return // inspect says what is wrong
		case key.Kind != yaml.ScalarNode || key.Tag != "!!str":
			r.err = r.errorAt(positionOf(key), "found %s as a key, expected a text: put it into quotes", shown(key))
		case twice:
			r.err = r.errorAt(positionOf(key), "found %s twice, expected it once: it is already on line %d", clipped(key.Value), line)
		}
		first[key.Value] = key.Line
	}
}

const maxShown = 60

func clipped(s string) string {
	if len(s) > maxShown {
		return strings.ToValidUTF8(s[:maxShown], "") + "…"
	}
	return s
}

// shown says what a node is, for a message.
func shown(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	case n.Tag == "!!null":
		return "nothing"
	case n.Tag == "!!str":
		return fmt.Sprintf("%q", clipped(n.Value))
	}
	return clipped(n.Value)
}
