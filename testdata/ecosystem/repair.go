package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const perRepository = 12

// repairs applies remedies to copies of repositories. It reports whether each fixes its finding, causes no errors,
// and can be undone byte for byte. A copy contains the whole tree and is checked with its parents as the base. Some
// remedies depend on the parents, and some on files outside the state directory.
func repairs(w io.Writer, o options, looks []look) (ok bool) {
	tried, bad := 0, 0
	for _, out := range each(looks, func(l look) outcome { return repairAll(o, &l) }) {
		tried, bad = tried+out.tried, bad+len(out.lines)
		for _, line := range out.lines {
			fmt.Fprintln(w, line)
		}
	}
	fmt.Fprintf(w, "\n%d remedies applied to copies, %d of them bad\n", tried, bad)
	return bad == 0
}

// An outcome holds the results for one repository's remedies.
type outcome struct {
	tried int
	lines []string // lines about failed remedies
}

func repairAll(o options, l *look) (out outcome) {
	if len(l.findings) == 0 && !l.bare {
		return out
	}
	dir, base, err := copyOf(l)
	defer os.RemoveAll(dir)
	now := look{repository: repository{name: l.name, dir: dir, commit: l.commit}}
	if err == nil {
		now.check(o.bin, o.plugin, append([]string{"check", "--format", "json"}, base...)...)
		err = now.failure()
	}
	if err != nil {
		out.lines = append(out.lines, fmt.Sprintf("REMEDY %s: no copy to try remedies on: %v", l.name, err))
		return out
	}
	for _, f := range now.findings {
		for _, r := range f.Remedies {
			if r.Safety == "manual" || r.ID == "" || out.tried == perRepository {
				continue
			}
			out.tried++
			why, restored := tryRemedy(o, &now, &f, r.ID, base)
			if why != "" {
				out.lines = append(out.lines, fmt.Sprintf("REMEDY %s %s (%s): %s\n  %s", l.name, r.Title, f.Rule, why,
					now.link(&f)))
			}
			if !restored {
				return out
			}
		}
	}
	return out
}

// tryRemedy returns a description of what is wrong with a remedy, or "". It also reports whether
// undo restored the copy.
func tryRemedy(o options, l *look, f *finding, id string, base []string) (why string, restored bool) {
	before, err := changes(l.dir)
	if err != nil {
		return err.Error(), false
	}
	out, code, err := command(l.dir, o.bin, append([]string{"recover", "--apply", id}, base...)...)
	changed, failed := changes(l.dir)
	switch {
	case err != nil || code < 0 || code > 1 || failed != nil:
		return fmt.Sprintf("recover exits %d, %v: %s", code, errors.Join(err, failed), firstLine(out)),
			bytes.Equal(before, changed)
	case bytes.Equal(before, changed):
		return "it changes nothing: " + firstLine(out), true
	}
	why = judge(o, l, f, base)
	if out, code, err = command(l.dir, o.bin, "recover", "--undo"); err != nil || code < 0 || code > 1 {
		return fmt.Sprintf("%s; recover --undo exits %d, %v: %s", why, code, err, firstLine(out)), false
	}
	if again, err := changes(l.dir); err != nil || !bytes.Equal(before, again) {
		return why + "; undoing it does not restore what was there", false
	}
	return why, true
}

// judge returns a description of what is wrong in a copy after a remedy was applied.
func judge(o options, l *look, f *finding, base []string) string {
	after := look{repository: l.repository}
	after.check(o.bin, o.plugin, append([]string{"check", "--format", "json"}, base...)...)
	if err := after.failure(); err != nil {
		return err.Error()
	}
	known := keys([]look{*l})
	for _, g := range after.findings {
		switch {
		case g.Fingerprint == f.Fingerprint && g.Rule == f.Rule:
			return "it does not end the finding"
		case g.Severity == "error" && !known.has(&g, l.name):
			return "it makes an error: " + g.Message
		}
	}
	return ""
}

// failure joins the messages of a check's failures.
func (l *look) failure() error {
	if len(l.problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(l.problems, "; "))
}

// copyOf copies a whole repository, or checks out a bare repository's commit, and returns the flags for its base. Files
// whose content is missing from a bare repository become empty.
func copyOf(l *look) (dir string, base []string, err error) {
	if dir, err = os.MkdirTemp("", "stategate-ecosystem-"); err != nil || !l.bare {
		return dir, nil, errors.Join(err, os.CopyFS(dir, os.DirFS(l.dir)))
	}
	rev := cmp.Or(l.commit, "HEAD")
	id, code, err := command(l.dir, "git", "rev-parse", "--verify", "-q", rev+"^{commit}")
	if err != nil || code != 0 {
		return dir, nil, fmt.Errorf("git rev-parse %s: exit %d, %v", rev, code, err)
	}
	rev = firstLine(id)
	if err = git(dir, [][]string{{"clone", "-q", "--shared", "--no-checkout", l.dir, "."},
		{"update-ref", "--no-deref", "HEAD", rev}, {"read-tree", rev}}); err != nil {
		return dir, nil, err
	}
	// keep the bytes of the commit
	if err = os.WriteFile(filepath.Join(dir, ".git", "info", "attributes"),
		[]byte("* -text -filter -ident -working-tree-encoding\n"), 0o600); err != nil {
		return dir, nil, err
	}
	_, _, _ = command(dir, "git", "checkout-index", "-a", "-f", "-u", "-q") // writes the files that exist
	lost, _, err := command(dir, "git", "ls-files", "-z", "--deleted")
	for name := range strings.SplitSeq(strings.TrimRight(string(lost), "\x00"), "\x00") {
		if name != "" {
			name = filepath.Join(dir, filepath.FromSlash(name))
			err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, nil, 0o600))
		}
	}
	if _, code, _ := command(dir, "git", "rev-parse", "--verify", "-q", rev+"^1"); code == 0 {
		base = []string{"--base", rev + "^@"}
	}
	return dir, base, errors.Join(err, git(dir, [][]string{{"add", "-A", "-f"}}))
}

// adopt copies a tree into a new repository with one commit, so that findings have the same paths as in the original.
func adopt(r repository, dir string) (repository, error) {
	err := os.CopyFS(dir, os.DirFS(r.dir))
	if err == nil {
		err = git(dir, [][]string{{"init", "-q"}, {"add", "-A", "-f"},
			{"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "as it was"}})
	}
	r.dir = dir
	return r, err
}

func git(dir string, commands [][]string) error {
	for _, args := range commands {
		if out, code, err := command(dir, "git", args...); err != nil || code != 0 {
			return fmt.Errorf("git %s: %v: %s", args[0], err, firstLine(out))
		}
	}
	return nil
}

// changes returns the differences between a working tree and its index, byte for byte.
func changes(dir string) ([]byte, error) {
	names, code, err := command(dir, "git", "status", "--porcelain", "-z", "-uall", "--ignored", "--no-renames")
	if err != nil || code != 0 {
		return nil, fmt.Errorf("git status: exit %d, %v: %s", code, err, firstLine(names))
	}
	diff, code, err := command(dir, "git", "diff", "--binary", "--no-renames", "--no-ext-diff", "--no-textconv")
	if err != nil || code != 0 {
		return nil, fmt.Errorf("git diff: exit %d, %v: %s", code, err, firstLine(diff))
	}
	return append(names, diff...), nil
}
