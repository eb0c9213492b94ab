package check

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// bringBack is the command that brings back documents of a run, or all of it (".").
func (l *Session) bringBack(f *former, paths []string) string {
	full := make([]string, len(paths))
	for i, p := range paths {
		full[i] = slashpath.Join(f.root, p)
	}
	switch {
	case f.commit == "":
		return "git does not have it; restore it from a backup"
	case l.Options.Source == wire.Index && l.onDisk(f, paths):
		return l.command("add", "", full)
	case l.Options.Source == wire.Worktree:
		return l.command("restore", "--source="+f.commit[:12]+" --worktree", full)
	}
	return l.command("restore", "--source="+f.commit[:12]+" --staged --worktree", full)
}

// ignoredNow says that the next commit will not contain a run, and how it will.
func (l *Session) ignoredNow(root string) string {
	return "git ignores it now, so the next commit will not contain it; if that was not intended, change .gitignore, then: " + l.command("add", "", []string{root})
}

// repositoryOf returns the repository of its own in which a path lies, "" if there is none.
func (l *Session) repositoryOf(root string) string {
	for _, dir := range l.nested {
		if slashpath.Holds(dir, root) {
			return dir
		}
	}
	return ""
}

// swallowed says that a run lies in a repository of its own now, and how it is restored.
func (l *Session) swallowed(f *former, repository string, missing bool) string {
	what := repository + " is a git repository of its own now, which is not entered; if that was not intended, remove its .git"
	switch {
	case !missing:
		return what
	case f.commit != "" && l.Options.Source == wire.Index && l.onDisk(f, []string{"."}): // the index has a submodule there still
		return what + ", then restore it: " + l.command("restore", "--source="+f.commit[:12]+" --staged", []string{f.root})
	}
	return what + ", then restore it: " + l.bringBack(f, []string{"."})
}

// onDisk reports whether the work tree has all that is named of a run, or all of it ("."), so that staging brings it
// back. A link in its place does not.
func (l *Session) onDisk(f *former, paths []string) bool {
	if mode, err := l.Worktree.Mode(f.root); err != nil || !mode.IsDir() {
		return false
	}
	for _, file := range f.files {
		if file.Kind != snapshot.Regular || !slices.Contains(paths, ".") && !slices.Contains(paths, file.Path) {
			continue
		}
		if mode, err := l.Worktree.Mode(slashpath.Join(f.root, file.Path)); err != nil || !mode.IsRegular() {
			return false
		}
	}
	return true
}

// command writes a git command about paths below the anchor, which works in the directory of the call.
func (l *Session) command(verb, flags string, paths []string) string {
	words := []string{"git"}
	if here, err := filepath.EvalSymlinks(l.Options.Dir); err != nil || !within(l.Anchor.Path, here) {
		words = append(words, "-C", shell.Word(l.Anchor.Path))
	}
	words = append(words, verb)
	if flags != "" {
		words = append(words, flags)
	}
	words = append(words, "--")
	for _, p := range paths {
		words = append(words, shell.Word(pathspec(p)))
	}
	return strings.Join(words, " ")
}

// rename writes the command that renames a path below the anchor, which works in the directory of the call.
func (l *Session) rename(from, to string) string {
	words, top := []string{"git"}, l.Anchor.Path
	if here, err := filepath.EvalSymlinks(l.Options.Dir); err == nil && within(top, here) {
		top, _ = filepath.Rel(here, top)
	}
	if top != "." {
		words = append(words, "-C", shell.Word(top))
	}
	return strings.Join(append(words, "mv", "--", shell.Word(from), shell.Word(to)), " ")
}

// within reports whether a directory is another one or lies below it, both absolute and without links.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// pathspec names a path below the top of the repository, wherever git is called in it.
func pathspec(path string) string {
	if strings.ContainsAny(path, `*?[\`) {
		return ":(top,literal)" + path
	}
	return ":/" + path
}
