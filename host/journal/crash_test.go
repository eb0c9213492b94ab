package journal

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stategate/stategate/sdk/engine/edit"
)

// before is the initial tree of every story. Modes are 0644 unless an entry is marked with "!".
var before = map[string]string{
	"w/state.json": `{"round": 3}`, "w/plan.md": "# Plan\n", "w/!notes.md": "private\n",
	"w/rounds/1/final.md": "done\n", "w/rounds/1/unseen.bin": "\x00\x01", "w/empty/x.md": "x",
	"other/keep.md": "keep",
}

// stories are lists of changes that together use every kind of change.
var stories = map[string][]edit.Change{
	"replace": {write("w/state.json", `{"round": 1}`), write("w/notes.md", "public\n")},
	"create":  {write("w/a/b/c.md", "new"), write("w/d.md", "")},
	"remove":  {{Kind: edit.Delete, Path: "w/plan.md"}, {Kind: edit.Delete, Path: "w/notes.md"}},
	"remove a directory": {
		{Kind: edit.Delete, Path: "w/empty/x.md"}, {Kind: edit.Delete, Path: "w/empty/"}, write("w/state.json", "{}"),
	},
	"set aside and replaced": {
		{Kind: edit.Rename, From: "w/state.json", Path: "w/state.corrupt.json"}, write("w/state.json", `{"round": 1}`),
		write("w/plan.md", "# Other\n"),
	},
	"move a directory and write into it": {
		{Kind: edit.Rename, From: "w/rounds/1/", Path: "w/rounds/2/"}, write("w/rounds/2/final.md", "again\n"),
		write("w/rounds/2/more.md", "more"),
	},
	"a file becomes a directory": {{Kind: edit.Delete, Path: "w/plan.md"}, write("w/plan.md/x.md", "x"),
		write("w/state.json", "{}")},
	"move the root": {
		write("w/state.json", `{"round": 2}`), {Kind: edit.Delete, Path: "w/plan.md"},
		{Kind: edit.Rename, From: "w/", Path: "far/away/w/"},
	},
	"move a directory, and one out of it": {
		{Kind: edit.Rename, From: "w/rounds/1/final.md", Path: "w/final.md"},
		{Kind: edit.Rename, From: "w/rounds/", Path: "w/old/rounds/"},
		write("w/rounds/1/final.md", "new"),
	},
	"write a file twice": {write("w/plan.md", "y"), write("w/new.md", "y"), write("w/plan.md", "z"),
		write("w/new.md", "z")},
	"spell names otherwise" + caseIgnored: {
		{Kind: edit.Rename, From: "w/plan.md", Path: "w/PLAN.md"},
		{Kind: edit.Rename, From: "w/rounds/", Path: "w/Rounds/"}, write("w/Rounds/1/final.md", "x"),
	},
	"set aside and replaced" + caseIgnored: {
		{Kind: edit.Rename, From: "w/state.json", Path: "w/state.corrupt.json"}, write("w/state.json", `{"round": 1}`),
	},
}

// caseIgnored marks stories on a file system that ignores case.
const caseIgnored = " (case ignored)"

func write(name, text string) edit.Change {
	return edit.Change{Kind: edit.Write, Path: name, Data: []byte(text)}
}

func intent(changes []edit.Change) Intent {
	return Intent{Group: NewGroup(), About: About{Root: "w", To: "far/away/w"}, Changes: changes}
}

// A world is a tree and its journal in memory.
type world struct {
	tree, journal *memory
	fuse          *fuse
}

func newWorld(t testing.TB, story string) *world {
	t.Helper()
	f := &fuse{}
	w := &world{newMemory(f), newMemory(f), f}
	w.tree.folds = strings.HasSuffix(story, caseIgnored)
	for name, text := range before {
		as := Attributes{}
		if plain := strings.Replace(name, "!", "", 1); plain != name {
			name, as = plain, Attributes{Mode: 0o600, Exact: true}
		}
		makeParents(t, w.tree, name)
		must(t, w.tree.Write(name, []byte(text), as))
	}
	w.restart(&fuse{})
	return w
}

