package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/edit"
)

// A Disk provides the file operations that a transaction needs. Names are slash-separated and relative to its top,
// which is ".". No call follows a symbolic link, neither at the end of a name nor on the way. The Disk of the tests
// fails, or dies, at a chosen call.
type Disk interface {
	Lstat(name string) (Info, error)
	Read(name string, max int64) ([]byte, Info, error)   // a regular file of at most max bytes
	List(name string) ([]string, error)                  // the names in a directory, sorted
	Write(name string, data []byte, as Attributes) error // creates a new file, whose bytes are durable when it returns
	Rename(from, to string) error                        // a file or directory; a file replaces another file
	Remove(name string) error                            // a file or an empty directory
	Mkdir(name string, as Attributes) error
	Sync(dir string) error // makes the names in a directory durable
}

// Info is what Lstat returns.
type Info struct {
	Attributes
	Kind Kind
	Same func(Info) bool // reports whether another Info is of the same file, under any name
	Sys  fs.FileInfo     // the system's; nil in tests that have none
}

// Attributes are the attributes that a file or directory keeps when it is replaced.
type Attributes struct {
	Mode  fs.FileMode // permission bits; for a directory also setgid and sticky
	Exact bool        // set Mode and owner exactly; otherwise use the system's defaults
	Owner *Owner      // nil if there is none, or if it is the caller
}

// An Owner is a Unix user and group.
type Owner struct{ User, Group int }

// A Kind is the type of an entry.
type Kind uint8

const (
	Special Kind = iota // none of the others; never touched
	Regular
	Directory
	Symlink // never touched
)

func (k Kind) String() string {
	return [...]string{"special file", "file", "directory", "symbolic link"}[k]
}

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = errors.New("too large to be kept for a rollback")
	errLink       = errors.New("expected a directory, found a symbolic link or something else; it is not followed")
)

// modeBits returns the mode bits that are kept. A file loses setuid and setgid when its bytes change, as it does when
// it is written to.
func modeBits(dir bool) fs.FileMode {
	if dir {
		return fs.ModePerm | fs.ModeSetgid | fs.ModeSticky
	}
	return fs.ModePerm
}

// checkName rejects a path that a transaction must not touch: a path outside the workspace, in git's own directory
// under any spelling, or of a temporary file.
func checkName(name string) error {
	switch {
	case name == "" || name == ".":
		return fmt.Errorf("the path %q is the workspace root itself, which no change may touch", name)
	case !utf8.ValidString(name) || strings.ContainsAny(name, "\x00\\"):
		return fmt.Errorf("the path %q is not a slash-separated path", name)
	case path.IsAbs(name) || len(name) > 1 && name[1] == ':' || path.Clean(name) != name || name == ".." ||
		strings.HasPrefix(name, "../"):
		return fmt.Errorf("the path %q is not below the workspace root", name)
	case edit.InGitFolder(name):
		return fmt.Errorf("the path %q leads into git's own folder", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if tree.Temporary(part) {
			return fmt.Errorf("the path %q has the name of a temporary file", name)
		}
	}
	return nil
}

// guard rejects a path with a parent that is not a directory, or that is another repository.
func guard(tree Disk, name string) error {
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		info, err := tree.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if info.Kind != Directory {
			return fmt.Errorf("%s is a %s, expected a directory; it is not followed, and its target is not changed",
				at, info.Kind)
		}
		if err := repository(tree, at); err != nil {
			return err
		}
	}
	return nil
}

// repository rejects a directory that contains an entry called .git.
func repository(tree Disk, dir string) error {
	_, err := tree.Lstat(path.Join(dir, ".git"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%s is a separate git repository, which is not changed from outside; run stategate there", dir)
}

// noRepository rejects a directory that contains a repository at any depth.
func noRepository(disk Disk, dir string) error {
	if err := repository(disk, dir); err != nil {
		return err
	}
	names, err := disk.List(dir)
	for _, name := range names {
		info, failed := disk.Lstat(path.Join(dir, name))
		if failed == nil && info.Kind == Directory {
			failed = noRepository(disk, path.Join(dir, name))
		}
		if failed != nil {
			return failed
		}
	}
	return err
}

// ErrLocked means that another process is applying changes.
var ErrLocked = errors.New("another stategate is applying changes here, or is waiting for an answer on a terminal: " +
	"wait until it has ended, or stop it, then run the command again")

// A ChangedError names files that differ from what a transaction expects. Nothing was changed.
type ChangedError struct{ Paths []string }

func (e *ChangedError) Error() string {
	return strings.Join(e.Paths, ", ") + " changed in the meantime"
}

// fixFor suggests a fix for a system error.
func fixFor(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "; free some space, then run the command again"
	case errors.Is(err, syscall.EDQUOT):
		return "; the quota is used up: free some space, then run the command again"
	case errors.Is(err, syscall.EROFS):
		return "; the file system is mounted read-only: make it writable, then run the command again"
	case errors.Is(err, fs.ErrPermission):
		return "; make it writable for this user (chmod u+w), then run the command again"
	case errors.Is(err, syscall.EXDEV):
		return "; it would move to another file system, which cannot be done atomically: move it by hand"
	}
	return ""
}

// An ApplyError says what could not be done. Everything is unchanged, unless Stuck is not nil.
type ApplyError struct {
	Err   error
	Stuck error // why rolling back also failed; the next Open tries again
}

func (e *ApplyError) Error() string {
	text := e.Err.Error() + fixFor(e.Err)
	if e.Stuck != nil {
		return fmt.Sprintf("%s; the changes made so far could not be rolled back (%v%s); the next run of stategate "+
			"tries again", text, e.Stuck, fixFor(e.Stuck))
	}
	return text
}

func (e *ApplyError) Unwrap() error { return e.Err }
