package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// errByHand says that a YAML file is written in a way that a text cannot be put
// into without disturbing it.
var errByHand = errors.New("it is not written with a key or an item to a line, which this could be added to")

// yamlRoot parses a YAML file and returns the mapping of its last document, nil
// for a file that holds none.
func yamlRoot(text []byte) (*yaml.Node, error) {
	var last *yaml.Node
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var n yaml.Node
		err := d.Decode(&n)
		if errors.Is(err, io.EOF) {
			return last, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read it as YAML: %w", err)
		}
		if len(n.Content) == 0 || n.Content[0].Tag == "!!null" {
			continue
		}
		if last = n.Content[0]; last.Kind != yaml.MappingNode {
			return nil, errByHand
		}
	}
}

// member returns the key and the value of a mapping, nils if it has none of the name.
func member(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i], mapping.Content[i+1]
		}
	}
	return nil, nil
}

// holds reports whether a scalar below n satisfies want.
func holds(n *yaml.Node, want func(value string) bool) bool {
	if n == nil {
		return false
	}
	if n.Kind == yaml.ScalarNode && want(n.Value) {
		return true
	}
	for _, c := range n.Content {
		if holds(c, want) {
			return true
		}
	}
	return false
}

// runsCheck reports whether a command of a configuration is the gate.
func runsCheck(command string) bool { return strings.Contains(command, "stategate check") }

// insertBelow puts lines in below a key, before what is there: so that comments stay
// with what they speak of. A value that is neither empty nor a block is errByHand.
func insertBelow(text []byte, key, value *yaml.Node, lines string) ([]byte, error) {
	at, indent := key.Line, key.Column+1
	switch {
	case value.Tag == "!!null" && value.Value == "":
	case value.Kind != yaml.SequenceNode && value.Kind != yaml.MappingNode, value.Style&yaml.FlowStyle != 0, value.Line == key.Line:
		return nil, errByHand
	default:
		indent = value.Column - 1
	}
	all := strings.SplitAfter(string(text), "\n")
	if at > len(all) {
		return nil, errByHand
	}
	before, after := strings.Join(all[:at], ""), strings.Join(all[at:], "")
	return []byte(withNewline(before) + like(text, indented(lines, indent)) + after), nil
}

// insertAt puts text in before the place of a node.
func insertAt(text []byte, n *yaml.Node, insert string) ([]byte, error) {
	all := strings.SplitAfter(string(text), "\n")
	if n.Line > len(all) || n.Column > len([]rune(all[n.Line-1])) {
		return nil, errByHand
	}
	line := []rune(all[n.Line-1])
	all[n.Line-1] = string(line[:n.Column-1]) + insert + string(line[n.Column-1:])
	return []byte(strings.Join(all, "")), nil
}

// insertMember puts an entry of JSON in before the first one of an object or array that has an entry to a line.
func insertMember(text []byte, container *yaml.Node, entry string) ([]byte, error) {
	if container.Style&yaml.FlowStyle == 0 || len(container.Content) == 0 || container.Content[0].Line == container.Line {
		return nil, errByHand
	}
	first := container.Content[0]
	all := strings.SplitAfter(string(text), "\n")
	if first.Line > len(all) {
		return nil, errByHand
	}
	line := all[first.Line-1]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if len(indent) != first.Column-1 {
		return nil, errByHand
	}
	return insertAt(text, first, entry+like(text, ",\n")+indent)
}

// appended puts lines at the end, after an empty one.
func appended(text []byte, lines string) []byte {
	before := withNewline(string(text))
	if strings.TrimSpace(before) != "" {
		before += like(text, "\n")
	}
	return []byte(before + like(text, lines))
}

func withNewline(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + like([]byte(text), "\n")
}

// like writes lines with the line ending of text.
func like(text []byte, lines string) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return strings.ReplaceAll(lines, "\n", "\r\n")
	}
	return lines
}

func indented(lines string, by int) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		b.WriteString(strings.Repeat(" ", by) + line)
	}
	return b.String()
}
