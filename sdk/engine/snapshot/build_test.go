package snapshot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

const schema = `{"type":"object","required":["phase"],"properties":{
	"phase":{"type":"string","minLength":1},"round":{"type":["integer","null"],"minimum":1,"maximum":9},
	"mode":{"anyOf":[{"const":"full"},{"const":"quick"}]},
	"a/b~c d":{"type":"boolean"}}}`

func manifest() *wire.Manifest {
	return &wire.Manifest{
		ABI: 1, Name: "toy", Schemas: map[string]string{"state": schema},
		Documents: []wire.DocumentSpec{
			{Glob: "state.json", Format: wire.JSON, Need: wire.Content, Schema: "state"},
			{Glob: "log.jsonl", Format: wire.JSONLines, Need: wire.Content, Schema: "state"},
			{Glob: "free.json", Format: wire.JSON, Need: wire.Content, Duplicates: wire.Allow},
			{Glob: "*.md", Format: wire.Markdown, Need: wire.Summary,
				Probes: []wire.Probe{{Name: "todo", Literal: "TODO"}, {Name: "done", Line: `^- \[x\]`}}},
			{Glob: "*", Need: wire.Listed},
			{Glob: "rounds/*/", Need: wire.Listed},
			{Glob: "tracker.yaml", Format: wire.YAML, Need: wire.Content, Schema: "state"},
		},
	}
}

