package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
)

// sameMilestone reports whether the base is in the milestone of now. At a new one, phases are archived, removed and numbered anew.
func (m *model) sameMilestone() bool { return m.state.milestone == m.base.state.milestone }

// summaryLost looks into directories that are still there: one that is gone was archived, renumbered or removed as a whole.
// A summary under another name is found by its number.
func summaryLost(r *check.Report, m *model) {
	now := map[string]*phase{}
	for _, ph := range m.phases {
		now[ph.dir] = ph
	}
	for _, was := range m.base.phases {
		ph := now[was.dir]
		if ph == nil {
			continue
		}
		for _, s := range was.reports {
			path := s.doc.Path
			if r.Docs.Get(path) != nil || !r.Docs.Known(path) || m.archived[file(path)] || ph.has(s.number) {
				continue
			}
			r.Whole(path, file(path)+" is gone; the base has it in "+was.dir).Of(ph.subject()).Keyed(s.id(ph)).
				See(sdk.At(ph.dir), "the phase is still there").Offer(sdk.Review, "Restore "+file(path), sdk.Restore(path))
		}
	}
}

// has reports whether there is a summary of a number.
func (ph *phase) has(number string) bool {
	return slices.ContainsFunc(ph.reports, func(s *summary) bool { return s.number == number })
}

func phaseLost(r *check.Report, m *model) {
	if !m.sameMilestone() || m.base.road.doc == nil {
		return
	}
	seen := map[string]bool{}
	for _, was := range m.base.road.heads {
		list := m.byNumber[was.number]
		if was.old || was.off || len(list) != 1 || seen[was.number] || m.road.names(list[0]) || !list[0].fits(was.name) {
			continue
		}
		seen[was.number] = true
		r.Whole(roadmapPath, "ROADMAP.md no longer names phase "+was.number+", "+say.Quote(was.name)+say.Line(m.base.road.doc, was.section.Start())+" in the base; "+list[0].dir+" is still there").
			Of(list[0].subject()).See(sdk.At(list[0].dir), "the directory of the phase")
	}
}

// planRewritten compares words: another layout is no other plan.
func planRewritten(r *check.Report, m *model) {
	base := map[string]*plan{}
	for _, ph := range m.base.phases {
		for _, p := range ph.plans {
			base[p.path] = p
		}
	}
	for _, ph := range m.phases {
		for _, p := range ph.plans {
			was := base[p.path]
			if was == nil || was.summary == "" || p.summary == "" || was.doc.Digest == p.doc.Digest || !was.doc.Readable() || !p.doc.Readable() || meaning(was.doc.Text) == meaning(p.doc.Text) {
				continue
			}
			r.Whole(p.path, file(p.path)+" says something else than in the base, where it was executed").Of(ph.subject()).Keyed(p.id()).
				See(sdk.At(p.summary), "its summary").Offer(sdk.Review, "Restore "+file(p.path), sdk.Restore(p.path))
		}
	}
}

// meaning is a text without white space, marks and the boxes of lists.
func meaning(text string) string {
	b := make([]byte, 0, len(text))
	for i := range len(text) {
		if c := text[i]; isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80 {
			b = append(b, c)
		}
	}
	return string(b)
}

func phaseReopened(r *check.Report, m *model) {
	for _, ph := range m.phases {
		e := m.entry(ph)
		if e == nil || e.task.Checked() || e.off {
			continue
		}
		for _, before := range m.base.byNumber[ph.number] {
			was := m.base.entry(before)
			if before.dir != ph.dir || was == nil || !was.task.Checked() || len(ph.plans) > len(before.plans) || len(m.waits(ph)) > 0 || ph.gapsFound() != nil {
				continue
			}
			tick, _ := e.task.Check()
			r.At(sdk.AtLine(roadmapPath, e.task.Line()), "phase "+ph.number+" is not ticked, and was ticked in the base"+say.Line(m.base.road.doc, was.task.Start())+"; it has no new plan").
				Of(ph.subject()).Offer(sdk.Review, "Tick phase "+ph.number, sdk.Edits(roadmapPath, tick)...)
		}
	}
}

// wentBack: to go back to a phase that has something to do is no fault.
func wentBack(r *check.Report, m *model) {
	s, was := m.state, m.base.state
	if s.phase == nil || was.phase == nil || s.number == "" || was.number == "" || !m.sameMilestone() || ordinal.Compare(s.number, was.number) >= 0 {
		return
	}
	ph := m.current()
	if ph == nil || strings.HasPrefix(was.number, "999") {
		return
	}
	if done, all := ph.executed(); all == 0 || done < all || len(m.byNumber[was.number]) == 0 || ph.gapsFound() != nil {
		return
	}
	r.At(pairAt(s.phase), say.Was("Phase", say.Quote(s.phase.Value), say.Quote(was.phase.Value), say.Line(was.doc, was.phase.Start))+"; all plans of phase "+ph.number+" have a summary").Of(ph.subject()).
		See(sdk.At(ph.dir), "the phase")
}
