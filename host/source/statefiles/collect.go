// Package statefiles reads one state directory (an instance): it lists what is below the root, decides by the
// manifest's documents what is read and how much of it, and reads that. Nothing else is read or passed on.
package statefiles

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// attempts is how often an instance that changes while it is read is read.
const attempts = 3

// A Collector reads instances of one tree. It is safe for concurrent use.
type Collector struct {
	Tree    tree.Tree
	Ignores tree.Ignorer // nil: nothing is ignored
	Limits  Limits
	// Removed reports whether the next commit removes a file, which is of no account in a state directory that it keeps
	// although git ignores the file by now and it is still on disk; nil: none is removed.
	Removed func(path string) bool
	// if an earlier pass has seen it and it is unchanged, only Load reads it; nil: it reads everything
	Recall func() bool
}

// Limits bounds what is read of one instance. Sizes are in bytes.
type Limits struct {
	Entries  int   // names listed below the root
	Depth    int   // directories inside each other
	Document int64 // one content document; a larger one is read all the same, for a summary
	Summary  int64 // one document of any kind; a larger one is not read
	Content  int64 // all content documents
	Total    int64 // all documents
}

// DefaultLimits returns the limits that hold when none are asked for. Document and Content are those of l.
func DefaultLimits(l limits.Limits) Limits {
	return Limits{Entries: 100_000, Depth: 64, Document: l.Document, Summary: 64 << 20, Content: l.Content,
		Total: 128 << 20}
}

// An Instance is a state directory as read. A file with an object id is known by it; Load reads its bytes.
type Instance struct {
	Root     string
	Files    []snapshot.File // sorted by path
	Unseen   []string        // globs of documents whose bytes are not available, sorted
	Pointers bool            // Git LFS pointers are in place of what is not available
	Unstable bool            // it changed while it was read, each time
	Misnamed []Misnamed      // in the order of the walk
	Linked   []Linked        // in the order of the walk; what is below them is neither in Files nor in Unseen
	Digest   string          // of everything that a plugin may come to know

	ids    []string                                 // by file: the object id, "" if there is none
	known  []*tree.Digests                          // by file: those of an earlier look; nil if the bytes are read
	unread *pass                                    // what Load needs; nil if every byte is there
	reread func(context.Context) (*Instance, error) // reads all; nil if that was done
}

// Read reads the instance at root, slash-separated below the workspace. Any error is a *fault.Failure: an instance is
// read as a whole or not at all.
func (c *Collector) Read(ctx context.Context, specs *snapshot.Specs, root string) (*Instance, error) {
	for attempt := 1; ; attempt++ {
		p, err := c.pass(ctx, specs, root)
		if err != nil && (!vanished(err) || attempt == attempts) {
			return nil, located(root, err)
		}
		if err != nil || !p.stable && attempt < attempts {
			continue
		}
		if err := c.markIgnored(p); err != nil {
			return nil, located(root, err)
		}
		i := p.instance()
		if p.remembered {
			i.reread = func(ctx context.Context) (*Instance, error) {
				all := Collector{Tree: c.Tree, Ignores: c.Ignores, Limits: c.Limits, Removed: c.Removed}
				return all.Read(ctx, specs, root)
			}
		}
		return i, nil
	}
}

// instance returns what a pass found. The objects that it names never change: they are read when they are needed.
func (p *pass) instance() *Instance {
	i := &Instance{Root: p.root, Unseen: p.unseen, Pointers: p.pointers, Unstable: !p.stable, Misnamed: p.miscased,
		Linked: p.linked, Digest: digest(p.found)}
	for _, f := range p.found {
		i.Files, i.ids = append(i.Files, f.File), append(i.ids, f.entry.ID)
		i.known = append(i.known, f.known)
		if f.entry.ID != "" {
			i.unread = p
		}
		if f.Data != nil && p.disk != nil && p.stable {
			p.disk.Learn(tree.Join(p.root, f.Path), f.entry, f.stamp, f.Data, *f.sum)
		}
	}
	return i
}

// vanished reports whether an error means only that something changed.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, tree.ErrChanged) || errors.Is(err, tree.ErrNotDirectory)
}

// A pathError is an error at a path below the root.
type pathError struct {
	path string
	err  error
}

func (e *pathError) Error() string { return e.path + ": " + e.err.Error() }

func (e *pathError) Unwrap() error { return e.err }

func at(path string, err error) error { return &pathError{path, err} }

func located(root string, err error) *fault.Failure {
	var p *pathError
	if errors.As(err, &p) {
		return tree.Failure(tree.Join(root, p.path), p.err)
	}
	return tree.Failure(root, err)
}

// A pass is one attempt at reading an instance.
type pass struct {
	ctx        context.Context
	tree       tree.Tree
	specs      *snapshot.Specs
	limits     Limits
	root       string
	found      []found
	unseen     []string
	stamps     []stamped
	listed     []directory
	entries    int
	content    int64
	total      int64
	past       bool           // it reads a base
	disk       *tree.Worktree // nil if it is not one
	memory     bool           // of disk, is used
	remembered bool           // of some files the digest is, and no byte
	stable     bool

	pointers bool
	miscased []Misnamed
	linked   []Linked
}

// found is a document and what it is in the tree.
type found struct {
	snapshot.File
	entry tree.Entry         // of a file; with an ID: its bytes are not read yet
	sum   *[sha256.Size]byte // of the bytes, if they are read or were in an earlier look
	known *tree.Digests      // of an earlier look; nil if the bytes are read
	stamp tree.Stamp
}

