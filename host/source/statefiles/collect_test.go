package statefiles

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/source/ignore"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/gittest"
)

var documents = []wire.DocumentSpec{
	{Glob: "state.json", Format: wire.JSON, Need: wire.Content},
	{Glob: "rounds/*/reviews/*.md", Format: wire.Markdown, Need: wire.Content},
	{Glob: "rounds/*/discourse.md", Need: wire.Summary},
	{Glob: "rounds/*/", Need: wire.Listed},
	{Glob: "scans/**", Need: wire.Listed},
	{Glob: "**/*.md", Need: wire.Summary},
}

var small = Limits{Entries: 50, Depth: 5, Document: 100, Summary: 1000, Content: 300, Total: 2500}

func compiled(t testing.TB) *snapshot.Specs {
	t.Helper()
	s, err := snapshot.CompileSpecs(documents)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func worktree(t testing.TB, dir string) *tree.Worktree {
	t.Helper()
	w, err := tree.OpenWorktree(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func read(t *testing.T, dir, root string) *Instance {
	t.Helper()
	c := Collector{Tree: worktree(t, dir), Limits: small}
	i, err := c.Read(context.Background(), compiled(t), root)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// shown formats a file as one line: path, kind, detail, spec, and the quoted bytes or only the size.
func shown(files []snapshot.File) []string {
	var list []string
	for _, f := range files {
		s := fmt.Sprintf("%s kind %d%s spec %d size %d", f.Path, f.Kind, strings.TrimRight(" "+f.Detail, " "), f.Spec,
			f.Size)
		switch {
		case f.TooLarge:
			s += " too large"
		case f.Data != nil:
			s += fmt.Sprintf(" %.10q", f.Data)
		}
		if f.Ignored {
			s += " ignored"
		}
		list = append(list, s)
	}
	return list
}

func same2(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	gittest.Write(t, dir, map[string]string{"r/state.json": "{}", "r/rounds/1/reviews/a b.md": "# a",
		"r/rounds/1/discourse.md": "d", "r/rounds/1/other": "o", "r/scans/deep/x.bin": "binary",
		"r/state.json.bak": "no", "r/empty.md": "", "r/large.md": strings.Repeat("x", 1000),
		"r/larger.md": strings.Repeat("x", 1001), "r/rounds/1/reviews/big.md": strings.Repeat("y", 101),
		"other/state.json": "{}"})
	if err := os.Mkdir(filepath.Join(dir, "r", "rounds", "2"), 0o755); err != nil {
		t.Fatal(err)
	}
	i := read(t, dir, "r")
	same2(t, "files", shown(i.Files), []string{
		`empty.md kind 0 spec 5 size 0 ""`,
		`large.md kind 0 spec 5 size 1000 "xxxxxxxxxx"`,
		`larger.md kind 0 spec 5 size 1001 too large`,
		`rounds/1 kind 1 spec 3 size 0`,
		`rounds/1/discourse.md kind 0 spec 2 size 1 "d"`,
		`rounds/1/reviews/a b.md kind 0 spec 1 size 3 "# a"`,
		`rounds/1/reviews/big.md kind 0 spec 1 size 101 "yyyyyyyyyy"`,
		`rounds/2 kind 1 spec 3 size 0`,
		`scans/deep/x.bin kind 0 spec 4 size 6`,
		`state.json kind 0 spec 0 size 2 "{}"`,
	})
	if i.Unstable || len(i.Unseen) != 0 || i.Root != "r" {
		t.Errorf("unstable %v, unseen %v, root %q", i.Unstable, i.Unseen, i.Root)
	}
	if i.Files[3].Data != nil || i.Files[8].Data != nil {
		t.Error("a directory and a listed file have data")
	}
}

func TestNotAFile(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	gittest.Write(t, outside, map[string]string{"secret.md": "secret", "reviews/x.md": "secret"})
	gittest.Write(t, dir, map[string]string{"r/in.md": "in", "r/dir.md/x": ""})
	for name, target := range map[string]string{"away.md": filepath.Join(outside, "secret.md"), "near.md": "in.md",
		"loop.md": "loop.md", "state.json": "/dev/zero",
		"rounds": outside, "scans": outside, "unrelated": outside, "gone.md": "nothing"} {
		if err := os.Symlink(target, filepath.Join(dir, "r", name)); err != nil {
			t.Skip("no links: " + err.Error())
		}
	}
	l, err := net.Listen("unix", filepath.Join(dir, "r", "socket.md"))
	if err != nil {
		t.Skip("no unix sockets: " + err.Error())
	}
	defer l.Close()
	want := []string{"away.md kind 2 symbolic link spec 5 size 0", "dir.md kind 1 spec 5 size 0",
		`gone.md kind 2 symbolic link spec 5 size 0`, `in.md kind 0 spec 5 size 2 "in"`,
		"loop.md kind 2 symbolic link spec 5 size 0", "near.md kind 2 symbolic link spec 5 size 0"}
	if exec.Command("mkfifo", filepath.Join(dir, "r", "pipe.md")).Run() == nil {
		want = append(want, "pipe.md kind 3 named pipe spec 5 size 0")
	}
	want = append(want, "rounds kind 2 symbolic link spec 1 size 0", "scans kind 2 symbolic link spec 4 size 0",
		"socket.md kind 3 socket spec 5 size 0")
	if exec.Command("mknod", filepath.Join(dir, "r", "null.md"), "c", "1", "3").Run() == nil {
		want = slices.Insert(want, 6, "null.md kind 3 device spec 5 size 0")
	}
	want = append(want, "state.json kind 2 symbolic link spec 0 size 0")
	same2(t, "files", shown(read(t, dir, "r").Files), want)
}

func TestRootThroughLink(t *testing.T) {
	dir := t.TempDir()
	gittest.Write(t, dir, map[string]string{"real/r/state.json": "{}", "file": ""})
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip("no links: " + err.Error())
	}
	c := Collector{Tree: worktree(t, dir), Limits: small}
	for _, root := range []string{"link/r", "link", "file", "gone", "real/r/state.json"} {
		_, err := c.Read(context.Background(), compiled(t), root)
		var f *fault.Failure
		if !errors.As(err, &f) || f.Kind != fault.IO || !strings.Contains(f.Message, root) {
			t.Errorf("Read(%q) = %v, want a failure of kind io that names it", root, err)
		}
	}
}

func TestBadNames(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux takes every byte in a name")
	}
	dir := t.TempDir()
	long := strings.Repeat("n", 252) + ".md"
	gittest.Write(t, dir, map[string]string{"r/\xff.md": "x", `r/\xff.md`: "real", "r/a\nb.md": "x",
		"r/\x1b[31m.md": "x", "r/" + long: "x", "r/rounds/1/reviews/\xfe.txt": "", "r/rounds/\xfd/reviews/x.md": ""})
	same2(t, "files", shown(read(t, dir, "r").Files), []string{
		"\x1b[31m.md kind 0 spec 5 size 1 \"x\"",
		`\xff.md kind 0 spec 5 size 4 "real"`,
		`\xff.md\ kind 4 spec 5 size 0`,
		"a\nb.md kind 0 spec 5 size 1 \"x\"",
		long + ` kind 0 spec 5 size 1 "x"`,
		`rounds/1 kind 1 spec 3 size 0`,
		`rounds/\xfd kind 4 spec 3 size 0`,
	})
}

func TestLimits(t *testing.T) {
	long := strings.Repeat("x", 90)
	many := map[string]string{}
	for i := range 60 {
		many[fmt.Sprintf("r/n%d", i)] = ""
	}
	reviews, notes := map[string]string{}, map[string]string{}
	for i := range 4 {
		reviews[fmt.Sprintf("r/rounds/1/reviews/%d.md", i)] = long
		notes[fmt.Sprintf("r/%d.md", i)] = strings.Repeat(long, 9)
	}
	for name, files := range map[string]map[string]string{"entries": many, "content": reviews, "documents": notes,
		"directories": {"r/1/2/3/4/5/6/x.md": ""}} {
		dir := t.TempDir()
		gittest.Write(t, dir, files)
		c := Collector{Tree: worktree(t, dir), Limits: small}
		_, err := c.Read(context.Background(), compiled(t), "r")
		if f := fault.From(err, ""); f == nil || f.Kind != fault.Limit || !strings.Contains(f.Message, name) {
			t.Errorf("%s: %v, want a failure of kind limit", name, err)
		}
	}
}

func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may read everything")
	}
	dir := t.TempDir()
	gittest.Write(t, dir, map[string]string{"r/state.json": "{}"})
	if err := os.Chmod(filepath.Join(dir, "r", "state.json"), 0); err != nil {
		t.Fatal(err)
	}
	c := Collector{Tree: worktree(t, dir), Limits: small}
	_, err := c.Read(context.Background(), compiled(t), "r")
	if f := fault.From(err, ""); f == nil || f.Kind != fault.IO || !strings.Contains(f.Message, "r/state.json") ||
		!strings.Contains(f.Message, "chmod") {
		t.Errorf("err = %v, want a failure of kind io with the path and the fix", err)
	}
}

