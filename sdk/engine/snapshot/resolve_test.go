package snapshot_test

import (
	"fmt"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

func TestPlace(t *testing.T) {
	docs := []wire.Document{
		{Path: "a.json", Need: wire.Content, Text: "{\n  \"ü\": {\"b\": [10, 20]},\r\n  \"c\": 3\n}\n"},
		{Path: "bad.json", Need: wire.Content, Text: "{"},
		{Path: "a.jsonl", Format: wire.JSONLines, Need: wire.Content,
			Text: "{\"a\": 1}\n\n  {\"ü\": {\"b\": [10, 20]}}\r\n{bad\n[1]"},
		{Path: "a.md", Need: wire.Content, Text: "# é→ x\r\n\n  last"},
		{Path: "far.md", Need: wire.Summary},
		{Path: "d/", Dir: true},
	}
	tests := []struct {
		at   sdk.Range
		want string
	}{
		{sdk.AtPointer("a.json", "/c"), "3:8-3:9"},
		{sdk.AtPointer("a.json", "/ü/b/1"), "2:19-2:21"},
		{sdk.AtKey("a.json", "/ü"), "2:3-2:6"},
		{sdk.AtKey("a.json", "/ü/b/1"), "2:19-2:21"},
		{sdk.AtPointer("a.json", "/ü/x/y"), "2:3-2:6"},
		{sdk.AtPointer("a.json", "/x/y"), "1:1-1:2"},
		{sdk.AtPointer("bad.json", "/x"), "-"},
		{sdk.AtPointer("a.jsonl", "/0/a"), "1:7-1:8"},
		{sdk.AtPointer("a.jsonl", "/2/ü/b/1"), "3:20-3:22"},
		{sdk.AtPointer("a.jsonl", "/0/a"), "1:7-1:8"},
		{sdk.AtKey("a.jsonl", "/2/ü"), "3:4-3:7"},
		{sdk.AtPointer("a.jsonl", "/2/x/y"), "3:3-3:4"},
		{sdk.AtPointer("a.jsonl", "/4/0"), "5:2-5:3"},
		{sdk.AtPointer("a.jsonl", "/0"), "1:1-1:9"},
		{sdk.AtPointer("a.jsonl", "/3/x"), "4:1-4:5"},
		{sdk.AtPointer("a.jsonl", "/5/a"), "-"},
		{sdk.AtPointer("a.jsonl", "/x"), "-"},
		{sdk.AtLine("a.md", 1), "1:1-1:7"},
		{sdk.AtLine("a.md", 3), "3:3-3:7"},
		{sdk.AtLine("a.md", 4), "-"},
		{sdk.AtBytes("a.md", 4, 7), "1:4-1:5"},
		{sdk.AtBytes("a.md", 3, 7), "-"},
		{sdk.AtBytes("a.md", 3, 99), "-"},
		{sdk.AtLine("far.md", 1), "-"},
		{sdk.AtLine("gone.md", 1), "-"},
		{sdk.At("a.md"), "-"},
		{sdk.At("d/"), "-"},
		{sdk.At(""), "-"},
	}
	r := snapshot.NewResolver(docs)
	for _, test := range tests {
		p := r.Place(test.at)
		got := fmt.Sprintf("%d:%d-%d:%d", p.Line, p.Column, p.EndLine, p.EndColumn)
		if p.Line == 0 {
			got = "-"
		}
		if got != test.want || p.Path != test.at.Path {
			t.Errorf("%+v is at %s of %q, want %s", test.at, got, p.Path, test.want)
		}
	}
	if p := r.Place(sdk.AtPointer("a.json", "/ü/b")); p.Excerpt != `  "ü": {"b": [10, 20]},` {
		t.Errorf("excerpt %q", p.Excerpt)
	}
}

func TestVerdict(t *testing.T) {
	m := &wire.Manifest{Rules: []wire.Rule{{Name: "x-wrong", Severity: wire.Warning}}}
	fault := func(pointer string, line int) wire.DocumentFault {
		return wire.DocumentFault{Rule: wire.RuleSchema, Pointer: pointer, Line: line, Start: 1, End: 2,
			Message: "breach " + pointer}
	}
	request := &wire.Request{Documents: []wire.Document{
		{Path: "b.json", Need: wire.Content, Text: "{}", Faults: []wire.DocumentFault{
			fault("/a", 1), fault("/b", 1), fault("/c", 1)}},
		{Path: "link", Need: wire.Listed, Faults: []wire.DocumentFault{{Rule: wire.RuleNotAFile, Message: "link"}}},
	}}
	report := &wire.Report{
		Diagnostics: []wire.Diagnostic{
			{Rule: "x-wrong", Range: sdk.At("z"), Message: "inherits",
				Related: []wire.Related{{Range: sdk.AtLine("b.json", 1)}}},
			{Rule: "x-wrong", Severity: wire.Info, Range: sdk.At("a"), Message: "lower"},
			{Rule: "x-wrong", Severity: wire.Off, Range: sdk.At("a"), Message: "silent"},
		},
		Overrides: []wire.Override{
			{Path: "b.json", Rule: wire.RuleSchema, Pointer: "*", Severity: wire.Warning},
			{Path: "b.json", Rule: wire.RuleSchema, Pointer: "/b", Severity: wire.Off},
			{Path: "b.json", Rule: wire.RuleUnreadable, Pointer: "*", Severity: wire.Off},
			{Path: "link", Rule: wire.RuleNotAFile, Pointer: "/x", Severity: wire.Off},
		},
	}
	var got []string
	for _, f := range snapshot.Verdict(m, request, report) {
		got = append(got, fmt.Sprintf("%s:%d:%d %s %s %v", f.Place.Path, f.Place.Line, f.Place.Column, f.Severity,
			f.Message, f.Host))
		if len(f.RelatedPlaces) != len(f.Related) {
			t.Errorf("%s: %d places for %d related notes", f.Message, len(f.RelatedPlaces), len(f.Related))
		}
	}
	want := []string{"a:0:0 info lower false", "b.json:1:2 warning breach /a true", "b.json:1:2 warning breach /c true",
		"link:0:0 error link true", "z:0:0 warning inherits false"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("verdict\n%q\nwant\n%q", got, want)
	}
	report.Declined = "not mine"
	if list := snapshot.Verdict(m, request, report); list != nil {
		t.Errorf("a declined instance has findings: %v", list)
	}
}

func TestSpecOf(t *testing.T) {
	specs := []wire.DocumentSpec{{Glob: "state.json", Need: wire.Content}, {Glob: "notes/**", Need: wire.Content},
		{Glob: "rounds/*/"}, {Glob: "**/*.md", Need: wire.Content}}
	tests := []struct {
		path string
		kind snapshot.Kind
		want int
	}{
		{"state.json", snapshot.Regular, 0},
		{"state.json", snapshot.Directory, 0},
		{"notes/a/b.md", snapshot.Regular, 1},
		{"notes/a", snapshot.Directory, -1},
		{"rounds/1", snapshot.Directory, 2},
		{"rounds/1/", snapshot.Directory, 2},
		{"rounds/1", snapshot.Regular, -1},
		{"rounds/1/x.md", snapshot.Regular, 3},
		{"rounds/1/x.md", snapshot.Directory, 3},
		{"rounds/1/x.md", snapshot.Symlink, 3},
		{"other", snapshot.Regular, -1},
	}
	for _, test := range tests {
		if got := snapshot.SpecOf(specs, test.path, test.kind); got != test.want {
			t.Errorf("SpecOf(%s, %d) = %d, want %d", test.path, test.kind, got, test.want)
		}
	}
}
