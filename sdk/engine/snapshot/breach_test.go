package snapshot_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

const strict = `{"type":"object","required":["phase"],"additionalProperties":false,"properties":{"phase":{"enum":["draft","final"]},"stale_days":{"type":"integer","minimum":1},` +
	`"deep":{"$ref":"#/$defs/Deep"}},"$defs":{"Deep":{"type":"object","unevaluatedProperties":false,"properties":{"cost":{"type":"array","items":{"type":"number"}}}}}}`

// Every key that a schema does not allow is a separate breach, located at the key.
func TestUnknownKeysStandAtTheirPlace(t *testing.T) {
	m := &wire.Manifest{
		Schemas:   map[string]string{"s": strict},
		Documents: []wire.DocumentSpec{{Glob: "*.json", Format: wire.JSON, Need: wire.Content, Schema: "s"}},
	}
	text := `{"phase":"draft","zeta":1,"a', 'b":2,"\"":3,` + "\n" + `"deep":{"cots":[1]},"été":4}`
	r, err := snapshot.Build(m, snapshot.Input{Files: []snapshot.File{file("x.json", 0, text)}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Documents[0].Faults {
		if f.Line != 1+strings.Count(text[:f.Start], "\n") || f.Kind != "schema" {
			t.Errorf("%+v", f)
		}
		got = append(got, text[f.Start:f.End]+" "+f.Pointer+": "+f.Message)
	}
	want := []string{
		`"zeta" /zeta: the document has the key "zeta", which its schema does not have`,
		`"a', 'b" /a', 'b: the document has the key "a', 'b", which its schema does not have`,
		`"\"" /": the document has the key "\"", which its schema does not have`,
		`"cots" /deep/cots: deep has the key "cots", which its schema does not have`,
		`"été" /été: the document has the key "été", which its schema does not have`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestOptionsThatAreWrong(t *testing.T) {
	b, err := snapshot.NewBuilder(&wire.Manifest{Options: strict})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		options, pointer, message, found, among string
		key                                     bool
	}{
		{`{"phase":"draft","stale_day":3}`, "/stale_day", `options: the key "stale_day" is not known here`, "stale_day",
			"deep phase stale_days", true},
		{`{"phase":"draft","deep":{"cots":[]}}`, "/deep/cots", `options: the key "cots" is not known here`, "cots",
			"cost", true},
		{`{"phase":"finl"}`, "/phase", `options: phase is "finl", expected one of "draft", "final"`, "finl",
			"draft final", false},
		{`{"phase":"draft","stale_days":"3"}`, "/stale_days", `options: stale_days is "3", expected an integer`, "3",
			"", false},
		{`{"phase":"draft","deep":{"cost":[1,null]}}`, "/deep/cost/1",
			`options: deep.cost.1 is null, expected a number`, "", "", false},
		{`{"deep":{}}`, "", `options: the mapping lacks phase`, "", "", false},
	} {
		var wrong *snapshot.OptionsError
		if !errors.As(b.CheckOptions(c.options), &wrong) {
			t.Errorf("%s: accepted", c.options)
			continue
		}
		if wrong.Pointer != c.pointer || wrong.Message != c.message || wrong.Found != c.found ||
			strings.Join(wrong.Among, " ") != c.among || wrong.Key != c.key {
			t.Errorf("%s: got %+v", c.options, *wrong)
		}
	}
}

// In JSON Lines, the schema applies to each line, and a pointer begins with the line index, from 0.
func TestSchemaOfJSONLines(t *testing.T) {
	m := &wire.Manifest{
		Schemas:   map[string]string{"s": strict},
		Documents: []wire.DocumentSpec{{Glob: "*.jsonl", Format: wire.JSONLines, Need: wire.Content, Schema: "s"}},
	}
	text := `{"phase":"draft"}` + "\n\n" + `{"phase":"finl","deep":{"cost":["x"]}}` + "\n"
	r, err := snapshot.Build(m, snapshot.Input{Files: []snapshot.File{file("x.jsonl", 0, text)}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	resolver := snapshot.NewResolver(r.Documents)
	for _, f := range r.Documents[0].Faults {
		place := resolver.Place(wire.Range{Path: "x.jsonl", Pointer: f.Pointer})
		if f.Line != 3 || place.Start != f.Start || place.End != f.End {
			t.Errorf("%+v is at %+v", f, place)
		}
		got = append(got, f.Pointer)
	}
	if want := []string{"/2/phase", "/2/deep/cost/0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFaultsOfJSONLinesNameTheirLine checks that a message names the line of the document, not of the record.
func TestFaultsOfJSONLinesNameTheirLine(t *testing.T) {
	m := &wire.Manifest{Documents: []wire.DocumentSpec{{Glob: "*.jsonl", Format: wire.JSONLines, Need: wire.Content}}}
	for text, want := range map[string]string{
		"{}\n{\"a\": 1},\n": "the document is not valid JSON: expected the end of the document after the object " +
			"that ends on line 2, found ,",
		"{}\n\n{\"a\": [}\n": "the document is not valid JSON: the array opened on line 3 is closed by }",
		"{}\n{}\n":           "",
	} {
		r, err := snapshot.Build(m, snapshot.Input{Files: []snapshot.File{file("x.jsonl", 0, text)}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range r.Documents[0].Faults {
			got += f.Message
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
