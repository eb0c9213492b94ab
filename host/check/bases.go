package check

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// openBases opens the earlier revisions that transition rules compare with.
func (s *Session) openBases(ctx context.Context) error {
	o := s.Options
	if len(o.Bases) == 0 && !o.Predecessors {
		return nil
	}
	if err := s.openObjects(ctx, "a base revision"); err != nil {
		return err
	}
	var ids []string
	for _, rev := range o.Bases {
		some, err := s.resolve(ctx, rev)
		if err != nil {
			return err
		}
		ids = append(ids, some...)
	}
	if o.Predecessors {
		before, err := s.predecessors(ctx)
		if err != nil {
			return err
		}
		ids = append(ids, before...)
	}
	for _, id := range ids {
		if slices.Contains(s.result.Base, id) {
			continue
		}
		s.result.Base = append(s.result.Base, id)
		s.bases = append(s.bases, s.newBase(ctx, id))
	}
	return nil
}

// A base is an earlier revision.
type base struct {
	id   string                       // object id of the commit
	tree func() (*tree.Listed, error) // call it after find
}

// newBase lists a commit. The first one follows from what is checked and what has changed since, if that is known to git.
func (s *Session) newBase(ctx context.Context, id string) base {
	list := func() (*git.Listing, error) { return s.Workspace.Repo.Tree(ctx, id) }
	if len(s.bases) > 0 || s.Options.Source == wire.Worktree {
		list = async(list)
	} else {
		s.changes = async(func() ([]git.Change, error) { return s.compare(ctx, id) })
		list = func() (*git.Listing, error) {
			changes, err := s.changes()
			if err != nil {
				return nil, err
			}
			return s.listing.Before(changes)
		}
	}
	return base{id, sync.OnceValues(func() (*tree.Listed, error) {
		listing, err := list()
		return tree.NewListed(id, listing, s.objects, s.Workspace.Path), err
	})}
}

// resolve returns the commits that a base stands for: of REV^@ every parent, of REV... the merge base of REV and what is
// checked.
func (s *Session) resolve(ctx context.Context, rev string) ([]string, error) {
	repo := s.Workspace.Repo
	if child, ok := strings.CutSuffix(rev, "^@"); ok {
		id, err := repo.Commit(ctx, child)
		if err != nil {
			return nil, err
		}
		return s.parents(ctx, id)
	}
	name, parted := strings.CutSuffix(rev, "...")
	id, err := repo.Commit(ctx, name)
	if err != nil || !parted {
		return []string{id}, err
	}
	ours := s.result.Revision
	if ours == "" {
		if ours, err = repo.Commit(ctx, "HEAD"); err != nil {
			return nil, err
		}
	}
	id, err = repo.MergeBase(ctx, id, ours)
	return []string{id}, err
}

func (s *Session) predecessors(ctx context.Context) ([]string, error) {
	switch {
	case s.Options.Source == wire.Commit:
		return s.parents(ctx, s.result.Revision)
	case s.index != nil && s.index.heads != nil:
		return s.index.heads()
	}
	return s.Workspace.Repo.Heads(ctx)
}

// parents returns the parents of a commit, which are in this clone.
func (s *Session) parents(ctx context.Context, id string) ([]string, error) {
	list, err := s.objects.Parents(id)
	for _, p := range list {
		if _, err := s.objects.Parents(p); err != nil {
			return nil, s.Workspace.Repo.Lacks(ctx, p, err)
		}
	}
	return list, err
}

// earlier returns what every base has of a state directory, each state of it once. A base that can have nothing, because
// git ignores the directory, counts only if all are such.
func (s *Session) earlier(ctx context.Context, p *ActivePlugin, now *statefiles.Instance) ([]*statefiles.Past, error) {
	var some, none []*statefiles.Past
	for _, b := range s.bases {
		past, err := s.inBase(ctx, b, p, now)
		switch {
		case err != nil:
			return nil, err
		case past.State == wire.BaseNone:
			none = append(none, past)
		case len(p.Manifest.Paths) > 0 || !slices.ContainsFunc(some, past.Equal): // besides, the rest of the workspace may differ
			some = append(some, past)
		}
	}
	switch {
	case len(some) > 0:
		return some, nil
	case s.last != nil:
		past, err := s.remembered(discover.Instance{Plugin: p.Name, Root: now.Root})
		return []*statefiles.Past{past}, err
	case len(none) > 0:
		return none[:1], nil
	}
	return []*statefiles.Past{{State: wire.BaseNone}}, nil
}

// inBase returns what a base has of a state directory, at another root if it has moved.
func (s *Session) inBase(ctx context.Context, b base, p *ActivePlugin, now *statefiles.Instance) (*statefiles.Past, error) {
	past, err := s.read(ctx, b, p, now, now.Root)
	from, moved := s.moved[discover.Instance{Plugin: p.Name, Root: now.Root}]
	if err != nil || !moved || past.State == wire.BaseAt {
		return past, err
	}
	return s.read(ctx, b, p, now, from)
}

