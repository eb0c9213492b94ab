//go:build unix

package tree

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// openDirectory opens nothing but a directory, and never waits.
	openDirectory = syscall.O_DIRECTORY | syscall.O_NONBLOCK
	// openQuietly never waits for the other end of a pipe and never takes a terminal.
	openQuietly = syscall.O_NONBLOCK | syscall.O_NOCTTY
)

// lister returns another handle of an open directory, to list it with. A handle from an os.Root reads every entry once
// more (Go 1.26), which triples the time of a large directory; types are all that is wanted here.
func lister(d *os.File) (*os.File, error) {
	conn, err := d.SyscallConn()
	if err != nil {
		return nil, err
	}
	var fd int
	var failed error
	if err := conn.Control(func(own uintptr) { fd, failed = unix.FcntlInt(own, unix.F_DUPFD_CLOEXEC, 0) }); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, os.NewSyscallError("dup", failed)
	}
	return os.NewFile(uintptr(fd), d.Name()), d.Close()
}
