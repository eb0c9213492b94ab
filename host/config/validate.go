package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/host/yamledit"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// maxErrors bounds how many errors are reported at once.
const maxErrors = 5

// schemaURL is where the schema seems to live.
const schemaURL = "stategate:///config"

// validate holds the file against its schema and says what is wrong, from top to
// bottom.
func validate(name string, root *yaml.Node, text string) error {
	data, err := jsonOf(root)
	var wrong *unreadable
	if errors.As(err, &wrong) {
		return &Error{name, wrong.at, wrong.message}
	}
	schema, err := compile(text)
	if err != nil {
		return err
	}
	var value any
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	if err = d.Decode(&value); err == nil {
		err = schema.Validate(value)
	}
	if err == nil {
		return nil
	}
	var breach *jsonschema.ValidationError
	if !errors.As(err, &breach) {
		return &Error{name, positionOf(root), "the configuration cannot be validated against its schema: " + err.Error()}
	}
	b := &breaches{name: name, root: root, schema: &yaml.Node{}}
	if err := yaml.Unmarshal([]byte(text), b.schema); err != nil {
		return fmt.Errorf("read the schema of the configuration: %w", err)
	}
	b.schema = b.schema.Content[0]
	b.collect(breach)
	return b.join()
}

func compile(text string) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.LoadURL = func(url string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("the schema refers to %s", url)
	}
	if err := c.AddResource(schemaURL, strings.NewReader(text)); err != nil {
		return nil, fmt.Errorf("read the schema of the configuration: %w", err)
	}
	s, err := c.Compile(schemaURL)
	if err != nil {
		return nil, fmt.Errorf("compile the schema of the configuration: %w", err)
	}
	return s, nil
}

// breaches collects what the validator found.
type breaches struct {
	name   string
	root   *yaml.Node
	schema *yaml.Node // JSON is YAML
	list   []*Error
}

// collect descends to the innermost errors, but of alternatives only to the choice.
func (b *breaches) collect(e *jsonschema.ValidationError) {
	keyword := path.Base(e.KeywordLocation)
	if len(e.Causes) > 0 && keyword != "anyOf" && keyword != "oneOf" {
		for _, c := range e.Causes {
			b.collect(c)
		}
		return
	}
	pointer := unescaped(e.InstanceLocation)
	node := around(b.root, pointer)
	_, location, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	schema := around(b.schema, path.Dir(unescaped(location)))
	switch {
	case keyword == "additionalProperties":
		b.unknown(pointer, node, schema)
	case strings.Contains(e.KeywordLocation, "/propertyNames/"):
		b.badName(pointer, schema)
	case keyword == "required":
		lacking := strings.ReplaceAll(strings.TrimPrefix(e.Message, "missing properties: "), "'", "")
		b.add(node, "%s lacks %s: write it here", named(b.root, pointer), lacking)
	default:
		b.add(node, "%s is %s, expected %s", named(b.root, pointer), shown(node), expected(keyword, schema, node, e.Message))
	}
}

func (b *breaches) add(n *yaml.Node, format string, args ...any) {
	b.list = append(b.list, &Error{b.name, positionOf(n), fmt.Sprintf(format, args...)})
}

// unknown says which keys of a mapping its schema does not have.
func (b *breaches) unknown(pointer string, n, schema *yaml.Node) {
	_, properties := yamledit.Member(schema, "properties")
	known := keys(properties)
	slices.Sort(known)
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains(known, key.Value) {
			b.add(key, "%s has no key %q; %s", named(b.root, pointer), clipped(key.Value), suggest.OneOf(key.Value, known))
		}
	}
}

func keys(mapping *yaml.Node) (list []string) {
	for i := 0; mapping != nil && i+1 < len(mapping.Content); i += 2 {
		list = append(list, mapping.Content[i].Value)
	}
	return list
}

// badName mentions a key that its mapping does not allow; the last token of the
// location is that key.
func (b *breaches) badName(pointer string, schema *yaml.Node) {
	tokens, err := jsondoc.Tokens(pointer)
	if err != nil || len(tokens) == 0 {
		return
	}
	last := tokens[len(tokens)-1]
	parent := jsondoc.Pointer(tokens[:len(tokens)-1]...)
	at := around(b.root, parent)
	if key, _ := yamledit.Member(at, last); key != nil {
		at = key
	}
	b.add(at, "found %q as a key of %s, expected %s", clipped(last), named(b.root, parent), described(schema, "another name"))
}

// unescaped undoes the validator's percent-encoding of a pointer's tokens.
func unescaped(location string) string {
	tokens := strings.Split(location, "/")
	for i, t := range tokens {
		if plain, err := url.PathUnescape(t); err == nil {
			tokens[i] = plain
		}
	}
	return strings.Join(tokens, "/")
}

// kinds are the types of JSON, for people.
var kinds = map[string]string{
	"object": "a mapping", "array": "a list", "string": "a text", "boolean": "true or false", "integer": "a whole number",
}

// expected says what a keyword asks for.
func expected(keyword string, schema, n *yaml.Node, message string) string {
	switch keyword {
	case "type":
		return kinds[text(schema, "type").Value]
	case "enum":
		_, list := yamledit.Member(schema, "enum")
		var words []string
		for _, t := range texts(list) {
			words = append(words, t.Value)
		}
		cure := ""
		if near := suggest.Nearest(n.Value, words); near != "" && n.Kind == yaml.ScalarNode {
			cure = "; did you mean " + near + "?"
		}
		return "one of " + strings.Join(words, ", ") + cure
	case "uniqueItems":
		return "each value once; " + message
	case "maxItems", "minItems":
		return message
	}
	return described(schema, message)
}

func described(schema *yaml.Node, otherwise string) string {
	if t := text(schema, "description"); t.Value != "" {
		return "this: " + strings.TrimSuffix(t.Value, ".")
	}
	return otherwise
}

func (b *breaches) join() error {
	slices.SortStableFunc(b.list, func(x, y *Error) int {
		return cmp.Or(cmp.Compare(x.At.Line, y.At.Line), cmp.Compare(x.At.Column, y.At.Column), cmp.Compare(x.Message, y.Message))
	})
	b.list = slices.CompactFunc(b.list, func(x, y *Error) bool { return *x == *y })
	var all []error
	for _, e := range b.list[:min(len(b.list), maxErrors)] {
		all = append(all, e)
	}
	if len(all) == 1 {
		return all[0]
	}
	return &Errors{all}
}

// Errors are several at once, from top to bottom.
type Errors struct{ List []error }

func (e *Errors) Error() string { return errors.Join(e.List...).Error() }

// Unwrap returns them.
func (e *Errors) Unwrap() []error { return e.List }

// Usage reports true, see Error.
func (e *Errors) Usage() bool { return true }
