package journal

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/tree"
)

const format = 4

// The name of a transaction's directory ends in its state.
const (
	writing   = "new" // being written
	open      = "open"
	committed = "kept"
	abandoned = "left"
	removing  = "gone" // being removed
)

const (
	recordName = "record"
	stepPrefix = "step-"
	maxRecord  = 16 << 20
	hexDigits  = "0123456789abcdef"
)

var ownerOnly = Attributes{Mode: 0o600, Exact: true}

// An entry is one transaction in the journal.
type entry struct {
	id     string // 16 hex digits: 8 that increase and 8 random ones
	state  string
	header header
	steps  []step // all but the last are done
}

// A header holds what the journal knows about a transaction, except its steps.
type header struct {
	Format int
	Group  string // shared by all transactions of one call, which are undone together
	About  About
}

// About describes what a transaction is for. It is returned if the transaction is rolled back later. Every path that
// a transaction changes is Root or To, below one of them, or a directory above one.
type About struct {
	Plugin string
	Root   string      // the state directory before the change
	To     string      // and after it
	Titles []string    // of the remedies
	Files  [][2]string // the changes that the user sees: from and to, "" for none
}

// A step is one change of the tree. Its paths are those at the time of the step.
type step struct {
	Path string
	From string `json:",omitempty"` // the file or directory From, which is in the state Was, becomes Path
	Was  *state `json:",omitempty"` // the state of Path before; nil if it did not exist
	Is   *state `json:",omitempty"` // the state of Path afterwards
}

// A state describes the entry at a path.
type state struct {
	Dir  bool   `json:",omitempty"`
	Made bool   `json:",omitempty"` // a directory that this transaction created
	Sum  string `json:",omitempty"` // hex SHA-256 of a file's bytes
	Attributes
}

func (s *state) file() bool { return s != nil && !s.Dir }

func (s *state) dir() bool { return s != nil && s.Dir }

// attributes returns the attributes that may be restored. A journal must not set bits that replacing a file would not
// keep.
func (s *state) attributes() Attributes {
	as := s.Attributes
	as.Mode &= modeBits(s.Dir)
	return as
}

func (e *entry) dir() string { return e.id + "." + e.state }

func stepName(n int) string { return fmt.Sprintf("%s%05d", stepPrefix, n) }

func backupName(n int) string { return fmt.Sprintf("old-%05d", n) }

