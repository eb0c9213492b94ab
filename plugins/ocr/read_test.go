package ocr

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/wire"
)

func TestPlaceholder(t *testing.T) {
	for text, want := range map[string]bool{
		"{ISO-8601-TIMESTAMP}": true, "<time>": true, "$NAME": true, "${NAME}": true, "{}": true,
		"": false, "$": false, "$5 a day": false, "at {now}": false, "2026-03-10T09:12:41Z": false, "${a": false,
	} {
		if got := isPlaceholder(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestSessionDate(t *testing.T) {
	for id, want := range map[string]bool{
		"2026-03-10-feat-x": true, "2026-03-10-x": true,
		"2026-03-10": false, "2026-03-10-": false, "2026-02-30-main": false, "scratch": false, "20260310-main": false,
	} {
		if _, got := sessionDate(id); got != want {
			t.Errorf("%q: got %v, want %v", id, got, want)
		}
	}
}

func TestKnownVerdict(t *testing.T) {
	for text, want := range map[string]string{
		"NOT APPROVED": "", "Do not approve yet": "", "Cannot approve: two blockers": "", "Not ready to APPROVE": "",
		"REQUEST CHANGES, do not approve": RequestChanges, "Not blocking. APPROVE": Approve,
		"APPROVE": Approve, "Approved.": Approve, "✅ approve": Approve,
		"REQUEST CHANGES": RequestChanges, "Requested changes": RequestChanges, "REQUEST_CHANGES": RequestChanges,
		"needs  discussion":                            NeedsDiscussion,
		"APPROVE | REQUEST CHANGES | NEEDS DISCUSSION": "",
		"LGTM": "", "disapprove": "", "": "",
	} {
		if got := knownVerdict(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		text, path string
		want       bool
	}{
		{"| `a.go` |", "a.go", true},
		{"see a.go.", "a.go", true},
		{"a.go, b.go", "b.go", true},
		{"./a.go", "a.go", true},
		{"a.go:42", "a.go", true},
		{"a.go", "a.go", true},
		{"pkg/a.go", "a.go", false},
		{"a.gohtml", "a.go", false},
		{"aa.go", "a.go", false},
		{"a.go.orig", "a.go", false},
		{"a.go.orig and a.go", "a.go", true},
		{"", "a.go", false},
	} {
		if got := mentions(c.text, c.path); got != c.want {
			t.Errorf("%q in %q: got %v, want %v", c.path, c.text, got, c.want)
		}
	}
}

// final reads text as the final.md of round 2.
func final(t *testing.T, text string) *Final {
	t.Helper()
	m := modelOf(t, map[string]string{"rounds/round-2/final.md": text})
	s := m.Subject("round-2")
	return s.readFinal()
}

// modelOf reads documents as a session of 2026-03-10.
func modelOf(t *testing.T, files map[string]string) *Model {
	t.Helper()
	in := snapshot.Input{Root: ".ocr/sessions/2026-03-10-feat-x", Name: "2026-03-10-feat-x"}
	for path, text := range files {
		in.Files = append(in.Files, snapshot.File{
			Path: path, Data: []byte(text), Size: int64(len(text)),
			Spec: snapshot.SpecOf(Workflow.Documents, path, snapshot.Regular),
		})
	}
	request, err := snapshot.Build(Workflow.Manifest(), in)
	if err != nil {
		t.Fatal(err)
	}
	return newModel(in.Name, sdktest.Docs(request.Documents), nil)
}

func TestVerdictPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"## Verdict\n\n**APPROVE**\n\nFine.":          Approve,
		"# Verdict: REQUEST CHANGES\n":                RequestChanges,
		"### Verdict — approved\n\nAll is well.":      Approve,
		"**Verdict**: NEEDS DISCUSSION":               NeedsDiscussion,
		"## Verdict\n\nShip it.":                      "",
		"## Verdict\n\n> **APPROVE**\n\nFine.":        Approve,
		"## Verdict\n\n- request changes":             RequestChanges,
		"## Verdict\n\n## Blockers\n\nAPPROVE":        "",
		"## ✅ Verdict\n\nAPPROVE":                     Approve,
		"Verdict: needs discussion":                   NeedsDiscussion,
		"---\nverdict: APPROVE\n---\n\n# R":           Approve,
		"<!-- ## Verdict\n\nAPPROVE -->\n\nno words.": "",
	} {
		if got := final(t, text).Word; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"# Review\n\nWe approve of the tests.", "# Review\n\nThe verdict is open."} {
		if final(t, text).Verdict.OK() {
			t.Errorf("%q is taken for a verdict", text)
		}
	}
}

func TestNoBlockers(t *testing.T) {
	for _, text := range []string{"✅ None", "✔ None.", "👍 No blockers", "Blockers: none", "**Blockers**: None",
		"There were none", "We found none."} {
		if !saysNone(text) {
			t.Errorf("%q: read as a blocker", text)
		}
	}
	for _, text := range []string{"✅ Tests are missing", "Blocker: SQL injection", "We found two races"} {
		if saysNone(text) {
			t.Errorf("%q: read as none", text)
		}
	}
}

func TestBlockers(t *testing.T) {
	text := "## Blockers\n\n### 🚫 SQL injection\n\nx\n\n#### Why\n\n### None of the above\n\n## Must Fix (2)\n\n### " +
		"No tests\n\n### Race\n\n## Suggestions\n\n### Name\n"
	var names []string
	for _, b := range final(t, text).Blockers {
		names = append(names, b.Text)
	}
	if got := strings.Join(names, ", "); got != "SQL injection, Race" {
		t.Errorf("got %s, want SQL injection, Race", got)
	}
}

func TestCitedPaths(t *testing.T) {
	table := "| Reviewer | Blockers | File |\n|---|---|---|\n"
	for cell, want := range map[string]string{
		"`rounds/round-2/reviews/a-1.md`":                 "rounds/round-2/reviews/a-1.md",
		"rounds/round-{n}/reviews/a-1.md":                 "rounds/round-2/reviews/a-1.md",
		"`reviews/a-1.md`":                                "rounds/round-2/reviews/a-1.md",
		"`./reviews/a-1.md`":                              "rounds/round-2/reviews/a-1.md",
		"a-1.md":                                          "rounds/round-2/reviews/a-1.md",
		".ocr/sessions/x/rounds/round-2/reviews/a-1.md":   "rounds/round-2/reviews/a-1.md",
		"[a](rounds/round-2/reviews/a-1.md)":              "",
		"—":                                               "",
		"`.ocr/sessions/x/rounds/round-1/reviews/a-1.md`": "rounds/round-1/reviews/a-1.md",
	} {
		cited := final(t, table+"| @a-1 | 0 | "+cell+" |\n").Cited
		if len(cited) != 1 || cited[0].Path != want {
			t.Errorf("%s: got %v, want %s", cell, cited, want)
		}
	}
}

func TestHollow(t *testing.T) {
	fault := func(rule string) *sdk.Document { return &sdk.Document{Faults: []wire.DocumentFault{{Rule: rule}}} }
	for _, c := range []struct {
		name           string
		doc            *sdk.Document
		filled, hollow bool
	}{
		{"nothing", nil, false, false},
		{"empty", &sdk.Document{}, false, true},
		{"words", &sdk.Document{Summary: sdk.DocumentSummary{Words: 1}}, true, false},
		{"too large to read", fault("too-large"), true, false},
		{"no file", fault("not-a-file"), false, false},
	} {
		if Filled(c.doc) != c.filled || Hollow(c.doc) != c.hollow {
			t.Errorf("%s: filled %v, hollow %v", c.name, Filled(c.doc), Hollow(c.doc))
		}
	}
}
