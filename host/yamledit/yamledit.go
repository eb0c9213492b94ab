// Package yamledit adds to YAML files and leaves everything else in them byte for byte unchanged, including comments.
//
// Every edit is made twice: in the text, and in the tree that was parsed from it. The edited text is parsed again and
// must give the edited tree. Otherwise the file is formatted in a way that this package does not support, and the
// edit is refused.
package yamledit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/sdk/yamldoc"
)

// ErrByHand means that a person has to make the edit.
var ErrByHand = errors.New("its formatting does not allow an automatic addition")

// A File is a parsed YAML file.
type File struct {
	Text []byte
	Root *yaml.Node // the mapping of the last document; nil if the file has no content

	documents []*yaml.Node
}

// Parse parses a file. It ignores documents without content.
func Parse(text []byte) (*File, error) {
	f := &File{Text: text}
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var n yaml.Node
		err := yamldoc.Decode(d, &n)
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err != nil {
			line, why := yamldoc.Explain(err)
			if line > 0 {
				why = fmt.Sprintf("line %d: %s", line, why)
			}
			return nil, errors.New("it is not valid YAML: " + why)
		}
		if len(n.Content) == 0 || n.Content[0].Tag == "!!null" {
			continue
		}
		f.Root = n.Content[0]
		f.documents = append(f.documents, f.Root)
		if f.Root.Kind != yaml.MappingNode {
			return nil, ErrByHand
		}
	}
}

// Add adds an entry to the list or mapping at a path from the root, and creates missing parts of the path. The
// entry is YAML in block style: items or keys with values, one per line. It comes first, right below the key, so
// that every comment stays next to the entry that it describes. New keys at the root come last.
func (f *File) Add(entry string, path ...string) (*File, error) {
	want, err := Parse(f.Text)
	if err != nil {
		return nil, err
	}
	var key *yaml.Node
	into := want.Root
	for i, name := range path {
		k, value := yamldoc.Member(into, name)
		if value == nil {
			for _, missing := range slices.Backward(path[i:]) {
				entry = missing + ":\n" + indent(entry, 2)
			}
			break
		}
		key, into = k, value
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(entry), &doc); err != nil || len(doc.Content) == 0 {
		return nil, ErrByHand
	}
	at, lines := f.place(entry, key, into, into == want.Root)
	if bytes.Contains(f.Text, []byte("\r\n")) {
		lines = strings.ReplaceAll(lines, "\n", "\r\n")
	}
	text := slices.Concat(f.Text[:at], []byte(lines), f.Text[at:])
	add := doc.Content[0]
	switch {
	case into == nil:
		want.documents = append(want.documents, add)
	case isNull(into):
		*into = *add
	case into.Kind != add.Kind:
		return nil, ErrByHand
	case into == want.Root && !isFlow(into):
		into.Content = append(into.Content, add.Content...)
	default:
		into.Content = append(add.Content, into.Content...)
	}
	return want.checked(f.Text, text)
}

// Set replaces the scalar at a path from the root.
func (f *File) Set(value string, path ...string) (*File, error) {
	want, err := Parse(f.Text)
	if err != nil {
		return nil, err
	}
	n := want.Root
	for _, name := range path {
		_, n = yamldoc.Member(n, name)
	}
	if n == nil || n.Kind != yaml.ScalarNode {
		return nil, ErrByHand
	}
	at := f.offset(n.Line, n.Column)
	text := slices.Concat(f.Text[:at], bytes.Replace(f.Text[at:], []byte(n.Value), []byte(value), 1))
	n.Value = value
	return want.checked(f.Text, text)
}

// checked parses an edited text. It rejects a text that does not contain the documents of f. It also rejects a
// text that was JSON before but no longer is.
func (f *File) checked(before, text []byte) (*File, error) {
	got, err := Parse(text)
	if err != nil || !slices.EqualFunc(f.documents, got.documents, equal) || json.Valid(before) && !json.Valid(text) {
		return nil, ErrByHand
	}
	return got, nil
}

// equal compares the content of nodes, not their formatting.
func equal(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.ShortTag() == b.ShortTag() && a.Value == b.Value && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, equal)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func isFlow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

// place returns the position and the text for adding an entry to a container. The container has a key unless it is
// the root or an item.
func (f *File) place(entry string, key, into *yaml.Node, root bool) (at int, lines string) {
	blank := len(bytes.TrimSpace(f.Text)) == 0 || bytes.Equal(f.Text, []byte("\ufeff"))
	switch {
	case into != nil && isFlow(into):
		return f.placeFlow(entry, into)
	case root && blank:
		at, lines = len(f.Text), entry
	case root:
		at, lines = len(f.Text), "\n"+entry
	case key == nil:
		next := "\n" + strings.Repeat(" ", into.Column-1)
		return f.offset(into.Line, into.Column),
			strings.ReplaceAll(strings.TrimSuffix(entry, "\n"), "\n", next) + next
	case isNull(into):
		at, lines = f.offset(key.Line+1, 1), indent(entry, key.Column+1)
	default:
		at, lines = f.offset(key.Line+1, 1), indent(entry, into.Column-1)
	}
	if before := f.Text[:at]; at > 0 && before[at-1] != '\n' && !bytes.Equal(before, []byte("\ufeff")) {
		lines = "\n" + lines
	}
	return at, lines
}

// placeFlow does what place does, for a container in brackets. The new entry precedes the first one. It gets its own
// line if the first entry has one.
func (f *File) placeFlow(entry string, into *yaml.Node) (at int, line string) {
	line = Flow(entry, isFlow(f.Root))
	line = line[1 : len(line)-1]
	if len(into.Content) == 0 {
		return f.offset(into.Line, into.Column) + 1, line
	}
	first := into.Content[0]
	at = f.offset(first.Line, first.Column)
	if indent := string(f.Text[f.offset(first.Line, 1):at]); strings.TrimSpace(indent) == "" {
		return at, line + ",\n" + indent
	}
	return at, line + ", "
}

// Flow formats YAML on one line, in brackets. If quoted is true, the result is JSON.
func Flow(text string, quoted bool) string {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
		return "{}"
	}
	setFlow(doc.Content[0], quoted)
	line, err := yaml.Marshal(doc.Content[0])
	if err != nil {
		return "{}"
	}
	return strings.TrimSuffix(string(line), "\n")
}

func setFlow(n *yaml.Node, quoted bool) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	switch {
	case n.Kind != yaml.ScalarNode:
		n.Style = yaml.FlowStyle
	case n.Tag == "!!str" && (quoted || strings.Contains(n.Value, "\n")):
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		setFlow(child, quoted)
	}
}

// offset returns the index of the byte at a line and column.
func (f *File) offset(line, column int) int { return yamldoc.Offset(string(f.Text), line, column) }

func indent(lines string, by int) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		b.WriteString(strings.Repeat(" ", max(by, 0)) + line)
	}
	return b.String()
}
