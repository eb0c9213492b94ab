package tree

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/snapshot"
)

// A Walkable is a Tree that can be walked from its top.
type Walkable interface {
	Tree
	// Scan calls f with what is in dir, in any order, once or twice each. An earlier Scan has returned dir. What is marked
	// PassThrough is only there to be walked through.
	Scan(dir string, f func(name string, mode fs.FileMode)) error
	// Mode returns what is at a path, without following a link.
	Mode(path string) (fs.FileMode, error)
	// Readlink returns the text of a symbolic link.
	Readlink(path string) (string, error)
	// IsRepository reports whether a ".git" of that mode, which Scan gave, makes a repository of dir.
	IsRepository(dir string, mode fs.FileMode) bool
	// Name returns the absolute path of the anchor.
	Name() string
}

// PassThrough marks a directory that is not part of the tree, though something in it may be.
const PassThrough = fs.ModeTemporary

// A Listed is a tree of git objects that is known whole: the index, or a commit.
type Listed struct {
	blobs
	listing *git.Listing
	name    string
	absent  map[string]bool
}

// NewListed returns the tree that a listing describes. Name is the absolute path of the anchor. The objects stay the
// caller's to close.
func NewListed(listing *git.Listing, objects *git.Objects, name string) *Listed {
	return &Listed{blobs{objects}, listing, name, map[string]bool{}}
}

// Hide takes a file out of the tree. Call it before the tree is used.
func (l *Listed) Hide(path string) { l.absent[path] = true }

// Name implements Walkable.
func (l *Listed) Name() string { return l.name }

// Holds reports whether there is a file or directory at a path.
func (l *Listed) Holds(path string) bool {
	_, err := l.Mode(path)
	return err == nil
}

// each calls f with every name in dir: a file, or nil for a directory. A name that is both, as in the middle of a
// merge, comes twice.
func (l *Listed) each(dir string, f func(name string, file *git.File)) {
	from, to := l.listing.Within(dir)
	skip := len(dir) + 1
	if dir == "." {
		skip = 0
	}
	for from < to {
		file := &l.listing.Files[from]
		name, _, deep := strings.Cut(file.Path[skip:], "/")
		if !deep {
			if !l.absent[file.Path] {
				f(name, file)
			}
			from++
			continue
		}
		_, end := l.listing.Within(file.Path[:skip+len(name)])
		if l.some(from, end) {
			f(name, nil)
		}
		from = end
	}
}

// some reports whether any of the files is in the tree.
func (l *Listed) some(from, to int) bool {
	if len(l.absent) == 0 {
		return from < to
	}
	return slices.ContainsFunc(l.listing.Files[from:to], func(f git.File) bool { return !l.absent[f.Path] })
}

// Scan implements Walkable.
func (l *Listed) Scan(dir string, f func(name string, mode fs.FileMode)) error {
	if file, ok := l.listing.Find(dir); ok && file.Mode == git.Gitlink {
		f(GitName, 0)
		return nil
	}
	l.each(dir, func(name string, file *git.File) { f(name, modeOf(file)) })
	return nil
}

// modeOf returns a submodule as the directory that it is in a work tree.
func modeOf(file *git.File) fs.FileMode {
	switch {
	case file == nil || file.Mode == git.Gitlink:
		return fs.ModeDir
	case file.Mode == "120000":
		return fs.ModeSymlink
	}
	return 0
}

// Mode implements Walkable.
func (l *Listed) Mode(path string) (fs.FileMode, error) {
	if path == "." {
		return fs.ModeDir, nil
	}
	if l.some(l.listing.Within(path)) {
		return fs.ModeDir, nil
	}
	if file, ok := l.listing.Find(path); ok && !l.absent[path] {
		return modeOf(&file), nil
	}
	return 0, fs.ErrNotExist
}

// maxLink is the greatest size of a link's text, in bytes.
const maxLink = 64 << 10

// Readlink implements Walkable.
func (l *Listed) Readlink(path string) (string, error) {
	file, ok := l.listing.Find(path)
	if !ok || file.ID == "" {
		return "", fs.ErrNotExist
	}
	o, err := l.objects.Read(file.ID, maxLink)
	return string(o.Data), notFetched(err)
}

// IsRepository implements Walkable: Scan shows a ".git" in submodules only.
func (l *Listed) IsRepository(string, fs.FileMode) bool { return true }

// Open implements Tree.
func (l *Listed) Open(ctx context.Context, dir string) (Dir, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	mode, err := l.Mode(dir)
	for above := path.Dir(dir); err != nil && above != "."; above = path.Dir(above) {
		if mode, err := l.Mode(above); err == nil && mode != fs.ModeDir {
			return nil, ErrNotDirectory
		}
	}
	if err != nil {
		return nil, err
	}
	if file, ok := l.listing.Find(dir); mode != fs.ModeDir || ok && file.Mode == git.Gitlink {
		return nil, ErrNotDirectory
	}
	return &listedDir{l.blobs, l, dir}, nil
}

type listedDir struct {
	blobs
	tree *Listed
	dir  string
}

func (d *listedDir) Close() error { return nil }

func (d *listedDir) Unchanged(string, Stamp) bool { return true }

func (d *listedDir) List(path string, max int) (Listing, error) {
	var entries []Entry
	d.tree.each(Join(d.dir, path), func(name string, file *git.File) {
		if n := len(entries); file == nil {
			entries = append(entries, Entry{Name: name, Kind: snapshot.Directory})
		} else if e := entryOf(name, file); n <= max {
			entries = append(entries, e)
		}
	})
	if len(entries) > max {
		return Listing{}, fmt.Errorf("%w: more than %d", ErrTooMany, max)
	}
	return Listing{Entries: Sorted(entries)}, nil
}

// Sorted orders entries by name; of two of one name the directory stays.
func Sorted(entries []Entry) []Entry {
	slices.SortFunc(entries, func(a, b Entry) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 || a.Kind == b.Kind {
			return c
		}
		if a.Kind == snapshot.Directory {
			return -1
		}
		return 1
	})
	return slices.CompactFunc(entries, func(a, b Entry) bool { return a.Name == b.Name })
}

// unmerged describes a file whose merge is not resolved, with the cure.
const unmerged = "a file whose merge is not resolved; resolve it and stage it (git add)"

func entryOf(name string, file *git.File) Entry {
	if file.Unmerged {
		return Entry{Name: name, Kind: snapshot.Special, Detail: unmerged}
	}
	e := Entry{Name: name, ID: file.ID}
	e.Kind, e.Detail = kindOfGit(file.Mode)
	return e
}

// blobs reads files by their object ids.
type blobs struct{ objects *git.Objects }

func (b blobs) Size(_ string, e Entry) (int64, error) {
	o, err := b.objects.Info(e.ID)
	return o.Size, notFetched(err)
}

func (b blobs) Read(_ string, e Entry, max int64) (Content, error) {
	o, err := b.objects.Read(e.ID, max)
	return Content{Size: o.Size, Data: o.Data}, notFetched(err)
}
