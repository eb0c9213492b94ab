package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stategate/stategate/host/fault"
)

// A Merge is the merge that git would make of one commit into another. It is created outside the repository, which
// does not change.
type Merge struct {
	Repo   *Repo  // the repository, with the merge's objects
	Commit string // object id; its parents are the two commits

	unmerged map[string]sides // files that git could not merge, by path
	dir      string
}

// sides are the stages of an unmerged path: the merge base, ours and theirs.
type sides [4]bool

func (s sides) String() string {
	did := func(has bool) string {
		switch {
		case !has:
			return "removed"
		case s[1]:
			return "changed"
		}
		return "added"
	}
	ours, theirs := did(s[2]), did(s[3])
	if ours == theirs {
		return ours + " on both sides"
	}
	return ours + " in HEAD and " + theirs + " in the merged revision"
}

// mergePatience is how long git may take to merge.
const mergePatience = 30 * time.Second

// Merge merges commit theirs into ours; both are object ids. It ignores all configuration, attributes files and merge
// drivers of the user and the repository, so the same commits always give the same merge. It returns a
// *fault.UsageError if git is older than 2.38. The caller must close the result.
func (r *Repo) Merge(ctx context.Context, ours, theirs string) (*Merge, error) {
	ctx, cancel := context.WithTimeout(ctx, mergePatience)
	defer cancel()
	dir, err := os.MkdirTemp("", "stategate-merge-")
	if err != nil {
		return nil, fault.Newf(fault.IO, "create a directory for the merge: %v", err)
	}
	m := &Merge{dir: dir}
	if err := r.merge(ctx, m, ours, theirs); err != nil {
		m.Close()
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = fault.Newf(fault.Source, "merge %.12s into %.12s: git did not finish within %s", theirs, ours,
				mergePatience)
		}
		return nil, err
	}
	return m, nil
}

func (r *Repo) merge(ctx context.Context, m *Merge, ours, theirs string) error {
	format, err := r.line(ctx, "rev-parse", "--show-object-format")
	if err != nil {
		return err
	}
	objects, err := r.line(ctx, "rev-parse", "--git-path", "objects")
	if err != nil {
		return err
	}
	shallow, err := r.line(ctx, "rev-parse", "--git-path", "shallow")
	if err != nil {
		return err
	}
	quarantine := []string{
		"GIT_OBJECT_DIRECTORY=" + filepath.Join(m.dir, "objects"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + strings.Join(append([]string{quoted(absolute(r.Top, objects))},
			r.alternates()...), string(filepath.ListSeparator)),
	}
	view := *r.process
	view.environ = slices.Concat(r.environ, quarantine)
	m.Repo = newRepo(view)
	alone := *r.process
	alone.Top, alone.Dir = m.dir, m.dir
	alone.environ = slices.Concat(slices.DeleteFunc(slices.Clone(r.environ), configures), quarantine, []string{
		"GIT_DIR=" + m.dir, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_SHALLOW_FILE=" + absolute(r.Top, shallow),
		"GIT_AUTHOR_NAME=stategate", "GIT_AUTHOR_EMAIL=stategate@localhost", "GIT_AUTHOR_DATE=1970-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=stategate", "GIT_COMMITTER_EMAIL=stategate@localhost",
		"GIT_COMMITTER_DATE=1970-01-01T00:00:00Z",
	})
	if _, _, err := alone.run(ctx, "init", "-q", "--bare", "--template=", "--object-format="+format,
		m.dir); err != nil {
		return err
	}
	out, status, err := alone.run(ctx, "-c", "core.attributesFile="+os.DevNull, "merge-tree", "--write-tree", "-z",
		"--no-messages", ours, theirs)
	switch {
	case status == 129:
		return fault.Usagef("this git cannot merge without a working tree; install git 2.38 or newer")
	case status != 0 && status != 1:
		if r.shallow(ctx) {
			return r.tooShallow("the merge base of both sides", "")
		}
		return err
	}
	tree, rest, _ := strings.Cut(out, "\x00")
	m.unmerged = map[string]sides{}
	for line := range strings.SplitSeq(rest, "\x00") {
		head, path, _ := strings.Cut(line, "\t")
		if stage := strings.Index("0123", head[max(len(head)-1, 0):]); cleanPath(path) && stage > 0 {
			s := m.unmerged[path]
			s[stage] = true
			m.unmerged[path] = s
		}
	}
	if !isID(tree) {
		return err
	}
	m.Commit, _, err = alone.object(ctx, "commit-tree", "-p", ours, "-p", theirs, "-m", "merge", tree)
	return err
}

// configures reports whether an environment variable configures git, or names a repository or its parts.
func configures(kv string) bool {
	name, _, _ := strings.Cut(kv, "=")
	return strings.HasPrefix(name, "GIT_CONFIG_") || slices.Contains(theirs, name) || name == "GIT_DIR" ||
		name == "GIT_WORK_TREE"
}

// alternates returns the object directories that the caller's environment names, such as those of a push that is not
// accepted yet.
func (r *Repo) alternates() (list []string) {
	for _, kv := range r.environ {
		name, value, _ := strings.Cut(kv, "=")
		switch name {
		case "GIT_OBJECT_DIRECTORY":
			list = append(list, quoted(value))
		case "GIT_ALTERNATE_OBJECT_DIRECTORIES":
			list = append(list, value)
		}
	}
	return list
}

// quoted returns a path as an element of GIT_ALTERNATE_OBJECT_DIRECTORIES.
func quoted(path string) string {
	if !strings.ContainsAny(path, string(filepath.ListSeparator)+"\"\n") {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

// Tree lists the merge. A file that git could not merge is Unmerged, even if one side removed it.
func (m *Merge) Tree(ctx context.Context) (*Listing, error) {
	l, err := m.Repo.Tree(ctx, m.Commit)
	if err != nil {
		return nil, err
	}
	l.Unmerged = map[string]string{}
	for path, sides := range m.unmerged {
		l.Unmerged[path] = sides.String()
	}
	l.Files = slices.DeleteFunc(l.Files, func(f File) bool { return l.Unmerged[f.Path] != "" })
	for path := range l.Unmerged {
		l.Files = append(l.Files, File{Path: path, Mode: "100644", Unmerged: true})
	}
	l.sort()
	return l, nil
}

// Close deletes the merge.
func (m *Merge) Close() { _ = os.RemoveAll(m.dir) }
