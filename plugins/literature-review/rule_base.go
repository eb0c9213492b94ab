package literaturereview

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// upgraded reports whether the review was upgraded to a full one, which may begin again.
func (k *look) upgraded() bool { return k.was.mode == narrow && k.mode == full }

func reviewRemoved(k *look) {
	x := k.m.index
	for _, was := range k.m.base.reviews {
		renamed := func(r *review) bool {
			return k.m.base.named[r.name] == nil && r.topicFolded == was.topicFolded &&
				date(r.dateField.real()) == date(was.dateField.real())
		}
		if k.m.named[was.name] != nil || was.observed < searching || k.m.docs.Get(was.rp.path) != nil ||
			!k.m.docs.Known(was.rp.path) || some(k.m.reviews, renamed) {
			continue
		}
		at, severity := &value{d: &document{path: was.rp.path}}, sdk.Warning
		for _, w := range x.rows {
			if topic := w.cell(colTopic); w.review == nil && was.row != nil &&
				(w.folded == was.row.folded && w.folded != "" || topic.wordless() && w.date == was.row.date) {
				at, severity = topic, severityOf(w.status == rowUnknown && !w.bad() && w.cell(colStatus).wordless())
			}
		}
		f := k.tell(at, was.name, "the folder "+was.name+" was deleted; in the base it was in phase "+
			phaseTitle(was.observed)+was.statusField().where()).As(severity)
		var edits []sdk.Edit
		for _, d := range was.documents() {
			if d.doc != nil && k.m.docs.Get(d.path) == nil {
				edits = append(edits, sdk.Restore(d.path))
			}
		}
		if !at.ok() {
			edits = both(edits, k.m.listing(was))
		}
		if x.kind == indexUsable && was.row != nil {
			offer(f, "Restore the documents from the base", edits)
		}
	}
}

func modeDowngraded(k *look) {
	s := k.was.begun()
	if k.was.mode != full || k.mode != narrow || s == nil && !k.was.ran && k.was.observed < searching {
		return
	}
	status := "the search had begun"
	if s != nil {
		status = s.name + " was " + sourceStatuses.name(s.status) + s.whole().where()
	}
	f := k.tell(k.modeField, "", say.Was("Mode", modeName(narrow), modeName(full), k.was.modeField.where())+", and "+
		status)
	edits := k.rp.setHeader(k.modeField, "Mode", modeName(full))
	for _, other := range k.modes() {
		if len(edits) > 0 && other.mode == narrow {
			edits = append(edits, other.set(modeName(full))...)
		}
	}
	offer(f, "Set Mode to "+modeName(full), edits)
}

func phaseMovedBack(k *look) {
	from, to := k.was.observed, k.observed
	if k.claim.phase < 0 || k.unwritten || k.upgraded() || to >= from || from < complete && to >= searching ||
		from < searching {
		return
	}
	f := k.tell(k.status[0], "", say.Was("the phase", lifecycle.Phases[to].Name, lifecycle.Phases[from].Name,
		k.was.statusField().where())+"; only an upgrade to "+modeName(full)+" may move it back this far")
	k.offerText(f)
	k.offerStatus(f, from)
}

// offerText offers to restore the review text if it is missing or truncated, because what is based on it would be lost,
// too.
func (k *look) offerText(f *check.Finding) {
	k.offerWhole(f, k.lr)
	if k.textLost() && k.claim.phase >= organizing { // in an earlier phase, the text would be ahead of it
		offer(f, "Restore "+textName+" from the base", k.lr.restoring())
	}
}

// textLost reports whether the text in the base is missing now, with all its entries.
func (r *review) textLost() bool { return len(r.was.entries) > 0 && r.lr.empty() && !r.entryFile }

// entryLost reports whether only the base has the entry of a paper.
func (r *review) entryLost(p *paper) bool {
	return p.entry == nil && some(r.was.entries, func(old *entry) bool { return r.tracked(old) == p })
}

