package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// perRepository is how many remedies of one repository are tried.
const perRepository = 12

// repairs applies remedies to copies of trees, and reports whether each ends its finding, makes no error, and is undone byte for byte.
func repairs(w io.Writer, o options, looks []look) (ok bool) {
	type outcome struct {
		tried, bad int
		lines      []string
	}
	var total outcome
	for _, out := range each(looks, func(l look) (out outcome) {
		for _, f := range l.findings {
			for _, r := range f.Remedies {
				if r.Safety == "manual" || r.ID == "" || out.tried == perRepository {
					continue
				}
				out.tried++
				if why := tryRemedy(o, &l, &f, r.ID); why != "" {
					out.bad++
					out.lines = append(out.lines, fmt.Sprintf("REMEDY %s %s (%s): %s\n  %s", l.name, r.Title, f.Rule, why, l.link(&f)))
				}
			}
		}
		return out
	}) {
		total.tried, total.bad = total.tried+out.tried, total.bad+out.bad
		for _, line := range out.lines {
			fmt.Fprintln(w, line)
		}
	}
	fmt.Fprintf(w, "\n%d remedies applied to copies, %d of them bad\n", total.tried, total.bad)
	return total.bad == 0
}

// tryRemedy says what is wrong with a remedy, "" for nothing.
func tryRemedy(o options, l *look, f *finding, id string) string {
	dir, end, err := copyOf(l)
	if err != nil {
		return err.Error()
	}
	defer end()
	before, err := contents(dir)
	if err != nil {
		return err.Error()
	}
	if out, code, err := command(dir, o.bin, "recover", "--apply", id); err != nil || code > 1 {
		return fmt.Sprintf("recover exits %d: %s", code, firstLine(out))
	}
	after := look{repository: repository{name: l.name, dir: dir}}
	after.check(o.bin, o.plugin, "check", "--format", "json")
	known := keys([]look{*l})
	for _, g := range after.findings {
		switch {
		case g.Fingerprint == f.Fingerprint && g.Rule == f.Rule:
			return "it does not end the finding"
		case g.Severity == "error" && !known[g.key(l.name)]:
			return "it makes an error: " + g.Message
		}
	}
	if out, code, err := command(dir, o.bin, "recover", "--undo"); err != nil || code > 1 {
		return fmt.Sprintf("recover --undo exits %d: %s", code, firstLine(out))
	}
	again, err := contents(dir)
	switch {
	case err != nil:
		return err.Error()
	case !slices.EqualFunc(before, again, func(a, b file) bool { return a.path == b.path && bytes.Equal(a.data, b.data) }):
		return "undoing it does not restore what was there"
	}
	return ""
}

// copyOf copies a repository, or clones a bare one and checks out what has findings.
func copyOf(l *look) (dir string, end func(), err error) {
	if dir, err = os.MkdirTemp("", "stategate-ecosystem-"); err != nil {
		return "", nil, err
	}
	if l.bare {
		rev := "HEAD"
		if l.commit != "" {
			rev = l.commit
		}
		err = git(dir, [][]string{{"clone", "-q", "--shared", "--no-checkout", l.dir, "."}, append([]string{"checkout", "-q", rev, "--"}, tops(l)...)})
	} else {
		err = os.CopyFS(dir, os.DirFS(l.dir))
	}
	end = func() { _ = os.RemoveAll(dir) }
	if err != nil {
		end()
	}
	return dir, end, err
}

// adopt copies a tree into a new repository with one commit: findings have the paths that they have in its own.
func adopt(r repository, dir string) (repository, error) {
	err := os.CopyFS(dir, os.DirFS(r.dir))
	if err == nil {
		err = git(dir, [][]string{{"init", "-q"}, {"add", "-A", "-f"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "as it was"}})
	}
	r.dir = dir
	return r, err
}

// git runs git commands in a directory.
func git(dir string, commands [][]string) error {
	for _, args := range commands {
		if out, code, err := command(dir, "git", args...); err != nil || code != 0 {
			return fmt.Errorf("git %s: %v: %s", args[0], err, firstLine(out))
		}
	}
	return nil
}

// tops are the first directories of the state directories that have findings.
func tops(l *look) []string {
	var list []string
	for _, f := range l.findings {
		top, _, _ := strings.Cut(f.Root, "/")
		list = append(list, top)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

type file struct {
	path string
	data []byte
}

func contents(dir string) (list []file, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(name)
		list = append(list, file{name, data})
		return err
	})
	return list, err
}
