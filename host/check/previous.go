package check

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/previous"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/wire"
)

// Last stands in Result.Base for the state when the gate was last open.
const Last = "last"

// seen is what a look saw of every instance.
type seen struct {
	file string // where it is kept
	mu   sync.Mutex
	now  previous.Record
}

// Keep writes it down, outside of the work tree.
func (s *seen) Keep() error {
	if s.file == "" {
		return errors.New("nothing is recorded for --base last: no directory for the user's state is known (set HOME or XDG_STATE_HOME)")
	}
	return s.now.Write(s.file)
}

// openLast reads the state when the gate was last open. A damaged record is
// a failure: what it held cannot be compared with. A look at a commit sees nothing that is written down.
func (l *Session) openLast() error {
	if !l.Options.Last {
		return nil
	}
	l.result.Base = append(l.result.Base, Last)
	l.seen = &seen{now: previous.Record{}}
	dir := l.Journal()
	if dir == "" {
		return nil
	}
	l.seen.file = filepath.Join(dir, "seen", "last")
	before, err := previous.Read(l.seen.file)
	switch {
	case errors.Is(err, previous.ErrDamaged):
		l.fail("", "", fault.Newf(fault.Source, "%v, so nothing can be compared with it: remove %s if the runs are as they should be; it is written again when the gate is open", err, l.seen.file))
		l.seen = nil
		return nil
	case err != nil:
		return err
	case before == nil:
		l.result.Notices = append(l.result.Notices, "nothing is recorded for --base last yet; the record is written when the gate is open")
	}
	l.last = before
	for key, files := range before {
		if l.Options.Changed || l.Parties[key.Plugin] == nil || !l.asked(key.Root) {
			l.seen.now[key] = files
		}
	}
	if l.Options.Source == wire.Commit {
		l.seen = nil
	}
	return nil
}

// asked reports whether a root lies in what was asked about.
func (l *Session) asked(root string) bool {
	for _, only := range l.Anchor.Only {
		if slashpath.Holds(only, root) {
			return true
		}
	}
	return false
}

// remember notes what was seen of an instance.
func (l *Session) remember(plugin string, now *statefiles.Instance) {
	if s := l.seen; s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.now[discover.Instance{Plugin: plugin, Root: now.Root}] = previous.Files(now.Files)
	}
}

// lastPast returns what was last seen of an instance: where no revision has
// anything to say of it.
func (l *Session) lastPast(ctx context.Context, p *Party, now *statefiles.Instance) (*statefiles.Past, error) {
	past, err := statefiles.Base(ctx, l.last.Of(p.Name), p.specs, now, now.Root, l.collector.Limits)
	if err == nil && past.State != wire.BaseAt {
		past.State = wire.BaseNew
	}
	return past, err
}

// missingSinceLast adds the instances that were last seen, are nowhere now, and are in no
// base.
func (l *Session) missingSinceLast(found *discover.Found) {
	if l.Options.Changed || l.Options.Source == wire.Commit {
		return // what was not looked at is not gone
	}
	here := map[discover.Instance]bool{}
	for _, i := range found.Instances {
		here[i] = true
	}
	for i, files := range l.last {
		if slices.ContainsFunc(found.Excluded, func(dir string) bool { return slashpath.Holds(dir, i.Root) }) {
			l.seen.now[i] = files
			continue
		}
		if l.Parties[i.Plugin] != nil && l.asked(i.Root) && !here[i] && !l.gone[i] {
			l.unseen[i] = true
		}
	}
}
