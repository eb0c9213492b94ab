package advice

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/host/source/git"
)

// A Shell is a shell in which the user types a command with paths of a workspace.
type Shell struct {
	workspace string // absolute, without links
	dir       string // the shell's directory; absolute, without links
}

// In returns a Shell whose directory is dir.
func In(dir, workspace string) Shell { return Shell{workspace, git.Resolved(dir)} }

// Shell returns the shell in which the call's commands are typed.
func (c *Call) Shell(workspace string) Shell { return In(c.Typed, workspace) }

// Path returns a path of the workspace relative to where the user types, or an absolute path if that is unknown.
func (s Shell) Path(name string) string {
	full := filepath.Join(s.workspace, filepath.FromSlash(name))
	if rel, err := filepath.Rel(s.dir, full); err == nil {
		return rel
	}
	return full
}

// IsTop reports whether the user types at the top of the workspace.
func (s Shell) IsTop() bool { return s.dir == s.workspace }

func (s Shell) inside() bool {
	rel, err := filepath.Rel(s.workspace, s.dir)
	return err == nil && filepath.IsLocal(rel)
}

// above reports whether the workspace is below the directory in which the user types.
func (s Shell) above() bool {
	rel, err := filepath.Rel(s.dir, s.workspace)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// Add returns the command that stages paths of the workspace.
func (s Shell) Add(paths []string) string {
	words := []string{"git", "add"}
	if slices.ContainsFunc(paths, func(p string) bool { return strings.ContainsAny(p, "*?[\\:") }) {
		words = []string{"git", "--literal-pathspecs", "add"}
	}
	if !s.inside() {
		words = slices.Insert(words, 1, "-C", shell.Word(s.workspace))
		return strings.Join(words, " ") + " -- " + join(paths)
	}
	for _, p := range paths {
		words = append(words, quotedPath(s.Path(p)))
	}
	return strings.Join(words, " ")
}

// Git returns a git command with paths of the workspace. The paths are relative to its top, because messages of
// findings contain the command and must not depend on the directory in which the check was called.
func (s Shell) Git(verb, flags string, paths ...string) string {
	words := []string{"git"}
	if !s.inside() {
		words = append(words, "-C", shell.Word(s.workspace))
	}
	words = append(words, verb)
	if flags != "" {
		words = append(words, flags)
	}
	words = append(words, "--")
	for _, p := range paths {
		spec := ":/" + p
		switch {
		case strings.ContainsAny(p, `*?[\`):
			spec = ":(top,literal)" + p
		case strings.IndexByte("!\"#%&',-;<=>@^_`~:+$", p[0]) >= 0: // git reads these after ":/" as more magic
			spec = ":/:" + p
		}
		words = append(words, shell.Word(spec))
	}
	return strings.Join(words, " ")
}

// Restore returns the command that restores paths of the workspace from a commit: in the working tree, in the index,
// or both.
func (s Shell) Restore(commit string, index, worktree bool, paths ...string) string {
	flags := "--source=" + commit[:12]
	if index {
		flags += " --staged"
	}
	if worktree {
		flags += " --worktree"
	}
	return s.Git("restore", flags, paths...)
}

// Rename returns the commands that rename a path that git does not track. They use a name in between, because a file
// system that ignores case may treat the old and the new name as the same.
func (s Shell) Rename(from, to string) string {
	between := quotedPath(s.Path(from + ".renamed"))
	return "mv " + quotedPath(s.Path(from)) + " " + between + " && mv " + between + " " + quotedPath(s.Path(to))
}

// Move returns the command that renames a path of the workspace that git tracks.
func (s Shell) Move(from, to string) string {
	top := s.workspace
	if s.inside() {
		if rel, err := filepath.Rel(s.dir, top); err == nil {
			top = rel
		}
	}
	words := []string{"git"}
	if top != "." {
		words = append(words, "-C", shell.Word(top))
	}
	return strings.Join(append(words, "mv", "--", shell.Word(from), shell.Word(to)), " ")
}
