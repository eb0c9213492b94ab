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

remedies: 2 to apply (1 safe, 1 review), 1 by hand; 1 finding without a remedy
apply one:    stategate recover --apply ID
see it first: stategate recover --apply ID --dry-run
`},
		{"recoveries", &result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a",
			Diagnostics: []result.Diagnostic{finding("lost", wire.Error), finding("late", wire.Warning)},
			Recoveries:  []result.Remedy{way("1a", "Rebuild", wire.Review, "lost")},
		}}}, `a/state.json:3:1: error: it is lost [toy/lost]
  1a  review  Rebuild

a/state.json:3:1: warning: it is late [toy/late]

remedies: 1 to apply (review); 1 finding without a remedy
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

remedies: 1 by hand; 1 finding without a remedy
`},
		{"a way back without a finding",
			&result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a",
				Recoveries: []result.Remedy{way("1a", "Rebuild", wire.Review)}}}}, `a:
  1a  review  Rebuild

remedies: 1 to apply (review); nothing is wrong
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

// crowded returns a result with a safe remedy at the end of a given number of findings, and manual steps for the rest.
func crowded(findings int) *result.Result {
	r := threeChanges()
	i := &r.Instances[0]
	for n := range findings - 1 {
		add(i, []wire.Severity{wire.Error, wire.Warning}[n%2], "wrong", fmt.Sprintf("a/%d", n))
		i.Diagnostics[n].Remedies = []result.Remedy{way(fmt.Sprintf("%04d", n), "Decide", wire.Manual)}
	}
	add(i, wire.Warning, "late", "b/1")
	i.Diagnostics[findings-1].Remedies = []result.Remedy{way("1a2b3c", "Set it", wire.Safe)}
	return r
}

// TestRecoverEndsWithIDs: if there are many findings, those to fix by hand are only counted, and the ids that a person
// can type are listed directly above the prompt. If there are few, or with --show all, every finding is listed.
func TestRecoverEndsWithIDs(t *testing.T) {
	const late = `d/b/1: warning: late [toy/late]
  1a2b  safe  Set it

`
	const again = `to apply:
  1a2b  safe  Set it  d/b

`
	shown := func(r *result.Result, o Options) string {
		var b strings.Builder
		if err := Recover(&b, Recovery{Result: r}, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := late + `to fix by hand (--show all):
    10  error    toy/wrong
    10  warning  toy/wrong

` + again + "remedies: 1 to apply (safe), 20 by hand\n"
	if got := shown(crowded(many+1), Options{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := shown(crowded(many), Options{}); !strings.Contains(got, "  by hand: Decide\n    - think\n") ||
		!strings.HasSuffix(got, late+"remedies: 1 to apply (safe), 19 by hand\n") {
		t.Errorf("%d findings: got\n%s", many, got)
	}
	all := shown(crowded(many+1), Options{All: true})
	if n := strings.Count(all, "  by hand: Decide\n"); n != many || !strings.Contains(all, late+again) {
		t.Errorf("--show all lists %d of %d findings to fix by hand:\n%s", n, many, all)
	}
}

// TestRecoverTableFits: a line of the table is never wider than the terminal, and keeps the id.
func TestRecoverTableFits(t *testing.T) {
	r := crowded(many + 1)
	d := &r.Instances[0].Diagnostics[many]
	d.Remedies[0].Title, r.Instances[0].Root = strings.Repeat("word ", 40), strings.Repeat("deep/", 20)+"d"
	for _, width := range []int{60, 80, 120, 200} {
		var b strings.Builder
		if err := Recover(&b, Recovery{Result: r}, Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(b.String(), "to apply:\n")
		row, _, _ := strings.Cut(rest, "\n")
		if Columns(row) > width || !strings.HasPrefix(row, "  1a2b  safe  word ") {
			t.Errorf("%d columns: %q has %d", width, row, Columns(row))
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
