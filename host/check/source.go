package check

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/glob"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// openSource opens what is checked and what it is compared with. Git is asked for all that it will be asked for as
// early as can be: it answers while others are at work.
func (l *Session) openSource(ctx context.Context) error {
	source := l.Options.Source
	l.result.Source = source
	if source != wire.Worktree {
		if err := l.openObjects(ctx, "the "+source.String()); err != nil {
			return err
		}
	}
	if err := l.openRevision(ctx); err != nil {
		return err
	}
	listing := async(func() (*git.Listing, error) { return l.list(ctx) })
	rules := async(func() (*git.Listing, error) { return l.ruling(ctx, listing) })
	if err := l.openBases(ctx); err != nil {
		return err
	}
	if err := l.openLast(); err != nil {
		return err
	}
	if len(l.bases) > 0 {
		l.changes = async(func() ([]git.Change, error) { return l.compare(ctx) })
		l.warm(ctx)
	}
	var err error
	if l.listing, err = listing(); err != nil {
		return err
	}
	if rules, err := rules(); err != nil {
		return err
	} else if rules != nil && l.ignores != nil {
		l.ignores = l.Anchor.Repo.IgnoresOf(ctx, rules, l.objects, l.Options.CacheDir)
	}
	l.openTree()
	l.collector = &statefiles.Collector{Tree: l.tree, Limits: statefiles.DefaultLimits(l.Options.Limits), Listed: l.reading()}
	if l.rules != nil {
		l.collector.Ignores = l.rules
	}
	return nil
}

// async starts something and gives how to wait for what it gives.
func async[T any](f func() (T, error)) func() (T, error) {
	wait := sync.OnceValues(f)
	go func() { _, _ = wait() }()
	return wait
}

func (l *Session) openRevision(ctx context.Context) (err error) {
	if l.Options.Source == wire.Commit {
		l.result.Revision, err = l.Anchor.Repo.Commit(ctx, l.Options.Rev)
	}
	return err
}

// list lists the index or commit that is checked.
func (l *Session) list(ctx context.Context) (*git.Listing, error) {
	switch l.Options.Source {
	case wire.Index:
		if l.early.listing != nil {
			return l.early.listing()
		}
		return l.Anchor.Repo.Index(ctx)
	case wire.Commit:
		return l.Anchor.Repo.Tree(ctx, l.result.Revision)
	}
	return nil, nil
}

// ruling lists the commit whose ignore rules say what of a commit is unseen: its own, or that of the policy, since
// a change that ignores what it loses would have lost nothing.
func (l *Session) ruling(ctx context.Context, listing func() (*git.Listing, error)) (*git.Listing, error) {
	switch id := l.Options.Policy.ID; {
	case l.Options.Source != wire.Commit:
		return nil, nil
	case id == "" || id == l.result.Revision:
		return listing()
	default:
		return l.Anchor.Repo.Tree(ctx, id)
	}
}

// compare returns what differs from the first base; for the work tree, of which git would look at every file to tell, all
// files of that base, as if they were gone.
func (l *Session) compare(ctx context.Context) ([]git.Change, error) {
	repo, base := l.Anchor.Repo, l.bases[0].ID
	switch l.Options.Source {
	case wire.Index:
		if l.early.heads != nil {
			if ids, err := l.early.heads(); err == nil && len(ids) > 0 && ids[0] == base {
				return l.early.changes()
			}
		}
		return repo.ChangedInIndex(ctx, base)
	case wire.Commit:
		return repo.ChangedInCommit(ctx, base, l.result.Revision)
	}
	all, err := repo.Tree(ctx, base)
	if err != nil {
		return nil, err
	}
	list := make([]git.Change, len(all.Files))
	for i, f := range all.Files {
		list[i] = git.Change{Path: f.Path, Old: f, Gone: true}
	}
	return list, nil
}

func (l *Session) openTree() {
	switch l.Options.Source {
	case wire.Worktree:
		l.tree = l.Worktree
		if l.ignores != nil {
			l.rules = l.ignores
		}
	case wire.Index:
		l.ignores.Tracked(l.listing)
		staged := tree.NewStaged(tree.NewListed(l.listing, l.objects, l.Anchor.Path), l.Worktree, l.ignores)
		l.tree, l.rules = staged, staged
	default:
		l.tree = tree.NewListed(l.listing, l.objects, l.Anchor.Path)
	}
}

