package main

import (
	"slices"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/sdk/wire"
)

// compared says what is checked and what it is compared with. The environment speaks only where auto asks it.
func (l *examineFlags) compared(o *check.Options, env environment) error {
	switch {
	case l.Staged && l.rev != "":
		return usagef("--staged and --rev %s cannot be combined: use only one of the two", l.rev)
	case l.merge != "" && (l.Staged || l.rev != ""):
		return usagef("--merge %s checks a merge with HEAD: use only one of --merge, --staged and --rev", l.merge)
	case l.merge != "":
		o.Source, o.Rev, o.Merge = wire.Commit, "HEAD", l.merge
	case l.Staged:
		o.Source = wire.Index
	case l.rev != "":
		o.Source, o.Rev = wire.Commit, l.rev
	}
	o.Changed = l.Changed
	if slices.Contains(l.Bases, baseNone) {
		if len(l.Bases) > 1 {
			return usagef("--base none cannot be combined with another --base: use only one of the two")
		}
		if l.Changed {
			return usagef("--changed needs a base, and --base none compares with nothing; use only one of the two")
		}
		return nil
	}
	o.Predecessors = len(l.Bases) == 0 && (o.Source != wire.Worktree || l.Changed)
	for _, b := range l.Bases {
		if b == baseAuto {
			begins, err := env.autoBase()
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
