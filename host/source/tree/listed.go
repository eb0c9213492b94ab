package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// A Listed is a tree of git objects: the index, or a commit.
type Listed struct {
	ID string // the commit's object id; "" for the index

	*git.Listing
	objects *git.Objects
	name    string
}

// NewListed returns the tree that a listing describes. name is the absolute path of the workspace. The caller must
// close objects.
func NewListed(id string, listing *git.Listing, objects *git.Objects, name string) *Listed {
	return &Listed{id, listing, objects, name}
}

func (l *Listed) Name() string { return l.name }

func (l *Listed) Unchanged(string, Stamp) bool { return true }

// IsRepository implements Tree. List shows a ".git" only in submodules.
func (l *Listed) IsRepository(string, Entry) bool { return true }

// Holds reports whether a path is a file or directory outside submodules.
func (l *Listed) Holds(path string) bool {
	_, err := l.Stat(path)
	return err == nil
}

func (l *Listed) Stat(name string) (Entry, error) {
	if from, to := l.Within(name); from < to || name == "." {
		return Entry{Name: path.Base(name), Kind: snapshot.Directory}, nil
	}
	if file, ok := l.Find(name); ok {
		return l.entry(path.Base(name), &file), nil
	}
	for above := path.Dir(name); above != "."; above = path.Dir(above) {
		if _, ok := l.Find(above); ok {
			return Entry{}, ErrNotDirectory
		}
	}
	return Entry{}, fs.ErrNotExist
}

// List implements Tree. It lists a submodule as a repository.
func (l *Listed) List(dir string, max int) (Listing, error) {
	switch e, err := l.Stat(dir); {
	case err != nil:
		return Listing{}, err
	case e.Detail == submodule:
		return repository(), nil
	case e.Kind != snapshot.Directory:
		return Listing{}, ErrNotDirectory
	}
	from, to := l.Within(dir)
	skip := len(dir) + 1
	if dir == "." {
		skip = 0
	}
	entries := make([]Entry, 0, min(to-from, 64))
	for from < to {
		file := &l.Files[from]
		name, _, deep := strings.Cut(file.Path[skip:], "/")
		if from++; !deep {
			entries = append(entries, l.entry(name, file))
			continue
		}
		_, from = l.Within(file.Path[:skip+len(name)])
		entries = append(entries, Entry{Name: name, Kind: snapshot.Directory})
	}
	if len(entries) > max {
		return Listing{}, fmt.Errorf("%w: more than %d", ErrTooMany, max)
	}
	return Listing{Entries: sorted(entries)}, nil
}

// sorted sorts entries by name. If two have the same name, as during a merge, it keeps the directory.
func sorted(entries []Entry) []Entry {
	if !slices.IsSortedFunc(entries, byName) {
		slices.SortStableFunc(entries, byName)
	}
	for i := 1; i < len(entries); i++ {
		if entries[i].Kind == snapshot.Directory && entries[i-1].Name == entries[i].Name {
			entries[i-1] = entries[i]
		}
	}
	return slices.CompactFunc(entries, func(a, b Entry) bool { return a.Name == b.Name })
}

func byName(a, b Entry) int { return strings.Compare(a.Name, b.Name) }

// These describe a file whose merge is unresolved, and say how to fix that: in the index, and in a merge that was only
// tried.
const (
	unmerged   = "a file with an unresolved merge; resolve it and stage it (git add)"
	conflicted = "a file with a merge conflict (%s); start the merge and resolve it"
)

func (l *Listed) entry(name string, file *git.File) Entry {
	e := Entry{Name: name, ID: file.ID, Kind: snapshot.Special}
	switch file.Mode {
	case "100644", "100755", "100664":
		e.Kind = snapshot.Regular
	case "120000":
		e.Kind, e.Detail = snapshot.Symlink, "symbolic link"
	case git.Gitlink:
		e.Detail = submodule
	default:
		e.Detail = "git mode " + file.Mode
	}
	if file.Unmerged {
		e = Entry{Name: name, Kind: snapshot.Special, Detail: unmerged}
		if sides := l.Unmerged[file.Path]; sides != "" {
			e.Detail = fmt.Sprintf(conflicted, sides)
		}
	}
	return e
}

// maxLink is the maximum size in bytes of a link's text.
const maxLink = 64 << 10

func (l *Listed) Readlink(path string) (string, error) {
	file, ok := l.Find(path)
	if !ok || file.ID == "" {
		return "", fs.ErrNotExist
	}
	c, err := l.Read(path, Entry{ID: file.ID}, maxLink)
	return string(c.Data), err
}

func (l *Listed) Size(_ string, e Entry) (int64, error) {
	o, err := l.objects.Info(e.ID)
	return o.Size, notFetched(err)
}

func (l *Listed) Read(_ string, e Entry, max int64) (Content, error) {
	o, err := l.objects.Read(e.ID, max)
	return Content{Size: o.Size, Data: o.Data}, notFetched(err)
}

func notFetched(err error) error {
	if errors.Is(err, git.ErrMissing) {
		return ErrNotFetched
	}
	return err
}
