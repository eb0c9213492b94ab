package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/stategate/stategate/host/source/tree"
)

const format = 1

// A Record is what the journal knows of one transaction.
type Record struct {
	Format int
	ID     string    // 16 hex digits, in the names of temporary files
	Group  string    // the same for all transactions of one call: they are undone together
	Time   time.Time // when it began
	Roots  []string  // every path is one of these, below one, or a directory above one
	About  About
	Undoes int `json:",omitempty"` // the number of the transaction that this one takes back
	Steps  []step
}

// About is what a caller wants to know when a transaction is rolled back later.
type About struct {
	Plugin string
	Root   string   // of the instance, before
	To     string   // and after
	Titles []string // of the remedies
}

// A verb says what a step does.
type verb string

const (
	put    verb = "put"    // Path holds new bytes
	remove verb = "remove" // the file Path goes
	move   verb = "move"   // From becomes Path; a file, or a directory with all that is in it
	mkdir  verb = "mkdir"  // the directory Path is made
	rmdir  verb = "rmdir"  // the empty directory Path goes
)

// A step is one change of the tree. Paths are those at its turn.
type step struct {
	Do     verb
	Path   string
	From   string `json:",omitempty"` // of move
	Was    *state `json:",omitempty"` // what lay at Path (of move: at From) before; nil: nothing
	Is     *state `json:",omitempty"` // of put
	New    string `json:",omitempty"` // temporary file with the new bytes
	Old    string `json:",omitempty"` // temporary file with the old bytes
	Backup string `json:",omitempty"` // file of the journal with the old bytes

	data []byte // new bytes, of put
	old  []byte // old bytes, for the backup
}

// A state is what lies at a path.
type state struct {
	Dir   bool        `json:",omitempty"`
	Sum   string      `json:",omitempty"` // hex SHA-256 of a file's bytes, or of what a directory lists (see census)
	Mode  fs.FileMode `json:",omitempty"`
	Exact bool        `json:",omitempty"`
	Owner *Owner      `json:",omitempty"`
}

func (s *state) attributes() Attributes {
	return Attributes{s.Mode & modeBits(s.Dir), s.Exact, s.Owner}
}

func fileState(data []byte, as Attributes) *state {
	return &state{Sum: sumOf(data), Mode: as.Mode, Exact: as.Exact, Owner: as.Owner}
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// encode writes a record as the journal holds it.
func (r *Record) encode() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s\n%s\n", sumOf(text), text), nil
}

// decode reads what encode wrote and refuses everything that no transaction of
// ours would do, whoever wrote it.
func decode(data []byte) (*Record, error) {
	sum, text, _ := bytes.Cut(data, []byte("\n"))
	text = bytes.TrimSuffix(text, []byte("\n"))
	if string(sum) != sumOf(text) {
		return nil, fmt.Errorf("its checksum is wrong")
	}
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	if r.Format != format {
		return nil, fmt.Errorf("its format is %d, expected %d: it was written by another version of stategate", r.Format, format)
	}
	if !isID(r.ID) {
		return nil, fmt.Errorf("its id is %q", r.ID)
	}
	return &r, r.check()
}

func isID(s string) bool {
	return len(s) == 16 && strings.Trim(s, "0123456789abcdef") == ""
}

// check refuses paths that no transaction may touch.
func (r *Record) check() error {
	for _, root := range r.Roots {
		if root != "." {
			if err := checkName(root); err != nil {
				return err
			}
		}
	}
	for i := range r.Steps {
		if err := r.checkStep(&r.Steps[i]); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	return nil
}

func (r *Record) checkStep(s *step) error {
	names := []string{s.Path}
	switch s.Do {
	case put:
		if s.Is == nil || s.New == "" || (s.Was != nil) != (s.Old != "") {
			return fmt.Errorf("it is incomplete")
		}
	case remove:
		if s.Was == nil || s.Old == "" || s.New == "" {
			return fmt.Errorf("it is incomplete")
		}
	case rmdir, mkdir:
	case move:
		names = append(names, s.From)
	default:
		return fmt.Errorf("it has a step of the unknown kind %q", s.Do)
	}
	for _, name := range names {
		if err := checkName(name); err != nil {
			return err
		}
		way := (s.Do == mkdir || s.Do == rmdir) && above(name, r.Roots)
		if !within(name, r.Roots) && !way {
			return fmt.Errorf("the path %q is outside %s", name, strings.Join(r.Roots, " and "))
		}
	}
	return r.checkTemporary(s)
}

// checkTemporary holds temporary names to their form, so that nothing else is
// ever removed as one.
func (r *Record) checkTemporary(s *step) error {
	for _, name := range []string{s.New, s.Old} {
		if name == "" {
			continue
		}
		dir, base := split(name)
		if id, ok := tree.TemporaryOf(base); !ok || id != r.ID {
			return fmt.Errorf("%q is not one of its temporary files", name)
		}
		if dir != "." {
			if err := checkName(dir); err != nil {
				return err
			}
		}
	}
	if strings.Trim(s.Backup, "0123456789") != "" {
		return fmt.Errorf("%q is not one of its backups", s.Backup)
	}
	return nil
}
