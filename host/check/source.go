package check

import (
	"context"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/presence"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

// openSource opens what is checked and what it is compared with. Git is asked for all that it will be asked for as
// early as can be: it answers while others are at work.
func (s *Session) openSource(ctx context.Context) (err error) {
	if source := s.Options.Source; source != wire.Worktree {
		if err := s.openObjects(ctx, "the "+source.String()); err != nil {
			return err
		}
		if source == wire.Index {
			s.index = s.Workspace.answers(ctx, s.Options.Predecessors)
		} else if s.result.Revision, err = s.Workspace.Repo.Commit(ctx, s.Options.Rev); err != nil {
			return err
		} else if err := s.openMerge(ctx); err != nil {
			return err
		}
	}
	listing := async(func() (*git.Listing, error) { return s.list(ctx) })
	rules := async(func() (*git.Listing, error) { return s.listPolicy(ctx, listing) })
	if err := s.openBases(ctx); err != nil {
		return err
	}
	if s.listing, err = listing(); err != nil {
		return err
	}
	if rules, err := rules(); err != nil {
		return err
	} else if rules != nil {
		s.ignores = ignore.New(ctx, s.Workspace.Repo, s.listed(rules))
	}
	s.openTree(ctx)
	return nil
}

// openMerge makes the merge of a commit into the one that would be checked, and puts it in that one's place. No remedy
// applies to it before it is made.
func (s *Session) openMerge(ctx context.Context) error {
	if s.Options.Merge == "" {
		return nil
	}
	theirs, err := s.Workspace.Repo.Commit(ctx, s.Options.Merge)
	if err != nil {
		return err
	}
	if s.merge, err = s.Workspace.Repo.Merge(ctx, s.result.Revision, theirs); err != nil {
		return err
	}
	s.objects.Close()
	merged := *s.Workspace.Workspace
	merged.Repo = s.merge.Repo
	s.Workspace = &Workspace{Workspace: &merged, disk: s.Workspace.disk}
	s.objects, s.result.Revision, s.result.Merge = merged.Repo.Objects(ctx), s.merge.Commit, s.Options.Merge
	return nil
}

func (s *Session) list(ctx context.Context) (*git.Listing, error) {
	switch s.Options.Source {
	case wire.Index:
		return s.index.listing()
	case wire.Commit:
		if s.merge != nil {
			return s.merge.Tree(ctx)
		}
		return s.Workspace.Repo.Tree(ctx, s.result.Revision)
	}
	return nil, nil
}

// listPolicy lists the commit whose .gitignore files apply to a commit that is checked: its own, or that of the policy,
// so that a change cannot hide what it deletes.
func (s *Session) listPolicy(ctx context.Context, listing func() (*git.Listing, error)) (*git.Listing, error) {
	switch id := s.Options.Policy.ID; {
	case s.Options.Source != wire.Commit:
		return nil, nil
	case id == "" || id == s.result.Revision:
		return listing()
	default:
		return s.Workspace.Repo.Tree(ctx, id)
	}
}

func (s *Session) compare(ctx context.Context, base string) ([]git.Change, error) {
	repo := s.Workspace.Repo
	if s.Options.Source == wire.Commit {
		return repo.ChangedInCommit(ctx, base, s.result.Revision)
	}
	if s.index.heads != nil {
		if ids, err := s.index.heads(); err == nil && len(ids) > 0 && ids[0] == base {
			return s.index.changes()
		}
	}
	return repo.ChangedInIndex(ctx, base)
}

func (s *Session) listed(l *git.Listing) *tree.Listed {
	return tree.NewListed(s.result.Revision, l, s.objects, s.Workspace.Path)
}

func (s *Session) openTree(ctx context.Context) {
	switch listed := s.listed(s.listing); s.Options.Source {
	case wire.Worktree:
		s.tree = s.Worktree
		if s.ignores != nil {
			s.rules = s.ignores
		}
	case wire.Index:
		s.ignores.Tracked(s.listing)
		staged := tree.NewStaged(listed, s.Worktree, s.ignores)
		s.tree, s.rules = staged, staged
	default:
		s.tree = listed
	}
	s.presence = presence.Of(ctx, s.Workspace.Repo, s.tree)
	s.collector = &statefiles.Collector{Tree: s.tree, Limits: statefiles.DefaultLimits(s.Options.Limits),
		Ignores: s.rules,
		Recall:  s.recalls}
}

// mostRead is how many state directories are read when it turns out that their verdicts are not known; later ones are
// at once.
const mostRead = 16

// recalls reports whether digests do for now. What is compared is compared byte for byte.
func (s *Session) recalls() bool {
	return s.Options.Source == wire.Worktree && len(s.bases) == 0 && s.misses.Load() < mostRead
}

// onlyChanged returns what a change touches below the PATHs of the call. It is
// not known in the work tree, which is walked as a whole.
func (s *Session) onlyChanged() (only []string, known bool, err error) {
	if !s.Options.Changed || s.changes == nil {
		return nil, false, nil
	}
	changes, err := s.changes()
	if s.mergedIn != nil && err == nil {
		var more []git.Change
		more, err = s.mergedIn()
		changes = slices.Concat(changes, more)
	}
	for _, c := range changes {
		if s.inScope(c.Path) {
			only = append(only, c.Path)
		}
	}
	return only, true, err
}

// inScope reports whether a path is below a PATH of the call.
func (s *Session) inScope(name string) bool {
	return slices.ContainsFunc(s.Workspace.Only, func(only string) bool { return slashpath.Holds(only, name) })
}

func related(a, b string) bool { return slashpath.Holds(a, b) || slashpath.Holds(b, a) }

func (s *Session) openObjects(ctx context.Context, what string) error {
	if err := s.Workspace.needsRepository(what); err != nil || s.objects != nil {
		return err
	}
	s.objects = s.Workspace.Repo.Objects(ctx)
	return nil
}

// refuseMissingPaths refuses a PATH that is neither in the tree that is checked nor on disk.
func (s *Session) refuseMissingPaths() error {
	if s.Options.Source == wire.Worktree {
		return nil
	}
	for _, p := range s.Workspace.Only {
		if _, err := s.tree.Stat(p); err == nil {
			continue
		}
		if s.Worktree == nil {
			return fault.Usagef("path %q is not in the %s: name a file or directory that is", p, s.Options.Source)
		}
		if _, err := s.Worktree.Stat(p); err != nil {
			return fault.Usagef("path %q is neither in the %s nor in the work tree: name a file or directory that is",
				p, s.Options.Source)
		}
	}
	return nil
}

// ignoredGlobs returns globs for the documents of a state directory that git ignores.
func (s *Session) ignoredGlobs(p *ActivePlugin, root string) ([]string, error) {
	if s.ignores == nil {
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
	covered, err := s.ignores.Covered(samples)
	if err != nil {
		return nil, err
	}
	var ignored []string
	for i, g := range globs {
		if covered[i].Ignores() {
			ignored = append(ignored, g)
		}
	}
	if len(ignored) > 0 && ignored[0] == "**" {
		ignored = ignored[:1]
	}
	return ignored, nil
}
