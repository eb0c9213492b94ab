package schemafile

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// maxErrors limits how many errors are reported at once.
const maxErrors = 5

// check validates a file's value against its format's schema and reports errors from top to bottom. The library finds
// the errors. This package determines their positions and the expected values from the file's nodes.
func (r *reader) check(value any, nodes func() *yaml.Node) error {
	// a plain name would be made absolute, which requires reading a directory that a worker may not read
	compiled, err := jsonschema.CompileString("mem:///schema.json", r.Schema)
	if err != nil {
		return fmt.Errorf("read the schema of %s: %w", r.What, err)
	}
	var invalid *jsonschema.ValidationError
	if err := compiled.Validate(value); !errors.As(err, &invalid) {
		return err
	}
	var schema yaml.Node // JSON is YAML
	if err := yaml.Unmarshal([]byte(r.Schema), &schema); err != nil {
		return fmt.Errorf("read the schema of %s: %w", r.What, err)
	}
	root := nodes()
	if root == nil {
		return r.errorAt(Position{1, 1}, "%s is not valid: %v", r.What, invalid)
	}
	c := &checker{reader: r, schema: schema.Content[0]}
	for _, leaf := range snapshot.FirstLeaves(invalid) {
		c.describe(root, leaf)
	}
	slices.SortFunc(c.list, func(x, y *Error) int {
		return cmp.Or(cmp.Compare(x.At.Line, y.At.Line), cmp.Compare(x.At.Column, y.At.Column),
			cmp.Compare(x.Message, y.Message))
	})
	list := slices.CompactFunc(c.list, func(x, y *Error) bool { return *x == *y })
	list = list[:min(len(list), maxErrors)]
	list[len(list)-1].Message += r.Cure
	several := make([]error, len(list))
	for i, e := range list {
		several[i] = e
	}
	return errors.Join(several...)
}

type checker struct {
	*reader
	schema *yaml.Node
	list   []*Error
}

func (c *checker) add(n *yaml.Node, format string, args ...any) {
	c.list = append(c.list, &Error{c.name, PositionOf(n), fmt.Sprintf(format, args...)})
}

// describe turns a library error into messages, one per name.
func (c *checker) describe(root *yaml.Node, leaf *jsonschema.ValidationError) {
	var key *yaml.Node
	value, called, around := root, "", "" // called is, for example, ignore[1].until; around is its parent
	tokens, _ := jsondoc.Tokens(snapshot.PointerOf(leaf.InstanceLocation))
	for _, token := range tokens {
		around = called
		if key, value = yamldoc.Member(value, token); key == nil {
			called += "[" + token + "]"
		} else {
			called = strings.TrimPrefix(called+"."+Clipped(token), ".")
		}
	}
	called = cmp.Or(called, c.What)
	schema, keyword := Around(c.schema, snapshot.SchemaOf(leaf)), path.Base(leaf.KeywordLocation)
	if by := path.Dir(leaf.KeywordLocation); path.Base(path.Dir(by)) == "dependentRequired" {
		key, _ := yamldoc.Member(value, path.Base(by)) // the schema is the list of what this key needs
		for _, name := range schema.Content {
			if _, member := yamldoc.Member(value, name.Value); member == nil {
				c.add(key, "%s lacks %s, which %s needs", called, name.Value, key.Value)
			}
		}
		return
	}
	_, arg := yamldoc.Member(schema, keyword)
	_, enum := yamldoc.Member(schema, "enum")
	switch {
	case strings.Contains(leaf.KeywordLocation, "/propertyNames/"):
		c.add(key, "found %q as a key of %s, expected %s", Clipped(key.Value), cmp.Or(around, c.What),
			described(schema))
		return
	case keyword == "required":
		for _, name := range arg.Content {
			if _, member := yamldoc.Member(value, name.Value); member == nil {
				c.add(c.misspelled(value, schema, name.Value), "%s lacks %s", called, name.Value)
			}
		}
		return
	case keyword == "additionalProperties":
		c.unknownKeys(value, schema, called)
		return
	case keyword == "type" && enum != nil: // the library stops at the type
		c.add(value, "%s is %s, expected %s", called, shown(value), oneOf(value, enum))
		return
	}
	want := expected(keyword, arg, value)
	_, pattern := yamldoc.Member(schema, "pattern")
	switch {
	case keyword == "type" && pattern != nil:
		want = described(schema) // as for a string that does not match
	case keyword == "uniqueItems":
		want = "each value once; " + leaf.Message
	case leaf.KeywordLocation == "/type" && c.Example != "":
		want += ", such as `" + c.Example + "`"
	case want == "":
		want = described(schema)
	}
	c.add(value, "%s is %s, expected %s", called, shown(value), want)
}

