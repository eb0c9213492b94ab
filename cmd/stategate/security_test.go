package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryPromiseHasItsTest: each row in CONTRIBUTING.md's table names tests, and all of them exist.
func TestEveryPromiseHasItsTest(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repository, ".github", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = filepath.WalkDir(repository, func(name string, d fs.DirEntry, err error) error {
		base := filepath.Base(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (base == ".git" || base == "bin" || base == "build"):
			return fs.SkipDir
		case strings.HasSuffix(base, ".txtar") && filepath.Base(filepath.Dir(name)) == "script":
			have[strings.TrimSuffix(base, ".txtar")] = true
		case strings.HasSuffix(base, "_test.go"):
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for _, match := range declared.FindAllSubmatch(text, -1) {
				have[string(match[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "| | promise | held by |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if len(rows) < 20 {
		t.Fatalf("%d promises are left", len(rows))
	}
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "|"), " | ")
		names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(cells) != 3 || len(names) == 0 {
			t.Errorf("no test is named in %s", row)
		}
		for _, name := range names {
			if !have[name[1]] {
				t.Errorf("there is no test %s, which %s is held by", name[1], strings.TrimSpace(cells[1]))
			}
		}
	}
}
