package main

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/fault"
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
	c := print.RunOption{Run: r.Runs()[0], Resume: hostile, Recover: hostile, Check: hostile}
	parts := c
	parts.Self, parts.Parts = nil, []*wire.Detection{c.Self}
	both := c
	both.Parts = parts.Parts
	for name, x := range map[string]*print.Resumption{
		"run":    {Run: &c, Workspace: hostile},
		"parts":  {Run: &parts, Failures: r.Failures},
		"both":   {Run: &both},
		"choose": {Choices: []print.RunOption{c, parts}, Hidden: r.Instances[0].Diagnostics},
		"over":   {Over: []print.RunOption{c, parts}},
		"hidden": {Hidden: r.Instances[0].Diagnostics},
		"broken": {Choices: []print.RunOption{c}, Failures: r.Failures},
		"empty":  {},
	} {
		for format, write := range resumePrinters {
			var b strings.Builder
			if err := write(&b, x, print.Options{FailOn: wire.Error, Version: "1"}); err != nil {
				t.Fatal(err)
			}
			if fault := commanding(b.String()); fault != "" {
				t.Errorf("%s as %s: it holds %s", name, format, fault)
			}
			if format != formatJSON {
				continue
			}
			if err := validResume([]byte(b.String())); err != nil {
				t.Errorf("%s: %#v\n%s", name, err, b.String())
			}
		}
	}
}

func TestMeantBy(t *testing.T) {
	var runs []result.Run
	for _, root := range []string{".", "a", "a/b", "a/b", "c/d", "cd"} {
		runs = append(runs, result.Run{Instance: &result.Instance{Root: root}})
	}
	for _, c := range []struct {
		at    string
		named bool
		want  string
	}{
		{".", false, ". a a/b a/b c/d cd"}, // nothing is named
		{".", true, "."},
		{"", true, ". a a/b a/b c/d cd"}, // outside of the anchor
		{"a", true, "a"},
		{"a", false, "a a/b a/b"},
		{"a/b", true, "a/b a/b"},
		{"c", true, "c/d"},
		{"c/d/e/f", true, "c/d"},
		{"a/b/x.md", true, "a/b a/b"},
		{"a/x", false, "a"},
		{"x", true, "."},
	} {
		var got []string
		for _, r := range meantBy(runs, c.at, c.named) {
			got = append(got, r.Instance.Root)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: got %q, want %q", c.at, got, c.want)
		}
	}
}

// TestCertain: one run in progress is chosen only if the failures speak of it alone.
func TestCertain(t *testing.T) {
	run := result.Run{Instance: &result.Instance{Plugin: "p", Root: "a"}}
	own := result.Failure{Plugin: "p", Root: "a", Failure: fault.Failure{Kind: fault.Rule}}
	for _, c := range []struct {
		list []result.Failure
		want bool
	}{{nil, true}, {[]result.Failure{own}, true}, {[]result.Failure{own, {Plugin: "p", Root: "b"}}, false},
		{[]result.Failure{{Plugin: "p"}}, false}, {[]result.Failure{{Root: "a"}}, false}} {
		if got := certain(run, c.list); got != c.want {
			t.Errorf("%v: got %v", c.list, got)
		}
	}
}

// TestRunName: a run is named by its subject or as status prints it; over or not.
func TestRunName(t *testing.T) {
	runs := []result.Run{
		{Instance: &result.Instance{Root: "a"}, Self: &wire.Detection{Lifecycle: "x", Subject: "1",
			State: wire.Finished}},
		{Instance: &result.Instance{Root: "a"}, Self: &wire.Detection{Lifecycle: "y", Subject: "1"}},
		{Instance: &result.Instance{Root: "b"}, Self: &wire.Detection{Lifecycle: "z"}},
		{Instance: &result.Instance{Root: "c", Plugin: "parts"},
			Parts: []*wire.Detection{{Lifecycle: "w", Subject: "9"}}},
	}
	choices := runOptions(&advice.Call{}, runs, "/")
	for name, want := range map[string]string{"1": "choose", "x 1": "x 1", "y 1": "y 1", "z": "z", "y 2": "usage",
		"9": "usage", "parts": "parts"} {
		x := &print.Resumption{}
		err := chooseNamed(x, name, choices)
		got := "choose"
		switch {
		case err != nil && problemOf(err).code == exitUsage:
			got = "usage"
		case x.Run != nil:
			got = x.Run.Name()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func TestResumeCode(t *testing.T) {
	one := []print.RunOption{{}}
	for _, c := range []struct {
		x    print.Resumption
		want int
	}{
		{print.Resumption{}, exitOpen},
		{print.Resumption{Over: one}, exitOpen},
		{print.Resumption{Run: &one[0], Hidden: []result.Diagnostic{{}}}, exitOpen},
		{print.Resumption{Choices: one}, exitClosed},
		{print.Resumption{Hidden: []result.Diagnostic{{}}}, exitClosed},
		{print.Resumption{Run: &one[0], Failures: []result.Failure{{}}}, exitBroken},
		{print.Resumption{Choices: one, Failures: []result.Failure{{}}}, exitBroken},
	} {
		if got := resumeCode(&c.x); got != c.want {
			t.Errorf("%+v: got %d, want %d", c.x, got, c.want)
		}
	}
}
