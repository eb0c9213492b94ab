package print

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/wire"
)

// TestRules: a rule is explained as far as its metadata goes: what, why, how to fix it, and what it was called.
func TestRules(t *testing.T) {
	r := wire.Rule{Name: "wrong", Severity: wire.Error, Doc: "It is wrong.\n\nIt should be right.",
		Why: "No one would notice.", Fix: "Make it right.", Hides: []string{"late"}, Replaces: []string{"bad"}}
	var b strings.Builder
	if err := Rules(&b, []RuleOf{{"toy", r, "state.json:2:3: error: it is \x1b[31mwrong\n    {"},
		{"toy", wire.Rule{Name: "taste", Severity: wire.Warning, Doc: "It is long.", SeverityIf: "Info if it is new.",
			NeedsBase: true, OffByDefault: true, URL: "https://example.org/taste"}, ""},
		{"", wire.Rule{Name: "unread", Severity: wire.Warning, Doc: "It cannot be read."}, ""}},
		Options{Width: 60}); err != nil {
		t.Fatal(err)
	}
	want := `toy/wrong (error)
It is wrong.

It should be right.

Why it matters
No one would notice.

How to fix it
Make it right.

Example
  state.json:2:3: error: it is \x1b[31mwrong
      {

It hides these rules on the same subject, unless they are
more severe: late
It was called bad before.
A finding may be less severe than error if less is at stake.
Another severity, or off: rules: {toy/wrong: warning} in the
configuration. One finding: stategate accept.

toy/taste (warning, off by default)
It is long.

Severity
Info if it is new.

More about it
https://example.org/taste

It compares with the base: without one it finds nothing.
Another severity, or off: rules: {toy/taste: warning} in the
configuration. One finding: stategate accept.

unread (warning), in every workflow
It cannot be read.

A finding may be less severe than warning if less is at
stake.
Another severity, or off: rules: {unread: warning} in the
configuration. One finding: stategate accept.
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestWorkflowGroups: rules are listed in the groups that they have, or else by severity, the worst first.
func TestWorkflowGroups(t *testing.T) {
	rules := []wire.Rule{{Name: "small", Severity: wire.Info, Doc: "S."},
		{Name: "big", Severity: wire.Error, Doc: "B."}, {Name: "late", Severity: wire.Error, Doc: "L."}}
	shown := func() string {
		var b strings.Builder
		if err := Workflow(&b, &plugin.Plugin{Manifest: &wire.Manifest{Name: "toy", Rules: rules}},
			Options{}); err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(b.String(), "\nRules: ")
		text, _, _ = strings.Cut(text, "\nand, as in")
		return text
	}
	if got, want := shown(),
		"errors, which close the gate\n  big    B.\n  late   L.\n\nRules: infos\n  small  S.\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	rules[0].Group, rules[2].Group = "time", "time"
	if got, want := shown(),
		"others\n  error    big    B.\n\nRules: time\n  error    late   L.\n  info     small  S.\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
