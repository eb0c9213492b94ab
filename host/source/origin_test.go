package source_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/gittest"
)

// TestBaseOrigins: the output names each base by the revision that led to it, and states its relation to what is
// checked.
func TestBaseOrigins(t *testing.T) {
	dir := repository(t)
	gittest.Run(t, dir, "switch", "-q", "-c", "side")
	commit(t, dir, map[string]string{"runs/a/side.md": "1"})
	gittest.Run(t, dir, "switch", "-q", "-")
	commit(t, dir, map[string]string{"runs/a/plan.md": "6"})
	origins := func(o source.Options, revisions ...string) string {
		t.Helper()
		s := mustOpen(t, dir, o)
		bases, err := s.Bases(t.Context(), source.Compare{Bases: revisions, Predecessors: len(revisions) == 0})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, b := range bases {
			list = append(list, string(b.From.Role)+" "+b.From.Rev)
			if b.From.ID != b.ID() {
				t.Errorf("%s is %s, opened as %s", b.From.Rev, b.From.ID, b.ID())
			}
		}
		return strings.Join(list, ", ")
	}
	rev := source.Options{Source: wire.Commit, Rev: "HEAD"}
	for _, c := range []struct {
		name, got, want string
	}{
		{"a commit", origins(rev), "parent HEAD^1"},
		{"the parents of another", origins(rev, "side^@"), "parent side^1"},
		{"a branch from its merge base", origins(rev, "side..."), "merge-base side"},
		{"a branch without dots", origins(rev, "side"), "merge-base side"},
		{"a branch by its whole name", origins(source.Options{Source: wire.Worktree}, "refs/heads/side"),
			"merge-base refs/heads/side"},
		{"HEAD, which is a branch, too", origins(rev, "HEAD"), "given HEAD"},
		{"a given commit, named twice", origins(rev, "HEAD~1", "HEAD~1"), "given HEAD~1"},
		{"a merge that is not made yet", origins(source.Options{Source: wire.Commit, Rev: "HEAD", Merge: "side"}),
			"parent HEAD, parent side"},
		{"the index", origins(source.Options{Source: wire.Index}), "head HEAD"},
	} {
		if c.got != c.want {
			t.Errorf("%s is compared with %s, want %s", c.name, c.got, c.want)
		}
	}
	gittest.Run(t, dir, "merge", "-q", "--no-commit", "--no-ff", "side")
	got := origins(source.Options{Source: wire.Worktree})
	if want := "head HEAD, merge-head MERGE_HEAD"; got != want {
		t.Errorf("during a merge the working tree is compared with %s, want %s", got, want)
	}
}
