// The build constraint keeps this package out of guests: importing it there fails to compile.

//go:build !wasip1

// Package sdktest tests a workflow with its fixtures. The whole test of a plugin is
//
//	func Test(t *testing.T) { sdktest.Run(t, x.Workflow) }
//	func Fuzz(f *testing.F) { sdktest.Fuzz(f, x.Workflow) }
//
// and the archives in testdata. Package fixture documents their format and the laws that hold in every one of them.
// `go test -update` writes the @want and @after sections, and removes lines from known-breaches.txt whose breach no
// longer occurs.
//
// Run refuses source code that only works in a test: files, clock, network, randomness, goroutines. It stops a
// function that does not return within 20 seconds, and fails as long as testdata/broken contains archives that Fuzz
// saved.
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

var update = flag.Bool("update", false, "write the @want and @after sections of the fixtures")

// Dir is the directory of the fixtures.
const Dir = "testdata"

// Run validates the workflow and checks every fixture testdata/*.txtar in a subtest with its name. Unless a -run
// pattern skipped a fixture, it then reports everything that the fixtures do not cover in a subtest called
// "(gaps)", a name that no fixture has.
func Run(t *testing.T, w *sdk.Workflow) {
	t.Helper()
	if err := valid(w); err != nil {
		t.Fatal(err)
	}
	debug.SetMaxStack(maxStack)
	RunWith(t, w.Manifest(), native(w))
}

// valid reports faults of a workflow that do not require an examination.
func valid(w *sdk.Workflow) error {
	if err := w.Validate(); err != nil {
		return err
	}
	if faults := unusable(os.DirFS(".")); len(faults) > 0 {
		return errors.New(strings.Join(faults, "\n"))
	}
	return nil
}

// maxStack is the stack size at which an endless recursion ends the test; a guest has a smaller
// stack.
const maxStack = 64 << 20

// kits are the kits in this process. If fixtures break a law, it is not reported again for damaged fixtures.
var kits []*fixture.Kit

// natives are the examiners in this process. An examiner that has timed out is not tried again.
var natives sync.Map // *sdk.Workflow -> fixture.Examiner

func native(w *sdk.Workflow) fixture.Examiner {
	x, _ := natives.LoadOrStore(w, fixture.Native(w))
	return x.(fixture.Examiner)
}

// RunWith is like Run but uses the caller's examiner, such as one that runs the compiled plugin. The fixtures,
// expectations and laws are the same, so Run and RunWith together show that the native workflow and the compiled
// plugin report the same.
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
			t.Skip(err) // the requested files have been written
		} else if err != nil {
			t.Errorf("not covered by the fixtures:\n%v", err)
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
	if err = fixture.Explain(m, fixtures, err); err != nil {
		t.Fatal(err)
	}
	return kit, fixtures
}

// check returns the Look, or nil if there is none.
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
