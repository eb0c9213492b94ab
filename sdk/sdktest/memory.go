package sdktest

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/internal/hook"
	"github.com/stategate/stategate/sdk/wire"
)

// Files maps the paths of documents, relative to the root, to their text.
type Files map[string]string

// With returns a function for [Reading]. It replaces old with text in the documents; FORM in text stands for the
// form.
func (f Files) With(old, text string) func(form string) Files {
	return func(form string) Files {
		all := make(Files, len(f))
		for path, was := range f {
			all[path] = strings.Replace(was, old, strings.Replace(text, "FORM", form, 1), 1)
		}
		return all
	}
}

// OddInCell reports whether a form cannot be in a cell of a Markdown table, for [Reading]. A bar would end the
// cell, and Markdown removes strikethrough marks.
func OddInCell(form string) bool { return strings.Contains(form, "|") || strings.Contains(form, "~~") }

// Archive returns the documents of a fixture in testdata.
func Archive(t testing.TB, name string) Files {
	t.Helper()
	f, err := fixture.Load(os.DirFS("."), path.Join(Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	files := Files{}
	for _, e := range f.Files {
		files[e.Path] = string(e.Data)
	}
	return files
}

// Look examines documents in memory, with a base that may be nil, at 2026-01-01T12:00:00Z, the default time of
// fixtures. It also checks the laws.
func Look(t testing.TB, w *sdk.Workflow, now, base Files) *fixture.Look {
	t.Helper()
	kit := kitOf(t, w)
	look, err := kit.Look(memory(t, w, now, base))
	if err != nil {
		t.Fatal(err)
	}
	for _, breach := range kit.Breaches(look) {
		t.Error(breach)
	}
	return look
}

func kitOf(t testing.TB, w *sdk.Workflow) *fixture.Kit {
	t.Helper()
	kit, err := fixture.NewKit(w.Manifest(), fixture.Native(w))
	if err != nil {
		t.Fatal(err)
	}
	return kit
}

// memory returns the world for Look.
func memory(t testing.TB, w *sdk.Workflow, now, base Files) fixture.World {
	world := fixture.World{Name: t.Name(), Files: entries(now), Base: entries(base)}
	world.Header.Root = strings.ReplaceAll(w.Roots[0].Dir, "*", "memory")
	world.Header.Name = "memory"
	world.Header.Now = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	if base != nil {
		world.Header.BaseState, world.Header.BaseRoot = wire.BaseAt, world.Header.Root
	}
	return world
}

// Findings returns Look's findings, one per line: "rule [subject]: message".
func Findings(t testing.TB, w *sdk.Workflow, now, base Files) string {
	t.Helper()
	var b strings.Builder
	for _, f := range Look(t, w, now, base).Findings {
		subject := ""
		if f.Subject != "" {
			subject = " [" + f.Subject + "]"
		}
		fmt.Fprintf(&b, "%s%s: %s\n", f.Rule, subject, f.Message)
	}
	return b.String()
}

func entries(files Files) []fixture.Entry {
	var list []fixture.Entry
	for _, path := range slices.Sorted(maps.Keys(files)) {
		list = append(list, fixture.Entry{Path: path, Data: []byte(files[path]), Size: int64(len(files[path]))})
	}
	return list
}

// Pass creates the pass of a request, for tests of a workflow's own functions.
func Pass(w *sdk.Workflow, r *wire.Request) *sdk.Pass { return hook.NewPass(w, r).(*sdk.Pass) }

// Docs creates the set of documents that a request lists, for tests of functions that read documents. A missing
// path that matches a glob in unseen is unknown.
func Docs(list []wire.Document, unseen ...string) sdk.Docs {
	return hook.NewDocs(list, unseen).(sdk.Docs)
}
