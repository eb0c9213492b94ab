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

// A Listing is every file of the index or of a commit, sorted by path. It is immutable.
type Listing struct {
	Files    []File
	Unmerged map[string]string // by path: what both sides of a Merge did, as far as it is known

	tree string // of the index: the object id of the directory that it makes, "" if that is not known
}

// A File is one line of a Listing.
type File struct {
	Path     string // below the top, slash-separated, as it is
	Mode     string // octal, as git prints it: 100644, 120000 …
	ID       string // object id; "" if Unmerged
	Unmerged bool   // the index holds more than one version of it, or none that is settled
	Intended bool   // it is only intended to be added (git add -N): no commit will hold it
	Skipped  bool   // the working tree leaves it out (git ls-files -t marks it S)
}

// Modes of entries other than files.
const (
	Gitlink = "160000" // a submodule
	Symlink = "120000"
)

// directory is the mode of a directory, which git lists with "-t".
const directory = "040000"

// listings are questions about which files there are, and which have changed.
type listings struct{ *process }

// Index lists the index as the next commit would hold it, and besides what is unmerged or Intended. Files outside a
// sparse checkout are listed. With paths it is what the index has at them and below.
func (r listings) Index(ctx context.Context, paths ...string) (*Listing, error) {
	if len(paths) == 0 {
		if l, ok := r.indexFile(); ok {
			return r.checked("ls-files", l)
		}
	}
	// --debug alone shows what is only intended to be added
	out, _, err := r.run(ctx, slices.Concat([]string{"--literal-pathspecs", "ls-files", "--stage", "--debug", "-z",
		"--"}, paths)...)
	if err != nil {
		return nil, err
	}
	return r.listing("ls-files", out, indexLine)
}

// Staged is Index without what is only intended to be added.
func (r listings) Staged(ctx context.Context) (*Listing, error) {
	l, err := r.Index(ctx)
	if err == nil {
		l.Files = slices.DeleteFunc(l.Files, func(f File) bool { return f.Intended })
	}
	return l, err
}

// Tree lists the files of a commit or directory object. One that a checkout could not write as it is, because it holds
// a name twice or one of git's own, is a *fault.Failure.
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

// TreeLike is Tree, and asks git for no list where a listing of the index is that of the commit.
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
			return nil, r.failed(subcommand, fmt.Errorf("printed %.80q, want mode, object id and path", line), &tail{})
		}
		f.Path, out = path, rest
		l.add(f)
	}
	return r.checked(subcommand, l)
}

// checked puts a listing in order and refuses what no checkout could write.
func (r listings) checked(subcommand string, l *Listing) (*Listing, error) {
	if i := slices.IndexFunc(l.Files, func(f File) bool { return !cleanPath(f.Path) }); i >= 0 {
		return nil, r.failed(subcommand, fmt.Errorf("listed %.80q, want a path", l.Files[i].Path), &tail{})
	}
	l.sort()
	if name, why := l.fault(); why != "" {
		return nil, unwritable(subcommand, name, why)
	}
	l.Files = slices.DeleteFunc(l.Files, func(f File) bool { return f.Mode == directory })
	return l, nil
}

// Why a checkout could not write a path as it is.
const (
	occursTwice  = "occurs twice"
	namedLikeGit = "has a name that some system treats as git's own directory"
)

func unwritable(subcommand, name, why string) *fault.Failure {
	return fault.Newf(fault.Source, "git %s: %q %s, so the result of a checkout is unknown; git fsck names "+
		"the object: write it again without that entry", subcommand, name, why)
}

// twice reports whether a path is listed again, or is a file where others have a directory.
func (l *Listing) twice(i int) bool {
	name := l.Files[i].Path
	if l.Files[i+1].Path == name {
		return true
	}
	from, to := l.Within(name)
	return from < to && l.Files[i].Mode != directory
}

// fault returns the first path that no checkout of git writes. The listing may still hold directories.
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

// IsOwn reports whether a part of a path is one that some system takes for git's own directory, as .git and .GIT.
func IsOwn(path string) bool {
	for i := range len(path) {
		if c := path[i]; c >= utf8.RuneSelf || (c|0x20) == 'g' && len(path) > i+2 && (path[i+1]|0x20) == 'i' &&
			(path[i+2]|0x20) == 't' {
			return edit.InGitFolder(path)
		}
	}
	return false
}

// Flags as "--debug" prints them: a name that is only intended to be added, and one that the working tree leaves out.
const (
	intended     = 1 << 29
	skipWorktree = 1 << 30
)

