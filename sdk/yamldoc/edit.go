//go:build !wasip1

package yamldoc

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/sdk/jsondoc"
)

// ErrForm means that only a person can make an edit. The value has a form, such as an alias, that this
// package cannot change without affecting other values.
var ErrForm = errors.New("it is written in a form of YAML that cannot be edited automatically; edit it by hand")

// Set returns the change that sets the value at a pointer to a JSON value, like jsondoc.Set does for JSON. It
// preserves comments, order and style; plain scalars stay plain if possible.
func Set(text, pointer, value string) (jsondoc.Change, error) {
	meant := func(d *Document) (jsondoc.Change, error) {
		if d.root == nil && pointer != "" {
			d.JSON = "{}"
		}
		return jsondoc.Set(d.JSON, pointer, value)
	}
	return edited(text, pointer, value, meant, (*Document).set)
}

// Replace returns the change that replaces an existing value with a JSON value.
func Replace(text, pointer, value string) (jsondoc.Change, error) {
	meant := func(d *Document) (jsondoc.Change, error) {
		doc, err := jsondoc.Parse(d.JSON)
		if err != nil {
			return jsondoc.Change{}, err
		}
		v, ok := doc.Lookup(pointer)
		if !ok {
			return jsondoc.Change{}, &jsondoc.PointerError{Pointer: pointer, Message: "there is no such value",
				Absent: true}
		}
		return jsondoc.Change{Start: v.Start(), End: v.End(), New: value}, nil
	}
	return edited(text, pointer, value, meant,
		func(d *Document, _ []string, v jsondoc.Value) (jsondoc.Change, bool) {
			key, was, ok := d.find(pointer)
			if !ok {
				return jsondoc.Change{}, false
			}
			return d.replace(key, was, v), true
		})
}

// Unset returns the change that removes a member or item, along with its line.
func Unset(text, pointer string) (jsondoc.Change, error) {
	meant := func(d *Document) (jsondoc.Change, error) { return jsondoc.Unset(d.JSON, pointer) }
	return edited(text, pointer, "null", meant, (*Document).unset)
}

// edited makes a change in both the text and the equivalent JSON, and checks that the changed text converts to the
// changed JSON.
func edited(text, pointer, value string, meant func(*Document) (jsondoc.Change, error),
	change func(*Document, []string, jsondoc.Value) (jsondoc.Change, bool)) (jsondoc.Change, error) {
	d, err := Parse(text)
	if err != nil {
		return jsondoc.Change{}, err
	}
	meaning, err := meant(d)
	if err != nil {
		return jsondoc.Change{}, err
	}
	want, err := jsondoc.Parse(meaning.Apply(d.JSON))
	if err != nil {
		return jsondoc.Change{}, err
	}
	if is, _ := jsondoc.Parse(d.JSON); jsondoc.Equal(is.Root(), want.Root()) {
		return jsondoc.Change{}, nil
	}
	tokens, _ := jsondoc.Tokens(pointer)
	parsed, err := jsondoc.Parse(value)
	if err != nil {
		return jsondoc.Change{}, ErrForm
	}
	c, ok := change(d, tokens, parsed.Root())
	if !ok {
		return jsondoc.Change{}, ErrForm
	}
	if strings.Contains(text, "\r\n") {
		c.New = strings.ReplaceAll(strings.ReplaceAll(c.New, "\r\n", "\n"), "\n", "\r\n")
	}
	after, err := Parse(c.Apply(text))
	if err != nil {
		return jsondoc.Change{}, ErrForm
	}
	if got, err := jsondoc.Parse(after.JSON); err != nil || !jsondoc.Equal(got.Root(), want.Root()) {
		return jsondoc.Change{}, ErrForm
	}
	return c, nil
}

func (d *Document) set(tokens []string, value jsondoc.Value) (jsondoc.Change, bool) {
	if d.root == nil {
		return d.begin(tokens, value), true
	}
	at, last := d.root, len(tokens)-1
	var key *yaml.Node
	for i, token := range tokens {
		k, next := Member(at, token)
		if next == nil || at.Kind == yaml.SequenceNode && i == last {
			return d.add(at, token, next, wrapped(tokens[i+1:], value))
		}
		key, at = k, next
	}
	return d.replace(key, at, value), true
}

