package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/testdata/gittest"
)

func find(t *testing.T, dir string) *Repo {
	t.Helper()
	r := Find(dir, Settings{Environ: gittest.Environ(), Dir: dir})
	if r == nil {
		t.Fatalf("Find(%s) finds no repository", dir)
	}
	return r
}

func TestFind(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"a/b/x": ""})
	other := filepath.Join(top, "a", "tree")
	gittest.Run(t, top, "worktree", "add", "-q", other)
	gittest.Write(t, top, map[string]string{"stray/.git/readme": "", "stray/c/x": "", "file/.git": "no gitdir",
		"file/x": ""})
	for _, c := range []struct{ dir, want string }{
		{"", top}, {"a/b", top}, {"a/tree", other}, {"a/tree/a/b", other}, {"stray/c", top}, {"file", top},
	} {
		if r := find(t, filepath.Join(top, c.dir)); r.Top != c.want {
			t.Errorf("Find(%q).Top = %q, want %q", c.dir, r.Top, c.want)
		}
	}
	if r := Find(t.TempDir(), Settings{Environ: gittest.Environ(), Dir: top}); r != nil {
		t.Errorf("Find outside finds %q", r.Top)
	}
}

// TestEnvironment: git's variables for a hook apply to the hook's own repository and to no other.
func TestEnvironment(t *testing.T) {
	mine, other := gittest.Repository(t, nil), gittest.Repository(t, nil)
	hook := append(gittest.Environ(), "GIT_DIR=.git", "GIT_INDEX_FILE=.git/next-index", "GIT_WORK_TREE=.",
		"GIT_TRACE=1", "GIT_SSH_COMMAND=x", "LC_ALL=de_DE")
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
	plain := Find(mine, Settings{Environ: append(gittest.Environ(), "GIT_INDEX_FILE=.git/i"), Dir: mine})
	if !slices.Contains(plain.environ, "GIT_INDEX_FILE="+filepath.Join(mine, ".git", "i")) {
		t.Error("GIT_INDEX_FILE without GIT_DIR is not passed on to the repository of the working directory")
	}
}

// TestDetachedGitDir: a working tree without ".git" is found only through the environment.
func TestDetachedGitDir(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"x": "1"})
	gitDir := filepath.Join(t.TempDir(), "dot.git")
	if err := os.Rename(filepath.Join(top, ".git"), gitDir); err != nil {
		t.Fatal(err)
	}
	environ := append(gittest.Environ(), "GIT_DIR="+gitDir, "GIT_WORK_TREE="+top)
	r := Find(top, Settings{Environ: environ, Dir: t.TempDir()})
	if r == nil || r.Top != top {
		t.Fatalf("Find = %v, want %s", r, top)
	}
	if _, err := r.Commit(context.Background(), "HEAD"); err != nil {
		t.Error(err)
	}
	if r := Find(t.TempDir(), Settings{Environ: environ, Dir: top}); r != nil {
		t.Errorf("GIT_DIR is believed outside its working tree: %s", r.Top)
	}
}

// TestName: a repository is named after its remote, without secrets in the address, or else after its directory.
func TestName(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"x": "1"})
	r := find(t, top)
	for address, want := range map[string]string{
		"":                                     filepath.Base(top),
		"https://github.com/acme/shop.git":     "acme/shop",
		"https://me:secret@example.com/shop/":  "shop",
		"https://example.com/a/b/shop?token=x": "b/shop",
		"git@github.com:acme/shop.git":         "acme/shop",
		"ssh://git@example.com:22/acme/shop":   "acme/shop",
		"../elsewhere":                         filepath.Base(top),
		`C:\elsewhere`:                         filepath.Base(top),
		"file:///srv/elsewhere":                filepath.Base(top),
		"https://example.com":                  filepath.Base(top),
	} {
		gittest.Run(t, top, "config", "remote.origin.url", address)
		if got := r.Name(t.Context()); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}

func TestCommit(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"x": "1", "-x": "2"})
	gittest.Run(t, top, "tag", "-a", "v1", "-m", "v1")
	gittest.Run(t, top, "tag", "-a", "blob", "-m", "x", "HEAD:x")
	head, r := gittest.Run(t, top, "rev-parse", "HEAD"), find(t, top)
	for _, rev := range []string{"HEAD", "main", "v1", head, "HEAD^{/one}"} {
		if got, err := r.Commit(context.Background(), rev); err != nil || got != head {
			t.Errorf("Commit(%q) = %q, %v, want %q", rev, got, err, head)
		}
	}
	for _, rev := range []string{"", "nope", "-x", "--all", "blob", "HEAD:x", "a b", "a\nb", "\x00",
		strings.Repeat("0", 40), "HEAD~9"} {
		_, err := r.Commit(context.Background(), rev)
		var usage *fault.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("Commit(%q) = %v, want a usage error", rev, err)
		}
	}
}

