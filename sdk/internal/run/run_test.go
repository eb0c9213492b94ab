package run_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/internal/run"
	"github.com/stategate/stategate/sdk/wire"
)

func workflow(rules ...*sdk.Rule) *sdk.Workflow {
	return &sdk.Workflow{
		Name: "toy", Rules: rules,
		Detect: func(*sdk.Pass) ([]sdk.Detection, error) { return []sdk.Detection{{Subject: "a"}}, nil },
	}
}

func reporting(name, subject string, hides ...*sdk.Rule) *sdk.Rule {
	return &sdk.Rule{Name: name, Severity: sdk.Warning, Hides: hides, Check: func(p *sdk.Pass) error {
		p.Report(sdk.Diagnostic{Subject: subject, Message: name})
		return nil
	}}
}

func TestPanicInOneRuleLeavesTheOthers(t *testing.T) {
	broken := &sdk.Rule{Name: "broken", Check: func(*sdk.Pass) error {
		var list []int
		_ = list[len("x")]
		return nil
	}}
	report := run.Examine(workflow(broken, reporting("kept", "a")), &wire.Request{})
	if len(report.Diagnostics) != 1 || report.Diagnostics[0].Rule != "kept" ||
		report.Diagnostics[0].Severity != sdk.Warning {
		t.Errorf("got %+v", report.Diagnostics)
	}
	if len(report.RuleFailures) != 1 || !report.RuleFailures[0].Panic {
		t.Fatalf("got %+v", report.RuleFailures)
	}
	if got := report.RuleFailures[0].Message; !strings.Contains(got, "out of range") ||
		!strings.Contains(got, "run_test.go:") {
		t.Errorf("the message %q lacks the panic or its place", got)
	}
}

func TestErrorsAreFailuresOfTheirStep(t *testing.T) {
	w := workflow()
	w.Detect = func(*sdk.Pass) ([]sdk.Detection, error) { return nil, errors.New("no luck") }
	if got := run.Examine(w, &wire.Request{}).Failure; got != "detect: no luck" {
		t.Errorf("got %q", got)
	}
	w.Detect = func(*sdk.Pass) ([]sdk.Detection, error) { return nil, sdk.NotMine("another tool's") }
	report := run.Examine(w, &wire.Request{})
	if report.Declined != "another tool's" || report.Failure != "" {
		t.Errorf("got %+v", report)
	}
}

// TestNoResume checks that the rest of the report is the same without a brief.
func TestNoResume(t *testing.T) {
	w := workflow(reporting("kept", "a"))
	w.Resume = func(_ *sdk.Pass, d *sdk.Detection, _ []sdk.Diagnostic) { d.Resume.Next = "continue" }
	whole, bare := run.Examine(w, &wire.Request{}), run.Examine(w, &wire.Request{NoResume: true})
	if next := whole.Detections[0].Resume.Next; next != "continue" {
		t.Errorf("got %q", next)
	}
	whole.Detections[0].Resume = sdk.Resume{}
	if !reflect.DeepEqual(whole, bare) {
		t.Errorf("got %+v, want %+v", bare, whole)
	}
}

func TestIdentity(t *testing.T) {
	w := workflow()
	w.Identity = &sdk.Identity{Noun: "session", Of: func(p *sdk.Pass) string { return p.Beside("7") }}
	for root, want := range map[string]string{"a/b": "a/7", "b": "7", ".": "7", strings.Repeat("long/", 1000): ""} {
		if got := run.Examine(w, &wire.Request{Root: root}).Identity; got != want {
			t.Errorf("at %.20s: got %q, expected %q", root, got, want)
		}
	}
	w.Identity.Of = func(p *sdk.Pass) string { return p.Detections[9].Subject }
	if got := run.Examine(w, &wire.Request{}); !strings.HasPrefix(got.Failure, "identity: ") || got.Identity != "" {
		t.Errorf("got %+v, expected a failure", got)
	}
	w.Detect = func(*sdk.Pass) ([]sdk.Detection, error) { return nil, sdk.NotMine("another tool's") }
	if got := run.Examine(w, &wire.Request{}); got.Declined == "" || got.Failure != "" {
		t.Errorf("got %+v, expected no identity of what is declined", got)
	}
}

