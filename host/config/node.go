package config

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/yamledit"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// jsonOf writes a node as JSON, members in their order. The error is an *unreadable.
func jsonOf(n *yaml.Node) (string, error) {
	var b strings.Builder
	err := writeJSON(&b, n)
	return b.String(), err
}

func writeJSON(b *strings.Builder, n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		text, err := scalar(n)
		b.WriteString(text)
		return err
	}
	mapping, brackets := n.Kind == yaml.MappingNode, "[]"
	if mapping {
		brackets = "{}"
	}
	b.WriteByte(brackets[0])
	for i, child := range n.Content {
		isKey := mapping && i%2 == 0
		switch {
		case mapping && !isKey:
			b.WriteByte(':')
		case i > 0:
			b.WriteByte(',')
		}
		if isKey {
			b.WriteString(jsondoc.Quote(child.Value))
		} else if err := writeJSON(b, child); err != nil {
			return err
		}
	}
	b.WriteByte(brackets[1])
	return nil
}

// An unreadable is a value that JSON cannot express.
type unreadable struct {
	at      Position
	message string
}

func (u *unreadable) Error() string { return u.message }

// scalar resolves a value as YAML does, and writes it as JSON; a date stays the text that it is.
func scalar(n *yaml.Node) (string, error) {
	switch n.Tag {
	case "!!null":
		return "null", nil
	case "!!bool", "!!int", "!!float":
	default:
		return jsondoc.Quote(n.Value), nil
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return "", &unreadable{positionOf(n), fmt.Sprintf("%s is not a readable value: %v", shown(n), err)}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "", &unreadable{positionOf(n), "found " + shown(n) + ", expected a finite number"}
	}
	return string(text), nil
}

// around returns the node at a pointer, or the nearest one around it.
func around(n *yaml.Node, pointer string) *yaml.Node {
	tokens, err := jsondoc.Tokens(pointer)
	if err != nil {
		return n
	}
	for _, token := range tokens {
		_, next := yamledit.Member(n, token)
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// named writes a pointer as a reader would: ignore[1].until.
func named(root *yaml.Node, pointer string) string {
	tokens, err := jsondoc.Tokens(pointer)
	if err != nil || len(tokens) == 0 {
		return "the configuration"
	}
	var b strings.Builder
	for i, token := range tokens {
		if around(root, jsondoc.Pointer(tokens[:i]...)).Kind == yaml.SequenceNode {
			b.WriteString("[" + token + "]")
		} else {
			b.WriteString("." + clipped(token))
		}
	}
	return b.String()[1:]
}
