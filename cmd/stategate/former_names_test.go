package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/plugins/build"
)

// TestFormerNames checks that a configuration, a baseline and accepted findings with former rule names still work. Each
// archive in testdata/former contains a small world with a base, and files that stategate wrote before the rules were
// renamed: baseline.json from `check --write-baseline`, and accepted.yaml from `accept`. The section "renamed" lists
// former and current names.
func TestFormerNames(t *testing.T) {
	needBuiltIns(t)
	for _, file := range build.Files() {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			w := newFormerWorld(t, file.Name)
			t.Run("baseline", func(t *testing.T) {
				w.knows(t, w.check(t, "--baseline", filepath.Join(w.dir, "baseline.json")))
			})
			t.Run("accept", func(t *testing.T) {
				w.knows(t, w.check(t, "--config", filepath.Join(w.dir, "accepted.yaml")))
			})
			t.Run("rules", w.rules)
			t.Run("select", w.selects)
		})
	}
}

// A formerWorld is an archive, written to disk.
type formerWorld struct {
	dir, repo, plugin, now string
	renamed                map[string]string  // current names by former ones, all as workflow/rule
	was                    []baseline.Finding // the entries for renamed rules
}

func newFormerWorld(t *testing.T, plugin string) *formerWorld {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join(repository, "testdata", "former", plugin+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	w := &formerWorld{dir: t.TempDir(), plugin: plugin, renamed: map[string]string{}}
	w.repo = filepath.Join(w.dir, "repo")
	_, w.now, _ = strings.Cut(strings.TrimSpace(string(a.Comment)), "\nnow: ")
	lay := func(side string) {
		for _, f := range a.Files {
			where, name, _ := strings.Cut(f.Name, "/")
			if where == side || where == "both" {
				name, cut := strings.CutSuffix(name, " (cut)")
				if cut {
					f.Data = bytes.TrimSuffix(f.Data, []byte("\n"))
				}
				write(t, filepath.Join(w.repo, filepath.FromSlash(name)), f.Data)
			}
		}
	}
	lay("base")
	runGit(t, w.repo, "init", "-q")
	runGit(t, w.repo, "add", "-A", "-f")
	runGit(t, w.repo, "-c", "user.name=A. Tester", "-c", "user.email=tester@example.com", "commit", "-q",
		"--allow-empty", "-m", "base")
	runGit(t, w.repo, "rm", "-q", "-r", "--ignore-unmatch", ".")
	runGit(t, w.repo, "reset", "-q")
	lay("head")
	for _, f := range a.Files {
		switch f.Name {
		case "renamed":
			for line := range strings.Lines(string(f.Data)) {
				former, present, _ := strings.Cut(strings.TrimSpace(line), " ")
				w.renamed[plugin+"/"+former] = plugin + "/" + present
			}
		case "baseline.json":
			b := baseline.Baseline{}
			if err := json.Unmarshal(f.Data, &b); err != nil {
				t.Fatal(err)
			}
			w.was = b.Findings
			fallthrough
		case "accepted.yaml":
			write(t, filepath.Join(w.dir, f.Name), f.Data)
		}
	}
	w.was = slices.DeleteFunc(w.was, func(f baseline.Finding) bool { return w.renamed[f.Rule] == "" })
	return w
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// formerFinding holds the fields that the test reads from a finding in a report.
type formerFinding struct{ Rule, Path, Message string }

// formerReport holds the fields that the test reads from a report.
type formerReport struct {
	Instances []struct{ Diagnostics, Suppressed []formerFinding }
}

func (w *formerWorld) check(t *testing.T, flags ...string) (r formerReport) {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{"check", "--base=HEAD", "--format=json", "--now=" + w.now, w.repo}, flags...)
	if code := run(args, strings.NewReader(""), &out, &errs); code > exitClosed {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// present reports whether rule is the current name of a renamed rule.
func (w *formerWorld) present(rule string) bool {
	for _, name := range w.renamed {
		if name == rule {
			return true
		}
	}
	return false
}

// knows fails the test if a renamed rule has a new finding, or if an entry in the old baseline matches no finding.
func (w *formerWorld) knows(t *testing.T, r formerReport) {
	t.Helper()
	met := map[string]int{}
	for _, i := range r.Instances {
		for _, d := range i.Diagnostics {
			if w.present(d.Rule) {
				t.Errorf("%s of %s is reported as new: %s", d.Rule, d.Path, d.Message)
			}
		}
		for _, d := range i.Suppressed {
			met[d.Rule+" "+d.Path]++
		}
	}
	for _, f := range w.was {
		key := w.renamed[f.Rule] + " " + f.Path
		if met[key] == 0 {
			t.Errorf("%s of %s, formerly %s, is lost: %s", w.renamed[f.Rule], f.Path, f.Rule, f.Message)
		}
	}
}

// rules turns off every renamed rule by its former name, with and without its workflow.
func (w *formerWorld) rules(t *testing.T) {
	for _, prefix := range []string{w.plugin + "/", ""} {
		text := "rules:\n"
		for former := range w.renamed {
			text += fmt.Sprintf("  %s%s: off\n", prefix, result.RuleName(former))
		}
		config := filepath.Join(w.dir, "off.yaml")
		write(t, config, []byte(text))
		for _, i := range w.check(t, "--config", config).Instances {
			for _, d := range i.Diagnostics {
				if w.present(d.Rule) {
					t.Errorf("%s is reported, and off under its former name with the prefix %q", d.Rule, prefix)
				}
			}
		}
	}
}

// selects selects the renamed rules by their former names.
func (w *formerWorld) selects(t *testing.T) {
	var flags []string
	for former := range w.renamed {
		flags = append(flags, "--select", former)
	}
	found := map[string]bool{}
	for _, i := range w.check(t, flags...).Instances {
		for _, d := range i.Diagnostics {
			if found[d.Rule] = true; !w.present(d.Rule) {
				t.Errorf("%s is reported, and not selected", d.Rule)
			}
		}
	}
	for former, present := range w.renamed {
		if !found[present] {
			t.Errorf("--select %s reports nothing of %s", former, present)
		}
	}
}
