package discover

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/gittest"
)

var plugins = []Plugin{
	{"review", []wire.Root{{Dir: ".rev/sessions/*", Markers: []string{"state.json", "rounds/*/*", "empty/"}}}},
	{"memo", []wire.Root{{Dir: "**", Markers: []string{"memo-state.md", "out/{a,b}.json"}}}},
	{"papers", []wire.Root{{Dir: "Papers", Markers: []string{"INDEX.md"}},
		{Dir: "**/Papers", Markers: []string{"INDEX.md"}}}},
}

func settings(dir string) git.Settings { return git.Settings{Environ: gittest.Environ(), Dir: dir} }

func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// plant creates empty files, directories (with a trailing slash), and links ("name -> target").
func plant(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, n := range names {
		name, target, link := strings.Cut(n, " -> ")
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		switch {
		case err != nil:
		case link:
			err = os.Symlink(target, path)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(path, 0o755)
		default:
			err = os.WriteFile(path, nil, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func look(t testing.TB, dir string, paths []string, exclude ...string) *Found {
	t.Helper()
	a, err := Locate(paths, settings(dir), plugins, false)
	if err != nil {
		t.Fatal(err)
	}
	w, err := tree.OpenWorktree(a.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	q := Query{Tree: w, Only: a.Only, Plugins: plugins, Exclude: exclude}
	if a.Repo != nil {
		ignores := ignore.New(context.Background(), a.Repo, w)
		q.Ignores = ignores
	}
	found, err := Find(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func instances(f *Found) []string {
	var list []string
	for _, i := range f.Instances {
		list = append(list, i.Plugin+" "+i.Root)
	}
	return list
}

func nestedPaths(f *Found) []string {
	var list []string
	for _, n := range f.Nested {
		list = append(list, n.Path)
	}
	return list
}

func want(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s = %q, want %q", what, got, want)
	}
}

func TestRoots(t *testing.T) {
	dir := tempDir(t)
	plant(t, dir, ".rev/sessions/b/state.json", ".rev/sessions/a/rounds/r1/x", ".rev/sessions/c/empty/",
		".rev/sessions/d/empty", ".rev/sessions/e/other",
		".rev/sessions/loose", ".rev/other/x/state.json", "deep/down/.rev/sessions/with space/state.json",
		"memo-state.md", "x/out/b.json", "x/out/c.json",
		"y/Papers/INDEX.md", "y/Papers/memo-state.md", "Papers/INDEX.md", ".rev/sessions/f/rounds/r1/",
		".rev/sessions/a-b/state.json", ".rev/sessions/g/state.json/")
	want(t, "instances", instances(look(t, dir, nil)), []string{
		"memo .", "review .rev/sessions/a", "review .rev/sessions/a-b", "review .rev/sessions/b",
		"review .rev/sessions/c", "review .rev/sessions/g",
		"papers Papers", "review deep/down/.rev/sessions/with space", "memo x", "memo y/Papers", "papers y/Papers"})
}

// TestExcept: a directory that a root excepts is not an instance, a near miss, a link or an obstruction.
func TestExcept(t *testing.T) {
	dir := tempDir(t)
	plant(t, dir, "specs/a/plan.md", "specs/_new/plan.md", ".other/specs/b/plan.md", "deep/.other/specs/c/plan.md",
		"other/specs/d/plan.md",
		".other/specs/e/PLAN.md", ".other/Specs/f/plan.md", ".other/specs/g/", "x/.other/specs -> ../../specs",
		"y/.other/specs", "z/specs -> ../specs")
	w, err := tree.OpenWorktree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	found, err := Find(context.Background(), Query{Tree: w, Plugins: []Plugin{
		{"features", []wire.Root{{Dir: "specs/*", Markers: []string{"plan.md"},
			Except: []string{".other/**", "specs/_new"}}}},
		{"other", []wire.Root{{Dir: ".other/specs/*", Markers: []string{"plan.md"}}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "instances", instances(found), []string{"other .other/specs/b", "other deep/.other/specs/c",
		"features other/specs/d", "features specs/a"})
	var others []string
	for _, n := range found.Near {
		others = append(others, n.Plugin+" near "+n.Path)
	}
	for _, b := range found.Obstructions {
		others = append(others, b.Plugin+" blocked "+b.Path)
	}
	for _, l := range found.Links {
		others = append(others, l.Plugin+" link "+l.Path)
	}
	want(t, "the rest", others, []string{"other near .other/Specs", "other near .other/specs/e/PLAN.md",
		"other blocked y/.other/specs",
		"other link x/.other/specs", "features link z/specs"})
}

// TestAnyDirectoryIsNotAMisspelledOne checks that a root that matches any directory does not hide a directory whose
// name differs from another root only in case.
func TestAnyDirectoryIsNotAMisspelledOne(t *testing.T) {
	dir := tempDir(t)
	plant(t, dir, "a/.Master/tasks/tasks.json", "b/.master/tasks/tasks.json", "c/old/tasks/tasks.json",
		"d/OUTPUT/tasks/tasks.json")
	w, err := tree.OpenWorktree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	marker := []string{"tasks/tasks.json"}
	found, err := Find(context.Background(), Query{Tree: w, Plugins: []Plugin{{"master", []wire.Root{
		{Dir: ".master", Markers: marker, Unique: true}, {Dir: "output", Markers: marker, Unique: true},
		{Dir: "**", Markers: marker},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "instances", instances(found), []string{"master b/.master", "master c/old", "master d/OUTPUT"})
	if len(found.Near) != 1 || found.Near[0].Path != "a/.Master" || found.Near[0].Expected != "a/.master" {
		t.Errorf("near misses = %+v, want a/.Master", found.Near)
	}
}

func TestHostileNames(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux takes every byte in a name")
	}
	dir := tempDir(t)
	long := strings.Repeat("n", 255)
	plant(t, dir, ".rev/sessions/a\nb/state.json", ".rev/sessions/\x1b[31m/state.json",
		".rev/sessions/"+long+"/state.json", "\xff/memo-state.md", "\xfe/x")
	found := look(t, dir, nil)
	want(t, "instances", instances(found), []string{"review .rev/sessions/\x1b[31m", "review .rev/sessions/a\nb",
		"review .rev/sessions/" + long})
	if len(found.Failures) != 1 || found.Failures[0].Path != `\xff` || found.Failures[0].Failure.Kind != fault.IO {
		t.Errorf("failures = %+v, want one about the name that is not UTF-8", found.Failures)
	}
}

func TestIgnored(t *testing.T) {
	dir := tempDir(t)
	gittest.Run(t, dir, "init", "-q")
	plant(t, dir, ".rev/sessions/a/state.json", ".rev/sessions/a/sub/memo-state.md",
		"node_modules/p/.rev/sessions/x/state.json", "node_modules/memo-state.md",
		"kept/.rev/sessions/b/state.json", "kept/Papers/INDEX.md", "Papers/x/memo-state.md", "new/memo-state.md")
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("node_modules/\n.rev/sessions/*\nPapers\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	found := look(t, dir, nil)
	want(t, "instances", instances(found), []string{"review .rev/sessions/a", "review kept/.rev/sessions/b",
		"papers kept/Papers", "memo new"})
	// A user who names an ignored directory wants to know what is in it.
	want(t, "named", instances(look(t, dir, []string{"node_modules"})),
		[]string{"memo node_modules", "review node_modules/p/.rev/sessions/x"})
	want(t, "below named", instances(look(t, dir, []string{"node_modules/p"})),
		[]string{"memo node_modules", "review node_modules/p/.rev/sessions/x"})
}

func TestNested(t *testing.T) {
	dir := tempDir(t)
	gittest.Run(t, dir, "init", "-q")
	plant(t, dir, "memo-state.md")
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "-q", "-m", "x")
	gittest.Run(t, dir, "worktree", "add", "-q", "tree")
	gittest.Run(t, dir, "init", "-q", "inner")
	gittest.Run(t, dir, "-C", "inner", "commit", "-q", "--allow-empty", "-m", "x")
	gittest.Run(t, dir, "submodule", "--quiet", "add", "./inner", "module")
	plant(t, dir, "inner/memo-state.md", "module/memo-state.md", "stray/.git/x", "stray/memo-state.md", "file/.git",
		"file/memo-state.md", ".git/memo-state.md")
	found := look(t, dir, nil)
	want(t, "instances", instances(found), []string{"memo .", "memo file", "memo stray"})
	want(t, "nested", nestedPaths(found), []string{"inner", "module", "tree"})
	// a nested repository is its own workspace root
	want(t, "inside", instances(look(t, dir, []string{"module"})), []string{"memo ."})
	want(t, "both", instances(look(t, dir, []string{"stray", "inner"})), []string{"memo .", "memo inner", "memo stray"})
}

func TestPaths(t *testing.T) {
	dir := tempDir(t)
	gittest.Run(t, dir, "init", "-q")
	plant(t, dir, ".rev/sessions/a/state.json", ".rev/sessions/a/rounds/r1/x", ".rev/sessions/b/state.json",
		"sub/.rev/sessions/c/state.json")
	a, b, c := "review .rev/sessions/a", "review .rev/sessions/b", "review sub/.rev/sessions/c"
	for _, x := range []struct {
		paths []string
		want  []string
	}{
		{nil, []string{a, b, c}},
		{[]string{".rev"}, []string{a, b}},
		{[]string{".rev/sessions/a"}, []string{a}},
		{[]string{".rev/sessions/a/rounds/r1/x"}, []string{a}},
		{[]string{".rev/sessions/a/state.json", "sub"}, []string{a, c}},
		{[]string{filepath.Join(dir, "sub")}, []string{c}},
		{[]string{"sub/../.rev/sessions/b"}, []string{b}},
	} {
		want(t, strings.Join(x.paths, " "), instances(look(t, dir, x.paths)), x.want)
	}
	_, err := Locate([]string{"sub", "gone"}, settings(dir), plugins, false)
	var usage *fault.UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), "gone") {
		t.Errorf("a path that does not exist: %v, want a usage error that names it", err)
	}
}

// TestLocateOutsideRepository: outside a repository, a PATH inside an instance still finds the instance.
func TestLocateOutsideRepository(t *testing.T) {
	dir := tempDir(t)
	plant(t, dir, "p/.rev/sessions/a/state.json", "p/.rev/sessions/b/state.json", "q/Papers/INDEX.md", "link -> p",
		"r/.rev/sessions/a/notes", "s/Papers/.rev/sessions/a/state.json", "t/.rev/sessions/a/STATE.json")
	for _, c := range []struct{ paths, root, only string }{
		{".", ".", "."},
		{"p", "p", "."},
		{"p/.rev/sessions/a", "p", ".rev/sessions/a"},
		{"p/.rev/sessions/a/state.json", "p", ".rev/sessions/a/state.json"},
		{"p/.rev", "p", ".rev"},
		{"p/.rev/sessions/a p/.rev/sessions/b", "p", ".rev/sessions/a .rev/sessions/b"},
		{"p q", ".", "p q"},
		{"q/Papers", "q", "Papers"},
		{"link", "p", "."},
		{"link/.rev", "p", ".rev"},
		{"r/.rev/sessions/a", "r/.rev/sessions/a", "."}, // a directory of that name without a marker
		{"r/.rev", "r/.rev", "."},
		{"s/Papers", "s/Papers", "."}, // it contains a root of another name
		{"s/Papers/.rev/sessions/a", "s/Papers", ".rev/sessions/a"},
		{"t/.rev/sessions/a", "t", ".rev/sessions/a"}, // which is reported
	} {
		a, err := Locate(strings.Fields(c.paths), settings(dir), plugins, false)
		if err != nil {
			t.Errorf("%s: %v", c.paths, err)
			continue
		}
		if a.Path != filepath.Join(dir, c.root) || strings.Join(a.Only, " ") != c.only {
			t.Errorf("%s: root %s, only %v, want %s, %s", c.paths, a.Path, a.Only, c.root, c.only)
		}
	}
}

func TestExclude(t *testing.T) {
	dir := tempDir(t)
	plant(t, dir, ".rev/sessions/a/state.json", "x/memo-state.md", "x/y/memo-state.md",
		"fixtures/p/.rev/sessions/z/state.json")
	found := look(t, dir, nil, "fixtures/**", "*/y", "/.rev/sessions/a/")
	want(t, "instances", instances(found), []string{"memo x"})
	want(t, "excluded", found.Excluded, []string{".rev/sessions/a", "fixtures", "x/y"})
}

// TestNoRepository: a directory that git treats as ordinary is entered.
func TestNoRepository(t *testing.T) {
	dir := tempDir(t)
	plant(t, dir, ".rev/sessions/a/state.json", ".rev/.git/HEAD", ".rev/sessions/a/.git/HEAD",
		".rev/sessions/a/.git/refs/")
	found := look(t, dir, nil)
	want(t, "instances", instances(found), []string{"review .rev/sessions/a"})
	want(t, "nested", nestedPaths(found), nil)
}

func TestLinks(t *testing.T) {
	dir, outside := tempDir(t), tempDir(t)
	plant(t, outside, "sessions/z/state.json")
	plant(t, dir, ".rev/sessions/a/state.json", ".rev/sessions/latest -> a", ".rev/sessions/up -> ..",
		".rev/sessions/loop -> loop", ".rev/sessions/away -> "+outside,
		".rev/sessions/gone -> nothing", ".rev/sessions/file -> a/state.json", "p/.rev -> "+outside,
		"q/.rev -> ../.rev", "r/.rev -> ../../../..", "s/link -> ../.rev",
		"t/.rev -> "+dir+"/.rev", "u/v/", "u/w -> v", "x/.rev/sessions -> ../../u/w",
		".rev/sessions/b/state.json -> "+outside, ".rev/sessions/c/rounds -> "+outside,
		"y/kept/sessions/e/state.json", "y/.rev -> kept", "z/kept/state.json", "z/.rev/sessions/d -> ../../kept",
		"n/.rev/f/state.json", "m/.rev/sessions -> ../../n/.rev")
	found := look(t, dir, nil, "u/v")
	want(t, "instances", instances(found), []string{"review .rev/sessions/a", "review .rev/sessions/b",
		"review .rev/sessions/c"})
	got := map[string]Leads{}
	for _, l := range found.Links {
		if l.Plugin != "review" {
			t.Errorf("link %s of plugin %s", l.Path, l.Plugin)
		}
		got[l.Path] = l.Leads
	}
	wanted := map[string]Leads{".rev/sessions/latest": Visited, ".rev/sessions/up": Visited,
		".rev/sessions/loop": NotVisited, ".rev/sessions/away": Outside,
		".rev/sessions/gone": NoDirectory, ".rev/sessions/file": NoDirectory, "p/.rev": Outside, "q/.rev": Visited,
		"r/.rev": Outside, "t/.rev": Visited,
		"x/.rev/sessions": NotVisited, "y/.rev": NotVisited, "z/.rev/sessions/d": NotVisited,
		"m/.rev/sessions": NotVisited}
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("links = %v, want %v", got, wanted)
	}
}

// TestLinkToPart: a link to a part of an instance hides nothing if the instance has all the markers there.
func TestLinkToPart(t *testing.T) {
	dir := tempDir(t)
	plant(t, dir, "spec/changes/a/x.md", "spec/changes/a/specs/b/x.md", "spec/changes/b/changes/c/x.md",
		"spec/notes/specs/d/x.md", "web/spec -> ../spec/changes/a", "api/spec -> ../spec/changes/b",
		"sql/spec -> ../spec/notes", "spec/changes/e/specs -> ../a/specs", "app/spec -> ../spec/changes/e")
	w, err := tree.OpenWorktree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	found, err := Find(t.Context(), Query{Tree: w, Plugins: []Plugin{{"spec", []wire.Root{
		{Dir: "spec", Markers: []string{"changes/*/*.md", "changes/*/specs/*/x.md", "specs/*/*.md"}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "instances", instances(found), []string{"spec spec"})
	got := map[string]Leads{}
	for _, l := range found.Links {
		got[l.Path] = l.Leads
	}
	wanted := map[string]Leads{"web/spec": Visited, "api/spec": NotVisited, "sql/spec": NotVisited,
		"app/spec": Visited}
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("links = %v, want %v", got, wanted)
	}
}

func TestSpecialFiles(t *testing.T) {
	dir := tempDir(t)
	plant(t, dir, ".rev/sessions/a/x")
	l, err := net.Listen("unix", filepath.Join(dir, ".rev", "sessions", "a", "state.json"))
	if err != nil {
		t.Skip("no unix sockets: " + err.Error())
	}
	defer l.Close()
	want(t, "instances", instances(look(t, dir, nil)), []string{"review .rev/sessions/a"})
}

func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may read everything")
	}
	dir := tempDir(t)
	plant(t, dir, "a/memo-state.md", "locked/x")
	if err := os.Chmod(filepath.Join(dir, "locked"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "locked"), 0o755) })
	found := look(t, dir, nil)
	want(t, "instances", instances(found), []string{"memo a"})
	if len(found.Failures) != 1 || found.Failures[0].Path != "locked" || found.Failures[0].Failure.Kind != fault.IO {
		t.Errorf("failures = %+v, want one about locked", found.Failures)
	}
}

func TestTooDeep(t *testing.T) {
	dir := tempDir(t)
	plant(t, dir, strings.Repeat("d/", maxDepth+10)+"memo-state.md", "a/memo-state.md")
	found := look(t, dir, nil)
	want(t, "instances", instances(found), []string{"memo a"})
	if len(found.Failures) != 1 || found.Failures[0].Failure.Kind != fault.Limit {
		t.Errorf("failures = %+v, want one about depth", found.Failures)
	}
}

func TestUsage(t *testing.T) {
	w, err := tree.OpenWorktree(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, q := range []Query{
		{Exclude: []string{"["}}, {Plugins: []Plugin{{"p", []wire.Root{{Dir: "{a"}}}}},
		{Plugins: []Plugin{{"p", []wire.Root{{Dir: "a", Markers: []string{"../x"}}}}}},
	} {
		q.Tree = w
		_, err := Find(context.Background(), q)
		var usage *fault.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("Find(%+v) = %v, want a usage error", q, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Find(ctx, Query{Tree: w}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled walk gives %v", err)
	}
}

func TestComparePaths(t *testing.T) {
	sorted := []string{".", "a", "a/b", "a/b/c", "a-b", "a-b/c", "b"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := ComparePaths(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("ComparePaths(%q, %q) = %d", a, b, got)
			}
		}
	}
}

// BenchmarkFind walks 20,000 directories with 100,000 files and 2,000 instances. If git is asked, half of the
// directories are ignored.
func BenchmarkFind(b *testing.B) {
	dir := tempDir(b)
	for i := range 100 {
		for j := range 180 {
			d := fmt.Sprintf("m%d/d%d/", i, j)
			plant(b, dir, d+"a.go", d+"b.go", d+"c.go", d+"d.go", d+"e.go")
		}
	}
	for i := range 2000 {
		s := fmt.Sprintf(".rev/sessions/2026-01-%04d/", i)
		plant(b, dir, s+"state.json", s+"context.md")
	}
	gittest.Run(b, dir, "init", "-q")
	for _, mode := range []string{"plain", "git", "git and two thirds ignored"} {
		b.Run(mode, func(b *testing.B) {
			rules := ".rev/sessions/\n"
			if mode != "git" {
				rules += "m[0-5]*\n"
			}
			if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(rules), 0o644); err != nil {
				b.Fatal(err)
			}
			w, err := tree.OpenWorktree(dir)
			if err != nil {
				b.Fatal(err)
			}
			defer w.Close()
			for b.Loop() {
				q := Query{Tree: w, Plugins: plugins}
				if mode != "plain" {
					q.Ignores = ignore.New(context.Background(), git.Find(dir, settings(dir)), w)
				}
				found, err := Find(context.Background(), q)
				if err != nil || len(found.Instances) != 2000 {
					b.Fatal(err, found)
				}
			}
		})
	}
}
