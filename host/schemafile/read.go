// Package schemafile reads a small file that people write, in YAML or JSON, and validates it against its JSON Schema.
//
// The file may come with a pull request, so it may be hostile. Its size and depth are limited, and a YAML file must
// be a single document without aliases, merge keys and tags. Every error includes line, column, the value found, the
// expected value and the fix.
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
	MaxSize int    // in bytes
	Example string // a first line, for users who wrote something else; "" if there is none
	Cure    string // appended to every message
}

const (
	// maxDepth limits nested lists and mappings. A configuration needs few; a plugin's options may need more.
	maxDepth = 32
	// maxNodes limits keys, values and lists in YAML, because reporting errors in 100,000 values took seconds.
	maxNodes = 10_000
)

// YAML decodes a file into a struct with a field for every property in the schema. root is the file's mapping, or nil
// if the file is empty. It omits top-level keys without a value, such as a list whose entries are all commented out.
// The error joins values of type *Error, unless schema and struct disagree.
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

// declares reports whether a file may have a top-level key.
func (f *Format) declares(key string) bool {
	var schema struct{ Properties map[string]json.RawMessage }
	_ = json.Unmarshal([]byte(f.Schema), &schema) // check reports an invalid schema
	return schema.Properties[key] != nil
}

// JSON does what YAML does, for a JSON file.
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

// asYAML returns the nodes of a JSON file, or nil if it contains something that YAML lacks, such as escaped
// surrogates.
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

// decoded adds a position to a decoding error.
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

// encoding rejects input that is not text of a reasonable size, and unusual line breaks.
func (r *reader) encoding(breaks string, place func(int) Position) error {
	if n := len(r.text); n > r.MaxSize {
		return r.errorAt(Position{1, 1}, "%s has %d bytes, expected at most %d", r.What, n, r.MaxSize)
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

// document parses the only document. It returns nil if there is none.
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

const jsonComment = "found a JSON comment, expected a YAML comment: begin it with #"

// jsonComments matches the start of a JSON comment in places where it cannot be part of a YAML value.
var jsonComments = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)(^|[,{\["])[ \t]*(//|/\*)`)
})

// tabIndent matches the start of a line that is indented with a tab.
var tabIndent = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^ *\t`) })

// malformed reports where the library stopped. The library's messages have no columns, and their lines refer to the
// start of the value that it was reading. If it gets one byte at a time, it reads only a few bytes more than it
// needs.
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
	from := strings.LastIndexByte(r.text[:max(len(text)-last, 0)], '\n') + 1
	if at := tabIndent().FindStringIndex(r.text[from:]); at != nil && strings.Contains(means, "a tab") {
		return r.errorAt(position(r.text, from+at[1]-1), "found a tab in the indentation, expected spaces")
	}
	return r.errorAt(position(r.text, len(text)-last), "invalid YAML here or on the line before: %s", means)
}

type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 1)]) }

// inspect rejects YAML features that are not allowed in a configuration. It keeps the first error.
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

// unwanted returns the error for a node that is not allowed in a configuration, or "" if n is allowed.
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
	case n.Tag == "!!timestamp": // a date stays a string
		n.Tag = "!!str"
	case n.Tag == "!!float":
		var f float64
		if err := n.Decode(&f); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return "found " + shown(n) + ", expected a finite number"
		}
	}
	return ""
}

// keys rejects keys that are not strings, and duplicate keys.
func (r *reader) keys(n *yaml.Node) {
	first := map[string]int{}
	Pairs(n, func(key, _ *yaml.Node) {
		line, twice := first[key.Value]
		switch {
		case r.err != nil || key.Kind == yaml.AliasNode || key.Tag == "!!merge": // inspect reports the error
		case key.Kind != yaml.ScalarNode || key.Tag != "!!str":
			r.err = r.errorAt(PositionOf(key), "found %s as a key, expected a string: put it into quotes", shown(key))
		case twice:
			r.err = r.repeated(PositionOf(key), key.Value, line)
		}
		first[key.Value] = key.Line
	})
}

func (r *reader) repeated(at Position, key string, line int) error {
	return r.errorAt(at, "found %s twice, expected once: it is already on line %d", Clipped(key), line)
}