func makeParents(t testing.TB, d Disk, name string) {
	t.Helper()
	for i := range name {
		if name[i] == '/' {
			if _, err := d.Lstat(name[:i]); err != nil {
				must(t, d.Mkdir(name[:i], Attributes{}))
			}
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) restart(f *fuse) {
	w.fuse = f
	w.tree.restart(f)
	w.journal.restart(f)
}

// run calls do and reports whether the process died during the call.
func (w *world) run(do func() error) (err error, died bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case crash:
			died = true
		default:
			panic(r)
		}
	}()
	return do(), false
}

// apply makes the changes and keeps them.
func (w *world) apply(changes []edit.Change) error {
	s, err := resumed(w.tree, w.journal, "", nil)
	if err != nil {
		return err
	}
	tx, err := s.Begin(intent(changes))
	if err != nil {
		return err
	}
	return tx.Keep()
}

func (w *world) undo() error {
	s, err := resumed(w.tree, w.journal, "", nil)
	if err != nil {
		return err
	}
	_, err = s.Undo()
	return err
}

// settled checks that nothing temporary is left.
func settled(t *testing.T, d Disk) {
	t.Helper()
	for _, line := range show(d) {
		line, _, _ = strings.Cut(line, " ")
		if strings.Contains(line, ".stategate-") ||
			slices.ContainsFunc([]string{writing, open, removing},
				func(state string) bool { return strings.HasSuffix(line, "."+state+"/") }) {
			t.Fatalf("left over: %s", line)
		}
	}
}

func TestStoriesAndUndo(t *testing.T) {
	for name, changes := range stories {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, name)
			old := show(w.tree)
			must(t, w.apply(changes))
			if slices.Equal(show(w.tree), old) {
				t.Fatal("nothing changed")
			}
			settled(t, w.tree)
			must(t, w.undo())
			if got := show(w.tree); !slices.Equal(got, old) {
				t.Fatalf("undone:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(old, "\n"))
			}
			settled(t, w.journal)
			if left := show(w.journal); len(left) > 0 {
				t.Errorf("the journal still has %v", left)
			}
		})
	}
}

// A misfortune is something that can happen during a change, with or without a power failure.
type misfortune struct {
	name string
	how  fate
	err  error
	lose bool
	keep int // number of name changes that survive a power failure although they were not durable
}

var misfortunes = []misfortune{
	{"it dies", dies, nil, false, 0}, {"the power fails", dies, nil, true, 0},
	{"the power fails a little later", dies, nil, true, 1}, {"the power fails later", dies, nil, true, 2},
	{"it dies while writing", tears, nil, false, 0}, {"the power fails while writing", tears, nil, true, 1},
	{"an error", fails, errInjected, false, 0}, {"the disk is full", full, syscall.ENOSPC, false, 0},
	{"the quota is used up", full, syscall.EDQUOT, false, 0},
	{"the disk is dead", dead, syscall.EIO, false, 0}, {"disk and power fail", dead, syscall.EIO, true, 0},
	{"it turns read-only", dead, syscall.EROFS, false, 0},
	{"a success is reported as an error", lies, errInjected, false, 0},
}

// TestEveryFault makes every step of every change fail in every way. The tree is then either unchanged or as
// intended, and the next change works.
func TestEveryFault(t *testing.T) {
	t.Parallel()
	trials := 0
	for name, changes := range stories {
		for _, back := range []bool{false, true} {
			for _, f := range misfortunes {
				trials += everyPoint(t, name, changes, back, f)
			}
		}
	}
	t.Logf("%d trials", trials)
	if trials < 1000 {
		t.Errorf("only %d trials", trials)
	}
}

// everyPoint makes one misfortune happen at every change of a story, and returns the number of changes.
func everyPoint(t *testing.T, name string, changes []edit.Change, back bool, m misfortune) int {
	t.Helper()
	want := wanted(t, name, changes, back)
	for at := 1; ; at++ {
		w := newWorld(t, name)
		do := func() error { return w.apply(changes) }
		if back {
			must(t, w.apply(changes))
			do = w.undo
		}
		start := show(w.tree)
		w.restart(&fuse{left: at, how: m.how, fail: m.err})
		err, died := w.run(do)
		over := !died && w.fuse.used < at
		if m.lose && (died || err != nil || over) {
			w.tree.powerFails(m.keep)
			w.journal.powerFails(at % 2)
		}
		end := outcome(t, w, start, want)
		switch {
		case end == "neither":
			t.Fatalf("%s, undone %t: %s at change %d (%v): the tree is neither old nor new:\n%s", name, back, m.name,
				at, err, strings.Join(show(w.tree), "\n"))
		case !died && err == nil && end != "new":
			t.Fatalf("%s, undone %t: %s at change %d: it succeeded, and the tree is %s", name, back, m.name, at, end)
		case m.how == full && err != nil && !strings.Contains(err.Error(), "run the command again"):
			t.Fatalf("%s: no fix in %q", name, err)
		}
		if over {
			return at - 1
		}
		continues(t, w, name, m.name, at)
	}
}

