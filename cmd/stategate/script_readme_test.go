package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestStoriesAreDescribed compares the stories' README.md with the commands that stories can use.
func TestStoriesAreDescribed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "testdata", "script", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var described []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(?:\\[!\\] |exec )?([a-z]+)").FindAllSubmatch(text, -1) {
		described = append(described, string(row[1]))
	}
	slices.Sort(described)
	want := slices.Sorted(maps.Keys(commands))
	want = append(want, slices.Collect(maps.Keys(programs))...)
	slices.Sort(want)
	if !slices.Equal(described, want) {
		t.Errorf("testdata/script/README.md describes the commands %q, stories have %q", described, want)
	}
}
