package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// sameMilestone reports whether the base is in the same milestone, as far as STATE.md shows it. A new milestone
// archives, removes and renumbers phases.
func (m *model) sameMilestone() bool {
	s, was := m.state, m.base.state
	if s.named != "" && was.named != "" && s.named != was.named {
		return false
	}
	return (s.doc != nil || m.docs.Known(statePath)) &&
		(s.milestone == "" || s.milestone == was.milestone || !was.doc.Readable())
}

// has reports whether the phase has a summary with the given number.
func (ph *phase) has(number string) bool {
	return slices.ContainsFunc(ph.reports, func(s *summary) bool { return s.number == number })
}

// retired reports whether an archived roadmap has a phase, or may have it because the archive cannot be read. Archived
// phases disappear from ROADMAP.md, but their directories may stay.
func (m *model) retired(h *head) bool {
	_, fits := m.archives(h.number, h.name)
	return fits
}

// archives looks for a phase in archived roadmaps. has reports whether one has a phase with its number. fits reports
// whether one has it with that number and a fitting name, or cannot be read.
func (m *model) archives(number, name string) (has, fits bool) {
	titled := &phase{title: strings.ReplaceAll(name, " ", "-")}
	for _, d := range m.docs.All() {
		archived := strings.HasPrefix(d.Path, "milestones/") || strings.HasPrefix(d.Path, "archive/")
		if !archived || !strings.Contains(file(d.Path), "ROADMAP") {
			continue
		}
		fits = fits || len(d.Faults) > 0
		for _, line := range d.Summary.Headings {
			if n, name := m.namedPhase(line.Text); n == number {
				has, fits = true, fits || titled.fits(name)
			}
		}
	}
	return has, fits
}

func phaseLost(r *check.Report, m *model) {
	if !m.sameMilestone() || m.base.road.doc == nil || m.road.doc != nil && hollow(m.road.doc) && m.waiting() != nil {
		return // roadmap-missing reports an empty ROADMAP.md
	}
	seen := map[string]bool{}
	for _, was := range m.base.road.heads {
		list := m.byNumber[was.number]
		if was.old || was.off || len(list) != 1 || seen[was.number] || m.road.names(list[0]) ||
			!list[0].fits(was.name) || m.retired(was) {
			continue
		}
		seen[was.number] = true
		r.Whole(roadmapPath, "ROADMAP.md no longer names the base's phase "+was.number+", "+say.Quote(was.name)+
			say.Line(m.base.road.doc, was.section.Start())+", but "+list[0].dir+" still exists").
			About(list[0].subject()).See(sdk.At(list[0].dir), "the directory of the phase")
	}
	for _, was := range m.base.left() {
		if seen[was.number] || m.road.boxed(was.number) || m.retired(&head{number: was.number, name: was.name}) ||
			slices.ContainsFunc(m.road.heads, func(h *head) bool { return h.number == was.number }) ||
			m.road.dismisses(was.number) {
			continue
		}
		var at sdk.Range
		rest := "the progress table still has it"
		if i := slices.IndexFunc(m.road.rows, func(w *row) bool { return w.number == was.number && !w.old }); i >= 0 {
			at = sdk.AtLine(roadmapPath, m.road.rows[i].row.Line())
		} else if list := m.byNumber[was.number]; len(list) == 1 && len(m.waits(list[0])) > 0 {
			at, rest = sdk.At(list[0].dir), list[0].dir+" still has waiting plans"
		} else {
			continue
		}
		r.Whole(roadmapPath, "ROADMAP.md no longer has a box or section for the base's phase "+was.number+", "+
			say.Quote(was.name)+", but "+rest).About("phase-"+was.number).See(at, "what is left of the phase").
			As(sdk.Warning)
	}
	m.sectionsLost(r)
	m.boxesLost(r)
}

// sectionsLost reports unfinished phases that kept their boxes but lost their sections, which contain goals and
// criteria. Other rules report phases that lost both.
func (m *model) sectionsLost(r *check.Report) {
	if goesOn(m.road.doc, m.base.road.doc) >= 0 {
		return // end-lost reports it
	}
	var lost []string
	var first *head
	left := m.left()
	for _, was := range m.base.road.heads {
		if slices.Contains(lost, was.number) || was.old || was.off || !told(was.section) || m.retired(was) ||
			m.road.dismisses(was.number) ||
			slices.ContainsFunc(m.road.heads, func(h *head) bool { return h.number == was.number }) ||
			!slices.ContainsFunc(left, func(l *listed) bool { return l.number == was.number }) {
			continue
		}
		if lost = append(lost, was.number); first == nil {
			first = was
		}
	}
	if len(lost) == 0 {
		return
	}
	what := "the section of phase " + lost[0] + ", which is not finished"
	if len(lost) > 1 {
		what = "the sections of the unfinished phases " + say.And(lost...)
	}
	r.Whole(roadmapPath, "ROADMAP.md no longer has "+what+"; the base has it"+
		say.Line(m.base.road.doc, first.section.Start())).Keyed("sections").As(sdk.Warning)
}

