package check_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/gittest"
)

// A way is a change that hides state from the gate. For each source, it gives a rule that must be reported, with or
// without its severity, or "" if the source cannot show it.
type way struct {
	name                     string
	do                       func(c *clone)
	worktree, staged, commit string
}

var ways = []way{
	{"deleted", func(c *clone) { c.remove(run) }, "run-removed", "run-removed", "run-removed"},
	{"moved away", func(c *clone) { c.put("kept/x", ""); c.move(run, "kept/one") }, "run-removed", "run-removed",
		"run-removed"},
	{"the markers are lost", func(c *clone) {
		c.put(run+"/plan.md",
			"")
		c.remove(run + "/state.json")
		c.remove(run + "/steps")
	}, "run-removed", "run-removed", "run-removed"},
	{"becomes ignored", func(c *clone) { c.put(".gitignore", ".flow/\n"); c.git("rm", "-rq", "--cached", ".flow") }, "",
		"", "note"},
	{"marker is a link", func(c *clone) { c.replace(run+"/state.json", link("steps/1/a.md")) }, "error not-a-file",
		"error not-a-file", "error not-a-file"},
	{"marker is a directory", func(c *clone) { c.replace(run+"/state.json", empty); c.put(run+"/state.json/x", "") },
		"error not-a-file", "error not-a-file", "error not-a-file"},
	{"marker is a socket", func(c *clone) { c.replace(run+"/state.json", socket) }, "error not-a-file", "", ""},
	{"run is a link", func(c *clone) { c.move(run, "kept"); c.must(link("../../kept")(c.at(run))) }, "error not-a-file",
		"error not-a-file", "error not-a-file"},
	{"run is a link into another run", func(c *clone) {
		c.put(".flow/runs/two/steps/2/a.md", "")
		c.move(run, ".flow/runs/two/steps/1")
		c.must(link("two/steps/1")(c.at(run)))
	}, "run-removed", "run-removed", "run-removed"},
	{"parent is a link", func(c *clone) { c.move(".flow", "kept"); c.must(link("kept")(c.at(".flow"))) },
		"error not-a-file", "error not-a-file", "error not-a-file"},
	{"parent is a link out of the repository", func(c *clone) { c.replace(".flow", link(os.TempDir())) },
		"error not-a-file", "error not-a-file", "error not-a-file"},
	{"parent is a link to nothing", func(c *clone) { c.replace(".flow", link("kept/x")) }, "error not-a-file",
		"error not-a-file", "error not-a-file"},
	{"parent is a link to a file", func(c *clone) { c.replace(".flow", link("README.md")) }, "error not-a-file",
		"error not-a-file", "error not-a-file"},
	{"the directory between is a link to nothing", func(c *clone) { c.replace(".flow/runs", link("kept")) },
		"error not-a-file", "error not-a-file", "error not-a-file"},
	{"parent is a file", func(c *clone) { c.replace(".flow", file) }, "warning not-a-file", "warning not-a-file",
		"warning not-a-file"},
	{"parent is a socket", func(c *clone) { c.replace(".flow", socket) }, "error not-a-file", "", ""},
	{"run is an empty file", func(c *clone) { c.replace(run, file) }, "run-removed", "run-removed", "run-removed"},
	{"run is an empty directory", func(c *clone) { c.replace(run, empty) }, "run-removed", "run-removed",
		"run-removed"},
	{"parent differs in case", func(c *clone) { c.move(".flow", ".FLOW") }, "error differs-in-case",
		"error differs-in-case", "error differs-in-case"},
	{"the directory between differs in case", func(c *clone) { c.move(".flow/runs", ".flow/Runs") },
		"error differs-in-case", "error differs-in-case", "error differs-in-case"},
	{"parent differs by a character that HFS+ ignores", func(c *clone) { c.move(".flow", ".flow\u200c") },
		"error differs-in-case", "error differs-in-case", "error differs-in-case"},
	{"parent differs by a folded letter", func(c *clone) { c.move(".flow/runs", ".flow/run\u017f") },
		"error differs-in-case", "error differs-in-case", "error differs-in-case"},
	{"marker differs in case", func(c *clone) {
		c.remove(run + "/steps")
		c.move(run+"/state.json",
			run+"/State.JSON")
	}, "error differs-in-case", "error differs-in-case", "error differs-in-case"},
	{"one of two markers differs in case", func(c *clone) { c.move(run+"/state.json", run+"/STATE.json") },
		"error differs-in-case", "error differs-in-case", "error differs-in-case"},
	{"the way to documents differs in case", func(c *clone) { c.move(run+"/steps", run+"/Steps") },
		"error differs-in-case", "error differs-in-case", "error differs-in-case"},
	{"parent and marker differ in case", func(c *clone) {
		c.move(run+"/state.json", run+"/State.json")
		c.move(".flow",
			".Flow")
	}, "error differs-in-case", "error differs-in-case", "error differs-in-case"},
	{"parent is a link that differs in case", func(c *clone) {
		c.move(".flow",
			"kept")
		c.must(link("kept")(c.at(".Flow")))
	}, "error not-a-file", "error not-a-file", "error not-a-file"},
	{"parent is a repository", func(c *clone) { c.git("init", "-q", c.at(".flow")) }, "error not-a-file", "", ""},
	{"run is a repository", func(c *clone) { c.git("init", "-q", c.at(run)) }, "error not-a-file", "", ""},
	{"run is a repository by a file", func(c *clone) { c.put(run+"/.git", "gitdir: "+c.at(".git")) },
		"error not-a-file", "", ""},
	{"the way to documents is a repository", func(c *clone) { c.git("init", "-q", c.at(run+"/steps")) },
		"error not-a-file", "", ""},
	{"a step is a repository", func(c *clone) { c.git("init", "-q", c.at(run+"/steps/1")) }, "error not-a-file", "",
		""},
	{"a repository of another case", func(c *clone) {
		c.move(".flow", ".Flow")
		c.git("add", "-A")
		c.git("init", "-q",
			c.at(".Flow"))
	}, "error not-a-file", "error differs-in-case", ""},
	{"parent is a submodule", func(c *clone) { c.module(".flow", true) }, "error not-a-file", "error not-a-file",
		"error not-a-file"},
	{"run is a submodule", func(c *clone) { c.module(run, true) }, "error not-a-file", "error not-a-file",
		"error not-a-file"},
	{"parent is a submodule that is not checked out", func(c *clone) { c.module(".flow", false) }, "error not-a-file",
		"error not-a-file", "error not-a-file"},
	{"run is a submodule that is not checked out", func(c *clone) { c.module(run, false) }, "error not-a-file",
		"error not-a-file", "error not-a-file"},
	{"the way to documents is a submodule", func(c *clone) { c.module(run+"/steps", true) }, "error not-a-file",
		"error not-a-file", "error not-a-file"},
	{"the way to documents is a submodule that is not checked out", func(c *clone) { c.module(run+"/steps", false) },
		"error not-a-file", "error not-a-file", "error not-a-file"},
	{"a new run is a submodule", func(c *clone) {
		c.put(".flow/runs/three/x", "")
		c.module(".flow/runs/three", true)
	},
		"error not-a-file", "error not-a-file", "error not-a-file"},
	{"a new run is a submodule that is not checked out", func(c *clone) {
		c.put(".flow/runs/three/x", "")
		c.module(".flow/runs/three", false)
	}, "error not-a-file", "error not-a-file", "error not-a-file"},
	{"the steps of a new run are a submodule", func(c *clone) {
		c.put(".flow/runs/three/steps/1/a.md", "")
		c.module(".flow/runs/three/steps", false)
	}, "error not-a-file", "error not-a-file", "error not-a-file"},
	{"visible state is a link within", func(c *clone) {
		c.notes()
		c.move("Notes", "kept")
		c.must(link("kept")(c.at("Notes")))
	},
		"error not-a-file", "error not-a-file", "error not-a-file"},
	{"visible state is a link out of the repository", func(c *clone) {
		c.notes()
		c.replace("Notes", link(os.TempDir()))
	},
		"error not-a-file", "error not-a-file", "error not-a-file"},
	{"visible state is a submodule", func(c *clone) {
		c.notes()
		c.module("Notes", false)
	},
		"error not-a-file", "error not-a-file", "error not-a-file"},
	{"visible state is a repository", func(c *clone) {
		c.notes()
		c.git("init", "-q", c.at("Notes"))
	},
		"error not-a-file", "", ""},
	{"new visible state is behind a link", func(c *clone) {
		c.put("kept/INDEX.md", "")
		c.must(link("kept")(c.at("Notes")))
	},
		"error not-a-file", "error not-a-file", "error not-a-file"},
	{"new visible state is behind two links", func(c *clone) {
		c.put("kept/INDEX.md", "")
		c.must(link("kept")(c.at("between")))
		c.must(link("between")(c.at("Notes")))
	}, "error not-a-file", "error not-a-file", "error not-a-file"},
	{"the index alone has visible state", func(c *clone) {
		c.put("Notes/INDEX.md", "")
		c.git("add", "-A")
		c.replace("Notes", link(os.TempDir()))
	}, "error not-a-file", "", ""},
	{"markers in a directory that may not be read", func(c *clone) {
		c.must(os.Chmod(c.at(run), 0))
		c.Cleanup(func() { _ = os.Chmod(c.at(run), 0o755) })
	}, "failure", "", ""},
}

