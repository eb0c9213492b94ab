package schemafile

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/host/yamledit"
)

const (
	maxErrors  = 5    // that are reported at once
	maxChecked = 1000 // that are collected
)

// check holds a file against the schema of its format and says what is wrong, from top to bottom. Of JSON Schema it
// knows the keywords that the schemas here use, and refuses a schema that has another.
func (r *reader) check(root *yaml.Node) error {
	var schema yaml.Node // JSON is YAML
	if err := yaml.Unmarshal([]byte(r.Schema), &schema); err != nil {
		return fmt.Errorf("read the schema of %s: %w", r.What, err)
	}
	c := &checker{reader: r, schema: schema.Content[0]}
	c.value(root, c.schema, "")
	list := c.list
	slices.SortStableFunc(list, func(x, y *Error) int {
		return cmp.Or(cmp.Compare(x.At.Line, y.At.Line), cmp.Compare(x.At.Column, y.At.Column),
			cmp.Compare(x.Message, y.Message))
	})
	list = slices.CompactFunc(list, func(x, y *Error) bool { return *x == *y })
	list = list[:min(len(list), maxErrors)]
	if len(list) == 0 {
		return nil
	}
	list[len(list)-1].Message += r.Cure
	var all []error
	for _, e := range list {
		all = append(all, e)
	}
	if len(all) == 1 {
		return all[0]
	}
	return &Errors{all}
}

type checker struct {
	*reader
	schema *yaml.Node
	list   []*Error
}

func (c *checker) add(n *yaml.Node, format string, args ...any) {
	c.list = append(c.list, &Error{c.name, PositionOf(n), fmt.Sprintf(format, args...)})
}

// value holds a node against a schema. where is its name: ignore[1].until, or "" for the root.
func (c *checker) value(n, schema *yaml.Node, where string) {
	if len(c.list) >= maxChecked {
		return
	}
	called := cmp.Or(where, c.What)
	Pairs(schema, func(keyword, arg *yaml.Node) {
		switch keyword.Value {
		case "$ref":
			c.value(n, Around(c.schema, strings.TrimPrefix(arg.Value, "#")), where)
		case "required":
			for _, name := range arg.Content {
				if _, value := yamledit.Member(n, name.Value); n.Kind == yaml.MappingNode && value == nil {
					c.add(n, "%s lacks %s", called, name.Value)
				}
			}
		case "properties", "additionalProperties":
			c.members(n, schema, where, keyword.Value)
		case "propertyNames":
			Pairs(n, func(key, _ *yaml.Node) {
				names := &checker{reader: c.reader, schema: c.schema}
				if names.value(key, arg, ""); len(names.list) > 0 {
					c.add(key, "found %q as a key of %s, expected %s", Clipped(key.Value), called, c.described(arg))
				}
			})
		case "items":
			for i, item := range n.Content {
				if n.Kind == yaml.SequenceNode {
					c.value(item, arg, where+"["+strconv.Itoa(i)+"]")
				}
			}
		default:
			if want := c.breach(n, keyword.Value, arg, schema); want != "" {
				c.add(n, "%s is %s, expected %s", called, shown(n), want)
			}
		}
	})
}

// members holds the known members of a mapping against their schemas, or the others against what they are allowed to
// be.
func (c *checker) members(n, schema *yaml.Node, where, keyword string) {
	_, properties := yamledit.Member(schema, "properties")
	_, others := yamledit.Member(schema, "additionalProperties")
	Pairs(n, func(key, value *yaml.Node) {
		_, known := yamledit.Member(properties, key.Value)
		inner := strings.TrimPrefix(where+"."+Clipped(key.Value), ".")
		switch {
		case keyword == "properties" && known != nil:
			c.value(value, known, inner)
		case keyword == "properties" || known != nil:
		case others.Kind == yaml.MappingNode:
			c.value(value, others, inner)
		default:
			var names []string
			Pairs(properties, func(key, _ *yaml.Node) { names = append(names, key.Value) })
			slices.Sort(names)
			c.add(key, "%s has no key %q; %s", cmp.Or(where, c.What), Clipped(key.Value),
				suggest.OneOf(key.Value, names))
		}
	})
}

// kinds are the types of JSON, for people.
var kinds = map[string]string{
	"object": "a mapping", "array": "a list", "string": "a text", "boolean": "true or false",
	"integer": "a whole number",
}

