package declare_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/declare"
	"github.com/stategate/stategate/plugins/declare/source"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
)

// workflow loads the workflow that the text of a declaration describes.
func workflow(t testing.TB, text string) *sdk.Workflow {
	t.Helper()
	read := source.Read(text)
	for _, f := range read.Faults {
		t.Fatalf("%d:%d: %s\n%s\n%s^", f.Line, f.Column, f.Message, f.Excerpt, strings.Repeat(" ", f.Caret))
	}
	d, err := declare.Load(read.JSON)
	if err != nil {
		t.Fatal(err)
	}
	return d.Workflow()
}

// TestGallery runs the fixtures of each declaration in the gallery, and checks the laws.
func TestGallery(t *testing.T) {
	files, err := filepath.Glob("gallery/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no declarations are found", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w := workflow(t, string(text))
			kit, err := fixture.NewKit(w.Manifest(), fixture.Native(w))
			if err != nil {
				t.Fatal(err)
			}
			kit.Declared, kit.Thorough = true, os.Getenv(fixture.Long) != ""
			dir := strings.TrimSuffix(file, ".yaml")
			fixtures, err := fixture.LoadAll(os.DirFS(dir), ".")
			if err != nil {
				t.Fatal(err)
			}
			update := flag.Lookup("update").Value.String() == "true" // package sdktest defines the flag
			c := kit.Conform(t.Context(), dir, fixtures, update, "go test -run TestGallery")
			for _, trial := range c.Trials {
				for _, fault := range trial.Faults {
					t.Errorf("%s: %s", trial.File, fault)
				}
			}
			for _, fault := range c.Faults {
				t.Error(fault)
			}
		})
	}
}