// temporary returns the name of a temporary file in the tree. It holds the old bytes of step n or, if fresh
// is true, its new bytes until they get their final name.
func (e *entry) temporary(n int, fresh bool) string {
	if n *= 2; fresh {
		n++
	}
	return path.Join(e.header.About.Root, tree.TemporaryName(e.id, n))
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// records stores the journal's transactions on disk.
type records struct {
	disk Disk
	dir  string // of the journal
	key  []byte
}

// list returns the transactions, oldest first, and removes those that were being written or removed when a process
// ended. It fails if it cannot read something, because a change may be half done.
func (r *records) list() (list []*entry, err error) {
	names, err := r.disk.List(".")
	if err != nil {
		return nil, fmt.Errorf("list the journal: %w", err)
	}
	for _, name := range names {
		if len(name) < 8 || strings.Trim(name[:8], hexDigits) != "" {
			continue // not a transaction of any version
		}
		e := &entry{}
		e.id, e.state, _ = strings.Cut(name, ".")
		if e.state == writing || e.state == removing {
			if err := r.removeAll(name); err != nil {
				return nil, fmt.Errorf("clear the journal: %w", err)
			}
			continue
		}
		if err := r.read(e); err != nil {
			return nil,
				fmt.Errorf("the undo journal %s is damaged (%w). A repair may be half applied: check the files that "+
					"it names (backups may be in its state directory as .stategate-*.tmp), then remove that directory",
					filepath.Join(r.dir, name), err)
		}
		list = append(list, e)
	}
	return list, nil
}

func (r *records) read(e *entry) error {
	if len(e.id) != 16 || strings.Trim(e.id, hexDigits) != "" || e.state != open && e.state != committed &&
		e.state != abandoned {
		return errors.New("this version of stategate does not use such names")
	}
	if err := r.load(e, recordName, &e.header); err != nil {
		return err
	}
	if err := e.header.check(); err != nil {
		return err
	}
	names, err := r.disk.List(e.dir())
	for _, name := range names { // sorted
		if !strings.HasPrefix(name, stepPrefix) {
			continue
		}
		if name != stepName(len(e.steps)) {
			return fmt.Errorf("%s is missing", stepName(len(e.steps)))
		}
		var st step
		if err := r.load(e, name, &st); err != nil {
			return err
		}
		if err := e.header.checkStep(&st); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		e.steps = append(e.steps, st)
	}
	return err
}

// load reads a transaction's file that save wrote.
func (r *records) load(e *entry, name string, v any) error {
	data, _, err := r.disk.Read(path.Join(e.dir(), name), maxRecord)
	if err != nil {
		return err
	}
	sum, text, _ := bytes.Cut(data, []byte("\n"))
	text = bytes.TrimSuffix(text, []byte("\n"))
	if !hmac.Equal(sum, r.seal(e, name, text)) {
		return fmt.Errorf("%s: it was not written by this user on this machine", name)
	}
	return json.Unmarshal(text, v)
}

// seal returns the first line of a transaction's file. Without the key, no one can create such a file or turn one
// into another.
func (r *records) seal(e *entry, name string, text []byte) []byte {
	mac := hmac.New(sha256.New, r.key)
	fmt.Fprintf(mac, "%s/%s\n%s", e.id, name, text)
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// save writes a transaction's file completely and durably.
func (r *records) save(e *entry, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	sealed := slices.Concat(r.seal(e, name, text), []byte("\n"), text, []byte("\n"))
	if err := r.disk.Write(path.Join(e.dir(), "new"), sealed, ownerOnly); err != nil {
		return err
	}
	if err := r.rename(path.Join(e.dir(), "new"), path.Join(e.dir(), name)); err != nil {
		return err
	}
	return r.disk.Sync(e.dir())
}

// backup reads a step's old bytes.
func (r *records) backup(e *entry, n int) ([]byte, error) {
	data, _, err := r.disk.Read(path.Join(e.dir(), backupName(n)), maxFile)
	if err == nil && sumOf(data) != e.steps[n].Was.Sum {
		err = fmt.Errorf("the journal's copy of %s is damaged", e.steps[n].Path)
	}
	return data, err
}

// begin writes the journal of a new transaction, which exists once it is open.
func (r *records) begin(e *entry) error {
	err := r.disk.Mkdir(e.dir(), Attributes{Mode: 0o700, Exact: true})
	if err == nil {
		err = r.save(e, recordName, e.header)
	}
	if err == nil {
		err = r.turn(e, open)
	}
	if err != nil {
		_ = r.drop(e) // otherwise the next Open drops it
	}
	return err
}

// turn changes a transaction's state.
func (r *records) turn(e *entry, state string) error {
	from := e.dir()
	if err := r.rename(from, e.id+"."+state); err != nil {
		return err
	}
	e.state = state
	return r.disk.Sync(".")
}

// rename renames a file or directory of the journal. Network file systems may report an error for a rename that
// succeeded, so after an error it checks the outcome.
func (r *records) rename(from, to string) error {
	err := r.disk.Rename(from, to)
	if err == nil {
		return nil
	}
	if missing, failed := matches(r.disk, to, nil); failed == nil && !missing {
		return nil
	}
	return err
}

func (r *records) drop(e *entry) error {
	if err := r.turn(e, removing); err != nil {
		return err
	}
	return r.removeAll(e.dir())
}

func (r *records) removeAll(dir string) error {
	names, err := r.disk.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := r.disk.Remove(path.Join(dir, name)); err != nil {
			return err
		}
	}
	return r.disk.Remove(dir)
}

// forget removes a transaction's last step from the journal.
func (r *records) forget(e *entry) error {
	e.steps = e.steps[:len(e.steps)-1]
	if err := r.disk.Remove(path.Join(e.dir(), stepName(len(e.steps)))); err != nil && !absent(err) {
		return err
	}
	return r.disk.Sync(e.dir())
}

// check rejects a header that this package never writes, even if it is sealed.
func (h *header) check() error {
	if h.Format != format {
		return fmt.Errorf("its format is %d, expected %d: it was written by another version of stategate", h.Format,
			format)
	}
	for _, root := range h.roots() {
		if root != "." {
			if err := checkName(root); err != nil {
				return err
			}
		}
	}
	for _, f := range h.About.Files {
		for _, name := range f {
			if name == "" {
				continue
			}
			if err := h.allow(strings.TrimSuffix(name, "/"), false); err != nil {
				return err
			}
		}
	}
	return nil
}

// roots returns the directories that a transaction may change.
func (h *header) roots() []string {
	return slices.Compact([]string{h.About.Root, cmp.Or(h.About.To, h.About.Root)})
}

// checkStep rejects a step that this package never makes.
func (h *header) checkStep(s *step) error {
	if s.From != "" {
		if s.Was == nil || s.Is != nil {
			return fmt.Errorf("the move to %s is incomplete", s.Path)
		}
		if err := h.allow(s.From, false); err != nil {
			return err
		}
	} else if s.Was == nil && s.Is == nil {
		return fmt.Errorf("the change of %s is incomplete", s.Path)
	}
	return h.allow(s.Path, s.From == "" && !s.Was.file() && !s.Is.file())
}

// allow rejects a path that the transaction may not change. A directory above a root may be created or removed.
func (h *header) allow(name string, dir bool) error {
	if err := checkName(name); err != nil {
		return err
	}
	inside := func(root string) bool { return slashpath.Holds(root, name) || dir && slashpath.Holds(name, root) }
	if !slices.ContainsFunc(h.roots(), inside) {
		return fmt.Errorf("the path %q is outside %s", name, strings.Join(h.roots(), " and "))
	}
	return nil
}
