package check_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/gittest"
)

// TestPrintedCommandRestoresRun: the command that is printed for a deleted run restores it, whatever has taken its
// place.
func TestPrintedCommandRestoresRun(t *testing.T) {
	p := flow(t, wire.Root{Dir: "**", Markers: []string{"plan.md"}})
	const other = "reports/one"
	for name, c := range map[string]struct {
		do      func(c *clone)
		lost    string // the run
		want    string // part of the message
		undo    func(c *clone)
		indexed bool // the index still has it
	}{
		"deleted":            {do: func(c *clone) { c.remove(run) }, lost: run},
		"an empty directory": {do: func(c *clone) { c.replace(run, empty) }, lost: run},
		"a file":             {do: func(c *clone) { c.replace(run, file) }, lost: run},
		"a link to nothing":  {do: func(c *clone) { c.replace(".flow", link("kept/x")) }, lost: run},
		"other documents":    {do: func(c *clone) { c.replace(run, empty); c.put(run+"/plan.txt", "") }, lost: run},
		"a repository of its own": {
			do: func(c *clone) { c.git("init", "-q", c.at(run)) }, lost: run, indexed: true,
			want: run + " is a separate git repository now", undo: func(c *clone) { c.remove(run + "/.git") },
		},
		"a repository above": {
			do: func(c *clone) { c.git("init", "-q", c.at("reports")) }, lost: other, indexed: true,
			want: "reports is a separate git repository now", undo: func(c *clone) { c.remove("reports/.git") },
		},
		"a submodule": {
			do: func(c *clone) { c.module(run, true) }, lost: run,
			want: run + " is a separate git repository now", undo: func(c *clone) { c.remove(run + "/.git") },
		},
		"a submodule that holds it": {
			do: func(c *clone) {
				c.module(run, true)
				c.put(run+"/state.json", "{}")
				c.put(run+"/steps/1/a.md", "# A\n")
			}, lost: run,
			want: run + " is a separate git repository now", undo: func(c *clone) { c.remove(run + "/.git") },
		},
		"ignored": {
			do:   func(c *clone) { c.put(".gitignore", "reports/\n"); c.git("rm", "-rq", "--cached", "reports") },
			lost: other,
			want: "git ignores it now", undo: func(c *clone) { c.remove(".gitignore") },
		},
	} {
		for _, source := range []wire.Source{wire.Worktree, wire.Index} {
			t.Run(name+" in the "+source.String(), func(t *testing.T) {
				t.Parallel()
				r := newClone(t)
				r.put(other+"/plan.md", "# Plan\n")
				r.commit()
				c.do(r)
				if source == wire.Index {
					r.git("add", "-A")
				}
				message := lost(t, r, p, source)[c.lost]
				if c.indexed && source == wire.Index {
					if message != "" {
						t.Errorf("got %q, want nothing", message)
					}
					return
				}
				if !strings.Contains(message, "commit ") || !strings.Contains(message, c.want) {
					t.Errorf("got %q, want %q in it", message, c.want)
				}
				if c.undo != nil {
					c.undo(r)
				}
				if _, command, ok := strings.Cut(message, ": git "); ok {
					cmd := exec.Command("sh", "-c", "git "+command)
					cmd.Dir, cmd.Env = r.dir, gittest.Environ()
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Fatalf("git %s: %v\n%s", command, err, out)
					}
				}
				if message := lost(t, r, p, source)[c.lost]; message != "" {
					t.Errorf("it is not brought back: %s", message)
				}
			})
		}
	}
}

// lost returns the message about each run that was lost since the last commit.
func lost(t *testing.T, c *clone, p *plugin.Plugin, source wire.Source) map[string]string {
	t.Helper()
	o := checktest.Options(c.dir, p)
	o.Environ, o.Jobs, o.Source, o.Bases = gittest.Environ(), 1, source, []string{"HEAD"}
	list := map[string]string{}
	for _, i := range checktest.Check(t, o).Instances {
		for _, d := range i.Diagnostics {
			if strings.HasSuffix(d.Rule, wire.RuleRunRemoved) {
				list[i.Root] = d.Message
			}
		}
	}
	return list
}
