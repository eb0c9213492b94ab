package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// An Entry is one plugin of a configuration, as AddPlugin writes it down.
type Entry struct {
	Name    string // what the plugin is called; may be ""
	Path    string // of a file below the directory of the configuration; "" if there is a source
	Source  string // "" if there is a path
	SHA256  string // hex; may be "" for a file
	Replace bool
}

// AddPlugin gives the text of a configuration with one plugin more; one of the
// same path or source gets the digest instead, and one of the same name the new source as well. Everything else stays byte for byte, comments
// too. text may be empty. The result has been parsed again: it holds what the old one
// held, and the entry. The error is an *Error; of a file that is written in a way that
// cannot be added to it says what to write by hand.
func AddPlugin(name string, text []byte, e Entry, schema string) ([]byte, error) {
	before, err := Parse(name, text, schema)
	if err != nil {
		return nil, err
	}
	ed := &edit{name: name, text: string(text), entry: e, newline: "\n"}
	if strings.Contains(ed.text, "\r\n") {
		ed.newline = "\r\n"
	}
	out := ed.apply()
	after, err := Parse(name, []byte(out), schema)
	if err != nil || !ed.holds(before, after) {
		return nil, &Error{name, Position{1, 1}, "the plugin cannot be added to a file that is written like this; add by hand: {" + strings.Join(ed.lines(), ", ") + "}"}
	}
	return []byte(out), nil
}

type edit struct {
	name, text string
	entry      Entry
	newline    string
}

// lines are the members of the entry, one each.
func (e *edit) lines() []string {
	var list []string
	add := func(key, value string) {
		if value != "" {
			list = append(list, key+": "+value)
		}
	}
	add("name", quoted(e.entry.Name))
	add("path", quoted(e.entry.Path))
	add("source", quoted(e.entry.Source))
	add("sha256", quoted(e.entry.SHA256))
	if e.entry.Replace {
		add("replace", "true")
	}
	return list
}

// quoted writes a text as YAML does, on one line.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	n := yaml.Node{Kind: yaml.ScalarNode, Value: s, Tag: "!!str"}
	if strings.ContainsAny(s, "\n\r,[]{}#\"'&*!|>%@`") || strings.Contains(s, ": ") {
		n.Style = yaml.DoubleQuotedStyle
	}
	text, err := yaml.Marshal(&n)
	if err != nil {
		return fmt.Sprintf("%q", s)
	}
	return strings.TrimRight(string(text), "\n")
}

// block writes the entry as an item of a list whose dashes stand behind indent.
func (e *edit) block(indent string) string {
	return indent + "- " + strings.Join(e.lines(), e.newline+indent+"  ") + e.newline
}

func (e *edit) apply() string {
	root, plugins := e.find()
	switch {
	case root == nil || plugins == nil:
		return e.ended() + "plugins:" + e.newline + e.block("  ")
	case plugins.Kind != yaml.SequenceNode: // a key without a value
		return e.insertLine(plugins.Line, e.block("  "))
	}
	if i := slices.IndexFunc(plugins.Content, e.same); i >= 0 {
		return e.pin(plugins.Content[i])
	}
	if i := slices.IndexFunc(plugins.Content, e.named); i >= 0 {
		return e.moved(plugins.Content[i])
	}
	n := len(plugins.Content)
	switch {
	case plugins.Style&yaml.FlowStyle != 0 && n == 0:
		at := e.offset(plugins)
		return e.text[:at] + "[{" + strings.Join(e.lines(), ", ") + "}]" + strings.TrimPrefix(e.text[at:], "[]")
	case plugins.Style&yaml.FlowStyle != 0:
		at := e.offset(plugins) + 1
		return e.text[:at] + "{" + strings.Join(e.lines(), ", ") + "}, " + e.text[at:]
	}
	return e.insertLine(lastLine(plugins), e.block(strings.Repeat(" ", max(plugins.Column-1, 0))))
}

// find gives the top of the file and what stands at plugins, also where a key has
// no value.
func (e *edit) find() (root, plugins *yaml.Node) {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(e.text), &doc) != nil || len(doc.Content) == 0 {
		return nil, nil
	}
	_, plugins = member(doc.Content[0], "plugins")
	return doc.Content[0], plugins
}

func (e *edit) same(n *yaml.Node) bool {
	return text(n, "path").Value == e.entry.Path && text(n, "source").Value == e.entry.Source
}

// named reports whether an entry has the name of the new one.
func (e *edit) named(n *yaml.Node) bool {
	return e.entry.Name != "" && text(n, "name").Value == e.entry.Name
}

