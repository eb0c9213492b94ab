package check_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/gittest"
)

// TestIgnoredEverywhere: however a rule ignores a root, a commit without the state does not pass as clean, and checks
// of the working tree and the index see the state.
func TestIgnoredEverywhere(t *testing.T) {
	p := flow(t)
	ignore := func(file string, lines ...string) func(c *clone) {
		return func(c *clone) { c.put(file, strings.Join(lines, "\n")+"\n") }
	}
	for name, do := range map[string]func(c *clone){
		"a name":                        ignore(".gitignore", ".flow"),
		"a directory":                   ignore(".gitignore", ".flow/"),
		"from the top":                  ignore(".gitignore", "/.flow"),
		"a directory from the top":      ignore(".gitignore", "/.flow/"),
		"what is in it":                 ignore(".gitignore", ".flow/*"),
		"all that is in it":             ignore(".gitignore", ".flow/**"),
		"at any depth":                  ignore(".gitignore", "**/.flow/"),
		"the lower directory":           ignore(".gitignore", ".flow/runs/"),
		"what is in the lower one":      ignore(".gitignore", ".flow/runs/*"),
		"a wildcard":                    ignore(".gitignore", ".fl*"),
		"all but a document":            ignore(".gitignore", ".flow/*", "!.flow/README.md"),
		"one marker of two":             ignore(".gitignore", ".flow/runs/*/state.json", ".flow/runs/*/steps/"),
		"included again too late":       ignore(".gitignore", ".flow/", "!.flow/runs/"),
		"all but some":                  ignore(".gitignore", "/*", "!/.gitignore", "!/README.md"),
		"by a file in it":               ignore(".flow/.gitignore", "*", "!.gitignore"),
		"by a file that ignores itself": ignore(".flow/.gitignore", "*"),
		"the user's own":                ignore(".git/info/exclude", ".flow/"),
		"the user's configuration": func(c *clone) {
			name := filepath.Join(c.TempDir(), "ignore")
			checktest.Write(c.T, name, ".flow/\n")
			c.git("config", "core.excludesFile", name)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClone(t)
			c.git("rm", "-rq", "--cached", ".flow")
			do(c)
			c.commit()
			if held := c.git("ls-files", ".flow/runs"); held != "" {
				t.Fatalf("the commit holds %s", held)
			}
			commit := func(o *check.Options) { o.Source, o.Rev = wire.Commit, "HEAD" }
			for _, source := range []wire.Source{wire.Worktree, wire.Index} {
				o := checktest.Options(c.dir, p)
				o.Environ, o.Jobs, o.Source = gittest.Environ(), 1, source
				if r := checktest.Check(t, o); len(r.Instances) != 2 || r.Instances[0].Digest == "" {
					t.Errorf("%s: got %d instances, want the two on disk", source, len(r.Instances))
				}
			}
			seen(t, c, p, "note", commit)
			if name == "by a file that ignores itself" {
				return // the other sources have nothing that could show it
			}
			c.remove(".flow/runs")
			seen(t, c, p, "note", commit)
		})
	}
}

// TestIgnoredInSubdirectory: roots in subdirectories may be ignored by a rule there or at the top.
func TestIgnoredInSubdirectory(t *testing.T) {
	p := flow(t)
	for name, c := range map[string]struct{ file, rule, want string }{
		"a rule beside it": {"sub/.gitignore", ".flow/", "sub/.flow/runs/* (sub/.gitignore:1: .flow/)"},
		"a rule at the top": {".gitignore", "sub/deep/.flow/",
			"sub/deep/.flow/runs/* (.gitignore:1: sub/deep/.flow/)"},
		"a rule with a star":  {".gitignore", "packages/*/Notes", "packages/x/Notes (.gitignore:1: packages/*/Notes)"},
		"the user's own rule": {".git/info/exclude", "/sub/.flow", "sub/.flow/runs/* ("},
	} {
		t.Run(name, func(t *testing.T) {
			r := newClone(t)
			r.put("sub/x", "")
			r.put(c.file, c.rule+"\n")
			r.commit()
			o := checktest.Options(r.dir, p)
			o.Environ, o.Source, o.Rev = gittest.Environ(), wire.Commit, "HEAD"
			got := checktest.Check(t, o).Skipped
			if len(got) != 1 || !strings.Contains(got[0].Why, c.want) {
				t.Errorf("got %v, want %s", got, c.want)
			}
			o.Paths = []string{r.at(".flow")}
			if got := checktest.Check(t, o).Skipped; len(got) > 0 {
				t.Errorf("for another path: got %v", got)
			}
		})
	}
}

// TestPolicyIgnores: a change may ignore paths that its policy does not, and the reverse.
func TestPolicyIgnores(t *testing.T) {
	p := flow(t)
	for _, file := range []string{"before", "after"} {
		c := newClone(t)
		c.git("rm", "-rq", ".flow")
		c.put("x", "")
		if file == "before" {
			c.put(".gitignore", ".flow/\n")
		}
		c.commit()
		policy := c.git("rev-parse", "HEAD")
		if c.remove(".gitignore"); file == "after" {
			c.put(".gitignore", ".flow/\n")
		}
		c.commit()
		seen(t, c, p, "note", func(o *check.Options) { o.Source, o.Rev, o.Policy.ID = wire.Commit, "HEAD", policy })
	}
}
