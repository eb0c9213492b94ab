package main

import (
	"cmp"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/host/source/git"
)

// commands gives each run the commands that speak of it alone, for a shell in the directory where stategate was
// started. They look as this call looked: with its plugins and its base.
func (a *app) commands(runs []result.Run, workspace string, l *lookFlags) []print.RunOption {
	list, name := make([]print.RunOption, len(runs)), shell.Word(program())
	for i, run := range runs {
		at := shellPath(a.fromHere(workspace, run.Instance.Root))
		for _, p := range l.plugins {
			at += " --plugin=" + shell.Word(p)
		}
		for _, b := range l.bases {
			at += " --base=" + shell.Word(b)
		}
		list[i] = print.RunOption{
			Run:     run,
			Resume:  name + " resume " + at + toName(runs, i),
			Recover: name + " recover " + at,
			Check:   name + " check " + at,
		}
	}
	return list
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
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(workspace, filepath.FromSlash(name)))}).String()
}

// fromHere makes a path below the workspace one that begins where the user types, or a whole path where that is not known.
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
