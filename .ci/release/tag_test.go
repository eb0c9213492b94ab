package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestTag runs release-tag in a small repository whose Makefile builds one plugin. Afterwards, the changelog on the
// branch has the date that tells TestContract that 0.1.0 is released, but the branch does not contain the built
// plugins.
func TestTag(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("releases are made on Linux")
	}
	const (
		unreleased = "# Changelog\n\n## 0.2.0 (unreleased)\n\nNew.\n\n## 0.1.0 (2026-12-01)\n\nFirst.\n"
		released   = "# Changelog\n\n## 0.2.0 (2027-01-15)\n\nNew.\n\n## 0.1.0 (2026-12-01)\n\nFirst.\n"
		changelog  = ".github/CHANGELOG.md"
	)
	script, err := os.ReadFile("../release-tag")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		".ci/release-tag": string(script),
		changelog:         unreleased,
		"Makefile": ".PHONY: plugins\nplugins:\n\t@for part in wasm.gz json gen.go; do " +
			"echo built > plugins/build/ocr.$$part; done\n" +
			"\t@test ! -e broken\n",
		".gitignore":                         "plugins/build/ocr.*\n",
		"plugins/build/build.go":             "package build\n",
		".github/action/version":             "source\n",
		".github/workflows/organization.yml": "uses: stategate/stategate/.github/action@main\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		t.Helper()
		return strings.TrimSpace(must(t, dir, []string{"GIT_COMMITTER_DATE=2027-01-15T12:00:00Z"}, "git", args...))
	}
	git("init", "--quiet", "--initial-branch=main")
	git("add", "--all")
	git("commit", "--quiet", "--message", "source")
	source := git("rev-parse", "HEAD")

	same := func(what, got, want string) {
		t.Helper()
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: got %q, expected %q", what, got, want)
		}
	}
	must(t, dir, nil, ".ci/release-tag", "v0.2.0-rc.1")
	same("the branch's changelog after a pre-release", git("show", "main:"+changelog), unreleased)
	git("reset", "--quiet", "--hard", source)

	must(t, dir, nil, ".ci/release-tag", "v0.2.0")
	same("the branch's changelog", git("show", "main:"+changelog), released)
	same("the tag's changelog", git("show", "v0.2.0:"+changelog), released)
	same("files that only the tag has", git("diff", "--name-only", "main", "v0.2.0"), ".github/action/version\n"+
		".github/workflows/organization.yml\nplugins/build/ocr.gen.go\nplugins/build/ocr.json\n"+
		"plugins/build/ocr.wasm.gz\npyproject.toml")
	same("commits on the branch", git("log", "--first-parent", "--format=%s", "main"),
		"Merge the tag v0.2.0 without the built plugins\nchangelog: date 0.2.0\nsource")
	same("the branch's last tag", git("describe", "--tags", "--abbrev=0"), "v0.2.0")
	same("uncommitted files", git("status", "--porcelain"), "")
	tagged := git("rev-parse", "v0.2.0^{commit}")
	git("tag", "--delete", "v0.2.0")
	git("reset", "--quiet", "--hard", "HEAD^1") // which already has the date
	must(t, dir, nil, ".ci/release-tag", "v0.2.0")
	same("the same source, tagged again", git("rev-parse", "v0.2.0^{commit}"), tagged)
	git("tag", "--delete", "v0.2.0")
	git("reset", "--quiet", "--hard", source)

	for what, broken := range map[string]struct{ file, text, version, want string }{
		"no section":        {"other", "", "v0.3.0", "has no section ## 0.3.0"},
		"plugins not built": {"broken", "", "v0.2.0", "Error 1"},
	} {
		if err := os.WriteFile(filepath.Join(dir, broken.file), []byte(broken.text), 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", "--all")
		git("commit", "--quiet", "--message", what)
		head := git("rev-parse", "HEAD")
		if out, err := called(dir, nil, ".ci/release-tag", broken.version); err == nil ||
			!strings.Contains(out, broken.want) {
			t.Errorf("%s: %v: %s", what, err, out)
		}
		same(what+": the branch", git("rev-parse", "main"), head)
		same(what+": tags", git("tag", "--list", "v0.[23].0"), "")
		git("reset", "--quiet", "--hard", source)
	}
}
