package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
)

// milestoneBehind reports a STATE.md at a shipped milestone, which a merge may restore. It requires proof of later
// work: the base, a later milestone, or an archive of the same phases.
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
	if !later {
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

// lastMilestone returns the latest version that is shipped or in progress in ROADMAP.md, or "" if there is none.
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
