package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNotes: a release's notes are its section in the changelog, a pre-release's are the newest section, and their
// links lead to the repository.
func TestNotes(t *testing.T) {
	changelog := "# Changelog\n\n## 0.2.0 (unreleased)\n\nNew, see [a](docs/a.md#x).\n\n### Removed\n\n* b\n\n" +
		"## 0.1.0 (2026-12-01)\n\nFirst: [c](../sdk/c.md), [d](https://d.example).\n"
	t.Chdir(t.TempDir())
	if err := os.Mkdir(".github", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(".github/CHANGELOG.md", []byte(changelog), 0o600); err != nil {
		t.Fatal(err)
	}
	newest := "New, see [a](" + homepage + "/blob/abc/.github/docs/a.md#x).\n\n### Removed\n\n* b\n"
	for _, c := range []struct {
		version version
		want    string
	}{
		{version{semver: "0.2.0", tagged: true}, newest},
		{version{semver: "0.2.0-rc.1", tagged: true}, newest},
		{version{semver: "0.0.0-20261124023306-218458cc7c2a"}, newest},
		{version{semver: "0.1.0", tagged: true},
			"First: [c](" + homepage + "/blob/abc/sdk/c.md), [d](https://d.example).\n"},
	} {
		r := &release{dist: t.TempDir(), commit: "abc", version: c.version}
		if err := r.notes(); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(r.dist, notesName))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, expected %q: %v", c.version.semver, got, c.want, err)
		}
	}
	r := &release{dist: t.TempDir(), version: version{semver: "0.3.0", tagged: true}}
	if err := r.notes(); err == nil || !strings.Contains(err.Error(), `"0.3.0"`) {
		t.Errorf("a release without a section: %v", err)
	}
}
