// Package schemafile reads a small file that people write, YAML or JSON, against its JSON Schema.
//
// The file may come with a pull request, so it is hostile: its size and depth are bounded, and a YAML file is one
// document without aliases, merge keys and tags. Every error names line, column, the value found, the value expected
// and the fix.
package schemafile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// A Format is one kind of file.
type Format struct {
	What    string // the file, in messages, such as "the configuration"
	Schema  string // text of a JSON Schema
	MaxSize int    // bytes
	Example string // a first line, for who wrote something else; "" for none
	Cure    string // ends every message
}

const (
	// maxDepth bounds lists and mappings inside each other: a configuration needs few, the options of a plugin perhaps
	// more.
	maxDepth = 32
	// maxNodes bounds keys, values and lists in YAML: to say what is wrong with 100,000 values took seconds.
	maxNodes = 10_000
)

// YAML decodes a file into a struct that has a field for every member of the schema. root is its mapping, nil if the
// file is empty; its top-level keys without a value, such as a list whose entries are all comments, are left out. The
// error is an *Error or *Errors, unless schema and struct disagree.
func (f *Format) YAML(name string, data []byte, into any) (root *yaml.Node, err error) {
	r := &reader{Format: f, name: name, text: string(data)}
	if err := r.encoding("\u0085\u2028\u2029", func(at int) Position { return position(r.text, at) }); err != nil {
		return nil, err
	}
	root, err = r.document(data)
	if err != nil || root == nil {
		return nil, err
	}
	if r.inspect(root, 0); r.err != nil {
		return nil, r.err
	}
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	if root.Kind == yaml.MappingNode {
		kept := root.Content[:0:0]
		Pairs(root, func(key, value *yaml.Node) {
			if value.Tag != "!!null" || !r.declares(key.Value) {
				kept = append(kept, key, value)
			}
		})
		root.Content = kept
	}
	var value any
	if err := root.Decode(&value); err != nil {
		return nil, r.decoded(err)
	}
	if err := r.check(value, func() *yaml.Node { return root }); err != nil {
		return nil, err
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	return root, r.decoded(yamldoc.Decode(d, into))
}

// declares reports whether a file may have a key at its top.
func (f *Format) declares(key string) bool {
	var schema struct{ Properties map[string]json.RawMessage }
	_ = json.Unmarshal([]byte(f.Schema), &schema) // check reports an invalid one
	return schema.Properties[key] != nil
}

// JSON is YAML for a file in JSON.
func (f *Format) JSON(name string, data []byte, into any) error {
	r := &reader{Format: f, name: name, text: strings.TrimPrefix(string(data), "\ufeff")}
	lines := jsondoc.NewLines(r.text)
	place := func(offset int) Position {
		line, column := lines.Position(offset)
		offset = min(max(offset, 0), len(r.text))
		return Position{line, utf8.RuneCountInString(r.text[max(0, offset-column+1):offset]) + 1}
	}
	if err := r.encoding("", place); err != nil {
		return err
	}
	doc, err := jsondoc.Parse(r.text)
	var syntax *jsondoc.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return r.errorAt(place(syntax.Offset), "%s is not JSON: %s", f.What, syntax.Message)
	case err != nil:
		return r.errorAt(Position{1, 1}, "%s is not JSON: %v", f.What, err)
	}
	for _, twice := range doc.Root().Duplicates() {
		line, _ := lines.Position(twice.Members[0].KeyStart)
		return r.repeated(place(twice.Members[1].KeyStart), twice.Key, line)
	}
	var value any
	if err := json.Unmarshal([]byte(r.text), &value); err != nil {
		return r.decoded(err)
	}
	if err := r.check(value, r.asYAML); err != nil {
		return err
	}
	d := json.NewDecoder(strings.NewReader(r.text))
	d.DisallowUnknownFields()
	return r.decoded(d.Decode(into))
}

// asYAML returns the nodes of a file in JSON, nil if it has what YAML does not, such as escaped surrogates.
func (r *reader) asYAML() *yaml.Node {
	var document yaml.Node
	if err := yamldoc.Decode(yaml.NewDecoder(strings.NewReader(r.text)), &document); err != nil {
		return nil
	}
	return document.Content[0]
}

type reader struct {
	*Format
	name, text string
	nodes      int
	err        error
}

func (r *reader) errorAt(at Position, format string, args ...any) *Error {
	return &Error{r.name, at, fmt.Sprintf(format, args...) + r.Cure}
}

// decoded gives what a type refused a place.
func (r *reader) decoded(err error) error {
	var placed *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &placed):
		return r.errorAt(placed.At, "%s", placed.Message)
	}
	return r.errorAt(Position{1, 1}, "%s cannot be decoded: %v", r.What, err)
}

