package iterativework_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	iterativework "github.com/stategate/stategate/schemas/iterative-work"
)

// TestStateAccepts checks that the schema accepts states that the workflow writes, including early forms, and
// rejects states that it refuses.
func TestStateAccepts(t *testing.T) {
	c := jsonschema.NewCompiler()
	if err := c.AddResource("state", strings.NewReader(iterativework.State)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("state")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		`{"phase":"plan"}`: true,
		`{"phase":"execute","current":"R1","iteration":0}`:                              true,
		`{"phase":"Execute","unknown":{"a":1}}`:                                         true,
		`{"phase":"execute","slug":null,"phases":null,"current_phase":null}`:            true,
		`{"phase":"execute","domain":["research","writing"],"blocked":{"R1":"no key"}}`: true,
		`{"phase":"execute","phases":{"R1":null,"setup":{"status":"done"}}}`:            true,
		`{"phase":"execute","phases":{"R1":{"iterations_used":9999}}}`:                  true,
		`{"phase":"execute","created":"this morning"}`:                                  true,
		`{}`:                            false,
		`[]`:                            false,
		`{"phase":null}`:                false,
		`{"phase":3}`:                   false,
		`{"phase":"plan","slug":7}`:     false,
		`{"phase":"plan","domain":[7]}`: false,
		`{"phase":"plan","current_iteration":-1}`:                         false,
		`{"phase":"plan","iteration":10000}`:                              false,
		`{"phase":"plan","phases":[]}`:                                    false,
		`{"phase":"plan","phases":{"R1":"done"}}`:                         false,
		`{"phase":"plan","phases":{"R1":{"status":1}}}`:                   false,
		`{"phase":"plan","phases":{"R1":{"iterations_used":1.5}}}`:        false,
		`{"phase":"plan","phases":{"R1":{"max_iterations":0}}}`:           false,
		`{"phase":"plan","phases":{"R1":{"verification_passed":"true"}}}`: false,
		`{"phase":"plan","phases":{"R1":{"completed_at":1768561200}}}`:    false,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != want {
			t.Errorf("%s: got %v, expected it to be accepted: %t", text, err, want)
		}
	}
}
