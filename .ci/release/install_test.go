package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// installs checks that the release's script installs it from the loopback interface, and that the action's check runs
// with it within 3 s, or 1 s from the cache. The script must refuse an altered archive.
func (m made) installs(t *testing.T) {
	served, fetched := map[string][]byte{"checksums.txt": m.read(t, "checksums.txt"),
		m.archiveName(): m.read(t, m.archiveName())}, ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/"+tag+"/")
		fetched += name + " "
		_, _ = w.Write(served[name])
	}))
	defer server.Close()
	repo, dir := m.closed(t), t.TempDir()
	must(t, repo, nil, "git", "commit", "--quiet", "-m", "x")
	bin, cache := filepath.Join(dir, "bin"), filepath.Join(dir, "cache")
	env := []string{"STATEGATE_RELEASES=" + server.URL, "STATEGATE_BIN=" + bin, "STATEGATE_CACHE=" + cache,
		"STATEGATE_ATTESTATION=off",
		"XDG_CACHE_HOME=" + filepath.Join(dir, "user"), "PATH=" + bin + ":" + os.Getenv("PATH"), "FORMAT=github",
		"GITHUB_OUTPUT=" + filepath.Join(dir, "outputs")}
	action := func(word string) time.Duration {
		begin := time.Now()
		if out := must(t, repo, env, "sh", filepath.Join(m.dist, "install.sh")); !strings.Contains(out,
			"stategate "+tag+" ("+word) {
			t.Errorf("it says %s", out)
		}
		out, err := called(repo, env, "bash", filepath.Join(m.clone, ".github/action/check.sh"))
		if err == nil || !strings.Contains(out, "::error file=") {
			t.Errorf("the gate is not closed: %v: %s", err, out)
		}
		return time.Since(begin)
	}
	cold, cached := action("downloaded"), action("cached")
	t.Logf("downloaded, installed and checked in %v; from the cache in %v", cold, cached)
	if os.Getenv("STATEGATE_TEST_TIMES") != "" && (cold > 3*time.Second || cached > time.Second) {
		t.Errorf("it takes %v, and %v where the release is cached, expected 3 s and 1 s at most", cold, cached)
	}
	good := served[m.archiveName()]
	if err := os.WriteFile(filepath.Join(cache, m.archiveName()), append(bytes.Clone(good), 0), 0o600); err != nil {
		t.Fatal(err)
	}
	action("downloaded") // without the cache
	served[m.archiveName()] = append(bytes.Clone(good), 0)
	if err := os.RemoveAll(cache); err != nil {
		t.Fatal(err)
	}
	if out, err := called(repo, env, "sh", filepath.Join(m.dist, "install.sh")); err == nil ||
		!strings.Contains(out, "it was changed, or a proxy answered") {
		t.Errorf("a tampered archive is installed: %v: %s", err, out)
	}
	if want := "checksums.txt " + m.archiveName() + " checksums.txt checksums.txt " + m.archiveName() +
		" checksums.txt " + m.archiveName() + " "; fetched != want {
		t.Errorf("it fetches %s, expected %s", fetched, want)
	}
}

// python checks that pip installs the wheel into a new environment, and that the installed program runs the gate.
func (m made) python(t *testing.T) {
	dir := t.TempDir()
	environment := filepath.Join(dir, "environment")
	if out, err := exec.Command("python3", "-m", "venv", environment).CombinedOutput(); err != nil {
		t.Skipf("python3 makes no environments here: %v: %s", err, out)
	}
	repo, env := m.closed(t), []string{"PIP_CONFIG_FILE=" + os.DevNull, "XDG_CACHE_HOME=" + dir}
	begin := time.Now()
	must(t, repo, env, filepath.Join(environment, "bin", "pip"), "install", "--quiet", "--no-index", "--find-links",
		filepath.Join(m.dist, "python"), "--pre", "stategate")
	out, err := called(repo, env, filepath.Join(environment, "bin", "stategate"), "check")
	if err == nil || err.Error() != "exit status 1" || !strings.Contains(out, "the gate is closed") {
		t.Errorf("stategate check: %v: %s", err, out)
	}
	firstVerdict(t, begin)
}

// firstVerdict checks that the time from the install command to the first result is at most ten seconds.
func firstVerdict(t *testing.T, begin time.Time) {
	t.Helper()
	took := time.Since(begin)
	t.Logf("the first verdict takes %v", took)
	if os.Getenv("STATEGATE_TEST_TIMES") != "" && took > 10*time.Second {
		t.Errorf("the first verdict takes %v, expected 10 s at most", took)
	}
}
