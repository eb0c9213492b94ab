package worker

import (
	"os/exec"
	"syscall"
)

// isolate makes a worker a process group of its own, so that Ctrl-C reaches the parent alone, and makes it die with the
// parent.
func isolate(cmd *exec.Cmd) {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
