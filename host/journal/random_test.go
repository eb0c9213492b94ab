package journal

import (
	"fmt"
	"math/rand"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/wire"
)

// TestRandomEdits makes random edits in several consecutive transactions. The tree matches package edit's result, a
// crash leaves it as it was before or after a transaction, and undoing the group restores the first tree.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	const rounds = 400
	made, crashed := 0, 0
	for seed := range int64(rounds) {
		random := rand.New(rand.NewSource(seed))
		w := newWorld(t, "")
		first := show(w.tree)
		group := NewGroup()
		applied := 0
		for range 1 + random.Intn(4) {
			switch done, died := randomEdits(t, w, random, group, seed); {
			case died:
				crashed++
			case done:
				applied++
			}
		}
		made += applied
		w.restart(&fuse{})
		s, err := resumed(w.tree, w.journal, "", nil)
		must(t, err)
		undone, err := s.Undo()
		if err != nil || len(undone) != applied {
			t.Fatalf("seed %d: %d of %d undone: %v", seed, len(undone), applied, err)
		}
		if got := show(w.tree); !slices.Equal(got, first) {
			t.Fatalf("seed %d: undone:\n%s\nwant:\n%s", seed, strings.Join(got, "\n"), strings.Join(first, "\n"))
		}
	}
	t.Logf("%d transactions kept, %d killed", made, crashed)
	if made < rounds || crashed < rounds/10 {
		t.Errorf("%d kept, %d killed: the test draws too little of one kind", made, crashed)
	}
}

// randomEdits makes one transaction, and may kill it. It reports whether the changes were made.
func randomEdits(t *testing.T, w *world, random *rand.Rand, group string, seed int64) (made, died bool) {
	t.Helper()
	w.restart(&fuse{})
	files := filesOf(t, w.tree)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var edits []wire.Edit
	for range 1 + random.Intn(5) {
		edits = append(edits, randomEdit(random, names))
	}
	result, err := edit.Apply(files, edits, edit.Env{Now: time.Unix(0, 0), Root: "w"})
	if err != nil || len(result.Changes) == 0 {
		return false, false
	}
	in := Intent{Group: group, About: About{Root: "w"}}
	for _, c := range result.Changes {
		c.Path = "w/" + c.Path
		if c.From != "" {
			c.From = "w/" + c.From
		}
		in.Changes = append(in.Changes, c)
	}
	before := show(w.tree)
	if random.Intn(3) == 0 {
		w.restart(&fuse{left: 1 + random.Intn(40), how: dies})
	}
	err, died = w.run(func() error {
		s, err := resumed(w.tree, w.journal, "", nil)
		if err != nil {
			return err
		}
		tx, err := s.Begin(in)
		if err != nil {
			return err
		}
		return tx.Keep()
	})
	if err != nil {
		t.Fatalf("seed %d: %v: %v", seed, edits, err)
	}
	if !died {
		if got := filesOf(t, w.tree); !got.Same(result.Files) {
			t.Fatalf("seed %d: %v lead to\n%s", seed, edits, strings.Join(show(w.tree), "\n"))
		}
		return true, false
	}
	w.restart(&fuse{})
	_, err = resumed(w.tree, w.journal, "", nil)
	must(t, err)
	switch {
	case slices.Equal(show(w.tree), before):
		return false, true
	case filesOf(t, w.tree).Same(result.Files):
		return true, false
	}
	t.Fatalf("seed %d: killed in %v: the tree is neither old nor new:\n%s", seed, edits,
		strings.Join(show(w.tree), "\n"))
	return false, true
}

// filesOf returns the files below w.
func filesOf(t *testing.T, d Disk) edit.Files {
	t.Helper()
	files := edit.Files{}
	var walk func(dir string)
	walk = func(dir string) {
		names, err := d.List(dir)
		must(t, err)
		for _, name := range names {
			at := path.Join(dir, name)
			info, err := d.Lstat(at)
			must(t, err)
			rel := strings.TrimPrefix(at, "w/")
			if info.Kind == Directory {
				files[rel+"/"] = edit.File{}
				walk(at)
				continue
			}
			data, _, err := d.Read(at, 1<<20)
			must(t, err)
			files[rel] = edit.File{Data: data}
		}
	}
	walk("w")
	return files
}

func randomEdit(random *rand.Rand, names []string) wire.Edit {
	name := names[random.Intn(len(names))]
	dir := names[random.Intn(len(names))]
	if !strings.HasSuffix(dir, "/") {
		dir = path.Dir(dir) + "/"
	}
	to := strings.TrimPrefix(dir, "./") + fmt.Sprintf("n%d", random.Intn(20))
	at := wire.Range{Path: name}
	slash := ""
	if strings.HasSuffix(name, "/") {
		slash = "/"
	}
	switch random.Intn(7) {
	case 0, 1:
		return wire.Edit{Op: wire.Create, Range: wire.Range{Path: to + "/" + fmt.Sprint(random.Intn(3))},
			New: fmt.Sprint(random.Intn(9))}
	case 2:
		return wire.Edit{Op: wire.Create, Range: at, New: fmt.Sprint(random.Intn(99))}
	case 3:
		return wire.Edit{Op: wire.Aside, Range: at, To: "old"}
	case 4:
		return wire.Edit{Op: wire.Remove, Range: at}
	}
	return wire.Edit{Op: wire.Move, Range: at, To: to + slash}
}
