package host

import (
	"context"
	"fmt"
	"strings"

	"github.com/stategate/stategate/host/collect"
	"github.com/stategate/stategate/host/discover"
	"github.com/stategate/stategate/host/failure"
	"github.com/stategate/stategate/host/git"
	"github.com/stategate/stategate/host/glob"
	"github.com/stategate/stategate/host/tree"
	"github.com/stategate/stategate/sdk/wire"
)

// openSource opens the tree that is looked at.
func (l *look) openSource(ctx context.Context) error {
	source := l.options.Source
	if source == wire.Worktree {
		l.tree = l.worktree
		if l.ignores != nil {
			l.rules = l.ignores
		}
	} else if err := l.openObjects(ctx, "the "+source.String()); err != nil {
		return err
	}
	switch source {
	case wire.Index:
		if err := l.openIndex(ctx); err != nil {
			return err
		}
	case wire.Commit:
		if err := l.openCommit(ctx); err != nil {
			return err
		}
	}
	l.result.Source = source
	l.collector = &collect.Collector{Tree: l.tree, Limits: collect.DefaultLimits(l.options.Limits), Listed: l.options.Listed}
	if l.rules != nil {
		l.collector.Ignores = l.rules
	}
	return nil
}

// openObjects makes git's objects readable.
func (l *look) openObjects(ctx context.Context, what string) error {
	if l.objects != nil {
		return nil
	}
	if l.anchor.Repo == nil {
		return &UsageError{fmt.Sprintf("%s needs a git repository; %s is in none", what, l.anchor.Path)}
	}
	l.objects = l.anchor.Repo.Objects(ctx)
	return nil
}

func (l *look) openIndex(ctx context.Context) (err error) {
	if l.listing, err = l.anchor.Repo.Index(ctx); err != nil {
		return err
	}
	l.ignores.Tracked(l.listing)
	staged := tree.NewStaged(tree.NewListed(wire.Index, l.listing, l.objects, l.anchor.Path), l.worktree, l.ignores)
	l.tree, l.rules = staged, staged
	return nil
}

func (l *look) openCommit(ctx context.Context) (err error) {
	if l.result.Revision, err = l.anchor.Repo.Commit(ctx, l.options.Rev); err != nil {
		return err
	}
	if l.listing, err = l.anchor.Repo.Tree(ctx, l.result.Revision); err != nil {
		return err
	}
	l.tree = tree.NewListed(wire.Commit, l.listing, l.objects, l.anchor.Path)
	return nil
}

// onlyWhatIs refuses a PATH that is neither in the tree that is looked at nor on disk.
func (l *look) onlyWhatIs() error {
	if l.options.Source == wire.Worktree {
		return nil
	}
	for _, p := range l.anchor.Only {
		_, here := l.tree.Mode(p)
		if _, onDisk := l.worktree.Mode(p); here != nil && onDisk != nil {
			return &UsageError{fmt.Sprintf("path %q is neither in the %s nor in the work tree: name a file or directory that is", p, l.options.Source)}
		}
	}
	return nil
}

// intended takes the names out of the index that are only intended to be added (git add -N): the next commit would not
// hold them. Git lists them like empty files, so that only an instance that has such is asked about. It reports whether
// there were any.
func (l *look) intended(ctx context.Context, found *discover.Found) (bool, error) {
	if l.options.Source != wire.Index {
		return false, nil
	}
	var empty []string
	for _, i := range found.Instances {
		from, to := l.listing.Within(i.Root)
		for _, f := range l.listing.Files[from:to] {
			if git.IsEmpty(f.ID) && l.parties[i.Plugin].specs.May(below(i.Root, f.Path)) {
				empty = append(empty, f.Path)
			}
		}
	}
	names, err := l.anchor.Repo.Intended(ctx, empty)
	for _, n := range names {
		l.tree.(*tree.Staged).Hide(n)
	}
	return len(names) > 0, err
}

// below gives a path as one below a root that holds it.
func below(root, path string) string {
	if root == "." {
		return path
	}
	return strings.TrimPrefix(path, root+"/")
}

// uncommitted gives globs for the documents of an instance that git ignores, if what is looked at is a commit: that it
// does not hold them proves nothing.
func (l *look) uncommitted(p *party, root string) ([]string, error) {
	if l.options.Source != wire.Commit || l.ignores == nil {
		return nil, nil
	}
	globs, samples := []string{"**"}, []string{root}
	for _, d := range p.Manifest.Documents {
		for _, g := range glob.Alternatives(d.Glob) {
			globs, samples = append(globs, g), append(samples, join(root, glob.Sample(g)))
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
		if covered[i] {
			unseen = append(unseen, g)
		}
	}
	if len(unseen) > 0 && unseen[0] == "**" {
		unseen = unseen[:1]
	}
	return unseen, nil
}

// unlooked names the plugins whose every root git ignores: a commit holds none of their state, which is not the same as
// having no fault.
func (l *look) unlooked(found *discover.Found) {
	if l.options.Source != wire.Commit || l.ignores == nil {
		return
	}
	has := map[string]bool{}
	for _, i := range found.Instances {
		has[i.Plugin] = true
	}
	for _, p := range l.result.Plugins {
		if has[p.Name] {
			continue
		}
		var dirs, samples []string
		for _, r := range p.Manifest.Roots {
			dirs = append(dirs, r.Dir)
			for _, g := range glob.Alternatives(r.Dir) {
				samples = append(samples, strings.TrimSuffix(glob.Sample(g), "/"))
			}
		}
		covered, err := l.ignores.Covered(samples)
		if err != nil {
			l.fail(p.Name, "", failure.From(err, failure.Source))
			return
		}
		if every(covered) {
			l.result.Unlooked = append(l.result.Unlooked, Unlooked{p.Name,
				fmt.Sprintf("git ignores %s, so that no commit holds its state; look at the work tree", strings.Join(dirs, " and "))})
		}
	}
}

func every(list []bool) bool {
	for _, b := range list {
		if !b {
			return false
		}
	}
	return len(list) > 0
}
