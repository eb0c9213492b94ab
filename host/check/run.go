package check

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Run is one state directory with each of its earlier states.
type Run struct {
	Plugin *ActivePlugin
	Now    *statefiles.Instance
	pairs  []*pair // at least one; without a base, the earlier state is wire.BaseNone
}

// Past returns the first base's version of the run.
func (r *Run) Past() *statefiles.Past { return r.pairs[0].Past }

// Pasts returns every base's version of the run.
func (r *Run) Pasts() (all []*statefiles.Past) {
	for _, p := range r.pairs {
		all = append(all, p.Past)
	}
	return all
}

// A pair is a run's present state and one earlier state, which is what a plugin examines.
type pair struct {
	*ActivePlugin
	Now  *statefiles.Instance
	Past *statefiles.Past

	source wire.Source
	// globs of documents that git ignores or that are behind links, in addition to those from the state directory
	ignored []string
	// the run is examined on its own, so its state is needed even if the check does not show it
	details bool
	// report whether paths around the state directory exist, now and in the base; nil if that is unknown
	present, wasPresent func(paths []string) []wire.Answer
	// reports whether a file has the same content now and in the base; nil if files are not compared
	same func(path string) bool
}

// A reader reads the source's runs together with the bases' versions.
type reader struct {
	source  source.Source
	bases   *bases
	plugins Plugins
}

// read reads a run. Documents that git has are represented by their object ids until they are loaded.
func (r *reader) read(ctx context.Context, i discover.Instance) (*Run, error) {
	now, err := r.source.Read(ctx, r.plugins[i.Plugin].specs, i.Root)
	if err != nil {
		return nil, err
	}
	return r.compared(ctx, i, now)
}

// compared returns a run with the bases' versions.
func (r *reader) compared(ctx context.Context, i discover.Instance, now *statefiles.Instance) (*Run, error) {
	run := &Run{Plugin: r.plugins[i.Plugin], Now: now}
	past, err := r.bases.of(ctx, run.Plugin, run.Now)
	for _, was := range past {
		var ignored []string
		if r.source.Kind() == wire.Commit {
			if ignored, err = mayExist(r.source, run.Plugin, run.Now, was); err != nil {
				return nil, err
			}
		}
		for _, l := range run.Now.Linked {
			ignored = append(ignored, l.Globs()...)
		}
		p := &pair{ActivePlugin: run.Plugin, Now: run.Now, Past: was.Past, source: r.source.Kind(),
			ignored: unlessDeleted(ignored, run.Now, was.Past), present: present(r.source, was.commit)}
		if was.commit != nil {
			p.wasPresent = present(was.commit, nil)
			p.same = func(path string) bool { return r.source.Same(was.commit, path) }
		}
		run.pairs = append(run.pairs, p)
	}
	return run, err
}

// present returns the function that answers which paths a source has, for a comparison with base, which may be nil.
func present(src source.Source, base *source.Commit) func([]string) []wire.Answer {
	return func(paths []string) []wire.Answer { return src.Present(paths, base) }
}

// unlessDeleted drops the globs that match a deleted document. If the base has a document that the commit lacks,
// git tracked it, whatever git ignores now. The other globs stay, because git may never have tracked their
// documents.
func unlessDeleted(ignored []string, now *statefiles.Instance, past *statefiles.Past) []string {
	return slices.DeleteFunc(slices.Clone(ignored), func(g string) bool {
		return slices.ContainsFunc(past.Files, func(f snapshot.File) bool {
			return f.Kind == snapshot.Regular && glob.Match(g, f.Path) &&
				!slices.ContainsFunc(now.Files, func(n snapshot.File) bool { return n.Path == f.Path })
		})
	})
}

// Read reads a plugin's state directory and the first of its earlier states, including all bytes. If the directory is
// missing, it reads as empty: a remedy can restore it.
func (c *Checker) Read(ctx context.Context, i discover.Instance) (run *Run, err error) {
	files, err := c.source.Tree()
	if err != nil {
		return nil, err
	}
	if _, missing := files.Stat(i.Root); errors.Is(missing, fs.ErrNotExist) {
		run, err = c.compared(ctx, i, &statefiles.Instance{Root: i.Root})
	} else {
		run, err = c.read(ctx, i)
	}
	if err != nil {
		return nil, err
	}
	return run, run.pairs[0].load(ctx)
}

func (p *pair) load(ctx context.Context) error {
	if err := p.Now.Load(ctx, nil); err != nil {
		return err
	}
	return p.Past.Load(ctx, p.Now)
}

// touched reports whether the change touches a run: either no base has the same documents, or a merge has one
// parent's documents although the other parent changed them. Ignored files are not in any commit, so in the working
// tree it is unknown whether they changed.
func (r *reader) touched(ctx context.Context, run *Run) bool {
	if run.Now.Ignored() || r.source.Kind() == wire.Worktree && run.Now.SomeIgnored() {
		return r.source.Kind() == wire.Worktree
	}
	same := slices.IndexFunc(run.pairs, func(p *pair) bool {
		return p.Past.State == wire.BaseAt && p.Past.Unchanged(run.Now) && p.Past.Root == run.Now.Root
	})
	return same < 0 || r.bases.overruled(ctx, run, same)
}

// mayExist returns globs of documents that git ignores, because their absence from a commit shows nothing. But if git
// ignores the whole state directory, or all documents of a kind, and the commit still has some, the others are
// missing. If a base has the run, only ignore rules that the base also has count. Otherwise, a change could delete a
// document and hide that by ignoring it.
func mayExist(src source.Source, p *ActivePlugin, now *statefiles.Instance, was earlier) ([]string, error) {
	tracked := func(spec int) bool {
		return slices.ContainsFunc(now.Files, func(f snapshot.File) bool {
			return f.Kind == snapshot.Regular && f.Spec == spec
		})
	}
	if is, err := src.Ignored([]string{now.Root}); err != nil || now.Root != "." && is[0] && len(now.Files) > 0 {
		return nil, err
	}
	ignored, err := ignoredGlobs(src, p, now.Root, tracked)
	if err != nil || len(ignored) == 0 || was.commit == nil || was.State != wire.BaseAt {
		return ignored, err
	}
	then, err := ignoredGlobs(was.commit, p, was.Root, tracked)
	return slices.DeleteFunc(ignored, func(g string) bool { return !slices.Contains(then, g) }), err
}

// ignoredGlobs returns globs that match a state directory's ignored documents, without the kinds that are tracked.
func ignoredGlobs(src source.Source, p *ActivePlugin, root string, tracked func(spec int) bool) ([]string, error) {
	var globs, samples []string
	for i, d := range p.Manifest.Documents {
		if tracked(i) {
			continue
		}
		for _, g := range glob.Alternatives(d.Glob) {
			globs, samples = append(globs, g), append(samples, slashpath.Join(root, glob.Sample(g)))
		}
	}
	is, err := src.Ignored(samples)
	if err != nil {
		return nil, err
	}
	var ignored []string
	for i, g := range globs {
		if is[i] {
			ignored = append(ignored, g)
		}
	}
	return ignored, nil
}

// nothing is the earlier state of a run that is not compared with anything.
func nothing() *statefiles.Past { return &statefiles.Past{State: wire.BaseNone} }
