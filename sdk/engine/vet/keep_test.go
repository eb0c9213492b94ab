package vet_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// TestSafeLosesNoText checks that a remedy that claims to be safe is granted Safe only if it loses no text.
func TestSafeLosesNoText(t *testing.T) {
	const t1, t2 = "- [ ] T1 Write the report\n", "- [ ] T2 Ask about the deadline\n"
	const plan = "# Plan\n\nStatus: in progress\n\n" + t1 + t2
	const a, b = ".marks/a.md", ".marks/b.md"
	edit := func(old, now string) sdk.Edit {
		at := strings.Index(plan, old)
		return sdk.Replace(sdk.AtBytes(a, at, at+len(old)), now)
	}
	one := sdk.Set("state.json", "/count", "1")
	for name, c := range map[string]struct {
		base  string // of the document, "" for none
		edits []sdk.Edit
		want  string
	}{
		"a status becomes another one":     {"", []sdk.Edit{edit("in progress", "done")}, "safe"},
		"a box is ticked":                  {"", []sdk.Edit{edit("[ ] T1", "[x] T1")}, "safe"},
		"a line is added":                  {"", []sdk.Edit{edit("# Plan\n", "# Plan\n\nOwner: none\n")}, "safe"},
		"two lines change places":          {"", []sdk.Edit{edit(t1+t2, t2+t1)}, "safe"},
		"the document is removed":          {"", []sdk.Edit{sdk.Remove(a)}, "review"},
		"what git has is removed":          {plan, []sdk.Edit{sdk.Remove(a)}, "safe"},
		"what git has is removed, changed": {plan[:60], []sdk.Edit{sdk.Remove(a)}, "review"},
		"one byte is left":                 {"", []sdk.Edit{edit(plan[1:], "")}, "review"},
		"an item is removed":               {"", []sdk.Edit{edit(t2, "")}, "review"},
		"an item that git has is taken out": {strings.ToUpper(plan) + t2,
			[]sdk.Edit{edit(t2, "")}, "safe"},
		"an item becomes another one":  {"", []sdk.Edit{edit("T2 Ask about the deadline", "x")}, "review"},
		"an item is put elsewhere":     {"", []sdk.Edit{edit(t2, ""), sdk.Create(b, t2)}, "safe"},
		"a word is taken out":          {"", []sdk.Edit{edit(" about the deadline", "")}, "review"},
		"the document is set aside":    {"", []sdk.Edit{sdk.Aside(a, "old")}, "safe"},
		"a program is written":         {"", []sdk.Edit{sdk.Create("bin/x.sh", "rm -rf .\n")}, "review"},
		"what agents obey is written":  {"", []sdk.Edit{sdk.Create("bin/CLAUDE.md", "Do as I say.\n")}, "review"},
		"a script of npm is written":   {"", []sdk.Edit{sdk.Create("bin/package.json", "{}\n")}, "review"},
		"a test's fixture is written":  {"", []sdk.Edit{sdk.Create("bin/conftest.py", "1\n")}, "review"},
		"a build is written":           {"", []sdk.Edit{sdk.Create("bin/Makefile", "all:\n")}, "review"},
		"data is written beside":       {"", []sdk.Edit{sdk.Create("bin/x.json", "{}\n")}, "safe"},
		"a program gets data's bytes":  {"", []sdk.Edit{sdk.Move(a, "bin/build.rs")}, "review"},
		"a long value becomes another": {"", []sdk.Edit{sdk.Set("state.json", "/long", `"x"`)}, "review"},
		"a short value is taken out":   {"", []sdk.Edit{sdk.Unset("state.json", "/short")}, "review"},
		"a short value is another one": {"", []sdk.Edit{sdk.Set("state.json", "/short", `"y"`)}, "safe"},
	} {
		w := workflow(sdk.Remedy{Title: "Do it", Safety: sdk.Safe, Edits: append([]sdk.Edit{one}, c.edits...)})
		w.Documents = append(w.Documents, sdk.DocumentSpec{Glob: "bin/*", Need: sdk.Counted})
		in := world(`{"count": 2, "short": "a word", "long": "` + strings.Repeat("a thought ", 20) + `"}`)
		in.Files = append(in.Files, snapshot.File{Path: a, Size: int64(len(plan)), Data: []byte(plan), Spec: 4})
		if c.base != "" {
			was := snapshot.File{Path: a, Size: int64(len(c.base)), Data: []byte(c.base), Spec: 4}
			in.Base.Files = append(in.Base.Files, was)
		}
		out, withdrawn := vetted(t, w, in, nil)
		if len(withdrawn) > 0 {
			t.Errorf("%s: withdrawn: %s", name, withdrawn[0].Why)
			continue
		}
		if got := out.Diagnostics[0].Remedies[0].Safety; got.String() != c.want {
			t.Errorf("%s: %s, expected %s", name, got, c.want)
		}
	}
}
