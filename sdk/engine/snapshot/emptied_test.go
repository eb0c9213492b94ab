package snapshot_test

import (
	"fmt"
	"testing"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// TestEmptied checks that a document that lost all of its content since the base is reported, unless the plugin
// reports a fault in the document.
func TestEmptied(t *testing.T) {
	content := func(text string) wire.Document {
		return wire.Document{Path: "a.md", Format: wire.Markdown, Need: wire.Content, Size: int64(len(text)),
			Text: text}
	}
	summary := func(size int64) wire.Document {
		return wire.Document{Path: "a.md", Format: wire.Markdown, Need: wire.Summary, Size: size}
	}
	warned := []wire.Diagnostic{{Rule: "wrong", Severity: wire.Warning, Range: wire.Range{Path: "a.md"},
		Message: "nothing in it"}}
	noted := []wire.Diagnostic{{Rule: "wrong", Severity: wire.Info, Range: wire.Range{Path: "a.md"}, Message: "short"}}
	manifest := &wire.Manifest{Rules: []wire.Rule{{Name: "wrong", Severity: wire.Warning}}}
	for _, c := range []struct {
		name     string
		was, now wire.Document
		plugin   []wire.Diagnostic
		want     string // rules and severities
	}{
		{"emptied", content("text"), content(""), nil, "[unreadable-document warning]"},
		{"blank lines are left", content("text"), content(" \n\n"), nil, "[unreadable-document warning]"},
		{"emptied, a summary", summary(9), summary(0), nil, "[unreadable-document warning]"},
		{"beside an info", content("text"), content(""), noted, "[unreadable-document warning wrong info]"},
		{"the plugin warns", content("text"), content(""), warned, "[wrong warning]"},
		{"it never had anything", content("\n"), content(""), nil, "[]"},
		{"shorter", content("text"), content("t"), nil, "[]"},
		{"another document", wire.Document{Path: "b.md", Need: wire.Content, Size: 4, Text: "text"}, content(""), nil,
			"[]"},
	} {
		request := &wire.Request{Documents: []wire.Document{c.now},
			Base: wire.Base{State: wire.BaseAt, Documents: []wire.Document{c.was}}}
		got := []string{}
		for _, f := range snapshot.Findings(manifest, request, &wire.Report{Diagnostics: c.plugin}) {
			got = append(got, f.Rule, f.Severity.String())
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: got %v, expected %s", c.name, got, c.want)
		}
	}
}
