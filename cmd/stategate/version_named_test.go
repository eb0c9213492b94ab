package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// namesVersion matches the places where a text names a stategate release.
var namesVersion = regexp.MustCompile(`stategate/[\w./-]*@v(\d+\.\d+\.\d+)` + // an action, a workflow, go install
	`|\brev(?:: | = ")v(\d+\.\d+\.\d+)|releases/download/v(\d+\.\d+\.\d+)/` +
	`|STATEGATE_VERSION=v(\d+\.\d+\.\d+)|\bstategate_(\d+\.\d+\.\d+)_` +
	`|\b(?:release, such as|version is given: write one such as|version:) v(\d+\.\d+\.\d+)|go install @v(\d+\.\d+\.\d+)`)

// TestVersionIsTheSameEverywhere: every page, template or message that names a release names the changelog's newest.
func TestVersionIsTheSameEverywhere(t *testing.T) {
	newest := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)`).FindStringSubmatch(readPage(t, ".github/CHANGELOG.md"))
	if newest == nil {
		t.Fatal("the changelog has no release")
	}
	var files []string
	for _, glob := range []string{"README.md", ".pre-commit-hooks.yaml", ".github/*.md", ".github/*/*.md",
		".github/*/*/*.md", ".github/*/*.yml", ".github/action/*.sh", ".gitlab/templates/*.yml",
		"cmd/stategate/plugins.go"} {
		found, err := filepath.Glob(filepath.Join(repository, filepath.FromSlash(glob)))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", glob, err)
		}
		files = append(files, found...)
	}
	named := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(repository, file)
		for _, m := range namesVersion.FindAllStringSubmatch(string(text), -1) {
			named[filepath.ToSlash(name)]++
			if got := strings.Join(m[1:], ""); got != newest[1] {
				t.Errorf("%s: %q names %s, expected %s", name, m[0], got, newest[1])
			}
		}
	}
	for _, name := range []string{"README.md", ".github/docs/install.md", ".github/docs/ci.md",
		".github/action/action.yml", ".github/action/install.sh", ".gitlab/templates/stategate.yml",
		"cmd/stategate/plugins.go"} {
		if named[name] == 0 {
			t.Errorf("%s names no release: the test does not see how", name)
		}
	}
}

// TestFirstReleaseHasNoHistory: no user has had an earlier version, so the notes for 0.1.0 describe only what it
// contains. What was removed earlier has a section of its own; earlier changes and fixes are in git's log.
func TestFirstReleaseHasNoHistory(t *testing.T) {
	_, text, ok := strings.Cut(readPage(t, ".github/CHANGELOG.md"), "\n## 0.1.0")
	if !ok {
		t.Fatal("the changelog has no section 0.1.0")
	}
	text, _, _ = strings.Cut(text, "\n## ")
	for _, heading := range regexp.MustCompile(`(?m)^### .*`).FindAllString(text, -1) {
		t.Errorf("the section 0.1.0 of the changelog has %q: say it in the list above, or not at all", heading)
	}
	if n := len(strings.Fields(text)); n > 450 {
		t.Errorf("what 0.1.0 is takes %d words, 450 at most", n)
	}
}

// TestRemovedRules: a configuration may still name each rule that the changelog lists as removed from a workflow.
func TestRemovedRules(t *testing.T) {
	name, seen := regexp.MustCompile("`([a-z0-9]+(?:-[a-z0-9]+)+)`"), 0
	for section := range strings.SplitSeq(readPage(t, ".github/CHANGELOG.md"), "\n### ") {
		heading, text, _ := strings.Cut(section, "\n")
		w := natives[heading]
		if w == nil { // of several workflows, or of none
			continue
		}
		known := slices.Clone(w.Dropped)
		for _, r := range w.Rules {
			known = append(append(known, r.Name), r.Replaces...)
		}
		for _, item := range strings.Split(text, "\n* ") {
			removed, _, _ := strings.Cut(item, ":")
			for _, m := range name.FindAllStringSubmatch(removed, -1) {
				if seen++; !slices.Contains(known, m[1]) {
					t.Errorf("%s: a configuration that names the removed rule %s is refused", heading, m[1])
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("the changelog lists %d removed rules: the test does not see how", seen)
	}
}
