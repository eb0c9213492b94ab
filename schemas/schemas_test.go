package schemas

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"go.yaml.in/yaml/v3"
)

func compiled(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A spoiling replaces one text in a good sample; the schema must reject the result.
type spoiling struct{ old, new string }

func objects(t *testing.T, s *jsonschema.Schema, good string, parse func(string) (any, error), spoilings []spoiling) {
	t.Helper()
	v, err := parse(good)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Fatalf("%#v", err)
	}
	for _, c := range spoilings {
		if strings.Count(good, c.old) != 1 {
			t.Errorf("the sample has %q %d times, expected once", c.old, strings.Count(good, c.old))
			continue
		}
		v, err := parse(strings.Replace(good, c.old, c.new, 1))
		if err != nil {
			t.Errorf("%q: %v", c.new, err)
			continue
		}
		if s.Validate(v) == nil {
			t.Errorf("accepted %q in place of %q", c.new, c.old)
		}
	}
}

func TestOutput(t *testing.T) {
	parse := func(text string) (v any, err error) { return v, json.Unmarshal([]byte(text), &v) }
	objects(t, compiled(t, Output), read(t, "testdata/output.json"), parse, []spoiling{
		{`"format": 1`, `"format": 2`},
		{`"gate": "incomplete"`, `"gate": "open"`},
		{`"gate": "incomplete"`, `"gates": "incomplete"`},
		{`"source": "worktree"`, `"source": "disk"`},
		{`"role": "merge-base"`, `"role": "main"`},
		{`"rev": "origin/main", `, ``},
		{`"scope": "all"`, `"scope": "some"`},
		{`"run": {"lifecycle": "review-round", "subject": "round-1"}`, `"run": {"subject": "round-1"}`},
		{`"warnings": 2, `, ``},
		{`"errors": 1`, `"errors": -1`},
		{`"lifecycle": "review", `, ``},
		{`"fit": "behind"`, `"fit": ""`},
		{`"state": "active"`, `"state": "running"`},
		{`"rounds": 3`, `"rounds": 3.5`},
		{`"standards": true`, `"standards": null`},
		{`{"name": "a", "words": "1"}`, `["a", "1"]`},
		{`"rule": "ocr/round-beyond-files"`, `"rule": "round-beyond-files"`},
		{`"severity": "error"`, `"severity": "off"`},
		{`"line": 8, "column": 20`, `"line": 0, "column": 20`},
		{`"line": 8, "column": 20`, `"column": 20`},
		{`"end_line": 8, `, ``},
		{`"safety": "safe"`, `"safety": "yes"`},
		{`"kind": "timeout"`, `"kind": "cancelled"`},
		{`"fingerprint": "3c5b"`, `"fingerprint": ""`},
	})
}

func TestOutputWithoutFailuresIsNotIncomplete(t *testing.T) {
	s := compiled(t, Output)
	for gate, want := range map[string]bool{"open": true, "closed": true, "incomplete": false} {
		var v any
		text := `{"format":1,"version":"1","gate":"` + gate +
			`","source":"index","workspace_root":"","base":[],"scope":"all","policy":"",` +
			`"plugins":[],"declined":[],"excluded":[],` +
			`"summary":{"instances":0,"runs":0,"errors":0,"warnings":0,"infos":0,"failures":0},"instances":[],"runs":[],"failures":[]}`
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != want {
			t.Errorf("gate %s: %v", gate, err)
		}
	}
}

func TestConfig(t *testing.T) {
	parse := func(text string) (v any, err error) { return v, yaml.Unmarshal([]byte(text), &v) }
	s := compiled(t, Config)
	objects(t, s, read(t, "testdata/config.yaml"), parse, []spoiling{
		{"fail_on: warning", "fail_on: off"},
		{"fail_on: warning", "fail-on: warning"},
		{"ocr/schema: info", "ocr/schema: fatal"},
		{"ocr/schema: info", "OCR: info"},
		{"path: tools/flow.wasm", "file: tools/flow.wasm"},
		{"path: tools/flow.wasm", "{}"},
		{"sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 # pinned", "sha256: E3B0"},
		{"disable: [autopilot]", "disable: autopilot"},
		{"stale_after_days: 7", "7"},
		{"reason: kept", "why: kept"},
		{"until: \"2026-12-31\"", "until: \"soon\""},
		{"exclude: [third_party/**]", "exclude: [\"\"]"},
		{"instance: 5s", "instance: 5 minutes"},
		{"guest: 128MiB", "guest: 128MB"},
		{"diagnostics: 1000", "diagnostics: 0"},
	})
	if err := s.Validate(map[string]any{}); err != nil {
		t.Errorf("an empty configuration is refused: %v", err)
	}
}

func TestDeclare(t *testing.T) {
	parse := func(text string) (v any, err error) { return v, yaml.Unmarshal([]byte(text), &v) }
	objects(t, compiled(t, Declare), read(t, "testdata/declare.yaml"), parse, []spoiling{
		{"declare: 1", "declare: 2"},
		{"declare: 1", "declares: 1"},
		{"workflow: lab", "workflow: The Lab"},
		{"version: 1.0.0", "version: one"},
		{"  list: {file", "  it: {file"},
		{"file: lab.json", "file: lab.json, files: x"},
		{"file: lab.json", "names: true"},
		{"state: it.status", "title: it.id"},
		{"key: it.id", "title: it.id"},
		{"keep: true", "keep: yes please"},
		{"moves: {open: [done], done: }", "moves: [open]"},
		{"active: [running]", "active: running"},
		{"progress: experiment", "progress: {each: experiment}"},
		{"severity: warning", "severity: fatal"},
		{"say: none", "says: none"},
		{"set: it.status, to: open", "set: it.status"},
		{"set: it.status, to: open", "set: it.status, to: open, steps: [x]"},
		{"each: {l: list, e: l.experiments}", "each: {}"},
		{"  result-missing:", "  ResultMissing:"},
		{"next: {say: continue}", "then: {say: continue}"},
	})
}
