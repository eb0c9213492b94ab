package schemafile

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"go.yaml.in/yaml/v3"
)

func schema(t testing.TB, name string) (string, *jsonschema.Schema) {
	t.Helper()
	text, err := os.ReadFile("../../schemas/" + name)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("s", strings.NewReader(string(text))); err != nil {
		t.Fatal(err)
	}
	return string(text), c.MustCompile("s")
}

// FuzzCheck: exactly the files that the schema accepts are accepted.
func FuzzCheck(f *testing.F) {
	text, published := schema(f, "config.schema.json")
	sample, err := os.ReadFile("../../schemas/testdata/config.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(sample))
	for _, seed := range []string{
		"fail-on: error", "fail_on: errors", "fail_on: 1", "disable: ocr", "disable: [a, a]", "disable: [a, b, 1]",
		"rules: {A: off}", "rules: {a/b: warn}",
		"ignore: [{rules: [a]}]", "ignore: [{reason: b}]", "ignore: [{reason: b, rules: []}]",
		"ignore: [{reason: '', rules: [a]}]", "ignore: [{reason: b, fingerprint: 0123456789abcdef}]",
		"plugins: [{path: a, source: b}]", "plugins: [{name: a}]", "plugins: [{path: a, replace: yes}]",
		"plugins: [{path: a, replace: true}]", "options: {a: 1}", "options: {a: {b: .5, c: [~]}}",
		"limits: {guest: 1e6}", "limits: {guest: 1.5}", "limits: {guest: 0}", "limits: {guest: 1MiB, instance: 5s}",
		"limits: {instance: 5}", "limits: {diagnostics: 99999999999999999999999999}",
		"exclude: ['']", "exclude: [" + strings.Repeat("x", 257) + "]", "baseline: " + strings.Repeat("é", 1024), "[]",
		"x", "limits: []",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		r := &reader{Format: &Format{What: "it", Schema: text, MaxSize: 1 << 16}, name: "c", text: in}
		if r.encoding("", func(int) Position { return Position{} }) != nil {
			return
		}
		root, err := r.document([]byte(in))
		if err != nil || root == nil {
			return
		}
		if r.inspect(root, 0); r.err != nil {
			return
		}
		var value any
		if err := root.Decode(&value); err != nil {
			t.Fatal(err)
		}
		plain, err := JSON(root)
		if err != nil {
			t.Fatalf("%q is not JSON: %v", in, err)
		}
		var v any
		d := json.NewDecoder(strings.NewReader(plain))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		got, want := r.check(value, func() *yaml.Node { return root }), published.Validate(v)
		if (got == nil) != (want == nil) {
			t.Fatalf("%q: got %v, the validator says %v", in, got, want)
		}
	})
}

// TestMissingKey: an error names the missing key. It is reported at the key that needs the missing one, or below the
// error about a key that is probably a misspelling of it.
func TestMissingKey(t *testing.T) {
	f := &Format{What: "it", MaxSize: 100, Schema: `{"type": "object", "properties": {"see": {}, "say": {},
		"documents": {"type": "string", "maxLength": 3}}, "dependentRequired": {"see": ["say"]},
		"required": ["documents"], "additionalProperties": false}`}
	for text, want := range map[string]string{
		"documents: x\nsee: 1\n":         "c:2:1: it lacks say, which see needs",
		"documents: x\nsee: 1\nsay: 1\n": "",
		"say: 1\ndocumnets: x\n": "c:2:1: it has no key \"documnets\"; did you mean documents?\n" +
			"c:2:1: it lacks documents",
		"see: 1\nsay: 1\n":  "c:1:1: it lacks documents",
		"documents: four\n": `c:1:12: documents is "four", expected at most 3 characters, found 4`,
	} {
		var v any
		_, err := f.YAML("c", []byte(text), &v)
		if got := ""; err != nil {
			if got = err.Error(); got != want {
				t.Errorf("%q: got %s, want %s", text, got, want)
			}
		} else if want != "" {
			t.Errorf("%q is accepted, want %s", text, want)
		}
	}
}

// TestUnknownKeyword: a schema keyword that has no message here is still enforced.
func TestUnknownKeyword(t *testing.T) {
	var v any
	f := &Format{What: "it", Schema: `{"type": "object", "dependentSchemas": {"a": false}}`, MaxSize: 100}
	_, err := f.YAML("c", []byte("a: 1\n"), &v)
	if err == nil || err.Error() != "c:1:1: it is a mapping, expected another value" {
		t.Error(err)
	}
}
