package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestHooks tags a release of the checked-out commit and lets the real pre-commit build the hook from it. It runs only
// in `make test-hooks`, because it downloads modules and takes minutes.
func TestHooks(t *testing.T) {
	if os.Getenv("STATEGATE_TEST_HOOKS") == "" {
		t.Skip("needs the network and minutes; run make test-hooks")
	}
	if out, err := exec.Command("pre-commit", "--version").CombinedOutput(); err != nil {
		t.Fatalf("pre-commit is not installed: %v: %s", err, out)
	}
	dir := t.TempDir()
	h := &hooked{t: t, release: filepath.Join(dir, "release"), repo: filepath.Join(dir, "repo"),
		home: filepath.Join(dir, "home")}
	h.makeRelease()
	for _, id := range []string{"stategate", "stategate-source", "stategate-system"} {
		t.Run(id,
			func(t *testing.T) { (&hooked{t, h.release, filepath.Join(t.TempDir(), "repo"), h.home}).flavour(id) })
	}
	t.Run("lefthook", func(t *testing.T) {
		if _, err := exec.LookPath("lefthook"); err != nil {
			t.Skip("lefthook is not installed")
		}
		(&hooked{t, "", filepath.Join(t.TempDir(), "repo"), h.home}).lefthook()
	})
}

type hooked struct {
	t                   *testing.T
	release, repo, home string
}

// makeRelease tags a clone, including the built plugins, and checks that it keeps a release's promises.
func (h *hooked) makeRelease() {
	h.must("", "git", "clone", "--quiet", "--no-local", repository, h.release)
	h.must(h.release, "git", "checkout", "--quiet", "-B", "main")
	h.must(h.release, "sed", "-i.before", "s/^## 0.1.0 .*/## 0.9.0 (unreleased)/", ".github/CHANGELOG.md")
	h.must(h.release, "git", "commit", "--quiet", "-am", "describe 0.9.0")
	h.must(h.release, "rm", ".github/CHANGELOG.md.before")
	h.must(h.release, "make", "release-tag", "VERSION=v0.9.0")
	if got := h.must(h.release, "git", "status", "--porcelain"); got != "" {
		h.t.Errorf("the release leaves %s", got)
	}
	if got := h.must(h.release, "git", "ls-files", "plugins/build"); strings.Contains(got, ".wasm") {
		h.t.Errorf("the branch holds built plugins: %s", got)
	}
	if got := strings.TrimSpace(h.must(h.release, "git", "describe", "--tags", "--abbrev=0", "HEAD")); got != "v0.9.0" {
		h.t.Errorf("the branch descends from %s, expected v0.9.0", got)
	}
	if out, ok := h.run(h.release, "make", "release-tag", "VERSION=v0.9.0"); ok ||
		!strings.Contains(out, "the tag v0.9.0 exists") {
		h.t.Errorf("a second release of one name: %s", out)
	}
	first := h.must(h.release, "git", "rev-parse", "v0.9.0^{commit}")
	h.must(h.release, "git", "tag", "--delete", "v0.9.0")
	h.must(h.release, "git", "reset", "--quiet", "--hard", "HEAD^1")
	h.must(h.release, "make", "release-tag", "VERSION=v0.9.0")
	if again := h.must(h.release, "git", "rev-parse", "v0.9.0^{commit}"); again != first {
		h.t.Errorf("the same source gives the releases %s and %s", first, again)
	}
	// the wheel that the hook installs
	h.must(h.release, "git", "checkout", "--quiet", "v0.9.0")
	h.must(h.release, "go", "run", "./.ci/release", "-only", runtime.GOOS+"/"+runtime.GOARCH)
	h.must(h.release, "git", "checkout", "--quiet", "main")
}

// flavour commits and merges, with an open and with a closed gate.
func (h *hooked) flavour(id string) {
	state := filepath.Join(h.repo, ".ocr/sessions/2026-03-11-fix-token-refresh/state.json")
	if err := os.CopyFS(h.repo, os.DirFS(filepath.Join(repository, "testdata/trees/open"))); err != nil {
		h.t.Fatal(err)
	}
	config := "default_install_hook_types: [pre-commit, pre-merge-commit]\n" +
		"repos:\n  - repo: " + h.release + "\n    rev: v0.9.0\n    hooks:\n      - id: " + id +
		"\n      - id: stategate-fix\n"
	if err := os.WriteFile(filepath.Join(h.repo, ".pre-commit-config.yaml"), []byte(config), 0o600); err != nil {
		h.t.Fatal(err)
	}
	h.must(h.repo, "git", "init", "--quiet", "-b", "main")
	h.must(h.repo, "pre-commit", "install")
	h.must(h.repo, "pre-commit", "autoupdate")
	if text, _ := os.ReadFile(filepath.Join(h.repo, ".pre-commit-config.yaml")); !strings.Contains(string(text),
		"rev: v0.9.0\n") {
		h.t.Errorf("autoupdate makes it %s", text)
	}
	h.must(h.repo, "git", "add", "-A")
	if out := h.must(h.repo, "git", "commit", "-m", "open"); !strings.Contains(out, "Passed") {
		h.t.Errorf("an open gate: %s", out)
	}
	h.spoil(state)
	if out, ok := h.run(h.repo, "git", "commit", "-am", "closed"); ok ||
		!strings.Contains(out, "[ocr/round-beyond-files]") {
		h.t.Errorf("a closed gate: %s", out)
	}
	if out, ok := h.run(h.repo, "git", "commit", "-m", "alone", state); ok ||
		!strings.Contains(out, "[ocr/round-beyond-files]") {
		h.t.Errorf("a closed gate of one file: %s", out)
	}
	h.must(h.repo, "git", "commit", "--allow-empty", "-m", "the slip is not staged")
	h.must(h.repo, "git", "add", state)
	h.must(h.repo, "git", "restore", "--source", "HEAD", "--worktree", state)
	if out, ok := h.run(h.repo, "git", "commit", "-m", "staged alone"); ok ||
		!strings.Contains(out, "[ocr/round-beyond-files]") {
		h.t.Errorf("the slip is in the index alone: %s", out)
	}
	h.must(h.repo, "git", "reset", "--quiet", "--hard")
	h.merges(state)
	h.fixes(id, state)
}

