//go:build unix && !linux

package worker

import (
	"os/exec"
	"syscall"
)

// isolate makes a worker a process group of its own, so that Ctrl-C reaches the parent alone. When the parent is
// killed the worker reads the end of its input, or runs into its limit of processor time.
func isolate(cmd *exec.Cmd) {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
