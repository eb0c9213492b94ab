package print

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func finding(rule string, severity wire.Severity, remedies ...result.Remedy) result.Diagnostic {
	return result.Diagnostic{Rule: "toy/" + rule, Severity: severity,
		Place: result.Place{Path: "a/state.json", Line: 3, Column: 1}, Message: "it is " + rule, Remedies: remedies}
}

func way(id, title string, safety wire.Safety, heals ...string) result.Remedy {
	r := result.Remedy{ID: id, Remedy: wire.Remedy{Title: title, Safety: safety, Fixes: heals}}
	if safety == wire.Manual {
		r.Steps = []string{"think"}
	}
	return r
}

func TestRecover(t *testing.T) {
	tests := []struct {
		name string
		r    *result.Result
		want string
	}{
		{"nothing", &result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a"}}},
			"no remedies: nothing is wrong\n"},
		{"no state", &result.Result{}, "no remedies: no workflow state was found\n"},
		{"findings without", &result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a",
			Diagnostics: []result.Diagnostic{finding("lost", wire.Error)}}}},
			"a/state.json:3:1: error: it is lost [toy/lost]\n\nno remedies: 1 finding without a remedy\n"},
		{"a failure", &result.Result{Failures: []result.Failure{{Plugin: "toy",
			Failure: fault.Failure{Kind: fault.Trap, Message: "no"}}}},
			"failure: plugin toy: trap: no\nno remedies: some state could not be checked\n"},
		{"alternatives, by hand", &result.Result{Instances: []result.Instance{
			{Plugin: "toy", Root: "a", Diagnostics: []result.Diagnostic{
				finding("silent", wire.Info),
				finding("wrong", wire.Error, way("1a", "Set it", wire.Safe, "wrong", "late"),
					way("2b", "Think", wire.Manual)),
			}},
			{Plugin: "toy", Root: "b", Diagnostics: []result.Diagnostic{finding("late", wire.Warning,
				way("3c", "Hurry", wire.Review, "late"))}},
		}}, `a/state.json:3:1: error: it is wrong [toy/wrong]
  1a  safe  Set it
  by hand: Think
    - think

a/state.json:3:1: warning: it is late [toy/late]
  3c  review  Hurry

1 safe, 1 review, 1 manual; 1 finding without a remedy
apply one:    stategate recover --apply ID
see it first: stategate recover --apply ID --dry-run
`},
		{"recoveries", &result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a",
			Diagnostics: []result.Diagnostic{finding("lost", wire.Error), finding("late", wire.Warning)},
			Recoveries:  []result.Remedy{way("1a", "Rebuild", wire.Review, "lost")},
		}}}, `a/state.json:3:1: error: it is lost [toy/lost]
  1a  review  Rebuild

a/state.json:3:1: warning: it is late [toy/late]

1 review; 1 finding without a remedy
apply one:    stategate recover --apply ID
see it first: stategate recover --apply ID --dry-run
`},
		{"a way back that does not say what it ends",
			&result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a",
				Diagnostics: []result.Diagnostic{finding("lost", wire.Error), finding("late", wire.Warning)},
				Recoveries:  []result.Remedy{way("1a", "Ask a colleague", wire.Manual)},
			}}}, `a/state.json:3:1: error: it is lost [toy/lost]
  by hand: Ask a colleague
    - think

a/state.json:3:1: warning: it is late [toy/late]

1 manual; 1 finding without a remedy
`},
		{"a way back without a finding",
			&result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a",
				Recoveries: []result.Remedy{way("1a", "Rebuild", wire.Review)}}}}, `a:
  1a  review  Rebuild

1 review; nothing is wrong
apply one:    stategate recover --apply ID
see it first: stategate recover --apply ID --dry-run
`},
	}
	for _, test := range tests {
		var b strings.Builder
		if err := Recover(&b, Recovery{Result: test.r}, Options{Recover: "stategate recover"}); err != nil {
			t.Fatal(err)
		}
		if b.String() != test.want {
			t.Errorf("%s: it is\n%s\nexpected\n%s", test.name, b.String(), test.want)
		}
	}
}

// TestRecoverAppliesToAll: if findings of a rule are only counted, one command applies a remedy to all of them.
func TestRecoverAppliesToAll(t *testing.T) {
	r := threeChanges()
	for n := range 5 {
		add(&r.Instances[0], wire.Error, "wrong", fmt.Sprintf("a/%d", n))
		add(&r.Instances[0], wire.Warning, "late", fmt.Sprintf("a/%d", n))
	}
	for n := range 4 { // of the errors; the last one has only a manual remedy
		r.Instances[0].Diagnostics[2*n].Remedies = []result.Remedy{way("1", "Think", wire.Manual), way(fmt.Sprint(n),
			"Set it", wire.Review)}
	}
	for recover, command := range map[string]string{
		"stategate recover": "stategate recover --apply toy/wrong", "": "toy/wrong", // to be typed at the prompt
	} {
		var b strings.Builder
		if err := Recover(&b, Recovery{Result: r}, Options{Recover: recover}); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"… and 2 more wrong (--show all)\n  apply to all 4: " + command + "\n\n",
			"… and 2 more late (--show all)\n\n"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("it lacks %q:\n%s", want, b.String())
			}
		}
	}
}
