package previous

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
)

// Of returns the tree of what a plugin saw. Only roots can be opened.
func (r Record) Of(plugin string) tree.Tree { return remembered{r, plugin} }

type remembered struct {
	record Record
	plugin string
}

// Open implements tree.Tree.
func (t remembered) Open(ctx context.Context, root string) (tree.Dir, error) {
	files, ok := t.record[discover.Instance{Plugin: t.plugin, Root: root}]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return dir(files), ctx.Err()
}

type dir []snapshot.File

func (dir) Close() error { return nil }

func (dir) Unchanged(string, tree.Stamp) bool { return true }

func (d dir) List(path string, max int) (tree.Listing, error) {
	var l tree.Listing
	for _, f := range d {
		if path != f.Path && slashpath.Holds(path, f.Path) {
			name, _, deep := strings.Cut(strings.TrimSuffix(slashpath.Below(path, f.Path), "/"), "/")
			e := tree.Entry{Name: name, Kind: f.Kind, Detail: f.Detail}
			if deep {
				e = tree.Entry{Name: name, Kind: snapshot.Directory}
			}
			l.Entries = append(l.Entries, e)
		}
	}
	if l.Entries = tree.Sorted(l.Entries); len(l.Entries) > max {
		return tree.Listing{}, fmt.Errorf("%w: more than %d", tree.ErrTooMany, max)
	}
	return l, nil
}

func (d dir) find(path string) (snapshot.File, error) {
	for _, f := range d {
		if f.Path == path && f.Kind == snapshot.Regular {
			return f, nil
		}
	}
	return snapshot.File{}, tree.ErrNotFetched
}

func (d dir) Size(path string, _ tree.Entry) (int64, error) {
	f, err := d.find(path)
	return f.Size, err
}

func (d dir) Read(path string, _ tree.Entry, max int64) (tree.Content, error) {
	f, err := d.find(path)
	switch {
	case err != nil:
		return tree.Content{}, err
	case f.TooLarge, int64(len(f.Data)) > max:
		return tree.Content{Size: f.Size}, nil
	case f.Data == nil:
		return tree.Content{}, tree.ErrNotFetched
	}
	return tree.Content{Size: f.Size, Data: f.Data}, nil
}
