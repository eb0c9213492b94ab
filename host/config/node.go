package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/sdk/jsondoc"
)

// plain returns what a JSON Schema judges: maps, lists, strings, numbers, booleans.
func plain(n *yaml.Node) (any, *problem) {
	switch n.Kind {
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, p := plain(n.Content[i+1])
			if p != nil {
				return nil, p
			}
			m[n.Content[i].Value] = v
		}
		return m, nil
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, child := range n.Content {
			v, p := plain(child)
			if p != nil {
				return nil, p
			}
			list = append(list, v)
		}
		return list, nil
	}
	return scalar(n)
}

// A problem is something wrong with a node.
type problem struct {
	node    *yaml.Node
	message string
}

// scalar resolves a value as YAML does; a date stays the text that it is.
func scalar(n *yaml.Node) (any, *problem) {
	switch n.Tag {
	case "!!null":
		return nil, nil
	case "!!bool", "!!int", "!!float":
	default:
		return n.Value, nil
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return nil, &problem{n, fmt.Sprintf("%s is not a readable value: %v", shown(n), err)}
	}
	switch x := v.(type) {
	case float64:
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return nil, &problem{n, "found " + shown(n) + ", expected a finite number"}
		}
		return x, nil
	case bool:
		return x, nil
	}
	return json.Number(fmt.Sprint(v)), nil
}

// jsonOf writes a node as JSON, members in their order.
func jsonOf(n *yaml.Node) string {
	var b bytes.Buffer
	writeJSON(&b, n)
	return b.String()
}

func writeJSON(b *bytes.Buffer, n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(jsondoc.Quote(n.Content[i].Value))
			b.WriteByte(':')
			writeJSON(b, n.Content[i+1])
		}
		b.WriteByte('}')
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, child := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSON(b, child)
		}
		b.WriteByte(']')
	default:
		v, _ := scalar(n)
		text, _ := json.Marshal(v)
		if s, ok := v.(string); ok {
			text = []byte(jsondoc.Quote(s))
		}
		b.Write(text)
	}
}

// member returns the key and the value of a mapping's member, nil if it has none.
func member(n *yaml.Node, name string) (key, value *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// around returns what lies at a pointer, or as near to it as there is something.
func around(n *yaml.Node, pointer string) *yaml.Node {
	tokens, err := jsondoc.Tokens(pointer)
	if err != nil {
		return n
	}
	for _, token := range tokens {
		var next *yaml.Node
		if n.Kind == yaml.SequenceNode {
			if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Content) {
				next = n.Content[i]
			}
		} else {
			_, next = member(n, token)
		}
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
		list := around(root, jsondoc.Pointer(tokens[:i]...)).Kind == yaml.SequenceNode
		switch {
		case list:
			b.WriteString("[" + token + "]")
		case i > 0:
			b.WriteString("." + clipped(token))
		default:
			b.WriteString(clipped(token))
		}
	}
	return b.String()
}
