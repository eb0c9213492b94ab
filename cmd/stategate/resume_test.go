package main

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
)

// validResume holds the JSON of resume against its schema.
func validResume(text []byte) error { return validAs(schemas.Resume, text) }

// TestResumeHostile: whatever a result holds, no format commands a terminal or a CI
// log, and the JSON keeps to its schema.
func TestResumeHostile(t *testing.T) {
	r := full(t)
	r.Instances[0].Diagnostics[0].Severity = wire.Error
	c := r.Runs()[0]
	c.Resume, c.Recover, c.Check = hostile, hostile, hostile
	parts := c
	parts.Self, parts.Parts = nil, []*wire.Detection{c.Self}
	both := c
	both.Parts = parts.Parts
	for name, x := range map[string]result.Choice{
		"run":    {Run: &c},
		"parts":  {Run: &parts, Failures: r.Failures},
		"both":   {Run: &both},
		"choose": {Choices: []result.Run{c, parts}, Hidden: r.Instances[0].Diagnostics},
		"over":   {Over: []result.Run{c, parts}},
		"hidden": {Hidden: r.Instances[0].Diagnostics},
		"broken": {Choices: []result.Run{c}, Failures: r.Failures},
		"empty":  {},
	} {
		for _, format := range resumeFormats {
			var b strings.Builder
			if err := format.Resume(&b, &print.Resumption{Choice: x},
				print.Options{FailOn: wire.Error, Version: "1", Workspace: hostile}); err != nil {
				t.Fatal(err)
			}
			if fault := commanding(b.String()); fault != "" {
				t.Errorf("%s as %s: it holds %s", name, format.Name, fault)
			}
			if format.Name != formatJSON {
				continue
			}
			if err := validResume([]byte(b.String())); err != nil {
				t.Errorf("%s: %#v\n%s", name, err, b.String())
			}
		}
	}
}

func TestToName(t *testing.T) {
	run := func(plugin, root, lifecycle, subject string) result.Run {
		return result.Run{Instance: &result.Instance{Plugin: plugin, Root: root},
			Self: &wire.Detection{Lifecycle: lifecycle, Subject: subject}}
	}
	runs := []result.Run{
		run("p", "a", "run", ""), run("p", "b", "run", "r1"), run("p", "b", "run", "r'2"), run("q", "b", "run", "-r"),
		run("p", "c", "x", "1"), run("p", "c", "y", "1"), run("p", "c", "y", ""),
	}
	runs[0].Self.State = wire.Finished
	want := []string{" --run=run", " --workflow p --run=r1", ` --workflow p --run='r'\''2'`, " --workflow q",
		" --run='x 1'", " --run='y 1'", " --run=y"}
	for i := range runs {
		if got := toName(runs, i); got != want[i] {
			t.Errorf("%d: got %s, want %s", i, got, want[i])
		}
	}
}

func TestShellPath(t *testing.T) {
	for path, want := range map[string]string{
		".": ".", "a/b-c_d.e": "a/b-c_d.e", "a b": "'a b'", "-x": "./-x", "$(x)": "'$(x)'", "~": "'~'",
		"a'b": `'a'\''b'`, "é": "'é'", "": "''", "a\nb": "'a\nb'",
	} {
		if got := shellPath(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
}
