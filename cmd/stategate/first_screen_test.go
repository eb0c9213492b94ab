package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFirstScreen: in large real repositories, the first 40 lines of a first check name every rule that has errors,
// with its count. The repositories are not part of the project; REAL contains their location.
func TestFirstScreen(t *testing.T) {
	root := cmp.Or(os.Getenv("REAL"), "../../../shared/real")
	found, err := filepath.Glob(filepath.Join(root, "*", "*+*"))
	if err != nil || len(found) == 0 {
		t.Skip("no real repositories here")
	}
	needBuiltIns(t)
	sizes := map[string]int{}
	for _, dir := range found {
		_ = filepath.WalkDir(dir, func(string, fs.DirEntry, error) error {
			sizes[dir]++
			return nil
		})
	}
	slices.SortFunc(found, func(a, b string) int { return cmp.Compare(sizes[b], sizes[a]) })
	const largest, screen = 5, 40
	for _, dir := range found[:min(len(found), largest)] {
		checked := func(flags ...string) string {
			t.Helper()
			var out, errs bytes.Buffer
			if code := run(append([]string{"check", "--base=none", dir}, flags...), strings.NewReader(""), &out,
				&errs); code > exitClosed {
				t.Fatalf("%s: exit %d: %s", dir, code, errs.String())
			}
			return out.String()
		}
		var report struct {
			Instances []struct {
				Diagnostics []struct{ Rule, Severity string }
			}
		}
		if err := json.Unmarshal([]byte(checked("--format=json")), &report); err != nil {
			t.Fatal(err)
		}
		errors := map[string]int{}
		for _, i := range report.Instances {
			for _, d := range i.Diagnostics {
				if d.Severity == "error" {
					errors[d.Rule]++
				}
			}
		}
		lines := strings.SplitAfter(checked(), "\n")
		first := strings.Join(lines[:min(len(lines), screen)], "")
		for rule, n := range errors {
			listed := 0 // a few findings need no count
			for line := range strings.Lines(first) {
				if strings.Contains(line, " error: ") && strings.Contains(line, "["+rule+"]") {
					listed++
				}
			}
			if listed != n && !strings.Contains(first, fmt.Sprintf("%6d  error    %s\n", n, rule)) {
				t.Errorf("%s: the first screen does not say that %s has %d:\n%s", dir, rule, n, first)
			}
		}
		t.Logf("%s: %d rules with errors, %d lines", dir, len(errors), len(lines)-1)
	}
}
