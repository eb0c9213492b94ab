package print

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// TestRules: the explanation of a rule includes all of its metadata: what, why, how to fix it, and its former names.
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
Formerly called bad.
A finding may be less severe than error if less is at stake.
To change the severity: rules: {toy/wrong: warning} in the
configuration; the value off turns the rule off. To accept
one finding, use stategate accept.

toy/taste (warning or less, off by default)
It is long.

Severity
Info if it is new.

More information
https://example.org/taste

It compares with the base, and reports nothing without one.
To change the severity: rules: {toy/taste: warning} in the
configuration; the value off turns the rule off. To accept
one finding, use stategate accept.

unread (warning), in every workflow
It cannot be read.

A finding may be less severe than warning if less is at
stake.
To change the severity: rules: {unread: warning} in the
configuration; the value off turns the rule off. To accept
one finding, use stategate accept.
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestUnreadRules: the explanation of a rule that no configuration may lower does not suggest a setting.
func TestUnreadRules(t *testing.T) {
	for _, r := range result.Rules() {
		var b strings.Builder
		if err := Rules(&b, []RuleOf{{"", r, ""}}, Options{}); err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(b.String(), "rules: {"); has == result.Unread("*/"+r.Name) {
			t.Errorf("%s: a setting is suggested: %v\n%s", r.Name, has, b.String())
		}
	}
}

// TestWorkflowGroups: rules are listed by group or, without groups, by severity, most severe first.
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
		text, _, _ = strings.Cut(text, "\nand the rules of")
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
