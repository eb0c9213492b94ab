package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stategate/stategate/cmd/internal/gate/gatetest"
)

// TestForms: state in YAML and Markdown is also checked while it is edited. A contradiction between two documents is
// shown in both, with its fix.
func TestForms(t *testing.T) {
	const tracker, story = "docs/implementation-artifacts/sprint-status.yaml",
		"docs/implementation-artifacts/1-1-open-a-book.md"
	dir := t.TempDir()
	for name, text := range map[string]string{
		tracker: "development_status:\n  epic-1: in-progress # \U0001d11e\n  1-1-open-a-book: in-progress\n",
		story:   "# Story 1.1: Open a book\n\nStatus: in-progress\n\n## Tasks / Subtasks\n\n- [x] Keys\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := start(t, dir, gatetest.Built["stategate"])
	e.initialize(capable)
	e.open(story)
	e.change(story, 2, strings.Replace(e.text(story), "in-progress", "done", 1))
	behind := e.says(tracker, `1-1-open-a-book is in-progress, but 1-1-open-a-book.md says "done"`)
	if want := (textRange{position{2, 19}, position{2, 30}}); behind.Range != want || behind.Severity != 2 ||
		len(behind.Related) != 1 || behind.Related[0].Location.URI != e.uri(story) ||
		behind.Related[0].Location.Range.Start.Line != 2 {
		t.Errorf("the finding is %+v", behind)
	}
	action := named(e.actions(tracker, behind), "Set 1-1-open-a-book to done")
	if action.Edit == nil {
		t.Fatalf("no edit: %+v", action)
	}
	if got := apply(units{}, e.text(tracker), action.Edit.DocumentChanges[0].Edits); !strings.HasSuffix(got,
		"\n  1-1-open-a-book: done\n") {
		t.Errorf("the edit leads to %s", got)
	}
	e.change(story, 3, e.text(story))
	e.says(tracker, "1-1-open-a-book is in progress, but its only task is ticked")
}

// BenchmarkEdit measures the time from an edit to the finding that it causes.
func BenchmarkEdit(b *testing.B) {
	for _, runs := range []int{1000, 3000} {
		b.Run(fmt.Sprint(runs, " runs"), func(b *testing.B) { edit(b, runs) })
	}
}

func edit(b *testing.B, runs int) {
	dir := b.TempDir()
	for i := range runs {
		name := fmt.Sprintf("2026-03-11-fix-%d", i)
		at := filepath.Join(dir, ".ocr/sessions", name)
		if err := os.CopyFS(at, os.DirFS(filepath.Join("../../testdata/trees/closed", session))); err != nil {
			b.Fatal(err)
		}
		for _, file := range []string{"state.json", "context.md"} {
			text, err := os.ReadFile(filepath.Join(at, file))
			if err != nil {
				b.Fatal(err)
			}
			fixed := strings.NewReplacer("2026-03-11-fix-token-refresh", name, `"current_round": 3`,
				`"current_round": 1`).Replace(string(text))
			if err := os.WriteFile(filepath.Join(at, file), []byte(fixed), 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	git(b, dir, "init", "-q")
	git(b, dir, "add", "-A")
	git(b, dir, "commit", "-qm", "state")
	e := start(b, dir, gatetest.Built["stategate"])
	e.initialize(capable)
	const edited = ".ocr/sessions/2026-03-11-fix-7/state.json"
	e.open(edited)
	version := 1
	for b.Loop() {
		version++
		e.change(edited, version, strings.Replace(e.text(edited), `"current_round": 1`,
			fmt.Sprintf(`"current_round": %d`, version+100), 1))
		e.says(edited, fmt.Sprintf("current_round is %d", version+100))
	}
}
