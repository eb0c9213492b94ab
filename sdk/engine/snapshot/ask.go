package snapshot

import (
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/wire"
)

// CheckAsk returns an error for paths that a report may not ask for: too many, not sorted, not clean, or not
// matched by the manifest's globs.
func CheckAsk(m *wire.Manifest, ask []string) error {
	if n := len(ask); n > wire.MaxAsk {
		return fmt.Errorf("the report asks for %d paths, expected at most %d", n, wire.MaxAsk)
	}
	for i, p := range ask {
		if err := wire.CheckPath(p); err != nil {
			return fmt.Errorf("the report asks for a path that it may not ask for: %w", err)
		}
		if i > 0 && ask[i-1] >= p {
			return fmt.Errorf("the report asks for %q after %q, expected each path once, sorted", p, ask[i-1])
		}
		if !slices.ContainsFunc(m.AsksFor, func(g string) bool { return glob.Match(g, p) }) {
			return fmt.Errorf("the report asks for %q, which no glob in the manifest's asks_for matches", p)
		}
	}
	return nil
}

// Unknown returns answers that mark all paths as unknown.
func Unknown(paths []string) []wire.Answer {
	list := make([]wire.Answer, len(paths))
	for i, p := range paths {
		list[i].Path = p
	}
	return list
}
