package check

import (
	"errors"
	"path/filepath"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/previous"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/wire"
)

// Last stands in Result.Base for the state when the gate was last open.
const Last = "last"

// An openRecord is what a check saw, to be kept if the gate is open.
type openRecord struct {
	file string // where it is kept
	now  previous.Record
}

// Keep writes it down, outside of the work tree.
func (r *openRecord) Keep() error {
	if r.file == "" {
		return errors.New("nothing is recorded for --base last: no directory for the user's state is known (set HOME or XDG_STATE_HOME)")
	}
	return r.now.Write(r.file)
}

// remembered returns a state directory as it was when the gate was last open.
func (s *Session) remembered(i discover.Instance) (*statefiles.Past, error) {
	return statefiles.Remembered(s.Plugins[i.Plugin].specs, i.Root, s.last[i], statefiles.DefaultLimits(s.Options.Limits))
}

// openLast reads the state when the gate was last open. A damaged record is
// a failure: what it had cannot be compared with. A check of a commit sees nothing that is recorded.
func (s *Session) openLast() error {
	if !s.Options.Last {
		return nil
	}
	s.result.Base = append(s.result.Base, Last)
	s.record = &openRecord{now: previous.Record{}}
	dir := s.Journal()
	if dir == "" {
		return nil
	}
	s.record.file = filepath.Join(dir, "seen", "last")
	before, err := previous.Read(s.record.file)
	switch {
	case errors.Is(err, previous.ErrDamaged):
		s.fail("", "", fault.Newf(fault.Source, "%v, so nothing can be compared with it: remove %s if the runs are as they should be; it is written again when the gate is open", err, s.record.file))
		s.record = nil
		return nil
	case err != nil:
		return err
	case before == nil:
		s.note("nothing is recorded for --base last yet; the record is written when the gate is open")
	}
	s.last = before
	for key, files := range before {
		if s.Options.Changed || s.Plugins[key.Plugin] == nil || !s.inScope(key.Root) {
			s.record.now[key] = files
		}
	}
	if s.Options.Source == wire.Commit {
		s.record = nil
	}
	return nil
}
