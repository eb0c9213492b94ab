package print

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/sdk/wire"
)

func finding(rule string, severity wire.Severity, remedies ...host.Remedy) host.Diagnostic {
	return host.Diagnostic{Rule: "toy/" + rule, Severity: severity, Place: host.Place{Path: "a/state.json", Line: 3, Column: 1}, Message: "it is " + rule, Remedies: remedies}
}

func way(id, title string, safety wire.Safety, heals ...string) host.Remedy {
	r := host.Remedy{ID: id, Remedy: wire.Remedy{Title: title, Safety: safety, Heals: heals}}
	if safety == wire.Manual {
		r.Steps = []string{"think"}
	}
	return r
}

func TestRecover(t *testing.T) {
	tests := []struct {
		name string
		r    *host.Result
		want string
	}{
		{"nothing", &host.Result{}, "no remedies: nothing is wrong\n"},
		{"findings without", &host.Result{Instances: []host.Instance{{Plugin: "toy", Root: "a", Diagnostics: []host.Diagnostic{finding("lost", wire.Error)}}}},
			"no remedies: 1 finding without\n"},
		{"a failure", &host.Result{Failures: []host.Failure{{Plugin: "toy", Failure: failure.Failure{Kind: failure.Trap, Message: "no"}}}},
			"failure: plugin toy: trap: no\nno remedies: not everything could be looked at\n"},
		{"alternatives, what else ends, by hand", &host.Result{Instances: []host.Instance{
			{Plugin: "toy", Root: "a", Diagnostics: []host.Diagnostic{
				finding("silent", wire.Info),
				finding("wrong", wire.Error, way("1a", "Set it", wire.Safe, "wrong", "late"), way("2b", "Think", wire.Manual)),
			}},
			{Plugin: "toy", Root: "b", Diagnostics: []host.Diagnostic{finding("late", wire.Warning, way("3c", "Hurry", wire.Review, "late"))}},
		}}, `a  toy
  a/state.json:3:1: error: it is wrong [toy/wrong]
    1  safe    1a  Set it
       ends toy/late
    2  manual  2b  Think
       - think
b  toy
  a/state.json:3:1: warning: it is late [toy/late]
    3  review  3c  Hurry
1 safe, 1 review, 1 manual; 1 finding without
apply one:    stategate recover --apply ID
see it first: stategate recover --apply ID --dry-run
`},
		{"ways back", &host.Result{Instances: []host.Instance{{Plugin: "toy", Root: "a",
			Diagnostics: []host.Diagnostic{finding("lost", wire.Error), finding("late", wire.Warning)},
			Recoveries:  []host.Remedy{way("1a", "Rebuild", wire.Review, "lost")},
		}}}, `a  toy
  a/state.json:3:1: error: it is lost [toy/lost]
  ways back:
    1  review  1a  Rebuild
       ends toy/lost
1 review; 1 finding without
apply one:    stategate recover --apply ID
see it first: stategate recover --apply ID --dry-run
`},
		{"a way back that does not say what it ends", &host.Result{Instances: []host.Instance{{Plugin: "toy", Root: "a",
			Diagnostics: []host.Diagnostic{finding("lost", wire.Error), finding("late", wire.Warning)},
			Recoveries:  []host.Remedy{way("1a", "Ask somebody", wire.Manual)},
		}}}, `a  toy
  a/state.json:3:1: error: it is lost [toy/lost]
  ways back:
    1  manual  1a  Ask somebody
       - think
1 manual; 1 finding without
`},
	}
	for _, test := range tests {
		var b strings.Builder
		if err := Recover(&b, test.r, &Numbers{}, Options{Recover: "stategate recover"}); err != nil {
			t.Fatal(err)
		}
		if b.String() != test.want {
			t.Errorf("%s: it is\n%s\nexpected\n%s", test.name, b.String(), test.want)
		}
	}
}
