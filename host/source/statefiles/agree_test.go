package statefiles

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// TestAdmitAgreesWithSpecOf: the walk, which matches component by component, agrees with the function that fixtures
// and tools use for whole paths.
func TestAdmitAgreesWithSpecOf(t *testing.T) {
	globs := []string{
		"state.json", "rounds/*/reviews/*.md", "rounds/*/", "**/final.md", "reviews/**", "rounds/*/*", "a/{b,c}*.json",
		"logs/", "*",
	}
	paths := []string{
		"state.json", "final.md", "x/y/final.md", "rounds/round-1", "rounds/round-1/final.md", "rounds/round-1/reviews",
		"rounds/round-1/reviews/a.md", "reviews/a/b", "a/b1.json", "a/d.json", "logs", "logs/x", "other",
	}
	for first := range globs {
		specs := make([]wire.DocumentSpec, len(globs))
		for i := range globs {
			specs[i].Glob = globs[(first+i)%len(globs)]
		}
		compiled, err := snapshot.CompileSpecs(specs)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			for _, kind := range []snapshot.Kind{snapshot.Regular, snapshot.Directory} {
				if got, want := walked(compiled, path, kind), snapshot.SpecOf(specs, path, kind); got != want {
					t.Errorf("%s (kind %d) beginning with %s: the walk says %d, SpecOf %d", path, kind, specs[0].Glob,
						got, want)
				}
			}
		}
	}
}

// walked decides like the walk, starting from the root.
func walked(s *snapshot.Specs, path string, kind snapshot.Kind) int {
	from, st := s.Start(), s.Start()
	for name := range strings.SplitSeq(path, "/") {
		from, st = st, s.Step(st, name)
	}
	spec, ok := s.Admit(from, st, path[strings.LastIndexByte(path, '/')+1:], kind)
	if !ok {
		return -1
	}
	return spec
}
