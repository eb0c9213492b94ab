// Package gittest creates repositories for tests, independent of the user's configuration.
package gittest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Environ returns the environment without git's variables, and with the user's and system's configurations disabled.
func Environ() []string {
	keep := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
	return append(keep, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
}

// Run runs git in dir and returns its trimmed output. If git fails, the test fails.
func Run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is needed: install it")
	}
	options := []string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", "-c",
		"maintenance.auto=false", "-C", dir}
	cmd := exec.Command("git", append(options, args...)...)
	cmd.Env = Environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Since reports whether the tests' git is at least a given version, so that a test can skip features that older
// supported versions lack.
func Since(t testing.TB, major, minor int) bool {
	t.Helper()
	var have [2]int
	if _, err := fmt.Sscanf(Run(t, ".", "version"), "git version %d.%d", &have[0], &have[1]); err != nil {
		t.Fatal(err)
	}
	return slices.Compare(have[:], []int{major, minor}) >= 0
}

// Write writes files, given as slash-separated paths below dir and their texts, and creates their parent directories.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Repository returns the top of a new repository whose branch main has one commit with files.
func Repository(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	Run(t, dir, "init", "-q", "-b", "main", "--template=")
	Write(t, dir, files)
	Run(t, dir, "add", "-A")
	Run(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
	return dir
}
