package sdktest

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// Fuzz damages the documents of the fixtures and checks that every law still holds. Its seeds, which go test runs
// without -fuzz, are the fixtures with a few kinds of damage each. A world that breaks a law is saved as an archive
// in testdata/broken, where Run finds it again. Move it to testdata to make it a fixture.
//
//	go test . -run '^$' -fuzz Fuzz -fuzztime 30s -fuzzminimizetime 1x
//
// Set -fuzzminimizetime. Otherwise, Go may spend its remaining time on minimizing the input, and then report
// nothing.
func Fuzz(f *testing.F, w *sdk.Workflow) {
	f.Helper()
	if err := valid(w); err != nil {
		f.Fatal(err)
	}
	FuzzWith(f, w.Manifest(), native(w))
}

// Long is the environment variable that makes Fuzz begin with the damage of every fixture, if it has any value.
const Long = fixture.Long

// maxSeeds limits the seeds that go test runs without -fuzz. Run has already checked the fixtures themselves.
const maxSeeds = 60

// seeds returns at most maxSeeds of the programs, spread over the list.
func seeds(programs [][]byte) [][]byte {
	n := len(programs)
	if n <= maxSeeds || os.Getenv(Long) != "" {
		return programs
	}
	list := make([][]byte, maxSeeds)
	for i := range list {
		list[i] = programs[i*n/maxSeeds]
	}
	return list
}

// FuzzWith is like Fuzz but uses the caller's examiner.
func FuzzWith(f *testing.F, m *wire.Manifest, x fixture.Examiner) {
	f.Helper()
	kit, fixtures := load(f, m, x)
	var worlds []fixture.World
	for _, fix := range fixtures {
		worlds = append(worlds, fix.World())
	}
	for _, program := range seeds(fixture.Programs(worlds)) {
		f.Add(program, "0")
	}
	told := map[string]bool{}
	f.Fuzz(func(t *testing.T, program []byte, text string) {
		world := fixture.Mutate(worlds, program, text)
		c := kit.Try(world)
		switch {
		case c == nil:
		case !fuzzing() && (told[c.Law] || toldOfFixtures(c.Law)):
			t.Skip("this law is broken above: " + c.Law)
		default:
			told[c.Law] = true
			t.Errorf("%s%s", c, saved(c))
		}
	})
}

func toldOfFixtures(law string) bool {
	return slices.ContainsFunc(kits, func(k *fixture.Kit) bool { return k.Told(law) })
}

// fuzzing reports whether the go command generates inputs, because each of those must fail separately.
func fuzzing() bool {
	pattern, worker := flag.Lookup("test.fuzz"), flag.Lookup("test.fuzzworker")
	return pattern != nil && pattern.Value.String() != "" || worker != nil && worker.Value.String() == "true"
}

// saved saves a counterexample and returns a note that says how to run it again.
func saved(c *fixture.Counterexample) string {
	path, err := c.Save(Dir)
	if err != nil {
		return err.Error()
	}
	return "saved as " + path + "; move it to " + Dir + " to run it as a fixture"
}