// TestHiddenRunIsReported: if a healthy committed run disappears from the gate's view, every check reports that.
func TestHiddenRunIsReported(t *testing.T) {
	p := flow(t)
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			if w.worktree == "failure" && os.Getuid() == 0 {
				t.Skip("root may read everything")
			}
			c := newClone(t)
			w.do(c)
			seen(t, c, p, w.worktree, func(o *check.Options) { o.Bases = []string{"HEAD"} })
			if w.worktree == "failure" {
				return
			}
			if !strings.Contains(w.name, "submodule") && w.name != "a repository of another case" {
				_ = exec.Command("git", "-C", c.dir, "add", "-A").Run()
			}
			seen(t, c, p, w.staged, func(o *check.Options) { o.Source, o.Predecessors = wire.Index, true })
			c.git("commit", "-q", "--allow-empty", "-m", "y")
			seen(t, c, p, w.commit, func(o *check.Options) {
				o.Source, o.Rev, o.Bases = wire.Commit, "HEAD",
					[]string{"HEAD^"}
			})
			seen(t, c, p, w.commit, func(o *check.Options) {
				o.Source, o.Rev, o.Predecessors, o.Changed = wire.Commit, "HEAD", true, true
			})
		})
	}
}

// seen runs a check and expects a certain kind of report.
func seen(t *testing.T, c *clone, p *plugin.Plugin, want string, set func(*check.Options)) {
	t.Helper()
	if want == "" {
		return
	}
	o := checktest.Options(c.dir, p)
	o.Environ, o.Jobs = gittest.Environ(), 1
	set(&o)
	r := checktest.Check(t, o)
	var got []string
	for range r.Failures {
		got = append(got, "failure")
	}
	for range r.Skipped {
		got = append(got, "note")
	}
	for _, i := range r.Instances {
		for _, d := range i.Diagnostics {
			rule := strings.TrimPrefix(d.Rule, "flow/")
			got = append(got, d.Severity.String()+" "+rule, rule)
		}
	}
	if !slices.Contains(got, want) {
		t.Errorf("%s, changed %v: got %q, want %q", o.Source, o.Changed, got, want)
	}
}

