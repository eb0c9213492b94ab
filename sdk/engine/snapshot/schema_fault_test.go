package snapshot

import (
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestSchemaFaults checks that an invalid schema is reported with the location and the first cause of the fault.
func TestSchemaFaults(t *testing.T) {
	for text, want := range map[string]string{
		"{\"type\": \"object\",\n \"properties\": {\"phase\": {\"type\": \"strng\"}}}": "schema state, line 2: " +
			"properties.phase.type is \"strng\": none of the allowed forms matches: " +
			`expected array, but got string; value must be one of "array", "boolean", "integer", "null", ` +
			`"number", "object", "string"`,
		"{\"type\": \"object\",\n \"properties\": {\"phase\": }}": "schema state is not valid JSON: line 2, " +
			`column 26: expected the value of "phase", found }`,
		`{"properties": {"a": {"pattern": "("}}}`: `schema state, line 1: properties.a.pattern is "(": '(' is not valid 'regex'`,
		`{"required": "a", "minLength": -1}`:      `schema state, line 1: required is "a", expected an array`,

		`[]`: "schema state, line 1: the document is an array, expected an object or a boolean",
		`{"$ref": "nope"}`: "schema state: the schema refers to nope; only the plugin's own schemas may be referred " +
			"to",
		`{"$ref": "#/$defs/x"}`:      "schema state: state#/$defs/x not found",
		`{"allOf": [{"$ref": "#"}]}`: "schema state: infinite loop state#/allOf/0/$ref",
	} {
		_, err := compileSchemas(&wire.Manifest{Schemas: map[string]string{"state": text}})
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}
