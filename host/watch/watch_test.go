package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWait: whatever happens in a directory after Add is reported, also before Wait begins.
func TestWait(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"a new file":        func(dir string) error { return os.WriteFile(filepath.Join(dir, "b"), nil, 0o644) },
		"a written file":    func(dir string) error { return os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o644) },
		"a file that goes":  func(dir string) error { return os.Remove(filepath.Join(dir, "a")) },
		"a new directory":   func(dir string) error { return os.Mkdir(filepath.Join(dir, "d"), 0o755) },
		"a renamed file":    func(dir string) error { return os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "c")) },
		"a directory gone":  os.RemoveAll,
		"a directory moved": func(dir string) error { return os.Rename(dir, dir+"-moved") },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "d")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "a"), []byte("1"), 0o644); err != nil {
				t.Fatal(err)
			}
			w := New()
			defer w.Close()
			w.Add(dir)
			if err := change(dir); err != nil {
				t.Fatal(err)
			}
			if took := wait(w, 30*time.Second); took > 20*time.Second {
				t.Errorf("it is not reported")
			}
			if w.Err() != nil {
				t.Error(w.Err())
			}
		})
	}
}

func wait(w *Watcher, most time.Duration) time.Duration {
	start := time.Now()
	w.Wait(context.Background(), most)
	return time.Since(start)
}

// TestWaitEnds: without a change it returns after most, and when the context is done.
func TestWaitEnds(t *testing.T) {
	w := New()
	defer w.Close()
	w.Add(t.TempDir())
	if took := wait(w, 50*time.Millisecond); took < 50*time.Millisecond {
		t.Errorf("it returned after %s", took)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w.Wait(ctx, time.Hour)
}

// TestWaitForQuiet: a tree that never gets quiet is reported all the same.
func TestWaitForQuiet(t *testing.T) {
	w, done := New(), make(chan struct{})
	defer w.Close()
	dir := t.TempDir()
	w.Add(dir)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			case <-time.After(quiet / 10):
				_ = os.WriteFile(filepath.Join(dir, "a"), fmt.Append(nil, n), 0o644)
			}
		}
	}()
	took := wait(w, 30*time.Second)
	close(done)
	if took < patience || took > 20*time.Second {
		t.Errorf("it returned after %s", took)
	}
}

// TestErr: what cannot be watched is said with the cure; a directory that is gone is not an error.
func TestErr(t *testing.T) {
	w := New()
	defer w.Close()
	w.Add(filepath.Join(t.TempDir(), "gone"))
	if w.Err() != nil {
		t.Error(w.Err())
	}
	w.n = maxDirs
	w.Add(t.TempDir())
	if err := w.Err(); err == nil || !strings.Contains(err.Error(), "20000") {
		t.Error(err)
	}
	for err, cure := range map[error]string{syscall.ENOSPC: "max_user_watches", syscall.EMFILE: "ulimit -n"} {
		w.err = &os.SyscallError{Err: err}
		if got := w.Err(); !strings.Contains(got.Error(), cure) {
			t.Errorf("%v: %v", err, got)
		}
	}
}