// TestHealthyStateIsNotReportedAsHidden: healthy state, and files that have nothing to do with a workflow, do not
// close the gate.
func TestHealthyStateIsNotReportedAsHidden(t *testing.T) {
	p := flow(t)
	for name, do := range map[string]func(c *clone){
		"as it was":                    func(*clone) {},
		"a documentation directory":    func(c *clone) { c.put("docs/notes/index.md", "# Notes\n") },
		"a page called as a root":      func(c *clone) { c.put("Notes.md", "") },
		"a directory without a marker": func(c *clone) { c.put("notes/a.md", ""); c.put(".FLOW/x", "") },
		"a link beside runs":           func(c *clone) { c.must(link("gone")(c.at(".flow/runs/latest"))) },
		"a link to nothing elsewhere":  func(c *clone) { c.must(link("gone")(c.at("flow"))) },
		"a file beside runs": func(c *clone) {
			c.put(".flow/runs/README.md", "")
			c.put(".flow/Settings",
				"")
		},
		"a repository beside runs": func(c *clone) { c.git("init", "-q", c.at(".flow/cache")) },
		"a repository that is not tracked": func(c *clone) {
			c.git("init", "-q", c.at("vendor/x"))
			c.put("vendor/x/.flow/runs/one/state.json", "{}")
		},
		"a submodule elsewhere": func(c *clone) {
			c.put("lib/x", "")
			c.git("add", "-A")
			c.module("lib", true)
		},
		"a link to a directory without state": func(c *clone) {
			c.put("api/openapi.yaml", "")
			c.must(link("api")(c.at("Notes")))
		},
		"a directory of another workflow": func(c *clone) {
			c.put("runs/.git", "nothing of git's")
			c.git("init", "-q",
				c.at("sessions/runs"))
		},
		"names of a free choice": func(c *clone) {
			c.put(".flow/runs/ONE-B/state.json",
				"{}")
			c.put(run+"/steps/1/A-B.md", "")
		},
		"a nested directory of documents": func(c *clone) {
			c.put(run+"/other/.git/HEAD",
				"")
			c.put(run+"/other/STATE.JSON", "")
		},
		"everything ignored in a build": func(c *clone) {
			c.put(".gitignore",
				"build/\n*.log\n")
			c.put("build/x/.flow/y", "")
		},
		"a directory that ignores itself":  func(c *clone) { c.put("cache/.gitignore", "*\n!.gitignore\n") },
		"a file of the workflow's ignored": func(c *clone) { c.put(".gitignore", ".flow/lock\n.flow/*.tmp\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClone(t)
			do(c)
			look := func(set func(*check.Options)) {
				t.Helper()
				o := checktest.Options(c.dir, p)
				o.Environ, o.Jobs = gittest.Environ(), 1
				set(&o)
				r := checktest.Check(t, o)
				for _, i := range r.Instances {
					for _, d := range i.Diagnostics {
						t.Errorf("%s: %s %s: %s", o.Source, d.Severity, d.Place.Path, d.Message)
					}
				}
				if len(r.Failures)+len(r.Skipped) > 0 {
					t.Errorf("%s: got failures %v, notes %v", o.Source, r.Failures, r.Skipped)
				}
			}
			look(func(*check.Options) {})
			_ = exec.Command("git", "-C", c.dir, "add", "-A").Run() // files that cannot be added are skipped
			look(func(o *check.Options) { o.Source, o.Predecessors = wire.Index, true })
			c.git("commit", "-q", "--allow-empty", "-m", "y")
			look(func(o *check.Options) { o.Source, o.Rev, o.Bases = wire.Commit, "HEAD", []string{"HEAD^"} })
		})
	}
}

