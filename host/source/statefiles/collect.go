// Package statefiles reads one state directory (an instance). It lists the files below the root, decides from the
// manifest's documents which files to read and how much of them, and reads those. It reads and passes on nothing else.
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

// attempts is how often an instance is read if it keeps changing.
const attempts = 3

// A Collector reads instances from one tree. It is safe for concurrent use.
type Collector struct {
	Tree    tree.Tree
	Ignores tree.Ignorer // nil: nothing is ignored
	Limits  Limits
	Before  *Before // the commit that an index is based on; nil if there is none
	// Recall reports whether documents that have not changed since an earlier check can stay unread until Load. If
	// it is nil, everything is read.
	Recall func() bool
}

// A Before answers questions about the commit that an index is based on.
type Before struct {
	Has     func(path string) bool // reports whether it has a file
	Ignores func(path string) bool // reports whether its ignore files ignore a path
}

// Limits restricts how much of one instance is read. Sizes are in bytes.
type Limits struct {
	Entries  int   // names listed below the root
	Depth    int   // nested directories
	Document int64 // one content document; a larger one is still read for a summary
	Summary  int64 // one document of any kind; a larger one is not read
	Content  int64 // all content documents
	Total    int64 // all documents
}

// DefaultLimits returns the default limits, with Document and Content from l.
func DefaultLimits(l limits.Limits) Limits {
	return Limits{Entries: 100_000, Depth: 64, Document: l.Document, Summary: 64 << 20, Content: l.Content,
		Total: 128 << 20}
}

// An Instance is a state directory that was read. A file with an object id has no bytes until Load reads them.
type Instance struct {
	Root     string
	Files    []snapshot.File // sorted by path
	Unseen   []string        // globs of documents whose bytes are not available, sorted
	Pointers bool            // some of these are Git LFS pointers
	Unstable bool            // it changed during every attempt to read it
	Misnamed []Misnamed      // in the order of the walk
	Linked   []Linked        // in the order of the walk; files below them are neither in Files nor in Unseen
	Digest   string          // of everything that a plugin may learn

	ids []string // by file: the object id; "" if there is none
	// known maps files to digests from an earlier check; nil if the bytes were read
	known  []*tree.Digests
	unread *pass                                    // what Load needs; nil if all bytes were read
	failed error                                    // of an earlier Load; some bytes are missing
	reread func(context.Context) (*Instance, error) // reads everything; nil if that was done
}

// Read reads the instance at root, slash-separated and relative to the workspace. Any error is a *fault.Failure: an
// instance is read either completely or not at all.
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
				all := Collector{Tree: c.Tree, Ignores: c.Ignores, Limits: c.Limits, Before: c.Before}
				return all.Read(ctx, specs, root)
			}
		}
		return i, nil
	}
}

// instance returns what a pass found. Objects in git never change, so they are read on demand.
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

// vanished reports whether an error only means that a file changed or disappeared.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, tree.ErrChanged) || errors.Is(err, tree.ErrNotDirectory)
}

// A pathError is an error at a path relative to the root.
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
	disk       *tree.Worktree // nil if the tree is not on disk
	memory     bool           // disk's memory is used
	remembered bool           // for some files, only a digest is known
	stable     bool

	pointers bool
	miscased []Misnamed
	linked   []Linked
}

// found is a document with its entry in the tree.
type found struct {
	snapshot.File
	entry tree.Entry         // of a file; if it has an ID, its bytes have not been read
	sum   *[sha256.Size]byte // of the bytes, if they were read now or by an earlier check
	known *tree.Digests      // from an earlier check; nil if the bytes were read
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

// walk reads a directory and those below it that may contain documents.
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

// nested adds a repository at a path where documents are expected. Its directory is then not a document itself.
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

// These obstacles hide documents. Each message includes the fix.
const (
	nestedRepository = "a separate git repository, which is not entered; remove its .git"
	nestedSubmodule  = "a submodule, which is not entered; keep the documents in this repository"
)

func isRepository(t tree.Tree, dir string, l tree.Listing) bool {
	return slices.ContainsFunc(l.Entries, func(e tree.Entry) bool {
		return e.Name == tree.GitName && t.IsRepository(dir, e)
	})
}

func (p *pass) entry(dir string, from glob.State, e tree.Entry, depth int) error {
	// a repair writes such temporary files to the root in the working tree, and other files have no reason to use
	// that name
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

// finish sorts what was found. If the escaped form of a bad name equals another file's name, it adds a backslash.
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
	for i := range p.found {
		p.found[i].Ignored = ignored[i]
	}
	kept := func(f found) bool { return f.entry.ID != "" }
	if c.Before != nil && slices.Contains(ignored, true) && slices.ContainsFunc(p.found, kept) {
		c.omit(p)
	}
	return nil
}

// omit drops the ignored files that the next commit loses: those that it removes, and those that are ignored only
// because of its own changes, in a state directory that git tracks.
func (c *Collector) omit(p *pass) {
	tracked := slices.ContainsFunc(p.found, func(f found) bool {
		return f.entry.ID != "" && c.Before.Has(tree.Join(p.root, f.Path))
	})
	p.found = slices.DeleteFunc(p.found, func(f found) bool {
		name := tree.Join(p.root, f.Path)
		return f.Ignored && (c.Before.Has(name) || tracked && !c.Before.Ignores(name))
	})
}
