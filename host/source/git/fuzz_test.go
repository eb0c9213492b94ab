package git

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/testdata/gittest"
)

// FuzzOutput: whatever git prints about a hostile repository, the parsed paths are below the top and unique.
func FuzzOutput(f *testing.F) {
	id := strings.Repeat("a", 40)
	for _, out := range []string{
		"100644 " + id + " 0\ta\x00" + debug + "120000 " + id + " 1\tb/c\x00" + debug + "120000 " +
			id + " 3\tb/c\x00" + debug,
		"040000 tree " + id + "\td\x00100644 blob " + id + "\td/x\x00",
		":100644 000000 " + id + " " + id + " D\x00x\x00:000000 100644 " + id + " " + id + " A\x00y\x00",
		"100644 " + id + " 0\tx\x00" + strings.Replace(debug, "flags: 0", "flags: 20004000", 1),
		id + " blob 3\nabc\n", id + " missing\n", "tree " + id + "\nparent " + id + "\n\nparent no\n",
		"gitdir: ../x\r\n",
		"100644 " + id + " 0\t../a\x00", "100644 " + id + " 0\t.GIT/a\x00",
		"100644 " + id + " 0\ta\x00100644 " + id + " 0\ta\x00",
	} {
		f.Add(out)
	}
	top := gittest.Repository(f, map[string]string{"a/b": "1", "a/c": "2", "long/path/of/a": "3"})
	for _, version := range []string{"2", "4"} {
		gittest.Run(f, top, "update-index", "--index-version="+version)
		index, err := os.ReadFile(filepath.Join(top, ".git", "index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(index))
	}
	r := newRepo(process{Top: "/top"})
	f.Fuzz(func(t *testing.T, out string) {
		lists := map[string]*Listing{}
		lists["ls-files"], _ = r.listing("ls-files", out, indexLine)
		lists["ls-tree"], _ = r.listing("ls-tree", out, treeLine)
		if l, ok := parseIndex([]byte(out)); ok {
			lists["the file of the index"], _ = r.checked("ls-files", l)
		}
		for subcommand, l := range lists {
			if l == nil {
				continue
			}
			for i, file := range l.Files {
				if !below(file.Path) || i > 0 && l.Files[i-1].Path >= file.Path {
					t.Fatalf("%s: %q", subcommand, file.Path)
				}
				if found, ok := l.Find(file.Path); !ok || found.ID != file.ID || !l.Holds(file.Path) {
					t.Fatalf("%s: %q is not found", subcommand, file.Path)
				}
			}
		}
		for rest := out; ; {
			c, next, ok := change(rest)
			if !ok {
				break
			}
			if !below(c.Path) || !isID(c.Old.ID) || len(next) >= len(rest) {
				t.Fatalf("the change %+v, then %q", c, next)
			}
			rest = next
		}
		if o, err := head(bufio.NewReader(strings.NewReader(out)), id); err == nil && o.Size < 0 {
			t.Fatalf("an object of %d bytes", o.Size)
		}
		if len(parents(out)) > strings.Count(out, "parent ") {
			t.Fatalf("parents: %q", parents(out))
		}
		if target, ok := ParseGitFile([]byte(out)); ok && target == "" {
			t.Fatal("a .git file that names nothing")
		}
	})
}

// below reports whether a path is below the top and outside git's own directory.
func below(name string) bool {
	return name != "" && !strings.HasPrefix(name, "/") && !IsOwn(name) &&
		!slices.ContainsFunc(strings.Split(name, "/"),
			func(part string) bool { return part == "" || part == "." || part == ".." })
}