func build(t *testing.T, files ...snapshot.File) *wire.Request {
	t.Helper()
	r, err := snapshot.Build(manifest(), snapshot.Input{Root: "r", Name: "r", Files: files})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func state(text string) snapshot.File { return file("state.json", 0, text) }

func file(path string, spec int, text string) snapshot.File {
	return snapshot.File{Path: path, Spec: spec, Size: int64(len(text)), Data: []byte(text)}
}

// TestFaults checks the messages for damaged documents and their locations.
func TestFaults(t *testing.T) {
	tests := map[string]struct {
		file snapshot.File
		want []string // rule kind line start-end
	}{
		"healthy":            {state(`{"phase":"a"}`), nil},
		"byte-order mark":    {state("\ufeff" + `{"phase":"a"}`), nil},
		"null is for schema": {state(`null`), []string{"schema schema 1 0-4"}},
		"empty":              {state(""), []string{"unreadable-document syntax 1 0-0"}},
		"truncated":          {state("{\n\"phase\": \"a"), []string{"unreadable-document syntax 2 13-13"}},
		"not UTF-8":          {state("{\"phase\":\n\"\xe9\"}"), []string{"unreadable-document encoding 2 0-0"}},
		"UTF-16":             {state("\xff\xfe{\x00}\x00"), []string{"unreadable-document encoding 1 0-0"}},
		"NUL":                {state("{\x00}"), []string{"unreadable-document encoding 1 0-0"}},
		"repeated key": {state("{\"phase\":\"a\",\r\n\"phase\":\"b\"}"),
			[]string{"unreadable-document duplicate-key 2 15-22"}},
		"repeat allowed": {file("free.json", 2, `{"a":1,"a":2}`), nil},
		"deep":           {state(strings.Repeat("[", 100_000)), []string{"unreadable-document syntax 1 512-512"}},
		"huge number":    {state(`{"phase":"a","round":1e10000000}`), []string{"schema number 1 21-31"}},
		"out of range":   {state(`{"phase":"a","round":1e20}`), []string{"schema schema 1 21-25"}},
		"two breaches": {state(`{"phase":"","round":"4"}`),
			[]string{"schema schema 1 9-11", "schema schema 1 20-23"}},
		"choice":  {state(`{"phase":"a","mode":"slow"}`), []string{"schema schema 1 20-26"}},
		"odd key": {state(`{"phase":"a","a/b~c d":1}`), []string{"schema schema 1 23-24"}},
		"missing": {state(`{}`), []string{"schema schema 1 0-1"}},
		"second line of log": {file("log.jsonl", 1, "{\"phase\":\"a\"}\n\n{\"phase\":1}\n"),
			[]string{"schema schema 3 24-25"}},
		"YAML": {file("tracker.yaml", 6, "# a\nphase: x\nround: 3\n"), nil},
		"YAML, wrong": {file("tracker.yaml", 6, "# a\nphase: x # y\nround: '3'\n"),
			[]string{"schema schema 3 24-27"}},
		"YAML, missing": {file("tracker.yaml", 6, "\nround: 3\n"), []string{"schema schema 2 1-2"}},
		"YAML, empty":   {file("tracker.yaml", 6, "# nothing\n"), []string{"schema schema 1 0-0"}},
		"YAML, a tab":   {file("tracker.yaml", 6, "a:\n\tb: 1\n"), []string{"unreadable-document syntax 2 3-8"}},
		"YAML, a key twice": {file("tracker.yaml", 6, "phase: x\nphase: y\n"),
			[]string{"unreadable-document duplicate-key 2 9-14"}},
		"YAML, a conflict": {file("tracker.yaml", 6,
			"phase: x\n<<<<<<< HEAD\nround: 1\n=======\nround: 2\n>>>>>>> b\n"),
			[]string{"unreadable-document conflict 2 9-21"}},
		"directory": {snapshot.File{Path: "state.json", Kind: snapshot.Directory},
			[]string{"not-a-file special 0 0-0"}},
		"link": {snapshot.File{Path: "state.json", Kind: snapshot.Symlink},
			[]string{"not-a-file link 0 0-0"}},
		"pipe": {snapshot.File{Path: "state.json", Kind: snapshot.Special, Detail: "a named pipe"},
			[]string{"not-a-file special 0 0-0"}},
		"binary, only listed": {file("x.png", 4, "\xff\xd8"), nil},
		"binary report":       {file("x.md", 3, "\xff\xd8"), []string{"unreadable-document encoding 1 0-0"}},
		"beyond reading": {snapshot.File{Path: "x.md", Spec: 3, Size: 1 << 40, TooLarge: true},
			[]string{"too-large size 0 0-0"}},
		"over the limit": {state(`{"phase":"` + strings.Repeat("a", snapshot.MaxContent) + `"}`),
			[]string{"too-large size 0 0-0"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc := build(t, test.file).Documents[0]
			var got []string
			for _, f := range doc.Faults {
				got = append(got, fmt.Sprintf("%s %s %d %d-%d", f.Rule, f.Kind, f.Line, f.Start, f.End))
				if f.Message == "" || f.Key == "" {
					t.Errorf("a fault without message or key: %+v", f)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q\n%+v", got, test.want, doc.Faults)
			}
		})
	}
}

// TestYAMLIsGivenAsJSON checks that YAML arrives as JSON with the line numbers of the YAML text.
func TestYAMLIsGivenAsJSON(t *testing.T) {
	text := "# sprint\nphase: x\n\nround:\n  3\n"
	r := build(t, file("tracker.yaml", 6, text))
	if got, want := r.Documents[0].Text, "\n{\"phase\":\"x\",\n\n\"round\":\n3}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	places := snapshot.NewResolver(r.Documents)
	for _, c := range []struct {
		at   wire.Range
		want string
	}{
		{wire.Range{Path: "tracker.yaml", Pointer: "/round"}, "5:3 3"},
		{wire.Range{Path: "tracker.yaml", Pointer: "/round", Key: true}, "4:1 round"},
		{wire.Range{Path: "tracker.yaml", Pointer: "/phase/none"}, "2:1 phase"},
		{wire.Range{Path: "tracker.yaml", Line: 2}, "2:1 phase: x"},
		{wire.Range{Path: "tracker.yaml", Bytes: true, Start: 2, End: 4}, "0:0 "},
	} {
		p := places.Place(c.at)
		if got := fmt.Sprintf("%d:%d %s", p.Line, p.Column, text[p.Start:p.End]); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.at, got, c.want)
		}
	}
}

func TestMessagesNameFoundAndExpected(t *testing.T) {
	doc := build(t, state(`{"phase":"a","round":"4"}`)).Documents[0]
	if got, want := doc.Faults[0].Message, `round is "4", expected an integer or null`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := doc.Faults[0].Pointer, "/round"; got != want {
		t.Errorf("got pointer %q, want %q", got, want)
	}
}

