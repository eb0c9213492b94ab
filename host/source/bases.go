package source

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
)

// An Origin describes how a base was found.
type Origin struct {
	Rev  string // the revision that led to it, as named by the caller or git
	ID   string // the commit's object id
	Role Role
}

// A Role is the relation of a base to what is checked.
type Role string

// A Compare selects the bases of a source.
type Compare struct {
	// Bases lists revisions with the syntax of --base. A branch stands for its merge bases with the checked source.
	// REV... does the same for any revision, and REV^@ stands for the parents of REV. Any other revision stands for
	// its commit.
	Bases []string
	Exact []string // revisions that stand for their own commit, even if they are branches
	// Predecessors adds the commits that the source is based on: HEAD and the commits being merged into it, or a
	// commit's parents. There are none before the first commit or outside a repository.
	Predecessors bool
	Heads        []string // ids of the commits that Predecessors adds to a working tree; nil for HEAD and MERGE_HEAD
}

const (
	Head      Role = "head"       // HEAD, for the working tree and the index
	MergeHead Role = "merge-head" // a commit that is being merged into HEAD, for the working tree and the index
	Parent    Role = "parent"     // a parent of a commit, or a side of a trial merge
	MergeBase Role = "merge-base" // the merge base of Rev and what is checked
	Given     Role = "given"      // the commit that Rev names
)

// origins returns the origins of commits that share a role. rev returns the revision of the nth
// commit.
func origins(role Role, ids []string, rev func(n int) string) (list []Origin) {
	for n, id := range ids {
		list = append(list, Origin{rev(n), id, role})
	}
	return list
}

// parentOf returns a function that names rev's nth parent.
func parentOf(rev string) func(n int) string {
	return func(n int) string { return rev + "^" + strconv.Itoa(n+1) }
}

// heads returns the origins of the commits that the next commit is based on, starting with HEAD.
func heads(ids []string, err error) ([]Origin, error) {
	list := origins(MergeHead, ids, func(int) string { return "MERGE_HEAD" })
	if len(list) > 0 {
		list[0].Rev, list[0].Role = "HEAD", Head
	}
	return list, err
}

// A Base is an earlier commit that a source is compared with.
type Base struct {
	*Commit
	From    Origin
	changes func() ([]git.Change, error) // the source's changes since the base; nil if they are unknown
	paths   func() ([]string, error)
}

// ChangesKnown reports whether the source's changes since the base are known.
func (b *Base) ChangesKnown() bool { return b.changes != nil }

// Changed returns the paths that differ in the source, sorted, or none if ChangesKnown is false. The caller must not
// modify the result.
func (b *Base) Changed() ([]string, error) {
	if b.changes == nil {
		return nil, nil
	}
	return b.paths()
}

// Gone finds the state directories among the files that the source no longer has. If the changes are unknown, it
// searches the whole base.
func (b *Base) Gone(ctx context.Context, q discover.Query) (*discover.Found, error) {
	if b.changes == nil {
		return b.Find(ctx, q)
	}
	changes, err := b.changes()
	if err != nil {
		return nil, err
	}
	q.Tree = b.listed("", git.Lost(changes))
	return discover.Find(ctx, q)
}

// A history provides what a source needs to find its bases.
type history struct {
	predecessors func() ([]Origin, error)
	changes      func(base string) ([]git.Change, error) // since a commit; nil if they are unknown
}

func (o *opened) bases(ctx context.Context, c Compare, h history) (list []*Base, err error) {
	var all []Origin
	if len(c.Bases)+len(c.Exact) > 0 {
		if err := o.workspace.needsRepository("--base"); err != nil {
			return nil, err
		}
	}
	names := &resolver{o.repo, o.objects, o.id}
	for _, rev := range c.Bases {
		some, err := names.resolve(ctx, rev)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	for _, rev := range c.Exact {
		id, err := o.repo.Commit(ctx, rev)
		if err != nil {
			return nil, err
		}
		all = append(all, Origin{rev, id, Given})
	}
	if c.Predecessors && o.repo != nil {
		before, err := h.predecessors()
		if err != nil {
			return nil, err
		}
		all = append(all, before...)
	}
	for _, from := range all {
		if !slices.ContainsFunc(list, func(b *Base) bool { return b.From.ID == from.ID }) {
			list = append(list, h.base(ctx, o, from))
		}
	}
	return list, nil
}

// base opens one base. If the changes are known, its files are rarely needed, so git lists them on demand.
func (h history) base(ctx context.Context, o *opened, from Origin) *Base {
	if h.changes == nil {
		return &Base{Commit: o.earlier(ctx, from.ID), From: from}
	}
	changes := async(func() ([]git.Change, error) { return h.changes(from.ID) })
	return &Base{o.commitAt(ctx, from.ID), from, changes, sync.OnceValues(func() (paths []string, err error) {
		list, err := changes()
		for _, c := range list {
			paths = append(paths, c.Path)
		}
		return paths, err
	})}
}

func (o *opened) earlier(ctx context.Context, id string) *Commit {
	return o.commit(id, async(func() (*git.Listing, error) { return o.repo.TreeLike(ctx, id, o.index()) }))
}

type resolver struct {
	repo    *git.Repo
	objects *git.Objects
	checked string // object id of the checked commit; "" for the working tree and the index
}

// resolve returns the commits that a base revision stands for.
func (o *resolver) resolve(ctx context.Context, rev string) ([]Origin, error) {
	if child, ok := strings.CutSuffix(rev, "^@"); ok {
		id, err := o.repo.Commit(ctx, child)
		if err != nil {
			return nil, err
		}
		ids, err := o.objects.Parents(id)
		return origins(Parent, ids, parentOf(child)), err
	}
	name, parted := strings.CutSuffix(rev, "...")
	if err := o.repo.Unambiguous(ctx, name); err != nil {
		return nil, err
	}
	id, err := o.repo.Commit(ctx, name)
	if err != nil {
		return nil, err
	}
	if !parted {
		if parted, err = o.repo.IsBranch(ctx, name); err != nil || !parted {
			return []Origin{{name, id, Given}}, err
		}
	}
	return o.mergeBases(ctx, name, id)
}

// mergeBases returns the merge bases of a revision and the checked source. During a merge, the source descends from
// both sides.
func (o *resolver) mergeBases(ctx context.Context, name, id string) ([]Origin, error) {
	checked := []string{o.checked}
	if o.checked == "" {
		var err error
		if checked, err = o.repo.Heads(ctx); err != nil {
			return nil, err
		}
	}
	var ids []string
	if len(checked) > 0 {
		var err error
		if ids, err = o.repo.MergeBases(ctx, id, checked...); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil,
			fault.Usagef("%s and the checked state have no common history; to compare with exactly that commit, "+
				"use --base-exact %s", name, name)
	}
	return origins(MergeBase, ids, func(int) string { return name }), nil
}
