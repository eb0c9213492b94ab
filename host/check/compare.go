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
	// returns the merge bases, if the two bases are the parents of one merge; nil otherwise
	parted func() ([]*source.Commit, error)
	moved  map[discover.Instance]string // the base's root of each run that has moved since

	lock sync.Mutex
	runs map[string][]discover.Instance // per commit id, filled on demand
}

func openBases(ctx context.Context, src source.Source, how source.Compare) (*bases, error) {
	list, err := src.Bases(ctx, how)
	if err != nil {
		return nil, err
	}
	b := &bases{list: list, moved: map[discover.Instance]string{}, runs: map[string][]discover.Instance{}}
	if isMerge(list) && len(list) == 2 {
		// called only if a finding exists against just one of the two bases
		b.parted = sync.OnceValues(func() ([]*source.Commit, error) { return list[0].MergeBases(ctx, list[1].Commit) })
	}
	return b, nil
}

// isMerge reports whether bases are the sides of one merge. An octopus has more than two.
func isMerge(list []*source.Base) bool {
	if len(list) < 2 {
		return false
	}
	first, second := list[0].From.Role, list[1].From.Role
	return first == source.Head && second == source.MergeHead || first == source.Parent && second == source.Parent
}

// recallable reports whether documents read by an earlier check can be compared without reading them again. The
// earlier check stored their SHA-1 object ids, so every base must use SHA-1.
func (b *bases) recallable() bool {
	return !slices.ContainsFunc(b.list, func(base *source.Base) bool { return len(base.From.ID) != sha1Digits })
}

// sha1Digits is the number of hex digits in a SHA-1 object id.
const sha1Digits = 40

func (b *bases) origins() (list []result.Base) {
	for _, base := range b.list {
		list = append(list, result.Base{Rev: base.From.Rev, ID: base.From.ID, Role: string(base.From.Role)})
	}
	return list
}

// changesKnown reports whether the list of changed files is known. In the working tree it is not, because git would
// have to read every file.
func (b *bases) changesKnown() bool { return len(b.list) > 0 && b.list[0].ChangesKnown() }

// changed returns the paths that differ from the first base or, in a merge, from the second.
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

// touches reports whether the change touches name or any path above or below it. It returns true if the changes are
// unknown.
func (b *bases) touches(name string) bool {
	if !b.changesKnown() {
		return true
	}
	paths, err := b.list[0].Changed()
	return err != nil || slices.ContainsFunc(paths, func(p string) bool { return related(name, p) })
}

func related(a, b string) bool { return slashpath.Holds(a, b) || slashpath.Holds(b, a) }

// An earlier state is one commit's version of a state directory.
type earlier struct {
	*statefiles.Past
	commit *source.Commit
}

// of returns the distinct earlier states of a state directory, at most one per base. States from bases that cannot
// have the directory, because git ignores it, are used only if there are no others.
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
			// a plugin that asks for paths sees more of the base than its state directory
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

// pastOf returns a base's version of a state directory. It follows a run that has moved.
func (b *bases) pastOf(ctx context.Context, base *source.Base, p *ActivePlugin,
	now *statefiles.Instance) (*statefiles.Past, error) {
	past, err := base.Past(ctx, p.specs, now, now.Root)
	from, moved := b.moved[discover.Instance{Plugin: p.Name, Root: now.Root}]
	if err != nil || !moved || past.State == wire.BaseAt {
		return past, err
	}
	return base.Past(ctx, p.specs, now, from)
}

// runsIn finds a commit's state directories. After an error the next call tries again.
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
