package main

import (
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// notifyView has the size of the terminal compared again and again: the system does
// not tell of it.
func notifyView(resize, _ chan os.Signal) (stop func()) {
	ticker, done := time.NewTicker(moment), make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				select {
				case resize <- nil:
				default:
				}
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(done)
	}
}

// suspend does nothing: there is no shell that continues it.
func suspend() {}

// enableSequences has the console obey control sequences. What cannot is older than Windows 10.
func enableSequences(out *os.File) {
	var mode uint32
	console := windows.Handle(out.Fd())
	if windows.GetConsoleMode(console, &mode) == nil {
		_ = windows.SetConsoleMode(console, mode|windows.ENABLE_PROCESSED_OUTPUT|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
	}
}
