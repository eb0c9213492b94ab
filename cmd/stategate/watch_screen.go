package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// A screen is the terminal while status --watch draws on it: raw keys, the alternate
// screen, no cursor, and no wrapping should a character be wider than thought.
type screen struct {
	in, out       *os.File
	lock          sync.Mutex
	before        *term.State // nil while the terminal is as it was
	shown         []string    // the frame on the screen
	width, height int
}

const (
	enterScreen = "\x1b[?1049h\x1b[?25l\x1b[?7l"
	leaveScreen = "\x1b[m\x1b[?7h\x1b[?25h\x1b[?1049l"
)

// enter takes the terminal over, again where another program has had it since.
func (s *screen) enter() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	before, err := term.MakeRaw(int(s.in.Fd()))
	if err != nil {
		return err
	}
	if s.before == nil {
		s.before = before
	}
	enableSequences(s.out)
	s.shown = nil
	s.width, s.height = terminalSize(s.out)
	_, err = io.WriteString(s.out, enterScreen)
	return err
}

// leave makes the terminal what it was.
func (s *screen) leave() {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.before != nil {
		_, _ = io.WriteString(s.out, leaveScreen)
		_ = term.Restore(int(s.in.Fd()), s.before)
		s.before = nil
	}
}

// resized reports whether the terminal has another size than it had.
func (s *screen) resized() bool {
	width, height := terminalSize(s.out)
	if width == s.width && height == s.height {
		return false
	}
	s.width, s.height, s.shown = width, height, nil
	return true
}

// draw writes the rows that differ from those on the screen.
func (s *screen) draw(frame []string) error {
	text := changedRows(s.shown, frame)
	s.shown = frame
	if text == "" {
		return nil
	}
	_, err := io.WriteString(s.out, text)
	return err
}

// changedRows makes frame of what is shown. A row is erased before it is written: behind
// a full one the erasing would take its last character.
func changedRows(shown, frame []string) string {
	var b strings.Builder
	if len(shown) != len(frame) {
		b.WriteString("\x1b[2J")
		shown = make([]string, len(frame))
	}
	for i, row := range frame {
		if row != shown[i] {
			fmt.Fprintf(&b, "\x1b[%d;1H\x1b[2K%s", i+1, row)
		}
	}
	return b.String()
}

// typed reads keys until the input ends, which closes the channel.
func (s *screen) typed() <-chan key {
	keys := make(chan key)
	go func() {
		defer close(keys)
		buffer, rest := make([]byte, 256), ""
		for {
			n, err := s.in.Read(buffer)
			if err != nil {
				return
			}
			var pressed []key
			pressed, rest = keysIn(rest + string(buffer[:n]))
			for _, k := range pressed {
				keys <- k
			}
		}
	}()
	return keys
}
