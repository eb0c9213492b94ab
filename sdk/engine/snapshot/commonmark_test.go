package snapshot

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
)

// TestCommonMark compares the outline with goldmark's for the examples in the CommonMark specification, which the
// goldmark module contains. One example differs, because it begins with front matter here.
func TestCommonMark(t *testing.T) {
	file, _ := runtime.FuncForPC(reflect.ValueOf(goldmark.New).Pointer()).FileLine(
		reflect.ValueOf(goldmark.New).Pointer())
	if !filepath.IsAbs(file) { // built with -trimpath
		cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
		if err != nil {
			t.Fatal(err)
		}
		file = filepath.Join(strings.TrimSpace(string(cache)), filepath.FromSlash(file))
	}
	data, err := os.ReadFile(filepath.Join(filepath.Dir(file), "_test", "spec.json"))
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Markdown, Section string
		Example           int
	}
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	if len(examples) < 600 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, e := range examples {
		o, err := Outline(e.Markdown)
		if err != nil {
			t.Errorf("example %d (%s): %v", e.Example, e.Section, err)
			continue
		}
		got, want := ours(o), theirs(e.Markdown)
		if strings.HasPrefix(e.Markdown, "---\nFoo\n---\nBar") {
			want = "heading\n"
		}
		if got != want {
			t.Errorf("example %d (%s): %q:\nours\n%s\ngoldmark's\n%s", e.Example, e.Section, e.Markdown, got, want)
		}
	}
}
