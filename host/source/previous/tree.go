package previous

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
)

// Of returns the tree of what a plugin saw. Only roots can be opened.
func (r Record) Of(plugin string) tree.Tree { return remembered{r, plugin} }

type remembered struct {
	record Record
	plugin string
}

// Source says that it is no work tree.

// Open implements tree.Tree.
func (t remembered) Open(ctx context.Context, root string) (tree.Dir, error) {
	files, ok := t.record[Key{t.plugin, root}]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return dir(files), ctx.Err()
}

type dir []File

func (dir) Close() error { return nil }

func (dir) Unchanged(string, tree.Stamp) bool { return true }

func (d dir) List(path string, max int) (tree.Listing, error) {
	kinds := map[string]tree.Entry{}
	for _, f := range d {
		rest := f.Path
		if path != "." {
			var ok bool
			if rest, ok = strings.CutPrefix(f.Path, path+"/"); !ok {
				continue
			}
		}
		name, _, deep := strings.Cut(strings.TrimSuffix(rest, "/"), "/")
		e := tree.Entry{Name: name, Kind: f.Kind, Detail: f.Detail}
		if deep {
			e = tree.Entry{Name: name, Kind: snapshot.Directory}
		}
		if before, ok := kinds[name]; !ok || before.Kind != snapshot.Directory {
			kinds[name] = e
		}
	}
	var l tree.Listing
	for _, e := range kinds {
		l.Entries = append(l.Entries, e)
	}
	if len(l.Entries) > max {
		return tree.Listing{}, fmt.Errorf("%w: more than %d", tree.ErrTooMany, max)
	}
	slices.SortFunc(l.Entries, func(a, b tree.Entry) int { return strings.Compare(a.Name, b.Name) })
	return l, nil
}

func (d dir) find(path string) (File, error) {
	for _, f := range d {
		if f.Path == path && f.Kind == snapshot.Regular {
			return f, nil
		}
	}
	return File{}, tree.ErrUnseen
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
	case f.TooLarge, f.Read && int64(len(f.Data)) > max:
		return tree.Content{Size: f.Size}, nil
	case !f.Read:
		return tree.Content{}, tree.ErrUnseen
	}
	return tree.Content{Size: f.Size, Data: append([]byte{}, f.Data...)}, nil
}
