package check

import (
	"context"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/wire"
)

// bases are the commits that the source is compared with.
type bases struct {
	list []*source.Base
	// where the two bases parted, if they are the parents of one merge; nil for anything else
	parted func() ([]*source.Commit, error)
	moved  map[discover.Instance]string // root in the bases of what has moved since

	lock sync.Mutex
	runs map[string][]discover.Instance // of commits, by id, as far as they were needed
}

func openBases(ctx context.Context, src source.Source, o *Options) (*bases, error) {
	list, err := src.Bases(ctx, o.Compare)
	if err != nil {
		return nil, err
	}
	b := &bases{list: list, moved: map[discover.Instance]string{}, runs: map[string][]discover.Instance{}}
	if isMerge(list) {
		// looked up when something stands against one of them only
		b.parted = sync.OnceValues(func() ([]*source.Commit, error) { return list[0].MergeBases(ctx, list[1].Commit) })
	}
	return b, nil
}

// isMerge reports whether bases are the two sides of one merge.
func isMerge(list []*source.Base) bool {
	if len(list) != 2 {
		return false
	}
	first, second := list[0].From.Role, list[1].From.Role
	return first == source.Head && second == source.MergeHead || first == source.Parent && second == source.Parent
}

// recallable reports whether documents that an earlier check has read can be compared without reading them: it has
// remembered their object ids, which are of SHA-1.
func (b *bases) recallable() bool {
	return !slices.ContainsFunc(b.list, func(base *source.Base) bool { return len(base.From.ID) != sha1Digits })
}

// sha1Digits is how many hex digits an object id of SHA-1 has.
const sha1Digits = 40

func (b *bases) origins() (list []result.Base) {
	for _, base := range b.list {
		list = append(list, result.Base{Rev: base.From.Rev, ID: base.From.ID, Role: string(base.From.Role)})
	}
	return list
}

// changesKnown reports whether it is known which files differ. In the working tree it is not: git would read every
// file.
func (b *bases) changesKnown() bool { return len(b.list) > 0 && b.list[0].ChangesKnown() }

// changed returns the paths that differ from the first base, and in a merge from the second.
func (b *bases) changed() (paths []string, err error) {
	if !b.changesKnown() {
		return nil, nil
	}
	paths, err = b.list[0].Changed()
	if b.parted != nil && err == nil {
		var more []string
		more, err = b.list[1].Changed()
		paths = slices.Concat(paths, more)
	}
	return paths, err
}

// touches reports whether the change touches a path or something below or above it, or whether that is not known.
func (b *bases) touches(name string) bool {
	if !b.changesKnown() {
		return true
	}
	paths, err := b.list[0].Changed()
	return err != nil || slices.ContainsFunc(paths, func(p string) bool { return related(name, p) })
}

func related(a, b string) bool { return slashpath.Holds(a, b) || slashpath.Holds(b, a) }

// An earlier state is what one commit has of a state directory.
type earlier struct {
	*statefiles.Past
	commit *source.Commit
}

// of returns what every base has of a state directory, each state of it once. A base that can have nothing, because
// git ignores the directory, counts only if all are such.
func (b *bases) of(ctx context.Context, p *ActivePlugin, now *statefiles.Instance) ([]earlier, error) {
	var some, none []earlier
	for _, base := range b.list {
		past, err := b.pastOf(ctx, base, p, now)
		switch {
		case err != nil:
			return nil, err
		case past.State == wire.BaseNone:
			none = append(none, earlier{past, base.Commit})
		case len(p.Manifest.AsksFor) > 0 ||
			!slices.ContainsFunc(some, func(e earlier) bool { return past.Equal(e.Past) }):
			// a plugin that asks for paths sees more of the base than the state directory
			some = append(some, earlier{past, base.Commit})
		}
	}
	switch {
	case len(some) > 0:
		return some, nil
	case len(none) > 0:
		return none[:1], nil
	}
	return []earlier{{Past: nothing()}}, nil
}

// pastOf returns what a base has of a state directory, at another root if it has moved.
func (b *bases) pastOf(ctx context.Context, base *source.Base, p *ActivePlugin,
	now *statefiles.Instance) (*statefiles.Past, error) {
	past, err := base.Past(ctx, p.specs, now, now.Root)
	from, moved := b.moved[discover.Instance{Plugin: p.Name, Root: now.Root}]
	if err != nil || !moved || past.State == wire.BaseAt {
		return past, err
	}
	return base.Past(ctx, p.specs, now, from)
}

// runsIn finds the state directories of a commit. Where that fails, it is tried again.
func (b *bases) runsIn(ctx context.Context, commit *source.Commit, q discover.Query) ([]discover.Instance, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if runs, ok := b.runs[commit.ID()]; ok {
		return runs, nil
	}
	found, err := commit.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	b.runs[commit.ID()] = found.Instances
	return found.Instances, nil
}
