package git

import (
	"context"
	"fmt"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/sdk/engine/edit"
)

// A Listing is every file in the index or a commit, sorted by path. It is immutable.
type Listing struct {
	Files    []File
	Unmerged map[string]string // from path to what both sides of a Merge did, if known

	tree string // for the index: object id of the tree that it represents; "" if unknown
}

// A File is one entry of a Listing.
type File struct {
	Path     string // relative to the top, slash-separated, unescaped
	Mode     string // octal, as git prints it: 100644, 120000 …
	ID       string // object id; "" if Unmerged
	Unmerged bool   // the index contains several versions of it, or no resolved one
	Intended bool   // it is only intended to be added (git add -N), so the next commit will not contain it
	Skipped  bool   // the working tree omits it (git ls-files -t marks it S)
}

// These are the modes of entries that are not files.
const (
	Gitlink = "160000" // a submodule
	Symlink = "120000"
)

// directory is the mode of a directory, which git lists with "-t".
const directory = "040000"

// listings answers which files exist and which have changed.
type listings struct{ *process }

// Index lists the index: the files that the next commit would contain, and the files that are unmerged or
// Intended. It includes files outside a sparse checkout. If there are paths, it lists only the files at and below
// them.
func (r listings) Index(ctx context.Context, paths ...string) (*Listing, error) {
	if len(paths) == 0 {
		if l, ok := r.indexFile(); ok {
			return r.checked("ls-files", l)
		}
	}
	// only --debug shows which files `git add -N` marked
	out, _, err := r.run(ctx, slices.Concat([]string{"--literal-pathspecs", "ls-files", "--stage", "--debug", "-z",
		"--"}, paths)...)
	if err != nil {
		return nil, err
	}
	return r.listing("ls-files", out, indexLine)
}

// Staged is like Index, but without the files that `git add -N` only marked.
func (r listings) Staged(ctx context.Context) (*Listing, error) {
	l, err := r.Index(ctx)
	if err == nil {
		l.Files = slices.DeleteFunc(l.Files, func(f File) bool { return f.Intended })
	}
	return l, err
}

// Tree lists the files of a commit or directory object. It returns a *fault.Failure if a checkout could not write the
// tree exactly, because a name occurs twice or is reserved by git.
func (r listings) Tree(ctx context.Context, id string) (*Listing, error) {
	if !isID(id) {
		return nil, fmt.Errorf("list %.60q: not an object id", id)
	}
	out, _, err := r.run(ctx, "ls-tree", "-r", "-t", "-z", "--full-tree", id)
	if err != nil {
		return nil, err
	}
	return r.listing("ls-tree", out, treeLine)
}

// TreeLike is like Tree, but does not run git if index is a listing of the same tree.
func (r listings) TreeLike(ctx context.Context, id string, index *Listing) (*Listing, error) {
	if index == nil || index.tree == "" || !isID(id) {
		return r.Tree(ctx, id)
	}
	tree, _, err := r.object(ctx, "rev-parse", "--verify", "-q", id+"^{tree}")
	if err != nil || tree != index.tree ||
		slices.ContainsFunc(index.Files, func(f File) bool { return f.Unmerged || f.Intended }) {
		return r.Tree(ctx, id)
	}
	l := &Listing{Files: slices.Clone(index.Files)}
	for i := range l.Files {
		l.Files[i].Skipped = false
	}
	return l, nil
}

func (r listings) listing(subcommand, out string, parse func(head string, rest *string) (File, bool)) (*Listing,
	error) {
	l := &Listing{Files: make([]File, 0, strings.Count(out, "\x00"))}
	for out != "" {
		line, rest, ended := strings.Cut(out, "\x00")
		head, path, named := strings.Cut(line, "\t")
		f, ok := parse(head, &rest)
		if !ok || !ended || !named {
			return nil, r.failed(subcommand, fmt.Errorf("printed %.80q, expected mode, object id and path", line),
				&tail{})
		}
		f.Path, out = path, rest
		l.add(f)
	}
	return r.checked(subcommand, l)
}

