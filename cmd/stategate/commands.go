package main

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/wire"
)

// programName is what stategate is called wherever it is installed.
const programName = "stategate"

// program is the first word of a command that is printed: the name where a shell of the user's finds this binary by it,
// else the binary's path. It is worked out when the first command is printed, not at every start.
var program = sync.OnceValue(func() string {
	file, err := os.Executable()
	if err != nil {
		return programName
	}
	return programFor(file, os.Getenv)
})

func programFor(file string, getenv func(string) string) string {
	self, err := os.Stat(file)
	if err != nil {
		return programName
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if !filepath.IsAbs(dir) || isBorrowed(dir, getenv) {
			continue
		}
		found := filepath.Join(dir, programName)
		if runtime.GOOS == "windows" {
			found += ".exe"
		}
		info, err := os.Stat(found)
		if err != nil || info.IsDir() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
			continue
		}
		if os.SameFile(info, self) || isScript(found) {
			return programName
		}
		break // another stategate, which may know other remedies
	}
	return file
}

// isBorrowed reports whether a directory is in PATH only while a hook runs: pre-commit, prek and npm put their own in
// front.
func isBorrowed(dir string, getenv func(string) string) bool {
	if strings.HasSuffix(filepath.ToSlash(dir), "node_modules/.bin") {
		return true
	}
	homes := []string{getenv("PRE_COMMIT_HOME"), getenv("PREK_HOME")}
	for _, cache := range []string{getenv("XDG_CACHE_HOME"), filepath.Join(getenv("HOME"), ".cache"),
		filepath.Join(getenv("USERPROFILE"), ".cache"), getenv("LocalAppData")} {
		homes = append(homes, filepath.Join(cache, "pre-commit"), filepath.Join(cache, "prek"))
	}
	return slices.ContainsFunc(homes, func(home string) bool {
		rel, err := filepath.Rel(home, dir)
		return filepath.IsAbs(home) && err == nil && filepath.IsLocal(rel)
	})
}

// isScript reports whether a file is a script, such as package managers put in front of a binary: it is taken for one
// that starts this binary.
func isScript(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 2)
	_, _ = f.Read(head)
	return bytes.Equal(head, []byte("#!"))
}

// fixCommand is the command that offers the remedies of r: what decides which remedies there are is carried on, more as
// well. What is wrong with a commit is repaired in a work tree that has it.
func (a *app) fixCommand(l *lookFlags, paths []string, r *result.Result, more ...string) string {
	words := []string{program(), "recover"}
	for _, p := range l.plugins {
		if isFileName(p) {
			p = a.typed(p)
		}
		words = append(words, "--plugin", p)
	}
	words = append(append(append(words, l.policyWords(a.typed)...), baseWords(l, r)...), more...)
	if len(paths) == 0 {
		paths = []string{"."} // which is above the user where git started a hook at the top
	}
	// What lies below the current directory is checked anyway, unless the workspace begins there.
	if a.above(r.Workspace) || slices.ContainsFunc(paths,
		func(p string) bool { return !filepath.IsLocal(a.typed(p)) }) {
		for _, p := range paths {
			words = append(words, a.typed(p))
		}
	}
	command := shellWords(words)
	if r.Merge != "" {
		command = "git merge --no-commit " + shellWords([]string{r.Merge}) + "; " + command
	}
	if len(r.Switch) > 0 {
		command = "git switch " + shellWords(r.Switch) + " && " + command
	}
	return command
}

// baseWords compare the work tree with what r was compared with. A base of a commit is
// named by its id: another commit may be HEAD where the command is typed.
func baseWords(l *lookFlags, r *result.Result) (list []string) {
	if r.Source != wire.Commit {
		return l.words()
	}
	for _, id := range r.Base {
		list = append(list, "--base", fmt.Sprintf("%.12s", id))
	}
	return list
}

// typed is a file of the call as the user names it.
func (a *app) typed(name string) string {
	if name == "" || a.env.here == a.env.dir || filepath.IsAbs(name) {
		return name
	}
	rel, err := filepath.Rel(a.env.here, filepath.Join(a.env.dir, name))
	if err != nil {
		return name
	}
	return rel
}

