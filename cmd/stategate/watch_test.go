package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stategate/stategate/host/advice"
)

func init() { watchEvery = 20 * time.Millisecond }

// An output keeps the last status that --watch printed.
type output struct {
	t    *testing.T
	lock sync.Mutex
	all  []string
}

func (o *output) Write(p []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.all = append(o.all, strings.TrimPrefix(string(p), "\n"))
	return len(p), nil
}

func (o *output) last() string {
	o.lock.Lock()
	defer o.lock.Unlock()
	if len(o.all) == 0 {
		return ""
	}
	return o.all[len(o.all)-1]
}

// until waits until the last status is the wanted one.
func (o *output) until(what string, want func(text string) bool) {
	o.t.Helper()
	for end := time.Now().Add(60 * time.Second); !want(o.last()); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			o.t.Fatalf("%s is never shown; last seen:\n%s", what, o.last())
		}
	}
}

// watching watches dir until the end of the test.
func watching(t *testing.T, dir, format string) *output {
	t.Helper()
	needBuiltIns(t)
	out := &output{t: t}
	a := testApp(dir, out)
	ctx, cancel := context.WithCancelCause(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := watch(ctx, a, reviews(format), nil); problemOf(err).message != "" {
			t.Errorf("it ends with %v", err)
		}
	}()
	t.Cleanup(func() { cancel(&interruption{os.Interrupt}); <-done })
	out.until("anything", func(text string) bool { return text != "" })
	return out
}

func testApp(dir string, out io.Writer) *app {
	return &app{stdout: out, stderr: io.Discard, env: environment{all: os.Environ(), dir: dir, here: dir,
		cacheDir: compiled(), build: "test"}}
}

func reviews(format string) *statusFlags {
	return &statusFlags{format: format, examineFlags: examineFlags{
		Flags: advice.Flags{Plugins: []string{"ocr"}}, now: "2026-03-12T16:00:00Z"}}
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

// roots returns the runs in a JSON status, with their phases.
func roots(text string) string {
	var d struct {
		Instances []struct {
			Root       string
			Detections []struct{ Observed string }
		}
	}
	var list []string
	if json.Unmarshal([]byte(text), &d) == nil {
		for _, i := range d.Instances {
			for _, x := range i.Detections {
				list = append(list, filepath.Base(i.Root)+"="+x.Observed)
			}
		}
	}
	return strings.Join(list, " ")
}

// TestWatch: --watch shows every kind of change to a tree: new roots, also in ignored directories, replaced files,
// moved and deleted directories, and the tree itself.
func TestWatch(t *testing.T) {
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
	out := watching(t, dir, formatJSON)
	sessions := dir + "/.ocr/sessions"

	put(t, sessions+"/2026-03-11-a/discovered-standards.md", "Standards.")
	put(t, sessions+"/2026-03-11-a/state.json", fmt.Sprintf(sessionState, "2026-03-11-a", "change-context", 2))
	out.until("a root that comes late", func(s string) bool { return roots(s) == "2026-03-11-a=change-context" })

	put(t, sessions+"/tmp", fmt.Sprintf(sessionState, "2026-03-11-a", "context", 1))
	if err := os.Rename(sessions+"/tmp", sessions+"/2026-03-11-a/state.json"); err != nil {
		t.Fatal(err)
	}
	out.until("a replaced file", func(s string) bool { return roots(s) == "2026-03-11-a=context" })

	put(t, sessions+"/2026-03-11-a/rounds/round-1/reviews/quality-1.md", "Fine.")
	put(t, sessions+"/2026-03-11-a/rounds/round-1/reviews/principal-1.md", "Fine.")
	out.until("a file in new directories", func(s string) bool { return strings.Contains(roots(s), "reviews") })

	if err := os.Rename(sessions+"/2026-03-11-a", sessions+"/2026-03-11-b"); err != nil {
		t.Fatal(err)
	}
	out.until("a moved root", func(s string) bool { return strings.HasPrefix(roots(s), "2026-03-11-b=") })
	put(t, sessions+"/2026-03-11-b/rounds/round-1/final.md", "## Verdict\n\nAPPROVE\n")
	out.until("a file in a moved root", func(s string) bool { return strings.Contains(roots(s), "=complete") })

	if err := os.RemoveAll(dir + "/.ocr"); err != nil {
		t.Fatal(err)
	}
	out.until("that all are gone", func(s string) bool { return roots(s) == "" && strings.HasPrefix(s, "{") })

	if err := os.Rename(dir, top+"/moved"); err != nil {
		t.Fatal(err)
	}
	out.until("that the tree is gone", func(s string) bool { return strings.HasPrefix(s, "could not check: ") })
	put(t, top+"/moved/.ocr/sessions/2026-03-11-c/discovered-standards.md", "Standards.")
	if err := os.Rename(top+"/moved", dir); err != nil {
		t.Fatal(err)
	}
	out.until("that the tree is back", func(s string) bool { return strings.HasPrefix(roots(s), "2026-03-11-c=") })
}

// TestWatchIsStatus: after any change, --watch shows the same as a new call of status.
func TestWatchIsStatus(t *testing.T) {
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
	out := watching(t, dir, formatText)
	r := rand.New(rand.NewPCG(1, 9))
	for step := range 12 {
		for range 1 + r.IntN(3) {
			change(t, r, dir, sessions)
		}
		var want strings.Builder
		a := testApp(dir, &want)
		if err := status(t.Context(), a, reviews(formatText), nil); err != nil {
			t.Fatal(err)
		}
		out.until(fmt.Sprintf("what a status shows after step %d,\n%s\n", step, want.String()),
			func(text string) bool { return text == want.String() })
	}
}

// begun restarts session i in a phase.
func begun(t *testing.T, sessions string, i int, phase string) {
	t.Helper()
	name := fmt.Sprint("2026-03-11-", i)
	put(t, sessions+name+"/discovered-standards.md", "Standards.")
	put(t, sessions+name+"/state.json", fmt.Sprintf(sessionState, name, phase, 1))
}

// change makes one random change to five sessions.
func change(t *testing.T, r *rand.Rand, dir, sessions string) {
	t.Helper()
	i := r.IntN(5)
	session := sessions + fmt.Sprint("2026-03-11-", i)
	switch r.IntN(8) {
	case 0:
		begun(t, sessions, i, []string{"context", "analysis", "nonsense"}[r.IntN(3)])
	case 1: // like editors write files
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
	case 7: // all sessions move away, and others appear
		_ = os.Rename(dir+"/.ocr", dir+"/away")
		begun(t, sessions, i, "analysis")
		_ = os.RemoveAll(dir + "/away")
	}
}
