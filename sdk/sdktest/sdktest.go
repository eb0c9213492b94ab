// No guest links this package: without this file it does not compile.

//go:build !wasip1

// Package sdktest tests a workflow with its fixtures: the whole test of a
// plugin is
//
//	func Test(t *testing.T) { sdktest.Run(t, x.Workflow) }
//	func Fuzz(f *testing.F) { sdktest.Fuzz(f, x.Workflow) }
//
// and the archives in testdata; see package fixture for their format and for
// the laws that hold in every one of them. go test -update writes the sections
// @want and @after, and takes out of known-breaches.txt what is one no more.
//
// Run refuses source that only a test can run: files, clock, network, randomness, goroutines. It ends a function that
// does not return after 20 seconds, and fails while testdata/broken has what Fuzz saved there.
package sdktest

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

var update = flag.Bool("update", false, "write the sections @want and @after of the fixtures")

// Dir is the directory of the fixtures.
const Dir = "testdata"

// Run validates the workflow, checks every fixture testdata/*.txtar in a subtest
// of its name, and then, if no -run pattern left one out, what the fixtures
// together leave untried, in a subtest "(gaps)", which no fixture is called.
func Run(t *testing.T, w *sdk.Workflow) {
	t.Helper()
	if err := valid(w); err != nil {
		t.Fatal(err)
	}
	debug.SetMaxStack(maxStack)
	RunWith(t, w.Manifest(), native(w))
}

// valid says what is wrong with a workflow before it examines anything.
func valid(w *sdk.Workflow) error {
	if err := w.Validate(); err != nil {
		return err
	}
	if faults := unusable(os.DirFS(".")); len(faults) > 0 {
		return errors.New(strings.Join(faults, "\n"))
	}
	return nil
}

// maxStack is how many bytes a recursion that never ends takes before it ends the test: a guest has less.
const maxStack = 64 << 20

// kits are those of the tests of this process: a law that fixtures break is not reported of damaged ones again.
var kits []*fixture.Kit

// natives are the examiners of this process: one that has given up is not tried again.
var natives sync.Map // *sdk.Workflow -> fixture.Examiner

func native(w *sdk.Workflow) fixture.Examiner {
	x, _ := natives.LoadOrStore(w, fixture.Native(w))
	return x.(fixture.Examiner)
}

// RunWith is Run with an examiner of the caller's, such as one that runs the
// compiled plugin: the same fixtures, wants and laws. Together with Run that
// proves that both say the same.
func RunWith(t *testing.T, m *wire.Manifest, x fixture.Examiner) {
	t.Helper()
	kit, fixtures := load(t, m, x)
	if *update {
		kept := map[string]bool{}
		kit.Kept = func(line string) { kept[line] = true }
		defer shorten(t, kept)
	}
	kits = append(kits, kit)
	if err := kit.Roots(); err != nil {
		t.Error(err)
	}
	looks := map[string]*fixture.Look{}
	for _, f := range fixtures {
		t.Run(f.Name, func(t *testing.T) { looks[f.Name] = check(t, kit, f) })
	}
	saved, err := kit.Saved(Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range saved {
		t.Run("("+fixture.Broken+")", func(t *testing.T) { t.Error(s) })
	}
	if len(looks) < len(fixtures) || !complete(looks) {
		return
	}
	t.Run("(gaps)", func(t *testing.T) {
		if err := kit.Gaps(looks); err != nil && *update {
			t.Skip(err) // what was asked for is written
		} else if err != nil {
			t.Errorf("the fixtures leave untried\n%v", err)
		}
	})
}

// shorten removes lines from the list of known breaches.
func shorten(t *testing.T, kept map[string]bool) {
	name := filepath.Join(Dir, fixture.KnownBreaches)
	data, err := os.ReadFile(name)
	if err != nil || len(kept) == 0 {
		return
	}
	var left strings.Builder
	for line := range strings.Lines(string(data)) {
		if !kept[strings.TrimSpace(line)] {
			left.WriteString(line)
		}
	}
	if err := os.WriteFile(name, []byte(left.String()), 0o644); err != nil {
		t.Error(err)
	}
}

// complete reports whether every fixture could be examined.
func complete(looks map[string]*fixture.Look) bool {
	for _, l := range looks {
		if l == nil {
			return false
		}
	}
	return true
}

func load(t testing.TB, m *wire.Manifest, x fixture.Examiner) (*fixture.Kit, []*fixture.Fixture) {
	t.Helper()
	kit, err := fixture.NewKit(m, x)
	if err != nil {
		t.Fatal(err)
	}
	kit.Thorough = os.Getenv(Long) != ""
	if kit.Known, err = fixture.LoadKnown(os.DirFS("."), Dir); err != nil {
		t.Fatal(err)
	}
	fixtures, err := fixture.LoadAll(os.DirFS("."), Dir)
	if err != nil {
		t.Fatal(err)
	}
	return kit, fixtures
}

// check returns the look, nil if there is none.
func check(t *testing.T, kit *fixture.Kit, f *fixture.Fixture) *fixture.Look {
	if *update {
		if _, err := kit.Write(Dir, f); err != nil {
			t.Fatal(err)
		}
	}
	l, err := kit.Check(f)
	if err != nil {
		t.Error(err)
	}
	return l
}
