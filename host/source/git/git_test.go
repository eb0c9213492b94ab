package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stategate/stategate/host/fault"
)

// sandbox is an environment in which the user's own configuration does not count.
func sandbox(t *testing.T) []string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is needed: install it")
	}
	var keep []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			keep = append(keep, kv)
		}
	}
	return append(keep, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
}

func do(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", "-C", dir}, args...)...)
	cmd.Env = sandbox(t)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	do(t, dir, "init", "-q", "-b", "main")
	write(t, dir, files)
	do(t, dir, "add", "-A")
	do(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
	return dir
}

func find(t *testing.T, dir string) *Repo {
	t.Helper()
	r := Find(dir, Settings{Environ: sandbox(t), Dir: dir})
	if r == nil {
		t.Fatalf("Find(%s) finds no repository", dir)
	}
	return r
}

func TestFind(t *testing.T) {
	top := repository(t, map[string]string{"a/b/x": ""})
	other := filepath.Join(top, "a", "tree")
	do(t, top, "worktree", "add", "-q", other)
	write(t, top, map[string]string{"stray/.git/readme": "", "stray/c/x": "", "file/.git": "no gitdir", "file/x": ""})
	for _, c := range []struct{ dir, want string }{
		{"", top}, {"a/b", top}, {"a/tree", other}, {"a/tree/a/b", other}, {"stray/c", top}, {"file", top},
	} {
		if r := find(t, filepath.Join(top, c.dir)); r.Top != c.want {
			t.Errorf("Find(%q).Top = %q, want %q", c.dir, r.Top, c.want)
		}
	}
	if r := Find(t.TempDir(), Settings{Environ: sandbox(t), Dir: top}); r != nil {
		t.Errorf("Find outside finds %q", r.Top)
	}
}

// TestEnvironment: what git tells a hook counts for the hook's own repository, never for another one.
func TestEnvironment(t *testing.T) {
	mine, other := repository(t, nil), repository(t, nil)
	hook := append(sandbox(t), "GIT_DIR=.git", "GIT_INDEX_FILE=.git/next-index", "GIT_WORK_TREE=.", "GIT_TRACE=1", "GIT_SSH_COMMAND=x", "LC_ALL=de_DE")
	s := Settings{Environ: hook, Dir: mine}
	want := "GIT_INDEX_FILE=" + filepath.Join(mine, ".git", "next-index")
	for _, c := range []struct {
		dir  string
		want bool
	}{{mine, true}, {other, false}} {
		r := Find(c.dir, s)
		if got := slices.Contains(r.environ, want); got != c.want {
			t.Errorf("in %s: the index is passed on: %v, want %v", c.dir, got, c.want)
		}
		for _, kv := range r.environ {
			for _, bad := range []string{"GIT_DIR=", "GIT_WORK_TREE=", "GIT_TRACE=", "GIT_SSH_COMMAND=", "LC_ALL=de"} {
				if strings.HasPrefix(kv, bad) {
					t.Errorf("in %s: %s is passed on", c.dir, kv)
				}
			}
		}
	}
	plain := Find(mine, Settings{Environ: append(sandbox(t), "GIT_INDEX_FILE=.git/i"), Dir: mine})
	if !slices.Contains(plain.environ, "GIT_INDEX_FILE="+filepath.Join(mine, ".git", "i")) {
		t.Error("GIT_INDEX_FILE without GIT_DIR is not passed on to the repository of the working directory")
	}
}

// TestDetachedGitDir: a work tree without ".git" is known by the environment alone.
func TestDetachedGitDir(t *testing.T) {
	top := repository(t, map[string]string{"x": "1"})
	gitDir := filepath.Join(t.TempDir(), "dot.git")
	if err := os.Rename(filepath.Join(top, ".git"), gitDir); err != nil {
		t.Fatal(err)
	}
	environ := append(sandbox(t), "GIT_DIR="+gitDir, "GIT_WORK_TREE="+top)
	r := Find(top, Settings{Environ: environ, Dir: t.TempDir()})
	if r == nil || r.Top != top {
		t.Fatalf("Find = %v, want %s", r, top)
	}
	if _, err := r.Commit(context.Background(), "HEAD"); err != nil {
		t.Error(err)
	}
	if r := Find(t.TempDir(), Settings{Environ: environ, Dir: top}); r != nil {
		t.Errorf("GIT_DIR is believed outside its work tree: %s", r.Top)
	}
}

func TestCommit(t *testing.T) {
	top := repository(t, map[string]string{"x": "1", "-x": "2"})
	do(t, top, "tag", "-a", "v1", "-m", "v1")
	do(t, top, "tag", "-a", "blob", "-m", "x", "HEAD:x")
	head, r := do(t, top, "rev-parse", "HEAD"), find(t, top)
	for _, rev := range []string{"HEAD", "main", "v1", head, "HEAD^{/one}"} {
		if got, err := r.Commit(context.Background(), rev); err != nil || got != head {
			t.Errorf("Commit(%q) = %q, %v, want %q", rev, got, err, head)
		}
	}
	for _, rev := range []string{"", "nope", "-x", "--all", "blob", "HEAD:x", "a b", "a\nb", "\x00", strings.Repeat("0", 40), "HEAD~9"} {
		_, err := r.Commit(context.Background(), rev)
		var usage *fault.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("Commit(%q) = %v, want a usage error", rev, err)
		}
	}
}

