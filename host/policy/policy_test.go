package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

var levels = map[string]wire.Severity{"off": wire.Off, "info": wire.Info, "warning": wire.Warning, "error": wire.Error}

// judged applies a policy to findings written as "rule:subject:severity path…". Their plugin p has a rule top
// (warning) that hides low (error). It returns which findings are reported, and why the others are not.
func judged(t *testing.T, p Policy, findings ...string) (*result.Result, string) {
	t.Helper()
	manifest := &wire.Manifest{Rules: []wire.Rule{
		{Name: "low", Severity: wire.Error}, {Name: "top", Severity: wire.Warning, Hides: []string{"low"}},
		{Name: "lone", Severity: wire.Error}, {Name: "taste", Severity: wire.Warning, OffByDefault: true},
	}}
	r := &result.Result{Instances: []result.Instance{{Plugin: "p", Root: "r"}}, Whole: true}
	for _, text := range findings {
		var rule, subject, severity string
		head, path, _ := strings.Cut(text, " ")
		parts := strings.Split(head, ":")
		rule, subject, severity = parts[0], parts[1], parts[2]
		i, message := &r.Instances[0], rule
		if path == "9" { // a value
			message += " 9"
		}
		i.Diagnostics = append(i.Diagnostics, result.Diagnostic{
			Rule: "p/" + rule, Subject: subject, Severity: levels[severity], Place: result.Place{Path: path},
			Message: message, Fingerprint: result.ID(rule, subject, path),
		})
	}
	p.Apply(r, func(string) []wire.Rule { return manifest.Rules }, time.Date(2026, 3, 12, 0, 0, 0, 0, time.UTC))
	return r, told(r)
}

func told(r *result.Result) string {
	var out []string
	for _, i := range r.Instances {
		for _, d := range i.Diagnostics {
			word := result.RuleName(d.Rule) + ":" + d.Subject + ":" + d.Severity.String()
			for _, n := range d.Related {
				word += "+" + n.Message
			}
			out = append(out, word)
		}
		for _, d := range i.Suppressed {
			out = append(out, fmt.Sprintf("%s:%s:%s", result.RuleName(d.Rule), d.Subject, d.Why))
		}
	}
	for _, n := range r.Notes {
		out = append(out, n.Kind)
	}
	return strings.Join(out, " ")
}