// told reports whether a section says more than its title.
func told(s markdown.Section) bool {
	_, text, _ := strings.Cut(s.Raw(), "\n")
	return words.Says(text)
}

// dismisses reports whether a line says what became of a phase: "Phase 4 was merged into Phase 5".
func (r *roadmap) dismisses(number string) bool {
	for line := range strings.Lines(r.doc.Text) {
		if inProse(line, number) && (shipped(line) || mentions(line, "removed", "merged", "folded", "absorbed", "moved",
			"deferred", "dropped", "superseded", "cancelled", "canceled", "replaced", "descoped", "postponed")) {
			return true
		}
	}
	return false
}

// meaning returns a text without white space and punctuation.
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
			if before.dir != ph.dir || was == nil || !was.task.Checked() || len(ph.plans) > len(before.plans) ||
				len(m.waits(ph)) > 0 || ph.gapsFound() != nil {
				continue
			}
			tick, _ := e.task.Check()
			f := r.At(sdk.AtLine(roadmapPath, e.task.Line()),
				"phase "+ph.number+" is not ticked, but the base ticks it"+say.Line(m.base.road.doc,
					was.task.Start())+", and it has no new plan").
				About(ph.subject())
			if m.bare(ph.number) { // the phase was unticked, as done-with-open-parts advises
				f.As(sdk.Info)
			} else {
				f.Offer(sdk.Review, "Tick phase "+ph.number, sdk.Edits(roadmapPath, tick)...)
			}
		}
	}
}

// wentBack skips phases with work left, because it is legitimate to return to them.
func wentBack(r *check.Report, m *model) {
	s, was := m.state, m.base.state
	if s.phase == nil || s.current != nil || was.phase == nil || s.number == "" || was.number == "" ||
		!m.sameMilestone() ||
		ordinal.Compare(s.number, was.number) >= 0 {
		return
	}
	ph := m.current()
	if ph == nil || backlog(was.number) {
		return
	}
	later := len(m.byNumber[was.number]) > 0 || m.ticked(ph) > 0 &&
		slices.ContainsFunc(m.road.entries, func(e *entry) bool { return e.number == was.number && !e.old && !e.off })
	if done, all := ph.executed(); all == 0 || done < all || !later || ph.gapsFound() != nil {
		return
	}
	r.At(pairAt(s.phase), say.Was("Phase", say.Quote(s.phase.Value), say.Quote(was.phase.Value),
		say.Line(was.doc, was.phase.Start))+"; all plans in phase "+ph.number+" have a summary").About(ph.subject()).
		See(sdk.At(ph.dir), "the phase")
}

// archiveLost reports deleted archives of shipped milestones that other documents still name. They have the only copy
// of the phases' details.
func (m *model) archiveLost(r *check.Report) {
	for _, was := range m.base.docs.All() {
		name := file(was.Path)
		v := version(name)
		if !strings.HasPrefix(was.Path, "milestones/") && !strings.HasPrefix(was.Path, "archive/") || v == "" ||
			!strings.Contains(name, "ROADMAP") && !strings.Contains(name, "REQUIREMENTS") ||
			r.Docs.Get(was.Path) != nil || !r.Docs.Known(was.Path) || slices.ContainsFunc(r.Docs.All(),
			func(d *sdk.Document) bool { return file(d.Path) == name }) {
			continue
		}
		where := roadmapPath
		if !m.road.doc.Readable() || !strings.Contains(m.road.doc.Text, name) {
			if where = "MILESTONES.md"; !m.ships(v) {
				continue
			}
		}
		r.Whole(was.Path, was.Path+" is missing; the base has it, and "+where+" still names "+v).Keyed(was.Path).
			Offer(sdk.Review, "Restore "+was.Path, sdk.Restore(was.Path)).As(sdk.Warning)
	}
}

// documentLost skips a roadmap and requirements that were archived with their milestone.
func documentLost(r *check.Report, m *model) {
	m.archiveLost(r)
	for _, path := range []string{roadmapPath, requirementsPath, configPath, "MILESTONES.md"} {
		if m.base.docs.Get(path) == nil || r.Docs.Get(path) != nil || !r.Docs.Known(path) || path != configPath &&
			(path != "MILESTONES.md" && !m.sameMilestone() || !r.Docs.CompleteBelow("workstreams") || m.shelved(path)) {
			continue
		}
		f := r.Whole(path, path+" is missing; the base has it").Keyed(path).Offer(sdk.Review, "Restore "+path,
			sdk.Restore(path))
		lost := r.Docs.CompleteBelow("phases") && slices.ContainsFunc(m.base.phases,
			func(ph *phase) bool { return len(m.vanished(ph)) > 0 })
		// config.json has defaults, MILESTONES.md can be rebuilt, and a complete milestone's documents normally move to
		// an archive
		if path == configPath || path == "MILESTONES.md" || m.state.shipped && !lost {
			f.As(sdk.Warning)
		}
	}
}