// TestRefs: names are as people write them, and no more than were asked for.
func TestRefs(t *testing.T) {
	top := repository(t, map[string]string{"x": "1"})
	do(t, top, "tag", "-a", "v1", "-m", "v1")
	do(t, top, "branch", "feature/a")
	clone := filepath.Join(t.TempDir(), "c")
	do(t, top, "clone", "-q", top, clone)
	want := []Ref{{"main", "branch"}, {"origin/feature/a", "remote branch"}, {"origin/main", "remote branch"}, {"v1", "tag"}}
	if got, err := find(t, clone).Refs(context.Background(), 10); err != nil || !slices.Equal(got, want) {
		t.Errorf("refs = %v, %v, want %v", got, err, want)
	}
	if got, err := find(t, clone).Refs(context.Background(), 1); err != nil || !slices.Equal(got, want[:1]) {
		t.Errorf("one ref = %v, %v, want %v", got, err, want[:1])
	}
	if got, err := find(t, repository(t, nil)).Refs(context.Background(), 10); err != nil || len(got) > 1 {
		t.Errorf("a new repository: %v, %v", got, err)
	}
}

func TestCommitInShallowClone(t *testing.T) {
	top := repository(t, map[string]string{"x": "1"})
	do(t, top, "commit", "-q", "--allow-empty", "-m", "two")
	clone := filepath.Join(t.TempDir(), "c")
	do(t, top, "clone", "-q", "--depth=1", "file://"+top, clone)
	_, err := find(t, clone).Commit(context.Background(), "HEAD~1")
	var f *fault.Failure
	if !errors.As(err, &f) || f.Kind != fault.Source || !strings.Contains(err.Error(), "shallow") {
		t.Errorf("err = %v, want a failure that says the clone is shallow", err)
	}
}

func TestFailures(t *testing.T) {
	top := repository(t, nil)
	r := Find(top, Settings{Program: filepath.Join(top, "no-git"), Environ: sandbox(t), Dir: top})
	_, missing := r.Commit(context.Background(), "HEAD")
	_, _, missingToo := r.IgnoreSources(context.Background(), true)
	write(t, top, map[string]string{".git/config": "[broken"})
	_, broken := find(t, top).Commit(context.Background(), "HEAD")
	_, _, brokenToo := find(t, top).IgnoreSources(context.Background(), true)
	for name, err := range map[string]error{"no git": missing, "no git, ignores": missingToo, "broken": broken, "broken, ignores": brokenToo} {
		var f *fault.Failure
		if !errors.As(err, &f) || f.Kind != fault.Source {
			t.Errorf("%s: %v, want a failure of kind source", name, err)
		}
	}
	if f := fault.From(broken, ""); !strings.Contains(f.Stderr, "config") {
		t.Errorf("stderr = %q, want what git said", f.Stderr)
	}
}

func TestObjects(t *testing.T) {
	top := repository(t, map[string]string{"empty": "", "text": "a\nb", "big": strings.Repeat("x", 1<<20)})
	o := find(t, top).Objects(context.Background())
	defer o.Close()
	id := func(name string) string { return do(t, top, "rev-parse", "HEAD:"+name) }
	text, big, empty := id("text"), id("big"), id("empty")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := o.Read(text, 10); err != nil || string(got.Data) != "a\nb" || got.Type != "blob" {
				t.Errorf("text = %+v, %v", got, err)
			}
			if got, err := o.Read(big, 10); err != nil || got.Data != nil || got.Size != 1<<20 {
				t.Errorf("big = %d bytes of %d, %v", len(got.Data), got.Size, err)
			}
			if got, err := o.Read(empty, 0); err != nil || got.Data == nil || got.Size != 0 {
				t.Errorf("empty = %+v, %v", got, err)
			}
			if got, err := o.Info(big); err != nil || got.Size != 1<<20 {
				t.Errorf("info = %+v, %v", got, err)
			}
			if _, err := o.Read(strings.Repeat("0", 40), 10); !errors.Is(err, ErrMissing) {
				t.Errorf("missing = %v", err)
			}
		})
	}
	all.Wait()
	if _, err := o.Read("HEAD\n", 1); err == nil {
		t.Error("Read takes something that is no object id")
	}
}

// TestPromised: a blob that a partial clone left behind is missing, and nothing fetches it.
func TestPromised(t *testing.T) {
	top := repository(t, map[string]string{"x": "content of x"})
	do(t, top, "config", "uploadpack.allowFilter", "true")
	clone := filepath.Join(t.TempDir(), "c")
	do(t, top, "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+top, clone)
	o := find(t, clone).Objects(context.Background())
	defer o.Close()
	id := do(t, top, "rev-parse", "HEAD:x")
	if _, err := o.Read(id, 100); !errors.Is(err, ErrMissing) {
		t.Errorf("Read = %v, want ErrMissing", err)
	}
	if _, err := o.Info(id); !errors.Is(err, ErrMissing) {
		t.Errorf("Info = %v, want ErrMissing", err)
	}
	tree := do(t, top, "rev-parse", "HEAD^{tree}")
	if got, err := o.Read(tree, 1000); err != nil || got.Type != "tree" {
		t.Errorf("the reader does not go on after a missing object: %+v, %v", got, err)
	}
}

func TestCancelled(t *testing.T) {
	top := repository(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	o := find(t, top).Objects(ctx)
	cancel()
	if _, err := o.Read(strings.Repeat("0", 40), 1); fault.From(err, "").Kind != fault.Cancelled {
		t.Errorf("Read = %v, want a cancelled failure", err)
	}
}

// TestNothingRuns: a repository's own configuration cannot make git start a program.
func TestNothingRuns(t *testing.T) {
	top := repository(t, map[string]string{".gitignore": "x\n"})
	trap := filepath.Join(top, "trap")
	do(t, top, "config", "core.fsmonitor", "touch "+trap+";")
	do(t, top, "config", "core.pager", "touch "+trap+";")
	r := find(t, top)
	if _, err := r.Commit(context.Background(), "HEAD"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.IgnoreSources(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(trap); err == nil {
		t.Error("git started the program that core.fsmonitor names")
	}
}
