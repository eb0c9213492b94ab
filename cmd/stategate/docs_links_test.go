package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	linked = regexp.MustCompile(`(?:\]\(|(?:src|srcset)=")([^)\s"]+)[)"]`)
	target = regexp.MustCompile(`(?m)^([a-z-]+):`)
)

// TestPages: on every page for readers, links have targets, shell examples use existing subcommands, flags and make
// targets, and YAML is valid.
func TestPages(t *testing.T) {
	pages := []string{"README.md", "sdk/COMPATIBILITY.md"}
	for _, glob := range []string{".github/*.md", ".github/docs/*.md", ".github/docs/authors/*.md",
		".github/docs/for/*.md", ".github/docs/workflows/*.md"} {
		found, err := filepath.Glob(filepath.Join(repository, filepath.FromSlash(glob)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			name, _ := filepath.Rel(repository, file)
			pages = append(pages, filepath.ToSlash(name))
		}
	}
	var targets []string
	for _, name := range []string{"Makefile", "sdk/engine/scaffold/project/Makefile"} {
		text, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, target.FindAllString(string(text), -1)...)
	}
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range fence.FindAllStringSubmatch(string(text), -1) {
			switch block[1] {
			case "sh":
				for line := range strings.Lines(block[2]) {
					shown(t, page, line, targets)
				}
			case "yaml":
				if err := yaml.Unmarshal([]byte(block[2]), new(any)); err != nil {
					t.Errorf("%s: %v in\n%s", page, err, block[2])
				}
			}
		}
		for _, link := range linked.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			leads(t, page, link[1])
		}
	}
}

// TestContributing: the files that CONTRIBUTING.md names exist, at the named path or, if only their name is given,
// somewhere.
func TestContributing(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, ".github", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, top := range []string{"cmd", "host", "plugins", "schemas", "sdk", "testdata", ".ci"} {
		err := filepath.WalkDir(filepath.Join(repository, top), func(path string, d fs.DirEntry, err error) error {
			names[filepath.Base(path)] = true
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range regexp.MustCompile(`[\w./-]*\w\.go\b`).FindAllString(string(text), -1) {
		_, err := os.Stat(filepath.Join(repository, filepath.FromSlash(name)))
		if example := strings.ToUpper(name) == strings.TrimSuffix(name, ".go")+".GO" || strings.HasPrefix(
			filepath.Base(name), "FORMAT"); err != nil && !names[filepath.Base(name)] && !example {
			t.Errorf("%s does not exist", name)
		}
	}
}

// shown checks a shell line on a page: the arguments of stategate, and the targets of make.
func shown(t *testing.T, page, line string, targets []string) {
	t.Helper()
	line, _, _ = strings.Cut(line, " #")
	line, _, _ = strings.Cut(line, " > ")
	line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "exec "), "npx ")
	words := strings.Fields(strings.NewReplacer("'", " ", "[", " ", "]", " ").Replace(line))
	switch {
	case len(words) < 2:
	case words[0] == "make" && !slices.Contains(targets, words[1]+":"):
		t.Errorf("%s: %s: no Makefile has such a target", page, line)
	case words[0] == "stategate":
		c, rest, err := rootCommand(&app{stdout: io.Discard, stderr: io.Discard}).Find(words[1:])
		if err != nil || c.HasSubCommands() {
			t.Errorf("%s: %s: there is no such subcommand: %v", page, line, err)
			return
		}
		for _, w := range rest {
			name, _, _ := strings.Cut(strings.TrimPrefix(w, "--"), "=")
			if strings.HasPrefix(w, "--") && name != "" && c.Flags().Lookup(name) == nil && name != "help" {
				t.Errorf("%s: %s: there is no flag --%s", page, line, name)
			}
		}
	}
}

// leads fails the test unless a link leads to an existing file and to a heading in it.
func leads(t *testing.T, page, link string) {
	if strings.Contains(link, "://") {
		return
	}
	name, anchor, _ := strings.Cut(link, "#")
	file := filepath.Join(repository, filepath.FromSlash(page))
	if name != "" {
		file = filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Errorf("%s: the link %s leads nowhere", page, link)
		return
	}
	if anchor == "" || info.IsDir() {
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "id=\""+anchor+"\"") { // a row in a table of rules
		return
	}
	for line := range strings.Lines(string(text)) {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' &&
			anchorOf(heading) == anchor {
			return
		}
	}
	t.Errorf("%s: the link %s leads to no heading and no rule", page, link)
}

// anchorOf returns GitHub's anchor for a heading.
func anchorOf(heading string) string {
	heading = strings.ToLower(strings.TrimSpace(heading))
	return strings.ReplaceAll(regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(heading, ""), " ", "-")
}
