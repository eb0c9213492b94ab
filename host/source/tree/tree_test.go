package tree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/sdk/snapshot"
)

func open(t *testing.T, dir string) (*Worktree, Dir) {
	t.Helper()
	w, err := OpenWorktree(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	d, err := w.Open(context.Background(), ".")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return w, d
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestOpenFollowsNothing: neither a link at the end of a path nor one on the way, nor one that stays inside.
func TestOpenFollowsNothing(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "real", "in", "x"), "x")
	write(t, filepath.Join(outside, "in", "x"), "secret")
	for name, target := range map[string]string{"near": "real", "far": outside, "loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no links: " + err.Error())
		}
	}
	w, d := open(t, dir)
	for path, want := range map[string]error{"near": ErrNotDirectory, "near/in": ErrNotDirectory, "far": ErrNotDirectory, "far/in": ErrNotDirectory, "loop": ErrNotDirectory,
		"real/in/x": ErrNotDirectory, "gone": fs.ErrNotExist, "real/gone": fs.ErrNotExist} {
		if _, err := w.Open(context.Background(), path); !errors.Is(err, want) {
			t.Errorf("Open(%q) = %v, want %v", path, err, want)
		}
	}
	if _, err := w.Open(context.Background(), "../"+filepath.Base(outside)); err == nil {
		t.Error("Open leaves the tree")
	}
	if _, err := d.Read("near", Entry{}, 10); !errors.Is(err, ErrChanged) {
		t.Errorf("Read of a link = %v, want ErrChanged", err)
	}
	if c, err := d.Read("far/in/x", Entry{}, 10); err == nil {
		t.Errorf("Read leaves the tree: %q", c.Data)
	}
	in, err := w.Open(context.Background(), "real/in")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if c, err := in.Read("x", Entry{}, 10); err != nil || string(c.Data) != "x" {
		t.Errorf("Read = %q, %v", c.Data, err)
	}
}

// TestNothingBlocks: a named pipe without a writer is told apart, and never waited for.
func TestNothingBlocks(t *testing.T) {
	dir := t.TempDir()
	if err := exec.Command("mkfifo", filepath.Join(dir, "pipe")).Run(); err != nil {
		t.Skip("no named pipes: " + err.Error())
	}
	w, d := open(t, dir)
	if _, err := w.Open(context.Background(), "pipe"); !errors.Is(err, ErrNotDirectory) {
		t.Errorf("Open = %v", err)
	}
	if _, err := d.Read("pipe", Entry{}, 10); !errors.Is(err, ErrChanged) {
		t.Errorf("Read = %v", err)
	}
	if _, err := d.List("pipe", 10); err == nil {
		t.Error("List lists a pipe")
	}
	if err := w.Scan("pipe", func(string, fs.FileMode) {}); err == nil {
		t.Error("Scan reads a pipe")
	}
	// The same without the look before: what happens when a pipe takes a directory's place in between.
	if root, err := w.root.OpenRoot("pipe/."); err == nil {
		_ = root.Close()
		t.Error("a pipe opens as a directory")
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"b", "a/x", "c"} {
		write(t, filepath.Join(dir, n), n)
	}
	_, d := open(t, dir)
	l, err := d.List(".", 3)
	want := []Entry{{Name: "a", Kind: snapshot.Directory}, {Name: "b"}, {Name: "c"}}
	if err != nil || !slices.Equal(l.Entries, want) {
		t.Errorf("List = %v, %v, want %v", l.Entries, err, want)
	}
	if _, err := d.List(".", 2); !errors.Is(err, ErrTooMany) {
		t.Errorf("List of too many = %v", err)
	}
	if !l.Stamp.Fresh() {
		t.Error("a directory of this moment is not fresh")
	}
}

func TestReadLimits(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x"), "12345")
	_, d := open(t, dir)
	for _, c := range []struct {
		max  int64
		want string
	}{{4, ""}, {5, "12345"}, {6, "12345"}} {
		got, err := d.Read("x", Entry{}, c.max)
		if err != nil || got.Size != 5 || string(got.Data) != c.want || (got.Data == nil) != (c.want == "") {
			t.Errorf("Read up to %d = %q of %d, %v", c.max, got.Data, got.Size, err)
		}
	}
	// A file that holds more than it says, as files below /proc do.
	for _, size := range []int64{0, 3, 10} {
		data, err := readAll(strings.NewReader("1234567890"), size, 7)
		if err != nil || len(data) != 8 {
			t.Errorf("readAll(%d) = %q, %v, want one byte more than the limit", size, data, err)
		}
	}
}

