//go:build unix

package main

import "syscall"

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o644) }

// mkzero creates a device file that never ends.
func mkzero(path string) error {
	const major, minor = 1, 5
	return syscall.Mknod(path, syscall.S_IFCHR|0o666, major<<8|minor)
}