// The report also contains hidden findings; Resume receives the folded ones.
func TestHiddenFindingsBecomeRelated(t *testing.T) {
	small := reporting("small", "a")
	other := reporting("other", "b")
	big := reporting("big", "a", small, other)
	w := workflow(small, other, big)
	w.Detect = func(*sdk.Pass) ([]sdk.Detection, error) { return []sdk.Detection{{}}, nil }
	var seen []sdk.Diagnostic
	w.Resume = func(_ *sdk.Pass, _ *sdk.Detection, list []sdk.Diagnostic) { seen = list }
	report := run.Examine(w, &wire.Request{})
	if len(report.Diagnostics) != 3 || len(seen) != 2 {
		t.Fatalf("reported %+v, seen %+v", report.Diagnostics, seen)
	}
	for _, d := range report.Diagnostics {
		if len(d.Related) != 0 {
			t.Errorf("the report folds %+v", d)
		}
	}
	for _, d := range seen {
		if d.Rule == "big" && (len(d.Related) != 1 || d.Related[0].Message != "small [small]") {
			t.Errorf("got %+v", d.Related)
		}
	}
}

// A panic in the pass that covers many rules fails all of them and discards their findings. A rule with its own
// Check is not affected.
func TestPanicInTheSharedPassFailsItsRules(t *testing.T) {
	w := workflow(&sdk.Rule{Name: "first", Severity: sdk.Error}, reporting("own", "a"),
		&sdk.Rule{Name: "second", Severity: sdk.Info})
	broken := true
	w.Check = func(p *sdk.Pass) error {
		p.Report(sdk.Diagnostic{Rule: "second", Message: "found last, reported first"})
		p.Report(sdk.Diagnostic{Rule: "first", Message: "found"})
		if broken {
			panic("broken")
		}
		return nil
	}
	report := run.Examine(w, &wire.Request{})
	if len(report.Diagnostics) != 1 || report.Diagnostics[0].Rule != "own" {
		t.Errorf("got %+v, expected the finding of the rule that checks by itself", report.Diagnostics)
	}
	if len(report.RuleFailures) != 2 || report.RuleFailures[0].Rule != "first" ||
		report.RuleFailures[1].Rule != "second" || !report.RuleFailures[1].Panic {
		t.Errorf("got %+v, expected both rules to fail", report.RuleFailures)
	}
	broken = false
	report = run.Examine(w, &wire.Request{})
	if len(report.RuleFailures) != 0 || len(report.Diagnostics) != 3 || report.Diagnostics[1].Rule != "first" ||
		report.Diagnostics[1].Severity != sdk.Error {
		t.Errorf("got %+v and %+v, expected three findings, as they were reported", report.Diagnostics,
			report.RuleFailures)
	}
}

func TestSharedPassReportsForItsOwnRulesOnly(t *testing.T) {
	w := workflow(&sdk.Rule{Name: "served"}, reporting("own", "a"))
	for _, name := range []string{"", "own", "unknown"} {
		w.Check = func(p *sdk.Pass) error { p.Report(sdk.Diagnostic{Rule: name, Message: "m"}); return nil }
		report := run.Examine(w, &wire.Request{})
		if len(report.RuleFailures) != 1 || !strings.Contains(report.RuleFailures[0].Message, `"`+name+`"`) {
			t.Errorf("a report for %q: got %+v, expected a failure that names it", name, report.RuleFailures)
		}
	}
}

// TestOnlyRulesThatAskRunFirst checks that before the answers are known only rules that ask run, because the work
// of the others would be wasted. If no rule asks, all run at once.
func TestOnlyRulesThatAskRunFirst(t *testing.T) {
	for _, path := range []string{"made.go", ""} {
		ran := 0
		other := &sdk.Rule{Name: "other", Check: func(*sdk.Pass) error { ran++; return nil }}
		asking := &sdk.Rule{Name: "asking", Severity: sdk.Error, Asks: true, Check: func(p *sdk.Pass) error {
			if path != "" && p.Presence(path) == sdk.Absent || path == "" {
				p.Report(sdk.Diagnostic{Message: "there is none"})
			}
			return nil
		}}
		w := workflow(other, asking)
		w.AsksFor = []string{"**"}
		report := run.Examine(w, &wire.Request{})
		if path != "" {
			if len(report.Ask) != 1 || ran != 0 || len(report.Detections)+len(report.Diagnostics) > 0 {
				t.Errorf("first: the others ran %d times, %+v", ran, report)
			}
			report = run.Examine(w, &wire.Request{Answers: []wire.Answer{{Path: path, Presence: wire.Absent}}})
		}
		if ran != 1 || len(report.Ask) > 0 || len(report.Diagnostics) != 1 || len(report.Detections) != 1 {
			t.Errorf("%q: the others ran %d times, %+v", path, ran, report)
		}
	}
}

