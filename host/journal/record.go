package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/tree"
)

const format = 2

// A header is what the journal knows of a transaction besides its steps.
type header struct {
	Format int
	ID     string   // 16 hex digits, in the names of temporary files
	Group  string   // the same for all transactions of one call: they are undone together
	Roots  []string // every path is one of these, below one, or a directory above one
	About  About
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
	Do   verb
	Path string
	From string `json:",omitempty"` // of move
	Was  *state `json:",omitempty"` // what was at Path (of move: at From) before; nil: nothing
	Is   *state `json:",omitempty"` // of put
}

// A state is what is at a path.
type state struct {
	Dir bool   `json:",omitempty"`
	Sum string `json:",omitempty"` // hex SHA-256 of a file's bytes
	Attributes
}

// attributes are those that may be restored: a journal sets no bits that replacing a file would not keep.
func (s *state) attributes() Attributes {
	as := s.Attributes
	as.Mode &= modeBits(s.Dir)
	return as
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// seal writes what the journal holds, with its sum.
func seal(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return fmt.Appendf(nil, "%s\n%s\n", sumOf(text), text), err
}

// unseal reads what seal wrote.
func unseal(data []byte, v any) error {
	sum, text, _ := bytes.Cut(data, []byte("\n"))
	text = bytes.TrimSuffix(text, []byte("\n"))
	if string(sum) != sumOf(text) {
		return errors.New("its checksum is wrong")
	}
	return json.Unmarshal(text, v)
}

// temporary names the old bytes of the n-th step in the tree, or its new ones before they get their name.
func (h *header) temporary(n int, fresh bool) string {
	if n *= 2; fresh {
		n++
	}
	return join(h.Roots[0], tree.TemporaryName(h.ID, n))
}

// check refuses a header that no transaction of ours has, whoever wrote it.
func (h *header) check() error {
	switch {
	case h.Format != format:
		return fmt.Errorf("its format is %d, expected %d: it was written by another version of stategate", h.Format, format)
	case len(h.ID) != 16 || strings.Trim(h.ID, "0123456789abcdef") != "":
		return fmt.Errorf("its id is %q", h.ID)
	case len(h.Roots) == 0:
		return errors.New("it has no roots")
	}
	for _, root := range h.Roots {
		if root == "." {
			continue
		}
		if err := checkName(root); err != nil {
			return err
		}
	}
	return nil
}

// checkStep refuses a step that no transaction may make.
func (h *header) checkStep(s *step) error {
	names := []string{s.Path}
	switch {
	case s.Do == put && s.Is == nil, s.Do == remove && s.Was == nil, (s.Do == rmdir || s.Do == move) && s.Was == nil:
		return fmt.Errorf("the step %q of %s is incomplete", s.Do, s.Path)
	case s.Do == move:
		names = append(names, s.From)
	case s.Do != put && s.Do != remove && s.Do != mkdir && s.Do != rmdir:
		return fmt.Errorf("it has a step of the unknown kind %q", s.Do)
	}
	for _, name := range names {
		if err := checkName(name); err != nil {
			return err
		}
		inside := func(root string) bool {
			return slashpath.Holds(root, name) || (s.Do == mkdir || s.Do == rmdir) && slashpath.Holds(name, root)
		}
		if !slices.ContainsFunc(h.Roots, inside) {
			return fmt.Errorf("the path %q is outside %s", name, strings.Join(h.Roots, " and "))
		}
	}
	return nil
}

// follow returns where steps take what is at a path.
func follow(name string, later []step) string {
	for i := range later {
		if s := &later[i]; s.Do == move && slashpath.Holds(s.From, name) {
			name = s.Path + name[len(s.From):]
		}
	}
	return name
}

// matches reports whether a file with the bytes of a state is at a name. Nil is the
// state of nothing.
func matches(disk Disk, name string, s *state) (bool, error) {
	if s == nil {
		found, err := exists(disk, name)
		return !found, err
	}
	data, _, err := disk.Read(name, maxFile)
	if absent(err) || errors.Is(err, errNotRegular) || errors.Is(err, errTooLarge) {
		return false, nil
	}
	return err == nil && sumOf(data) == s.Sum, err
}

// absent reports whether nothing is at a name, nor can be, since what should be a
// directory above it is something else.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, errLink) }

func exists(disk Disk, name string) (bool, error) {
	_, err := disk.Lstat(name)
	if absent(err) {
		return false, nil
	}
	return err == nil, err
}
