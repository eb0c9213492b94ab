//go:build !wasip1

package sdktest

import (
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// Fuzz damages the documents of the fixtures and checks that every law holds
// all the same. Its seeds, which go test runs without -fuzz, are a few kinds of
// damage of each; Run judges the fixtures themselves. What breaks a law is shown as an
// archive, ready to become a fixture.
func Fuzz(f *testing.F, w *sdk.Workflow) {
	f.Helper()
	FuzzWith(f, w.Manifest(), fixture.Native(w))
}

// FuzzWith is Fuzz with an examiner of the caller's.
func FuzzWith(f *testing.F, m *wire.Manifest, x fixture.Examiner) {
	f.Helper()
	kit, fixtures := load(f, m, x)
	var worlds []fixture.World
	for _, fix := range fixtures {
		worlds = append(worlds, fix.World())
	}
	for _, program := range fixture.Programs(worlds) {
		f.Add(program, "0")
	}
	f.Fuzz(func(t *testing.T, program []byte, text string) {
		world := fixture.Mutate(worlds, program, text)
		if why := kit.Judge(world); why != nil {
			t.Errorf("%v\nThe world, as a fixture:\n\n%s", why, world.Archive("A fuzzer found this."))
		}
	})
}
