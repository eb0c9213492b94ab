package worker

import (
	"os/exec"
	"syscall"
)

// isolate puts a worker into its own process group, so that Ctrl-C reaches only the parent, and makes it die with the
// parent.
func isolate(cmd *exec.Cmd) {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