// TestRefs: names are in the form that people write, and no more are returned than requested.
func TestRefs(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"x": "1"})
	gittest.Run(t, top, "tag", "-a", "v1", "-m", "v1")
	gittest.Run(t, top, "branch", "feature/a")
	clone := filepath.Join(t.TempDir(), "c")
	gittest.Run(t, top, "clone", "-q", top, clone)
	want := []Ref{{"main", "branch"}, {"origin/feature/a", "remote branch"}, {"origin/main", "remote branch"},
		{"v1", "tag"}}
	if got, err := find(t, clone).Refs(context.Background(), 10); err != nil || !slices.Equal(got, want) {
		t.Errorf("refs = %v, %v, want %v", got, err, want)
	}
	if got, err := find(t, clone).Refs(context.Background(), 1); err != nil || !slices.Equal(got, want[:1]) {
		t.Errorf("one ref = %v, %v, want %v", got, err, want[:1])
	}
	if got, err := find(t, gittest.Repository(t, nil)).Refs(context.Background(), 10); err != nil || len(got) > 1 {
		t.Errorf("a new repository: %v, %v", got, err)
	}
}

func TestCommitInShallowClone(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"x": "1"})
	gittest.Run(t, top, "commit", "-q", "--allow-empty", "-m", "two")
	clone := filepath.Join(t.TempDir(), "c")
	gittest.Run(t, top, "clone", "-q", "--depth=1", "file://"+top, clone)
	_, err := find(t, clone).Commit(context.Background(), "HEAD~1")
	var f *fault.Failure
	if !errors.As(err, &f) || f.Kind != fault.Source || !strings.Contains(err.Error(), "shallow") {
		t.Errorf("err = %v, want a failure that says the clone is shallow", err)
	}
}

func TestFailures(t *testing.T) {
	top := gittest.Repository(t, nil)
	r := Find(top, Settings{Program: filepath.Join(top, "no-git"), Environ: gittest.Environ(), Dir: top})
	_, missing := r.Commit(context.Background(), "HEAD")
	_, _, missingToo := r.IgnoreSources(context.Background(), true)
	gittest.Write(t, top, map[string]string{".git/config": "[broken"})
	_, broken := find(t, top).Commit(context.Background(), "HEAD")
	_, _, brokenToo := find(t, top).IgnoreSources(context.Background(), true)
	for name, err := range map[string]error{"no git": missing, "no git, ignores": missingToo, "broken": broken,
		"broken, ignores": brokenToo} {
		var f *fault.Failure
		if !errors.As(err, &f) || f.Kind != fault.Source {
			t.Errorf("%s: %v, want a failure of kind source", name, err)
		}
	}
	if f := fault.From(broken, ""); !strings.Contains(f.Stderr, "config") {
		t.Errorf("stderr = %q, want what git said", f.Stderr)
	}
}

// TestPromised: a blob that a partial clone left out is missing, and nothing fetches it.
func TestPromised(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"x": "content of x"})
	gittest.Run(t, top, "config", "uploadpack.allowFilter", "true")
	clone := filepath.Join(t.TempDir(), "c")
	gittest.Run(t, top, "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+top, clone)
	o := find(t, clone).Objects(context.Background())
	defer o.Close()
	id := gittest.Run(t, top, "rev-parse", "HEAD:x")
	if _, err := o.Read(id, 100); !errors.Is(err, ErrMissing) {
		t.Errorf("Read = %v, want ErrMissing", err)
	}
	if _, err := o.Info(id); !errors.Is(err, ErrMissing) {
		t.Errorf("Info = %v, want ErrMissing", err)
	}
	tree := gittest.Run(t, top, "rev-parse", "HEAD^{tree}")
	if got, err := o.Read(tree, 1000); err != nil || got.Type != "tree" {
		t.Errorf("the reader does not continue after a missing object: %+v, %v", got, err)
	}
}

