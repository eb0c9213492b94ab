//go:build unix

package journal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stategate/stategate/sdk/engine/edit"
)

func begin(t *testing.T, s *Store, changes ...edit.Change) *Transaction {
	t.Helper()
	tx, err := s.Begin(intent(changes))
	must(t, err)
	return tx
}

// refused begins changes that must be refused, and checks that nothing changed.
func refused(t *testing.T, workspace, journal, want string, changes ...edit.Change) {
	t.Helper()
	before := listed(t, workspace)
	s := opens(t, workspace, journal)
	defer s.Close()
	if _, err := s.Begin(intent(changes)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
	if got := listed(t, workspace); !slices.Equal(got, before) {
		t.Errorf("the tree changed:\n%s", strings.Join(got, "\n"))
	}
	if names := show(s.records.disk); !slices.ContainsFunc(names,
		func(n string) bool { return strings.HasPrefix(n, "lock ") }) || len(names) > 1 {
		t.Errorf("the journal has %v", names)
	}
}

func TestModesOwnersAndLinksStay(t *testing.T) {
	workspace, journal := disk(t)
	name := filepath.Join(workspace, "w/state.json")
	twin := filepath.Join(workspace, "other/twin.json")
	must(t, os.Link(name, twin))
	for _, mode := range []os.FileMode{0o600, 0o755, 0o664, 0o604} {
		must(t, os.Chmod(name, mode))
		if os.Geteuid() == 0 {
			must(t, os.Chown(name, 12345, 54321))
		}
		s := opens(t, workspace, journal)
		must(t, begin(t, s, write("w/state.json", "{}")).Keep())
		info, err := os.Stat(name)
		must(t, err)
		if info.Mode() != mode {
			t.Errorf("mode %v became %v", mode, info.Mode())
		}
		if owner := ownerOf(info); os.Geteuid() == 0 && *owner != (Owner{12345, 54321}) {
			t.Errorf("the owner is %+v", owner)
		}
		_, err = s.Undo()
		must(t, err)
		s.Close()
		if info, _ := os.Stat(name); info.Mode() != mode {
			t.Errorf("undone, mode %v became %v", mode, info.Mode())
		}
	}
	if data, _ := os.ReadFile(twin); string(data) != before["w/state.json"] {
		t.Errorf("the other name of the file holds %s", data)
	}
}

func TestRefusals(t *testing.T) {
	workspace, journal := disk(t)
	in := func(name string) string { return filepath.Join(workspace, name) }
	must(t, syscall.Mkfifo(in("w/pipe"), 0o600))
	must(t, os.Symlink("state.json", in("w/link.json")))
	must(t, os.Symlink("../other", in("w/linked")))
	must(t, os.MkdirAll(in("w/nested/.git"), 0o755))
	must(t, os.WriteFile(in("w/nested/x.md"), nil, 0o644))
	must(t, os.WriteFile(in("w/fixed.md"), []byte("fixed"), 0o444))
	must(t, os.Mkdir(in("w/sealed"), 0o755))
	must(t, os.WriteFile(in("w/sealed/x.md"), []byte("x"), 0o644))
	must(t, os.Chmod(in("w/sealed"), 0o555))
	defer os.Chmod(in("w/sealed"), 0o755)
	moved := func(from, to string) edit.Change { return edit.Change{Kind: edit.Rename, From: from, Path: to} }
	deleted := func(name string) edit.Change { return edit.Change{Kind: edit.Delete, Path: name} }
	for _, c := range []struct {
		want    string
		changes []edit.Change
	}{
		{"named pipe, expected a file", nil},
		{"is a special file", []edit.Change{write("w/pipe", "x")}},
		{"is a symbolic link", []edit.Change{write("w/link.json", "x")}},
		{"is a symbolic link", []edit.Change{deleted("w/link.json")}},
		{"is a symbolic link", []edit.Change{moved("w/link.json", "w/other.json")}},
		{"not followed", []edit.Change{write("w/linked/keep.md", "x")}},
		{"not followed", []edit.Change{moved("w/plan.md", "w/linked/plan.md")}},
		{"not followed", []edit.Change{deleted("w/linked/keep.md")}},
		{"separate git repository", []edit.Change{write("w/nested/x.md", "y")}},
		{"separate git repository", []edit.Change{write("w/nested/new.md", "y")}},
		{"separate git repository", []edit.Change{moved("w/plan.md", "w/nested/plan.md")}},
		{"separate git repository", []edit.Change{moved("w/nested/", "w/elsewhere/")}},
		{"git's own folder", []edit.Change{deleted("w/nested/.git/")}},
		{"git's own folder", []edit.Change{write("w/.GIT/x", "y")}},
		{"git's own folder", []edit.Change{write("w/.g\u200cit/x", "y")}},
		{"git's own folder", []edit.Change{write("w/git~1/x", "y")}},
		{"git's own folder", []edit.Change{write("w/.git . /x", "y")}},
		{"git's own folder", []edit.Change{write("w/.git::$INDEX_ALLOCATION/x", "y")}},
		{"below the workspace root", []edit.Change{write("../x", "y")}},
		{"below the workspace root", []edit.Change{write("/etc/x", "y")}},
		{"below the workspace root", []edit.Change{write("w/../../x", "y")}},
		{"below the workspace root", []edit.Change{write("C:/x", "y")}},
		{"is outside", []edit.Change{write("other/keep.md", "y")}},
		{"is outside", []edit.Change{moved("w/plan.md", "other/plan.md")}},
		{"is outside", []edit.Change{deleted("other/keep.md")}},
		{"temporary file", []edit.Change{write("w/.stategate-0123456789abcdef-1.tmp", "y")}},
		{"read-only (mode 0444)", []edit.Change{write("w/fixed.md", "y")}},
		{"read-only (mode 0444)", []edit.Change{deleted("w/fixed.md")}},
		{"read-only (mode 0555)", []edit.Change{write("w/sealed/x.md", "y")}},
		{"read-only (mode 0555)", []edit.Change{write("w/sealed/new.md", "y")}},
		{"read-only (mode 0555)", []edit.Change{moved("w/sealed/x.md", "w/x.md")}},
		{"changed in the meantime", []edit.Change{moved("w/plan.md", "w/state.json")}},
		{"changed in the meantime", []edit.Change{deleted("w/nothing.md")}},
		{"directory", []edit.Change{write("w/rounds", "y")}},
		{"directory", []edit.Change{write("w/plan.md/x", "y")}},
	} {
		if c.changes != nil {
			refused(t, workspace, journal, c.want, c.changes...)
		}
	}
}

func TestExpectations(t *testing.T) {
	workspace, journal := disk(t)
	s := opens(t, workspace, journal)
	defer s.Close()
	in := intent([]edit.Change{write("w/state.json", "{}")})
	for name, sum := range map[string]string{"w/state.json": sumOf(nil), "w/plan.md": "", "w/absent.md": sumOf(nil),
		"w/rounds": sumOf(nil)} {
		in.Expect = map[string]string{name: sum}
		var changed *ChangedError
		if _, err := s.Begin(in); !errors.As(err, &changed) || !slices.Equal(changed.Paths, []string{name}) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	in.Expect = map[string]string{"w/state.json": sumOf([]byte(before["w/state.json"]))}
	tx, err := s.Begin(in)
	must(t, err)
	must(t, tx.Keep())
}

// A hooked disk calls a function before its nth change.
type hooked struct {
	Disk
	at, n int
	do    func()
}

func (h *hooked) tick() {
	if h.n++; h.n == h.at {
		h.do()
	}
}

func (h *hooked) Write(name string, data []byte, as Attributes) error {
	h.tick()
	return h.Disk.Write(name, data, as)
}

func (h *hooked) Rename(from, to string) error { h.tick(); return h.Disk.Rename(from, to) }

func (h *hooked) Remove(name string) error { h.tick(); return h.Disk.Remove(name) }

func (h *hooked) Mkdir(name string, as Attributes) error { h.tick(); return h.Disk.Mkdir(name, as) }

// TestDirectorySwappedForALink replaces a directory or file with a link at every possible moment. Nothing at the
// link's target changes.
func TestDirectorySwappedForALink(t *testing.T) {
	t.Parallel()
	changes := []edit.Change{
		{Kind: edit.Delete, Path: "w/rounds/1/unseen.bin"},
		{Kind: edit.Rename, From: "w/plan.md", Path: "w/rounds/1/plan.md"},
		write("w/rounds/1/final.md", "bad"), write("w/rounds/1/new/x.md", "bad"),
	}
	for at := 1; ; at++ {
		workspace, journal := disk(t)
		secret := filepath.Join(workspace, "secret")
		must(t, os.MkdirAll(filepath.Join(secret, "1"), 0o755))
		for _, name := range []string{"final.md", "unseen.bin", "state.json"} {
			must(t, os.WriteFile(filepath.Join(secret, "1", name), []byte("done\n"), 0o644))
		}
		want := listed(t, secret)
		s := opens(t, workspace, journal)
		h := &hooked{Disk: s.tree, at: at, do: func() {
			must(t, os.Rename(filepath.Join(workspace, "w/rounds"), filepath.Join(workspace, "w/real")))
			must(t, os.Symlink("../secret", filepath.Join(workspace, "w/rounds")))
		}}
		s.tree = files{h}
		tx, err := s.Begin(intent(changes))
		if h.n < at {
			must(t, err)
			must(t, tx.Keep())
			s.Close()
			break
		}
		if err == nil {
			t.Errorf("swapped before change %d: it is done", at)
		}
		s.Close()
		if s, err := Open(workspace, journal, journal+"-key"); err == nil {
			s.Close()
		}
		if got := listed(t, secret); !slices.Equal(got, want) {
			t.Fatalf("swapped before change %d: behind the link lies\n%s", at, strings.Join(got, "\n"))
		}
	}
}

// TestEditAfterInterruptionIsKept: edits that a person made after an interruption are never lost.
func TestEditAfterInterruptionIsKept(t *testing.T) {
	workspace, journal := disk(t)
	s := opens(t, workspace, journal)
	begin(t, s, write("w/state.json", "{}"), write("w/plan.md", "other"))
	s.Close() // neither kept nor rolled back, as if the process had been killed
	if !Pending(journal) {
		t.Error("nothing is pending")
	}
	must(t, os.WriteFile(filepath.Join(workspace, "w/state.json"), []byte("by hand"), 0o644))
	s = opens(t, workspace, journal)
	if len(s.Interrupted) != 1 || !slices.Equal(s.Interrupted[0].Paths, []string{"w/state.json"}) {
		t.Fatalf("left %+v", s.Interrupted)
	}
	for name, want := range map[string]string{"w/state.json": "by hand", "w/plan.md": before["w/plan.md"]} {
		if data, _ := os.ReadFile(filepath.Join(workspace, name)); string(data) != want {
			t.Errorf("%s holds %q", name, data)
		}
	}
	if data, err := os.ReadFile(filepath.Join(s.Interrupted[0].Where, backupName(0))); err != nil ||
		string(data) != before["w/state.json"] {
		t.Errorf("the old bytes: %q, %v", data, err)
	}
	settled(t, s.tree)
	must(t, begin(t, s, write("w/plan.md", "other")).Keep())
	s.Close()
	s = opens(t, workspace, journal)
	defer s.Close()
	if len(s.Interrupted) > 0 || Pending(journal) {
		t.Errorf("left again: %+v", s.Interrupted)
	}
	if undone, err := s.Undo(); err != nil || len(undone) != 1 {
		t.Errorf("undone %+v, %v", undone, err)
	}
}

// TestInterruptedUndoIsPending: undo opens an older transaction while a later one that could not be rolled back
// remains.
func TestInterruptedUndoIsPending(t *testing.T) {
	workspace, journal := disk(t)
	s := opens(t, workspace, journal)
	must(t, begin(t, s, write("w/state.json", "{}")).Keep())
	begin(t, s, write("w/plan.md", "other"))
	s.Close() // as if the process had been killed
	must(t, os.WriteFile(filepath.Join(workspace, "w/plan.md"), []byte("by hand"), 0o644))
	opens(t, workspace, journal).Close()
	if Pending(journal) {
		t.Error("pending although everything is ended")
	}
	names, err := filepath.Glob(filepath.Join(journal, "00000001*."+committed))
	must(t, err)
	must(t, os.Rename(names[0], strings.TrimSuffix(names[0], committed)+open))
	if !Pending(journal) {
		t.Error("an interrupted undo is not pending")
	}
	s = opens(t, workspace, journal)
	defer s.Close()
	if data, _ := os.ReadFile(filepath.Join(workspace, "w/state.json")); string(data) != before["w/state.json"] {
		t.Errorf("not undone: %q", data)
	}
}

func TestUndoRefuses(t *testing.T) {
	for name, spoil := range map[string]func(workspace string) error{
		"far/away/w/state.json": func(a string) error {
			return os.WriteFile(filepath.Join(a, "far/away/w/state.json"), []byte("x"), 0o644)
		},
		"far/away/w/notes.old.md": func(a string) error {
			return os.WriteFile(filepath.Join(a, "far/away/w/notes.old.md"), []byte("x"), 0o644)
		},
		"far/away/w/rounds/2": func(a string) error {
			return os.Rename(filepath.Join(a, "far/away/w/rounds/2"), filepath.Join(a, "far/away/w/rounds/3"))
		},
		"far/away/w/plan.md": func(a string) error {
			return os.WriteFile(filepath.Join(a, "far/away/w/plan.md"), []byte("x"), 0o644)
		},
		"far": func(a string) error { return os.WriteFile(filepath.Join(a, "far/x"), nil, 0o644) },
		"w":   func(a string) error { return os.Mkdir(filepath.Join(a, "w"), 0o755) },
	} {
		workspace, journal := disk(t)
		s := opens(t, workspace, journal)
		must(t, begin(t, s, everything()...).Keep())
		must(t, spoil(workspace))
		want := listed(t, workspace)
		var changed *ChangedError
		if _, err := s.Undo(); !errors.As(err, &changed) || !slices.Contains(changed.Paths, name) {
			t.Errorf("%s: got %v", name, err)
		}
		if got := listed(t, workspace); !slices.Equal(got, want) {
			t.Errorf("%s: the tree changed", name)
		}
		s.Close()
	}
}

// TestUndoMovesNewFilesBack: undoing a move loses no files.
func TestUndoMovesNewFilesBack(t *testing.T) {
	workspace, journal := disk(t)
	s := opens(t, workspace, journal)
	defer s.Close()
	must(t, begin(t, s, everything()...).Keep())
	must(t, os.WriteFile(filepath.Join(workspace, "far/away/w/rounds/2/unseen.bin"), []byte("later"), 0o644))
	_, err := s.Undo()
	must(t, err)
	if data, err := os.ReadFile(filepath.Join(workspace, "w/rounds/1/unseen.bin")); string(data) != "later" {
		t.Errorf("got %q, %v", data, err)
	}
}

func TestOnlyTheLastGroupsAreKept(t *testing.T) {
	w := newWorld(t, "")
	s, err := resumed(w.tree, w.journal, "", nil)
	must(t, err)
	for i := range keepGroups + 5 {
		in := intent([]edit.Change{write("w/state.json", strings.Repeat("x", i))})
		for range 2 {
			tx, err := s.Begin(in)
			must(t, err)
			must(t, tx.Keep())
			in.Changes = []edit.Change{write("w/plan.md", strings.Repeat("y", i))}
		}
	}
	undone := 0
	for {
		list, err := s.Undo()
		must(t, err)
		if len(list) == 0 {
			break
		}
		if len(list) != 2 {
			t.Fatalf("a group has %d transactions", len(list))
		}
		undone++
	}
	if undone != keepGroups {
		t.Errorf("%d groups could be undone", undone)
	}
}

// TestEditBeforeRollbackIsKept: edits that a person made while a change was verified are never lost.
func TestEditBeforeRollbackIsKept(t *testing.T) {
	workspace, journal := disk(t)
	s := opens(t, workspace, journal)
	defer s.Close()
	tx := begin(t, s, write("w/state.json", "{}"), write("w/plan.md", "other"))
	must(t, os.WriteFile(filepath.Join(workspace, "w/state.json"), []byte("by hand"), 0o644))
	err := tx.RollBack()
	if err == nil || !strings.Contains(err.Error(),
		"w/state.json was changed by another program meanwhile and was left alone") ||
		!strings.Contains(err.Error(), journal) {
		t.Errorf("got %v", err)
	}
	for name, want := range map[string]string{"w/state.json": "by hand", "w/plan.md": before["w/plan.md"]} {
		if data, _ := os.ReadFile(filepath.Join(workspace, name)); string(data) != want {
			t.Errorf("%s holds %q", name, data)
		}
	}
	must(t, begin(t, s, write("w/state.json", "{}")).Keep())
}

// TestDirectoryMovesWithContent: a directory moves with everything in it, including links and pipes.
func TestDirectoryMovesWithContent(t *testing.T) {
	workspace, journal := disk(t)
	must(t, os.Symlink("/etc/passwd", filepath.Join(workspace, "w/rounds/1/link")))
	must(t, syscall.Mkfifo(filepath.Join(workspace, "w/rounds/1/pipe"), 0o600))
	must(t, os.Chmod(filepath.Join(workspace, "w/rounds/1"), 0o710))
	old := listed(t, workspace)
	s := opens(t, workspace, journal)
	defer s.Close()
	must(t, begin(t, s, edit.Change{Kind: edit.Rename, From: "w/rounds/", Path: "w/old/"},
		write("w/old/1/final.md", "x")).Keep())
	if target, err := os.Readlink(filepath.Join(workspace, "w/old/1/link")); err != nil || target != "/etc/passwd" {
		t.Errorf("the link: %q, %v", target, err)
	}
	_, err := s.Undo()
	must(t, err)
	if got := listed(t, workspace); !slices.Equal(got, old) {
		t.Errorf("undone:\n%s", strings.Join(got, "\n"))
	}
}
