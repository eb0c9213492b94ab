package statefiles

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Misnamed is a document, or a directory that contains documents, whose name differs from a glob's literal name
// only in case or Unicode form. Systems that ignore these differences treat it as that document.
type Misnamed struct {
	Path     string // relative to the root
	Expected string // as the glob spells it
	Taken    bool   // Expected also exists
}

func (p *pass) misnamed(dir string, from glob.State, e tree.Entry, l tree.Listing) {
	expected, spec, last := p.specs.Miscased(from, e.Name)
	isDir := e.Kind == snapshot.Directory
	if expected == "" || isDir == (last && !p.specs.DirOnly(spec)) || !tree.Valid(e.Name) {
		return
	}
	taken := slices.ContainsFunc(l.Entries, func(e tree.Entry) bool { return e.Name == expected })
	p.miscased = append(p.miscased, Misnamed{tree.Join(dir, e.Name), tree.Join(dir, expected), taken})
}

// A Linked is a symbolic link to something in the repository that the workflow's own tool follows.
type Linked struct {
	Path   string // relative to the root
	Target string // the link's text
}

// Globs returns globs that match everything behind the link.
func (l Linked) Globs() []string { return []string{glob.Escape(l.Path), glob.Escape(l.Path) + "/**"} }

// follows records a link to something in the repository that the workflow's own tool follows. It rejects a link in
// place of a directory that the manifest names, because such a link would hide too much.
func follows(p *pass, path string, from glob.State, e tree.Entry, spec int) bool {
	if e.Kind != snapshot.Symlink || !p.specs.List[spec].FollowsLinks || !p.specs.Named(from) {
		return false
	}
	at := tree.Join(p.root, path)
	target, err := p.tree.Readlink(at)
	if err != nil {
		return false
	}
	dest, inside := tree.Destination(p.tree, at, target)
	if !inside {
		return false
	}
	if is, err := p.tree.Stat(dest); err != nil || is.Kind != snapshot.Directory && is.Kind != snapshot.Regular {
		return false
	}
	p.linked = append(p.linked, Linked{path, target})
	return true
}

// document adds one document. It reads the bytes only if the spec needs them and no object id
// represents them.
func (p *pass) document(path string, e tree.Entry, spec int) error {
	f := snapshot.File{Path: path, Kind: e.Kind, Detail: e.Detail, Spec: spec}
	switch {
	case e.Kind != snapshot.Regular:
		p.add(f)
		return nil
	case e.ID != "":
		p.found = append(p.found, found{File: f, entry: e})
		return nil
	}
	if p.memory && p.specs.List[spec].Need != wire.Listed {
		if c, known := p.disk.Known(tree.Join(p.root, path), e); known != nil {
			f.Size, p.remembered = c.Size, true
			p.stamps = append(p.stamps, stamped{path, c.Stamp})
			p.found = append(p.found, found{File: f, sum: &known.Sum, known: known})
			return p.count(f, f.Size, p.specs.List[spec].Need)
		}
	}
	read := len(p.stamps)
	hidden, err := p.bytes(&f, e)
	if hidden {
		p.hide(f.Path)
		return nil
	}
	p.add(f)
	if len(p.stamps) > read {
		p.found[len(p.found)-1].entry, p.found[len(p.found)-1].stamp = e, p.stamps[read].stamp
	}
	return err
}

func (p *pass) add(f snapshot.File) { p.found = append(p.found, found{File: f}) }

// bytes sets the content that the spec needs, and reports whether the bytes are unavailable.
func (p *pass) bytes(f *snapshot.File, e tree.Entry) (hidden bool, err error) {
	need := p.specs.List[f.Spec].Need
	if need == wire.Listed {
		f.Size, err = p.tree.Size(tree.Join(p.root, f.Path), e)
		if errors.Is(err, tree.ErrNotFetched) {
			err = nil // only the name is needed
		}
		return false, err
	}
	c, err := p.read(f.Path, e)
	switch {
	case errors.Is(err, tree.ErrNotFetched):
		return true, nil
	case err != nil:
		return false, err
	}
	return p.fill(f, c, need)
}

func (p *pass) fill(f *snapshot.File, c tree.Content, need wire.Need) (hidden bool, err error) {
	if isPointer(c.Data) {
		p.pointers = true
		return true, nil
	}
	f.Size, f.Data, f.TooLarge = c.Size, c.Data, c.Data == nil
	return false, p.count(*f, int64(len(f.Data)), need)
}

func (p *pass) read(path string, e tree.Entry) (tree.Content, error) {
	c, err := p.tree.Read(tree.Join(p.root, path), e, p.limits.Summary)
	if err == nil {
		p.stamps = append(p.stamps, stamped{path, c.Stamp})
	}
	return c, err
}

