package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
)

// mostWords limits the total number of words on the pages for users.
const mostWords = 25_000

// TestUserDocsAreShort: users should not have to read a book. The count excludes tags, diagrams and link targets.
func TestUserDocsAreShort(t *testing.T) {
	total := 0
	for _, page := range userPages(t) {
		text := page.text
		for _, unread := range []string{"(?ms)^```mermaid\n.*?^```$",
			`</?(?:table|tr|th|td|a|code)\b[^>]*>`, `<!--.*?-->`, `\]\([^)]*\)`} {
			text = regexp.MustCompile(unread).ReplaceAllString(text, " ")
		}
		n := 0
		for _, word := range strings.Fields(text) {
			if regexp.MustCompile(`[\pL\pN]`).MatchString(word) {
				n++
			}
		}
		t.Logf("%6d %s", n, page.name)
		total += n
		if lines := strings.Count(page.text, "\n"); page.name == "README.md" && lines > 150 {
			t.Errorf("README.md has %d lines, 150 at most", lines)
		}
	}
	t.Logf("%6d in total", total)
	if total > mostWords {
		t.Errorf("the pages for users have %d words, %d at most", total, mostWords)
	}
}

// TestGeneratedPagesAreReadable: pages that make docs writes have no long lines, and no backslashes in names.
func TestGeneratedPagesAreReadable(t *testing.T) {
	for _, page := range userPages(t) {
		if !strings.HasPrefix(page.text, writtenByMake) {
			continue
		}
		for line := range strings.Lines(page.text) {
			if n := len([]rune(line)) - 1; n > 160 {
				t.Errorf("%s: %d columns: %s", page.name, n, line)
			}
		}
		if strings.Contains(page.text, `\_`) {
			t.Errorf(`%s has \_`, page.name)
		}
	}
}

type userPage struct{ name, text string }

func userPages(t *testing.T) (pages []userPage) {
	t.Helper()
	for _, glob := range []string{
		"README.md", ".github/SECURITY.md", ".github/docs/*.md", ".github/docs/for/*.md",
		".github/docs/workflows/*.md",
	} {
		files, err := filepath.Glob(filepath.Join(repository, filepath.FromSlash(glob)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", glob, err)
		}
		for _, file := range files {
			name, err := filepath.Rel(repository, file)
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, userPage{filepath.ToSlash(name), readPage(t, filepath.ToSlash(name))})
		}
	}
	return pages
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRulesLinkToTheirRow: the URL that explain and SARIF show for a rule leads to the rule's row, which is short.
func TestRulesLinkToTheirRow(t *testing.T) {
	needBuiltIns(t)
	builtIns := builtInPlugins(&app{})
	rules := result.Rules()
	for _, p := range builtIns.list {
		rules = append(rules, p.Manifest.Rules...)
	}
	pages := map[string]string{}
	const most = 16 // words that describe the fault
	for _, r := range rules {
		if n := len(strings.Fields(firstSentence(r.Doc))); n > most {
			t.Errorf("%s: the summary has %d words, %d at most: %s", r.Name, n, most, r.Doc)
		}
		address, row, _ := strings.Cut(r.URL, "#")
		page, ok := strings.CutPrefix(address, "https://github.com/stategate/stategate/blob/main/")
		if !ok {
			t.Fatalf("%s: %q is no page of this repository", r.Name, r.URL)
		}
		if pages[page] == "" {
			pages[page] = readPage(t, page)
		}
		if row != r.Name || !strings.Contains(pages[page], "<a id=\""+row+"\" ") {
			t.Errorf("%s: %s leads to no row", r.Name, r.URL)
		}
	}
}

// firstBlock returns the first code block in the given language after a page's heading.
func firstBlock(t *testing.T, page, heading, language string) string {
	t.Helper()
	_, text, found := strings.Cut(readPage(t, page), heading+"\n")
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		if found && block[1] == language {
			return block[2]
		}
	}
	t.Fatalf("%s has no block %q after %q", page, language, heading)
	return ""
}

// closedTree returns the path of a committed copy of the sample with a closed gate.
func closedTree(t *testing.T) string {
	t.Helper()
	needBuiltIns(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "testdata", "trees", "closed"))); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"git init -q .", "git add .",
		"git -c user.name=a -c user.email=a@example.org commit -q -m sample"} {
		if out, code := typed(t, dir, line); code != 0 {
			t.Fatalf("%s: exit %d: %s", line, code, out)
		}
	}
	return dir
}