func TestCancelled(t *testing.T) {
	top := gittest.Repository(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	o := find(t, top).Objects(ctx)
	cancel()
	if _, err := o.Read(strings.Repeat("0", 40), 1); fault.From(err, "").Kind != fault.Cancelled {
		t.Errorf("Read = %v, want a cancelled failure", err)
	}
}

// TestNothingRuns: no query makes git run a program that a repository's own configuration names.
func TestNothingRuns(t *testing.T) {
	top := gittest.Repository(t, map[string]string{".gitignore": "x\n", ".gitattributes": "* filter=f diff=f merge=f\n",
		"a/b": "one\n"})
	old := gittest.Run(t, top, "rev-parse", "HEAD")
	signed := strings.Replace(gittest.Run(t, top, "cat-file", "commit", "HEAD"), "\n\n",
		"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n\n", 1)
	signed = strings.Replace(signed, "\nauthor", "\nparent "+old+"\nauthor", 1)
	gittest.Write(t, top, map[string]string{"signed": signed + "\n"})
	gittest.Run(t, top, "update-ref", "HEAD", gittest.Run(t, top, "hash-object", "-t", "commit", "-w", "signed"))
	trap := filepath.Join(top, "trap")
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho ran: \"$0 $*\" >> '"+trap+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "pager.log", "pager.status", "core.editor", "core.sshCommand", "core.askPass",
		"core.alternateRefsCommand",
		"filter.f.clean", "filter.f.smudge", "filter.f.process", "diff.f.command", "diff.f.textconv", "diff.external",
		"merge.f.driver",
		"gpg.program", "gpg.ssh.program", "gpg.x509.program", "credential.helper", "uploadpack.packObjectsHook",
		"alias.log",
	} {
		gittest.Run(t, top, "config", key, program)
	}
	for key, value := range map[string]string{"log.showSignature": "true", "filter.f.required": "true",
		"merge.renormalize": "true", "status.submoduleSummary": "true"} {
		gittest.Run(t, top, "config", key, value)
	}
	for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout", "pre-merge-commit"} {
		gittest.Write(t, top, map[string]string{".git/hooks/" + hook: ""})
		if err := errors.Join(os.Remove(filepath.Join(top, ".git/hooks", hook)),
			os.Link(program, filepath.Join(top, ".git/hooks", hook))); err != nil {
			t.Fatal(err)
		}
	}
	gittest.Write(t, top, map[string]string{"a/b": "two\n"}) // git compares it with the index through a filter
	r, ctx := find(t, top), context.Background()
	head, err := r.Commit(ctx, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]error{}
	_, _, asked["ignore"] = r.IgnoreSources(ctx, true)
	_, asked["index"] = r.Index(ctx)
	_, asked["tree"] = r.Tree(ctx, head)
	_, asked["changes of the index"] = r.ChangedInIndex(ctx, old)
	_, asked["changes of a commit"] = r.ChangedInCommit(ctx, old, head)
	_, asked["stageable"] = r.Stageable(ctx, []string{"a/b"})
	if got := r.Encoding(ctx, "a/b"); got != "" {
		t.Errorf("the encoding of a file without attributes is %q", got)
	}
	_, asked["refs"] = r.Refs(ctx, 10)
	_, asked["heads"] = r.Heads(ctx)
	_, asked["a branch"] = r.IsBranch(ctx, "HEAD~1")
	_, asked["merge bases"] = r.MergeBases(ctx, old, head)
	if gittest.Since(t, 2, 38) {
		m, err := r.Merge(ctx, old, head)
		if asked["merge"] = err; err == nil {
			m.Close()
		}
	}
	for what, err := range asked {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := Updated(ctx, time.Second, r, top, "", []string{"a"}); !got["a"].Uncommitted {
		t.Errorf("updated: got %+v", got)
	}
	if got := Updated(ctx, time.Second, r, top, head, []string{"a"}); got["a"].At.IsZero() {
		t.Errorf("updated by a commit: got %+v", got)
	}
	if text, err := os.ReadFile(trap); err == nil {
		t.Errorf("git started a program that its configuration names:\n%s", text)
	}
	gittest.Run(t, top, "config", "filter.x=y.clean", program)
	if _, err := r.unfiltered(ctx, "status"); err == nil || !strings.Contains(err.Error(), "cannot disable") {
		t.Errorf("a filter that no option can turn off: got %v", err)
	}
}

// TestNothingIsFetched: even with a git that does not know GIT_NO_LAZY_FETCH, a partial clone starts no program,
// neither a remote helper nor the remote's end.
func TestNothingIsFetched(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the old git of this test is a shell script")
	}
	top := gittest.Repository(t, map[string]string{"x": "content of x"})
	id := gittest.Run(t, top, "rev-parse", "HEAD:x")
	if err := os.Remove(filepath.Join(top, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	trap := filepath.Join(t.TempDir(), "trap")
	for key, value := range map[string]string{
		"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
		"protocol.allow": "always", "protocol.ext.allow": "always", "protocol.file.allow": "always",
		"remote.origin.uploadpack": "touch '" + trap + "'; git-upload-pack",
	} {
		gittest.Run(t, top, "config", key, value)
	}
	old := filepath.Join(t.TempDir(), "git")
	if err := os.WriteFile(old, []byte("#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec git \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{top, "file://" + top, "ext::touch " + trap} {
		gittest.Run(t, top, "config", "remote.origin.url", url)
		o := Find(top, Settings{Environ: gittest.Environ(), Dir: top, Program: old}).Objects(context.Background())
		if _, err := o.Read(id, 100); err == nil {
			t.Errorf("%s: the object is there", url)
		}
		o.Close()
		if _, err := os.Lstat(trap); err == nil {
			t.Fatalf("%s: git started a program to fetch from there", url)
		}
	}
}

// TestOldGit: a failure caused by a git that is too old says so.
func TestOldGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the old git of this test is a shell script")
	}
	top := gittest.Repository(t, nil)
	old := filepath.Join(t.TempDir(), "git")
	for version, want := range map[string]bool{"2.29.3": true, "1.8.3.1": true, "2.30.0": false,
		"2.45.1.windows.1": false, "nonsense": false} {
		script := "#!/bin/sh\ncase \"$*\" in *version*) echo git version " + version +
			"; exit;; esac\necho usage >&2; exit 129\n"
		if err := os.WriteFile(old, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := Find(top, Settings{Environ: gittest.Environ(), Dir: top, Program: old}).Commit(context.Background(),
			"HEAD")
		if err == nil || strings.Contains(err.Error(), "install 2.30 or newer") != want {
			t.Errorf("%s: got %v", version, err)
		}
	}
}
