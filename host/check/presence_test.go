package check_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/guests"
)

// asking returns a plugin that alternates between two reports and may ask for paths in src.
func asking(t *testing.T, first, second string) *plugin.Plugin {
	t.Helper()
	m, err := wire.DecodeManifest([]byte(guests.Manifest("asking")))
	if err != nil {
		t.Fatal(err)
	}
	m.AsksFor = []string{"src/**"}
	guest := guests.Canned{Manifest: string(wire.EncodeManifest(m)), Report: guests.Report(first),
		Second: guests.Report(second)}
	p, err := plugin.ReadPlugin("asking.wasm", guest.Bytes(), "", limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestAsking: a report that asks for paths is otherwise ignored, and questions about other paths are rejected.
func TestAsking(t *testing.T) {
	noise := `"diagnostics":[{"rule":"told","range":{"path":"state.json"},"message":"noise"}]`
	for _, c := range []struct{ name, first, second, failure string }{
		{"a question and its answer", `{"ask":["src/a.go"],` + noise + `}`, checktest.Told, ""},
		{"questions without end", `{"ask":["src/a.go"]}`, `{"ask":["src/b.go"]}`,
			`the plugin asks for "src/b.go" after it has its answers`},
		{"what the manifest does not declare", `{"ask":["docs/a.md"]}`, `{}`,
			`asks for "docs/a.md", which no glob in the manifest's asks_for matches`},
		{"what is outside of the workspace", `{"ask":["src/../../etc"]}`, `{}`,
			"is not a clean path relative to the workspace root"},
		{"what is git's own", `{"ask":["src/.GIT/config"]}`, `{}`, "belongs to git"},
		{"twice the same", `{"ask":["src/a","src/a"]}`, `{}`, "expected each path once, sorted"},
		{"too much", `{"ask":[` + strings.Repeat(`"src/a",`, wire.MaxAsk) + `"src/b"]}`, `{}`,
			"asks for 2001 paths, expected at most 2000"},
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
			if len(r.Failures) > 0 || len(r.Instances) != 1 || len(r.Instances[0].Diagnostics) != 1 ||
				r.Instances[0].Diagnostics[0].Message != "as told" {
				t.Errorf("got %+v and %+v, want the finding of the second report alone", r.Instances, r.Failures)
			}
		})
	}
}

// TestCachedQuestionIsAskedAgain: a plugin whose question is cached is asked like any other, so it cannot tell the
// difference.
func TestCachedQuestionIsAskedAgain(t *testing.T) {
	o := checktest.Options(checktest.Tree(t, "a"), asking(t, `{"ask":["src/a.go"]}`, checktest.Told))
	o.Jobs, o.CacheDir, o.Version = 1, t.TempDir(), "test"
	for _, change := range []string{"nothing", "what it asks for is there"} {
		if r := checktest.Check(t, o); len(r.Failures) > 0 || len(r.Instances) != 1 ||
			len(r.Instances[0].Diagnostics) != 1 {
			t.Fatalf("%s: got %+v and %+v", change, r.Instances, r.Failures)
		}
		checktest.Write(t, filepath.Join(o.Dir, "src/a.go"), "package a")
	}
}

// TestUnanswered: paths beyond the limit are reported once, with their number.
func TestUnanswered(t *testing.T) {
	ask := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"src/%05d.go"`, i))
		}
		return `{"ask":[` + strings.Join(list, ",") + `]}`
	}
	for _, c := range []struct {
		name, want   string
		runs, asking int
		refused      bool
	}{
		{name: "as much as is answered", runs: 20, asking: 1000},
		{name: "more than that, in each of many", runs: 20, asking: 1500,
			want: "r0/.sin: 10000 of 30000 possible file paths here and in 19 more state directories were not " +
				"looked up, so no finding reports a file there as missing; check some PATHs at a time"},
		{name: "as much, where it is alone", runs: 1, asking: 1500},
		{name: "all that can be asked", runs: 1, asking: wire.MaxAsk,
			want: "r0/.sin: asking looked for files at 2000 possible paths, which is the limit, so a file " +
				"that may be elsewhere is not reported as missing"},
		{name: "what the project refuses to tell", runs: 20, asking: 1500, refused: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var roots []string
			for i := range c.runs {
				roots = append(roots, fmt.Sprint("r", i))
			}
			o := checktest.Options(checktest.Tree(t, roots...), asking(t, ask(c.asking), `{}`))
			o.Jobs = 1
			if c.refused {
				o.RefusePaths = []string{"asking"}
			}
			got := ""
			r := checktest.Check(t, o)
			for _, n := range r.Notes {
				got += n.Path + ": " + n.Message
				if n.Kind != result.PathsNotChecked {
					t.Errorf("a note of kind %s", n.Kind)
				}
			}
			if got != c.want || len(r.Failures) > 0 {
				t.Errorf("got the notes %q and failures %+v,\nwant %q", got, r.Failures, c.want)
			}
		})
	}
}
