package sdktest_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk"
)

// claims makes the toy check the paths in the phase of state.json against the workspace.
func claims(check func(p *sdk.Pass, claimed string) string) func(*sdk.Workflow) {
	return func(w *sdk.Workflow) {
		w.AsksFor = []string{"src/**", "docs/*.md"}
		w.Rules[0].Check = func(p *sdk.Pass) error {
			for _, claimed := range strings.Fields(p.Model.(*model).phase) {
				if message := check(p, claimed); message != "" {
					p.Report(sdk.Diagnostic{Range: sdk.AtPointer("state.json", "/phase"), Key: claimed,
						Message: message})
				}
			}
			return nil
		}
		delete(w.Schemas, "state")
		w.Documents[0].Schema = ""
	}
}

// missing reports a claimed path that is absent now and was absent in the base.
func missing(p *sdk.Pass, claimed string) string {
	if p.Presence(claimed) == sdk.Absent && p.Base.Presence(claimed) == sdk.Absent {
		return "there is no " + claimed
	}
	return ""
}

// TestPresence checks a state file's claims against a fixture's workspace.
func TestPresence(t *testing.T) {
	const state = "-- state.json --\n{\"phase\": \"src/a.go src/b docs/x.md docs/deep/x.md ../secret .git/config " +
		"src/ src/a.go\"}\n"
	for _, test := range []struct{ name, header, want string }{
		{"nothing is known", "", ""},
		{"nothing is there", "paths:\n", "docs/x.md src/ src/a.go src/b"},
		{"a file, and a directory for what is in it", "paths: src/a.go src/b/c.go\n", "docs/x.md"},
		{"it is gone, which the state does not claim", "paths: src/a.go\nbase-paths: src/b docs/x.md\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			k, f := kit(t, claims(missing), "Claims.\n\nroot: runs/a\n"+test.header+state)
			l, err := k.LookAt(f)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range l.Findings {
				if path := strings.TrimPrefix(d.Message, "there is no "); !strings.Contains(strings.Join(got, " ")+" ",
					path+" ") {
					got = append(got, path)
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("missing are %q, want %q", got, test.want)
			}
			for _, b := range k.Breaches(l) {
				if strings.Contains(b.Law, "unseen") {
					t.Error(b)
				}
			}
		})
	}
}

// TestTheKitRefusesQuestions breaks the laws about questions.
func TestTheKitRefusesQuestions(t *testing.T) {
	for _, test := range []struct {
		name, want string
		check      func(*sdk.Pass, string) string
	}{
		{"a second round", `the plugin asks for "src/b" after it has its answers`, func(p *sdk.Pass, _ string) string {
			if p.Presence("src/a") == sdk.Absent {
				p.Presence("src/b")
			}
			return ""
		}},
		{"a finding that rests on what is unseen",
			"unseen paths outside the instance add no finding: while it is unknown whether any path " +
				"that the plugin asks for exists: state.json:1:11: error done-without-result {x}: no",
			func(p *sdk.Pass, _ string) string {
				if p.Presence("src/a") != sdk.Absent {
					return "no"
				}
				return ""
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			k,
				f := kit(t, claims(test.check), "Claims.\n\nroot: runs/a\npaths:\n-- state.json --\n{\"phase\": "+
				"\"x\"}\n")
			if _, err := k.Check(f); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the kit says\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}
