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

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/wire"
)

// sample is a board with n runs in three states.
func sample(n int) board {
	b := newBoard(looked{anchor: "/repository", at: time.Date(2026, 3, 12, 16, 0, 7, 0, time.UTC)})
	for i := range n {
		b.rows = append(b.rows, print.Row{
			Root: fmt.Sprintf(".runs/%03d-安全-with-a-long-name", i), Plugin: "toy", Who: "run r" + fmt.Sprint(i), Phase: "write (claims done: ahead)",
			Errors: i % 2, Warnings: i % 3, Done: i, Total: n, Unit: "steps", State: wire.State(i % 3), First: "decide", Next: "go on", Picked: i == 1,
		})
	}
	return b
}

// shown is what a terminal of the size shows, without colours.
func shown(m tea.Model, width, height int) []string {
	m, _ = m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return strings.Split(ansi.Strip(m.View().Content), "\n")
}

func keys(b board, width, height int, names ...string) board {
	m, _ := b.Update(tea.WindowSizeMsg{Width: width, Height: height})
	b = m.(board)
	for _, k := range names {
		b.press(k)
		m, _ = b.Update(nil)
		b = m.(board)
	}
	return b
}

func TestBoard(t *testing.T) {
	got := strings.Join(shown(sample(3), 100, 30), "\n")
	for _, want := range []string{
		"stategate /repository  1 active  1 blocked  1 finished  1 error\n",
		"\n.runs/001-安全-with-a-long-name  toy  1 error  1 warning\n* run r1  write (claims done: ahead)  ███░░░░░░░ 1/3 steps  blocked\n    first: decide\n    next: go on\n",
		"\nq quits  looked at 16:00:07",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not show %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "scroll") {
		t.Error("there is nothing to scroll")
	}
}

// TestBoardFits: whatever the size of the terminal, it shows as many lines as there
// are, none wider, and the last one says how to leave.
func TestBoardFits(t *testing.T) {
	for _, n := range []int{0, 1, 200} {
		b := sample(n)
		b.unseen, b.polling = []string{strings.Repeat("a failure ", 50)}, "the limit is reached"
		for _, size := range [][2]int{{80, 24}, {20, 10}, {8, 4}, {1, 4}, {200, 60}} {
			for _, top := range []string{"home", "end"} {
				lines := shown(keys(b, size[0], size[1], top), size[0], size[1])
				if len(lines) != size[1] {
					t.Errorf("%v: %d lines", size, len(lines))
				}
				for _, line := range lines {
					if ansi.StringWidth(line) > size[0] {
						t.Errorf("%v: too wide: %q", size, line)
					}
				}
				if last := lines[len(lines)-1]; size[0] > 7 && !strings.HasPrefix(last, "q quits") {
					t.Errorf("%v: the last line is %q", size, last)
				}
			}
		}
	}
}

// TestBoardScrolls: every line can be reached and the view never runs past the end.
func TestBoardScrolls(t *testing.T) {
	b := sample(50)
	n := len(b.body())
	for _, c := range []struct {
		keys string
		top  int
	}{
		{"", 0}, {"up", 0}, {"down down", 2}, {"j j k", 1}, {"pgdown", 18}, {"pgdown pgup", 0},
		{"end", n - 18}, {"end down pgdown", n - 18}, {"G g", 0}, {"end up", n - 19},
	} {
		if got := keys(b, 80, 20, strings.Fields(c.keys)...).top; got != c.top {
			t.Errorf("%q: line %d, want %d", c.keys, got, c.top)
		}
	}
	end := keys(b, 80, 20, "end")
	end.Update(looked{})
	if m, _ := end.Update(looked{rows: b.rows[:1]}); m.(board).top != 0 {
		t.Error("when runs go the view stays past the end")
	}
	if m, _ := end.Update(tea.WindowSizeMsg{Width: 80, Height: 400}); m.(board).top != 0 {
		t.Error("on a large terminal the view stays past the end")
	}
}

func TestBoardLeaves(t *testing.T) {
	for _, k := range []string{"q", "ctrl+c", "esc"} {
		b := sample(1)
		cmd := b.press(k)
		if cmd == nil {
			t.Errorf("%s does not leave", k)
		} else if _, ok := cmd().(tea.QuitMsg); !ok {
			t.Errorf("%s does not leave", k)
		}
	}
	b := sample(1)
	if b.press("x") != nil {
		t.Error("any key leaves")
	}
}

// TestBoardKeeps: a look that was not possible says why over what was seen before;
// the next one that is takes the word back.
func TestBoardKeeps(t *testing.T) {
	m, _ := sample(2).Update(looked{err: "the tree is gone"})
	if got := strings.Join(shown(m, 80, 24), "\n"); !strings.Contains(got, "could not look: the tree is gone") || !strings.Contains(got, "run r1") {
		t.Errorf("got\n%s", got)
	}
	m, _ = m.Update(looking{look: 1})
	if got := strings.Join(shown(m, 80, 24), "\n"); !strings.Contains(got, "q quits  looking\n") && !strings.HasSuffix(got, "q quits  looking") {
		t.Errorf("got\n%s", got)
	}
	m, _ = m.Update(looking{1, 3, 9})
	if got := strings.Join(shown(m, 80, 24), "\n"); !strings.Contains(got, "q quits  looking 3/9") {
		t.Errorf("got\n%s", got)
	}
	m, _ = m.Update(looked{polling: "a limit", look: 1})
	m, _ = m.Update(looking{1, 4, 9}) // it was under way when the look was over
	got := strings.Join(shown(m, 80, 24), "\n")
	if strings.Contains(got, "gone") || strings.Contains(got, "looking 3") || strings.Contains(got, "run r1") {
		t.Errorf("what is over stays:\n%s", got)
	}
	if !strings.Contains(got, "No run is here yet.") || !strings.Contains(got, "looks every 2 s, for nothing is watched: a limit") {
		t.Errorf("got\n%s", got)
	}
}

// TestRows: what a board shows is sanitised, and says what status says.
func TestRows(t *testing.T) {
	b := newBoard(looked{rows: print.Rows(full(t)), unseen: print.Unseen(full(t)), anchor: print.Safe(hostile)})
	text := strings.Join(shown(b, 400, 40), "\n")
	if fault := commanding(text); fault != "" {
		t.Errorf("it holds %s", fault)
	}
	if !strings.Contains(text, "1/2 phases  blocked") || !strings.Contains(text, "failure: ") {
		t.Errorf("got\n%s", text)
	}
}

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
	out, done := make(chan looked), make(chan struct{})
	go func() {
		defer close(done)
		l.follow(ctx, func(msg tea.Msg) {
			if saw, ok := msg.(looked); ok {
				select {
				case out <- saw:
				case <-ctx.Done():
				}
			}
		})
	}()
	t.Cleanup(func() { cancel(); <-done })
	return l, out
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
