package statefiles

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/testdata/gittest"
)

// TestUnchanged: comparing an instance in git with the working tree gives the same answer, however little of either
// is read.
func TestUnchanged(t *testing.T) {
	for name, c := range map[string]struct {
		change func(dir string) error
		want   bool
	}{
		"nothing": {func(string) error { return nil }, true},
		"a document": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "r/state.json"),
				[]byte("x"), 0o644)
		}, false},
		"a new document": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "r/new.md"), []byte("x"),
				0o644)
		}, false},
		"no document": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "r/other.txt"),
				[]byte("x"), 0o644)
		}, true},
		"a lost document": {func(dir string) error { return os.Remove(filepath.Join(dir, "r/state.json")) }, false},
		"an empty directory": {func(dir string) error { return os.MkdirAll(filepath.Join(dir, "r/rounds/9"), 0o755) },
			true},
		"a listed name": {func(dir string) error {
			return os.Rename(filepath.Join(dir, "r/scans/x"), filepath.Join(dir, "r/scans/y"))
		}, false},
	} {
		dir := t.TempDir()
		gittest.Run(t, dir, "init", "-q")
		gittest.Write(t, dir, map[string]string{"r/state.json": "old", "r/a.md": "same", "r/scans/x": "12345",
			"r/empty.md": ""})
		gittest.Run(t, dir, "add", "-A")
		gittest.Run(t, dir, "commit", "-q", "-m", "one")
		if err := c.change(dir); err != nil {
			t.Fatal(err)
		}
		at, now := commit(t, dir, "HEAD"), read(t, dir, "r")
		p, err := Base(t.Context(), at, compiled(t), now, "r", small)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Unchanged(now); got != c.want {
			t.Errorf("%s: unchanged is %v, want %v", name, got, c.want)
		}
		walked := *now
		walked.Unstable = true // so that the walk is not skipped
		w, err := Base(t.Context(), at, compiled(t), &walked, "r", small)
		if err != nil || !p.Equal(w) || !reflect.DeepEqual(p.Files, w.Files) || !slices.Equal(p.ids, w.ids) {
			t.Errorf("%s: the base is %+v, want what a walk finds, %+v (%v)", name, p.Files, w.Files, err)
		}
	}
}

func TestMoved(t *testing.T) {
	for _, c := range []struct {
		like     Likeness
		from, to string
		want     bool
	}{
		{Likeness{Exact: 2, Shared: 3, Total: 4}, "a/x", "a/y", true},
		{Likeness{Exact: 1, Shared: 3, Total: 4}, "a/x", "a/y", false},
		{Likeness{Exact: 0, Shared: 4, Total: 4}, "a/x", "a/y", false}, // two runs from one template
		{Likeness{Exact: 1, Shared: 1, Total: 4}, "a/x", "b/x", true},
		{Likeness{Exact: 0, Shared: 1, Total: 1}, "a/x", "b/x", true}, // archived together with its state
		{Likeness{Exact: 0, Shared: 1, Total: 4}, "a/x", "b/x", false},
		{Likeness{}, "a/x", "b/x", false},
	} {
		if got := c.like.Moved(c.from, c.to); got != c.want {
			t.Errorf("%+v from %s to %s: moved is %v, want %v", c.like, c.from, c.to, got, c.want)
		}
	}
}

func TestLikeness(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, map[string]string{"r/state.json": "old", "r/a.md": "same", "r/b.md": "b", "r/empty.md": ""})
	gittest.Run(t, dir, "add", "-A")
	gittest.Run(t, dir, "commit", "-q", "-m", "one")
	gittest.Write(t, dir, map[string]string{"n/state.json": "new", "n/a.md": "same", "n/empty.md": ""})
	p, err := Base(t.Context(), commit(t, dir, "HEAD"), compiled(t), &Instance{Files: []snapshot.File{}}, "r", small)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.Likeness(read(t, dir, "n")), (Likeness{Exact: 1, Shared: 2, Total: 3}); got != want {
		t.Errorf("Likeness = %+v, want %+v", got, want)
	}
}

// TestNear: a run is recognized however its documents are formatted, and two runs from one template are different.
func TestNear(t *testing.T) {
	const review = "# Review\n\n- one finding here\n- and another finding there\n"
	run := map[string]string{"state.json": "{\n \"id\": \"a\",\n \"phase\": \"reviews\",\n \"started\": " +
		"\"09:12:41\"\n}\n", "context.md": "what the change is about\n", "r1.md": review,
		"r2.md": review + "- a third\n", "r3.md": "x", "r4.md": "y"}
	with := func(change func(path, text string) (string, bool)) map[string]string {
		out := map[string]string{}
		for path, text := range run {
			if text, ok := change(path, text); ok {
				out[path] = text
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		now  map[string]string
		want bool
	}{
		"a line feed more": {with(func(_, s string) (string, bool) { return s + "\n", true }), true},
		"other line ends": {with(func(_, s string) (string, bool) {
			return strings.ReplaceAll(s, "\n", "\r\n"),
				true
		}), true},
		"other indentation": {with(func(_, s string) (string, bool) {
			return strings.ReplaceAll(s, "\n ", "\n\t\t") + "  ", true
		}), true},
		"more in each": {with(func(_, s string) (string, bool) {
			return s + "and much more than was there before, in each of them\n", true
		}), true},
		"evidence gone, a line feed": {with(func(p, s string) (string, bool) {
			return s + "\n", p[0] != 'r' ||
				p == "r4.md"
		}), true},
		"nothing but the state is left": {with(func(p, s string) (string, bool) { return s, p == "state.json" }),
			false},
		"another run with the same context": {map[string]string{"context.md": run["context.md"],
			"state.json": "{\n \"id\": \"b\",\n \"phase\": \"context\",\n \"started\": \"10:00:00\"\n}\n",
			"r1.md":      "# Review\n\n- nothing of that kind is here\n"}, false},
		"nothing": {nil, false},
	} {
		if near, moved := sketchOf(c.now).Near(sketchOf(run)); moved != c.want {
			t.Errorf("%s: moved is %v with %d near documents, want %v", name, moved, near, c.want)
		}
	}
}

func sketchOf(files map[string]string) Sketch {
	s := Sketch{}
	for path, data := range files {
		s[path] = textOf(data)
	}
	return s
}