func TestSummary(t *testing.T) {
	text := "# One\n\ntext TODO TODO\n```\n# not a heading\n```\n## Two ##\n- [x] a\n- [x] b\r\n\nlast"
	doc := build(t, file("x.md", 3, text)).Documents[0]
	s := doc.Summary
	if s.Lines != 11 || s.Words != 21 {
		t.Errorf("got %d lines and %d words", s.Lines, s.Words)
	}
	if want := []wire.HeadingLine{{Level: 1, Line: 1, Text: "One"},
		{Level: 2, Line: 7, Text: "Two"}}; !slices.Equal(s.Headings, want) {
		t.Errorf("got headings %+v", s.Headings)
	}
	want := []wire.ProbeCount{{Name: "todo", Count: 1, LastLine: 3, LastText: "text TODO TODO"},
		{Name: "done", Count: 2, LastLine: 9, LastText: "- [x] b"}}
	if !slices.Equal(s.Probes, want) {
		t.Errorf("got probes %+v", s.Probes)
	}
	if got := s.Tail[len(s.Tail)-1]; got != "last" {
		t.Errorf("got last line %q", got)
	}
	if doc.Text != "" {
		t.Error("a summary carries no text")
	}
}

func TestWordsOfHollowDocuments(t *testing.T) {
	for text, want := range map[string]int{"": 0, " \n\t\r\n": 0, "\ufeff": 0, "\u00a0\u3000": 0, "é x": 2} {
		if got := build(t, file("x.md", 3, text)).Documents[0].Summary.Words; got != want {
			t.Errorf("%q: got %d words, want %d", text, got, want)
		}
	}
}

func TestDigestReadsLineEndingsAlike(t *testing.T) {
	a := build(t, file("x.md", 3, "a\nb")).Documents[0]
	b := build(t, file("x.md", 3, "\ufeffa\r\nb")).Documents[0]
	if a.Digest != b.Digest || a.Digest == "" {
		t.Errorf("got %q and %q", a.Digest, b.Digest)
	}
	if !b.BOM || a.BOM {
		t.Errorf("byte-order marks: %v and %v", a.BOM, b.BOM)
	}
}

func TestUnchangedBaseIsShared(t *testing.T) {
	in := snapshot.Input{Files: []snapshot.File{state(`{"phase":"a"}`), file("a.md", 3, "x")}}
	in.Base = snapshot.InputBase{State: wire.BaseAt,
		Files: []snapshot.File{state(`{"phase":"a"}`), file("a.md", 3, "y")}}
	r, err := snapshot.Build(manifest(), in)
	if err != nil {
		t.Fatal(err)
	}
	if r.Base.Documents[0].Same || !r.Base.Documents[1].Same {
		t.Errorf("got %+v", r.Base.Documents)
	}
}

func TestSchemaMayNotLeaveThePlugin(t *testing.T) {
	for _, ref := range []string{"file:///etc/passwd", "http://127.0.0.1/x", "other", "../x"} {
		m := manifest()
		m.Schemas["state"] = fmt.Sprintf(`{"$ref":%q}`, ref)
		if _, err := snapshot.NewBuilder(m); err == nil {
			t.Errorf("a reference to %s is taken", ref)
		}
	}
}

func TestSchemasMayReferToEachOther(t *testing.T) {
	m := manifest()
	m.Schemas["phase"] = `{"const":"b"}`
	m.Schemas["state"] = `{"properties":{"phase":{"$ref":"phase"}}}`
	r, err := snapshot.Build(m, snapshot.Input{Files: []snapshot.File{state(`{"phase":"a"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Documents[0].Faults) != 1 {
		t.Errorf("got %+v", r.Documents[0].Faults)
	}
}

func TestOptions(t *testing.T) {
	m := manifest()
	m.Options = `{"type":"object","properties":{"days":{"type":"integer"}},"additionalProperties":false}`
	for options, ok := range map[string]bool{"": true, `{"days":3}`: true, `{"days":"3"}`: false, `{"day":3}`: false,
		`{`: false} {
		if _, err := snapshot.Build(m, snapshot.Input{Options: options}); (err == nil) != ok {
			t.Errorf("%s: got %v", options, err)
		}
	}
}