// typed runs a line from a page in a shell.
func typed(t *testing.T, dir, line string) (out string, code int) {
	t.Helper()
	c := exec.Command("sh", "-c", line)
	c.Dir = dir
	text, err := c.CombinedOutput()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(text), c.ProcessState.ExitCode()
}

// TestFirstCheckShowsARealGate: the first screen on first-check.md is what check prints about the sample. TestPictures
// draws the screen in README.md from the same session.
func TestFirstCheckShowsARealGate(t *testing.T) {
	dir := closedTree(t)
	const run = ".ocr/sessions/2026-03-11-fix-token-refresh"
	got, _ := typed(t, dir, "stategate check "+run)
	got = regexp.MustCompile(`HEAD \(\w+\)`).ReplaceAllString(got, "HEAD (cf6457e)")
	if page := ".github/docs/first-check.md"; got != firstBlock(t, page, "", "") {
		t.Errorf("%s shows another gate than\n%s", page, got)
	}
	readme, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil || strings.Count(string(readme), ".github/docs/pictures/check-") != 2 {
		t.Errorf("README.md does not show the picture of a closed gate, for light and for dark pages: %v", err)
	}
}

// TestReadmeWalk: every command that a newcomer types in the first five minutes works, and the last one opens the gate.
func TestReadmeWalk(t *testing.T) {
	dir := closedTree(t)
	follow(t, dir, "README.md", "## First five minutes")
	if out, code := typed(t, dir, "stategate check .ocr/sessions/2026-03-11-fix-token-refresh"); code != 0 {
		t.Errorf("exit %d: %s", code, out)
	}
}

// TestFirstCommandsOfPages: the first commands on each task page work unchanged.
func TestFirstCommandsOfPages(t *testing.T) {
	for _, page := range []string{"first-check.md", "fix.md", "old-repository.md", "formats.md"} {
		follow(t, closedTree(t), ".github/docs/"+page, "")
	}
}

// follow runs the lines in the first block after a heading. No line may fail or be a usage error.
func follow(t *testing.T, dir, page, heading string) {
	t.Helper()
	for line := range strings.Lines(firstBlock(t, page, heading, "sh")) {
		if out, code := typed(t, dir, line); code > 1 {
			t.Errorf("%s: %sexit %d: %s", page, line, code, out)
		}
	}
}

// TestFromAClone: the section begins with make demo and make test. Both targets exist, the demo works, and CI runs
// make test.
func TestFromAClone(t *testing.T) {
	needBuiltIns(t)
	block := firstBlock(t, "README.md", "## From a clone", "sh")
	if !regexp.MustCompile(`^make demo\b.*\nmake test\b`).MatchString(block) {
		t.Errorf("From a clone begins with\n%s", block)
	}
	makefile := readPage(t, "Makefile")
	for _, want := range []string{"\ndemo: build ", "\n\t@sh testdata/demo.sh bin/stategate\n", "\ntest: plugins "} {
		if !strings.Contains(makefile, want) {
			t.Errorf("the Makefile lacks %q", want)
		}
	}
	if !strings.Contains(readPage(t, ".github/workflows/ci.yml"), "make test\n") {
		t.Error("CI does not run make test")
	}
	program, err := exec.LookPath("stategate")
	if err != nil {
		t.Fatal(err)
	}
	if out, code := typed(t, repository, "sh testdata/demo.sh '"+program+"'"); code != 0 {
		t.Errorf("make demo exits with %d:\n%s", code, out)
	}
}

// TestConfigurationPage: the page's example is a valid configuration, and the page documents every key.
func TestConfigurationPage(t *testing.T) {
	const page = ".github/docs/configuration.md"
	example := firstBlock(t, page, "# Configure stategate", "yaml")
	c, err := config.Parse(config.Name, []byte(example), schemas.Config)
	if err != nil {
		t.Fatal(err)
	}
	if c.FailOn != wire.Warning || len(c.Plugins) != 2 {
		t.Errorf("got %+v", c)
	}
	text := readPage(t, page)
	keys := regexp.MustCompile(`yaml:"(\w+)`)
	for _, key := range keys.FindAllStringSubmatch(readPage(t, "host/config/config.go"), -1) {
		if !strings.Contains(text, key[1]) {
			t.Errorf("%s lacks the key %s", page, key[1])
		}
	}
}