// shelved reports whether a document was archived with the milestone or moved to a workstream. If STATE.md does not
// name a milestone, ROADMAP.md counts as archived only if an archive has all its phases.
func (m *model) shelved(path string) bool {
	archived := path != roadmapPath || m.state.milestone != "" ||
		!slices.ContainsFunc(m.base.road.heads, func(h *head) bool { return !h.old && !h.off && !m.retired(h) })
	return slices.ContainsFunc(m.docs.All(), func(d *sdk.Document) bool {
		return strings.HasPrefix(d.Path, "workstreams/") && file(d.Path) == path ||
			archived && (strings.HasPrefix(d.Path, "milestones/") || strings.HasPrefix(d.Path, "archive/")) &&
				strings.Contains(file(d.Path), strings.TrimSuffix(path, ".md")) &&
				strings.Contains(d.Path, m.state.milestone) && (path != roadmapPath || m.tellsMilestone(d))
	})
}

// tellsMilestone reports whether an archive has a heading about a milestone or phase, or is unreadable.
func (m *model) tellsMilestone(d *sdk.Document) bool {
	return len(d.Faults) > 0 || slices.ContainsFunc(d.Summary.Headings, func(line wire.HeadingLine) bool {
		number, _ := m.namedPhase(line.Text)
		return number != "" || version(line.Text) != "" ||
			words.Mentions(line.Text, "roadmap", "milestone", "phase", "phases")
	})
}

// positionUnreadable compares the position and progress with the base. It skips dashes and empty values, which may be
// intended.
func positionUnreadable(r *check.Report, m *model) {
	s, b := m.state, m.base.state
	for i := range s.pairs {
		now := &s.pairs[i]
		name := strings.Trim(now.Key, "* :")
		at := slices.IndexFunc(b.pairs, func(p markdown.Pair) bool {
			return lower(strings.Trim(p.Key, "* :")) == lower(name) && words.Meant(p.Value)
		})
		if at >= 0 && !words.Meant(now.Value) && slices.Contains([]string{"phase", "current phase", "plan",
			"current plan", "status"}, lower(name)) {
			f := r.At(pairAt(now), name+" is "+say.Quote(now.Value)+", which cannot be read; the base has "+
				say.Quote(b.pairs[at].Value)+say.Line(b.doc, b.pairs[at].Start)).Keyed(name)
			if now.Value != "" {
				f.Offer(sdk.Review, "Set "+name+" to the base's value", sdk.Replace(pairAt(now), b.pairs[at].Value))
			}
			f.Advise("Write the value", "Write the current value.")
		}
	}
	for _, key := range []string{"total_phases", "completed_phases", "total_plans", "completed_plans", "percent"} {
		if now, was := s.unread[key], b.counts[key]; now != nil && was != nil {
			text := s.doc.Text[now.start:now.end]
			at := sdk.AtBytes(statePath, now.start, now.end)
			r.At(at, key+" is "+say.Quote(text)+", which cannot be read; the base has "+say.Int(was.value)+
				say.Line(b.doc, was.start)).Keyed(key).
				Offer(sdk.Review, "Set "+key+" to the base's value", sdk.Replace(at, say.Int(was.value)))
		}
	}
	// a finished milestone needs no position
	over := s.shipped || s.ended || m.road.finished() || m.road.doc == nil && !r.Docs.Known(roadmapPath)
	if !over && s.phase == nil && s.plan == nil && s.status == nil && b.phase != nil && b.number != "" &&
		(s.milestone == "" || m.sameMilestone()) {
		f := r.Whole(statePath, "STATE.md no longer names the current phase; the base has "+say.Quote(b.phase.Value)+
			say.Line(b.doc, b.phase.Start)).Keyed("Position")
		f.Offer(sdk.Review, "Restore Current Position from the base", b.putBack(s.doc)...).
			Advise("Write the position", "Write the base's position, or the current one.")
	}
}

// putBack returns the edit that inserts the position's section into a document that lost it, before the section that
// follows it in the base. It returns nil if the document does not have that other section.
func (s *state) putBack(into *sdk.Document) []sdk.Edit {
	heading := s.doc.Outline().Find("Current Position", "Position")
	section := heading.Section()
	if !heading.OK() || into.Outline().Find("Current Position", "Position").OK() {
		return nil
	}
	next, _, _ := strings.Cut(strings.TrimLeft(s.doc.Text[section.End():], "\n"), "\n")
	if at := strings.Index(into.Text, "\n"+next+"\n") + 1; at > 0 && strings.HasPrefix(next, "#") {
		return []sdk.Edit{sdk.Replace(sdk.AtBytes(statePath, at, at), sdk.Literal(section.Raw()))}
	}
	return nil
}
