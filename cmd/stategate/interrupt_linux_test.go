package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stategate/stategate/testdata/guests"
)

// TestInterrupt interrupts a check with a plugin that never answers. The exit code names the signal, and no worker
// remains.
func TestInterrupt(t *testing.T) {
	for signal, code := range map[os.Signal]int{os.Interrupt: 130, syscall.SIGTERM: 143} {
		t.Run(signal.String(), func(t *testing.T) { interrupt(t, signal, code) })
	}
}

func interrupt(t *testing.T, signal os.Signal, code int) {
	dir := t.TempDir()
	file := filepath.Join(dir, "loop.wasm")
	write(t, file, guests.All()["endless-loop"].Wasm)
	write(t, filepath.Join(dir, guests.Root, guests.Document), []byte(guests.Text))
	var stdout, stderr bytes.Buffer
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "check", "--plugin="+file, dir)
	cmd.Args[0] = "stategate"
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	workers := waitForWorkers(t, cmd.Process.Pid)
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != code {
		t.Errorf("it ends with %v, expected exit code %d", err, code)
	}
	if got, want := stderr.String(), "stategate: interrupted\n"; got != want {
		t.Errorf("stderr is %q, expected %q", got, want)
	}
	if stdout.Len() > 0 {
		t.Errorf("stdout is %q, expected nothing", stdout.String())
	}
	for _, pid := range workers {
		waitFor(t, fmt.Sprintf("the end of worker %d", pid),
			func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
	}
}

// waitForWorkers waits for children that lead separate process groups, and returns them. Ctrl-C still reaches other
// children, such as the process with which package os probes for pidfds; it shares its parent's memory and dies
// with it.
func waitForWorkers(t *testing.T, pid int) (workers []int) {
	t.Helper()
	waitFor(t, "a worker", func() bool {
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
		for _, f := range files {
			text, _ := os.ReadFile(f)
			for field := range strings.FieldsSeq(string(text)) {
				n, err := strconv.Atoi(field)
				if err != nil {
					continue
				}
				if group, err := syscall.Getpgid(n); err == nil && group == n {
					workers = append(workers, n)
				}
			}
		}
		return len(workers) > 0
	})
	return workers
}

func waitFor(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for range 2000 {
		if happened() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s: it does not come", what)
}