func globs(t *testing.T, list ...string) *glob.Set {
	t.Helper()
	set, err := glob.Compile(list)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestPolicy(t *testing.T) {
	set := func(words ...string) Policy {
		p := Policy{Severities: map[string]wire.Severity{}}
		for _, w := range words {
			rule, level, _ := strings.Cut(w, "=")
			p.Severities[rule] = levels[level]
		}
		return p
	}
	ignore := func(list ...Ignore) Policy { return Policy{Ignore: list} }
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		name     string
		policy   Policy
		findings string
		want     string
	}{
		{"nothing set", Policy{}, "lone:a:error x", "lone:a:error"},
		{"what is hidden is a note", Policy{}, "low:a:warning x, top:a:warning x", "top:a:warning+low [low]"},
		{"on another subject it stands", Policy{}, "low:a:warning x, top:b:warning x", "low:a:warning top:b:warning"},
		{"a warning hides no error", Policy{}, "low:a:error x, top:a:warning x", "low:a:error top:a:warning"},

		{"off by default", Policy{}, "taste:a:warning x, low:a:info x", "low:a:info"},
		{"off by default, and named", set("taste=warning"), "taste:a:warning x", "taste:a:warning"},
		{"off by default, and named for the workflow", set("p/taste=info"), "taste:a:warning x", "taste:a:info"},
		{"off", set("lone=off"), "lone:a:error x, low:a:info x", "low:a:info"},
		{"a ceiling", set("lone=info"), "lone:a:error x", "lone:a:info"},
		{"a ceiling lifts nothing", set("lone=warning"), "lone:a:info x", "lone:a:info"},
		{"error lifts", set("lone=error"), "lone:a:info x", "lone:a:error"},
		{"error lifts above what the rule declares", set("top=error"), "top:a:info x", "top:a:error"},
		{"lifted, nothing milder hides it", set("low=error"), "low:a:info x, top:a:warning x",
			"low:a:error top:a:warning"},
		{"lifted with what it hides", set("low=error", "top=error"), "low:a:info x, top:a:warning x",
			"top:a:error+low [low]"},
		{"one workflow goes before all", set("lone=off", "p/lone=warning"), "lone:a:error x", "lone:a:warning"},
		{"another workflow's is not meant", set("q/lone=off"), "lone:a:error x", "lone:a:error"},
		{"a rule of the host", set("schema=error", "unstable=error"), "schema:a:info x, unstable:a:info x",
			"schema:a:error unstable:a:error"},

		{"off hides nothing", set("top=off"), "low:a:error x, top:a:error x", "low:a:error"},
		{"not selected hides nothing", Policy{Select: func(rule string) bool { return rule == "p/low" }},
			"low:a:error x, top:a:error x", "low:a:error"},
		{"ignored hides nothing", ignore(Ignore{Rules: []string{"top"}}), "low:a:error x, top:a:error x",
			"low:a:error top:a:ignored"},
		{"lowered hides nothing graver", set("top=info"), "low:a:error x, top:a:error x", "low:a:error top:a:info"},
		{"lowered hides what is as mild", set("top=info", "low=info"), "low:a:error x, top:a:warning x",
			"top:a:info+low [low]"},

		{"ignored by path", ignore(Ignore{Paths: globs(t, "x/**")}), "lone:a:error x/y/z, lone:a:error z",
			"lone:a:error lone:a:ignored"},
		{"ignored by rule", ignore(Ignore{Rules: []string{"p/lone"}}), "lone:a:error x, low:a:error x",
			"low:a:error lone:a:ignored"},
		{"both must fit", ignore(Ignore{Rules: []string{"lone"}, Paths: globs(t, "y")}),
			"lone:a:error x, low:a:error y", "lone:a:error low:a:error ignore-unused"},
		{"a directory", ignore(Ignore{Paths: globs(t, "x/**")}), "lone:a:error x/", "lone:a:ignored"},
		{"the workspace root", ignore(Ignore{Paths: globs(t, "**")}), "lone:a:error .", "lone:a:ignored"},
		{"a sibling of the same beginning", ignore(Ignore{Paths: globs(t, "x")}), "lone:a:error xy",
			"lone:a:error ignore-unused"},
		{"on its last day", ignore(Ignore{Rules: []string{"lone"}, Until: day(13)}), "lone:a:error x",
			"lone:a:ignored"},
		{"expired", ignore(Ignore{Rules: []string{"lone"}, Until: day(12)}), "lone:a:error x",
			"lone:a:error ignore-expired"},
		{"expired beside one that holds", ignore(Ignore{Rules: []string{"lone"}, Until: day(12)},
			Ignore{Rules: []string{"lone"}}), "lone:a:error x", "lone:a:ignored ignore-expired"},
		{"a second that fits is of use", ignore(Ignore{Rules: []string{"lone"}}, Ignore{Paths: globs(t, "x")}),
			"lone:a:error x", "lone:a:ignored"},
		{"it says what was accepted", ignore(Ignore{Rules: []string{"lone"}, Message: "lone 9"}), "lone:a:error 9",
			"lone:a:ignored"},
		{"it says more than was accepted", ignore(Ignore{Rules: []string{"lone"}, Message: "lone 8"}), "lone:a:error 9",
			"lone:a:error ignore-changed"},
		{"what it says more was accepted afterwards",
			ignore(Ignore{Rules: []string{"lone"}, Message: "lone 8"},
				Ignore{Rules: []string{"lone"}, Message: "lone 9"}), "lone:a:error 9", "lone:a:ignored"},
		{"unknown if a document is unreadable", ignore(Ignore{Rules: []string{"lone"}}),
			"unreadable-document:a:error x", "unreadable-document:a:error"},
		{"unknown if not every plugin ran", Policy{Partial: true, Ignore: []Ignore{{Rules: []string{"lone"}}}},
			"low:a:error x", "low:a:error"},
	} {
		if _, got := judged(t, c.policy, strings.Split(c.findings, ", ")...); got != c.want {
			t.Errorf("%s: got %q, expected %q", c.name, got, c.want)
		}
	}
}

// TestAcceptedFindingsAreInTheBrief: a brief names every accepted finding about its run, not only the first one.
func TestAcceptedFindingsAreInTheBrief(t *testing.T) {
	finding := func(subject, message string) result.Diagnostic {
		return result.Diagnostic{Rule: "p/lone", Severity: wire.Error, Subject: subject, Message: message}
	}
	r := &result.Result{Instances: []result.Instance{{Plugin: "p",
		Diagnostics: []result.Diagnostic{finding("a", "one"), finding("a", "two"), finding("b", "three")},
		Detections: []wire.Detection{
			{Subject: "a", State: wire.Blocked, Resume: wire.Resume{First: "settle lone: one"}},
			{Subject: "b", State: wire.Blocked, Resume: wire.Resume{First: "settle lone: three"}}}}}}
	p := &Policy{Ignore: []Ignore{{Rules: []string{"lone"}, Reason: "known"}}}
	p.Apply(r, func(string) []wire.Rule { return nil }, time.Now())
	want := []string{"[accepted (known): lone: one accepted (known): lone: two]", "[accepted (known): lone: three]"}
	for i, x := range r.Instances[0].Detections {
		if got := fmt.Sprint(x.Resume.Context); got != want[i] || x.State != wire.Active || x.Resume.First != "" {
			t.Errorf("%s: got %s %v %q, want %s", x.Subject, got, x.State, x.Resume.First, want[i])
		}
	}
}