// TestGoingOn checks that work done before the answers arrive is not repeated or counted twice. If Detect asks, it
// must run again.
func TestGoingOn(t *testing.T) {
	at, _ := instant.Parse("2026-03-01T10:00:00Z")
	for _, test := range []struct {
		name     string
		detects  int
		asks     bool // Detect
		rulesAsk bool
	}{{"a rule asks", 1, false, true}, {"Detect asks", 2, true, true},
		{"a rule asks and does not say so", 2, false, false}} {
		detects := 0
		w := workflow(&sdk.Rule{Name: "asking", Severity: sdk.Error, Asks: test.rulesAsk,
			Check: func(p *sdk.Pass) error {
				p.Override("a.md", wire.RuleUnreadable, "*", sdk.Off)
				if p.Presence("a") == sdk.Unseen {
					p.Before(at)
				}
				p.Report(sdk.Diagnostic{Message: p.Presence("a").String() + ", then " + p.Base.Presence("a").String()})
				return nil
			}})
		w.AsksFor = []string{"**"}
		w.Detect = func(p *sdk.Pass) ([]sdk.Detection, error) {
			if detects++; test.asks {
				p.Presence("b")
			}
			return []sdk.Detection{{Subject: "a"}}, nil
		}
		report, waiting := run.Begin(w, &wire.Request{Now: at.Add(instant.Day)})
		if waiting == nil || len(report.Ask) == 0 || len(report.Overrides) > 0 {
			t.Fatalf("%s: got %+v", test.name, report)
		}
		var now, then []wire.Answer
		for _, path := range waiting.Ask {
			now, then = append(now, wire.Answer{Path: path, Presence: wire.Present}),
				append(then, wire.Answer{Path: path, Presence: wire.Absent})
		}
		report = waiting.Answer(now, then)
		if len(report.Diagnostics) != 1 || report.Diagnostics[0].Message != "present, then absent" ||
			len(report.Overrides) != 1 || len(report.Detections) != 1 {
			t.Errorf("%s: got %+v", test.name, report)
		}
		if detects != test.detects {
			t.Errorf("%s: detected %d times, expected %d", test.name, detects, test.detects)
		}
		if !report.ValidFrom.IsZero() {
			t.Errorf("%s: the report holds from %v on, although what asked for the time was done aside", test.name,
				report.ValidFrom)
		}
	}
	if _, waiting := run.Begin(workflow(reporting("quiet", "a")), &wire.Request{}); waiting != nil {
		t.Error("nothing was asked, and answers are waited for")
	}
}

// TestAnUndeclaredQuestion checks that a rule that asks without declaring it is reported if another rule declares
// it.
func TestAnUndeclaredQuestion(t *testing.T) {
	asks := func(path string) func(*sdk.Pass) error {
		return func(p *sdk.Pass) error { p.Presence(path); return nil }
	}
	w := workflow(&sdk.Rule{Name: "asking", Asks: true, Check: asks("a")}, &sdk.Rule{Name: "silent", Check: asks("b")})
	w.AsksFor = []string{"**"}
	_, waiting := run.Begin(w, &wire.Request{})
	report := waiting.Answer([]wire.Answer{{Path: "a", Presence: wire.Present}}, []wire.Answer{{Path: "a"}})
	if f := report.RuleFailures; len(report.Ask) > 0 || len(f) != 1 || f[0].Rule != "silent" ||
		!strings.HasSuffix(f[0].Message, "set Asks") {
		t.Errorf("got %+v", report)
	}
}