// onlyChanged returns the PATHs of a look at what a change touches: what it changes of those that were asked about. It is
// not known in the work tree, which is walked as a whole.
func (l *Session) onlyChanged() (only []string, known bool, err error) {
	if !l.Options.Changed || l.Options.Source == wire.Worktree || l.changes == nil {
		return nil, false, nil
	}
	changes, err := l.changes()
	for _, c := range changes {
		for _, asked := range l.Anchor.Only {
			if asked == "." || asked == c.Path || strings.HasPrefix(c.Path, asked+"/") {
				only = append(only, c.Path)
				break
			}
		}
	}
	return only, true, err
}

// openObjects makes git's objects readable.
func (l *Session) openObjects(ctx context.Context, what string) error {
	if l.objects != nil {
		return nil
	}
	if l.Anchor.Repo == nil {
		return fault.Usagef("%s needs a git repository; %s is not in one: go to one, or leave the flag out", what, l.Anchor.Path)
	}
	l.objects = l.Anchor.Repo.Objects(ctx)
	return nil
}

// onlyWhatIs refuses a PATH that is neither in the tree that is checked nor on disk.
func (l *Session) onlyWhatIs() error {
	if l.Options.Source == wire.Worktree {
		return nil
	}
	for _, p := range l.Anchor.Only {
		_, here := l.tree.Mode(p)
		if here == nil {
			continue
		}
		if l.Worktree == nil {
			return fault.Usagef("path %q is not in the %s: name a file or directory that is", p, l.Options.Source)
		}
		if _, onDisk := l.Worktree.Mode(p); onDisk != nil {
			return fault.Usagef("path %q is neither in the %s nor in the work tree: name a file or directory that is", p, l.Options.Source)
		}
	}
	return nil
}

// intended takes the names out of the index that are only intended to be added (git add -N): the next commit would not
// hold them. Git lists them like empty files, so that only an instance that has such is asked about. It reports whether
// there were any.
func (l *Session) intended(ctx context.Context, found *discover.Found) (bool, error) {
	if l.Options.Source != wire.Index {
		return false, nil
	}
	var empty []string
	for _, i := range found.Instances {
		from, to := l.listing.Within(i.Root)
		for _, f := range l.listing.Files[from:to] {
			if git.IsEmpty(f.ID) && l.Parties[i.Plugin].specs.May(slashpath.Below(i.Root, f.Path)) {
				empty = append(empty, f.Path)
			}
		}
	}
	names, err := l.Anchor.Repo.Intended(ctx, empty)
	for _, n := range names {
		l.tree.(*tree.Staged).Hide(n)
	}
	return len(names) > 0, err
}

// uncommitted gives globs for the documents of an instance that git ignores, if what is checked is a commit: that it
// does not hold them proves nothing.
func (l *Session) uncommitted(p *Party, root string) ([]string, error) {
	if l.Options.Source != wire.Commit {
		return nil, nil
	}
	return l.ignoredGlobs(p, root)
}

// ignoredGlobs gives globs for the documents of an instance that git ignores.
func (l *Session) ignoredGlobs(p *Party, root string) ([]string, error) {
	if l.ignores == nil {
		return nil, nil
	}
	globs, samples := []string{"**"}, []string{root}
	for _, d := range p.Manifest.Documents {
		for _, g := range glob.Alternatives(d.Glob) {
			globs, samples = append(globs, g), append(samples, slashpath.Join(root, glob.Sample(g)))
		}
	}
	if root == "." {
		globs, samples = globs[1:], samples[1:]
	}
	covered, err := l.ignores.Covered(samples)
	if err != nil {
		return nil, err
	}
	var unseen []string
	for i, g := range globs {
		if covered[i].Ignores() {
			unseen = append(unseen, g)
		}
	}
	if len(unseen) > 0 && unseen[0] == "**" {
		unseen = unseen[:1]
	}
	return unseen, nil
}

// nothingAt says of each PATH that was asked about if there is no state: an open gate there says nothing.
func (l *Session) nothingAt(found *discover.Found) {
	if len(l.Options.Paths) == 0 || l.Options.Changed || len(found.Failures)+len(found.Links)+len(found.Nested)+len(found.Excluded)+len(l.result.Instances) > 0 {
		return
	}
	for _, only := range l.Anchor.Only {
		if !slices.ContainsFunc(found.Instances, func(i discover.Instance) bool { return slashpath.Holds(only, i.Root) || slashpath.Holds(i.Root, only) }) {
			l.result.Notices = append(l.result.Notices, fmt.Sprintf("no workflow state found in %s", only))
		}
	}
}