// begin writes the first value of an empty document.
func (d *Document) begin(tokens []string, value jsondoc.Value) jsondoc.Change {
	end, newline, key := len(d.text), "", ""
	if end > 0 && !strings.HasSuffix(d.text, "\n") {
		newline = "\n"
	}
	if len(tokens) > 0 {
		key, value = keyText(tokens[0], false)+": ", wrapped(tokens[1:], value)
	}
	return insert(end, newline+key+written(value, nil)+"\n")
}

// wrapped wraps a value in its missing mappings, and in a list for "-".
func wrapped(tokens []string, value jsondoc.Value) jsondoc.Value {
	text := value.Raw()
	for i := len(tokens) - 1; i >= 0; i-- {
		if tokens[i] == "-" {
			text = "[" + text + "]"
		} else {
			text = "{" + jsondoc.Quote(tokens[i]) + ": " + text + "}"
		}
	}
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return value
	}
	return doc.Root()
}

// replace returns the change that replaces was, the value of key, with value. The key is nil for other values.
func (d *Document) replace(key, was *yaml.Node, value jsondoc.Value) jsondoc.Change {
	start, end := d.span(was)
	text := written(value, was)
	if key == nil || was.Kind == yaml.AliasNode || was.Style&yaml.FlowStyle != 0 || was.Kind == yaml.ScalarNode &&
		!empty(was) && was.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		return jsondoc.Change{Start: start, End: end, New: text}
	}
	colon, comment := d.colon(key), ""
	if empty(was) {
		return insert(colon, " "+text)
	}
	if was.Kind != yaml.ScalarNode { // nothing else can be between the colon and the first member
		comment = strings.TrimRight(firstLine(d.text[colon:]), "\r\n")
	}
	return jsondoc.Change{Start: colon, End: max(end, colon), New: " " + text + comment}
}

// colon returns the offset after the colon that follows a key.
func (d *Document) colon(key *yaml.Node) int {
	_, end := d.span(key)
	if i := strings.IndexByte(d.text[end:], ':'); i >= 0 {
		return end + i + 1
	}
	return end
}

// add adds a member or item, before the item next or, if there is none, at the end.
func (d *Document) add(into *yaml.Node, token string, next *yaml.Node, value jsondoc.Value) (jsondoc.Change, bool) {
	flow := into.Style&yaml.FlowStyle != 0
	text := written(value, nil)
	switch {
	case into.Kind == yaml.MappingNode:
		quoted := len(into.Content) > 0 && into.Content[0].Style&yaml.DoubleQuotedStyle != 0
		text = keyText(token, quoted) + ": " + text
	case into.Kind != yaml.SequenceNode:
		return jsondoc.Change{}, false
	case !flow:
		text = "- " + text
	}
	indent := strings.Repeat(" ", max(into.Column-1, 0))
	if into.Kind == yaml.MappingNode && len(into.Content) > 0 {
		indent = strings.Repeat(" ", max(into.Content[0].Column-1, 0))
	}
	start, end := d.span(into)
	switch {
	case flow && next != nil:
		at, _ := d.span(next)
		return insert(at, text+", "), true
	case flow && len(into.Content) == 0:
		return insert(d.bare(start)+1, text), true
	case flow:
		_, at := d.span(into.Content[len(into.Content)-1])
		return insert(at, ", "+text), true
	case next != nil:
		dash, ok := d.dash(into, next)
		return insert(dash, text+"\n"+indent), ok
	}
	at := end + len(strings.TrimRight(firstLine(d.text[end:]), "\r\n"))
	return insert(at, "\n"+indent+text), true
}

func insert(at int, text string) jsondoc.Change { return jsondoc.Change{Start: at, End: at, New: text} }

// dash returns the offset of the dash before an item.
func (d *Document) dash(list, item *yaml.Node) (int, bool) {
	start, _ := d.span(item)
	from, _ := d.span(list)
	for at := start - 1; at >= from; at-- {
		if d.text[at] == '-' && d.column(at) == list.Column {
			return at, true
		}
	}
	return 0, false
}

