package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// ErrLocked says that another process is applying changes.
var ErrLocked = errors.New("another stategate is applying changes here, or is waiting for an answer on a terminal: wait until it has ended, or stop it, then run this again")

// A ChangedError names files that are not as a transaction expects them. Nothing was changed.
type ChangedError struct{ Paths []string }

func (e *ChangedError) Error() string {
	return strings.Join(e.Paths, ", ") + " changed meanwhile"
}

// cure says what helps against an error of the system.
func cure(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "; free some space, then run this again"
	case errors.Is(err, syscall.EDQUOT):
		return "; the quota is used up: free some space, then run this again"
	case errors.Is(err, syscall.EROFS):
		return "; the file system is mounted read-only: make it writable, then run this again"
	case errors.Is(err, fs.ErrPermission):
		return "; make it writable for this user (chmod u+w), then run this again"
	case errors.Is(err, syscall.EXDEV):
		return "; it would move to another file system, which cannot be done atomically: move it by hand"
	}
	return ""
}

// An ApplyError says what could not be done. Everything is as it was, unless Stuck is not nil.
type ApplyError struct {
	Err   error
	Stuck error // why rolling back what was done failed, too; the next Open tries again
}

func (e *ApplyError) Error() string {
	text := e.Err.Error() + cure(e.Err)
	if e.Stuck != nil {
		return fmt.Sprintf("%s; the changes made so far could not be rolled back (%v%s); the next run of stategate tries again", text, e.Stuck, cure(e.Stuck))
	}
	return text
}

func (e *ApplyError) Unwrap() error { return e.Err }