// A changing tree calls a function each time a file has been read.
type changing struct {
	tree.Tree
	after func(path string)
}

func (c changing) Read(path string, e tree.Entry, max int64) (tree.Content, error) {
	content, err := c.Tree.Read(path, e, max)
	c.after(path)
	return content, err
}

func TestChanging(t *testing.T) {
	old := time.Now().Add(-time.Hour)
	for _, c := range []struct {
		name     string
		times    int // number of times that something changes
		change   func(dir string, n int) error
		unstable bool
		reads    int
	}{
		{"never", 0, nil, false, 1},
		{"text once", 1, func(dir string, n int) error {
			return os.WriteFile(filepath.Join(dir, "state.json"), []byte(strings.Repeat(" ", n)), 0o644)
		}, false, 2},
		{"text always", 9, func(dir string, n int) error {
			return os.WriteFile(filepath.Join(dir, "state.json"), []byte(strings.Repeat(" ", n)), 0o644)
		}, true, 3},
		{"new file once", 1, func(dir string, n int) error {
			return os.WriteFile(filepath.Join(dir, "new.md"), nil,
				0o644)
		}, false, 2},
		{"replaced once", 1, func(dir string, n int) error {
			next := filepath.Join(dir, "next")
			if err := os.WriteFile(next, []byte("[]"), 0o644); err != nil {
				return err
			}
			if err := os.Chtimes(next, old, old); err != nil {
				return err
			}
			return os.Rename(next, filepath.Join(dir, "state.json"))
		}, false, 2},
		{"link once", 1, func(dir string, n int) error {
			if err := os.Remove(filepath.Join(dir, "state.json")); err != nil {
				return err
			}
			return os.Symlink("/dev/zero", filepath.Join(dir, "state.json"))
		}, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			gittest.Write(t, dir, map[string]string{"r/state.json": "{}"})
			if err := os.Chtimes(filepath.Join(dir, "r", "state.json"), old, old); err != nil {
				t.Fatal(err)
			}
			reads := 0
			after := func(path string) {
				if path != "r/state.json" {
					return
				}
				if reads++; reads <= c.times {
					if err := c.change(filepath.Join(dir, "r"), reads); err != nil {
						t.Fatal(err)
					}
				}
			}
			k := Collector{Tree: changing{worktree(t, dir), after}, Limits: small}
			i, err := k.Read(context.Background(), compiled(t), "r")
			if err != nil {
				t.Fatal(err)
			}
			if i.Unstable != c.unstable || reads != c.reads {
				t.Errorf("unstable %v after %d reads, want %v after %d", i.Unstable, reads, c.unstable, c.reads)
			}
		})
	}
}

