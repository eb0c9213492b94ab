package worker

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/testdata/guests"
)

const orphanVerb = "__parent"

func init() {
	if len(os.Args) > 1 && os.Args[1] == orphanVerb {
		parent()
	}
}

// parent runs an endless loop in a worker.
func parent() {
	p, err := NewPool(Config{Jobs: 1, Limits: limits.Default()})
	if err != nil {
		panic(err)
	}
	go p.Do(context.Background(), Job{Plugin: named(guests.All()["call-tree"].Wasm), Payload: one("{}")})
	for !busy(p) {
		time.Sleep(time.Millisecond)
	}
	for w := range p.busy {
		fmt.Println(w.cmd.Process.Pid)
	}
	select {}
}

// TestOrphan: a worker in a loop that nothing can interrupt dies with its parent, even if the parent is killed.
func TestOrphan(t *testing.T) {
	cmd := exec.Command(os.Args[0], orphanVerb)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var pid int
	if _, scanErr := fmt.Sscan(strings.TrimSpace(line), &pid); err != nil || scanErr != nil {
		t.Fatalf("%q: %v, %v", line, err, scanErr)
	}
	if !running(pid) {
		t.Fatal("the worker does not run")
	}
	_ = cmd.Process.Signal(syscall.SIGKILL)
	_ = cmd.Wait()
	for deadline := time.Now().Add(5 * time.Second); running(pid) && !zombie(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("worker %d outlives its parent", pid)
		}
	}
}

// zombie reports whether a process is dead but not yet reaped, because the new parent may take its time.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}
