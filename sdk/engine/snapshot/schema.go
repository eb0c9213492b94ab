package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// A schemaSet maps names to a manifest's compiled schemas; the schema of the options has the name "".
type schemaSet map[string]*jsonschema.Schema

// schemaURL is the base URL of bundled schemas, so that they can refer to one another by name.
const schemaURL = "stategate:///schemas/"

const optionsURL = "stategate:///options"

func compileSchemas(m *wire.Manifest) (*schemaSet, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	// The library opens file:// URLs by default; allow only bundled schemas.
	c.LoadURL = func(url string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("the schema refers to %s; only the plugin's own schemas may be referred to", url)
	}
	names := slices.Sorted(maps.Keys(m.Schemas))
	for _, name := range names {
		if err := c.AddResource(schemaURL+name, strings.NewReader(m.Schemas[name])); err != nil {
			return nil, schemaFault("schema "+name, m.Schemas[name], err)
		}
	}
	set := schemaSet{}
	for _, name := range names {
		s, err := c.Compile(schemaURL + name)
		if err != nil {
			return nil, schemaFault("schema "+name, m.Schemas[name], err)
		}
		set[name] = s
	}
	return &set, set.compileOptions(c, m.Options)
}

func (s schemaSet) compileOptions(c *jsonschema.Compiler, text string) error {
	if text == "" {
		return nil
	}
	if err := c.AddResource(optionsURL, strings.NewReader(text)); err != nil {
		return schemaFault("the schema of the options", text, err)
	}
	compiled, err := c.Compile(optionsURL)
	if err != nil {
		return schemaFault("the schema of the options", text, err)
	}
	s[""] = compiled
	return nil
}

// schemaFault says where and why a schema is not valid.
func schemaFault(name, text string, err error) error {
	doc, syntax := jsondoc.Parse(text)
	if syntax != nil {
		return fmt.Errorf("%s is not valid JSON: %w", name, syntax)
	}
	if wrong := (*jsonschema.ValidationError)(nil); errors.As(err, &wrong) {
		first := breaches(wrong, doc)[0]
		return fmt.Errorf("%s, line %d: %s", name, first.Line, first.Message)
	}
	if in := (*jsonschema.SchemaError)(nil); errors.As(err, &in) {
		err = in.Err
	}
	return fmt.Errorf("%s: %s", name, strings.NewReplacer(schemaURL, "", "jsonschema: ", "").Replace(err.Error()))
}

// An OptionsError says that a project's options do not match the plugin's schema.
type OptionsError struct {
	Pointer string // RFC 6901, to the fault
	Key     bool   // the key is wrong, not its value
	Message string
	Found   string   // the wrong name; "" if the fault is not a name
	Among   []string // the names that are allowed there
}

func (e *OptionsError) Error() string { return e.Message }

// checkOptions validates options with their compiled schema.
func (s schemaSet) checkOptions(text, schema string) error {
	if text == "" {
		return nil
	}
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return &OptionsError{Message: "the options are not valid JSON: " + err.Error()}
	}
	if s[""] == nil {
		return &OptionsError{Message: "the plugin has no options, found " + firstBytes(text)}
	}
	list := s.check("", doc)
	if len(list) == 0 {
		return nil
	}
	b := &list[0]
	message := b.Message
	if rest, ok := strings.CutPrefix(message, "the document"); ok {
		message = "the mapping" + rest
	}
	e := &OptionsError{Pointer: b.Pointer, Key: b.key, Message: "options: " + message}
	e.Found, e.Among = b.name(doc, schema)
	if b.key {
		e.Message = "options: the key " + firstBytes(jsondoc.Quote(e.Found)) + " is not known here"
	}
	return e
}

// name returns the wrong name in a breach, and the names that the schema allows there.
func (b *breach) name(doc *jsondoc.Document, schema string) (found string, among []string) {
	text, err := jsondoc.Parse(schema)
	if err != nil {
		return "", nil
	}
	at, _ := text.Lookup(b.schema)
	if b.key {
		m, _ := doc.LookupMember(b.Pointer)
		for _, known := range at.Get("properties").Members() {
			among = append(among, known.Key)
		}
		slices.Sort(among)
		return m.Key, among
	}
	v, _ := doc.Lookup(b.Pointer)
	found, _ = v.Text()
	for _, word := range at.Get("enum").Elements() {
		if w, ok := word.Text(); ok {
			among = append(among, w)
		}
	}
	return found, among
}

// check returns the schema breaches in document order.
func (s schemaSet) check(name string, doc *jsondoc.Document) []breach {
	if f := hugeNumber(doc); f != nil {
		return []breach{{DocumentFault: *f}}
	}
	err := validate(s[name], plain(doc.Root()))
	if err == nil {
		return nil
	}
	var wrong *jsonschema.ValidationError
	if !errors.As(err, &wrong) {
		return []breach{{DocumentFault: wire.DocumentFault{Rule: wire.RuleSchema, Kind: "schema", Key: "validator",
			Message: err.Error()}}}
	}
	return breaches(wrong, doc)
}

// faults returns the breaches as document faults, without the parts of the schema that they violate.
func (s schemaSet) faults(name string, doc *jsondoc.Document) (list []wire.DocumentFault) {
	for _, b := range s.check(name, doc) {
		list = append(list, b.DocumentFault)
	}
	return list[:min(len(list), maxBreaches)]
}

// validate recovers from panics in the validator, because they concern only one document.
func validate(s *jsonschema.Schema, v any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cannot check the document against its schema: %v", p)
		}
	}()
	return s.Validate(v)
}

// plain converts a value for the validator; if a key is repeated, the last one wins.
func plain(v jsondoc.Value) any {
	switch v.Kind() {
	case jsondoc.Object:
		m := make(map[string]any, v.Len())
		for _, member := range v.Members() {
			m[member.Key] = plain(member.Value)
		}
		return m
	case jsondoc.Array:
		list := make([]any, 0, v.Len())
		for _, e := range v.Elements() {
			list = append(list, plain(e))
		}
		return list
	case jsondoc.Number:
		return json.Number(v.Raw())
	case jsondoc.Null, jsondoc.Absent:
		return nil
	}
	if b, ok := v.Bool(); ok {
		return b
	}
	text, _ := v.Text()
	return text
}

func breaches(e *jsonschema.ValidationError, doc *jsondoc.Document) []breach {
	lines := jsondoc.NewLines(doc.Text())
	var list []breach
	for _, leaf := range FirstLeaves(e) {
		for _, b := range breachesOf(leaf, doc, lines) {
			if !slices.ContainsFunc(list, func(g breach) bool { return g.Key == b.Key && g.Message == b.Message }) {
				list = append(list, b)
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		if list[i].Start != list[j].Start {
			return list[i].Start < list[j].Start
		}
		return list[i].Key+list[i].Message < list[j].Key+list[j].Message
	})
	return list[:min(len(list), maxBreaches)]
}
