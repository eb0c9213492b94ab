//go:build !wasip1

package sdktest

import (
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// Fuzz damages the documents of the fixtures and checks that every law holds
// all the same. Its seeds, which go test runs without -fuzz, are the fixtures
// and a few kinds of damage of each. What breaks a law is shown as an archive,
// ready to become a fixture.
func Fuzz(f *testing.F, w *sdk.Workflow) {
	f.Helper()
	FuzzWith(f, w.Manifest(), fixture.Native(w))
}

// FuzzWith is Fuzz with an examiner of the caller's.
func FuzzWith(f *testing.F, m *wire.Manifest, x fixture.Examiner) {
	f.Helper()
	kit, fixtures := load(f, m, x)
	var worlds []fixture.World
	for i, fix := range fixtures {
		worlds = append(worlds, fix.World())
		for _, program := range programs(i, len(fix.Files)) {
			f.Add(program, "0")
		}
	}
	f.Fuzz(func(t *testing.T, program []byte, text string) {
		world := fixture.Mutate(worlds, program, text)
		if why := judge(kit, world); why != "" {
			t.Errorf("%s\nThe world, as a fixture:\n\n%s", why, world.Archive("A fuzzer found this."))
		}
	})
}

// judge returns the laws that a world breaks, "" if none.
func judge(kit *fixture.Kit, world fixture.World) string {
	l, err := kit.Look(world)
	if err != nil {
		return err.Error()
	}
	why := ""
	for _, b := range kit.Breaches(l) {
		why += b.Error() + "\n"
	}
	return why
}

// programs are the seeds of one fixture: as it is, and each of its documents
// damaged once, each in another way.
func programs(index, documents int) [][]byte {
	start := []byte{byte(index), byte(index >> 8)}
	list := [][]byte{start}
	for d := range min(documents, 3) {
		op := byte((index*5 + d*3) % 14)
		at := byte(index*37 + d*11)
		document := byte((index + d*(documents+2)/3) % documents)
		step := [fixture.StepSize]byte{op, document, at, 0, byte(d + 1), 0}
		list = append(list, append(start[:2:2], step[:]...))
	}
	return list
}
