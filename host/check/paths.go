package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// maxAnswers is how many paths are answered in one check. It is shared out among the state directories whose plugins
// may ask, so that no answer depends on which of them is examined first; see pathShares.
const maxAnswers = 20_000

// A pathBudget answers which paths exist, as many as one check may look up.
type pathBudget struct {
	refused []string          // plugins that may not learn which paths the workspace has
	shares  func() pathShares // nil: every state directory may ask for all
	touches func(string) bool // whether the change touches a state directory
}

// answers are those to the paths that a plugin asks for.
type answers struct {
	now, then  []wire.Answer // in what is checked, and in the base
	asked      int           // paths
	unanswered int           // of them, because they are too many
}

// paths returns the paths that were asked about and answered so.
func (a *answers) paths(p wire.Presence) (list []string) {
	if a == nil {
		return nil
	}
	for _, x := range a.now {
		if x.Presence == p {
			list = append(list, x.Path)
		}
	}
	return list
}

// answer answers what a plugin asks for. What the configuration refuses to tell it, and what is too much, is unseen.
func (b *pathBudget) answer(p *pair, ask []string) *answers {
	now, then := p.present, p.wasPresent
	if slices.Contains(b.refused, p.Name) {
		now, then = nil, nil
	}
	most := len(ask)
	if b.shares != nil {
		most = min(b.shares().of(b.touches(p.Now.Root)), most)
	}
	known, rest := ask[:most], ask[most:]
	a := &answers{now: lookUp(now, known, rest), then: lookUp(then, known, rest), asked: len(ask)}
	if p.same != nil && !p.Past.Unchanged(p.Now) { // who changes nothing of the run, claims nothing new
		for i := range a.then {
			if a.now[i].Presence == wire.Present && a.then[i].Presence == wire.Present && p.same(a.then[i].Path) {
				a.then[i].Presence = wire.Unchanged
			}
		}
	}
	if now != nil {
		a.unanswered = len(rest) + len(ask)/wire.MaxAsk // it may have more questions than it may ask
	}
	return a
}

func lookUp(present func([]string) []wire.Answer, known, rest []string) []wire.Answer {
	if present == nil {
		return snapshot.Unknown(slices.Concat(known, rest))
	}
	return append(present(known), snapshot.Unknown(rest)...)
}

// pathShares is how many state directories there are whose plugins may ask.
type pathShares struct {
	touched, others int // by the change, as far as it is known
}

// of is how many paths are answered for one of them: those of the change have half of all, where there are others.
func (s pathShares) of(touched bool) int {
	most, among := maxAnswers, s.others
	if touched {
		among = s.touched
	}
	if s.touched > 0 && s.others > 0 {
		most /= 2
	}
	return most / max(1, among)
}

// shareOut shares the answers out among the state directories that were found. They are counted when a plugin asks.
func (e *examiner) shareOut(found []discover.Instance, plugins Plugins, b *bases) {
	e.paths.touches = b.touches
	e.paths.shares = sync.OnceValue(func() (s pathShares) {
		for _, i := range found {
			switch p := plugins[i.Plugin]; {
			case p == nil || len(p.Manifest.AsksFor) == 0:
			case b.touches(i.Root):
				s.touched++
			default:
				s.others++
			}
		}
		return s
	})
}

// noteUnanswered notes how many paths were asked for and not looked up, because one check answers so many: no finding
// says that they are missing.
func noteUnanswered(r *result.Result, outcomes []Outcome, b *pathBudget) {
	list := slices.DeleteFunc(slices.Clone(outcomes), func(o Outcome) bool {
		return o.answers == nil || o.answers.unanswered == 0
	})
	if len(list) == 0 {
		return
	}
	slices.SortFunc(list, func(a, b Outcome) int {
		return cmp.Or(discover.ComparePaths(a.Root, b.Root), strings.Compare(a.Plugin, b.Plugin))
	})
	asked, left, least, more := 0, 0, "", ""
	for _, o := range list {
		asked, left = asked+o.answers.asked, left+o.answers.unanswered
		if o.answers.asked == wire.MaxAsk {
			least, more = "at least ", "more than "
		}
	}
	where, cure := "here", "divide it into several state directories"
	if n := len(list); n > 1 {
		where = fmt.Sprintf("here and in %d more state directories", n-1)
	}
	if s := b.shares(); s.touched+s.others > 1 {
		cure = "check some PATHs at a time"
	}
	r.Notes = append(r.Notes, result.Note{Kind: result.PathsNotChecked, Place: result.Place{Path: list[0].Root},
		Message: fmt.Sprintf("%s%d of %s%d paths that are asked about %s were not looked up, so that no finding says "+
			"which of them are missing; %s", least, left, more, asked, where, cure)})
}
