//go:build unix

package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stategate/stategate/testdata/gittest"
)

// TestPipes: git waits forever for the other end of a named pipe among its own files. It is killed, and the failure
// says so.
func TestPipes(t *testing.T) {
	ask := map[string]func(r *Repo, id string) error{
		"HEAD": func(r *Repo, _ string) error { _, err := r.Commit(context.Background(), "HEAD"); return err },
		"packed-refs": func(r *Repo, _ string) error {
			_,
				err := r.Commit(context.Background(), "no/such")
			return err
		},
		"config": func(r *Repo, _ string) error {
			_,
				err := r.Config(context.Background(), "core.bare")
			return err
		},
		"index":      func(r *Repo, _ string) error { _, err := r.Index(context.Background()); return err },
		"MERGE_HEAD": func(r *Repo, _ string) error { _, err := r.Heads(context.Background()); return err },
		"objects/??/blob": func(r *Repo, id string) error {
			o := r.Objects(context.Background())
			defer o.Close()
			_, err := o.Read(id, 10)
			return err
		},
	}
	for place, ask := range ask {
		t.Run(strings.ReplaceAll(place, "/", "-"), func(t *testing.T) {
			t.Parallel()
			top := gittest.Repository(t, map[string]string{"x": "x"})
			id := gittest.Run(t, top, "rev-parse", "HEAD:x")
			name := filepath.Join(top, ".git", filepath.FromSlash(strings.Replace(place, "??/blob", id[:2]+"/"+id[2:],
				1)))
			_ = os.Remove(name)
			if err := syscall.Mkfifo(name, 0o644); err != nil {
				t.Fatal(err)
			}
			r := Find(top, Settings{Environ: gittest.Environ(), Dir: top, Patience: 300 * time.Millisecond})
			err := ask(r, id)
			if err == nil || !strings.Contains(err.Error(), "did not finish within 300ms") &&
				!strings.Contains(err.Error(), "not a regular file") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestPipeOfIgnoreRules: a pipe in place of an ignore file is treated as missing.
func TestPipeOfIgnoreRules(t *testing.T) {
	top := gittest.Repository(t, nil)
	name := filepath.Join(top, ".git", "info", "exclude")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(name, 0o644); err != nil {
		t.Fatal(err)
	}
	if list, _, err := find(t, top).IgnoreSources(context.Background(), true); err != nil || len(list) > 0 {
		t.Errorf("got %v, %v", list, err)
	}
}
