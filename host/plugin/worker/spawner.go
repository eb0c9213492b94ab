package worker

import (
	"os/exec"
	"runtime"
)

// spawner starts processes from one thread that lives as long as it does: on Linux a worker is told to die with the
// *thread* that started it, and Go ends threads when it likes.
type spawner struct {
	requests chan spawnRequest
}

type spawnRequest struct {
	cmd  *exec.Cmd
	done chan error
}

func newSpawner() *spawner {
	s := &spawner{requests: make(chan spawnRequest)}
	go s.run()
	return s
}

// run never unlocks its thread, so that the thread ends with it.
func (s *spawner) run() {
	runtime.LockOSThread()
	for r := range s.requests {
		r.done <- r.cmd.Start()
	}
}

// start starts cmd.
func (s *spawner) start(cmd *exec.Cmd) error {
	r := spawnRequest{cmd, make(chan error, 1)}
	s.requests <- r
	return <-r.done
}

// close ends the thread, and with it, on Linux, every process that it started.
func (s *spawner) close() { close(s.requests) }
