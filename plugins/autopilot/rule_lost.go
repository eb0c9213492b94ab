package autopilot

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// losses returns the documents of a phase that lost text since the base. gone holds the base's documents that are
// missing without a replacement or lost most of their text, and short holds the documents that were truncated.
func (m *model) losses(n int) (gone, short []*sdk.Document) {
	now, was := m.phases.at(n), m.base.phases.at(n)
	replanned := m.s == readyToPlan && m.replanned() // without the old route
	for _, pair := range [...][2]*sdk.Document{{was.briefing, now.briefing}, {was.route, now.route},
		{was.logbook, now.logbook}} {
		switch d, then := pair[1], pair[0]; {
		case then != nil && m.lost(then) != "" && (d == nil || d.Path == then.Path) &&
			!(replanned && then == was.route):
			gone = append(gone, then)
		case d.Readable() && then.Readable() && d.Path == then.Path && cutShort(texts(d), texts(then)):
			short = append(short, d)
		}
	}
	return gone, short
}

// lost says how a document of the base was lost, or returns "". It returns "" for an empty document, because
// empty-phase-document reports that.
func (m *model) lost(then *sdk.Document) string {
	if d := m.docs.Get(then.Path); d != nil {
		if strings.TrimSpace(d.Text) == "" {
			return ""
		}
		return check.Emptied(d, then)
	}
	return " is missing"
}

// texts returns the texts of a document's headings, and of its items.
func texts(d *sdk.Document) (list [2][]string) {
	for _, h := range d.Outline().Headings() {
		list[0] = append(list[0], h.Text())
	}
	for _, it := range d.Outline().Document().Items() {
		list[1] = append(list[1], strings.TrimPrefix(it.Text(), "[")) // a truncated checkbox
	}
	return list
}

// cutShort reports whether now is a truncated copy of was: texts are missing at its end, and either they are at least
// three, or the last remaining text is incomplete.
func cutShort(now, was [2][]string) bool {
	missing, within := 0, false
	for k, list := range now {
		for n, text := range list {
			if n == len(was[k]) || !strings.HasPrefix(was[k][n], text) || text != was[k][n] && n < len(list)-1 {
				return false
			}
			within = within || text != was[k][n]
		}
		missing += len(was[k]) - len(list)
	}
	return missing > 2 || missing > 0 && within
}

// deleted returns the current phase's deleted documents, unless the phases were archived. others holds deleted
// documents of earlier phases, and truncated documents of any phase.
func (m *model) deleted() (gone, others []*sdk.Document) {
	if m.n < 1 || !m.base.pos.there() || !m.docs.CompleteBelow("phases") || m.planned() {
		return nil, nil
	}
	for _, p := range m.base.phases.list {
		lost, short := m.losses(p.n)
		if p.n != m.n || m.t >= m.base.t { // no plans were dropped
			others = append(others, short...)
		}
		if p.n < m.n && short == nil && !m.filed() {
			others = append(others, lost...)
		}
	}
	if filed := m.s == projectComplete && len(m.phases.numbered) == 0 &&
		(m.base.s == projectComplete || m.filed()); m.n == m.base.n && !filed {
		gone, _ = m.losses(m.n)
	}
	return gone, others
}

// positionCutShort reports a position file that ends within a line, or that lacks its status or its last table. Other
// lines at the end may have been removed on purpose.
func positionCutShort(r *check.Report, m *model) {
	is, was := m.pos, m.base.pos
	lacks := func(key string) bool { return is.get(key) == noField && was.get(key) != noField }
	if r.CutShort(is.doc.Path) == nil && (lacks("status") || lacks("resumefile") && lacks("nextaction")) {
		r.CutAtLine(is.doc.Path)
	}
}

