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
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

func open(t *testing.T, dir string) *Worktree {
	t.Helper()
	w, err := OpenWorktree(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
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

// TestOpenFollowsNothing: no link is followed at the end of a path or on the way, even if it stays inside.
func TestOpenFollowsNothing(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "real", "in", "x"), "x")
	write(t, filepath.Join(outside, "in", "x"), "secret")
	for name, target := range map[string]string{"near": "real", "far": outside, "loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no links: " + err.Error())
		}
	}
	w := open(t, dir)
	for path, want := range map[string]error{"near": ErrNotDirectory, "near/in": ErrNotDirectory,
		"far": ErrNotDirectory, "far/in": ErrNotDirectory, "loop": ErrNotDirectory,
		"real/in/x": ErrNotDirectory, "gone": fs.ErrNotExist, "real/gone": fs.ErrNotExist} {
		if _, err := w.List(path, 9); !errors.Is(err, want) {
			t.Errorf("List(%q) = %v, want %v", path, err, want)
		}
	}
	for path, want := range map[string]error{"near/in": ErrNotDirectory, "far/in/x": ErrNotDirectory,
		"real/in/x/y": ErrNotDirectory, "real/in/gone": fs.ErrNotExist} {
		if _, err := w.Stat(path); !errors.Is(err, want) {
			t.Errorf("Stat(%q) = %v, want %v", path, err, want)
		}
	}
	if _, err := w.List("../"+filepath.Base(outside), 9); err == nil {
		t.Error("List leaves the tree")
	}
	for _, path := range []string{"real/../../" + filepath.Base(outside) + "/in/x", "real/../real/in/x"} {
		if _, err := w.Read(path, Entry{}, 10); err == nil {
			t.Errorf("Read(%q) leaves the tree", path)
		}
		if _, err := w.Stat(path); err == nil {
			t.Errorf("Stat(%q) leaves the tree", path)
		}
	}
	if _, err := w.Read("near", Entry{}, 10); !errors.Is(err, ErrChanged) {
		t.Errorf("Read of a link = %v, want ErrChanged", err)
	}
	if c, err := w.Read("far/in/x", Entry{}, 10); err == nil {
		t.Errorf("Read leaves the tree: %q", c.Data)
	}
	if c, err := w.Read("real/in/x", Entry{}, 10); err != nil || string(c.Data) != "x" {
		t.Errorf("Read = %q, %v", c.Data, err)
	}
	if text, err := w.Readlink("near"); err != nil || text != "real" {
		t.Errorf("Readlink = %q, %v", text, err)
	}
}

// TestNothingBlocks: a named pipe without a writer is recognized, and nothing waits for it.
func TestNothingBlocks(t *testing.T) {
	dir := t.TempDir()
	if err := exec.Command("mkfifo", filepath.Join(dir, "pipe")).Run(); err != nil {
		t.Skip("no named pipes: " + err.Error())
	}
	w := open(t, dir)
	if _, err := w.Read("pipe", Entry{}, 10); !errors.Is(err, ErrChanged) {
		t.Errorf("Read = %v", err)
	}
	if _, err := w.List("pipe", 10); !errors.Is(err, ErrNotDirectory) {
		t.Errorf("List = %v", err)
	}
	if e, err := w.Stat("pipe"); err != nil || e.Detail != "named pipe" {
		t.Errorf("Stat = %+v, %v", e, err)
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"b", "a/x", "c"} {
		write(t, filepath.Join(dir, n), n)
	}
	d := open(t, dir)
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
	d := open(t, dir)
	for _, c := range []struct {
		max  int64
		want string
	}{{4, ""}, {5, "12345"}, {6, "12345"}} {
		got, err := d.Read("x", Entry{}, c.max)
		if err != nil || got.Size != 5 || string(got.Data) != c.want || (got.Data == nil) != (c.want == "") {
			t.Errorf("Read up to %d = %q of %d, %v", c.max, got.Data, got.Size, err)
		}
	}
	// The file has more bytes than it reports, like files below /proc.
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

// TestHugeDirectory: a directory may have more entries than the system returns at a time.
func TestHugeDirectory(t *testing.T) {
	dir := t.TempDir()
	const count = 5000
	for i := range count {
		if err := os.Mkdir(filepath.Join(dir, strconv.Itoa(i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	d := open(t, dir)
	if l, err := d.List(".", count); err != nil || len(l.Entries) != count {
		t.Errorf("List gives %d, %v, want %d", len(l.Entries), err, count)
	}
}
