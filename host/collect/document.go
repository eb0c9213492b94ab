package collect

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/glob"
	"github.com/stategate/stategate/host/tree"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// document adds one document, with its bytes if the spec needs them.
func (p *pass) document(path string, e tree.Entry, spec int) error {
	f := snapshot.File{Path: path, Kind: e.Kind, Detail: e.Detail, Spec: spec}
	need := p.specs.list[spec].Need
	switch {
	case e.Kind != snapshot.Regular:
		p.files = append(p.files, f)
		return nil
	case need == wire.Listed:
		size, err := p.dir.Size(path, e)
		if errors.Is(err, tree.ErrUnseen) {
			err = nil // the name is all that was asked for
		}
		f.Size = size
		p.files = append(p.files, f)
		return err
	}
	c, err := p.read(path, e)
	switch {
	case errors.Is(err, tree.ErrUnseen):
		p.hide(f, "a file whose bytes are not in this clone")
		return nil
	case err != nil:
		return err
	case isPointer(c.Data):
		p.hide(f, "a Git LFS pointer")
		return nil
	}
	f.Size, f.Data, f.TooLarge = c.Size, c.Data, c.Data == nil
	p.files = append(p.files, f)
	return p.count(f, need)
}

func (p *pass) read(path string, e tree.Entry) (tree.Content, error) {
	if p.known != nil {
		if data, ok := p.known(e, path); ok {
			return tree.Content{Size: int64(len(data)), Data: data}, nil
		}
	}
	c, err := p.dir.Read(path, e, p.limits.Summary)
	if err == nil {
		p.stamps = append(p.stamps, stamped{path, c.Stamp})
	}
	return c, err
}

// count holds what was read against the limits.
func (p *pass) count(f snapshot.File, need wire.Need) error {
	p.total += int64(len(f.Data))
	if need == wire.Content && f.Size <= p.limits.Document {
		p.content += f.Size
	}
	if p.content > p.limits.Content {
		return failure.Newf(failure.Limit, "read %s: its content documents have more than %d bytes: shorten or archive some", p.root, p.limits.Content)
	}
	if p.total > p.limits.Total {
		return failure.Newf(failure.Limit, "read %s: its documents have more than %d bytes: shorten or archive some", p.root, p.limits.Total)
	}
	return nil
}

// hide notes a document that is there and cannot be seen. In the present it is unseen, so that its absence proves
// nothing; a base has no such list, and so it stays there as something that is no text.
func (p *pass) hide(f snapshot.File, what string) {
	if p.known == nil {
		p.unseen = append(p.unseen, glob.Escape(f.Path))
		slices.Sort(p.unseen)
		return
	}
	f.Kind, f.Detail = snapshot.Special, what
	p.files = append(p.files, f)
}

var pointerStart = []byte("version https://git-lfs.github.com/spec/v1\n")

// isPointer knows a Git LFS pointer: its first line is fixed and it is never large.
func isPointer(data []byte) bool { return len(data) < 1024 && bytes.HasPrefix(data, pointerStart) }

// unchanged reports whether everything is still as it was listed and read.
func (p *pass) unchanged() bool {
	for _, s := range p.stamps {
		if !p.dir.Unchanged(s.path, s.stamp) {
			return false
		}
	}
	for _, d := range p.listed {
		if !p.dir.Unchanged(d.path, d.listing.Stamp) || d.listing.Stamp.Fresh() && !p.sameListing(d) {
			return false
		}
	}
	return true
}

func (p *pass) sameListing(d directory) bool {
	again, err := p.dir.List(d.path, len(d.listing.Entries))
	return err == nil && slices.Equal(again.Entries, d.listing.Entries)
}

func sortFiles(files []snapshot.File) {
	slices.SortFunc(files, func(a, b snapshot.File) int { return strings.Compare(a.Path, b.Path) })
}
