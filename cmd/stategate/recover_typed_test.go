package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/build"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// typedNth selects every nth plugin, whose first fixture with a remedy is used; STATEGATE_TEST_LONG selects all
// fixtures of all plugins.
const typedNth = 5

// TestEveryCommand runs the commands that check prints, unchanged, in a shell in the same directory. Each remedy must
// fix its finding, break nothing, and do nothing the second time; the next printed command must stage it. The test does
// this for the working tree, for the index, and for a commit that is not checked out.
func TestEveryCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a POSIX shell")
	}
	if testing.Short() {
		t.Skip("it starts some hundred processes")
	}
	needBuiltIns(t)
	t.Parallel()
	for i, file := range build.Files() {
		if !long && i%typedNth != 0 {
			continue
		}
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			all, err := fixture.LoadAll(os.DirFS(filepath.Join(repository, "plugins", file.Name)), "testdata")
			if err != nil {
				t.Fatal(err)
			}
			typed := 0
			for _, f := range all {
				if layable(f) && (long || typed == 0) && offered(t, file.Name, f) > 0 {
					typed += newDesk(t, file.Name, f).all()
				}
			}
			if typed == 0 {
				t.Error("no command was typed")
			}
			t.Logf("%d commands were typed", typed)
		})
	}
}

// A desk is a repository that contains a fixture, with a shell.
type desk struct {
	*testing.T
	f     *fixture.Fixture
	dir   string
	check string // the check command
	env   []string
}