// misspelled returns the unknown key that is probably a typo of a missing one, so that the message about the typo
// comes first. If there is no such key, it returns the mapping.
func (c *checker) misspelled(value, schema *yaml.Node, missing string) *yaml.Node {
	at := value
	_, properties := yamldoc.Member(schema, "properties")
	Pairs(value, func(key, _ *yaml.Node) {
		if known, _ := yamldoc.Member(properties, key.Value); known == nil &&
			words.Nearest(key.Value, []string{missing}) != "" {
			at = key
		}
	})
	return at
}

func (c *checker) unknownKeys(n, schema *yaml.Node, called string) {
	var names []string
	_, properties := yamldoc.Member(schema, "properties")
	Pairs(properties, func(key, _ *yaml.Node) { names = append(names, key.Value) })
	slices.Sort(names)
	Pairs(n, func(key, _ *yaml.Node) {
		switch {
		case strings.HasPrefix(key.Value, "//") || strings.HasPrefix(key.Value, "/*"):
			c.add(key, "%s", jsonComment)
		case !slices.Contains(names, key.Value):
			c.add(key, "%s has no key %q; %s", called, Clipped(key.Value), suggest.OneOf(key.Value, names))
		}
	})
}

// kinds maps JSON types to words for people.
var kinds = map[string]string{
	"object": "a mapping", "array": "a list", "string": "a string", "boolean": "true or false",
	"integer": "a whole number",
}

// expected describes what a keyword expects. It returns "" if the schema's own description is better.
func expected(keyword string, arg, found *yaml.Node) string {
	switch {
	case keyword == "type":
		return kinds[arg.Value]
	case keyword == "const":
		return arg.Value
	case keyword == "enum":
		return oneOf(found, arg)
	case keyword == "minLength" && found.Value == "":
		return "a string that is not empty"
	case keyword == "maxLength":
		return fmt.Sprintf("at most %s characters, found %d", arg.Value, utf8.RuneCountInString(found.Value))
	case keyword == "minItems":
		return fmt.Sprintf("at least %s in it, found %d", arg.Value, len(found.Content))
	case keyword == "maxItems":
		return fmt.Sprintf("at most %s in it, found %d", arg.Value, len(found.Content))
	case keyword == "minimum":
		return "a number from " + arg.Value
	case keyword == "maximum":
		return "a number up to " + arg.Value
	}
	return ""
}

// described returns the first sentence of the schema's own description.
func described(schema *yaml.Node) string {
	_, text := yamldoc.Member(schema, "description")
	if text == nil {
		return "another value"
	}
	first, _, _ := strings.Cut(strings.TrimSuffix(text.Value, "."), ". ")
	if letters := []rune(first); len(letters) > 1 && !unicode.IsUpper(letters[1]) {
		first = strings.ToLower(first[:1]) + first[1:]
	}
	return first
}

func oneOf(n, enum *yaml.Node) string {
	var known []string
	for _, w := range enum.Content {
		known = append(known, w.Value)
	}
	cure := ""
	if near := words.Nearest(n.Value, known); near != "" && n.Kind == yaml.ScalarNode {
		cure = "; did you mean " + near + "?"
	}
	return "one of " + strings.Join(known, ", ") + cure
}
