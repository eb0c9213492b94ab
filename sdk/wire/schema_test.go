package wire

import (
	"encoding/json"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/stategate/stategate/schemas"
)

// A node is the part of a schema that these tests read.
type node struct {
	Type       string          `json:"type"`
	Format     string          `json:"format"`
	Ref        string          `json:"$ref"`
	Enum       []string        `json:"enum"`
	Minimum    *int            `json:"minimum"`
	Doc        string          `json:"description"`
	Items      *node           `json:"items"`
	Properties map[string]node `json:"properties"`
	Required   []string        `json:"required"`
	Additional json.RawMessage `json:"additionalProperties"`
	Defs       map[string]node `json:"$defs"`
}

// unlike lists members whose JSON name does not come from a tag, because the tag is "-".
var unlike = map[reflect.Type]map[string]string{
	reflect.TypeFor[Document](): {"text": "#/$defs/Span", "outline": "#/$defs/Span", "same": "boolean"},
	reflect.TypeFor[Range]():    {"bytes": "array"},

	reflect.TypeFor[DocumentFault](): {"bytes": "array"},
}

// beside lists definitions without a Go type, which describe how a member is written.
var beside = []string{"Span", "Table", "Value"}

func TestSchemasAreEqualToTheTypes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		root       reflect.Type
	}{
		{"manifest", schemas.Manifest, reflect.TypeFor[Manifest]()},
		{"request", schemas.Request, reflect.TypeFor[Request]()},
		{"report", schemas.Report, reflect.TypeFor[Report]()},
	} {
		t.Run(c.name, func(t *testing.T) {
			var schema node
			if err := json.Unmarshal([]byte(c.text), &schema); err != nil {
				t.Fatal(err)
			}
			w := &walk{T: t, defs: schema.Defs, met: map[string]bool{}}
			w.object(c.root, schema)
			for name := range schema.Defs {
				if !w.met[name] && !slices.Contains(beside, name) {
					t.Errorf("$defs has %s, which no type needs", name)
				}
			}
		})
	}
}

// A walk compares the definitions in a schema with the types that are reached.
type walk struct {
	*testing.T
	defs map[string]node
	met  map[string]bool
}

func (w *walk) object(typ reflect.Type, n node) {
	w.open(typ.Name(), n)
	left := maps.Clone(n.Properties)
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		p, ok := left[name]
		if !ok {
			w.Errorf("%s has no property %q", typ.Name(), name)
			continue
		}
		delete(left, name)
		w.member(typ.Name()+"."+name, f.Type, p)
	}
	for name, is := range unlike[typ] {
		if p := left[name]; p.Ref != is && p.Type != is {
			w.Errorf("%s.%s is %q %q, expected %q", typ.Name(), name, p.Type, p.Ref, is)
		}
		delete(left, name)
	}
	for name := range left {
		w.Errorf("%s has the property %q, which the type lacks", typ.Name(), name)
	}
}

// open reports an object that would refuse members of a later version.
func (w *walk) open(name string, n node) {
	if n.Type != "object" || n.Additional != nil {
		w.Errorf("%s is %q with additionalProperties %s, expected an open object", name, n.Type, n.Additional)
	}
	if n.Doc == "" {
		w.Errorf("%s has no description", name)
	}
	for _, r := range n.Required {
		if _, ok := n.Properties[r]; !ok {
			w.Errorf("%s requires %q, which it lacks", name, r)
		}
	}
}

func (w *walk) member(name string, typ reflect.Type, n node) {
	if words, ok := vocabularies[typ]; ok {
		w.enum(name, typ, words, n)
		return
	}
	is := func(want string) {
		if n.Type != want {
			w.Errorf("%s has the type %q, expected %q", name, n.Type, want)
		}
	}
	if n.Ref == "" && n.Doc == "" && !strings.HasSuffix(name, "[]") {
		w.Errorf("%s has no description", name)
	}
	switch {
	case typ == timeType:
		is("string")
		if n.Format != "date-time" {
			w.Errorf("%s has the format %q, expected date-time", name, n.Format)
		}
	case typ == valueType:
		w.refers(name, "Value", n)
	case typ.Kind() == reflect.Struct:
		if w.refers(name, typ.Name(), n) {
			w.object(typ, w.defs[typ.Name()])
		}
	case typ.Kind() == reflect.String:
		is("string")
	case typ.Kind() == reflect.Bool:
		is("boolean")
	case typ.Kind() == reflect.Int, typ.Kind() == reflect.Int64:
		is("integer")
		if n.Minimum == nil || *n.Minimum != 0 {
			w.Errorf("%s has no minimum of 0", name)
		}
	case typ.Kind() == reflect.Map:
		is("object")
	case typ.Kind() == reflect.Slice && n.Items != nil:
		is("array")
		w.member(name+"[]", typ.Elem(), *n.Items)
	default:
		w.Errorf("%s is a %s, expected a type that the wire has", name, typ)
	}
}

func (w *walk) enum(name string, typ reflect.Type, words []string, n node) {
	w.refers(name, typ.Name(), n)
	if got := w.defs[typ.Name()].Enum; !slices.Equal(got, words) {
		w.Errorf("%s has the words %q, expected %q", typ.Name(), got, words)
	}
}

// refers reports whether a definition must be walked: it exists and has not been visited.
func (w *walk) refers(name, def string, n node) bool {
	if n.Ref != "#/$defs/"+def {
		w.Errorf("%s refers to %q, expected %s", name, n.Ref, def)
		return false
	}
	if _, ok := w.defs[def]; !ok {
		w.Errorf("$defs lacks %s", def)
		return false
	}
	met := w.met[def]
	w.met[def] = true
	return !met
}

func TestSchemaNamesTheFeaturesAndTheHostRules(t *testing.T) {
	var schema struct {
		Properties struct{ Requires struct{ Items node } }
		Defs       struct {
			Rule struct {
				Properties struct{ Name struct{ Not node } }
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(schemas.Manifest), &schema); err != nil {
		t.Fatal(err)
	}
	if got := schema.Properties.Requires.Items.Enum; !slices.Equal(got, Features) {
		t.Errorf("requires allows %q, expected %q", got, Features)
	}
	if got := schema.Defs.Rule.Properties.Name.Not.Enum; !slices.Equal(got, HostRules) {
		t.Errorf("a rule may not be called %q, expected %q", got, HostRules)
	}
}

func TestEncodedSamplesFitTheirSchemas(t *testing.T) {
	report := compiled(t, "report", schemas.Report)
	request := compiled(t, "request", schemas.Request)
	for seed := range int64(200) {
		m := maker{Rand: rand.New(rand.NewSource(seed)), full: true}
		conforms(t, report, EncodeReport(m.report()))
		header, _, err := split(EncodeRequest(m.request()))
		if err != nil {
			t.Fatal(err)
		}
		conforms(t, request, header)
	}
	conforms(t, report, EncodeReport(&Report{}))
	conforms(t, compiled(t, "manifest", schemas.Manifest), EncodeManifest(valid()))
}

func compiled(t *testing.T, name, text string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	if err := c.AddResource(name, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func conforms(t *testing.T, s *jsonschema.Schema, data []byte) {
	t.Helper()
	if err := s.Validate(parsed(t, data)); err != nil {
		t.Fatalf("%#v\nin %s", err, data)
	}
}
