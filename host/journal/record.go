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

// The states of a transaction, in which the name of its directory ends.
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

// An entry is one transaction of the journal.
type entry struct {
	id     string // 16 hex digits: 8 that grow, 8 at random
	state  string
	header header
	steps  []step // all but the last are made
}

// A header is what the journal knows of a transaction besides its steps.
type header struct {
	Format int
	Group  string // the same for all transactions of one call: they are undone together
	About  About
}

// About says whom a transaction is for, and is returned when it is rolled back later. Every path that a transaction
// changes is Root or To, below one of them, or a directory above one.
type About struct {
	Plugin string
	Root   string      // of the state directory, before
	To     string      // and after
	Titles []string    // of the remedies
	Files  [][2]string // the changes that the user sees: from and to, "" for nothing
}

// A step is one change of the tree. Paths are those at its turn.
type step struct {
	Path string
	From string `json:",omitempty"` // the file or directory From, which is in the state Was, becomes Path
	Was  *state `json:",omitempty"` // what was at Path before; nil: nothing
	Is   *state `json:",omitempty"` // and is afterwards
}

// A state is what is at a path.
type state struct {
	Dir  bool   `json:",omitempty"`
	Made bool   `json:",omitempty"` // a directory of this transaction
	Sum  string `json:",omitempty"` // hex SHA-256 of a file's bytes
	Attributes
}

func (s *state) file() bool { return s != nil && !s.Dir }

func (s *state) dir() bool { return s != nil && s.Dir }

// attributes are those that may be restored: a journal sets no bits that replacing a file would not keep.
func (s *state) attributes() Attributes {
	as := s.Attributes
	as.Mode &= modeBits(s.Dir)
	return as
}

func (e *entry) dir() string { return e.id + "." + e.state }

func stepName(n int) string { return fmt.Sprintf("%s%05d", stepPrefix, n) }

func backupName(n int) string { return fmt.Sprintf("old-%05d", n) }

// temporary names the old bytes of the n-th step in the tree, or its new ones before they get their name.
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

// The records are what the journal has of its transactions, on disk.
type records struct {
	disk Disk
	dir  string // of the journal
	key  []byte
}

// list returns the transactions, the oldest first, and removes what was being written or removed when a run ended. What
// cannot be read is an error: something may have been left half done.
func (r *records) list() (list []*entry, err error) {
	names, err := r.disk.List(".")
	if err != nil {
		return nil, fmt.Errorf("list the journal: %w", err)
	}
	for _, name := range names {
		if len(name) < 8 || strings.Trim(name[:8], hexDigits) != "" {
			continue // no transaction of any version
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
		return errors.New("its name is not one of this version of stategate")
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

// load reads a file of a transaction that save wrote.
func (r *records) load(e *entry, name string, v any) error {
	data, _, err := r.disk.Read(path.Join(e.dir(), name), maxRecord)
	if err != nil {
		return err
	}
	sum, text, _ := bytes.Cut(data, []byte("\n"))
	text = bytes.TrimSuffix(text, []byte("\n"))
	if !hmac.Equal(sum, r.seal(e, name, text)) {
		return fmt.Errorf("%s: it is not as this user wrote it on this machine", name)
	}
	return json.Unmarshal(text, v)
}

// seal is the first line of a file of a transaction: without the key, no one can write one or turn a file into
// another.
func (r *records) seal(e *entry, name string, text []byte) []byte {
	mac := hmac.New(sha256.New, r.key)
	fmt.Fprintf(mac, "%s/%s\n%s", e.id, name, text)
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// save writes a file of a transaction, whole and durable.
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

// backup reads the old bytes of a step.
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
		_ = r.drop(e) // the next Open does it otherwise
	}
	return err
}

// turn changes the state of a transaction.
func (r *records) turn(e *entry, state string) error {
	from := e.dir()
	if err := r.rename(from, e.id+"."+state); err != nil {
		return err
	}
	e.state = state
	return r.disk.Sync(".")
}

// rename renames in the journal. Network file systems report errors of renames that they did, so an error is checked
// against the outcome.
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

// forget removes the last step of a transaction.
func (r *records) forget(e *entry) error {
	e.steps = e.steps[:len(e.steps)-1]
	if err := r.disk.Remove(path.Join(e.dir(), stepName(len(e.steps)))); err != nil && !absent(err) {
		return err
	}
	return r.disk.Sync(e.dir())
}

// check refuses a header that no transaction of ours has, even if it is sealed.
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

// roots are the directories that a transaction may change.
func (h *header) roots() []string {
	return slices.Compact([]string{h.About.Root, cmp.Or(h.About.To, h.About.Root)})
}

// checkStep refuses a step that no transaction may make.
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

// allow refuses a path that the transaction may not change. A directory above a root may be made or removed.
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