// moved gives an entry of the same name the new path or source, and the digest. One that changes its
// kind is left as it is, which is refused.
func (e *edit) moved(n *yaml.Node) string {
	for _, kind := range []struct{ key, value string }{{"path", e.entry.Path}, {"source", e.entry.Source}} {
		_, old := member(n, kind.key)
		if (old == nil) != (kind.value == "") {
			return e.text
		}
	}
	for _, m := range []struct{ key, value string }{{"sha256", e.entry.SHA256}, {"path", e.entry.Path}, {"source", e.entry.Source}} {
		if _, old := member(n, m.key); old != nil {
			at := e.offset(old)
			e.text = e.text[:at] + strings.Replace(e.text[at:], old.Value, m.value, 1)
		}
	}
	return e.text
}

// pin gives an entry that is there the digest.
func (e *edit) pin(n *yaml.Node) string {
	if _, pinned := member(n, "sha256"); pinned != nil {
		at := e.offset(pinned)
		return e.text[:at] + strings.Replace(e.text[at:], pinned.Value, e.entry.SHA256, 1)
	}
	key, value := member(n, "path")
	if value == nil {
		key, value = member(n, "source")
	}
	if value == nil || e.entry.SHA256 == "" {
		return e.text
	}
	if n.Style&yaml.FlowStyle != 0 {
		at := e.offset(key)
		return e.text[:at] + "sha256: " + e.entry.SHA256 + ", " + e.text[at:]
	}
	return e.insertLine(value.Line, strings.Repeat(" ", max(key.Column-1, 0))+"sha256: "+e.entry.SHA256+e.newline)
}

// ended gives the text with a line break at its end.
func (e *edit) ended() string {
	if e.text == "" || strings.HasSuffix(e.text, "\n") || e.text == "\ufeff" {
		return e.text
	}
	return e.text + e.newline
}

// insertLine puts whole lines behind a 1-based line.
func (e *edit) insertLine(line int, what string) string {
	text, at := e.ended(), 0
	for range line {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			at = len(text)
			break
		}
		at += next + 1
	}
	return text[:at] + what + text[at:]
}

// offset gives the byte at which a node stands.
func (e *edit) offset(n *yaml.Node) int {
	want, at := positionOf(n), Position{1, 1}
	for i, c := range e.text {
		switch {
		case i == 0 && c == '\ufeff':
			continue
		case at == want:
			return i
		case c == '\n', c == '\r' && !strings.HasPrefix(e.text[i+1:], "\n"):
			at = Position{at.Line + 1, 1}
		default:
			at.Column++
		}
	}
	return len(e.text)
}

// lastLine gives the last line on which something of a node begins.
func lastLine(n *yaml.Node) int {
	line := n.Line
	for _, child := range n.Content {
		line = max(line, lastLine(child))
	}
	return line
}

// holds reports whether a configuration is another one with the entry.
func (e *edit) holds(before, after *Config) bool {
	want := slices.Clone(before.Plugins)
	i := slices.IndexFunc(want, func(p Plugin) bool { return p.Path.Value == e.entry.Path && p.Source.Value == e.entry.Source })
	if i < 0 && e.entry.Name != "" {
		i = slices.IndexFunc(want, func(p Plugin) bool { return p.Name.Value == e.entry.Name })
	}
	entry := Plugin{Name: Text{Value: e.entry.Name}, Path: Text{Value: e.entry.Path}, Source: Text{Value: e.entry.Source}, SHA256: Text{Value: e.entry.SHA256}, Replace: e.entry.Replace}
	if i >= 0 {
		want[i].Path.Value, want[i].Source.Value = e.entry.Path, e.entry.Source
		if e.entry.SHA256 != "" {
			want[i].SHA256.Value = e.entry.SHA256
		}
	} else {
		want = append(want, entry)
	}
	return slices.Equal(summary(want), summary(after.Plugins)) && before.bare() == after.bare()
}

// summary is what plugins are, without their places and their order.
func summary(list []Plugin) []string {
	var out []string
	for _, p := range list {
		out = append(out, fmt.Sprintf("%q %q %q %q %v", p.Name.Value, p.Path.Value, p.Source.Value, p.SHA256.Value, p.Replace))
	}
	slices.Sort(out)
	return out
}

// bare is all else that a configuration sets, without places.
func (c *Config) bare() string {
	values := func(list []Text) (out []string) {
		for _, t := range list {
			out = append(out, t.Value)
		}
		return out
	}
	s := fmt.Sprintf("%q %q %q %v %v", values(c.Disable), values(c.Exclude), c.Baseline.Value, c.FailOn, c.Limits)
	for _, o := range c.Options {
		s += fmt.Sprintf(" %q=%s", o.Plugin.Value, o.JSON)
	}
	for _, r := range c.Rules {
		s += fmt.Sprintf(" %q=%v", r.Name.Value, r.Severity)
	}
	for _, g := range c.Ignore {
		s += fmt.Sprintf(" %q %q %q %v", values(g.Paths), values(g.Rules), g.Reason, g.Until)
	}
	return s
}
