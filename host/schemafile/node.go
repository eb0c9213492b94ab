package schemafile

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// A Position is a position in a file. Both numbers are 1-based; columns count characters.
type Position struct{ Line, Column int }

// An Error describes a problem in a file, with its position.
type Error struct {
	Name    string
	At      Position
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.At.Line, e.At.Column, e.Message)
}

// Usage returns true: the file is wrong rather than the repository or the host.
func (e *Error) Usage() bool { return true }

// PositionOf returns a node's position.
func PositionOf(n *yaml.Node) Position { return Position{max(n.Line, 1), max(n.Column, 1)} }

// Pairs calls do with each key and value of a mapping. It does nothing for nil and other nodes.
func Pairs(n *yaml.Node, do func(key, value *yaml.Node)) {
	for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		do(n.Content[i], n.Content[i+1])
	}
}

// Around returns the node at an RFC 6901 pointer, or the nearest node that encloses it.
func Around(n *yaml.Node, pointer string) *yaml.Node {
	tokens, err := jsondoc.Tokens(pointer)
	if err != nil {
		return n
	}
	for _, token := range tokens {
		_, next := yamldoc.Member(n, token)
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// JSON encodes a node of a file that Read accepts as JSON, with the fields of objects sorted by name.
func JSON(n *yaml.Node) (string, error) {
	var v any
	if err := n.Decode(&v); err != nil {
		return "", err
	}
	text, err := json.Marshal(v)
	return string(text), err
}

// maxShown limits what messages quote, in bytes.
const maxShown = 60

// Clipped shortens a text for a message.
func Clipped(s string) string { return snapshot.Clip(s, maxShown) }

// shown describes a node for a message.
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
		return fmt.Sprintf("%q", Clipped(n.Value))
	}
	return Clipped(n.Value)
}

// position returns the position of a byte or of the end of the text. Line breaks are those of YAML: LF, CR, or both.
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
