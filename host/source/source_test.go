package source_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/gittest"
)

var plugins = []discover.Plugin{{Name: "p", Roots: []wire.Root{{Dir: "runs/*", Markers: []string{"state.json"}}}}}

var documents = []wire.DocumentSpec{{Glob: "*.json", Need: wire.Content}}

var all = statefiles.DefaultLimits(limits.Default())

func open(t *testing.T, dir string, o source.Options) (source.Source, error) {
	t.Helper()
	w, err := source.Locate(source.Call{Dir: dir, Environ: gittest.Environ(), Plugins: plugins,
		Source: o.Source})
	if err != nil {
		t.Fatal(err)
	}
	o.Limits = all
	s, err := w.Open(t.Context(), o)
	if err == nil {
		t.Cleanup(s.Close)
	}
	return s, err
}

func mustOpen(t *testing.T, dir string, o source.Options) source.Source {
	t.Helper()
	s, err := open(t, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func query() discover.Query { return discover.Query{Plugins: plugins} }

// describe returns every state directory of a source with its documents: path=text, path! if it cannot be read, and
// path? if git ignores it.
func describe(t *testing.T, s source.Source) string {
	t.Helper()
	found, err := s.Find(t.Context(), query())
	if err != nil {
		t.Fatal(err)
	}
	specs, err := snapshot.CompileSpecs(documents)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, i := range found.Instances {
		read, err := s.Read(t.Context(), specs, i.Root)
		if err == nil {
			err = read.Load(t.Context(), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range read.Files {
			text := f.Path + "=" + string(f.Data)
			if f.Kind != snapshot.Regular {
				text = f.Path + "!"
			}
			if f.Ignored {
				text += "?"
			}
			list = append(list, i.Root+"/"+text)
		}
		for _, name := range read.Unseen {
			list = append(list, i.Root+"/"+name+" unseen")
		}
	}
	return strings.Join(list, " ")
}

// repository returns a repository with a run that was committed, and changed in the index and on disk, and one that
// git ignores.
func repository(t *testing.T) string {
	dir := gittest.Repository(t, map[string]string{"runs/a/state.json": "1", ".gitignore": "runs/own\n"})
	gittest.Write(t, dir, map[string]string{"runs/a/state.json": "2"})
	gittest.Run(t, dir, "add", ".")
	gittest.Write(t, dir, map[string]string{"runs/a/state.json": "3", "runs/own/state.json": "4",
		"runs/new/state.json": "5", "runs/later/state.json": ""})
	gittest.Run(t, dir, "add", "-N", "runs/later")
	return dir
}

func TestSources(t *testing.T) {
	dir := repository(t)
	for _, c := range []struct {
		options  source.Options
		want     string
		presence string // of runs/a, runs/later/state.json, runs/own, none
	}{
		{source.Options{Source: wire.Worktree},
			"runs/a/state.json=3 runs/later/state.json= runs/new/state.json=5 runs/own/state.json=4?", "ppua"},
		{source.Options{Source: wire.Index}, "runs/a/state.json=2 runs/own/state.json=4?", "paua"},
		{source.Options{Source: wire.Commit, Rev: "HEAD"}, "runs/a/state.json=1", "paua"},
	} {
		s := mustOpen(t, dir, c.options)
		if got := describe(t, s); got != c.want {
			t.Errorf("%v holds %s, want %s", s.Kind(), got, c.want)
		}
		presence := ""
		for _, a := range s.Present([]string{"runs/a", "runs/later/state.json", "runs/own", "none"}, nil) {
			presence += map[wire.Presence]string{wire.Present: "p", wire.Absent: "a", wire.Unseen: "u"}[a.Presence]
		}
		if presence != c.presence {
			t.Errorf("%v: presence is %s, want %s", s.Kind(), presence, c.presence)
		}
		ignored, err := s.Ignored([]string{"runs/own/x", "runs/a"})
		if err != nil || !ignored[0] || ignored[1] {
			t.Errorf("%v: ignored are %v, %v", s.Kind(), ignored, err)
		}
		if commit := gittest.Run(t, dir, "rev-parse", "HEAD"); (s.ID() == commit) != (s.Kind() == wire.Commit) {
			t.Errorf("%v has the id %s", s.Kind(), s.ID())
		}
	}
}

// TestBases: the changes of an index and of a commit since a base are known, and so are the lost runs.
func TestBases(t *testing.T) {
	dir := repository(t)
	gittest.Run(t, dir, "mv", "-f", "runs/a/state.json", "runs/a/b.json")
	for _, s := range []source.Source{
		mustOpen(t, dir, source.Options{Source: wire.Worktree}),
		mustOpen(t, dir, source.Options{Source: wire.Index}),
	} {
		bases, err := s.Bases(t.Context(), source.Compare{Bases: []string{"HEAD"}, Predecessors: true})
		if err != nil || len(bases) != 1 {
			t.Fatalf("%v: %d bases, %v, want one", s.Kind(), len(bases), err)
		}
		b := bases[0]
		if got := describe(t, b); got != "runs/a/state.json=1" {
			t.Errorf("%v: the base holds %s", s.Kind(), got)
		}
		changed, err := b.Changed()
		want := []string{"runs/a/b.json", "runs/a/state.json"}
		if s.Kind() == wire.Worktree {
			want = nil
		}
		if err != nil || !slices.Equal(changed, want) || b.ChangesKnown() != (want != nil) {
			t.Errorf("%v: changed is %q, %v, want %q", s.Kind(), changed, err, want)
		}
		gone, err := b.Gone(t.Context(), query())
		if err != nil || len(gone.Instances) != 1 || gone.Instances[0].Root != "runs/a" {
			t.Errorf("%v: gone is %+v, %v", s.Kind(), gone, err)
		}
	}
}

// diverged returns a repository with a branch "theirs" that adds a run and changes one that HEAD also changes.
func diverged(t *testing.T) string {
	dir := gittest.Repository(t, map[string]string{"runs/a/state.json": "1\n", "runs/a/b.json": "1\n"})
	gittest.Run(t, dir, "switch", "-q", "-c", "theirs")
	gittest.Write(t, dir, map[string]string{"runs/a/state.json": "2\n", "runs/new/state.json": "3"})
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "-q", "-m", "theirs")
	gittest.Run(t, dir, "switch", "-q", "-")
	return dir
}

func commit(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	gittest.Write(t, dir, files)
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "-q", "-m", "next")
}

func TestMerge(t *testing.T) {
	if !gittest.Since(t, 2, 38) {
		t.Skip("this git cannot merge without a working tree")
	}
	dir := diverged(t)
	commit(t, dir, map[string]string{"runs/a/b.json": "4\n"})
	s := mustOpen(t, dir, source.Options{Source: wire.Commit, Rev: "HEAD", Merge: "theirs"})
	want := "runs/a/b.json=4\n runs/a/state.json=2\n runs/new/state.json=3"
	if got := describe(t, s); got != want {
		t.Errorf("the merge holds %s, want %s", got, want)
	}
	bases, err := s.Bases(t.Context(), source.Compare{Predecessors: true})
	if err != nil || len(bases) != 2 {
		t.Fatalf("%d bases, %v, want two", len(bases), err)
	}
	for i, want := range [][]string{{"runs/a/state.json", "runs/new/state.json"}, {"runs/a/b.json"}} {
		if got, err := bases[i].Changed(); err != nil || !slices.Equal(got, want) {
			t.Errorf("since parent %d changed is %q, %v, want %q", i, got, err, want)
		}
	}
	origins, err := bases[0].MergeBases(t.Context(), bases[1].Commit)
	if err != nil || len(origins) != 1 || describe(t, origins[0]) != "runs/a/b.json=1\n runs/a/state.json=1\n" {
		t.Errorf("%d merge bases, %v", len(origins), err)
	}
	commit(t, dir, map[string]string{"runs/a/state.json": "5\n"})
	s = mustOpen(t, dir, source.Options{Source: wire.Commit, Rev: "HEAD", Merge: "theirs"})
	want = "runs/a/b.json=4\n runs/a/state.json! runs/new/state.json=3"
	if got := describe(t, s); got != want {
		t.Errorf("the conflict holds %s, want %s", got, want)
	}
}

// TestUnmergedIndex: a merge in the working tree has two predecessors, and an unresolved file cannot be read.
func TestUnmergedIndex(t *testing.T) {
	dir := diverged(t)
	commit(t, dir, map[string]string{"runs/a/state.json": "4\n"})
	mergeConflict(t, dir)
	s := mustOpen(t, dir, source.Options{Source: wire.Index})
	want := "runs/a/b.json=1\n runs/a/state.json! runs/new/state.json=3"
	if got := describe(t, s); got != want {
		t.Errorf("the index holds %s, want %s", got, want)
	}
	bases, err := s.Bases(t.Context(), source.Compare{Predecessors: true})
	if err != nil || len(bases) != 2 || bases[1].ID() != gittest.Run(t, dir, "rev-parse", "theirs") {
		t.Errorf("%d bases, %v, want HEAD and what is being merged", len(bases), err)
	}
}

// mergeConflict starts a merge that git cannot finish. It expects the failure.
func mergeConflict(t *testing.T, dir string) {
	t.Helper()
	gittest.Run(t, dir, "config", "alias.try", "!git -c user.name=a -c user.email=a@b merge -q theirs || true")
	gittest.Run(t, dir, "try")
}

// TestSparseAndLinked: files that the sparse checkout of a linked worktree omits are read from the index.
func TestSparseAndLinked(t *testing.T) {
	dir := gittest.Repository(t, map[string]string{"runs/a/state.json": "1", "other/x": ""})
	linked := filepath.Join(t.TempDir(), "linked")
	gittest.Run(t, dir, "worktree", "add", "-q", linked)
	gittest.Run(t, linked, "sparse-checkout", "set", "other")
	for _, kind := range []wire.Source{wire.Worktree, wire.Index} {
		if got := describe(t, mustOpen(t, linked, source.Options{Source: kind})); got != "runs/a/state.json=1" {
			t.Errorf("%v holds %q", kind, got)
		}
	}
}

// TestPartialClone: the names of files that were not fetched are known, but their bytes are unseen.
func TestPartialClone(t *testing.T) {
	dir := repository(t)
	gittest.Run(t, dir, "config", "uploadpack.allowFilter", "true")
	clone := filepath.Join(t.TempDir(), "clone")
	gittest.Run(t, dir, "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+filepath.ToSlash(dir), clone)
	s := mustOpen(t, clone, source.Options{Source: wire.Commit, Rev: "HEAD"})
	if got := describe(t, s); got != "runs/a/state.json unseen" {
		t.Errorf("it holds %s", got)
	}
	w, err := source.Locate(source.Call{Dir: clone, Environ: gittest.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	files, err := w.OpenFiles(t.Context(), source.Options{}, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	_, err = files.Read(t.Context(), ".gitignore", 100)
	if f := fault.From(err, fault.IO); f == nil || f.Kind != fault.Source || !strings.Contains(f.Message, "fetch") {
		t.Errorf("reading gives %v, want what to fetch", err)
	}
}

// TestTracked covers a submodule that is not checked out, and a repository in a directory where the index has state.
func TestTracked(t *testing.T) {
	dir := gittest.Repository(t, map[string]string{"runs/a/state.json": "1"})
	gittest.Run(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",runs/sub")
	gittest.Run(t, dir, "init", "-q", "runs/a")
	if err := os.MkdirAll(filepath.Join(dir, "runs/sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, dir, source.Options{Source: wire.Worktree}).(*source.Worktree)
	found, err := s.Find(t.Context(), query())
	if err != nil || len(found.Instances) != 0 || len(found.Nested) != 2 || found.Nested[0].Submodule ||
		!found.Nested[1].Submodule {
		t.Fatalf("found %+v, %v", found, err)
	}
	tracked, err := s.Tracked(t.Context(), []string{"runs/a", "runs/sub"})
	if err != nil {
		t.Fatal(err)
	}
	if inside, err := tracked.Find(t.Context(), "runs/a", query()); err != nil || len(inside.Instances) != 1 {
		t.Errorf("in the repository it has %+v, %v", inside, err)
	}
	index := mustOpen(t, dir, source.Options{Source: wire.Index})
	all, err := index.Tree()
	if err != nil {
		t.Fatal(err)
	}
	if e, err := all.Stat("runs/sub"); err != nil || e.Kind == snapshot.Directory || e.Kind == snapshot.Regular {
		t.Errorf("the submodule is %+v, %v", e, err)
	}
}

// TestPolicyFromOtherCommit: the policy's ignore rules apply, and the change's own are also known.
func TestPolicyFromOtherCommit(t *testing.T) {
	dir := gittest.Repository(t, map[string]string{".gitignore": "one\n"})
	policy := gittest.Run(t, dir, "rev-parse", "HEAD")
	commit(t, dir, map[string]string{".gitignore": "two\n"})
	c := mustOpen(t, dir, source.Options{Source: wire.Commit, Rev: "HEAD", Policy: policy}).(*source.Commit)
	readers, err := c.Rules()
	if err != nil || len(readers) != 2 {
		t.Fatalf("%d rules, %v", len(readers), err)
	}
	for i, want := range []string{"one", "two"} {
		rules, err := readers[i].Covered([]string{"one", "two"})
		if err != nil || !rules[i].Ignores() || rules[1-i].Ignores() {
			t.Errorf("%s is not ignored alone: %v, %v", want, rules, err)
		}
	}
	if list, err := c.Ignored([]string{"one", "two"}); err != nil || list[0] || list[1] {
		t.Errorf("a file that only one of them ignores is missing for a reason: %v, %v", list, err)
	}
}

func TestOutsideARepository(t *testing.T) {
	dir := t.TempDir()
	gittest.Write(t, dir, map[string]string{"runs/a/state.json": "1"})
	s := mustOpen(t, dir, source.Options{Source: wire.Worktree})
	if got := describe(t, s); got != "runs/a/state.json=1" {
		t.Errorf("it holds %s", got)
	}
	if list, err := s.Ignored([]string{"x"}); err != nil || list[0] {
		t.Errorf("ignored are %v, %v", list, err)
	}
	var usage *fault.UsageError
	if _, err := s.Bases(t.Context(), source.Compare{Bases: []string{"HEAD"}}); !errors.As(err, &usage) {
		t.Errorf("a base gives %v", err)
	}
	for _, kind := range []wire.Source{wire.Index, wire.Commit} {
		if _, err := open(t, dir, source.Options{Source: kind, Rev: "HEAD"}); !errors.As(err, &usage) {
			t.Errorf("%v gives %v", kind, err)
		}
	}
}

// TestRevisions: an unknown revision is a usage error. If a shallow clone may lack it, the error says what to fetch.
func TestRevisions(t *testing.T) {
	dir := repository(t)
	commit(t, dir, map[string]string{"runs/a/state.json": "6"})
	var usage *fault.UsageError
	if _, err := open(t, dir, source.Options{Source: wire.Commit, Rev: "none"}); !errors.As(err, &usage) {
		t.Errorf("an unknown revision gives %v", err)
	}
	s := mustOpen(t, dir, source.Options{Source: wire.Commit, Rev: "HEAD"})
	for rev, want := range map[string]string{"HEAD^@": "HEAD^", "HEAD~1...": "HEAD^", "HEAD": "HEAD"} {
		bases, err := s.Bases(t.Context(), source.Compare{Bases: []string{rev}})
		if err != nil || len(bases) != 1 || bases[0].ID() != gittest.Run(t, dir, "rev-parse", want) {
			t.Errorf("%s gives %d bases, %v", rev, len(bases), err)
		}
	}
	clone := filepath.Join(t.TempDir(), "clone")
	gittest.Run(t, dir, "clone", "-q", "--depth=1", "file://"+filepath.ToSlash(dir), clone)
	s = mustOpen(t, clone, source.Options{Source: wire.Commit, Rev: "HEAD"})
	_, err := s.Bases(t.Context(), source.Compare{Predecessors: true})
	if f := fault.From(err, fault.IO); f == nil || !strings.Contains(f.Message, "fetch --unshallow") {
		t.Errorf("a shallow clone gives %v", err)
	}
}

// TestChangesWhileRead: a document that keeps changing is still read, and reported as unstable.
func TestChangesWhileRead(t *testing.T) {
	dir := t.TempDir()
	gittest.Write(t, dir, map[string]string{"runs/a/state.json": "0"})
	s := mustOpen(t, dir, source.Options{Source: wire.Worktree})
	specs, err := snapshot.CompileSpecs(documents)
	if err != nil {
		t.Fatal(err)
	}
	end := make(chan bool)
	go func() {
		defer close(end)
		for i := range 2000 {
			text := strings.Repeat("x", i%7) + fmt.Sprint(i)
			_ = os.WriteFile(filepath.Join(dir, "runs/a/state.json"), []byte(text), 0o600)
		}
	}()
	for range 50 {
		if _, err := s.Read(t.Context(), specs, "runs/a"); err != nil {
			t.Errorf("reading gives %v", err)
		}
	}
	<-end
	now, err := s.Read(t.Context(), specs, "runs/a")
	if err != nil || now.Unstable || !strings.HasSuffix(string(now.Files[0].Data), "1999") {
		t.Errorf("in the end it holds %+v, %v", now, err)
	}
}

var _ = []source.Source{&source.Worktree{}, &source.Index{}, &source.Commit{}, &source.Base{}}
