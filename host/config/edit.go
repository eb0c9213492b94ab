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

// AddPlugin returns the text of a configuration with one plugin more; one of the
// same path or source gets the digest instead, and one of the same name the new source as well. Everything else stays byte for byte, comments
// too. text may be empty. The result has been parsed again: it holds what the old one
// held, and the entry. The error is an *Error; of a file that is written in a way that
// cannot be added to it says what to write by hand.
func AddPlugin(name string, text []byte, e Entry, schema string) ([]byte, error) {
	ed := newEdit(name, text, "plugins", e.lines())
	return ed.checked(schema, func() string { return ed.plugin(e) }, func(before, after *Config) bool { return e.holds(before, after) })
}

// An edit adds to one list of a configuration.
type edit struct {
	name, text string
	key        string   // of the list
	lines      []string // the members of what is added, one each
	newline    string
}

func newEdit(name string, text []byte, key string, lines []string) *edit {
	e := &edit{name: name, text: string(text), key: key, lines: lines, newline: "\n"}
	if strings.Contains(e.text, "\r\n") {
		e.newline = "\r\n"
	}
	return e
}

// checked makes the change, and refuses one after which the file does not hold what it should.
func (e *edit) checked(schema string, change func() string, holds func(before, after *Config) bool) ([]byte, error) {
	before, err := Parse(e.name, []byte(e.text), schema)
	if err != nil {
		return nil, err
	}
	byHand := &Error{e.name, Position{1, 1}, "nothing can be added to " + e.key + " in a file formatted like this; add by hand: {" + strings.Join(e.lines, ", ") + "}"}
	out := change()
	after, err := Parse(e.name, []byte(out), schema)
	if err != nil || !holds(before, after) {
		return nil, byHand
	}
	return []byte(out), nil
}

// lines are the members of the entry, one each.
func (e *Entry) lines() []string {
	replace := ""
	if e.Replace {
		replace = "true"
	}
	return members("name", quoted(e.Name), "path", quoted(e.Path), "source", quoted(e.Source), "sha256", quoted(e.SHA256), "replace", replace)
}

// members writes keys and values, those without a value left out.
func members(keysAndValues ...string) []string {
	var list []string
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		if keysAndValues[i+1] != "" {
			list = append(list, keysAndValues[i]+": "+keysAndValues[i+1])
		}
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

// block writes what is added as an item of a list whose dashes stand behind indent.
func (e *edit) block(indent string) string {
	return indent + "- " + strings.Join(e.lines, e.newline+indent+"  ") + e.newline
}

// plugin returns the text with the entry, or with the entry in the place of an older one.
func (e *edit) plugin(x Entry) string {
	list := e.find()
	if list != nil && list.Kind == yaml.SequenceNode {
		if i := slices.IndexFunc(list.Content, x.same); i >= 0 {
			return e.pin(list.Content[i], x)
		}
		if i := slices.IndexFunc(list.Content, x.named); i >= 0 {
			return e.moved(list.Content[i], x)
		}
	}
	return e.appended(list)
}

// appended returns the text with one item more in the list.
func (e *edit) appended(list *yaml.Node) string {
	switch {
	case list == nil:
		return e.ended() + e.key + ":" + e.newline + e.block("  ")
	case list.Kind != yaml.SequenceNode: // a key without a value
		return e.insertLine(list.Line, e.block("  "))
	case list.Style&yaml.FlowStyle != 0 && len(list.Content) == 0:
		at := e.offset(list)
		return e.text[:at] + "[{" + strings.Join(e.lines, ", ") + "}]" + strings.TrimPrefix(e.text[at:], "[]")
	case list.Style&yaml.FlowStyle != 0:
		at := e.offset(list) + 1
		return e.text[:at] + "{" + strings.Join(e.lines, ", ") + "}, " + e.text[at:]
	}
	return e.insertLine(e.lastLine(list), e.block(strings.Repeat(" ", max(list.Column-1, 0))))
}

// find returns what stands at the key of the list, also where it has no value.
func (e *edit) find() *yaml.Node {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(e.text), &doc) != nil || len(doc.Content) == 0 {
		return nil
	}
	_, list := member(doc.Content[0], e.key)
	return list
}