// read returns what a base has at a root. now is what is there now; nil for nothing.
func (s *Session) read(ctx context.Context, b base, p *ActivePlugin, now *statefiles.Instance, root string) (*statefiles.Past, error) {
	if now == nil {
		now = &statefiles.Instance{}
	}
	t, err := b.tree()
	if err != nil {
		return nil, err
	}
	return statefiles.Base(ctx, t, p.specs, now, root, s.collector.Limits)
}

// touched reports whether a state directory is part of the change: no base has its documents as they are. What git
// ignores is part of no commit; in the work tree whether it has changed is unknown.
func (s *Session) touched(now *statefiles.Instance, list []*comparison) bool {
	if now.Ignored() || s.Options.Source == wire.Worktree && now.SomeIgnored() {
		return s.Options.Source == wire.Worktree
	}
	return !slices.ContainsFunc(list, func(c *comparison) bool {
		return c.Past.State == wire.BaseAt && c.Past.Unchanged(now) && c.Past.Root == now.Root
	})
}

// Last stands in Result.Base for the state when the gate was last open.
const Last = "last"

// An openRecord is what a check saw, to be kept if the gate is open.
type openRecord struct {
	file string // where it is kept
	now  lastRecord
}

// Keep writes it down, outside of the work tree.
func (r *openRecord) Keep() error {
	if r.file == "" {
		return errors.New("nothing is recorded for --base last: no directory for the user's state is known (set HOME or XDG_STATE_HOME)")
	}
	return r.now.write(r.file)
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
	s.record = &openRecord{now: lastRecord{}}
	dir := s.Journal()
	if dir == "" {
		return nil
	}
	s.record.file = filepath.Join(dir, "seen", "last")
	before, err := readRecord(s.record.file)
	switch {
	case errors.Is(err, errDamaged):
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

// A lastRecord is what was seen of each state directory. It is one file outside of the work tree, has a checksum against
// damage and is bounded; what it holds is given to plugins like any other documents, and is not trusted more.
type lastRecord map[discover.Instance][]snapshot.File

// errDamaged means that a record is not as it was written.
var errDamaged = errors.New("the record of the last open gate is damaged")

// maxRecord is the greatest number of bytes that a record may have, packed and unpacked.
const maxRecord = 64 << 20

// A recorded is one state directory in the file.
type recorded struct {
	discover.Instance
	Files []snapshot.File
}

// readRecord reads a record. One that was never written is nil.
func readRecord(name string) (lastRecord, error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, errDamaged // a named pipe would never be opened
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the record of the last open gate: %w", err)
	}
	defer f.Close()
	return decodeRecord(io.LimitReader(f, maxRecord+1))
}

func decodeRecord(from io.Reader) (lastRecord, error) {
	packed, err := zlib.NewReader(from)
	if err != nil {
		return nil, errDamaged
	}
	text, err := io.ReadAll(io.LimitReader(packed, 2*maxRecord+1)) // to the checksum at the end
	var entries []recorded
	if err != nil || json.Unmarshal(text, &entries) != nil {
		return nil, errDamaged
	}
	r := lastRecord{}
	for _, e := range entries {
		r[e.Instance] = e.Files
	}
	return r, nil
}

// write makes the record appear whole or not at all.
func (r lastRecord) write(name string) error {
	data, err := r.encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("create the directory for the record of the open gate: %w", err)
	}
	if err := atomicfile.Write(name, data, 0o600); err != nil {
		return fmt.Errorf("write the record of the open gate: %w", err)
	}
	return nil
}

func (r lastRecord) encode() ([]byte, error) {
	entries := make([]recorded, 0, len(r))
	for key, files := range r {
		entries = append(entries, recorded{key, files})
	}
	slices.SortFunc(entries, func(a, b recorded) int {
		return cmp.Or(cmp.Compare(a.Root, b.Root), cmp.Compare(a.Plugin, b.Plugin))
	})
	text, err := json.Marshal(entries)
	if err != nil {
		return nil, fmt.Errorf("encode the record of the open gate: %w", err)
	}
	var packed bytes.Buffer
	w, _ := zlib.NewWriterLevel(&packed, zlib.BestSpeed) // the level is a valid one
	_, _ = w.Write(text)                                 // a buffer takes everything
	_ = w.Close()
	if packed.Len() > maxRecord || len(text) > 2*maxRecord {
		return nil, fmt.Errorf("the record of the open gate has %d bytes, the limit is %d: it is not written; archive some runs",
			len(text), 2*maxRecord)
	}
	return packed.Bytes(), nil
}