// rowRemoved reports missing concepts, papers and sources, except sources that missing-source-row reports.
func rowRemoved(k *look) {
	now := map[string]bool{}
	for _, c := range k.concepts {
		now[normal(c.name)] = true
	}
	for _, c := range k.was.concepts {
		if name := normal(c.name); len(now) > 0 && !now[name] && strings.TrimSpace(c.name) != "" &&
			k.was.observed >= searching {
			f := k.tell(k.tableAt(inConcepts), name, "Core Concepts lacks "+say.Quote(c.name)+"; the base has it"+
				c.where()).As(sdk.Info)
			offer(f, "Restore the row", k.rowsOf(inConcepts, "\n"+c.raw()))
		}
	}
	for _, old := range k.was.sources {
		p := k.planOf(old.id, old.name)
		told := p != nil && p.ran
		if !told && len(k.sources) > 0 && !old.bad() && !some(k.sources, old.same) {
			f := k.tell(k.tableAt(inSources), old.key, "Search Status by Source lacks "+old.name+"; it was "+
				sourceStatuses.name(old.status)+" in the base"+old.whole().where()).As(sdk.Warning)
			if old.status == sourcePending { // nothing was searched, and the user may have dropped the source
				f.As(sdk.Info)
			}
			offer(f, "Restore the row", k.rowsOf(inSources, "\n"+old.whole().raw()))
		}
	}
	gone := k.goneRows()
	if len(gone) == 0 {
		return
	}
	names := each(gone, func(p *paper) string { return say.Clip(p.citation) })
	message := "Paper Tracking lacks " + say.Count(len(gone), "paper") + " that the base has" +
		k.was.tables[inPapers].whole().where() + ": " + say.List(names)
	f := k.tell(k.stub.or(k.tableAt(inPapers)), "", message)
	if k.stub.ok() {
		f.Message = "this row ends before its citation; " + message
	} else {
		f.As(sdk.Info)
	}
	k.offerRows(f, gone)
}

// goneRows returns the papers whose rows only the base has. It returns nil if some of the remaining rows cannot be
// read.
func (k *look) goneRows() []*paper {
	if len(k.papers) == 0 || k.badPaper || k.cutPapers {
		return nil
	}
	return those(k.was.papers, func(old *paper) bool { return !old.bad() && old.now == nil })
}

func (k *look) offerRows(f *check.Finding, gone []*paper) {
	if len(gone) > 0 {
		offer(f, "Restore "+say.Count(len(gone), "row"), k.rowsBack(gone))
	}
}

// rowsOf returns the edit that appends rows of the base to their table, unless its columns have changed.
func (k *look) rowsOf(table int, rows string) []sdk.Edit {
	t, was := k.tables[table], k.was.tables[table]
	if !t.OK() || !was.OK() || t.d.lineStart(t.Start()) != t.Start() || !slices.Equal(t.Columns(), was.Columns()) {
		return nil
	}
	return t.d.insert(t.End(), rows)
}

// rowsBack returns the edit that appends rows of the base to Paper Tracking, or writes the only one in place of a row
// that ends too early. It returns nil if the columns have changed or other rows have their numbers now.
func (k *look) rowsBack(gone []*paper) []sdk.Edit {
	text := ""
	for _, old := range gone {
		if old.number != "" && some(k.papers, func(p *paper) bool { return p.number == old.number }) {
			return nil
		}
		text += "\n" + strings.TrimSpace(old.Raw())
	}
	edits := k.rowsOf(inPapers, text)
	if len(edits) > 0 && len(gone) == 1 && k.stub.ok() {
		return k.rp.edit(markdown.Edit{Start: k.stub.start, End: k.stub.end, New: text[1:]}, true)
	}
	return edits
}

// tableEmptied reports that no paper is tracked, although the base has several, the text has entries, or a complete
// source found papers.
func tableEmptied(k *look) {
	t, was := k.tables[inPapers], k.was.tables[inPapers]
	message, severity := "Paper Tracking has no rows", sdk.Error
	finder := first(k.sources, func(s *source) bool { return s.status == sourceComplete && s.found() > 0 })
	switch {
	case len(k.papers) > 0 || k.lacksColumn || k.unread[inPapers]:
		return
	case len(k.was.papers) > 1:
		message += "; the base has " + say.Int(len(k.was.papers)) + was.whole().where()
	case k.identifiable:
		message += ", but " + textName + " has " + say.Count(len(k.entries), "entry") + k.entries[0].where()
	case finder != nil && !k.cutPapers:
		message += ", but " + finder.name + " found " + say.Count(finder.found(), "paper") + finder.whole().where()
		severity = sdk.Warning
	default:
		return
	}
	f := k.tell(k.tableAt(inPapers), "", message).As(severity)
	if k.offerWhole(f, k.rp) {
		return
	}
	if len(k.was.papers) > 1 {
		if raw := was.Raw(); t.OK() && raw != "" && k.rp.lineStart(t.Start()) == t.Start() &&
			was.d.lineStart(was.Start()) == was.Start() {
			offer(f, "Restore the table from the base",
				k.rp.edit(markdown.Edit{Start: t.Start(), End: t.End(), New: raw}, true))
		}
	}
	if k.identifiable {
		offer(f, "Rebuild "+say.Count(len(k.entries), "row")+" from "+textName, k.rebuiltRows())
	}
}