// wanted returns the expected tree after a story.
func wanted(t *testing.T, name string, changes []edit.Change, back bool) []string {
	t.Helper()
	w := newWorld(t, name)
	must(t, w.apply(changes))
	if back {
		must(t, w.undo())
	}
	return show(w.tree)
}

// outcome lets the next process finish the recovery, and reports which tree results.
func outcome(t *testing.T, w *world, old, new []string) string {
	t.Helper()
	w.restart(&fuse{})
	s, err := resumed(w.tree, w.journal, "", nil)
	must(t, err)
	for _, left := range s.Interrupted {
		if len(left.Paths) > 0 {
			t.Fatalf("left alone: %v", left.Paths)
		}
	}
	settled(t, w.tree)
	settled(t, w.journal)
	got := show(w.tree)
	switch {
	case slices.Equal(got, old):
		return "old"
	case slices.Equal(got, new):
		return "new"
	}
	return "neither"
}

// continues applies and undoes another change.
func continues(t *testing.T, w *world, name, what string, at int) {
	t.Helper()
	old := show(w.tree)
	if err := w.apply([]edit.Change{write("w2/x.md", "x")}); err == nil {
		t.Fatal("a path outside the roots is written")
	}
	in := intent([]edit.Change{write("other/new.md", "x"), write("other/keep.md", "y")})
	in.About = About{Root: "other"}
	s, err := resumed(w.tree, w.journal, "", nil)
	must(t, err)
	tx, err := s.Begin(in)
	if err != nil {
		t.Fatalf("%s: %s at %d: going on: %v", name, what, at, err)
	}
	must(t, tx.Keep())
	_, err = s.Undo()
	must(t, err)
	if !slices.Equal(show(w.tree), old) {
		t.Fatalf("%s: %s at %d: going on and undoing leaves another tree", name, what, at)
	}
}

// TestCrashDuringRollback kills a process at every change, and the next process, which rolls back, at every change
// of its own.
func TestCrashDuringRollback(t *testing.T) {
	t.Parallel()
	trials := 0
	for name, changes := range stories {
		want := wanted(t, name, changes, false)
		for at := 1; ; at++ {
			first := newWorld(t, name)
			start := show(first.tree)
			first.restart(&fuse{left: at, how: dies})
			if _, died := first.run(func() error { return first.apply(changes) }); !died {
				break
			}
			for again := 1; ; again++ {
				w := newWorld(t, name)
				w.restart(&fuse{left: at, how: dies})
				w.run(func() error { return w.apply(changes) })
				w.tree.powerFails(again % 2)
				w.restart(&fuse{left: again, how: dies})
				_, died := w.run(func() error { _, err := resumed(w.tree, w.journal, "", nil); return err })
				trials++
				if !died {
					break
				}
				w.tree.powerFails(again % 3)
				if end := outcome(t, w, start, want); end == "neither" {
					t.Fatalf("%s, killed at %d and %d: the tree is neither old nor new:\n%s", name, at, again,
						strings.Join(show(w.tree), "\n"))
				}
			}
		}
	}
	t.Logf("%d trials", trials)
}

// TestRollBack rolls back a change that the caller does not keep.
func TestRollBack(t *testing.T) {
	for name, changes := range stories {
		w := newWorld(t, name)
		old := show(w.tree)
		s, err := resumed(w.tree, w.journal, "", nil)
		must(t, err)
		tx, err := s.Begin(intent(changes))
		must(t, err)
		must(t, tx.RollBack())
		if got := show(w.tree); !slices.Equal(got, old) {
			t.Errorf("%s: rolled back:\n%s", name, strings.Join(got, "\n"))
		}
		if left := show(w.journal); len(left) > 0 {
			t.Errorf("%s: the journal still has %v", name, left)
		}
		var usage *ChangedError
		if undone, err := s.Undo(); len(undone) > 0 || errors.As(err, &usage) {
			t.Errorf("%s: a rolled-back change is undone", name)
		}
	}
}
