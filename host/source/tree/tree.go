// Package tree is where bytes come from: a work tree, the index, or a commit. It lists and reads, and interprets nothing.
//
// No symbolic link is ever followed, also not one that stays inside the tree, and nothing that is not a regular file
// is ever opened to be read.
package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/sdk/snapshot"
)

// A Tree is one state of the directory that everything is relative to, the anchor. It is safe for concurrent use.
type Tree interface {
	// Open opens a directory, slash-separated below the anchor, "." for the anchor itself. The error is fs.ErrNotExist
	// if nothing is there, and ErrNotDirectory if it, or something above it, is something else.
	Open(ctx context.Context, dir string) (Dir, error)
}

// A Dir is an open directory of a Tree. Paths are slash-separated below it, "." is the directory itself. One goroutine
// uses it at a time. Close it.
type Dir interface {
	// List returns what is directly in a directory, sorted by name; ErrTooMany if that is more than max.
	List(path string, max int) (Listing, error)
	// Size returns the size of a regular file that was listed, in bytes, without reading it.
	Size(path string, e Entry) (int64, error)
	// Read returns a regular file that was listed. One that is larger than max bytes comes without Data.
	Read(path string, e Entry, max int64) (Content, error)
	// Unchanged reports whether path is still as it was when the stamp was taken.
	Unchanged(path string, s Stamp) bool
	Close() error
}

// An Entry is one name in a directory.
type Entry struct {
	Name   string        // as it is, also if it is not valid UTF-8
	Kind   snapshot.Kind // never BadName: see Name
	Detail string        // what it is, if it is neither a regular file nor a directory
	ID     string        // object id, in a commit
}

// EntryOf returns the entry of a name in a work tree.
func EntryOf(name string, mode fs.FileMode) Entry {
	kind, detail := kindOf(mode)
	return Entry{Name: name, Kind: kind, Detail: detail}
}

// EntryOfGit returns the entry of a name that git has.
func EntryOfGit(name, mode, id string) Entry {
	kind, detail := kindOfGit(mode)
	return Entry{Name: name, Kind: kind, Detail: detail, ID: id}
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
	info  fs.FileInfo
	fresh bool // so new when it was taken that a later change may not show in it
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

// Failure returns the failure that an error over a path is, with the cure. A failure stays what it is; nil stays nil.
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
		return fault.Newf(fault.IO, "read %s: permission denied: make it readable for this user (chmod u+rX), or exclude it in the configuration", path)
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