func paperRegressed(k *look, p *paper) {
	old := p.was
	if old == nil || p.rank >= old.rank || p.rank < 0 || old.rank == excluded || k.upgraded() {
		return
	}
	f := k.tell(p.said(), p.key(), say.Was("Status of "+p.cite(), paperStatuses.name(p.rank),
		paperStatuses.name(old.rank), old.whole().where()))
	if old.rank-p.rank == 1 {
		f.As(sdk.Info)
	}
	if old.rank > included && (p.entry == nil || k.supported(p) < old.rank) {
		verb := "Write"
		if p.entry != nil {
			verb = "Complete"
		}
		f.Advise("Decide on the status", verb+" the paper's entry and restore its status, or keep the lower status.")
		return
	}
	offer(f, "Set it to "+paperStatuses.name(old.rank), k.put(old.rank, p))
}

func sourceReset(k *look, s *source) {
	was := s.was
	if was == nil || !(was.status == sourceComplete && (s.status == sourcePending || s.status == sourceSkipped) ||
		was.status == sourceRunning && s.status == sourcePending) {
		return
	}
	f := k.tell(s.said(), s.name, say.Was("Status of "+s.name, sourceStatuses.name(s.status),
		sourceStatuses.name(was.status), was.whole().where()))
	if status := plain(was.said().real()); !k.offerWhole(f, k.rp) && status != "" &&
		!(was.status == sourceComplete && len(s.plan.open()) > 0) {
		offer(f, "Set "+s.name+" to "+status, s.said().set(status))
	}
}

func countDropped(k *look, s *source) {
	for i := srcExecuted; i < srcColumns; i++ {
		if was := s.was; was != nil && k.countName(i) == k.was.countName(i) && s.counts[i].n >= 0 &&
			s.counts[i].n < was.counts[i].n {
			name, n := s.name+" "+k.countName(i), was.counts[i].n
			f := k.tell(s.counts[i].value, name, say.Was(name, say.Int(s.counts[i].n), say.Int(n), was.whole().where()))
			if k.offerWhole(f, k.rp) || i == srcExecuted &&
				len(s.plan.items) > 0 && s.plan.executed < n { // the plan contradicts the base
				continue
			}
			offer(f, "Set it to "+say.Int(n), s.counts[i].set(say.Int(n)))
		}
	}
}

// annotationLost reports entries that are missing or have less text than in the base.
func annotationLost(k *look) {
	if k.textLost() && k.annotated() == 0 {
		k.offerText(k.tell(k.lr.whole(), "", textName+" has no text; the base has "+
			say.Count(len(k.was.entries), "entry")+k.was.entries[0].where()))
		return
	}
	for _, old := range k.was.entries {
		e, name, lost := old.now, "the entry "+say.Quote(old.title), ""
		switch p := k.missing(old); {
		case p != nil:
			f := k.tell(k.lr.whole(), old.name(), name+" is missing, but its paper is still "+
				paperStatuses.name(p.rank)+
				p.whole().where()+"; the base has the entry"+old.where())
			k.offerText(f)
			n, edits := k.entriesBack(old)
			offer(f, "Restore "+say.Count(n, "entry"), edits)
		case e == nil:
		case old.written && !e.written:
			lost = name + " contains only its heading; the base has its text"
		case e.poorer(old):
			lost = name + " lacks text that the base has"
		case old.deep > 0 && e.deep == 0:
			lost = name + " no longer has a deep extraction; the base has one"
		case e.unverified(k.review) && e.said != "" && old.said != "" && !old.unverified(k.was):
			lost = "the DOI of " + name + " is no longer verified; it was in the base"
		}
		if lost != "" {
			f := k.tell(e.value, old.name(), lost+old.where()).As(severityOf(old.written && !e.written))
			k.offerWhole(f, k.lr)
		}
	}
}

// missing returns the paper of an entry that only the base has, or nil if nothing is lost.
func (k *look) missing(old *entry) *paper {
	p, isFewer := k.tracked(old), len(k.entries) < len(k.was.entries)
	if old.now != nil || p == nil || p.rank == excluded || !k.identifiable || !k.was.identifiable ||
		!isFewer && !p.sameID(old) {
		return nil
	}
	return p
}

// entriesBack returns the edit that inserts a missing entry of the base after the last entry of its kind. The edit
// includes the other missing entries of that kind, because two edits at the same offset would conflict. n is the number
// of entries that it inserts.
func (k *look) entriesBack(old *entry) (n int, edits []sdk.Edit) {
	var last *entry
	for _, e := range k.entries {
		if e.kind == old.kind && e.Level() == old.Level() {
			last = e
		}
	}
	text := ""
	for _, e := range k.was.entries {
		if e.kind == old.kind && e.Level() == old.Level() && k.missing(e) != nil {
			n++
			text += "\n\n" + strings.TrimRight(e.Section().Raw(), " \r\n")
		}
	}
	if last == nil || old.Raw()[0] != '#' || strings.ContainsAny(text, "`~") || !k.lr.closed() ||
		k.cutShort(k.lr) || k.lr.torn() != "" {
		return 0, nil
	}
	return n, k.lr.insert(last.Start()+len(strings.TrimRight(last.Section().Raw(), " \r\n")), text)
}
