package check

import (
	"context"
	"slices"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// A Run is one state directory as it was read, beside each of its earlier states.
type Run struct {
	Plugin *ActivePlugin
	Now    *statefiles.Instance
	pairs  []*pair // at least one: without a base, the earlier state is wire.BaseNone
}

// Past returns what the first base has of the run.
func (r *Run) Past() *statefiles.Past { return r.pairs[0].Past }

// Pasts are what all bases have of the run.
func (r *Run) Pasts() (all []*statefiles.Past) {
	for _, p := range r.pairs {
		all = append(all, p.Past)
	}
	return all
}

// A pair is a run, now and in one earlier state, as a plugin gets it.
type pair struct {
	*ActivePlugin
	Now  *statefiles.Instance
	Past *statefiles.Past

	source wire.Source
	// globs of documents that git ignores or that are behind links, besides what the state directory itself knows of
	ignored []string
	// the run is examined for its own sake, so that its state is wanted whatever the check shows
	details bool
	// what is at paths around the state directory, now and then; nil if nothing is known
	present, wasPresent func(paths []string) []wire.Answer
	// whether a file has the same content now and then; nil if files are not compared
	same func(path string) bool
}

// A reader reads the runs of the source, beside those of the bases.
type reader struct {
	source  source.Source
	bases   *bases
	plugins Plugins
}

// read reads a run. Documents that git has are known by their object ids until they are loaded.
func (r *reader) read(ctx context.Context, i discover.Instance) (*Run, error) {
	run := &Run{Plugin: r.plugins[i.Plugin]}
	var err error
	if run.Now, err = r.source.Read(ctx, run.Plugin.specs, i.Root); err != nil {
		return nil, err
	}
	var ignored []string
	if r.source.Kind() == wire.Commit { // that it does not have them proves nothing
		if ignored, err = ignoredGlobs(r.source, run.Plugin, i.Root); err != nil {
			return nil, err
		}
	}
	for _, l := range run.Now.Linked {
		ignored = append(ignored, l.Globs()...)
	}
	past, err := r.bases.of(ctx, run.Plugin, run.Now)
	for _, was := range past {
		p := &pair{ActivePlugin: run.Plugin, Now: run.Now, Past: was.Past, source: r.source.Kind(),
			ignored: unlessDeleted(ignored, run.Now, was.Past), present: r.source.Present}
		if was.commit != nil {
			p.wasPresent = was.commit.Present
			p.same = func(path string) bool { return r.source.Same(was.commit, path) }
		}
		run.pairs = append(run.pairs, p)
	}
	return run, err
}

// unlessDeleted drops the globs of ignored documents that match something deleted: a document that the base has and the
// commit lacks was in git, whatever git ignores now. The other globs stay, since git may never have had their
// documents.
func unlessDeleted(ignored []string, now *statefiles.Instance, past *statefiles.Past) []string {
	return slices.DeleteFunc(slices.Clone(ignored), func(g string) bool {
		return slices.ContainsFunc(past.Files, func(f snapshot.File) bool {
			return f.Kind == snapshot.Regular && glob.Match(g, f.Path) &&
				!slices.ContainsFunc(now.Files, func(n snapshot.File) bool { return n.Path == f.Path })
		})
	})
}

// Read reads the state directory of a plugin beside the first of its earlier states, with all bytes.
func (c *Checker) Read(ctx context.Context, i discover.Instance) (*Run, error) {
	run, err := c.read(ctx, i)
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

// touched reports whether a run is part of the change: no base has its documents as they are, or a merge has those of
// one parent although the other one has changed them. Ignored files are part of no commit; in the working tree
// whether it has changed is unknown.
func (r *reader) touched(ctx context.Context, run *Run) bool {
	if run.Now.Ignored() || r.source.Kind() == wire.Worktree && run.Now.SomeIgnored() {
		return r.source.Kind() == wire.Worktree
	}
	same := slices.IndexFunc(run.pairs, func(p *pair) bool {
		return p.Past.State == wire.BaseAt && p.Past.Unchanged(run.Now) && p.Past.Root == run.Now.Root
	})
	return same < 0 || r.bases.overruled(ctx, run, same)
}

// ignoredGlobs returns globs for the documents of a state directory that git ignores.
func ignoredGlobs(src source.Source, p *ActivePlugin, root string) ([]string, error) {
	globs, samples := []string{"**"}, []string{root}
	for _, d := range p.Manifest.Documents {
		for _, g := range glob.Alternatives(d.Glob) {
			globs, samples = append(globs, g), append(samples, slashpath.Join(root, glob.Sample(g)))
		}
	}
	if root == "." {
		globs, samples = globs[1:], samples[1:]
	}
	rules, err := src.Covered(samples)
	if err != nil {
		return nil, err
	}
	var ignored []string
	for i := range rules {
		if rules[i].Ignores() {
			ignored = append(ignored, globs[i])
		}
	}
	if len(ignored) > 0 && ignored[0] == "**" {
		ignored = ignored[:1]
	}
	return ignored, nil
}

// nothing is the earlier state of a run that is compared with none.
func nothing() *statefiles.Past { return &statefiles.Past{State: wire.BaseNone} }
