package check

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// The commands of git that are printed to restore what is lost.

// restoreRun is the command that restores documents of a run, or all of it (".").
func (s *Session) restoreRun(f *formerRun, paths ...string) string {
	full := make([]string, len(paths))
	for i, p := range paths {
		full[i] = slashpath.Join(f.root, p)
	}
	switch {
	case f.commit == "":
		return "git does not have it; restore it from a backup"
	case s.Options.Source == wire.Index && s.onDisk(f, paths):
		return s.command("add", "", full...)
	}
	return s.restore(f.commit, s.Options.Source != wire.Worktree, full...)
}

// restore is the command that restores paths from a commit, in the index, too, if that is checked.
func (s *Session) restore(commit string, staged bool, paths ...string) string {
	flags := "--source=" + commit[:12] + " --worktree"
	if staged {
		flags = "--source=" + commit[:12] + " --staged --worktree"
	}
	return s.command("restore", flags, paths...)
}

// ignoredNow says that the next commit will not contain a run, and how it will.
func (s *Session) ignoredNow(root string) string {
	return "git ignores it now, so the next commit will not contain it; if that was not intended, change .gitignore, then: " + s.command("add", "", root)
}

// swallowed says that a run is in a repository of its own now, and how it is restored.
func (s *Session) swallowed(f *formerRun, repository string, missing bool) string {
	what := repository + " is a git repository of its own now, which is not entered; if that was not intended, remove its .git"
	switch {
	case !missing:
		return what
	case f.commit != "" && s.Options.Source == wire.Index && s.onDisk(f, []string{"."}): // the index still has a submodule there
		return what + ", then restore it: " + s.command("restore", "--source="+f.commit[:12]+" --staged", f.root)
	}
	return what + ", then restore it: " + s.restoreRun(f, ".")
}

// onDisk reports whether the work tree has all that is named of a run, or all of it ("."), so that staging restores
// it. A link in its place does not.
func (s *Session) onDisk(f *formerRun, paths []string) bool {
	if e, err := s.Worktree.Stat(f.root); err != nil || e.Kind != snapshot.Directory {
		return false
	}
	return !slices.ContainsFunc(f.files, func(file snapshot.File) bool {
		if file.Kind != snapshot.Regular || !slices.Contains(paths, ".") && !slices.Contains(paths, file.Path) {
			return false
		}
		e, err := s.Worktree.Stat(slashpath.Join(f.root, file.Path))
		return err != nil || e.Kind != snapshot.Regular
	})
}

// command writes a git command about paths below the workspace, which works in the directory of the call.
func (s *Session) command(verb, flags string, paths ...string) string {
	words := []string{"git"}
	if _, inside := s.wayToTop(); !inside {
		words = append(words, "-C", shell.Word(s.Workspace.Path))
	}
	words = append(words, verb)
	if flags != "" {
		words = append(words, flags)
	}
	words = append(words, "--")
	for _, p := range paths {
		spec := ":/" + p // from the top of the repository, wherever git is called in it
		if strings.ContainsAny(p, `*?[\`) {
			spec = ":(top,literal)" + p
		}
		words = append(words, shell.Word(spec))
	}
	return strings.Join(words, " ")
}

// rename writes the command that renames a path below the workspace, which works in the directory of the call.
func (s *Session) rename(from, to string) string {
	words := []string{"git"}
	if top, _ := s.wayToTop(); top != "." {
		words = append(words, "-C", shell.Word(top))
	}
	return strings.Join(append(words, "mv", "--", shell.Word(from), shell.Word(to)), " ")
}

// wayToTop returns the path of the workspace from the directory of the call if that is inside, or else its full path.
func (s *Session) wayToTop() (top string, inside bool) {
	top = s.Workspace.Path
	here, err := filepath.EvalSymlinks(s.Options.Dir)
	if err != nil {
		return top, false
	}
	if rel, err := filepath.Rel(top, here); err != nil || !filepath.IsLocal(rel) {
		return top, false
	}
	top, err = filepath.Rel(here, top)
	return top, err == nil
}

// addRestore adds to findings about a document that is gone, or whose place something else
// has taken, how git restores it from the base. A commit does not change.
func (s *Session) addRestore(i *result.Instance, c *comparison) {
	base := c.Past.Tree
	if i == nil || base == nil || c.Past.State != wire.BaseAt || s.Options.Source == wire.Commit {
		return
	}
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		if d.Found == nil || d.Severity < wire.Warning || hasRestore(d) ||
			!has(c.Past.Files, d.Found.Range.Path, snapshot.Regular) || has(c.Now.Files, d.Found.Range.Path, snapshot.Regular, snapshot.Directory) {
			continue
		}
		title := "Restore " + d.Found.Range.Path + " from commit " + base.ID[:12]
		command := s.command("restore", "--source="+base.ID[:12], slashpath.Join(c.Past.Root, d.Found.Range.Path))
		if s.Options.Source == wire.Index {
			command = s.restore(base.ID, true, slashpath.Join(c.Past.Root, d.Found.Range.Path))
		}
		d.Remedies = append(d.Remedies, d.ByHand(title, command))
	}
}

func hasRestore(d *result.Diagnostic) bool {
	return slices.ContainsFunc(d.Remedies, func(r result.Remedy) bool {
		return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool { return e.Op == wire.Restore })
	})
}

// has reports whether a list of documents has a name, as one of some kinds.
func has(files []snapshot.File, name string, kinds ...snapshot.Kind) bool {
	return slices.ContainsFunc(files, func(f snapshot.File) bool { return f.Path == name && slices.Contains(kinds, f.Kind) })
}