// checked sorts a listing and rejects paths that no checkout could write.
func (r listings) checked(subcommand string, l *Listing) (*Listing, error) {
	if i := slices.IndexFunc(l.Files, func(f File) bool { return !cleanPath(f.Path) }); i >= 0 {
		return nil, r.failed(subcommand, fmt.Errorf("listed %.80q, expected a path", l.Files[i].Path), &tail{})
	}
	l.sort()
	if name, why := l.fault(); why != "" {
		return nil, unwritable(subcommand, name, why)
	}
	l.Files = slices.DeleteFunc(l.Files, func(f File) bool { return f.Mode == directory })
	return l, nil
}

// These are reasons why a checkout could not write a path.
const (
	occursTwice  = "occurs twice"
	namedLikeGit = "has a name that some system treats as git's own directory"
)

func unwritable(subcommand, name, why string) *fault.Failure {
	return fault.Newf(fault.Source, "git %s: %q %s, so the result of a checkout is unknown; git fsck names "+
		"the object: write it again without that entry", subcommand, name, why)
}

// twice reports whether a path is listed twice, or is listed as a file although other paths use it as
// a directory.
func (l *Listing) twice(i int) bool {
	name := l.Files[i].Path
	if l.Files[i+1].Path == name {
		return true
	}
	from, to := l.Within(name)
	return from < to && l.Files[i].Mode != directory
}

// fault returns the first path that no checkout can write. The listing may still contain directories
// at this point.
func (l *Listing) fault() (path, why string) {
	for i, f := range l.Files {
		switch {
		case i > 0 && strings.HasPrefix(f.Path, l.Files[i-1].Path) && l.twice(i-1):
			return l.Files[i-1].Path, occursTwice
		case IsOwn(f.Path):
			return f.Path, namedLikeGit
		}
	}
	return "", ""
}

// IsOwn reports whether a component of a path is a name that some system treats as git's own directory, such
// as .git or .GIT.
func IsOwn(path string) bool {
	for i := range len(path) {
		if c := path[i]; c >= utf8.RuneSelf || (c|0x20) == 'g' && len(path) > i+2 && (path[i+1]|0x20) == 'i' &&
			(path[i+2]|0x20) == 't' {
			return edit.InGitFolder(path)
		}
	}
	return false
}

// "--debug" prints these flags for a name that `git add -N` marked, and for a name that a sparse checkout
// omits.
const (
	intended     = 1 << 29
	skipWorktree = 1 << 30
)

// indexLine parses "MODE ID STAGE" and removes the five lines that "--debug" prints after the path. The last one
// ends in "flags: HEX".
func indexLine(head string, after *string) (File, bool) {
	about, rest, ok := strings.Cut(*after, "\tflags: ")
	hex, rest, ok2 := strings.Cut(rest, "\n")
	flags, err := strconv.ParseUint(hex, 16, 32)
	if !ok || !ok2 || err != nil || strings.Count(about, "\n") != 4 {
		return File{}, false
	}
	*after = rest
	mode, rest, _ := strings.Cut(head, " ")
	id, stage, _ := strings.Cut(rest, " ")
	if stage != "0" {
		return File{Mode: mode, Unmerged: true}, stage == "1" || stage == "2" || stage == "3"
	}
	// Git before 2.32 lists a directory as an entry, and commits its content.
	return File{Mode: mode, ID: id, Intended: flags&intended != 0,
		Skipped: flags&skipWorktree != 0}, longAsID(id) && mode != directory
}

// longAsID checks only the length, because it runs 100,000 times. Objects checks the rest.
func longAsID(s string) bool { return len(s) == 40 || len(s) == 64 }

// treeLine parses "MODE TYPE ID".
func treeLine(head string, _ *string) (File, bool) {
	mode, rest, _ := strings.Cut(head, " ")
	_, id, _ := strings.Cut(rest, " ")
	return File{Mode: mode, ID: id}, longAsID(id)
}