// TestAcceptedErrorUnblocksItsRun checks that a run stays blocked by its other errors, and that a run whose last phase
// is complete is finished without them.
func TestAcceptedErrorUnblocksItsRun(t *testing.T) {
	finding := func(rule, message string) result.Diagnostic {
		return result.Diagnostic{Rule: "p/" + rule, Severity: wire.Error, Subject: "a", Message: message}
	}
	for _, c := range []struct{ accepted, observed, want string }{
		{"one", "done", "blocked, first settle two: b, next fix it"},
		{"two", "done", "blocked, first settle one: a, next fix it"},
		{"one two", "done", "finished, first , next "},
		{"one two", "begun", "active, first , next fix it"},
	} {
		r := &result.Result{Instances: []result.Instance{{Plugin: "p",
			Lifecycles:  []wire.Lifecycle{{Name: "run", Phases: []wire.Phase{{Name: "begun"}, {Name: "done"}}}},
			Diagnostics: []result.Diagnostic{finding("one", "a"), finding("two", "b")},
			Detections: []wire.Detection{{Lifecycle: "run", Subject: "a", Observed: c.observed, State: wire.Blocked,
				Resume: wire.Resume{First: "settle one: a", Next: "fix it"}}}}}}
		p := &Policy{Ignore: []Ignore{{Rules: strings.Fields(c.accepted), Reason: "known"}}}
		p.Apply(r, func(string) []wire.Rule { return nil }, time.Now())
		x := r.Instances[0].Detections[0]
		if got := fmt.Sprintf("%v, first %s, next %s", x.State, x.Resume.First, x.Resume.Next); got != c.want {
			t.Errorf("%s accepted: got %q, expected %q", c.accepted, got, c.want)
		}
	}
}

// TestBaseline: a baseline accepts the findings that it was created from, including hidden ones, and no others.
func TestBaseline(t *testing.T) {
	all := []string{"low:a:error x", "top:a:error x", "lone:b:error x", "lone:b:error x"}
	first, told1 := judged(t, Policy{}, all...)
	if told1 != "top:a:error+low [low] lone:b:error lone:b:error" {
		t.Fatal(told1)
	}
	known, _ := NewBaseline(first)
	if len(known.Findings) != 3 {
		t.Errorf("known: %+v", known.Findings)
	}
	known.Name = "b.json"
	for _, c := range []struct {
		findings []string
		want     string
	}{
		{all, "low:a:baseline top:a:baseline lone:b:baseline lone:b:baseline"},
		{append(slices.Clone(all), "lone:b:error x"),
			"lone:b:error low:a:baseline top:a:baseline lone:b:baseline lone:b:baseline"},
		{all[:2], "low:a:baseline top:a:baseline baseline-stale"},
		{append(slices.Clone(all), "low:c:error x"),
			"low:c:error low:a:baseline top:a:baseline lone:b:baseline lone:b:baseline"},
		{[]string{all[0], all[2], all[3]}, "low:a:baseline lone:b:baseline lone:b:baseline baseline-stale"},
	} {
		r, got := judged(t, Policy{Baseline: known}, c.findings...)
		if got != c.want {
			t.Errorf("%v: got %q, expected %q", c.findings, got, c.want)
		}
		if s := r.Summary(); s.InBaseline != s.Suppressed || s.InBaseline+s.Errors+s.Warnings != len(c.findings) {
			t.Errorf("%v: counted %+v", c.findings, s)
		}
	}
	if missed := Accept(first, known); missed != 1 || first.Gate(wire.Info) != result.Open {
		// the hidden finding is no longer reported separately
		t.Errorf("after accepting all, %d are missed and the gate is %s", missed, first.Gate(wire.Info))
	}
}

// TestFailuresAreNeverAccepted: no policy opens the gate if something could not be checked.
func TestFailuresAreNeverAccepted(t *testing.T) {
	r, _ := judged(t, Policy{Ignore: []Ignore{{Paths: globs(t, "**")}}}, "lone:a:error x")
	r.Failures = append(r.Failures, result.Failure{Failure: *fault.Newf(fault.IO, "x")})
	Accept(r, baseline.New(nil))
	if r.Gate(wire.Error) != result.Incomplete {
		t.Error("the gate is not broken")
	}
}