// TestSeverityOfVisibleNames: a name without a leading dot may exist for another reason, so it does not close the
// gate.
func TestSeverityOfVisibleNames(t *testing.T) {
	p := flow(t)
	for name, c := range map[string]struct {
		file, want string
	}{
		"directory":           {"notes/INDEX.md", "warning differs-in-case"},
		"marker":              {"Notes/Index.md", "warning differs-in-case"},
		"a file in its place": {"Notes", "info not-a-file"},
		"a link out":          {"Notes -> /tmp", "info not-a-file"},
		"a submodule":         {"Notes/", "info not-a-file"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newClone(t)
			name, target, isLink := strings.Cut(c.file, " -> ")
			switch {
			case isLink:
				r.must(link(target)(r.at(name)))
			case strings.HasSuffix(name, "/"):
				r.put(name+"x", "")
				r.module(strings.TrimSuffix(name, "/"), false)
			default:
				r.put(name, "")
			}
			seen(t, r, p, c.want, func(*check.Options) {})
		})
	}
}

// TestBothSpellings: if some system treats two names as the same, a tool may read either.
func TestBothSpellings(t *testing.T) {
	c := newClone(t)
	c.put(run+"/STATE.json", "{}")
	c.put(".Flow/runs/one/state.json", "{}")
	o := checktest.Options(c.dir, flow(t))
	o.Environ, o.Jobs = gittest.Environ(), 1
	var got []string
	for _, i := range checktest.Check(t, o).Instances {
		for _, d := range i.Diagnostics {
			got = append(got, d.Place.Path+": "+d.Message)
		}
	}
	if text := strings.Join(got, "\n"); len(got) != 2 || !strings.Contains(text, "merge them into .flow") ||
		!strings.Contains(text, "merge them into state.json") {
		t.Errorf("got %s", text)
	}
}

