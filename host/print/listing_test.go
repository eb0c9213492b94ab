package print

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// threeChanges returns a state directory with three runs, called changes, and no findings.
func threeChanges() *result.Result {
	change := func(name string) wire.Detection {
		return wire.Detection{Lifecycle: "change", Subject: name, Files: []string{name + "/**"}}
	}
	return &result.Result{Plugins: []*plugin.Plugin{{Name: "toy"}}, Instances: []result.Instance{{Plugin: "toy",
		Root: "d", Detections: []wire.Detection{change("a"), change("b"), change("c")}}}}
}

// add adds a finding about a file in a state directory.
func add(i *result.Instance, severity wire.Severity, rule, file string) {
	n := len(i.Diagnostics)
	i.Diagnostics = append(i.Diagnostics, result.Diagnostic{Rule: i.Plugin + "/" + rule, Severity: severity,
		Place: result.Place{Path: i.Root + "/" + file}, Message: rule, Fingerprint: fmt.Sprintf("%04d", n)})
}

func texted(t *testing.T, r *result.Result, o Options) string {
	t.Helper()
	var b strings.Builder
	if o.FailOn == wire.Inherit {
		o.FailOn = wire.Error
	}
	if err := Text(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTextBeginsWithErrors: the errors of all runs come before the first warning, and the directory's errors before
// those of its runs. Findings of one run stay together, in a fixed order of runs.
func TestTextBeginsWithErrors(t *testing.T) {
	r := threeChanges()
	i := &r.Instances[0]
	for _, x := range []struct {
		severity   wire.Severity
		rule, file string
	}{
		{wire.Warning, "late", "a/1"}, {wire.Error, "wrong", "b/1"}, {wire.Error, "odd", "a/2"},
		{wire.Warning, "odd", "b/2"}, {wire.Error, "lost", "specs"}, {wire.Warning, "late", "specs"},
		{wire.Error, "wrong", "a/3"},
	} {
		add(i, x.severity, x.rule, x.file)
	}
	want := `d/specs: error: lost [toy/lost]

d/a/2: error: odd [toy/odd]

d/a/3: error: wrong [toy/wrong]

d/b/1: error: wrong [toy/wrong]

d/specs: warning: late [toy/late]

d/a/1: warning: late [toy/late]

d/b/2: warning: odd [toy/odd]

3 runs: 4 errors, 3 warnings: the gate is closed
`
	if got := texted(t, r, Options{Show: wire.Warning}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFolding: after three findings of one rule and severity in a state directory, the others are only counted,
// unless all are requested. Other severities, other directories and machine formats are not affected.
func TestFolding(t *testing.T) {
	r := threeChanges()
	for n := range 5 {
		add(&r.Instances[0], wire.Error, "wrong", fmt.Sprintf("%c/%d", 'a'+n%3, n))
	}
	add(&r.Instances[0], wire.Warning, "wrong", "c/9")
	r.Instances = append(r.Instances, result.Instance{Plugin: "toy", Root: "e"})
	add(&r.Instances[1], wire.Error, "wrong", "x")
	want := `d/a/0: error: wrong [toy/wrong]

d/a/3: error: wrong [toy/wrong]

d/b/1: error: wrong [toy/wrong]

… and 2 more wrong (--show all)

e/x: error: wrong [toy/wrong]

d/c/9: warning: wrong [toy/wrong]

4 runs: 6 errors, 1 warning: the gate is closed
`
	o := Options{Show: wire.Warning, FailOn: wire.Error}
	if got := texted(t, r, o); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var b strings.Builder
	if err := Concise(&b, r, o); err != nil || strings.Count(b.String(), "[toy/wrong]") != 7 {
		t.Errorf("%v: %s", err, b.String())
	}
	o.All = true
	if got := texted(t, r, o); strings.Count(got, "[toy/wrong]") != 7 || strings.Contains(got, "more") {
		t.Errorf("--show all: %s", got)
	}
}

// TestCounts: more than twenty findings are also counted by rule at the end, and errors at the top, so that one
// screen shows which rules have findings. Twenty findings are not counted.
func TestCounts(t *testing.T) {
	r := threeChanges()
	for n := range 14 {
		add(&r.Instances[0], wire.Warning, "late", fmt.Sprintf("a/%d", n))
	}
	for n := range 5 {
		add(&r.Instances[0], wire.Error, "wrong", fmt.Sprintf("b/%d", n))
	}
	add(&r.Instances[0], wire.Error, "odd", "c/1")
	o := Options{Show: wire.Warning}
	if got := texted(t, r, o); strings.Contains(got, "5  error") {
		t.Errorf("twenty are counted:\n%s", got)
	}
	add(&r.Instances[0], wire.Warning, "late", "a/20")
	add(&r.Instances[0], wire.Info, "old", "a/21")
	got := texted(t, r, o)
	top := "errors by rule:\n     5  error    toy/wrong\n     1  error    toy/odd\n\n"
	end := "findings by rule:\n     5  error    toy/wrong\n     1  error    toy/odd\n    15  warning  toy/late\n\n" +
		"3 runs: 6 errors, 15 warnings, 1 info (--show info): the gate is closed\n"
	if !strings.HasPrefix(got, top) || !strings.HasSuffix(got, end) {
		t.Errorf("got\n%s", got)
	}
	r.Instances = append(r.Instances, result.Instance{Plugin: "toy", Root: "e"})
	add(&r.Instances[1], wire.Error, "wrong", "x")
	if got := texted(t, r, o); !strings.Contains(got, "… and 3 more wrong") || strings.Contains(got, "e/x") {
		t.Errorf("many findings of two directories are not counted together:\n%s", got)
	}
}

// TestLastLines: the last lines are in a fixed order, and only those that apply are printed.
func TestLastLines(t *testing.T) {
	o := Options{Show: wire.Warning, Recover: "stategate recover", CheckAll: "stategate check", Init: "stategate init",
		Accept: func(id string) string { return "stategate accept " + id }, Explain: "stategate explain",
		Last: "nothing changed since HEAD"}
	r := threeChanges()
	r.Base = []result.Base{{Rev: "HEAD", ID: "8a7fdfd4aaaa"}}
	r.Outside = result.Outside{Errors: 1, Runs: 1}
	verdict := "compared with HEAD (8a7fdfd)\n1 error in 1 run this change does not touch: stategate check\n3 runs: "
	if got, want := texted(t, r, o), "compared with HEAD (8a7fdfd)\n1 error in 1 run this change does not touch: "+
		"stategate check\n3 runs: the gate is open\nnothing changed since HEAD\n"; got != want {
		t.Errorf("open: got\n%s\nwant\n%s", got, want)
	}
	add(&r.Instances[0], wire.Error, wire.RuleUnreadable, "a/0") // it can never be accepted
	for n := range many {
		add(&r.Instances[0], wire.Error, "wrong", fmt.Sprintf("a/%d", n))
	}
	r.Instances[0].Diagnostics[1].Remedies = []result.Remedy{way("1a2b3c", "Set it", wire.Review)}
	want := verdict + `21 errors: the gate is closed
fix:    stategate recover  asks, and shows every change first
or:     stategate recover --apply 1a2b
accept: stategate accept 0001  accepts toy/wrong at d/a/0
start:  stategate init  keeps today's errors in a baseline: only new ones close the gate
nothing changed since HEAD
`
	if got := texted(t, r, o); !strings.HasSuffix(got, want) {
		t.Errorf("closed: got\n%s\nwant\n%s", got, want)
	}
	r.Instances[0].Diagnostics = r.Instances[0].Diagnostics[:2]
	if got := texted(t, r, o); strings.Contains(got, "init") {
		t.Errorf("two findings: got\n%s", got)
	}
}

// TestLastLineNamesTheFindingOfTheChange: the printed command fixes a finding that the change caused rather than an
// older one.
func TestLastLineNamesTheFindingOfTheChange(t *testing.T) {
	r := threeChanges()
	for n, id := range []string{"old", "made", "warn"} {
		add(&r.Instances[0], wire.Error, "wrong", fmt.Sprintf("a/%d", n))
		r.Instances[0].Diagnostics[n].Remedies = []result.Remedy{way(id, "Set it", wire.Review)}
		r.Instances[0].Diagnostics[n].Touched = n > 0
	}
	r.Instances[0].Diagnostics[2].Severity = wire.Warning
	o := Options{Recover: "stategate recover"}
	if got := texted(t, r, o); !strings.Contains(got, "\nor:  stategate recover --apply made\n") {
		t.Errorf("got\n%s", got)
	}
	r.Instances[0].Diagnostics[1].Severity = wire.Warning // an older error closes the gate, and comes first
	if got := texted(t, r, o); !strings.Contains(got, "\nor:  stategate recover --apply old\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestLastLineOpensTheGate: the remedy of a warning is not recommended while an error keeps the gate closed.
func TestLastLineOpensTheGate(t *testing.T) {
	r := threeChanges()
	add(&r.Instances[0], wire.Error, "wrong", "a/0")
	add(&r.Instances[0], wire.Warning, "late", "a/1")
	r.Instances[0].Diagnostics[1].Remedies = []result.Remedy{way("late", "Set it", wire.Review)}
	got := texted(t, r, Options{Recover: "stategate recover", FailOn: wire.Error})
	if !strings.Contains(got, "\nfix: stategate recover  ") || strings.Contains(got, "\nor: ") {
		t.Errorf("got\n%s", got)
	}
}

// TestLastLineRecommendsFirstRemedies: if the first remedy of a finding is manual, its second one is not recommended,
// but that of another finding is.
func TestLastLineRecommendsFirstRemedies(t *testing.T) {
	r := threeChanges()
	add(&r.Instances[0], wire.Error, "wrong", "a/0")
	r.Instances[0].Diagnostics[0].Remedies = []result.Remedy{way("", "Decide", wire.Manual),
		way("two2", "Drop it", wire.Review)}
	o := Options{Recover: "recover", Accept: func(id string) string { return "accept " + id }}
	if got := texted(t, r, o); !strings.HasSuffix(got, "closed\nfix:    recover  asks, and shows every change first\n"+
		"accept: accept 0000\n") {
		t.Errorf("got\n%s", got)
	}
	add(&r.Instances[0], wire.Error, "odd", "b/1")
	r.Instances[0].Diagnostics[1].Remedies = []result.Remedy{way("one1", "Set it", wire.Review)}
	if got := texted(t, r, o); !strings.HasSuffix(got, "\nor:     recover --apply one1\n"+
		"accept: accept 0001  accepts toy/odd at d/b/1\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestNoState: a repository without state does not have an open gate. A change that touches no run does.
func TestNoState(t *testing.T) {
	o := Options{Explain: "stategate explain"}
	r := &result.Result{Plugins: []*plugin.Plugin{{Name: "toy"}, {Name: "play"}}}
	if got := texted(t, r, o); got != "no workflow state found (2 workflows known: stategate explain)\n" {
		t.Errorf("got %q", got)
	}
	r.Changed = true
	if got := texted(t, r, o); got != "no runs: the gate is open\n" {
		t.Errorf("a change: got %q", got)
	}
}
