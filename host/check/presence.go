package check

import (
	"context"
	"slices"

	"github.com/stategate/stategate/host/source/presence"
	"github.com/stategate/stategate/host/source/tree"
)

// maxAnswers is how many paths are answered in one check. It is shared out among the state directories whose plugins may ask, so that
// no answer depends on which of them is examined first.
const maxAnswers = 20_000

// answer answers what a plugin asks for. What the configuration refuses to tell it, and what is too much, is unseen.
func (s *Session) answer(ctx context.Context, c *comparison, ask []string) {
	now, then := c.presence, s.witness(ctx, c.Past.Tree)
	if slices.Contains(s.Options.RefusePaths, c.Name) {
		now, then = nil, nil
	}
	most := maxAnswers / s.asking()
	some, rest := ask[:min(most, len(ask))], ask[min(most, len(ask)):]
	var unknown *presence.Witness
	c.answers = append(now.Answer(some), unknown.Answer(rest)...)
	c.then = append(then.Answer(some), unknown.Answer(rest)...)
}

// countAsking counts the state directories whose plugins may ask, 1 at least.
func (s *Session) countAsking() int {
	if s.found == nil {
		return 1
	}
	n := 0
	for _, i := range s.found.Instances {
		if p := s.Plugins[i.Plugin]; p != nil && len(p.Manifest.Paths) > 0 {
			n++
		}
	}
	return max(1, n)
}

// witness returns the witness of a commit, nil for none. There is one for each.
func (s *Session) witness(ctx context.Context, t *tree.Listed) *presence.Witness {
	if t == nil {
		return nil
	}
	s.witnessing.Lock()
	defer s.witnessing.Unlock()
	if s.witnesses[t.ID] == nil {
		s.witnesses[t.ID] = presence.Of(ctx, s.Workspace.Repo, t)
	}
	return s.witnesses[t.ID]
}
