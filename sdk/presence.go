package sdk

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// A Presence says whether a workspace path exists.
type Presence = wire.Presence

// The values of Presence. Never base a finding on Unseen.
const (
	Unseen  = wire.Unseen  // unknown: ignored by git, inside a submodule, or over the limit of paths
	Absent  = wire.Absent  // nothing has exactly this name
	Present = wire.Present // a file, a directory or a link
)

// Presence reports whether something exists at a path outside the instance. Use it to check a claim such as "T045
// done: src/auth.go". The path is slash-separated, relative to the workspace root, and must match one of
// Workflow.AsksFor. A path that does not match, or is not clean, is Unseen, so a plugin can pass text from a
// document unchanged.
//
// The host calls the plugin twice. In the first call it records the questions and every answer is Unseen; in the
// second call the answers are known. So ask every question regardless of the other answers. The host answers at
// most wire.MaxAsk paths.
func (p *Pass) Presence(path string) Presence { return p.Base.paths.presence(path, p.Base.paths.now) }

// Presence reports whether something existed at a workspace path in the base; see Pass.Presence.
func (b Base) Presence(path string) Presence {
	if is := b.paths.presence(path, b.paths.then); is != wire.Unchanged {
		return is
	}
	return Present
}

// Unchanged reports whether the file at a workspace path is known to have the same content now. It asks the same
// question as Presence. It returns false for a changed file, a directory, a large file and a file that git
// converts. If no document of the instance changed, the answer is unknown, so it also returns false.
func (b Base) Unchanged(path string) bool {
	return b.paths.presence(path, b.paths.then) == wire.Unchanged
}

// paths holds what is known about the workspace outside the instance.
type paths struct {
	globs     []string
	now, then []wire.Answer // sorted by path by the host
	ask       []string      // sorted
	last      string        // the last path asked for: most are asked for twice in a row, now and in the base
	audit     *audit        // nil except in tests
}

func newPaths(globs []string, r *wire.Request) *paths {
	return &paths{globs: globs, now: r.Answers, then: r.Base.Answers}
}

func answer(list []wire.Answer, path string) (Presence, bool) {
	if at, found := search(len(list), path, func(i int) string { return list[i].Path }); found {
		return list[at].Presence, true
	}
	return Unseen, false
}

// search returns the index of a path among n sorted paths, or the index at which it would be inserted. It skips the
// prefix that the path shares with both bounds, because paths in one directory have the same beginning.
func search(n int, path string, at func(int) string) (place int, found bool) {
	from, to, before, behind := 0, n, 0, 0
	for from < to {
		mid := (from + to) / 2
		other := at(mid)
		same := common(path, other, min(before, behind))
		switch {
		case same == len(path) && same == len(other):
			return mid, true
		case same < len(other) && (same == len(path) || path[same] < other[same]):
			to, behind = mid, same
		default:
			from, before = mid+1, same
		}
	}
	return from, false
}

// common returns the number of bytes that two strings share at their beginning; the first n are known to be equal.
func common(a, b string, n int) int {
	least := min(len(a), len(b))
	for n+8 <= least && eight(a[n:]) == eight(b[n:]) {
		n += 8
	}
	for n < least && a[n] == b[n] {
		n++
	}
	return n
}

// eight returns the first eight bytes of a string as a number. The compiler turns it into a single load.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 |
		uint64(s[6])<<48 | uint64(s[7])<<56
}

func (s *paths) presence(path string, known []wire.Answer) Presence {
	if s == nil || path == s.last && len(s.now) == 0 {
		return Unseen
	}
	if len(s.globs) == 0 {
		s.audit.note("?" + path)
	}
	if is, _ := answer(known, path); is != Unseen {
		return is
	}
	s.last = path
	if _, answered := answer(s.now, path); answered {
		return Unseen
	}
	if at, noted := search(len(s.ask), path, func(i int) string { return s.ask[i] }); !noted &&
		len(s.now)+len(s.ask) < wire.MaxAsk && wire.CheckPath(path) == nil && s.declared(path) {
		if s.ask == nil {
			s.ask = make([]string, 0, 64)
		}
		s.ask = append(s.ask, "") // slices.Insert is slower in a guest
		copy(s.ask[at+1:], s.ask[at:])
		s.ask[at] = path
	}
	return Unseen
}

func (s *paths) declared(path string) bool {
	return slices.ContainsFunc(s.globs, func(g string) bool {
		return g == "**" ||
			Match(g, strings.TrimSuffix(path, "/"))
	})
}