func (e *Entry) same(n *yaml.Node) bool {
	return text(n, "path").Value == e.Path && text(n, "source").Value == e.Source
}

// named reports whether an entry has the name of the new one.
func (e *Entry) named(n *yaml.Node) bool {
	return e.Name != "" && text(n, "name").Value == e.Name
}

// moved returns an entry of the same name the new path or source, and the digest. One that changes its
// kind is left as it is, which is refused.
func (e *edit) moved(n *yaml.Node, x Entry) string {
	for _, kind := range []struct{ key, value string }{{"path", x.Path}, {"source", x.Source}} {
		_, old := member(n, kind.key)
		if (old == nil) != (kind.value == "") {
			return e.text
		}
	}
	for _, m := range []struct{ key, value string }{{"sha256", x.SHA256}, {"path", x.Path}, {"source", x.Source}} {
		if _, old := member(n, m.key); old != nil {
			at := e.offset(old)
			e.text = e.text[:at] + strings.Replace(e.text[at:], old.Value, m.value, 1)
		}
	}
	return e.text
}

// pin returns an entry that is there the digest.
func (e *edit) pin(n *yaml.Node, x Entry) string {
	if _, pinned := member(n, "sha256"); pinned != nil {
		at := e.offset(pinned)
		return e.text[:at] + strings.Replace(e.text[at:], pinned.Value, x.SHA256, 1)
	}
	key, value := member(n, "path")
	if value == nil {
		key, value = member(n, "source")
	}
	if value == nil || x.SHA256 == "" {
		return e.text
	}
	if n.Style&yaml.FlowStyle != 0 {
		at := e.offset(key)
		return e.text[:at] + "sha256: " + x.SHA256 + ", " + e.text[at:]
	}
	return e.insertLine(value.Line, strings.Repeat(" ", max(key.Column-1, 0))+"sha256: "+x.SHA256+e.newline)
}

// ended returns the text with a line break at its end.
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

// offset returns the byte at which a node stands.
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

// lastLine returns the last line of a list in block style: after the line on which its last value begins, those that are
// indented further than its dashes belong to it as well.
func (e *edit) lastLine(list *yaml.Node) int {
	last := lastBegin(list)
	lines := strings.Split(e.text, "\n")
	for i := last; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t\r")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case line == "":
		case indent > list.Column-1:
			last = i + 1
		default:
			return last
		}
	}
	return last
}

// lastBegin returns the last line on which something of a node begins.
func lastBegin(n *yaml.Node) int {
	line := n.Line
	for _, child := range n.Content {
		line = max(line, lastBegin(child))
	}
	return line
}

// holds reports whether a configuration is another one with the entry.
func (e *Entry) holds(before, after *Config) bool {
	want := slices.Clone(before.Plugins)
	i := slices.IndexFunc(want, func(p Plugin) bool { return p.Path.Value == e.Path && p.Source.Value == e.Source })
	if i < 0 && e.Name != "" {
		i = slices.IndexFunc(want, func(p Plugin) bool { return p.Name.Value == e.Name })
	}
	entry := Plugin{Name: Text{Value: e.Name}, Path: Text{Value: e.Path}, Source: Text{Value: e.Source}, SHA256: Text{Value: e.SHA256}, Replace: e.Replace}
	if i >= 0 {
		want[i].Path.Value, want[i].Source.Value = e.Path, e.Source
		if e.SHA256 != "" {
			want[i].SHA256.Value = e.SHA256
		}
	} else {
		want = append(want, entry)
	}
	return slices.Equal(summary(want), summary(after.Plugins)) &&
		slices.Equal(ignores(before.Ignore), ignores(after.Ignore)) && before.bare() == after.bare()
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

func values(list []Text) (out []string) {
	for _, t := range list {
		out = append(out, t.Value)
	}
	return out
}

// bare is all else that a configuration sets, without places.
func (c *Config) bare() string {
	s := fmt.Sprintf("%q %q %q %v %v", values(c.Disable), values(c.Exclude), c.Baseline.Value, c.FailOn, c.Limits)
	for _, o := range c.Options {
		s += fmt.Sprintf(" %q=%s", o.Plugin.Value, o.JSON)
	}
	for _, r := range c.Rules {
		s += fmt.Sprintf(" %q=%v", r.Name.Value, r.Severity)
	}
	return s
}
