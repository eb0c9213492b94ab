//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// inRoot makes a command run in another root directory, as a user that does not exist on any system.
func inRoot(root, dir string, args []string) *exec.Cmd {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	return c
}
