package snapshot

import (
	"reflect"
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// FuzzSchema checks that an untrusted schema and an untrusted document always give the same breaches, inside the
// document, and that no schema is fetched.
func FuzzSchema(f *testing.F) {
	for _, schema := range []string{
		`{"type":"object","required":["a"],"additionalProperties":false}`, `{"$ref":"file:///etc/passwd"}`,
		`{"$ref":"http://127.0.0.1:1/x"}`, `{"$ref":"#"}`,
		`{"$id":"http://x/y","$defs":{"a":{"enum":[1,"b"]}},"items":{"$ref":"#/$defs/a"}}`, `{"pattern":"^(a+)+$"}`,
		`{"multipleOf":0.1,"maximum":1e300}`,
		`{"anyOf":[{"type":"null"},{"minItems":2,"uniqueItems":true}]}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]}}`,
		`{"patternProperties":{"[":{}}}`,
	} {
		for _, text := range []string{`{"a":1,"b":[2,"x"]}`, `["a",1.5,null]`, `"aaaaaaaaaa!"`} {
			f.Add(schema, text)
		}
	}
	f.Fuzz(func(t *testing.T, schema, text string) {
		if len(schema) > 500 || len(text) > 500 {
			return // outside of tests, the worker's deadline limits the time
		}
		look := func() []wire.DocumentFault {
			b, err := NewBuilder(&wire.Manifest{
				Documents: []wire.DocumentSpec{{Glob: "a.json", Format: wire.JSON, Need: wire.Content, Schema: "s"}},
				Schemas:   map[string]string{"s": schema},
			})
			if err != nil {
				return nil
			}
			r, err := b.Build(Input{Files: []File{{Path: "a.json", Size: int64(len(text)), Data: []byte(text)}}})
			if err != nil {
				return nil
			}
			return r.Documents[0].Faults
		}
		first := look()
		if again := look(); !reflect.DeepEqual(first, again) {
			t.Fatalf("got %+v, then %+v", first, again)
		}
		for _, fault := range first {
			if fault.Start < 0 || fault.Start > fault.End || fault.End > len(text) ||
				len(fault.Message) > wire.MaxText {
				t.Fatalf("got %+v", fault)
			}
		}
	})
}
