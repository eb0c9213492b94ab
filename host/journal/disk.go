package journal

import (
	"errors"
	"io/fs"
)

// A Disk is what a transaction needs of a file system. Names are slash-separated
// below its top, which is ".". No call follows a symbolic link, neither at the end of a name
// nor on the way. That of the tests fails, or dies, at a chosen call.
type Disk interface {
	Lstat(name string) (Info, error)
	Read(name string, max int64) ([]byte, Info, error)   // a regular file of at most max bytes
	List(name string) ([]string, error)                  // the names in a directory, sorted
	Write(name string, data []byte, as Attributes) error // makes a new file, whose bytes are durable when it returns
	Rename(from, to string) error                        // a file or directory; a file takes the place of another
	Remove(name string) error                            // a file or an empty directory
	Mkdir(name string, as Attributes) error
	Sync(dir string) error // makes the names in a directory durable
}

// Info is what Lstat returns.
type Info struct {
	Attributes
	Kind Kind
	Same func(Info) bool // whether another Info is of the same file, under whatever name
	Sys  fs.FileInfo     // as the system has it; nil in tests without one
}

// Attributes of a file or directory that outlive its replacement.
type Attributes struct {
	Mode  fs.FileMode // permission bits; of a directory setgid and sticky, too
	Exact bool        // set Mode and owner exactly; otherwise the system's defaults hold
	Owner *Owner      // nil where there is none, or if it is the caller
}

// An Owner is a user and a group of Unix.
type Owner struct{ User, Group int }

// A Kind is what is at a name.
type Kind uint8

// The kinds.
const (
	Special Kind = iota // neither of these: never touched
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
	errLink       = errors.New("a symbolic link or something else is where a directory was expected; it is not followed")
)

// modeBits are those that are kept. A file loses setuid and setgid when its bytes
// change, as it does when it is written to.
func modeBits(dir bool) fs.FileMode {
	if dir {
		return fs.ModePerm | fs.ModeSetgid | fs.ModeSticky
	}
	return fs.ModePerm
}
