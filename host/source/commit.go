package source

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Commit is the tree of a commit. It holds nothing that git ignores, so what it lacks proves nothing where an ignore
// rule covers it.
type Commit struct {
	opened
	policy string // object id of another commit whose ignore rules apply; "" for none
}

func (w *Workspace) openCommit(ctx context.Context, o Options) (*Commit, error) {
	if err := w.needsRepository("the commit"); err != nil {
		return nil, err
	}
	id, err := w.Repo.Commit(ctx, o.Rev)
	if err != nil {
		return nil, err
	}
	all := w.opened(ctx, wire.Commit, o.Limits)
	return all.commit(id, func() (*git.Listing, error) { return w.Repo.Tree(ctx, id) }).withRules(o.Policy), nil
}

// commit returns a commit of which the files are listed when they are needed, without ignore rules.
func (o opened) commit(id string, list func() (*git.Listing, error)) *Commit {
	c := &Commit{opened: o}
	c.kind, c.id = wire.Commit, id
	c.view = sync.OnceValues(func() (*view, error) {
		l, err := list()
		if err != nil {
			return nil, err
		}
		v := c.newView(c.listed(id, l), nil, nil)
		v.listing = l
		return v, nil
	})
	return c
}

// withRules adds the ignore rules that apply to the commit: its own, or those of the policy, so that a change cannot
// hide what it deletes.
func (c *Commit) withRules(policy string) *Commit {
	files, rules := async(c.view), func() (*git.Listing, error) { return nil, nil }
	if policy != "" && policy != c.id {
		c.policy = policy
		rules = async(func() (*git.Listing, error) { return c.repo.Tree(c.ctx, policy) })
	}
	c.view = sync.OnceValues(func() (*view, error) {
		v, err := files()
		if err != nil {
			return nil, err
		}
		l, err := rules()
		if err != nil {
			return nil, err
		}
		if l == nil {
			l = v.listing
		}
		v.rules = ignore.New(c.ctx, c.repo, c.listed(c.id, l))
		return v, nil
	})
	return c
}

// Past reads what the commit has at a root, as an earlier state of the state directory now, which is nil for none.
func (c *Commit) Past(ctx context.Context, specs *snapshot.Specs, now *statefiles.Instance,
	root string) (*statefiles.Past, error) {
	v, err := c.view()
	if err != nil {
		return nil, err
	}
	if now == nil {
		now = &statefiles.Instance{}
	}
	return statefiles.Base(ctx, c.listed(c.id, v.listing), specs, now, root, c.limits)
}

// Rules returns the ignore rules that apply to the commit, and its own if those are of the policy: a change may also
// ignore what its policy does not.
func (c *Commit) Rules() ([]*ignore.Rules, error) {
	v, err := c.view()
	if err != nil {
		return nil, err
	}
	list := []*ignore.Rules{v.rules}
	if c.policy != "" {
		list = append(list, ignore.New(c.ctx, c.repo, v.tree))
	}
	return list, nil
}

func (c *Commit) Bases(ctx context.Context, revisions []string, predecessors bool) ([]*Base, error) {
	return c.bases(ctx, revisions, predecessors, history{
		predecessors: func() ([]string, error) { return c.objects.Parents(c.id) },
		changes:      func(base string) ([]git.Change, error) { return c.repo.ChangedInCommit(ctx, base, c.id) },
	})
}

// MergeBases returns the best commits that this one and another come from, none if their histories have nothing in
// common. In a shallow clone that is a failure, because it is not known.
func (c *Commit) MergeBases(ctx context.Context, other *Commit) (list []*Commit, err error) {
	ids, err := c.repo.MergeBases(ctx, c.id, other.id)
	for _, id := range ids {
		list = append(list, c.earlier(ctx, id))
	}
	return list, err
}

// Switch returns what git switch takes to check out the commit that a revision names: the branch of that name, or the
// commit itself; nothing if it is HEAD.
func (c *Commit) Switch(ctx context.Context, revision string) []string {
	return c.repo.Switch(ctx, revision, c.id)
}

// A Merge is the merge of one commit into another, as git would make it, in a place of its own. What git cannot merge
// is in its tree and cannot be read.
type Merge struct {
	*Commit
	merge *git.Merge
}

