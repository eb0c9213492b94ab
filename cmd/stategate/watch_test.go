package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// following is a follower of dir with what it sends.
func following(t *testing.T, dir string) (*follower, <-chan looked) {
	t.Helper()
	needBuiltIns(t)
	a := &app{stdout: io.Discard, stderr: io.Discard, env: environment{all: os.Environ(), dir: dir, cacheDir: followCache(t), build: "test"}}
	l := &follower{app: a, quiet: a.silent(), flags: &lookFlags{plugins: []string{"ocr"}, now: "2026-03-12T16:00:00Z"}, command: a.statusVerb()}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := l.look(ctx, a, nil); err != nil {
		t.Fatal(err)
	}
	out, done := &handOn{ctx, make(chan looked)}, make(chan struct{})
	go func() {
		defer close(done)
		l.follow(ctx, out)
	}()
	t.Cleanup(func() { cancel(); <-done })
	return l, out.saw
}

// A handOn passes on all that a follower finds.
type handOn struct {
	ctx context.Context
	saw chan looked
}

func (r *handOn) tell(looking) {}

func (r *handOn) show(saw looked) {
	select {
	case r.saw <- saw:
	case <-r.ctx.Done():
	}
}

func followCache(t *testing.T) string { return filepath.Join(t.TempDir(), "cache") }

// until waits for a look that shows what is wanted, and fails if none does.
func until(t *testing.T, out <-chan looked, what string, want func(looked) bool) looked {
	t.Helper()
	last := looked{}
	for end := time.After(60 * time.Second); ; {
		select {
		case last = <-out:
			if want(last) {
				return last
			}
		case <-end:
			t.Fatalf("%s is never shown; last seen: %+v", what, last)
		}
	}
}

func roots(saw looked) string {
	var list []string
	for _, r := range saw.rows {
		list = append(list, filepath.Base(r.Root)+"="+r.Phase)
	}
	return strings.Join(list, " ")
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const sessionState = `{"session_id": "%s", "workflow_type": "review", "status": "active", "current_phase": "%s", "phase_number": %d, "current_round": 1,
 "started_at": "2026-03-11T08:00:11Z", "round_started_at": "2026-03-11T08:00:11Z", "updated_at": "2026-03-11T17:21:52Z"}`

// TestFollow: what happens to a tree is shown: roots that come late, in ignored
// directories, files that are replaced, directories that move and go, the tree itself.
func TestFollow(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(top, "repo")
	put(t, dir+"/.gitignore", ".ocr/\nnode_modules/\n")
	put(t, dir+"/node_modules/a/b/c.js", "")
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	l, out := following(t, dir)
	sessions := dir + "/.ocr/sessions"

	put(t, sessions+"/2026-03-11-a/discovered-standards.md", "Standards.")
	put(t, sessions+"/2026-03-11-a/state.json", fmt.Sprintf(sessionState, "2026-03-11-a", "change-context", 2))
	until(t, out, "a root that comes late", func(s looked) bool { return roots(s) == "2026-03-11-a=change-context" })

	put(t, sessions+"/tmp", fmt.Sprintf(sessionState, "2026-03-11-a", "context", 1))
	if err := os.Rename(sessions+"/tmp", sessions+"/2026-03-11-a/state.json"); err != nil {
		t.Fatal(err)
	}
	until(t, out, "a replaced file", func(s looked) bool { return roots(s) == "2026-03-11-a=context" })

	put(t, sessions+"/2026-03-11-a/rounds/round-1/reviews/quality-1.md", "Fine.")
	put(t, sessions+"/2026-03-11-a/rounds/round-1/reviews/principal-1.md", "Fine.")
	until(t, out, "a file in new directories", func(s looked) bool { return strings.Contains(roots(s), "reviews") })

	if err := os.Rename(sessions+"/2026-03-11-a", sessions+"/2026-03-11-b"); err != nil {
		t.Fatal(err)
	}
	until(t, out, "a moved root", func(s looked) bool { return strings.HasPrefix(roots(s), "2026-03-11-b=") })
	put(t, sessions+"/2026-03-11-b/rounds/round-1/final.md", "## Verdict\n\nAPPROVE\n")
	until(t, out, "a file in a moved root", func(s looked) bool { return strings.Contains(roots(s), "=complete") })

	if err := os.RemoveAll(dir + "/.ocr"); err != nil {
		t.Fatal(err)
	}
	until(t, out, "that all are gone", func(s looked) bool { return roots(s) == "" && s.err == "" })

	if err := os.Rename(dir, top+"/moved"); err != nil {
		t.Fatal(err)
	}
	until(t, out, "that the tree is gone", func(s looked) bool { return s.err != "" })
	put(t, top+"/moved/.ocr/sessions/2026-03-11-c/discovered-standards.md", "Standards.")
	if err := os.Rename(top+"/moved", dir); err != nil {
		t.Fatal(err)
	}
	saw := until(t, out, "that the tree is back", func(s looked) bool { return strings.HasPrefix(roots(s), "2026-03-11-c=") })
	if saw.polling != "" {
		t.Errorf("it polls: %s", saw.polling)
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	for d := range l.dirs {
		if strings.Contains(d, "node_modules") || strings.Contains(d, ".git/") {
			t.Errorf("%s is watched", d)
		}
	}
}