func (d *Document) unset(tokens []string, _ jsondoc.Value) (jsondoc.Change, bool) {
	if len(tokens) == 0 {
		return jsondoc.Change{}, false
	}
	last := len(tokens) - 1
	key, parent, ok := d.find(jsondoc.Pointer(tokens[:last]...))
	if !ok {
		return jsondoc.Change{}, false
	}
	width := 1 // nodes per child
	if parent.Kind == yaml.MappingNode {
		width = 2
	}
	_, value := Member(parent, tokens[last])
	if value == nil {
		return jsondoc.Change{}, false
	}
	at := slices.Index(parent.Content, value) + 1 - width
	if len(parent.Content) == width {
		nothing, _ := jsondoc.Parse(map[int]string{1: "[]", 2: "{}"}[width])
		return d.replace(key, parent, nothing.Root()), true
	}
	start, end := d.childSpan(parent, at, width)
	next, before := -1, -1
	if at+width < len(parent.Content) {
		next, _ = d.childSpan(parent, at+width, width)
	}
	if at > 0 {
		_, before = d.childSpan(parent, at-width, width)
	}
	switch {
	case parent.Style&yaml.FlowStyle != 0 && next >= 0:
		return jsondoc.Change{Start: start, End: next}, true
	case parent.Style&yaml.FlowStyle != 0:
		return jsondoc.Change{Start: before, End: end}, true
	}
	begin := strings.LastIndexByte(d.text[:start], '\n') + 1
	if strings.TrimSpace(d.text[begin:start]) != "" { // the child follows an item's dash
		return jsondoc.Change{Start: start, End: next}, next >= 0
	}
	return jsondoc.Change{Start: begin, End: end + len(firstLine(d.text[end:]))}, true
}

// childSpan returns the half-open byte range of a member or item, including its key or dash.
func (d *Document) childSpan(parent *yaml.Node, at, width int) (start, end int) {
	value := parent.Content[at+width-1]
	start, end = d.span(value)
	switch {
	case width == 2:
		key := parent.Content[at]
		start, _ = d.span(key)
		if empty(value) {
			end = d.colon(key)
		}
	case parent.Style&yaml.FlowStyle == 0:
		if dash, ok := d.dash(parent, value); ok {
			start = dash
			end = max(end, dash+1)
		}
	}
	return start, end
}

// keyText formats a key.
func keyText(key string, quoted bool) string {
	if text, ok := plain(key, true); ok && !quoted {
		return text
	}
	return quote(key)
}

// written formats a JSON value in the style of the value that it replaces, which may be nil. Lists and mappings are
// written in brackets.
func written(v jsondoc.Value, was *yaml.Node) string {
	text, isText := v.Text()
	switch {
	case v.Kind() == jsondoc.Object:
		var list []string
		for _, m := range v.Members() {
			list = append(list, keyText(m.Key, false)+": "+written(m.Value, nil))
		}
		return "{" + strings.Join(list, ", ") + "}"
	case v.Kind() == jsondoc.Array:
		var list []string
		for _, item := range v.Elements() {
			list = append(list, written(item, nil))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case !isText:
		return v.Raw()
	case was != nil && was.Style&yaml.DoubleQuotedStyle != 0:
		return quote(text)
	case was != nil && was.Style&yaml.SingleQuotedStyle != 0 && !strings.ContainsFunc(text, isControl):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	if plain, ok := plain(text, was == nil || !isMoment().MatchString(was.Value)); ok {
		return plain
	}
	return quote(text)
}

func isControl(r rune) bool {
	return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff'
}

var (
	isMoment = lazy(`^\d{4}-\d\d-\d\d([Tt ].*)?$`)
	isPlain  = lazy(`^[\pL\pN_./(][^\x00-\x1f\x7f-\x9f\x{2028}\x{2029}\x{feff}#,\[\]{}]*$`)
	isDigits = lazy(`^[-+.]?[0-9][0-9.:_+-]*([eE][-+]?[0-9]+)?$|^0[xo]`)
	isWord   = lazy(`^(?i:y|n|yes|no|on|off|true|false|null)$`)
)

// plain returns a string without quotes if every reader will parse it as a string. Older YAML readers parse times
// differently, so a time is plain only if it replaces a plain scalar.
func plain(text string, noMoment bool) (string, bool) {
	moment := isMoment().MatchString(text)
	ok := isPlain().MatchString(text) && !strings.Contains(text, ": ") && !strings.HasSuffix(text, ":") &&
		text == strings.TrimSpace(text) &&
		!isWord().MatchString(text) && (!isDigits().MatchString(text) || moment) && !(moment && noMoment) &&
		scalar(&yaml.Node{Kind: yaml.ScalarNode, Value: text}) == jsondoc.Quote(text)
	return text, ok
}

// quote returns a string in JSON's double quotes. It escapes a byte-order mark, which no YAML reader accepts there.
func quote(text string) string { return strings.ReplaceAll(jsondoc.Quote(text), mark, `\ufeff`) }
