package literaturereview

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// underWay returns the number of reviews whose search has begun.
func (m *model) underWay() int {
	return len(those(m.reviews, func(r *review) bool { return !r.abandoned && r.observed >= searching }))
}

// indexed returns the number of reviews that a session would miss without the index: those under way, or else those
// that the base lists.
func (m *model) indexed() int {
	if n := m.underWay(); n > 0 {
		return n
	}
	return len(m.base.index.rows)
}

func missingIndex(k *look) {
	x, n := k.m.index, k.m.indexed()
	if x.kind != indexMissing || n == 0 || !x.known {
		return
	}
	f := k.tell(x.whole(), "", indexPath+" is missing for "+say.Count(n, "review")+
		"; a session would see a new project")
	safety := sdk.Safe
	if k.m.base.index.kind == indexUsable {
		f.Offer(sdk.Safe, "Restore INDEX.md from the base", sdk.Restore(indexPath))
		safety = sdk.Review
	}
	f.Offer(safety, "Rebuild INDEX.md from the review folders", k.m.creatingIndex()...)
}

func unreadableIndex(k *look) {
	foreignIndex(k)
	x := k.m.index
	if x.kind != indexUnreadable || k.m.indexed() == 0 {
		return
	}
	f := k.tell(x.part(x.heads[0].Part), "", indexPath+
		" has no readable table of reviews; expected the columns Date, Topic, Mode, Status, Papers and Key "+
		"Finding")
	if k.m.underWay() > 0 {
		offer(f, "Move INDEX.md aside and rebuild it",
			both([]sdk.Edit{sdk.Aside(x.path, "corrupt")}, k.m.creatingIndex()))
	}
}

func foreignIndex(k *look) {
	x := k.m.index
	had := k.m.indexed() > 0 && k.m.base.index.kind >= indexUnreadable
	if x.kind != indexForeign || len(k.m.reviews) == 0 && !had {
		return
	}
	f := k.tell(x.whole(), "", indexPath+" is not a Literature Review Index; expected a table with Topic, Mode and "+
		"Status").
		As(severityOf(had))
	f.Range.Line = 1
	if text := k.m.reviewsTable(); x.closed() && !x.heading("reviews").OK() && !x.heading("quicklinks").OK() &&
		text != "" {
		offer(f, "Append a Reviews section", x.insert(len(x.o.Text), "\n\n"+text))
	}
}

// creatingIndex returns the edit that creates a new index from the folders.
func (m *model) creatingIndex() []sdk.Edit {
	if text := m.reviewsTable(); text != "" {
		return []sdk.Edit{sdk.Create(indexPath, "# Literature Review Index\n\n"+text)}
	}
	return nil
}

// unlistedReviews reports folders without a row in the index.
func unlistedReviews(k *look) {
	x := k.m.index
	if x.kind != indexUsable && (x.kind != indexMissing || k.m.indexed() > 0 || !x.known) {
		return
	}
	isUnlisted := func(r *review) bool { return !r.lost && !r.abandoned && r.row == nil && !r.tied }
	for _, r := range those(k.m.reviews, isUnlisted) {
		k.review = r
		severity, edits := sdk.Error, k.m.listing(r)
		if r.observed < searching {
			severity = sdk.Info
		}
		if x.kind == indexMissing {
			edits = k.m.creatingIndex()
		}
		message, key := r.name+" is in phase "+phaseTitle(r.observed)+", but the index has no row for it", ""
		if r.was.row != nil {
			message, key = message+"; the base has one"+r.was.row.whole().where(), "base"
			severity = max(severity, sdk.Warning)
		}
		k.tell(x.reviewsAt(), key, message).As(severity).Offer(sdk.Safe, "Add a row for "+r.name, edits...)
	}
}

// listing returns the edits that add a row for a folder, and a link if there is a table of links.
func (m *model) listing(r *review) []sdk.Edit {
	x, topic := m.index, plain(r.topic)
	if topic == "" || !x.quick.OK() && fold(topic) != r.topicFolded {
		topic = titled(r.slug)
	}
	if x.has(topic) {
		return nil // the folder would be matched with the other row
	}
	state, papers := "In Progress", ""
	if r.observed == complete {
		state, papers = "Complete", say.Int(r.kept())
	}
	mode, finding := modeName(r.mode), ""
	w := r.row // set if r is a review that only the base has
	if w == nil && r.was != nil {
		w = r.was.row
	}
	if w != nil { // use the cells of the base for what is still blank
		mode, finding = cmp.Or(mode, plain(w.cell(colMode).real())), plain(w.cell(colFinding).real())
		papers = cmp.Or(papers, plain(w.cell(colPapers).real()))
		if w.status == rowComplete && r.observed >= synthesizing {
			state = "Complete"
		}
	}
	edits := x.table.add(x.table.cells(say.Int(x.table.next()), r.date, topic, mode, state, papers, finding))
	switch {
	case !x.quick.OK(), some(x.linked, func(l *link) bool { return l.folder == r.name }):
		return edits
	case x.quick.cols[0] < 0 || x.quick.cols[1] < 0 || strings.ContainsAny(r.name, "`|\\"):
		return nil
	}
	return both(edits, x.quick.add(x.quick.cells(topic, "`"+r.name+"/`")))
}

// has reports whether the index has a row with a topic.
func (x *index) has(topic string) bool {
	return some(x.rows, func(w *row) bool { return w.folded == fold(topic) && !w.bad() })
}

