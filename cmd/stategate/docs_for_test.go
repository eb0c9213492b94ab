package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// forTools lists the workflows with a page for their tool's users, the most used first.
var forTools = []string{"openspec", "gsd", "spec-kit", "kiro", "bmad", "taskmaster", "backlog"}

// TestPagesForUsersOfATool: in a small repository that uses the tool, the page's commands add a gate with one commit,
// and the gate refuses an agent's next commit with the finding that the page shows.
func TestPagesForUsersOfATool(t *testing.T) {
	needBuiltIns(t)
	for _, name := range forTools {
		t.Run(name, func(t *testing.T) {
			page := ".github/docs/for/" + name + ".md"
			sample, err := txtar.ParseFile(filepath.Join(repository, "testdata", "for", name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			do := func(line string) {
				t.Helper()
				if out, code := typed(t, dir, line); code != 0 {
					t.Fatalf("%s: exit %d: %s", strings.TrimSpace(line), code, out)
				}
			}
			writeSample(t, dir, "before/", sample)
			for _, line := range []string{"git init -q .", "git config user.name a",
				"git config user.email a@example.org", "git add .", "git commit -q -m before"} {
				do(line)
			}
			for line := range strings.Lines(firstBlock(t, page, "", "sh")) {
				if !strings.HasPrefix(line, "curl ") { // another test covers installation
					do(line)
				}
			}
			writeSample(t, dir, "after/", sample)
			do("git add -A")
			want := firstBlock(t, page, "This commit is refused:", "text")
			if out, code := typed(t, dir, "git commit -q -m after"); code == 0 || !strings.Contains(out, want) {
				t.Errorf("exit %d, expected a refusal with\n%sgot\n%s", code, want, out)
			}
			if out, code := typed(t, dir, "git log -1 --format=%s"); code != 0 || strings.Contains(out, "after") {
				t.Errorf("the commit was made: %s", out)
			}
		})
	}
}

// writeSample writes the documents on one side of a sample, and removes the empty ones.
func writeSample(t *testing.T, dir, side string, sample *txtar.Archive) {
	t.Helper()
	written := false
	for _, f := range sample.Files {
		name, ok := strings.CutPrefix(f.Name, side)
		if !ok {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		err := os.Remove(file)
		if len(f.Data) > 0 {
			if err = os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
				err = os.WriteFile(file, f.Data, 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		written = true
	}
	if !written {
		t.Fatalf("the sample has nothing under %s", side)
	}
}

// TestPagesForUsersOfAToolAreAlike: all these pages have the same structure, and each takes a minute to read.
func TestPagesForUsersOfAToolAreAlike(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join(docs, "for"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(forTools, strings.TrimSuffix(e.Name(), ".md")) {
			t.Errorf("%s is of no tool", e.Name())
		}
	}
	var first string
	for _, name := range forTools {
		page := ".github/docs/for/" + name + ".md"
		text := readPage(t, page)
		if n := len(strings.Fields(text)); n > 150 {
			t.Errorf("%s has %d words, 150 at most", page, n)
		}
		tool, _, _ := strings.Cut(strings.TrimPrefix(text, "# Add a gate to your "), " repository in two minutes\n")
		var bones strings.Builder
		for line := range strings.Lines(text) {
			own := strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "Refuse commits") ||
				strings.Contains(line, ": error: ")
			if !own {
				bones.WriteString(strings.ReplaceAll(line, tool, "TOOL"))
			}
		}
		if first == "" {
			first = bones.String()
		}
		if bones.String() != first {
			t.Errorf("%s is built in another way than that of %s", page, forTools[0])
		}
	}
}

// pagesForTools returns links to the pages for users of a tool, each labeled with the tool's name.
func pagesForTools(t *testing.T) string {
	t.Helper()
	links := make([]string, len(forTools))
	for i, name := range forTools {
		text := strings.TrimPrefix(readPage(t, ".github/docs/for/"+name+".md"), "# Add a gate to your ")
		tool, _, _ := strings.Cut(text, " repository in two minutes\n")
		links[i] = "[" + tool + "](../for/" + name + ".md)"
	}
	return strings.Join(links, ", ")
}
