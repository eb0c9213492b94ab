//go:build unix && !linux

package worker

import (
	"os/exec"
	"syscall"
)

// isolate puts a worker into its own process group, so that Ctrl-C reaches only the parent. If the parent is killed,
// the worker reads the end of its input or reaches its CPU time limit.
func isolate(cmd *exec.Cmd) {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