func TestIgnoredAndPointers(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Write(t, dir, map[string]string{".gitignore": "*.md\n", "r/state.json": "{}", "r/a.md": "a",
		"r/rounds/1/discourse.md": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"})
	w := worktree(t, dir)
	g := ignore.New(context.Background(), git.Find(dir, git.Settings{Environ: gittest.Environ(), Dir: dir}), w)
	c := Collector{Tree: w, Ignores: g, Limits: small}
	i, err := c.Read(context.Background(), compiled(t), "r")
	if err != nil {
		t.Fatal(err)
	}
	same2(t, "files", shown(i.Files), []string{`a.md kind 0 spec 5 size 1 "a" ignored`, "rounds/1 kind 1 spec 3 size 0",
		`state.json kind 0 spec 0 size 2 "{}"`})
	same2(t, "unseen", i.Unseen, []string{"rounds/1/discourse.md"})
}

// TestDigest: the digest covers everything that a plugin may learn, and nothing else.
func TestDigest(t *testing.T) {
	files := func() []found {
		return []found{{File: snapshot.File{Path: "a", Size: 1, Data: []byte("x")}},
			{File: snapshot.File{Path: "b", Kind: snapshot.Symlink, Detail: "link"}},
			{File: snapshot.File{Path: "c", Size: 9}}}
	}
	seen := map[string]string{}
	for name, change := range map[string]func(f []found){
		"none": func([]found) {}, "path": func(f []found) { f[0].Path = "A" },
		"data":   func(f []found) { f[0].Data = []byte("y") },
		"unread": func(f []found) { f[0].Data = nil }, "empty": func(f []found) { f[0].Data = []byte{} },
		"kind":   func(f []found) { f[1].Kind = snapshot.Special },
		"detail": func(f []found) { f[1].Detail = "pipe" }, "size": func(f []found) { f[2].Size = 8 },
		"ignored": func(f []found) { f[0].Ignored = true },
		"large":   func(f []found) { f[2].TooLarge = true }, "spec": func(f []found) { f[2].Spec = 1 },
		"id": func(f []found) { f[2].entry.ID = "1" },
	} {
		f := files()
		change(f)
		d := digest(f)
		if other, ok := seen[d]; ok {
			t.Errorf("%s and %s have one digest", name, other)
		}
		seen[d] = name
	}
	if a, b := digest(files()), digest(files()); a != b || len(a) != 64 {
		t.Errorf("Digest = %q, then %q", a, b)
	}
	if n := reflect.TypeFor[snapshot.File]().NumField(); n != 8 {
		t.Errorf("snapshot.File has %d fields: see whether Digest covers the new one", n)
	}
}
