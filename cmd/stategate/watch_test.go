package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// following is a follower of dir with what it sends.
func following(t *testing.T, dir string) (*follower, <-chan looked) {
	t.Helper()
	needBuiltIns(t)
	a := &app{stdout: io.Discard, stderr: io.Discard, env: environment{all: os.Environ(), dir: dir, here: dir, cacheDir: compiled(), build: "test"}}
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

// TestFollowIsStatus: after any changes the view shows what a status that is called then
// shows, however little was read anew.
func TestFollowIsStatus(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sessions := dir + "/.ocr/sessions/"
	for i := range 5 {
		begun(t, sessions, i, "context")
	}
	l, out := following(t, dir)
	plain := &follower{app: l.app, quiet: l.quiet, flags: l.flags, command: l.command}
	r := rand.New(rand.NewPCG(1, 9))
	for step := range 12 {
		for range 1 + r.IntN(3) {
			change(t, r, dir, sessions)
		}
		plain.memory.Forget([]string{"."})
		want, err := plain.look(context.Background(), l.quiet, nil)
		if err != nil {
			t.Fatal(err)
		}
		until(t, out, fmt.Sprintf("what a status shows after step %d, %+v,", step, want.rows), func(s looked) bool { return reflect.DeepEqual(s.rows, want.rows) })
	}
}

// begun makes session i anew, in the phase.
func begun(t *testing.T, sessions string, i int, phase string) {
	t.Helper()
	name := fmt.Sprint("2026-03-11-", i)
	put(t, sessions+name+"/discovered-standards.md", "Standards.")
	put(t, sessions+name+"/state.json", fmt.Sprintf(sessionState, name, phase, 1))
}

// change does one thing at random to five sessions.
func change(t *testing.T, r *rand.Rand, dir, sessions string) {
	t.Helper()
	i := r.IntN(5)
	session := sessions + fmt.Sprint("2026-03-11-", i)
	switch r.IntN(8) {
	case 0:
		begun(t, sessions, i, []string{"context", "analysis", "nonsense"}[r.IntN(3)])
	case 1: // as editors write
		put(t, sessions+"tmp", fmt.Sprintf(sessionState, filepath.Base(session), "change-context", 2))
		if os.MkdirAll(session, 0o755) == nil {
			_ = os.Rename(sessions+"tmp", session+"/state.json")
		}
	case 2:
		put(t, session+"/rounds/round-1/reviews/quality-1.md", "Fine.")
	case 3:
		_ = os.RemoveAll(session)
	case 4:
		_ = os.Rename(session, sessions+fmt.Sprint("2026-03-11-", r.IntN(9)))
	case 5:
		_ = os.RemoveAll(session + "/rounds")
	case 6:
		put(t, dir+"/.gitignore", []string{"", "final.md\n", "reviews/\n"}[r.IntN(3)])
	case 7: // the sessions as a whole move away, and others come
		_ = os.Rename(dir+"/.ocr", dir+"/away")
		begun(t, sessions, i, "analysis")
		_ = os.RemoveAll(dir + "/away")
	}
}