// newDesk commits the fixture's base, if it has one, and writes the fixture. Every command runs at the fixture's time.
func newDesk(t *testing.T, plugin string, f *fixture.Fixture) *desk {
	t.Helper()
	dir, bin := t.TempDir(), t.TempDir()
	real, err := exec.LookPath("stategate")
	if err != nil {
		t.Fatal(err)
	}
	shim := fmt.Sprintf("#!/bin/sh\nexec '%s' \"$@\" --now=%s\n", real,
		f.Header.Now.Format("2006-01-02T15:04:05Z07:00"))
	if err := os.WriteFile(filepath.Join(bin, "stategate"), []byte(shim), 0o755); err != nil {
		t.Fatal(err)
	}
	d := &desk{T: t, f: f, dir: caseDir(dir, 0, f), check: "stategate check --plugin " + plugin, env: []string{
		"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + bin,
		"XDG_CACHE_HOME=" + sharedCache, "XDG_STATE_HOME=" + filepath.Join(bin, "state"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
	}}
	if err := os.MkdirAll(d.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if f.Header.Root != "." {
		d.dir = dir
	}
	d.must("git init -q -b main && git commit -q --allow-empty -m empty")
	if f.Header.BaseState == wire.BaseAt {
		d.lay(f.Header.BaseRoot, f.Base)
		d.must("git add -A -f && git commit -q --allow-empty -m base")
	}
	d.lay(f.Header.Root, f.Files)
	return d
}

// lay replaces the whole working tree with documents.
func (d *desk) lay(root string, files []fixture.Entry) {
	d.Helper()
	d.must("find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +")
	if err := layDown(d.dir, root, files); err != nil {
		d.Fatal(err)
	}
}

// typed runs a line in a shell.
func (d *desk) typed(line string) (out string, code int) {
	d.Helper()
	c := exec.Command("sh", "-c", line)
	c.Dir, c.Env = d.dir, d.env
	text, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		d.Fatal(err)
	}
	return string(text), c.ProcessState.ExitCode()
}

func (d *desk) must(line string) string {
	d.Helper()
	out, code := d.typed(line)
	if code != 0 {
		d.Fatalf("%s: %s: exit %d\n%s", d.f.Name, line, code, out)
	}
	return out
}

// A verdict holds the fields of check's output that matter here.
type verdict struct {
	Instances []struct {
		Diagnostics []struct {
			Rule, Severity, Fingerprint, Message string
			Related                              []struct{ Message string }
			Remedies                             []printedRemedy
			Fixed                                struct{ Command string }
		}
		Recoveries []printedRemedy
	}
	Failures []struct{ Message string }
}

type printedRemedy struct{ ID, Title, Safety, Command string }

// A printedCommand fixes a finding; fingerprint is "" for a recovery.
type printedCommand struct{ command, title, fingerprint string }

// look runs a check and returns the commands that it prints, and every finding by its fingerprint.
func (d *desk) look(line string) (list []printedCommand, findings map[string]string) {
	d.Helper()
	text, code := d.typed(line + " --format json")
	var s verdict
	if err := json.Unmarshal([]byte(text), &s); err != nil || code > 1 || len(s.Failures) > 0 {
		d.Fatalf("%s: %s: exit %d\n%s", d.f.Name, line, code, text)
	}
	findings = map[string]string{}
	add := func(remedies []printedRemedy, fingerprint string) {
		for _, c := range remedies {
			if c.Command != "" {
				list = append(list, printedCommand{c.Command, c.Title, fingerprint})
			}
		}
	}
	for _, i := range s.Instances {
		for _, f := range i.Diagnostics {
			findings[f.Fingerprint] = f.Severity + " " + f.Rule + ": " + f.Message
			for _, note := range f.Related {
				findings["note "+note.Message] = f.Rule
			}
			add(f.Remedies, f.Fingerprint)
			if f.Fixed.Command != "" {
				list = append(list, printedCommand{f.Fixed.Command, "stage", f.Fingerprint})
			}
		}
		add(i.Recoveries, "")
	}
	return list, findings
}

// printedID matches a remedy's line in text output: it captures the beginning of the id.
var printedID = regexp.MustCompile(`(?m)^  ([0-9a-f-]{4,}) +(?:safe|review)  `)

// shown returns the document's commands as a person would type them from text output, with the short ids printed there.
// The command printed at the end must be one of them, and the accept command must work.
func (d *desk) shown(line string, list []printedCommand) (typed []printedCommand) {
	d.Helper()
	text, _ := d.typed(line + " --show all")
	ids := printedID.FindAllStringSubmatch(text, -1)
	for _, c := range list {
		id := c.command[strings.LastIndex(c.command, " ")+1:]
		at := slices.IndexFunc(ids, func(m []string) bool { return strings.HasPrefix(id, m[1]) })
		switch {
		case c.title == "stage":
			if !strings.Contains(text, c.command) {
				d.Errorf("%s: %s does not print %s", d.f.Name, line, c.command)
			}
		case at < 0:
			d.Errorf("%s: %s does not print the id of %s", d.f.Name, line, c.command)
		default:
			c.command = strings.TrimSuffix(c.command, id) + ids[at][1]
		}
		typed = append(typed, c)
	}
	_, last, found := strings.Cut(text, "\nor:")
	last, _, _ = strings.Cut(last, "\n")
	last, _, _ = strings.Cut(strings.TrimSpace(last), "  ")
	if found != (len(ids) > 0) || found && !slices.ContainsFunc(typed,
		func(c printedCommand) bool { return c.command == last }) {
		d.Errorf("%s: %s ends with %q", d.f.Name, line, last)
	}
	if _, accept, found := strings.Cut(text, "\naccept: "); found {
		accept, _, _ = strings.Cut(accept, "\n")
		d.must(accept + " && rm .stategate.yaml")
	}
	return typed
}

func (d *desk) all() (typed int) {
	d.Helper()
	base := ""
	if d.f.Header.BaseState == wire.BaseAt {
		base = " --base HEAD"
	}
	before := d.tree()
	list, findings := d.look(d.check + base)
	for _, c := range d.shown(d.check+base, list) {
		d.inWorktree(c, findings, base)
		typed++
		d.must("stategate recover --undo && git reset -q")
		if err := compare(d.tree(), before); err != nil {
			d.Fatalf("%s: %s: undone, %v", d.f.Name, c.title, err)
		}
	}
	if len(list) == 0 {
		d.Errorf("%s: no command is printed", d.f.Name)
		return typed
	}
	return typed + d.inIndex() + d.inCommit()
}

// inWorktree runs one command for the working tree twice, and then the next command that it prints.
func (d *desk) inWorktree(c printedCommand, before map[string]string, base string) {
	d.Helper()
	start := d.tree()
	out := d.must(c.command)
	d.ended(c, before, d.check+base)
	once := d.tree()
	if again, code := d.typed(c.command); code != 0 && (code != 2 || !strings.Contains(again, "no remedy")) {
		d.Errorf("%s: %s: the second time it exits with %d\n%s", d.f.Name, c.command, code, again)
	}
	if err := compare(d.tree(), once); err != nil {
		d.Errorf("%s: %s: the second time it changes something: %v", d.f.Name, c.command, err)
	}
	if next := then(out); next != "" {
		d.must(next)
	} else if d.stageable(start, once) {
		d.Errorf("%s: %s: it does not say what is next\n%s", d.f.Name, c.command, out)
	}
}

// stageable reports whether git can record a difference between two trees. It cannot if the only difference is the
// deletion of untracked files.
func (d *desk) stageable(before, after map[string]onDisk) bool {
	d.Helper()
	for name := range after {
		if before[name].mode != after[name].mode || !bytes.Equal(before[name].data, after[name].data) {
			return true
		}
	}
	for name := range before {
		if _, still := after[name]; !still && d.must("git ls-files -- '"+name+"'") != "" {
			return true
		}
	}
	return false
}

// ended checks that a command fixed its finding and caused no new errors. An error that was printed as a consequence of
// another may now appear alone.
func (d *desk) ended(c printedCommand, before map[string]string, check string) {
	d.Helper()
	_, after := d.look(check)
	if still, ok := after[c.fingerprint]; ok {
		d.Errorf("%s: %s does not end %s", d.f.Name, c.command, still)
	}
	maps.DeleteFunc(after, func(fingerprint, text string) bool {
		return strings.HasPrefix(before[fingerprint], "error ") || !strings.HasPrefix(text, "error ")
	})
	for _, text := range after {
		rule, message, _ := strings.Cut(text, ": ")
		_, name, _ := strings.Cut(rule, "/")
		if _, known := before["note "+message+" ["+name+"]"]; !known {
			d.Errorf("%s: %s makes %s", d.f.Name, c.command, text)
		}
	}
}

// inIndex runs the first command that fixes a finding in the index and then, because the index still has the finding,
// the command from the next check.
func (d *desk) inIndex() (typed int) {
	d.Helper()
	d.must("git add -A -f")
	list, before := d.look(d.check + " --staged")
	if len(list) == 0 {
		return 0
	}
	c := list[0]
	d.must(c.command)
	next, _ := d.look(d.check + " --staged")
	at := slices.IndexFunc(next, func(n printedCommand) bool {
		return n.title == "stage" && (c.fingerprint == "" || n.fingerprint == c.fingerprint)
	})
	d.shown(d.check+" --staged", next)
	if at < 0 {
		d.Errorf("%s: %s: the next check does not say what to stage: %+v", d.f.Name, c.command, next)
	} else {
		d.must(next[at].command)
		d.ended(c, before, d.check+" --staged")
	}
	d.must("git reset -q && stategate recover --undo")
	return 2
}

// inCommit runs the first command for a commit on another branch.
func (d *desk) inCommit() (typed int) {
	d.Helper()
	d.must("git add -A -f && git commit -q -m broken && git switch -q -c elsewhere HEAD~1")
	list, _ := d.look(d.check + " --rev main")
	if len(list) == 0 {
		return 0
	}
	d.must(d.shown(d.check+" --rev main", list)[0].command)
	return 1
}

func (d *desk) tree() map[string]onDisk {
	d.Helper()
	tree, err := treeOf(d.dir)
	if err != nil {
		d.Fatal(err)
	}
	return tree
}

// then returns the next command in an output, or "" if there is none.
func then(out string) string {
	for line := range strings.Lines(out) {
		if command, ok := strings.CutPrefix(line, "then: "); ok {
			return strings.TrimSuffix(command, "\n")
		}
	}
	return ""
}