// lefthook commits and merges with the hooks that init writes.
func (h *hooked) lefthook() {
	if err := os.CopyFS(h.repo, os.DirFS(filepath.Join(repository, "testdata/trees/open"))); err != nil {
		h.t.Fatal(err)
	}
	h.must(h.repo, "git", "init", "--quiet", "-b", "main")
	h.must(h.repo, "stategate", "init", "--hook=lefthook", "--ci=none")
	h.must(h.repo, "lefthook", "install")
	h.must(h.repo, "git", "add", "-A")
	h.must(h.repo, "git", "commit", "-m", "open")
	h.merges(filepath.Join(h.repo, ".ocr/sessions/2026-03-11-fix-token-refresh/state.json"))
}

// merges merges a branch that no hook has checked. git runs another hook for merges than for commits.
func (h *hooked) merges(state string) {
	h.must(h.repo, "git", "switch", "--quiet", "-c", "side")
	h.spoil(state)
	h.must(h.repo, "git", "commit", "--quiet", "--no-verify", "-am", "unseen")
	h.must(h.repo, "git", "switch", "--quiet", "main")
	h.must(h.repo, "git", "commit", "--quiet", "--allow-empty", "-m", "meanwhile")
	if out, ok := h.run(h.repo, "git", "merge", "--no-edit", "side"); ok ||
		!strings.Contains(out, "[ocr/round-beyond-files]") {
		h.t.Errorf("a merge: %s", out)
	}
	h.must(h.repo, "git", "reset", "--quiet", "--hard")
}

// fixes runs the command that the hook prints, and the hook that applies fixes.
func (h *hooked) fixes(id, state string) {
	h.spoil(state)
	h.must(h.repo, "git", "add", "-A")
	out, _ := h.run(h.repo, "git", "commit", "-m", "closed")
	remedy := regexp.MustCompile(`(?m)^  (.*stategate'? recover .*) \(safe\)`).FindStringSubmatch(out)
	if remedy == nil {
		h.t.Fatalf("no fix in %s", out)
	}
	if byPath := strings.Contains(remedy[1], h.home); byPath != (id != "stategate-system") {
		h.t.Errorf("the fix of %s is %s", id, remedy[1])
	}
	if out := h.must(h.repo, "sh", "-c", remedy[1]); !strings.Contains(out, "undo with") {
		h.t.Errorf("%s: %s", remedy[1], out)
	}
	h.spoil(state)
	if out, ok := h.run(h.repo, "pre-commit", "run", "--hook-stage", "manual", "stategate-fix"); ok ||
		!strings.Contains(out, "undo with") {
		h.t.Errorf("stategate-fix: %s", out)
	}
	h.must(h.repo, "git", "add", "-A")
	h.must(h.repo, "git", "commit", "--allow-empty", "-m", "fixed")
}

func (h *hooked) spoil(state string) {
	text, err := os.ReadFile(state)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(state, []byte(strings.Replace(string(text), `"current_round": 1`, `"current_round": 3`, 1)),
		0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *hooked) must(dir, name string, args ...string) string {
	h.t.Helper()
	out, ok := h.run(dir, name, args...)
	if !ok {
		h.t.Fatalf("%s %q in %s fails:\n%s", name, args, dir, out)
	}
	return out
}

// run runs a command with the stategate from make build first in PATH, and with this machine's Go module cache.
func (h *hooked) run(dir, name string, args ...string) (string, bool) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(repository, "bin")+string(filepath.ListSeparator)+
		os.Getenv("PATH"),
		"PRE_COMMIT_HOME="+h.home, "PIP_NO_INDEX=1", "PIP_FIND_LINKS="+filepath.Join(h.release, "dist", "python"),
		"GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=A. Tester", "GIT_AUTHOR_EMAIL=tester@example.com", "GIT_COMMITTER_NAME=A. Tester",
		"GIT_COMMITTER_EMAIL=tester@example.com")
	out, err := cmd.CombinedOutput()
	h.t.Logf("%s %q: %v\n%s", name, args, err, out)
	return string(out), err == nil
}
