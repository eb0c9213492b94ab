// Package tree provides files from a working tree, the index, or a commit. It lists and reads, but interprets
// nothing.
//
// It never follows a symbolic link, even within the tree, and never opens anything but a regular file for reading.
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

// A Tree is one state of the workspace. Paths are slash-separated and relative to the workspace; "." is the
// workspace itself. For a missing path, the error is fs.ErrNotExist. If a component above the path is not a
// directory (for example a link), the error is ErrNotDirectory. A Tree is safe for concurrent use.
type Tree interface {
	// List returns a directory's entries, sorted by name. It returns ErrTooMany if there are more than max.
	List(dir string, max int) (Listing, error)
	// Stat returns the entry at a path.
	Stat(path string) (Entry, error)
	// Size returns the size in bytes of a regular file that was listed, without reading it.
	Size(path string, e Entry) (int64, error)
	// Read returns a regular file that was listed. If it has more than max bytes, Data is nil.
	Read(path string, e Entry, max int64) (Content, error)
	// Readlink returns a symbolic link's text.
	Readlink(path string) (string, error)
	// Unchanged reports whether path has not changed since the stamp was taken.
	Unchanged(path string, s Stamp) bool
	// IsRepository reports whether the ".git" that was listed in a directory makes it a repository.
	IsRepository(dir string, git Entry) bool
	// Name returns the absolute path of the workspace.
	Name() string
}

// GitName is the entry that makes a directory a repository. It is never state.
const GitName = ".git"

// An Entry is one name in a directory.
type Entry struct {
	Name   string        // unescaped, even if it is not valid UTF-8
	Kind   snapshot.Kind // never BadName: see Name
	Detail string        // describes the entry if it is neither a regular file nor a directory
	ID     string        // object id, in a commit

	PassThrough bool // a directory that is not part of the tree, although its content may be

	seen *sighting // an earlier read of the file; nil if there is none
}

// Same reports whether two entries are equal, regardless of earlier reads.
func (e Entry) Same(other Entry) bool {
	e.seen, other.seen = nil, nil
	return e == other
}

// Walkable reports whether the entry is a directory on disk. In git, a submodule is not a directory.
func (e Entry) Walkable() bool { return e.Kind == snapshot.Directory || e.Detail == submodule }

const submodule = "submodule"

// IsSubmodule reports whether the entry is a submodule, or the ".git" that is listed for a submodule that is
// not checked out.
func (e Entry) IsSubmodule() bool { return e.Detail == submodule }

// repository returns the listing of a submodule that is not checked out.
func repository() Listing { return Listing{Entries: []Entry{{Name: GitName, Detail: submodule}}} }

// EntryOf returns the entry for a name in a working tree.
func EntryOf(name string, mode fs.FileMode) Entry {
	kind, detail := kindOf(mode)
	return Entry{Name: name, Kind: kind, Detail: detail}
}

// A Listing is the content of one directory.
type Listing struct {
	Entries []Entry
	Stamp   Stamp
}

// Content is a file's content.
type Content struct {
	Size  int64  // in bytes
	Data  []byte // nil if the file has too many bytes
	Stamp Stamp
}

// A Stamp detects whether a file or directory has changed since the stamp was taken. The zero Stamp is for entries
// that cannot change.
type Stamp struct {
	status
	fresh      bool // the entry was so new that a later change may not affect the stamp
	remembered bool // by a Memory: unchanged since before this check began
}

var (
	// ErrNotDirectory means that a path component is something other than a directory, such as a symbolic
	// link.
	ErrNotDirectory = errors.New("not a directory")
	// ErrChanged means that a listed file was replaced by something else.
	ErrChanged = errors.New("it changed while it was read")
	// ErrTooMany means that a directory has more entries than the caller allows.
	ErrTooMany = errors.New("too many entries")
	// ErrNotFetched means that this clone lacks an object's bytes.
	ErrNotFetched = errors.New("its bytes are not in this clone")
)

// FetchBytes says how to get an object that git calls missing. Git also calls a damaged object missing.
const FetchBytes = "in a partial clone, fetch them: git fetch --refetch --no-filter; in a full clone, the object is " +
	"damaged: see git fsck"

// Remembered reports whether the stamp comes from an earlier check.
func (s Stamp) Remembered() bool { return s.remembered }

// Join joins a directory and a name into a path. Either may be ".". It is slashpath.Join for clean arguments.
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

// Escaped returns a name with each byte that is not valid UTF-8 written as \xNN.
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

// Failure turns an error about a path into a failure that includes the fix. It returns an existing failure unchanged,
// and nil for nil.
func Failure(path string, err error) *fault.Failure {
	var f *fault.Failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fault.Newf(fault.Cancelled, "read %s: %v", path, err)
	case errors.Is(err, ErrNotFetched):
		return fault.Newf(fault.Source, "read %s: %v; %s", path, ErrNotFetched, FetchBytes)
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

// kindOf returns the kind and, if it is neither a file nor a directory, a description.
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

// TemporaryName returns the name of the nth temporary file in the tree of a change in progress. id is 16 lower-case
// hex digits. Checks ignore such files, because replaced content is no longer state. If the change is interrupted,
// the next change deletes them.
func TemporaryName(id string, n int) string { return fmt.Sprintf(".stategate-%s-%d.tmp", id, n) }

// Temporary reports whether a path's last component is a TemporaryName.
func Temporary(name string) bool { return temporary.MatchString(name) }

// TemporaryOf returns the id of the change that a temporary name belongs to.
func TemporaryOf(name string) (id string, ok bool) {
	if m := temporary.FindStringSubmatch(name); m != nil {
		return m[1], true
	}
	return "", false
}
