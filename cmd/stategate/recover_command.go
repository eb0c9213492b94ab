package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/wire"
)

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
	if a.above(r.Workspace) || slices.ContainsFunc(paths, func(p string) bool { return !filepath.IsLocal(a.typed(p)) }) {
		for _, p := range paths {
			words = append(words, a.typed(p))
		}
	}
	command := shellWords(words)
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
