package check

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/wire"
)

// A Memory keeps what checks by one process found, so that the next check neither reads nor
// examines what has not changed. It cannot see changes: the caller names them to Forget
// before the next check, as a watch does. The zero Memory is empty. It is for the work tree;
// where there is a base to compare with, nothing is kept.
type Memory struct {
	lock  sync.Mutex
	of    [32]byte // digest of all that an outcome depends on but its files and the clock
	known map[discover.Instance]examination
}

// Forget forgets the instances at, below and around paths, which are slash-separated below
// the anchor; "." is everything. So is a file of git's, which may say what is ignored.
func (m *Memory) Forget(paths []string) {
	m.lock.Lock()
	defer m.lock.Unlock()
	for _, p := range paths {
		if p == "." || strings.HasPrefix(p, ".git") || strings.Contains(p, "/.git") {
			clear(m.known)
			return
		}
		for i := range m.known {
			if slashpath.Holds(p, i.Root) || slashpath.Holds(i.Root, p) {
				delete(m.known, i)
			}
		}
	}
}

// openMemory makes use of what is remembered, if it can hold for this look.
func (l *Session) openMemory() {
	m := l.Options.Memory
	if m == nil || l.Options.Source != wire.Worktree || l.Options.Changed || l.seen != nil || len(l.bases) > 0 {
		return
	}
	plugins := map[string]string{}
	for name, p := range l.Parties {
		plugins[name] = p.SHA256()
	}
	text, err := json.Marshal([]any{l.Anchor.Path, l.Anchor.Only, plugins, l.Options.PluginOptions, l.Options.Limits, l.ignores != nil})
	if err != nil {
		return
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	if of := sha256.Sum256(text); m.known == nil || of != m.of {
		m.of, m.known = of, map[discover.Instance]examination{}
	}
	l.memory = m
}

// reliable reports whether what is remembered holds: it was read as git ignores files.
func (l *Session) reliable() bool {
	return l.memory != nil && (l.ignores == nil || l.ignores.Broken() == nil)
}

// recall returns what is remembered of an instance, and tells of its directories.
func (l *Session) recall(found discover.Instance) (examination, bool) {
	if !l.reliable() {
		return examination{}, false
	}
	l.memory.lock.Lock()
	defer l.memory.lock.Unlock()
	o, ok := l.memory.known[found]
	if !ok || !o.span.holds(l.Options.Now) {
		return examination{}, false
	}
	if l.Options.Listed != nil {
		for _, dir := range o.dirs {
			l.Options.Listed(dir)
		}
	}
	return o.copied(), true
}

// memorize keeps a complete outcome.
func (l *Session) memorize(found discover.Instance, o examination) {
	if !l.reliable() || o.span == nil || len(o.Failures)+len(o.notices) > 0 {
		return
	}
	l.memory.lock.Lock()
	defer l.memory.lock.Unlock()
	l.memory.known[found] = o.copied()
}

// copied is an outcome whose copy the policy may change.
func (o examination) copied() examination {
	if o.Instance != nil {
		i := *o.Instance
		i.Diagnostics = slices.Clone(i.Diagnostics)
		for n := range i.Diagnostics {
			i.Diagnostics[n].Related = slices.Clip(i.Diagnostics[n].Related)
		}
		o.Instance = &i
	}
	return o
}

// noting is a collector that notes the directories that it lists.
func (l *Session) noting() (c *statefiles.Collector, dirs *[]string) {
	copied, dirs := *l.collector, &[]string{}
	if l.memory == nil {
		return &copied, dirs
	}
	copied.Listed = func(dir string) {
		*dirs = append(*dirs, dir)
		if l.Options.Listed != nil {
			l.Options.Listed(dir)
		}
	}
	return &copied, dirs
}

// A span is when an outcome holds: from the first moment (zero: always), and up to but not
// including the second (zero: for ever).
type span struct{ from, until time.Time }

// spanOf is when all of several replies hold.
func spanOf(replies []*exchange.Reply) *span {
	s := &span{}
	for _, r := range replies {
		if r.ValidFrom.After(s.from) {
			s.from = r.ValidFrom
		}
		if s.until.IsZero() || !r.ValidUntil.IsZero() && r.ValidUntil.Before(s.until) {
			s.until = r.ValidUntil
		}
	}
	return s
}

func (s *span) holds(now time.Time) bool {
	return (s.from.IsZero() || !now.Before(s.from)) && (s.until.IsZero() || now.Before(s.until))
}
