package check_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/guests"
)

// asking returns a plugin that answers with two reports in turn and may ask for what lies in src.
func asking(t *testing.T, first, second string) *plugin.Plugin {
	t.Helper()
	m, err := wire.DecodeManifest([]byte(guests.Manifest("asking")))
	if err != nil {
		t.Fatal(err)
	}
	m.Paths = []string{"src/**"}
	guest := guests.Canned{Manifest: string(wire.EncodeManifest(m)), Report: guests.Report(first), Second: guests.Report(second)}
	p, err := plugin.ReadPlugin("asking.wasm", guest.Bytes(), "", limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestAsking: what a report says beside its questions counts for nothing, and what it may not ask for is refused.
func TestAsking(t *testing.T) {
	noise := `"diagnostics":[{"rule":"told","range":{"path":"state.json"},"message":"noise"}]`
	for _, c := range []struct{ name, first, second, failure string }{
		{"a question and its answer", `{"ask":["src/a.go"],` + noise + `}`, checktest.Told, ""},
		{"questions without end", `{"ask":["src/a.go"]}`, `{"ask":["src/b.go"]}`, `the plugin asks for "src/b.go" when it has its answers`},
		{"what the manifest does not declare", `{"ask":["docs/a.md"]}`, `{}`, `asks for "docs/a.md", which no glob in the manifest's paths matches`},
		{"what is outside of the workspace", `{"ask":["src/../../etc"]}`, `{}`, "is not relative to the top of the workspace"},
		{"what is git's own", `{"ask":["src/.GIT/config"]}`, `{}`, "is one of git's own"},
		{"twice the same", `{"ask":["src/a","src/a"]}`, `{}`, "expected each path once, sorted"},
		{"too much", `{"ask":[` + strings.Repeat(`"src/a",`, wire.MaxAsk) + `"src/b"]}`, `{}`, "asks for 2001 paths, expected at most 2000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := checktest.Options(checktest.Tree(t, "a"), asking(t, c.first, c.second))
			o.Jobs = 1
			r := checktest.Check(t, o)
			if c.failure != "" {
				if len(r.Failures) != 1 || !strings.Contains(r.Failures[0].Message, c.failure) {
					t.Errorf("the failures are %+v, want one with %q", r.Failures, c.failure)
				}
				return
			}
			if len(r.Failures) > 0 || len(r.Instances) != 1 || len(r.Instances[0].Diagnostics) != 1 || r.Instances[0].Diagnostics[0].Message != "as told" {
				t.Errorf("got %+v and %+v, want the finding of the second report alone", r.Instances, r.Failures)
			}
		})
	}
}

// TestARememberedQuestion: a plugin whose question is remembered is asked as one is whose is not, so that it cannot tell the two apart.
func TestARememberedQuestion(t *testing.T) {
	o := checktest.Options(checktest.Tree(t, "a"), asking(t, `{"ask":["src/a.go"]}`, checktest.Told))
	o.Jobs, o.CacheDir, o.Version = 1, t.TempDir(), "test"
	for _, change := range []string{"nothing", "what it asks for is there"} {
		if r := checktest.Check(t, o); len(r.Failures) > 0 || len(r.Instances) != 1 || len(r.Instances[0].Diagnostics) != 1 {
			t.Fatalf("%s: got %+v and %+v", change, r.Instances, r.Failures)
		}
		checktest.Write(t, filepath.Join(o.Dir, "src/a.go"), "package a")
	}
}
