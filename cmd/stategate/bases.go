package main

import (
	"context"
	"slices"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/sdk/wire"
)

// compared sets which source is checked, its bases, and the scope. They depend only on the command line, except for
// auto, which reads the environment.
func (l *examineFlags) compared(ctx context.Context, a *app, o *check.Options) error {
	switch {
	case l.Staged && l.rev != "":
		return usagef("--staged and --rev %s cannot be combined; use only one of the two", l.rev)
	case l.merge != "" && (l.Staged || l.rev != ""):
		return usagef("--merge %s checks a merge with HEAD; use only one of --merge, --staged and --rev", l.merge)
	case l.merge != "":
		o.Source, o.Rev, o.Merge = wire.Commit, "HEAD", l.merge
	case l.Staged:
		o.Source = wire.Index
	case l.rev != "":
		o.Source, o.Rev = wire.Commit, l.rev
	}
	o.Changed = l.onlyChanged()
	if slices.Contains(l.Bases, baseNone) {
		if len(l.Bases)+len(l.Exact) > 1 {
			return usagef("--base none cannot be combined with another base; use only one of the two")
		}
		if l.Changed {
			return usagef("--changed needs a base, and --base none compares with nothing; use only one of the two")
		}
		o.Changed = false
		return nil
	}
	o.Exact = l.Exact
	o.Predecessors = len(l.Bases)+len(l.Exact) == 0
	for _, b := range l.Bases {
		if b == baseAuto {
			begins, err := a.autoBase(ctx)
			if err != nil {
				return err
			}
			if begins == "" || l.merge != "" || begins == parents && l.rev != "" {
				o.Predecessors = true
				continue
			}
			b = begins
		}
		o.Bases = append(o.Bases, b)
	}
	return nil
}

// onlyChanged reports whether the scope is only what the change touches. This is the default for --staged, because a
// commit should be judged by its own changes.
func (l *examineFlags) onlyChanged() bool {
	return l.Changed || l.Staged && (l.changed == nil || !l.changed.Changed)
}

// autoBase returns the base that CI names: the first of its revisions that exists in this clone. "" means the base that
// git names.
func (a *app) autoBase(ctx context.Context) (string, error) {
	list, err := a.env.changeBegins()
	if err != nil || len(list) == 0 {
		return "", err
	}
	last := len(list) - 1
	if repo := a.repository(a.env.dir); repo != nil {
		for _, rev := range list[:last] {
			if _, err := repo.Commit(ctx, rev); err == nil {
				return rev, nil
			}
		}
	}
	return list[last], nil
}