type stamped struct {
	path  string
	stamp tree.Stamp
}

type directory struct {
	path    string
	listing tree.Listing
}

func (c *Collector) pass(ctx context.Context, specs *snapshot.Specs, root string) (*pass, error) {
	p := &pass{ctx: ctx, tree: c.Tree, specs: specs, limits: c.Limits, root: root,
		memory: c.Recall != nil && c.Recall()}
	p.disk, _ = c.Tree.(*tree.Worktree)
	if err := p.walk(".", specs.Start(), 0); err != nil {
		return nil, err
	}
	p.stable = p.unchanged()
	p.finish()
	return p, nil
}

// walk reads a directory and those below it in which documents can lie.
func (p *pass) walk(dir string, st glob.State, depth int) error {
	if depth > p.limits.Depth {
		return at(dir, fault.Newf(fault.Limit, "read %s: more than %d directories inside each other",
			tree.Join(p.root, dir), p.limits.Depth))
	}
	if err := p.ctx.Err(); err != nil {
		return err
	}
	listing, err := tree.Existing(p.tree, tree.Join(p.root, dir), p.limits.Entries-p.entries)
	if errors.Is(err, tree.ErrTooMany) {
		return fault.Newf(fault.Limit, "read %s: more than %d entries below the root: remove some", p.root,
			p.limits.Entries)
	}
	if err != nil {
		return at(dir, err)
	}
	p.entries += len(listing.Entries)
	p.listed = append(p.listed, directory{dir, listing})
	if dir != "." && isRepository(p.tree, tree.Join(p.root, dir), listing) {
		p.nested(dir, st, listing)
		return nil
	}
	for _, e := range listing.Entries {
		p.misnamed(dir, st, e, listing)
		if err := p.entry(dir, st, e, depth); err != nil {
			return err
		}
	}
	return nil
}

// nested adds a repository in whose place documents are looked for. Its directory is then no document itself.
func (p *pass) nested(dir string, st glob.State, l tree.Listing) {
	detail := nestedRepository
	if slices.ContainsFunc(l.Entries, tree.Entry.IsSubmodule) {
		detail = nestedSubmodule
	}
	for spec := range p.specs.EachNamed(st) {
		if n := len(p.found) - 1; n >= 0 && p.found[n].Path == dir {
			p.found = p.found[:n]
		}
		p.add(snapshot.File{Path: dir, Kind: snapshot.Special, Detail: detail, Spec: spec})
		return
	}
}

// Obstacles that hide documents, with the fix.
const (
	nestedRepository = "a git repository of its own, which is not entered; remove its .git"
	nestedSubmodule  = "a submodule, which is not entered; keep the documents in this repository"
)

func isRepository(t tree.Tree, dir string, l tree.Listing) bool {
	return slices.ContainsFunc(l.Entries, func(e tree.Entry) bool {
		return e.Name == tree.GitName && t.IsRepository(dir, e)
	})
}

func (p *pass) entry(dir string, from glob.State, e tree.Entry, depth int) error {
	// a repair writes such files into the root in the working tree, and nothing else has that name for a reason
	temporary := tree.OnDisk(p.tree) != nil && dir == "." && e.Kind == snapshot.Regular && tree.Temporary(e.Name)
	if e.Name == tree.GitName || temporary {
		return nil
	}
	path := tree.Join(dir, e.Name)
	if !tree.Valid(e.Name) {
		escaped := tree.Escaped(e.Name)
		if spec, ok := p.specs.AdmitBadName(from, escaped); ok {
			p.add(snapshot.File{Path: tree.Join(dir, escaped), Kind: snapshot.BadName, Spec: spec})
		}
		return nil
	}
	st := p.specs.Step(from, e.Name)
	if spec, ok := p.specs.Admit(from, st, e.Name, e.Kind); ok && !follows(p, path, from, e, spec) {
		if err := p.document(path, e, spec); err != nil {
			return at(path, err)
		}
	}
	if e.Kind == snapshot.Directory && p.specs.Below(st) {
		return p.walk(path, st, depth+1)
	}
	return nil
}

// finish sorts what was found. A bad name whose escaped form is the name of another file gets one more backslash.
func (p *pass) finish() {
	taken := make(map[string]bool, len(p.found))
	for _, f := range p.found {
		if f.Kind != snapshot.BadName {
			taken[f.Path] = true
		}
	}
	for i := range p.found {
		f := &p.found[i]
		for f.Kind == snapshot.BadName && taken[f.Path] {
			f.Path += `\`
		}
		taken[f.Path] = true
	}
	slices.SortFunc(p.found, func(a, b found) int { return strings.Compare(a.Path, b.Path) })
}

func (c *Collector) markIgnored(p *pass) error {
	if c.Ignores == nil || len(p.found) == 0 {
		return nil
	}
	paths := make([]string, len(p.found))
	for i, f := range p.found {
		paths[i] = tree.Join(p.root, f.Path)
	}
	ignored, err := c.Ignores.Ask(paths)
	if err != nil {
		return fmt.Errorf("ask what git ignores: %w", err)
	}
	kept := false
	for i := range p.found {
		p.found[i].Ignored = ignored[i]
		kept = kept || p.found[i].entry.ID != ""
	}
	if kept && c.Removed != nil {
		p.found = slices.DeleteFunc(p.found, func(f found) bool {
			return f.Ignored && c.Removed(tree.Join(p.root, f.Path))
		})
	}
	return nil
}
