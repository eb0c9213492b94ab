//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyView tells when the terminal has another size, and when the process goes on
// after it was stopped.
func notifyView(resize, continued chan os.Signal) (stop func()) {
	signal.Notify(resize, syscall.SIGWINCH)
	signal.Notify(continued, syscall.SIGCONT)
	return func() {
		signal.Stop(resize)
		signal.Stop(continued)
	}
}

// suspend stops this process and its workers, as Ctrl-Z does.
func suspend() { _ = syscall.Kill(0, syscall.SIGTSTP) }

// enableSequences is for systems whose terminals have to be asked to obey them.
func enableSequences(*os.File) {}
