package sdk

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// A Presence says whether something is at a path of the workspace.
type Presence = wire.Presence

// The presences. No finding may rest on what is Unseen.
const (
	Unseen  = wire.Unseen  // nothing is known: git ignores it, it is in a submodule, or too much was asked for
	Absent  = wire.Absent  // nothing has this name, exactly as it is spelled
	Present = wire.Present // a file, a directory or a link
)

// Presence says whether something exists at a path outside of the instance, to check a claim such as "T045 done:
// src/auth.go". The path is slash-separated, relative to the top of the workspace, and matches one of
// Workflow.AsksFor; it is Unseen if it does not, or is not a clean path, so that a plugin can pass text of a document
// as it is.
//
// The host calls the plugin twice: first all answers are Unseen, and what was asked for is noted; then the answers are
// known. So every question must be asked whatever the answers to others are. At most wire.MaxAsk paths are answered.
func (p *Pass) Presence(path string) Presence { return p.Base.paths.presence(path, p.Base.paths.now) }

// Presence says whether something was at a path of the workspace then; see Pass.Presence.
func (b Base) Presence(path string) Presence {
	if is := b.paths.presence(path, b.paths.then); is != wire.Unchanged {
		return is
	}
	return Present
}

// Unchanged reports whether a file at a path of the workspace is known to have the same content now. It asks the same
// question as Presence. It is false for a changed file, a directory, a large file and one that git converts. It is also
// false if no document of the instance changed, because then the answer is unknown.
func (b Base) Unchanged(path string) bool {
	return b.paths.presence(path, b.paths.then) == wire.Unchanged
}

// paths are what is known of the workspace outside of the instance.
type paths struct {
	globs     []string
	now, then []wire.Answer // sorted by path, as hosts give them
	ask       []string      // sorted
	last      string        // what was asked for last: mostly now and then, one after the other
	audit     *audit        // nil but in a test
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

// search returns where a path stands among n that are sorted, or would stand. What those on both sides have in common
// with it is not compared again: paths of one directory begin alike.
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

// common is how many bytes two texts have in common at their beginning; the first n are known to be the same.
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

// eight are the first bytes of a text, as one number: the compiler makes one load of it.
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