// TestUnwritableCommit: a commit that no checkout can write exactly is a failure, even as a base.
func TestUnwritableCommit(t *testing.T) {
	c := newClone(t)
	blob := func(text string) []byte {
		c.put("object", text)
		id, err := hex.DecodeString(c.git("hash-object", "-w", "object"))
		c.must(err)
		return id
	}
	tree := func(entries ...[]byte) string {
		c.put("object", string(bytes.Join(entries, nil)))
		return c.git("hash-object", "-w", "--literally", "-t", "tree", "object")
	}
	entry := func(head string, id []byte) []byte { return append(append([]byte(head), 0), id...) }
	within := func(id string) string {
		for _, name := range []string{"one", "runs", ".flow"} {
			raw, err := hex.DecodeString(id)
			c.must(err)
			id = tree(entry("40000 "+name, raw))
		}
		return c.git("commit-tree", "-m", "x", id)
	}
	for name, commit := range map[string]string{
		"twice": within(tree(entry("100644 state.json", blob("{}")),
			entry("100644 state.json", blob("{")))),
		"a file called .git": within(tree(entry("100644 .git", blob("gitdir: x")),
			entry("100644 state.json", blob("{}")))),
		"a file called .GIT":    within(tree(entry("100644 .GIT", blob("")), entry("100644 state.json", blob("{}")))),
		"its short name on FAT": within(tree(entry("100644 git~1", blob("")), entry("100644 state.json", blob("{}")))),
	} {
		c.git("update-ref", "refs/heads/bad", commit)
		for _, set := range []func(*check.Options){
			func(o *check.Options) { o.Source, o.Rev = wire.Commit, "bad" },
			func(o *check.Options) { o.Exact = []string{"bad"} },
			func(o *check.Options) { o.Source, o.Rev, o.Exact = wire.Commit, "HEAD", []string{"bad"} },
		} {
			o := checktest.Options(c.dir, flow(t))
			o.Environ, o.Jobs = gittest.Environ(), 1
			set(&o)
			r, err := check.Check(context.Background(), o)
			var f *fault.Failure
			if !errors.As(err, &f) && (r == nil || len(r.Failures) == 0) {
				t.Errorf("%s, %s: got %v, want a failure", name, o.Source, err)
			}
		}
	}
}