// indexLine reads "MODE ID STAGE" and removes the five lines that "--debug" prints after the path; the last ends in
// "flags: HEX".
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
	// A git before 2.32 lists a directory as an entry, and commits what is in it.
	return File{Mode: mode, ID: id, Intended: flags&intended != 0,
		Skipped: flags&skipWorktree != 0}, longAsID(id) && mode != directory
}

// longAsID is what is worth asking 100,000 times over: Objects asks for the rest.
func longAsID(s string) bool { return len(s) == 40 || len(s) == 64 }

// treeLine reads "MODE TYPE ID".
func treeLine(head string, _ *string) (File, bool) {
	mode, rest, _ := strings.Cut(head, " ")
	_, id, _ := strings.Cut(rest, " ")
	return File{Mode: mode, ID: id}, longAsID(id)
}

// add takes the versions of an unmerged file as one.
func (l *Listing) add(f File) {
	if n := len(l.Files); n > 0 && f.Unmerged && l.Files[n-1].Path == f.Path {
		return
	}
	l.Files = append(l.Files, f)
}

// sort is for damaged objects: git lists in this order.
func (l *Listing) sort() {
	byPath := func(a, b File) int { return strings.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(l.Files, byPath) {
		slices.SortStableFunc(l.Files, byPath)
	}
}

// cleanPath refuses what no tree of git's making holds.
func cleanPath(name string) bool {
	return path.Clean(name) == name && name != "." && name != ".." && name[0] != '/' && !strings.HasPrefix(name, "../")
}

// Within returns the half-open range of the files below a directory, "." for all.
func (l *Listing) Within(dir string) (from, to int) {
	if dir == "." {
		return 0, len(l.Files)
	}
	return l.search(dir + "/"), l.search(dir + "0") // the character after the slash
}

// Find returns the file at a path.
func (l *Listing) Find(path string) (File, bool) {
	if i := l.search(path); i < len(l.Files) && l.Files[i].Path == path {
		return l.Files[i], true
	}
	return File{}, false
}

// Holds reports whether a path is listed: a file, a directory of files, or something in a submodule.
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

// A Change is one path that differs between a commit and what came after it.
type Change struct {
	Path string
	Old  File // without a Path; an ID of zeros if the path is new
	Gone bool // the path is no longer there
}

// ChangedInIndex returns what differs between a commit and the index, sorted by path. Names that are only intended to
// be added are not in it. Renames are a path that is gone and a new one.
func (r listings) ChangedInIndex(ctx context.Context, id string) ([]Change, error) {
	return r.diff(ctx, "diff-index", "--cached", "--ita-invisible-in-index", id)
}

// ChangedInCommit returns what differs between two commits, sorted by path.
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
			return nil, r.failed(subcommand, fmt.Errorf("printed %.120q, want modes, object ids, status and path", out),
				&tail{})
		}
		list, out = append(list, c), rest
	}
	return list, nil
}

// change reads ":MODE MODE ID ID STATUS\0PATH\0".
func change(out string) (c Change, rest string, ok bool) {
	head, rest, ok := strings.Cut(out, "\x00")
	name, rest, ok2 := strings.Cut(rest, "\x00")
	fields := strings.Fields(strings.TrimPrefix(head, ":"))
	if !ok || !ok2 || len(fields) != 5 || !isID(fields[2]) || !cleanPath(name) {
		return Change{}, "", false
	}
	return Change{Path: name, Old: File{Mode: fields[0], ID: fields[2]}, Gone: fields[4] == "D"}, rest, true
}

// Before returns the listing that changes have led to l from. One that a checkout could not write is a *fault.Failure,
// as it is for Repo.Tree.
func (l *Listing) Before(changes []Change) (*Listing, error) {
	if len(changes) == 0 {
		return l, nil
	}
	changed := make(map[string]bool, len(changes))
	for _, c := range changes {
		changed[c.Path] = true
	}
	before := l.Without(changed)
	for _, c := range changes {
		if f := (File{Path: c.Path, Mode: c.Old.Mode, ID: c.Old.ID}); strings.Trim(f.ID, "0") != "" {
			before.Files = append(before.Files, f)
		}
	}
	before.sort()
	before.Files = slices.Compact(before.Files)
	name, why := before.fault()
	for _, c := range changes {
		if _, kept := l.Find(c.Path); kept && c.Gone && why == "" {
			name, why = c.Path, occursTwice
		}
	}
	if why != "" {
		return nil, unwritable("diff", name, why)
	}
	return before, nil
}

// Without returns the listing without some paths.
func (l *Listing) Without(paths map[string]bool) *Listing {
	return &Listing{Files: slices.DeleteFunc(slices.Clone(l.Files), func(f File) bool { return paths[f.Path] })}
}

// Lost lists what is gone, as it was.
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
