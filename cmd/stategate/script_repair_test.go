package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/fixture"
)

// layDownFixture writes the documents of a plugin's fixture, or of its base, below a directory: fixture [-base]
// PLUGIN/NAME DIR.
func layDownFixture(ts *testscript.TestScript, neg bool, args []string) {
	base := len(args) == 3 && args[0] == "-base"
	if base {
		args = args[1:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fixture [-base] PLUGIN/NAME DIR")
	}
	plugin, name := filepath.Split(args[0])
	f, err := fixture.Load(os.DirFS(filepath.Join(repository, "plugins", plugin)), "testdata/"+name+".txtar")
	ts.Check(err)
	if base {
		ts.Check(layDown(ts.MkAbs(args[1]), f.Header.BaseRoot, f.Base))
		return
	}
	ts.Check(layDown(ts.MkAbs(args[1]), f.Header.Root, f.Files))
}

// layDown writes entries below root in dir. It fails for entries that a file system cannot represent, such as an
// unreadably large file.
func layDown(dir, root string, list []fixture.Entry) error {
	for _, e := range list {
		at := filepath.Join(dir, filepath.FromSlash(root), filepath.FromSlash(e.Path))
		if e.Kind == snapshot.Directory {
			if err := os.MkdirAll(at, 0o755); err != nil {
				return err
			}
			continue
		}
		if e.Kind != snapshot.Regular || e.TooLarge {
			return fmt.Errorf("lay down %s: it is not a regular file", e.Path)
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, e.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// keepTree copies a tree for a later comparison: keep DIR COPY.
func keepTree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep DIR COPY")
	}
	from, to := ts.MkAbs(args[0]), ts.MkAbs(args[1])
	ts.Check(filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, name)
		return copyOne(name, filepath.Join(to, rel), d)
	}))
}

func copyOne(from, to string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	if d.IsDir() {
		return os.MkdirAll(to, info.Mode().Perm())
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		return err
	}
	return os.Chmod(to, info.Mode().Perm())
}

// sameTree asserts that two trees contain the same names, bytes and modes, ignoring .git: same DIR COPY. `! same`
// asserts that they differ.
func sameTree(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] same DIR COPY")
	}
	err := treesDiffer(ts.MkAbs(args[0]), ts.MkAbs(args[1]))
	if neg && err == nil {
		ts.Fatalf("%s and %s are the same", args[0], args[1])
	}
	if !neg {
		ts.Check(err)
	}
}

// treesDiffer returns an error that describes how two trees differ, or nil if they are equal.
func treesDiffer(a, b string) error {
	left, err := treeOf(a)
	if err != nil {
		return err
	}
	right, err := treeOf(b)
	if err != nil {
		return err
	}
	return compare(left, right)
}

func compare(left, right map[string]onDisk) error {
	left = maps.Clone(left)
	for name, was := range right {
		now, ok := left[name]
		if !ok {
			return fmt.Errorf("%s is gone", name)
		}
		if now.mode != was.mode || !bytes.Equal(now.data, was.data) {
			return fmt.Errorf("%s differs: it is %v %q, it was %v %q", name, now.mode, now.data, was.mode, was.data)
		}
		delete(left, name)
	}
	for name := range left {
		return fmt.Errorf("%s is new", name)
	}
	return nil
}

type onDisk struct {
	mode fs.FileMode
	data []byte
}

// treeOf reads everything below dir except .git.
func treeOf(dir string) (map[string]onDisk, error) {
	all := map[string]onDisk{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" && d.IsDir() {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		this := onDisk{mode: info.Mode()}
		if info.Mode().IsRegular() {
			this.data, err = os.ReadFile(name)
		}
		all[rel] = this
		return err
	})
	return all, err
}

// cutFile keeps only the first bytes of a file, like a writer that crashed: cut FILE BYTES.
func cutFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FILE BYTES")
	}
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
}
