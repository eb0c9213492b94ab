//go:build unix

package tree

import "syscall"

const (
	// openDirectory opens nothing but a directory, and never waits.
	openDirectory = syscall.O_DIRECTORY | syscall.O_NONBLOCK
	// openQuietly never waits for the other end of a pipe and never takes a terminal.
	openQuietly = syscall.O_NONBLOCK | syscall.O_NOCTTY
)
