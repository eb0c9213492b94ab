// Package tree is where bytes come from: a working tree, the index, or a commit. It lists and reads, and interprets
// nothing.
//
// No symbolic link is ever followed, also not one that stays inside the tree, and nothing that is not a regular file
// is ever opened to be read.
package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// A Tree is one state of the workspace. Paths are slash-separated below it, "." is the workspace itself. For each,
// the error is fs.ErrNotExist if nothing is there, and ErrNotDirectory if something above it is not a directory, such
// as a link. It is safe for concurrent use.
type Tree interface {
	// List returns what is directly in a directory, sorted by name; ErrTooMany if that is more than max.
	List(dir string, max int) (Listing, error)
	// Stat returns what is at a path.
	Stat(path string) (Entry, error)
	// Size returns the size of a regular file that was listed, in bytes, without reading it.
	Size(path string, e Entry) (int64, error)
	// Read returns a regular file that was listed. One that is larger than max bytes comes without Data.
	Read(path string, e Entry, max int64) (Content, error)
	// Readlink returns the text of a symbolic link.
	Readlink(path string) (string, error)
	// Unchanged reports whether path is still as it was when the stamp was taken.
	Unchanged(path string, s Stamp) bool
	// IsRepository reports whether the ".git" that was listed in a directory makes a repository of it.
	IsRepository(dir string, git Entry) bool
	// Name returns the absolute path of the workspace.
	Name() string
}

// GitName is the name of what makes a directory a repository. It is never state.
const GitName = ".git"

// An Entry is one name in a directory.
type Entry struct {
	Name   string        // as it is, also if it is not valid UTF-8
	Kind   snapshot.Kind // never BadName: see Name
	Detail string        // what it is, if it is neither a regular file nor a directory
	ID     string        // object id, in a commit

	PassThrough bool // a directory that is not part of the tree, though something in it may be

	seen *sighting // when it was read before; nil if that is not known
}

// Same reports whether two entries say the same, whatever is known of when they were read.
func (e Entry) Same(other Entry) bool {
	e.seen, other.seen = nil, nil
	return e == other
}

// Walkable reports whether it is a directory on disk: in git, a submodule is none.
func (e Entry) Walkable() bool { return e.Kind == snapshot.Directory || e.Detail == submodule }

const submodule = "submodule"

// IsSubmodule reports whether it is a submodule, or the ".git" that is listed for one that is not checked out.
func (e Entry) IsSubmodule() bool { return e.Detail == submodule }

// repository lists a submodule that is not checked out.
func repository() Listing { return Listing{Entries: []Entry{{Name: GitName, Detail: submodule}}} }

// EntryOf returns the entry of a name in a working tree.
func EntryOf(name string, mode fs.FileMode) Entry {
	kind, detail := kindOf(mode)
	return Entry{Name: name, Kind: kind, Detail: detail}
}

// A Listing is the content of one directory.
type Listing struct {
	Entries []Entry
	Stamp   Stamp
}

// Content is a file as it was read.
type Content struct {
	Size  int64  // bytes
	Data  []byte // nil if there are more bytes than were allowed
	Stamp Stamp
}

// A Stamp tells whether a file or directory changed since it was taken. The zero Stamp is for what cannot change.
type Stamp struct {
	status
	fresh      bool // so new when it was taken that a later change may not show in it
	remembered bool // by a Memory: it was not changed since before this look began
}

var (
	// ErrNotDirectory means that something else is where a directory was to be opened, a symbolic link perhaps.
	ErrNotDirectory = errors.New("not a directory")
	// ErrChanged means that something else is where a file was listed.
	ErrChanged = errors.New("it changed while it was read")
	// ErrTooMany means that a directory holds more than the caller allows.
	ErrTooMany = errors.New("too many entries")
	// ErrNotFetched means that the bytes of an object are not in this clone.
	ErrNotFetched = errors.New("its bytes are not in this clone")
)

// Remembered reports whether the stamp is that of an earlier look.
func (s Stamp) Remembered() bool { return s.remembered }

// Join returns a name in a directory as a path; either may be ".". It is slashpath.Join for what is clean.
func Join(dir, name string) string {
	switch {
	case name == ".":
		return dir
	case dir == ".":
		return name
	}
	return dir + "/" + name
}

// Valid reports whether a name can be part of a path that is shown and sent.
func Valid(name string) bool { return utf8.ValidString(name) }

// Escaped returns a name with every byte that is not UTF-8 as \xNN.
func Escaped(name string) string {
	var b strings.Builder
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, name[0])
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}

// Failure turns an error about a path into a failure, with the fix. A failure stays what it is; nil stays nil.
func Failure(path string, err error) *fault.Failure {
	var f *fault.Failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fault.Newf(fault.Cancelled, "read %s: %v", path, err)
	case errors.Is(err, ErrTooMany):
		return fault.Newf(fault.Limit, "read %s: %v: remove some, or exclude it in the configuration", path, err)
	case errors.Is(err, fs.ErrPermission):
		return fault.Newf(fault.IO, "read %s: permission denied: make it readable for this user (chmod u+rX), or "+
			"exclude it in the configuration", path)
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fault.Newf(fault.IO, "read %s: %v: make it readable, or exclude it in the configuration", path, err)
}

// kindOf returns the kind and, for what is neither a file nor a directory, its name.
func kindOf(mode fs.FileMode) (snapshot.Kind, string) {
	switch {
	case mode.IsRegular():
		return snapshot.Regular, ""
	case mode.IsDir():
		return snapshot.Directory, ""
	case mode&fs.ModeSymlink != 0:
		return snapshot.Symlink, "symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return snapshot.Special, "named pipe"
	case mode&fs.ModeSocket != 0:
		return snapshot.Special, "socket"
	case mode&fs.ModeDevice != 0:
		return snapshot.Special, "device"
	}
	return snapshot.Special, "special file"
}

var temporary = regexp.MustCompile(`^\.stategate-([0-9a-f]{16})-[0-9]{1,9}\.tmp$`)

// TemporaryName names the n-th file that a change with that id, 16 lower-case hex digits, keeps in the tree while it
// is made. Checks do not see such files: replaced content is no longer state, and the next change removes the files
// of an interrupted one.
func TemporaryName(id string, n int) string { return fmt.Sprintf(".stategate-%s-%d.tmp", id, n) }

// Temporary reports whether a name, the last part of a path, is one of TemporaryName.
func Temporary(name string) bool { return temporary.MatchString(name) }

// TemporaryOf returns the id of the change that a temporary name belongs to.
func TemporaryOf(name string) (id string, ok bool) {
	if m := temporary.FindStringSubmatch(name); m != nil {
		return m[1], true
	}
	return "", false
}
