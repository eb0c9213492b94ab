package journal

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/sdk/engine/edit"
)

var kills = flag.Int("kills", 20, "how often a process that applies is killed")

// childVerb makes the test binary a process that will be killed.
const childVerb = "apply-until-killed"

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == childVerb {
		err := applyForEver(os.Args[2], os.Args[3])
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// everything returns changes of every kind.
func everything() []edit.Change {
	return []edit.Change{
		{Kind: edit.Delete, Path: "w/plan.md"}, {Kind: edit.Delete, Path: "w/empty/x.md"},
		{Kind: edit.Delete, Path: "w/empty/"},
		{Kind: edit.Rename, From: "w/notes.md", Path: "w/notes.old.md"},
		{Kind: edit.Rename, From: "w/rounds/1/", Path: "w/rounds/2/"},
		write("w/state.json", `{"round": 1}`), write("w/notes.md", "public\n"), write("w/rounds/2/final.md", "again\n"),
		write("w/a/b/c.md", "new"),
		{Kind: edit.Rename, From: "w/", Path: "far/away/w/"},
	}
}

// applyForEver applies and undoes changes until it is killed.
func applyForEver(workspace, journal string) error {
	s, err := Open(workspace, journal, journal+"-key")
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for {
		tx, err := s.Begin(intent(everything()))
		if err != nil {
			return err
		}
		if err := tx.Keep(); err != nil {
			return err
		}
		if _, err := s.Undo(); err != nil {
			return err
		}
	}
}

// disk creates the stories' tree on a real disk.
func disk(t testing.TB) (workspace, journal string) {
	t.Helper()
	dir := t.TempDir()
	workspace, journal = filepath.Join(dir, "tree"), filepath.Join(dir, "journal")
	must(t, os.Mkdir(workspace, 0o755))
	root, err := OpenRoot(workspace)
	must(t, err)
	defer root.Close()
	for name, text := range before {
		as := Attributes{Mode: 0o644, Exact: true}
		if plain := strings.Replace(name, "!", "", 1); plain != name {
			name, as.Mode = plain, 0o640
		}
		makeParents(t, root, name)
		must(t, root.Write(name, []byte(text), as))
	}
	return workspace, journal
}

func listed(t testing.TB, workspace string) []string {
	t.Helper()
	root, err := OpenRoot(workspace)
	must(t, err)
	defer root.Close()
	return show(root)
}

func opens(t testing.TB, workspace, journal string) *Store {
	t.Helper()
	s, err := Open(workspace, journal, journal+"-key")
	must(t, err)
	return s
}

// TestKilled kills a real process at random moments. The next process rolls back or finishes what it finds, so the
// tree is either the old or the new one.
func TestKilled(t *testing.T) {
	t.Parallel()
	workspace, journal := disk(t)
	old := listed(t, workspace)
	s := opens(t, workspace, journal)
	start := time.Now()
	tx, err := s.Begin(intent(everything()))
	must(t, err)
	must(t, tx.Keep())
	after := listed(t, workspace)
	_, err = s.Undo()
	must(t, err)
	took := time.Since(start)
	s.Close()
	if !slices.Equal(listed(t, workspace), old) {
		t.Fatalf("undone:\n%s", strings.Join(listed(t, workspace), "\n"))
	}
	random := rand.New(rand.NewSource(1))
	interrupted, news := 0, 0
	for range *kills {
		kill(t, workspace, journal, time.Duration(random.Int63n(int64(took))))
		s := opens(t, workspace, journal)
		if len(s.Interrupted) > 0 {
			interrupted++
		}
		got := listed(t, workspace)
		if slices.Equal(got, after) {
			news++
			_, err := s.Undo()
			must(t, err)
			got = listed(t, workspace)
		}
		if !slices.Equal(got, old) {
			t.Fatalf("killed: the tree is neither old nor new:\n%s", strings.Join(got, "\n"))
		}
		s.Close()
	}
	t.Logf("%d kills, %d within a transaction, %d times the tree was new; one round takes %v", *kills, interrupted,
		news, took)
	if interrupted == 0 {
		t.Error("no kill hit a transaction")
	}
}

// kill starts a process that applies changes, and kills it after some time.
func kill(t *testing.T, workspace, journal string, after time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0], childVerb, workspace, journal)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("the process says %q", lines.Text())
	}
	time.Sleep(after)
	must(t, cmd.Process.Kill())
	if lines.Scan() {
		t.Fatalf("the process ended by itself: %s", lines.Text())
	}
	_ = cmd.Wait() // it was killed
}