// add combines the versions of an unmerged file into one entry.
func (l *Listing) add(f File) {
	if n := len(l.Files); n > 0 && f.Unmerged && l.Files[n-1].Path == f.Path {
		return
	}
	l.Files = append(l.Files, f)
}

// sort is needed for damaged objects only, because git lists files in this order.
func (l *Listing) sort() {
	byPath := func(a, b File) int { return strings.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(l.Files, byPath) {
		slices.SortStableFunc(l.Files, byPath)
	}
}

// cleanPath rejects paths that git never writes to a tree.
func cleanPath(name string) bool {
	return path.Clean(name) == name && name != "." && name != ".." && name[0] != '/' && !strings.HasPrefix(name, "../")
}

// Within returns the half-open range of the files below a directory; "." means all files.
func (l *Listing) Within(dir string) (from, to int) {
	if dir == "." {
		return 0, len(l.Files)
	}
	return l.search(dir + "/"), l.search(dir + "0") // "0" is the character after the slash
}

// Find returns the file at a path.
func (l *Listing) Find(path string) (File, bool) {
	if i := l.search(path); i < len(l.Files) && l.Files[i].Path == path {
		return l.Files[i], true
	}
	return File{}, false
}

// Holds reports whether a path is listed: as a file, as a directory of files, or inside a submodule.
func (l *Listing) Holds(path string) bool {
	if _, ok := l.Find(path); ok {
		return true
	}
	if from, to := l.Within(path); from < to {
		return true
	}
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if f, ok := l.Find(path[:i]); ok {
			return f.Mode == Gitlink
		}
	}
	return false
}

func (l *Listing) search(path string) int {
	return sort.Search(len(l.Files), func(i int) bool { return l.Files[i].Path >= path })
}

// A Change is one path that differs between a commit and a later state.
type Change struct {
	Path string
	Old  File // without a Path; the ID is all zeros if the path is new
	Gone bool // the path no longer exists
}

// ChangedInIndex returns the differences between a commit and the index, sorted by path. It omits names that `git
// add -N` only marked. A rename is reported as a removed path and a new one.
func (r listings) ChangedInIndex(ctx context.Context, id string) ([]Change, error) {
	return r.diff(ctx, "diff-index", "--cached", "--ita-invisible-in-index", id)
}

// ChangedInCommit returns the differences between two commits, sorted by path.
func (r listings) ChangedInCommit(ctx context.Context, old, now string) ([]Change, error) {
	return r.diff(ctx, "diff-tree", "-r", old, now)
}

func (r listings) diff(ctx context.Context, subcommand string, args ...string) (list []Change, err error) {
	args = append([]string{subcommand, "--raw", "--no-abbrev", "-z", "--no-renames", "--no-ext-diff",
		"--ignore-submodules=none"}, args...)
	out, _, err := r.run(ctx, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	for out != "" {
		c, rest, ok := change(out)
		if !ok {
			return nil, r.failed(subcommand,
				fmt.Errorf("printed %.120q, expected modes, object ids, status and path", out), &tail{})
		}
		list, out = append(list, c), rest
	}
	return list, nil
}

// change parses ":MODE MODE ID ID STATUS\0PATH\0".
func change(out string) (c Change, rest string, ok bool) {
	head, rest, ok := strings.Cut(out, "\x00")
	name, rest, ok2 := strings.Cut(rest, "\x00")
	fields := strings.Fields(strings.TrimPrefix(head, ":"))
	if !ok || !ok2 || len(fields) != 5 || !isID(fields[2]) || !cleanPath(name) {
		return Change{}, "", false
	}
	return Change{Path: name, Old: File{Mode: fields[0], ID: fields[2]}, Gone: fields[4] == "D"}, rest, true
}

// Lost lists the removed files with their former content.
func Lost(changes []Change) *Listing {
	l := &Listing{}
	for _, c := range changes {
		if c.Gone {
			l.Files = append(l.Files, File{Path: c.Path, Mode: c.Old.Mode, ID: c.Old.ID})
		}
	}
	l.sort()
	return l
}
