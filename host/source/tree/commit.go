package tree

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/sdk/snapshot"
)

// maxTree is the greatest size of one directory object, in bytes: some 100,000 entries with long names.
const maxTree = 32 << 20

// A Commit is the tree of one git commit, read object by object when it is needed.
type Commit struct {
	ID      string   // of the commit
	Parents []string // object ids, whether or not the clone has them
	objects *git.Objects
	top     string // id of the top directory
	mu      sync.Mutex
	seen    map[string][]Entry // directories on the way to what was opened, by id
}

// OpenCommit opens the commit with that object id. The objects stay the caller's to close.
func OpenCommit(objects *git.Objects, id string) (*Commit, error) {
	o, err := objects.Read(id, maxTree)
	if err != nil {
		return nil, sourceFailure("commit "+id, err)
	}
	first, _, _ := bytes.Cut(o.Data, []byte("\n"))
	top, ok := strings.CutPrefix(string(first), "tree ")
	if o.Type != "commit" || !ok {
		return nil, fault.Newf(fault.Source, "read commit %s: it is a %s without a tree", id, o.Type)
	}
	return &Commit{ID: id, Parents: parents(o.Data), objects: objects, top: top, seen: map[string][]Entry{}}, nil
}

// parents reads the lines "parent ID" of a commit's head. It asks the object and not git, which takes the edge of a
// shallow clone for a first commit.
func parents(data []byte) (list []string) {
	for line := range bytes.Lines(data) {
		if len(line) < 2 {
			break
		}
		if id, ok := strings.CutPrefix(strings.TrimSuffix(string(line), "\n"), "parent "); ok {
			list = append(list, id)
		}
	}
	return list
}

func sourceFailure(what string, err error) error {
	var f *fault.Failure
	if errors.As(err, &f) {
		return f
	}
	return fault.Newf(fault.Source, "read %s: %v", what, err)
}

// Open implements Tree.
func (c *Commit) Open(ctx context.Context, dir string) (Dir, error) {
	id := c.top
	for name := range strings.SplitSeq(dir, "/") {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if name == "." {
			continue
		}
		entries, err := c.directory(id)
		if err != nil {
			return nil, err
		}
		e, ok := byName(entries, name)
		if !ok {
			return nil, fs.ErrNotExist
		}
		if e.Kind != snapshot.Directory {
			return nil, ErrNotDirectory
		}
		id = e.ID
	}
	return &commitDir{blobs{c.objects}, id, map[string]string{".": id}}, nil
}

// directory keeps what is above one instance for the next one.
func (c *Commit) directory(id string) ([]Entry, error) {
	c.mu.Lock()
	entries, ok := c.seen[id]
	c.mu.Unlock()
	if ok {
		return entries, nil
	}
	entries, err := readTree(c.objects, id)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.seen[id] = entries
	c.mu.Unlock()
	return entries, nil
}

type commitDir struct {
	blobs
	id  string
	ids map[string]string // of the directories that were listed, and of those in them, by path
}

func (d *commitDir) Close() error { return nil }

func (d *commitDir) List(path string, max int) (Listing, error) {
	id, ok := d.ids[path]
	if !ok {
		return Listing{}, fs.ErrNotExist
	}
	entries, err := readTree(d.objects, id)
	if err != nil {
		return Listing{}, err
	}
	if len(entries) > max {
		return Listing{}, fmt.Errorf("%w: more than %d", ErrTooMany, max)
	}
	for _, e := range entries {
		if e.Kind == snapshot.Directory {
			d.ids[Join(path, e.Name)] = e.ID
		}
	}
	return Listing{Entries: entries}, nil
}

func (d *commitDir) Unchanged(string, Stamp) bool { return true }

func notFetched(err error) error {
	if errors.Is(err, git.ErrMissing) {
		return ErrNotFetched
	}
	return err
}

func byName(entries []Entry, name string) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(entries, name, func(e Entry, n string) int { return strings.Compare(e.Name, n) })
	if !ok {
		return Entry{}, false
	}
	return entries[i], true
}

func readTree(objects *git.Objects, id string) ([]Entry, error) {
	o, err := objects.Read(id, maxTree)
	if err != nil {
		return nil, sourceFailure("directory "+id, err)
	}
	if o.Type != "tree" || o.Data == nil {
		return nil, fault.Newf(fault.Source, "read directory %s: it is a %s of %d bytes", id, o.Type, o.Size)
	}
	entries, ok := parseTree(o.Data, len(id)/2)
	if !ok {
		return nil, fault.Newf(fault.Source, "read directory %s: the object is damaged: see git fsck", id)
	}
	return entries, unwritable(id, entries)
}

// unwritable refuses a directory that no checkout writes as it is.
func unwritable(id string, entries []Entry) error {
	for i, e := range entries {
		switch {
		case i > 0 && entries[i-1].Name == e.Name:
			return fault.Newf(fault.Source, "read directory %s: it holds %q twice, so it is not known what a checkout would write: see git fsck", id, e.Name)
		case git.IsOwn(e.Name):
			return fault.Newf(fault.Source, "read directory %s: it holds %q, a name that some system treats as git's own directory: see git fsck", id, e.Name)
		}
	}
	return nil
}

// parseTree reads "MODE NAME\0ID" over and over, the id in binary. Git sorts directories as if their names ended in a
// slash; entries are sorted by name alone.
func parseTree(data []byte, idSize int) ([]Entry, bool) {
	var entries []Entry
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		if !ok || !ok2 || len(rest) < idSize || name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
			return nil, false
		}
		e := Entry{Name: name, ID: hex.EncodeToString(rest[:idSize])}
		e.Kind, e.Detail = kindOfGit(mode)
		entries = append(entries, e)
		data = rest[idSize:]
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, true
}

func kindOfGit(mode string) (snapshot.Kind, string) {
	switch mode {
	case "100644", "100755", "100664":
		return snapshot.Regular, ""
	case "40000":
		return snapshot.Directory, ""
	case "120000":
		return snapshot.Symlink, "symbolic link"
	case "160000":
		return snapshot.Special, "submodule"
	}
	return snapshot.Special, "git mode " + mode
}