func TestEscaped(t *testing.T) {
	for in, want := range map[string]string{"a": "a", "\xff": `\xff`, "a\xc3(": `a\xc3(`, "é\n": "é\n", "�": "�"} {
		if got := Escaped(in); got != want || !Valid(got) {
			t.Errorf("Escaped(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFailure(t *testing.T) {
	for _, c := range []struct {
		err  error
		kind fault.Kind
		text string
	}{
		{&fs.PathError{Op: "openat", Path: "p", Err: fs.ErrPermission}, fault.IO, "chmod"},
		{ErrTooMany, fault.Limit, "too many"},
		{context.Canceled, fault.Cancelled, ""},
		{fault.Newf(fault.Source, "x"), fault.Source, "x"},
		{errors.New("disk on fire"), fault.IO, "disk on fire"},
	} {
		f := Failure("the/path", c.err)
		if f.Kind != c.kind || !strings.Contains(f.Message, c.text) {
			t.Errorf("Failure(%v) = %+v, want kind %s and %q", c.err, f, c.kind, c.text)
		}
	}
	if Failure("x", nil) != nil {
		t.Error("no error is a failure")
	}
}

func TestHostileTreeObjects(t *testing.T) {
	id := strings.Repeat("\x01", 20)
	for name, c := range map[string]struct {
		data string
		ok   bool
	}{
		"empty": {"", true}, "one": {"100644 a\x00" + id, true}, "newline": {"100644 a\nb\x00" + id, true}, "short": {"100644 a\x00" + id[:19], false},
		"no mode": {"a\x00" + id, false}, "slash": {"100644 ../x\x00" + id, false}, "dots": {"40000 ..\x00" + id, false}, "no name": {"100644 \x00" + id, false}, "no end": {"100644 a", false},
	} {
		if _, ok := parseTree([]byte(c.data), 20); ok != c.ok {
			t.Errorf("%s: taken %v, want %v", name, ok, c.ok)
		}
	}
	entries, _ := parseTree([]byte("100644 a.b\x00"+id+"40000 a\x00"+id+"120000 l\x00"+id+"160000 m\x00"+id), 20)
	var kinds []snapshot.Kind
	for _, e := range entries {
		kinds = append(kinds, e.Kind)
	}
	want := []snapshot.Kind{snapshot.Directory, snapshot.Regular, snapshot.Symlink, snapshot.Special}
	if !slices.Equal(kinds, want) {
		t.Errorf("kinds = %v, want %v", kinds, want)
	}
}

func TestUnwritableDirectories(t *testing.T) {
	id := strings.Repeat("\x01", 20)
	for data, ok := range map[string]bool{
		"100644 a\x00" + id + "100644 a.b\x00" + id:                    true,
		"100644 a\x00" + id + "100644 a\x00" + id:                      false,
		"100644 a\x00" + id + "100644 b\x00" + id + "40000 a\x00" + id: false,
		"40000 .git\x00" + id:                                          false, "100644 .Git\x00" + id: false, "100644 GIT~1\x00" + id: false,
		"100644 .gitignore\x00" + id: true,
	} {
		entries, _ := parseTree([]byte(data), 20)
		if err := unwritable("1", entries); (err == nil) != ok {
			t.Errorf("%q: got %v, want it taken: %v", data, err, ok)
		}
	}
}

// FuzzTree: whatever the bytes, names have no slash and ids their length.
func FuzzTree(f *testing.F) {
	f.Add([]byte("100644 a\x0012345678901234567890"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, _ := parseTree(data, 20)
		for _, e := range entries {
			if strings.Contains(e.Name, "/") || e.Name == ".." || e.Name == "." || e.Name == "" || len(e.ID) != 40 {
				t.Errorf("entry %+v", e)
			}
		}
	})
}

// TestHugeDirectory: more entries than a Scan takes at a time.
func TestHugeDirectory(t *testing.T) {
	dir := t.TempDir()
	const count = 5000
	for i := range count {
		if err := os.Mkdir(filepath.Join(dir, strconv.Itoa(i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w, d := open(t, dir)
	seen := map[string]bool{}
	if err := w.Scan(".", func(name string, _ fs.FileMode) { seen[name] = true }); err != nil {
		t.Fatal(err)
	}
	l, err := d.List(".", count)
	if err != nil || len(l.Entries) != count || len(seen) != count {
		t.Errorf("List gives %d, Scan %d, %v, want %d", len(l.Entries), len(seen), err, count)
	}
}