// Load reads the bytes that object ids represent. If digests come from an earlier check, it reads the instance
// again, because it may have changed. Documents that are the same in now, which is loaded or nil, share its bytes.
// Any error is a *fault.Failure, and every later call returns the same error.
func (i *Instance) Load(ctx context.Context, now *Instance) error {
	if i.failed == nil {
		i.failed = i.load(ctx, now)
	}
	return i.failed
}

func (i *Instance) load(ctx context.Context, now *Instance) error {
	if i.reread != nil {
		all, err := i.reread(ctx)
		if err == nil {
			*i = *all
		}
		return err
	}
	p := i.unread
	if p == nil {
		return nil
	}
	i.unread = nil
	var same func(path, id string) *snapshot.File
	if now != nil {
		same = now.same()
	}
	files, ids := i.Files[:0:0], i.ids[:0:0]
	for k, f := range i.Files {
		if err := ctx.Err(); err != nil {
			return located(p.root, err)
		}
		if id := i.ids[k]; id != "" {
			keep, err := p.load(&f, id, same)
			if err != nil {
				return located(p.root, at(f.Path, err))
			}
			if !keep {
				continue
			}
		}
		files, ids = append(files, f), append(ids, i.ids[k])
	}
	i.Files, i.ids, i.Unseen, i.Pointers = files, ids, p.unseen, p.pointers
	return nil
}

// load sets one file's content and reports whether to keep the file. In the present, a document whose bytes are not
// available is listed as unseen, so that its absence proves nothing. In a base, missing bytes are a failure,
// because nothing can be compared with unknown content. A Git LFS pointer in a base is kept as a file that is not
// text.
func (p *pass) load(f *snapshot.File, id string, same func(path, id string) *snapshot.File) (keep bool, err error) {
	if same != nil {
		if s := same(f.Path, id); s != nil && s.Spec == f.Spec {
			f.Size, f.Data, f.TooLarge = s.Size, s.Data, s.TooLarge
			return true, nil
		}
	}
	hidden, err := p.bytes(f, tree.Entry{Name: f.Path, ID: id})
	switch {
	case !hidden || err != nil:
		return true, err
	case !p.past:
		p.hide(f.Path)
		return false, nil
	case !p.pointers:
		return false, fault.Newf(fault.Source, "the base has it, but this clone does not have its bytes (object "+
			"%.12s); %s", id, tree.FetchBytes)
	}
	f.Detail, p.pointers = "a Git LFS pointer", false
	f.Kind = snapshot.Special
	return true, nil
}

// count checks what was read against the limits.
func (p *pass) count(f snapshot.File, size int64, need wire.Need) error {
	p.total += size
	if need == wire.Content && f.Size <= p.limits.Document {
		p.content += f.Size
	}
	if p.content > p.limits.Content {
		return fault.Newf(fault.Limit, "read %s: its content documents have more than %d bytes: shorten or archive "+
			"some", p.root, p.limits.Content)
	}
	if p.total > p.limits.Total {
		return fault.Newf(fault.Limit, "read %s: its documents have more than %d bytes: shorten or archive some",
			p.root, p.limits.Total)
	}
	return nil
}

func (p *pass) hide(path string) {
	p.unseen = append(p.unseen, glob.Escape(path))
	slices.Sort(p.unseen)
}

var pointerStart = []byte("version https://git-lfs.github.com/spec/v1\n")

// isPointer reports whether data is a Git LFS pointer, which has a fixed first line and is never large.
func isPointer(data []byte) bool { return len(data) < 1024 && bytes.HasPrefix(data, pointerStart) }

// unchanged reports whether everything is still as it was listed and read. If everything was unchanged before this
// verification began, the documents all existed at the same time.
func (p *pass) unchanged() bool {
	if !slices.ContainsFunc(p.stamps, func(s stamped) bool { return !s.stamp.Remembered() }) &&
		!slices.ContainsFunc(p.listed, func(d directory) bool { return !d.listing.Stamp.Remembered() }) {
		return true
	}
	for _, s := range p.stamps {
		if !p.tree.Unchanged(tree.Join(p.root, s.path), s.stamp) {
			return false
		}
	}
	for _, d := range p.listed {
		at := tree.Join(p.root, d.path)
		if !p.tree.Unchanged(at, d.listing.Stamp) {
			return false
		}
		// next to the index the tree may have more files than the index, so the number found can
		// exceed the limit
		if d.listing.Stamp.Fresh() {
			again, err := tree.Existing(p.tree, at, p.limits.Entries)
			if err != nil || !slices.EqualFunc(again.Entries, d.listing.Entries, tree.Entry.Same) {
				return false
			}
		}
	}
	return true
}