// gitAdd is the command that stages paths below the workspace, for a shell where the user types.
func (a *app) gitAdd(workspace string, paths []string) string {
	words := []string{"git", "add"}
	if slices.ContainsFunc(paths, func(p string) bool { return strings.ContainsAny(p, "*?[\\:") }) {
		words = []string{"git", "--literal-pathspecs", "add"}
	}
	if !a.below(workspace) {
		words = slices.Insert(words, 1, "-C", shell.Word(workspace))
		return strings.Join(words, " ") + " -- " + shellWords(paths)
	}
	for _, p := range paths {
		words = append(words, shellPath(a.fromHere(workspace, p)))
	}
	return strings.Join(words, " ")
}

func (a *app) below(workspace string) bool {
	rel, err := filepath.Rel(workspace, git.Resolved(a.env.here))
	return err == nil && filepath.IsLocal(rel)
}

func (a *app) above(workspace string) bool {
	rel, err := filepath.Rel(git.Resolved(a.env.here), workspace)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

func shellWords(list []string) string {
	quoted := make([]string, len(list))
	for i, w := range list {
		quoted[i] = shell.Word(w)
	}
	return strings.Join(quoted, " ")
}

// commands gives each run the commands that speak of it alone, for a shell in the directory where stategate was
// started. They look as this call looked: with its plugins and its base.
func (a *app) commands(runs []result.Run, workspace string, l *lookFlags) {
	name := shell.Word(program())
	for i := range runs {
		run := &runs[i]
		at := shellPath(a.fromHere(workspace, run.Instance.Root))
		for _, p := range l.plugins {
			at += " --plugin=" + shell.Word(p)
		}
		for _, b := range l.bases {
			at += " --base=" + shell.Word(b)
		}
		run.Resume, run.Recover, run.Check = name+" resume "+at+toName(runs, i), name+" recover "+at, name+" check "+at
	}
}

// toName are the flags that tell a run from the others of its root. One that is
// over has to be named to get a brief at all.
func toName(runs []result.Run, i int) string {
	run, flags, subject, otherRun := runs[i], "", "", false
	if run.Self != nil {
		subject = run.Self.Subject
	}
	for j, other := range runs {
		switch {
		case i == j || other.Instance.Root != run.Instance.Root:
		case other.Instance.Plugin != run.Instance.Plugin:
			flags = " --workflow " + run.Instance.Plugin
		default:
			otherRun = true
			if other.Self != nil && run.Self != nil && other.Self.Subject == run.Self.Subject {
				subject = "" // it does not tell the two apart
			}
		}
	}
	if otherRun || !run.InProgress() {
		flags += " --run=" + shell.Word(cmp.Or(subject, run.Name()))
	}
	return flags
}

// placed makes text show paths that begin where the user types, and JSON say where its paths begin.
func (a *app) placed(how *print.Options, workspace string) {
	if workspace == "" {
		return
	}
	if !a.isHere(workspace) {
		how.Workspace = workspace
	}
	if a.env.links && isTerminal(a.stdout) {
		how.Link = func(name string) string { return fileURL(workspace, name) }
	}
	if git.Resolved(a.env.here) == workspace {
		return
	}
	how.Path = func(name string) string {
		shown := filepath.ToSlash(a.fromHere(workspace, name))
		if strings.HasSuffix(name, "/") {
			shown += "/"
		}
		return shown
	}
}

// fileURL is where a terminal finds a file. Whatever the name holds, nothing in the URL commands a terminal.
func fileURL(workspace, name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(workspace,
		filepath.FromSlash(name)))}).String()
}

// fromHere makes a path below the workspace one that begins where the user types, or a whole path where that is not
// known.
func (a *app) fromHere(workspace, root string) string {
	full := filepath.Join(workspace, filepath.FromSlash(root))
	if rel, err := filepath.Rel(git.Resolved(a.env.here), full); err == nil {
		return rel
	}
	return full
}

// shellPath quotes a path for a POSIX shell, and keeps it from being read as a flag.
func shellPath(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return shell.Word(path)
}