func (w *Workspace) openMerge(ctx context.Context, o Options) (*Merge, error) {
	if err := w.needsRepository("the commit"); err != nil {
		return nil, err
	}
	ours, err := w.Repo.Commit(ctx, o.Rev)
	if err != nil {
		return nil, err
	}
	theirs, err := w.Repo.Commit(ctx, o.Merge)
	if err != nil {
		return nil, err
	}
	m, err := w.Repo.Merge(ctx, ours, theirs)
	if err != nil {
		return nil, err
	}
	merged := *w.Workspace
	merged.Repo = m.Repo
	all := (&Workspace{Workspace: &merged, disk: w.disk}).opened(ctx, wire.Commit, o.Limits)
	list := func() (*git.Listing, error) { return m.Tree(ctx) }
	return &Merge{all.commit(m.Commit, list).withRules(o.Policy), m}, nil
}

// Close removes the merge as well.
func (m *Merge) Close() {
	m.Commit.Close()
	m.merge.Close()
}

// A Base is an earlier commit that a source is compared with.
type Base struct {
	*Commit
	changes func() ([]git.Change, error) // of the source since; nil if they are not known
	paths   func() ([]string, error)
}

func newBase(c *Commit, changes func() ([]git.Change, error)) *Base {
	return &Base{c, changes, sync.OnceValues(func() (paths []string, err error) {
		list, err := changes()
		for _, c := range list {
			paths = append(paths, c.Path)
		}
		return paths, err
	})}
}

// ChangesKnown reports whether it is known what the source has changed since.
func (b *Base) ChangesKnown() bool { return b.changes != nil }

// Changed returns the paths that differ in the source, sorted; none if ChangesKnown is false. They are not to be
// changed.
func (b *Base) Changed() ([]string, error) {
	if b.changes == nil {
		return nil, nil
	}
	return b.paths()
}

// Gone finds the state directories among the files that the source no longer has, or in all of the base if that is not
// known.
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

// A history is what one source adds to how its bases are found.
type history struct {
	predecessors func() ([]string, error)
	changes      func(base string) ([]git.Change, error) // since a commit; nil if that is not known
}

func (o *opened) bases(ctx context.Context, revisions []string, predecessors bool,
	h history) (list []*Base, err error) {
	if len(revisions) == 0 && !predecessors {
		return nil, nil
	}
	if err := o.workspace.needsRepository("a base revision"); err != nil {
		return nil, err
	}
	var ids []string
	for _, rev := range revisions {
		some, err := o.resolve(ctx, rev)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	if predecessors {
		before, err := h.predecessors()
		if err != nil {
			return nil, err
		}
		ids = append(ids, before...)
	}
	for i, id := range ids {
		if !slices.Contains(ids[:i], id) {
			list = append(list, o.base(ctx, id, h, len(list) == 0))
		}
	}
	return list, nil
}

// base opens one base. What the first one holds follows from the source and what has changed since, if that is known.
func (o *opened) base(ctx context.Context, id string, h history, first bool) *Base {
	if h.changes == nil {
		return newBase(o.earlier(ctx, id), nil)
	}
	changes := func() ([]git.Change, error) { return h.changes(id) }
	if !first {
		return newBase(o.earlier(ctx, id), sync.OnceValues(changes))
	}
	changes = async(changes)
	commit := o.commit(id, func() (*git.Listing, error) {
		since, err := changes()
		if err != nil {
			return nil, err
		}
		now, err := o.view()
		if err != nil {
			return nil, err
		}
		return now.listing.Before(since)
	})
	return newBase(commit, changes)
}

// earlier opens a commit that something is compared with.
func (o *opened) earlier(ctx context.Context, id string) *Commit {
	return o.commit(id, async(func() (*git.Listing, error) { return o.repo.Tree(ctx, id) }))
}

// resolve returns the commits that a base revision stands for.
func (o *opened) resolve(ctx context.Context, rev string) ([]string, error) {
	if child, ok := strings.CutSuffix(rev, "^@"); ok {
		id, err := o.repo.Commit(ctx, child)
		if err != nil {
			return nil, err
		}
		return o.objects.Parents(id)
	}
	name, parted := strings.CutSuffix(rev, "...")
	id, err := o.repo.Commit(ctx, name)
	if err != nil || !parted {
		return []string{id}, err
	}
	checked := o.id
	if checked == "" {
		if checked, err = o.repo.Commit(ctx, "HEAD"); err != nil {
			return nil, err
		}
	}
	id, err = o.repo.MergeBase(ctx, id, checked)
	return []string{id}, err
}