// handCutShort does for the hand-off what positionCutShort does for the position file.
func handCutShort(r *check.Report, m *model) {
	is, was := m.hand, m.base.hand
	lacks := func(n int) bool { return is.texts[n] == "" && was.texts[n] != "" }
	switch step := (&item{text: is.texts[textNext]}); {
	case was.doc == nil || r.CutShort(is.doc.Path) != nil:
	case lacks(textNext) || lacks(textRemaining):
		r.CutAtLine(is.doc.Path)
	case wholeOf(step, []*item{{text: was.texts[textNext]}}) != nil: // in the last line, which r.CutShort skips
		f := r.At(is.textAt[textNext], "Next Action is "+quote(step.text)+", which ends within a word; it is "+
			quote(was.texts[textNext])+" in the base").Keyed("Next Action")
		if strings.HasPrefix(was.doc.Text, strings.TrimSpace(is.doc.Text)) { // nothing else was written
			f.Offer(sdk.Review, "Restore "+is.doc.Path+" from the base", sdk.Restore(is.doc.Path))
		}
		f.Advise("Complete Next Action", "Write the whole first step, as in the base.")
	}
}

func phaseDocumentGone(r *check.Report, m *model) {
	gone, others := m.deleted()
	p := m.phases.at(m.n)
	for _, d := range others {
		if how := m.lost(m.base.docs.Get(d.Path)); how != "" {
			r.Whole(d.Path, d.Path+how+"; the base has it").As(sdk.Warning).Offer(sdk.Review, "Restore "+d.Path,
				sdk.Restore(d.Path))
		} else if cut := r.CutShort(d.Path); cut != nil {
			unless(cut[0], d == p.briefing || d == p.route || d == p.logbook)
		} else if f := r.CutAtLine(d.Path); f != nil {
			f.As(sdk.Warning)
		}
	}
	if gone == nil {
		return
	}
	var edits []sdk.Edit
	for _, d := range gone {
		edits = append(edits, sdk.Restore(d.Path))
	}
	title := "Restore the phase's documents"
	if m.s != m.base.s {
		title = "Restore the phase's documents and the status"
		for _, key := range [...]string{"plan", "nextaction", "status"} {
			edits = append(edits, m.set(key, m.base.pos.get(key).value)...)
		}
		edits = m.stamped(edits)
	}
	path := gone[0].Path
	r.Whole(path, path+m.lost(gone[0])+"; the base has it, and the position is still phase "+itoa(m.n)).
		Offer(sdk.Review, title, edits...)
}

// itemLost reports phases that the flight plan lost, and open tasks of the base that the route no longer has although
// the position or the hand-off still counts them. If the route has new or renamed tasks, the plan was made again, and
// no task was lost.
func itemLost(r *check.Report, m *model) {
	phaseLost(r, m)
	p, was := m.phases.at(m.n), m.base.phases.at(m.n)
	total := max(m.pos.stopTask.of, m.hand.total)
	if !m.s.flying() || m.n != m.base.n || m.p != m.base.p || p.route == nil || total != len(was.tasks) ||
		len(p.tasks) == 0 || m.planned() {
		return
	}
	for _, t := range p.tasks {
		if then := was.task(t.id); then == nil || markdown.Name(then.name) != markdown.Name(t.name) {
			return
		}
	}
	for _, then := range was.tasks {
		if then.state != taskDone && then.state != taskUnknown && p.task(then.id) == nil {
			r.At(sdk.AtLine(p.route.Path, 1), p.route.Path+" has no task "+then.id.String()+"; it was open in the base"+
				say.Line(m.base.docs.Get(then.at.Path), then.at.Start)+", and the plan still has "+
				say.Count(total, "task")).Keyed(then.id.String())
		}
	}
}

// phaseLost reports the phases that the flight plan no longer lists although the position still counts them. It offers
// to restore the whole file, but only if nothing else was written.
func phaseLost(r *check.Report, m *model) {
	gone := m.unlistedPhases()
	if gone == nil || r.CutShort(planPath) != nil {
		return
	}
	f := r.At(sdk.AtLine(planPath, 1), "flightplan.md does not list phase "+say.And(gone...)+
		"; the base does, and the position is "+m.where()).Keyed("phases")
	if kept, all := check.Kept(m.phases.plan, m.base.phases.plan); kept == all {
		f.Offer(sdk.Review, "Restore flightplan.md from the base", sdk.Restore(planPath))
	}
	f.Advise("Restore the phases", "Copy the phases from the base into flightplan.md. If they were dropped, "+
		"correct the position.")
}

