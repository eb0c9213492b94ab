//go:build unix

package journal

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestJournalMustBeOurs(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(dir string) error
		want  string
	}{
		"writable by others": {func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777)) }, "writable by others (mode 0777)"},
		"by the group":       {func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o770)) }, "chmod 700"},
		"a link":             {func(dir string) error { return errors.Join(os.Mkdir(dir+"2", 0o700), os.Symlink(dir+"2", dir)) }, "is not a directory"},
		"a file":             {func(dir string) error { return os.WriteFile(dir, nil, 0o600) }, "directory"},
		"of another":         {func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 12345, 12345)) }, "belongs to another user"},
	} {
		if name == "of another" && os.Geteuid() != 0 {
			continue
		}
		anchor, journal := disk(t)
		must(t, c.spoil(journal))
		if _, err := Open(anchor, journal); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestLock(t *testing.T) {
	anchor, journal := disk(t)
	s := opens(t, anchor, journal)
	if _, err := Open(anchor, journal); !errors.Is(err, ErrLocked) {
		t.Errorf("a second one: %v", err)
	}
	s.Close()
	opens(t, anchor, journal).Close()
	if info, err := os.Stat(journal); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the journal: %v, %v", info.Mode(), err)
	}
}

// record writes a journal as an attacker would.
func record(t *testing.T, journal, state, text string, sum bool) {
	t.Helper()
	dir := filepath.Join(journal, "00000001")
	must(t, os.MkdirAll(dir, 0o700))
	if sum {
		text = sumOf([]byte(text)) + "\n" + text + "\n"
	}
	must(t, os.WriteFile(filepath.Join(dir, state), []byte(text), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "0"), []byte("bad"), 0o600))
}

// hostile is a record that, believed, would write "bad" somewhere.
func hostile(t *testing.T, change func(*Record)) string {
	t.Helper()
	const id = "0123456789abcdef"
	r := &Record{Format: format, ID: id, Roots: []string{"w"}, Steps: []step{{
		Do: put, Path: "w/plan.md", Was: fileState([]byte("bad"), Attributes{}), Is: fileState([]byte(before["w/plan.md"]), Attributes{}),
		New: "w/.stategate-" + id + "-1.tmp", Old: "w/.stategate-" + id + "-2.tmp", Backup: "0",
	}}}
	change(r)
	text, err := json.Marshal(r)
	must(t, err)
	return string(text)
}

// TestHostileJournal: a journal is believed as far as a change of the same paths
// would be; everything else is refused, and nothing is touched.
func TestHostileJournal(t *testing.T) {
	t.Parallel()
	in := func(change func(*step)) func(*Record) { return func(r *Record) { change(&r.Steps[0]) } }
	at := func(name string) func(*Record) { return in(func(s *step) { s.Path = name }) }
	for name, c := range map[string]func(*Record){
		"outside":             at("../plan.md"),
		"absolute":            at("/tmp/plan.md"),
		"git":                 at(".git/hooks/pre-commit"),
		"git in capitals":     at("w/.GIT/config"),
		"the anchor":          at("."),
		"another instance":    at("other/keep.md"),
		"root in git":         func(r *Record) { r.Roots = []string{".git"} },
		"root outside":        func(r *Record) { r.Roots = []string{"../x"} },
		"temporary elsewhere": in(func(s *step) { s.Old = "other/keep.md" }),
		"temporary of others": in(func(s *step) { s.New = "w/.stategate-aaaaaaaaaaaaaaaa-1.tmp" }),
		"temporary in git":    in(func(s *step) { s.New = ".git/.stategate-0123456789abcdef-1.tmp" }),
		"backup elsewhere":    in(func(s *step) { s.Backup = "../../secret" }),
		"incomplete":          in(func(s *step) { s.Is = nil }),
		"unknown step":        in(func(s *step) { s.Do = "chmod" }),
		"no id":               func(r *Record) { r.ID = "../../x" },
		"another format":      func(r *Record) { r.Format = 2 },
		"move from outside":   in(func(s *step) { s.Do, s.From = move, "other/keep.md" }),
		"directory elsewhere": in(func(s *step) { s.Do, s.Path = rmdir, "other" }),
	} {
		t.Run(name, func(t *testing.T) { refusedJournal(t, opened(1), hostile(t, c), true) })
	}
	t.Run("checksum", func(t *testing.T) {
		refusedJournal(t, opened(1), "00\n"+hostile(t, func(*Record) {})+"\n", false)
	})
	t.Run("empty", func(t *testing.T) { refusedJournal(t, opened(1), "", false) })
	t.Run("count", func(t *testing.T) { refusedJournal(t, opened(2), hostile(t, func(*Record) {}), true) })
	t.Run("no record", func(t *testing.T) { refusedJournal(t, "other", "", false) })
	t.Run("believed", func(t *testing.T) {
		anchor, journal := disk(t)
		record(t, journal, opened(1), hostile(t, func(*Record) {}), true)
		opens(t, anchor, journal).Close()
		if data, _ := os.ReadFile(filepath.Join(anchor, "w/plan.md")); string(data) != "bad" {
			t.Errorf("the record of these tests does nothing: %q", data)
		}
	})
}

func refusedJournal(t *testing.T, state, text string, sum bool) {
	t.Helper()
	anchor, journal := disk(t)
	record(t, journal, state, text, sum)
	want := listed(t, anchor)
	if _, err := Open(anchor, journal); err == nil || !strings.Contains(err.Error(), "remove that directory") || !strings.Contains(err.Error(), "00000001") {
		t.Errorf("got %v", err)
	}
	if got := listed(t, anchor); !slices.Equal(got, want) {
		t.Errorf("the tree changed:\n%s", strings.Join(got, "\n"))
	}
}

// TestBehindLinksOfAJournal: links that an attacker put into the tree beside a
// journal lead nowhere.
func TestBehindLinksOfAJournal(t *testing.T) {
	anchor, journal := disk(t)
	must(t, os.Rename(filepath.Join(anchor, "w"), filepath.Join(anchor, "real")))
	must(t, os.Symlink("real", filepath.Join(anchor, "w")))
	record(t, journal, opened(1), hostile(t, func(*Record) {}), true)
	want := listed(t, anchor)
	s, err := Open(anchor, journal)
	if err == nil {
		s.Close()
	}
	if got := listed(t, anchor); !slices.Equal(got, want) {
		t.Errorf("the tree changed (%v):\n%s", err, strings.Join(got, "\n"))
	}
}
