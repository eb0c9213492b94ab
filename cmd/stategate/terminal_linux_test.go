package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/stategate/stategate/testdata/guests"
)

// A terminal runs stategate like a shell would, with a simulated keyboard and screen.
type terminal struct {
	t             *testing.T
	master, slave *os.File
	before        unix.Termios
	cmd           *exec.Cmd
	lock          sync.Mutex
	seen          bytes.Buffer
}

func onTerminal(t *testing.T, cache, dir string, args ...string) *terminal {
	t.Helper()
	x := &terminal{t: t}
	x.master, x.slave = pseudoTerminal(t)
	before, err := unix.IoctlGetTermios(int(x.slave.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	x.before = *before
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x.cmd = exec.Command(self, args...)
	x.cmd.Args[0], x.cmd.Dir = "stategate", dir
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = x.slave, x.slave, x.slave
	x.cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=", "XDG_CACHE_HOME="+cache)
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.cmd.Process.Kill() })
	go x.show()
	return x
}

// pseudoTerminal opens a terminal with 80 columns and 24 rows.
func pseudoTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, slave, err := openTerminal()
	if master == nil {
		t.Skipf("no terminal can be made here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

func openTerminal() (master, slave *os.File, err error) {
	master, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80})
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	return master, slave, err
}

// onScreen is the stories' program "terminal": it runs its arguments on a separate terminal, types its input there, and
// prints everything that the terminal shows. Its exit code is that of the command.
func onScreen() {
	master, slave, err := openTerminal()
	if err == nil {
		cmd := exec.Command(os.Args[1], os.Args[2:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		err = cmd.Start()
		slave.Close()
		if err == nil {
			go func() {
				_, _ = io.Copy(master, os.Stdin)
				_, _ = master.Write([]byte{4}) // the end of the input
			}()
			_, _ = io.Copy(os.Stdout, master) // until no process has the terminal open, which makes reading fail
			err = cmd.Wait()
		}
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		os.Exit(exit.ExitCode())
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "terminal:", err)
		os.Exit(125)
	}
}

func (x *terminal) show() {
	buffer := make([]byte, 4096)
	for {
		n, err := x.master.Read(buffer)
		x.lock.Lock()
		x.seen.Write(buffer[:n])
		x.lock.Unlock()
		if err != nil {
			return
		}
	}
}

func (x *terminal) text() string {
	x.lock.Lock()
	defer x.lock.Unlock()
	return x.seen.String()
}

// clear discards the output so far.
func (x *terminal) clear() {
	x.lock.Lock()
	defer x.lock.Unlock()
	x.seen.Reset()
}

func (x *terminal) await(what string) {
	x.t.Helper()
	x.t.Cleanup(func() {
		if x.t.Failed() {
			x.t.Logf("the terminal shows %q", x.text())
		}
	})
	waitFor(x.t, fmt.Sprintf("%q on the terminal", what), func() bool { return strings.Contains(x.text(), what) })
}

func (x *terminal) press(keys string) {
	x.t.Helper()
	x.clear()
	if _, err := x.master.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
}

// ends waits until the program exits, and checks its exit code and that the terminal's settings are restored.
func (x *terminal) ends(code int) {
	x.t.Helper()
	var exit *exec.ExitError
	if err := x.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		x.t.Fatal(err)
	}
	if got := x.cmd.ProcessState.ExitCode(); got != code {
		x.t.Errorf("exit code %d, expected %d; the terminal shows %q", got, code, x.text())
	}
	after, err := unix.IoctlGetTermios(int(x.slave.Fd()), unix.TCGETS)
	if err != nil {
		x.t.Fatal(err)
	}
	if *after != x.before {
		x.t.Errorf("the terminal's settings are now %+v, but were %+v", *after, x.before)
	}
}

// TestWatchOnTerminal: a new result replaces the old one in place. Ctrl-C leaves a clean line and restores the
// terminal.
func TestWatchOnTerminal(t *testing.T) {
	needBuiltIns(t)
	for name, c := range map[string]struct {
		end  func(x *terminal)
		code int
	}{
		"Ctrl-C":  {func(x *terminal) { x.press("\x03") }, 130},
		"SIGTERM": {func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGTERM) }, 143},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			session(t, dir, "context")
			x := onTerminal(t, sharedCache, dir, "status", "--watch", "--plugin=ocr", "--now=2026-03-12T16:00:00Z")
			x.await(clearScreen)
			x.await("2026-03-11-a")
			x.clear()
			session(t, dir, "no-such-phase")
			x.await(clearScreen)
			x.await("1 blocked")
			x.clear()
			c.end(x)
			x.ends(c.code)
			waitFor(t, "a clean line", func() bool { return strings.HasSuffix(x.text(), "\r  \r") })
		})
	}
}

func session(t *testing.T, dir, phase string) {
	t.Helper()
	put(t, filepath.Join(dir, ".ocr/sessions/2026-03-11-a/discovered-standards.md"), "Standards.")
	put(t, filepath.Join(dir, ".ocr/sessions/2026-03-11-a/state.json"),
		fmt.Sprintf(sessionState, "2026-03-11-a", phase, 1))
}

// TestInterruptOnTerminal: Ctrl-C leaves one clean line.
func TestInterruptOnTerminal(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "loop.wasm")
	write(t, file, guests.All()["endless-loop"].Wasm)
	write(t, filepath.Join(dir, guests.Root, guests.Document), []byte(guests.Text))
	x := onTerminal(t, dir, dir, "check", "--plugin="+file)
	waitForWorkers(t, x.cmd.Process.Pid)
	x.press("\x03")
	x.await("\rstategate: interrupted\r\n")
	x.ends(130)
}