// unlistedPhases returns the phases that the flight plan lists only in the base, although the position still counts
// them or is at one of them.
func (m *model) unlistedPhases() (gone []string) {
	now, was := m.phases, m.base.phases
	if !now.plan.Readable() || !was.plan.Readable() || len(now.listed) == 0 || m.s.closed() || m.planned() {
		return nil
	}
	for n := 1; n <= min(was.total, mostPhases); n++ {
		counts := m.m == m.base.m && n <= m.m || n == m.n && !was.ticked[n]
		if counts && was.listed[n] && !now.listed[n] {
			gone = append(gone, itoa(n))
		}
	}
	return gone
}

// task returns the task with an id, or nil if there is none.
func (p *phase) task(id taskID) *task { return find(p.tasks, func(t *task) bool { return t.id == id }) }

// contextLost checks that recent decisions remain, and that no decision, todo or blocker ends within a word. Single
// items may disappear, because decisions are pruned, and todos are finished, one by one.
func contextLost(r *check.Report, m *model) {
	p, b := m.pos, m.base.pos
	for i, list := range [...][]*item{p.decisions, p.todos, p.blockers} {
		for _, it := range list {
			if whole := wholeOf(it, [...][]*item{b.decisions, b.todos, b.blockers}[i]); whole != nil {
				text := b.doc.Text[whole.at.Start:whole.at.End]
				r.At(it.at, "the item "+quote(it.text)+" ends within a word; it is "+quote(whole.text)+
					" in the base"+say.Line(b.doc, whole.at.Start)).Keyed(clip(it.text, 100)).
					Offer(sdk.Review, "Restore the item's text", sdk.Replace(it.at, sdk.Literal(text)))
			}
		}
	}
	if len(b.decisions) < 2 || len(p.decisions) > 0 || m.planned() || !m.current() || !m.base.current() {
		return
	}
	at, text := p.titleAt, ""
	if h := p.doc.Outline().Find("Recent Decisions"); h.OK() {
		at, text = place(p.doc.Path, h.Part), strings.TrimSpace(p.doc.Text[h.End():h.Body().End()])
	}
	if none(strings.TrimLeft(text, "-*+ ")) {
		r.At(at, p.doc.Path+" has no recent decisions; the base has "+itoa(len(b.decisions))+say.Line(b.doc,
			b.decisions[0].at.Start)+"; keep three to five")
	}
}

// wholeOf returns the item of the base from which an item was cut in the middle of a word, or nil if there is none.
func wholeOf(it *item, list []*item) *item {
	return find(list, func(was *item) bool {
		rest, ok := strings.CutPrefix(was.text, it.text)
		return ok && it.text != "" && rest != "" && words.IsWord(rest[0]) && words.IsWord(it.text[len(it.text)-1])
	})
}

// wentOn reports whether a session worked since the base: the stamp, the position or the activity differs.
func (m *model) wentOn() bool {
	p, was := m.pos, m.base.pos
	return m.moved() != "" || known(p.stamp) && !stays(p.stamp, was.stamp) ||
		!sameActivity(p, was) && !strings.HasPrefix(was.get("lastactivity").value, p.get("lastactivity").value)
}

// handDropped reports a deleted hand-off, unless resume-file-missing reports it, it is in the archive, or a session
// has worked since the base.
func handDropped(r *check.Report, m *model) {
	b := m.base
	if b.verdict != handLive || m.verdict != handNone || !m.absent(b.hand.doc.Path) ||
		!words.Alike(m.cdoc.Path, b.cdoc.Path) {
		return
	}
	path := b.hand.doc.Path
	archived := slices.ContainsFunc(m.docs.Match("archive/"+strings.TrimSuffix(path, ".md")+"*.md"),
		func(d *sdk.Document) bool { return b.docs.Get(d.Path) == nil })
	if archived || m.wentOn() || m.resumePath == path {
		return
	}
	f := r.At(sdk.AtLine(m.cdoc.Path, 1), path+" was deleted, but "+m.cdoc.Path+
		" records no resume; its position, activity and stamp are unchanged since the base")
	m.bringBack(f, path)
	f.Advise("Record the resume", "Write the later work and its time into "+m.cdoc.Path+".")
}