func ambiguousRow(k *look, w *row) {
	if r := w.review; r != nil && w.stranger {
		k.tell(w.cell(colTopic), w.key(), "the row "+say.Quote(w.topic)+" has the date of "+r.name+
			", but a different topic; expected the folder's topic, or a Quick Link that names this review's folder")
		return
	}
	if names := each(w.maybe, func(r *review) string { return r.name }); len(names) > 0 {
		k.tell(w.whole(), w.key(), "the row "+say.Quote(w.topic)+" may refer to "+say.List(names)+
			"; expected a Quick Link that names its folder")
	}
}

func rowWithoutFolder(k *look, w *row) {
	if w.review != nil || w.twin != nil || len(w.maybe) > 0 || w.status != rowInProgress && w.status != rowComplete {
		return
	}
	f := k.tell(w.cell(colTopic), w.key(), "the review "+say.Quote(w.topic)+" of "+cmp.Or(w.date, "no date")+" is "+
		rowStatuses.names[w.status]+", but it has no folder")
	hasFiles := func(d *sdk.Document) bool { return w.date != "" && strings.HasPrefix(d.Path, w.date+"_") }
	if some(k.m.docs.All(), hasFiles) && len(k.m.named) == 0 {
		f.As(sdk.Warning).Message += " with a " + progressName // the review is being set up
	} else if !k.m.docs.Complete() || w.status == rowComplete {
		f.As(sdk.Warning)
	} else {
		f.Advise("Restore the folder", "Restore this review's folder from git or a backup, or correct the row.")
		offer(f, "Set it to Abandoned if the user abandoned it", w.cell(colStatus).set("Abandoned"))
	}
}

// indexStatus compares the status of a row with the phase of its review. If both say Complete, phase-ahead reports what
// is missing.
func indexStatus(k *look, w *row) {
	r, at := w.review, w.cell(colStatus)
	if r == nil || r.lost || r.unwritten || r.fit == sdk.Ahead && r.claim.phase == complete {
		return
	}
	if r.abandoned {
		said, name := r.statusField(), "Complete"
		if r.claim.abandoned {
			name = "Abandoned"
		}
		if (w.status == rowAbandoned) != r.claim.abandoned && w.status >= 0 &&
			(r.claim.abandoned || r.claim.phase == complete) {
			f := k.tell(at, "", "Status is "+say.Quote(at.real())+", but the review's Status is "+
				say.Quote(r.claim.text)+said.where()).As(sdk.Warning)
			offer(see(f, said, "the review's Status"), "Set it to "+name, at.set(name))
		}
		return
	}
	isAhead, lags := w.status == rowComplete && r.observed < synthesizing, w.status == rowInProgress &&
		r.observed == complete
	if !isAhead && !lags && (w.status != rowComplete || r.observed != synthesizing) {
		return
	}
	said := r.statusField()
	message := "Status is " + say.Quote(at.real()) + ", but the review is in phase " + phaseTitle(r.observed) +
		said.where()
	unwritten := !isAhead && !lags && !r.synthesized()
	if unwritten {
		message += " and " + textName + " has no synthesis"
	}
	f := see(k.tell(at, "", message).As(severityOf(isAhead)), said, "the review's Status")
	switch {
	case unwritten:
		offer(f, "Set it to In Progress", at.set("In Progress"))
	case isAhead:
		k.offerText(f)
		offer(f, "Set it to In Progress", at.set("In Progress"))
	case lags:
		offer(f, "Set it to Complete", at.set("Complete"))
	default:
		k.offerStatus(f, complete)
	}
}

// missingFinding reports a finished review without its one-line summary, if the index has a column for it.
func missingFinding(k *look, w *row) {
	if at := w.cell(colFinding); w.lacksFinding() && w.review != nil && !w.review.lost &&
		w.review.observed == complete {
		k.tell(at, "", "the row says Complete, but its Key Finding is "+cmp.Or(at.real(), "blank")+
			"; expected the main finding in one line")
	}
}

func (w *row) lacksFinding() bool {
	at := w.cell(colFinding)
	return !says(at.text) && w.status == rowComplete && at.column >= 0
}

func severalInProgress(k *look) {
	if list := k.m.open(); len(list) > 1 {
		k.tell(k.m.index.reviewsAt(), "", say.Int(len(list))+" reviews are in progress:"+k.m.choices(list)+
			"; the user decides which to continue, or whether to start a new one")
	}
}

// open returns the reviews that can be continued: those in the index, in its order, and then those without a row.
func (m *model) open() []*review {
	var list []*review
	for _, w := range m.index.rows {
		if w.review != nil && w.status == rowInProgress {
			list = append(list, w.review)
		}
	}
	list = append(list, those(m.reviews, func(r *review) bool { return r.row == nil })...)
	return those(list, func(r *review) bool { return r.state() == sdk.Active || r.state() == sdk.Blocked })
}

// choices returns a numbered list of reviews.
func (m *model) choices(list []*review) string {
	text := ""
	for i, r := range list[:min(len(list), 20)] {
		text += " " + say.Int(i+1) + ". " + r.called() + " (started " + cmp.Or(r.date, "on an unknown date") + ", " +
			say.Count(len(r.papers), "paper") + " found)"
	}
	if len(list) > 20 {
		text += " …"
	}
	return text
}

// called returns the topic of a review, or the next best name for it.
func (r *review) called() string {
	return say.Clip(cmp.Or(r.topic, r.rowTopic(), titled(r.slug), r.name))
}

// rowTopic returns the topic of a review in the index.
func (r *review) rowTopic() string {
	if r.row == nil {
		return ""
	}
	return r.row.topic
}
