package check

import (
	"fmt"
	"slices"
	"sync"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// maxAnswers limits the paths that one check looks up. The state directories whose plugins may ask share this number,
// so that no answer depends on the order in which they are examined; see pathShares.
const maxAnswers = 20_000

// A pathBudget answers which paths exist, within the limit for one check.
type pathBudget struct {
	refused []string          // plugins that must not learn which paths the workspace has
	shares  func() pathShares // nil: every state directory may use the whole limit
	touches func(string) bool // reports whether the change touches a state directory
}

// answers are the answers about the paths that a plugin asks for.
type answers struct {
	now, then  []wire.Answer // in what is checked, and in the base
	asked      int           // number of paths
	unanswered int           // number of paths beyond the limit
}

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

// answer answers a plugin's questions. Paths that the configuration withholds and paths beyond the limit are answered
// as unseen.
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
	if p.same != nil && !p.Past.Unchanged(p.Now) { // a change that leaves the run alone claims nothing new
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

// pathShares counts the state directories whose plugins may ask.
type pathShares struct {
	touched, others int // by the change, as far as that is known, and all others
}

// of returns the number of paths that one state directory may look up. The state directories that the change
// touches share half of the limit, if there are others.
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

// shareOut divides the limit among the found state directories. It counts them when a plugin first
// asks.
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

// noteUnanswered notes how many paths were not looked up because the check reached its limit. No finding
// reports these paths as missing.
func noteUnanswered(r *result.Result, outcomes []Outcome) {
	list := slices.DeleteFunc(slices.Clone(outcomes), func(o Outcome) bool {
		return o.answers == nil || o.answers.unanswered == 0
	})
	if len(list) == 0 {
		return
	}
	slices.SortFunc(list, func(a, b Outcome) int { return a.Compare(b.Instance) })
	asked, left, capped := 0, 0, 0
	for _, o := range list {
		asked, left = asked+o.answers.asked, left+o.answers.unanswered
		if o.answers.asked == wire.MaxAsk {
			capped++
		}
	}
	where := ""
	if n := len(list); n > 1 {
		where = fmt.Sprintf(" here and in %d more state directories", n-1)
	}
	message := fmt.Sprintf("%d of %d possible file paths%s were not looked up, so no finding reports a file there as "+
		"missing; check some PATHs at a time", left-capped, asked, where)
	if left == capped { // everything was looked up that a plugin may ask for
		message = fmt.Sprintf("%s looked for files at %d possible paths%s, which is the limit, so a file "+
			"that may be elsewhere is not reported as missing", list[0].Plugin, asked, where)
	}
	r.Notes = append(r.Notes, result.Note{Kind: result.PathsNotChecked, Place: result.Place{Path: list[0].Root},
		Message: message})
}