// breach returns what a keyword expects of a node that does not have it, "" if it has.
func (c *checker) breach(n *yaml.Node, keyword string, arg, schema *yaml.Node) string {
	text, size, limit := n.Kind == yaml.ScalarNode && n.Tag == "!!str", len(n.Content), 0
	_ = arg.Decode(&limit)
	if text {
		size = utf8.RuneCountInString(n.Value)
	}
	number, isNumber := numberOf(n)
	same := func(word *yaml.Node) bool {
		return n.Kind == yaml.ScalarNode && word.Tag == n.Tag && word.Value == n.Value
	}
	broken, want := false, c.described(schema)
	switch list := n.Kind == yaml.SequenceNode; keyword {
	case "$schema", "$id", "$defs", "title", "description":
	case "type":
		if broken, want = !isOf(n, arg.Value), kinds[arg.Value]; schema == c.schema && c.Example != "" {
			want += ", such as `" + c.Example + "`"
		}
	case "const":
		broken, want = !same(arg), arg.Value
	case "enum":
		broken, want = !slices.ContainsFunc(arg.Content, same), oneOf(n, arg)
	case "pattern":
		broken = text && !regexp.MustCompile(arg.Value).MatchString(n.Value)
	case "minLength":
		if broken = text && size < limit; size == 0 {
			want = "a text that is not empty"
		}
	case "maxLength":
		broken = text && size > limit
	case "minItems":
		broken, want = list && size < limit, fmt.Sprintf("at least %d in it, found %d", limit, size)
	case "maxItems":
		broken, want = list && size > limit, fmt.Sprintf("at most %d in it, found %d", limit, size)
	case "minimum":
		broken, want = isNumber && number < float64(limit), "a number from "+arg.Value
	case "maximum":
		broken, want = isNumber && number > float64(limit), "a number up to "+arg.Value
	case "uniqueItems":
		broken, want = repeats(n)
	case "anyOf", "oneOf":
		fit := 0
		for _, choice := range arg.Content {
			one := &checker{reader: c.reader, schema: c.schema}
			if one.value(n, choice, ""); len(one.list) == 0 {
				fit++
			}
		}
		broken = fit == 0 || fit > 1 && keyword == "oneOf"
	default:
		return "nothing: its schema has the keyword " + keyword + ", which is not known"
	}
	if !broken {
		return ""
	}
	return want
}

func (c *checker) described(schema *yaml.Node) string {
	if _, ref := yamledit.Member(schema, "$ref"); ref != nil {
		schema = Around(c.schema, strings.TrimPrefix(ref.Value, "#"))
	}
	_, text := yamledit.Member(schema, "description")
	if text == nil {
		return "another value"
	}
	return "this: " + strings.TrimSuffix(text.Value, ".")
}

func isOf(n *yaml.Node, kind string) bool {
	switch kind {
	case "object":
		return n.Kind == yaml.MappingNode
	case "array":
		return n.Kind == yaml.SequenceNode
	case "string":
		return n.Kind == yaml.ScalarNode && n.Tag == "!!str"
	case "boolean":
		return n.Tag == "!!bool"
	}
	number, ok := numberOf(n)
	return ok && number == math.Trunc(number)
}

func numberOf(n *yaml.Node) (number float64, ok bool) {
	return number, (n.Tag == "!!int" || n.Tag == "!!float") && n.Decode(&number) == nil
}

func oneOf(n, enum *yaml.Node) string {
	var words []string
	for _, w := range enum.Content {
		words = append(words, w.Value)
	}
	cure := ""
	if near := suggest.Nearest(n.Value, words); near != "" && n.Kind == yaml.ScalarNode {
		cure = "; did you mean " + near + "?"
	}
	return "one of " + strings.Join(words, ", ") + cure
}

func repeats(n *yaml.Node) (twice bool, want string) {
	first := map[[2]string]int{}
	for i, item := range n.Content {
		j, found := first[[2]string{item.Tag, item.Value}]
		if found && n.Kind == yaml.SequenceNode && item.Kind == yaml.ScalarNode {
			return true, fmt.Sprintf("each value once; items at index %d and %d are equal", j, i)
		}
		first[[2]string{item.Tag, item.Value}] = i
	}
	return false, ""
}
