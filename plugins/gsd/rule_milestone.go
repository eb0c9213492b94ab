package gsd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
)

// milestoneBehind reports a STATE.md that is at a shipped milestone, for example because a merge restored an old
// version. It requires evidence of later work: the base, a later milestone, or an archive of the same phases.
func milestoneBehind(r *check.Report, m *model) {
	s := m.state
	if s.milestone == "" || s.shipped || s.ended || !m.ships(s.milestone) {
		return
	}
	how := ""
	later := m.base != nil && ordinal.Compare(s.milestone, m.base.state.milestone) < 0
	switch last, again := m.lastMilestone(), m.unarchived(); {
	case ordinal.Compare(last, s.milestone) > 0:
		how = "a later milestone exists: " + last
	case again != "":
		how = "phases/ again contains summaries from " + again
	case later:
		how = "the base is at " + m.base.state.milestone
	default:
		return
	}
	at := sdk.AtLine(statePath, markdown.Get(s.entries, "milestone").Line)
	f := r.At(at, "STATE.md is at milestone "+s.milestone+", which is shipped; "+how)
	if m.docs.Get("MILESTONES.md") != nil {
		f.See(sdk.At("MILESTONES.md"), "the shipped milestones")
	}
	if !later {
		if last := m.lastMilestone(); m.current() != nil && ordinal.Compare(last, s.milestone) > 0 {
			f.Advise("Correct the milestone", "If the position in STATE.md is current, set milestone to "+last+".",
				"Otherwise, restore the current milestone's STATE.md from git.")
		}
		if e := markdown.Get(s.entries, "milestone_name"); e != nil && e.Value == "milestone" {
			f.As(sdk.Warning) // upstream's placeholders: v1.0 and milestone
		}
		return
	}
	if was := m.base.road.doc; was.Readable() && m.road.doc != nil && m.road.doc.Digest != was.Digest {
		f.Offer(sdk.Review, "Restore STATE.md and ROADMAP.md from the base", sdk.Restore(statePath),
			sdk.Restore(roadmapPath))
	}
	f.Offer(sdk.Review, "Restore STATE.md from the base", sdk.Restore(statePath))
}

// ships reports whether MILESTONES.md or an archived roadmap says that a milestone is shipped.
func (m *model) ships(v string) bool {
	bare := strings.TrimSuffix(v, ".0")
	if d := m.docs.Get("MILESTONES.md"); d != nil {
		for _, h := range d.Summary.Headings {
			if shipped(h.Text) && strings.TrimSuffix(version(h.Text), ".0") == bare {
				return true
			}
		}
	}
	return slices.ContainsFunc(m.docs.Match("milestones/*-ROADMAP.md"), func(d *sdk.Document) bool {
		return strings.TrimSuffix(strings.TrimSuffix(file(d.Path), "-ROADMAP.md"), ".0") == bare
	})
}

// lastMilestone returns the latest version that is shipped or that ROADMAP.md marks as in progress, or "" if there is
// none.
func (m *model) lastMilestone() (last string) {
	take := func(v string) {
		if ordinal.Compare(v, last) > 0 {
			last = v
		}
	}
	if d := m.docs.Get("MILESTONES.md"); d != nil {
		for _, h := range d.Summary.Headings {
			if shipped(h.Text) {
				take(version(h.Text))
			}
		}
	}
	for _, d := range m.docs.Match("milestones/*-ROADMAP.md") {
		if v := strings.TrimSuffix(file(d.Path), "-ROADMAP.md"); v == version(v) {
			take(v)
		}
	}
	if m.road.doc.Readable() {
		for line := range strings.Lines(m.road.doc.Text) {
			if mentions(line, "in progress") || strings.Contains(line, "🚧") {
				take(version(line))
			}
		}
	}
	return last
}

// unarchived returns the current milestone's archive directory if it has a summary that is also under phases/, or "".
func (m *model) unarchived() string {
	dir := "milestones/" + m.state.milestone + "-"
	for _, ph := range m.phases {
		for _, s := range ph.reports {
			if m.docs.Get(dir+s.doc.Path) != nil {
				return dir + "phases/"
			}
		}
	}
	return ""
}

// milestoneOpen reports unfinished phases that have waiting plans or no plans, while STATE.md marks the milestone
// complete or a line in ROADMAP.md marks it shipped.
func milestoneOpen(r *check.Report, m *model) {
	s := m.state
	at, who := m.shippedHere(), "ROADMAP.md marks the milestone shipped"
	if s.shipped || s.ended {
		at, who = sdk.At(statePath), "STATE.md marks the milestone complete"
		switch e := markdown.Get(s.entries, "status"); {
		case s.shipped && s.status != nil:
			at = pairAt(s.status)
		case s.over != nil:
			at, who = pairAt(s.over), "STATE.md marks the milestone complete ("+say.Quote(s.over.Value)+")"
		case s.ended && e != nil:
			at = sdk.AtLine(statePath, e.Line)
		}
	} else if at == (sdk.Range{}) {
		return
	}
	waits := false
	for _, l := range m.left() {
		ph := m.of(l.number, l.name)
		if ph == nil || !ph.fits(l.name) || len(m.waits(ph)) == 0 {
			continue
		}
		waits = true
		is, see, what := " is not finished: ", sdk.At(m.waits(ph)[0].path), "a plan without a summary"
		if e := m.entry(ph); e != nil {
			is, see, what = " is not ticked, and ", sdk.AtLine(roadmapPath, e.task.Line()), "the phase's checkbox"
		}
		r.At(at, who+", but phase "+ph.number+is+ph.summaries()).About(ph.subject()).See(see, what)
	}
	var names []string
	var first *entry
	for _, e := range m.road.entries {
		if ph := m.of(e.number, e.name); !e.old && !e.off && !e.task.Checked() && len(m.byNumber[e.number]) < 2 &&
			(ph == nil || len(ph.plans)+len(ph.reports) == 0) && !m.cleaned(e.number) && !m.road.otherwise(e.number) {
			if names = append(names, e.number); first == nil {
				first = e
			}
		}
	}
	if s.shipped && names != nil && !waits {
		r.At(at, who+", but "+say.Count(len(names), "phase")+" in ROADMAP.md "+
			say.Has(len(names))+" not started: "+say.List(names)).Keyed("not begun").
			See(sdk.AtLine(roadmapPath, first.task.Line()), "the first phase's checkbox")
	}
}

// shippedHere returns the list item in ROADMAP.md that marks STATE.md's milestone shipped, such as
// "- ✅ **v1.2 Nova** - Phases 11-15 (shipped 2026-01-27)". It returns an empty range if there is none.
func (m *model) shippedHere() sdk.Range {
	v := cmp.Or(m.state.named, m.state.milestone)
	if v == "" || !m.road.doc.Readable() || m.state.phase == nil {
		return sdk.Range{}
	}
	at := 0
	for line := range strings.Lines(m.road.doc.Text) {
		start := at
		at += len(line)
		if item := strings.TrimLeft(line, " "); (strings.HasPrefix(item, "- ") || strings.HasPrefix(item, "* ")) &&
			version(line) == v && shipped(line) && inProse(line, m.state.number) {
			return sdk.AtBytes(roadmapPath, start, start+len(strings.TrimRight(line, "\r\n")))
		}
	}
	return sdk.Range{}
}