// encoding refuses what is no text of a sensible size, and strange line breaks.
func (r *reader) encoding(breaks string, place func(int) Position) error {
	if n := len(r.text); n > r.MaxSize {
		return r.errorAt(Position{1, 1}, "%s has %d bytes, expected %d at most", r.What, n, r.MaxSize)
	}
	for i, c := range r.text {
		switch {
		case c == utf8.RuneError && !strings.HasPrefix(r.text[i:], "\ufffd"):
			return r.errorAt(place(i), "found the byte %#02x, expected UTF-8: save the file in this encoding",
				r.text[i])
		case c == '\ufeff' && i > 0 && breaks != "":
			return r.errorAt(place(i), "found a byte order mark within the text, expected one at most, at its "+
				"start: remove it")
		case c > 0x7f && strings.ContainsRune(breaks, c):
			return r.errorAt(place(i), "found the line break %U, expected an ordinary one: put it into quotes as "+
				"\"\\u%04x\", or remove it", c, c)
		}
	}
	return nil
}

// document parses the only document, nil if there is none.
func (r *reader) document(data []byte) (*yaml.Node, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	err := yamldoc.Decode(d, &first)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, r.malformed(data, err)
	}
	switch err := yamldoc.Decode(d, &second); {
	case err == nil:
		return nil, r.errorAt(PositionOf(&second), "found a second document, expected one: remove the `---`")
	case !errors.Is(err, io.EOF):
		return nil, r.malformed(data, err)
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	return first.Content[0], nil
}

const jsonComment = "found a comment of JSON, expected one of YAML: begin it with #"

// jsonComments matches up to the start of a comment of JSON where YAML has no value.
var jsonComments = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)(^|[,{\["])[ \t]*(//|/\*)`)
})

// malformed says where the library stopped: its own messages have no columns, and their lines are those of what it
// began to read. Given a byte at a time, it asks for few more than it needs.
func (r *reader) malformed(data []byte, err error) error {
	unread := bytes.NewReader(data)
	d := yaml.NewDecoder(oneByte{unread})
	for range 2 {
		var n yaml.Node
		if yamldoc.Decode(d, &n) != nil {
			break
		}
	}
	text := strings.TrimRight(r.text[:len(data)-unread.Len()], " \t\r\n")
	_, last := utf8.DecodeLastRuneInString(text)
	if at := jsonComments().FindStringIndex(r.text); at != nil && r.Example != "" {
		return r.errorAt(position(r.text, at[1]-2), jsonComment)
	}
	_, means := yamldoc.Explain(err)
	return r.errorAt(position(r.text, len(text)-last), "invalid YAML here or on the line before: %s", means)
}

// oneByte reads a byte at a time.
type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 1)]) }

// inspect refuses what has no place in a configuration. It keeps the first error.
func (r *reader) inspect(n *yaml.Node, depth int) {
	if r.err != nil {
		return
	}
	if r.nodes++; r.nodes > maxNodes {
		r.err = r.errorAt(PositionOf(n), "found more than %d keys and values, expected fewer: use globs where they "+
			"are alike", maxNodes)
		return
	}
	if message := unwanted(n, depth); message != "" {
		r.err = r.errorAt(PositionOf(n), "%s", message)
		return
	}
	r.keys(n)
	for _, child := range n.Content {
		r.inspect(child, depth+1)
	}
}

// unwanted says what has no place in a configuration, "" if n has.
func unwanted(n *yaml.Node, depth int) string {
	switch {
	case depth > maxDepth:
		return fmt.Sprintf("found more than %d lists and mappings inside each other, expected fewer", maxDepth)
	case n.Kind == yaml.AliasNode:
		return "found an alias, expected the value itself: write it out"
	case n.Anchor != "":
		return "found an anchor, expected the value alone: aliases are not allowed"
	case n.Style&yaml.TaggedStyle != 0:
		return "found the tag " + Clipped(n.Tag) + ", expected the value alone: remove the tag"
	case n.Tag == "!!merge":
		return "found a merge key, expected a name: write out what it stands for, or put << into quotes"
	case n.Tag == "!!timestamp": // a date stays the text that it is
		n.Tag = "!!str"
	case n.Tag == "!!float":
		var f float64
		if err := n.Decode(&f); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return "found " + shown(n) + ", expected a finite number"
		}
	}
	return ""
}

// keys refuses keys that are not strings, and duplicate keys.
func (r *reader) keys(n *yaml.Node) {
	first := map[string]int{}
	Pairs(n, func(key, _ *yaml.Node) {
		line, twice := first[key.Value]
		switch {
		case r.err != nil || key.Kind == yaml.AliasNode || key.Tag == "!!merge": // inspect says what is wrong
		case key.Kind != yaml.ScalarNode || key.Tag != "!!str":
			r.err = r.errorAt(PositionOf(key), "found %s as a key, expected a string: put it into quotes", shown(key))
		case twice:
			r.err = r.repeated(PositionOf(key), key.Value, line)
		}
		first[key.Value] = key.Line
	})
}

func (r *reader) repeated(at Position, key string, line int) error {
	return r.errorAt(at, "found %s twice, expected it once: it is already on line %d", Clipped(key), line)
}
