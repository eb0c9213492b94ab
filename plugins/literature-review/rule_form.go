package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// tail is the number of sections that count as the end of a state file.
const tail = 4

func missingSection(k *look) {
	var missing []string
	text := "\n"
	from, cut := k.cutAt()
	had := func(s section) bool { return k.was.rp.heading(markdown.Name(s.title)).OK() }
	any := some(sections[from:], had)
	for i, s := range sections {
		lacks := cut && i >= from && (!any || had(s)) // only sections of the base, if it has any of these
		for j, n := range needed {
			lacks = lacks || n.title == s.title && !k.tableAt(j).ok() &&
				(j == inConcepts || k.observed > interviewing || k.claim.phase > interviewing)
		}
		if lacks {
			add(&missing, s.title)
			text += s.filled("")
		}
	}
	if len(missing) == 0 {
		return
	}
	last := k.rp.whole()
	if n := len(k.rp.heads); n > 0 {
		last = k.rp.part(k.rp.heads[n-1].Part)
	}
	torn, asks := k.rp.torn(), "; is it cut off after this heading?"
	if torn != "" {
		asks = "; the text ends in the middle of " + say.Quote(torn)
	}
	f := k.tell(last, "", progressName+" lacks "+say.Count(len(missing), "section")+": "+say.And(missing...)+asks)
	if !k.offerWhole(f, k.rp) && k.rp.closed() && torn == "" { // blank sections would hide that text is lost
		offer(f, "Append blank sections", k.rp.insert(len(k.rp.o.Text), text))
	}
}

// offerWhole offers to restore a truncated document if the base has the rest of it, or an overwritten state file. It
// reports whether the state file was overwritten, in which case other remedies would only contradict each other.
func (k *look) offerWhole(f *check.Finding, d *document) bool {
	isOver := d == k.rp && k.overwritten()
	if isOver || k.cutShort(d) {
		edits := []sdk.Edit{sdk.Restore(d.path)}
		docs, was := k.documents(), k.was.documents()
		for i := 1; isOver && i < len(docs); i++ { // the restored state file refers to the other documents
			if docs[i].empty() && was[i].readable() {
				edits = append(edits, docs[i].restoring()...)
			}
		}
		offer(f, "Restore "+d.name()+" from the base", edits)
	}
	return isOver
}

// overwritten reports whether the state file was overwritten: of the concepts, the searched sources and the papers
// that it had in the base, it lacks at least two, and it contains nothing else in their place.
func (r *review) overwritten() bool {
	was, lost := r.was, 0
	for i, isLost := range [...]bool{len(was.concepts) > 0 && len(r.concepts) == 0,
		was.begun() != nil && r.begun() == nil,
		len(was.papers) > 1 && len(r.papers) == 0 && !r.cutPapers && !r.lacksColumn} {
		if isLost && !r.unread[i] {
			lost++
		}
	}
	return lost > 1 && r.rp.readable() && r.rp.closed() && was.rp.readable()
}

// cutShort reports whether a document contains only the beginning of its text in the base.
func (r *review) cutShort(d *document) bool {
	docs := r.was.documents()
	old := first(docs[:], func(old *document) bool { return old.path == d.path })
	if old == nil || !d.readable() || !old.readable() {
		return false
	}
	text, was := strings.TrimRight(d.o.Text, " \t\r\n"), strings.TrimRight(old.o.Text, " \t\r\n")
	return len(text) < len(was) && strings.HasPrefix(was, text)
}

// cutAt returns the index of the first section that is missing at the end of a state file, and whether the file seems
// to be cut off there. It does if the base has at least two of the missing sections and nothing was written in their
// place, if the text ends in the middle of a line, or if the end is expected. The end is expected if the review has
// reached it, if the file was made from the upstream's template, which has it from the beginning, or if the index
// counts more papers.
func (k *look) cutAt() (from int, cut bool) {
	lost, n := 0, len(k.rp.heads)
	for from = len(sections); from > len(sections)-tail; from-- {
		name := markdown.Name(sections[from-1].title)
		if k.rp.heading(name).OK() {
			break
		}
		if k.was.rp.heading(name).OK() {
			lost++
		}
	}
	if lost > 1 && n > 0 && k.was.rp.heading(k.rp.heads[n-1].name).OK() {
		return from, true
	}
	isDue := k.observed >= antagonizing || k.rp.heading("convergencetracking|searchbudget").OK() ||
		k.observed >= organizing && k.row != nil && k.row.papers > len(k.papers)
	return from, from == len(sections)-tail && isDue || from < len(sections) && k.rp.torn() != ""
}

func missingColumn(k *look) {
	for i, columns := range [...][2]int{inSources: {srcType, srcStatus}, inPapers: {paperCitation, paperStatus}} {
		t := k.tables[i]
		for j, name := range [...]string{needed[i].first, needed[i].second} {
			if i != inConcepts && len(t.records) > 0 && t.cols[columns[j]] < 0 {
				k.tell(k.rp.part(t.Header().Part), name,
					"the "+needed[i].title+" table has no "+name+" column; it has "+say.List(t.Columns()))
				break
			}
		}
	}
}

func unreadableSection(k *look) {
	missingColumn(k)
	for i, n := range needed {
		if k.unread[i] {
			had := [...]bool{len(k.was.concepts) > 0, len(k.was.sources) > 0, len(k.was.papers) > 0}[min(i, 2)]
			k.tell(k.headingAt(n.names), n.title, n.title+
				" contains text, but no readable table; expected the columns "+n.first+" and "+
				n.second).As(severityOf(had))
		}
	}
}

// read returns what could be read of the review, or of the index if there is no review, now and in the base.
func (k *look) read() (now, was *readings) {
	if k.review == nil {
		return &k.m.index.readings, &k.m.base.index.readings
	}
	return &k.readings, &k.was.readings
}

func misalignedRow(k *look) {
	now, _ := k.read()
	for _, w := range now.excess {
		k.tell(w.whole(), w.key(), "this row has "+say.Count(w.Len(), "cell")+"; expected "+say.Int(w.t.width)+
			`, as in its header; is a "|" not escaped?`)
	}
}

func unreadText(k *look) {
	misalignedRow(k)
	for _, n := range needed {
		if at, message := k.cutRows(n.title, n.names); message != "" {
			k.tell(at, n.title, message)
		}
	}
	_, cut := k.cutAt() // missing-section reports a text that is cut off there
	for _, d := range k.documents() {
		if at := d.part(d.o.OpenComment()); at.ok() {
			k.tell(at, "comment", "this comment is never closed, so it is read as text; expected -->")
		}
		last, where := d.torn(), "in the middle of "
		if d == k.lr && last == "" {
			last, where = k.tornEntry(), "in an entry without a DOI, with "
		}
		if last != "" && !(cut && d == k.rp) {
			f := k.tell(d.whole(), "end", "the text ends "+where+say.Quote(last)+"; is it cut off here?")
			k.offerWhole(f, d)
			if len(f.Remedies) == 0 {
				f.Advise("Complete the text", "Restore what follows from git or a backup, or write it again.")
			}
		}
		if at := d.elided(0, len(d.o.Text)); at.ok() {
			k.tell(at, "left out", "content was omitted here: "+say.Quote(at.text)+"; expected the content itself")
		}
		if at := d.part(d.openFence()); at.ok() {
			k.tell(at, "fence",
				"this code fence is never closed, so nothing after it is read; expected a closing fence")
		}
	}
}

// tornEntry returns the last line of the review text if it is in the last entry and has no line break, and only this
// entry lacks a DOI and its verification.
func (r *review) tornEntry() string {
	text, n := r.lr.o.Text, len(r.entries)-1
	if n < 1 || strings.HasSuffix(text, "\n") || r.entries[n].Section().End() < len(text) ||
		r.entries[n].hasDOI || r.entries[n].saidBy != "" ||
		some(r.entries[:n], func(e *entry) bool { return !e.hasDOI || e.saidBy == "" }) {
		return ""
	}
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// cutRows finds rows below a heading that no rule reads: those of a second table, or lines that a blank line or text
// separates from their table.
func (r *review) cutRows(title, names string) (at *value, message string) {
	section := r.rp.heading(names).Body()
	first := section.Table()
	for _, t := range section.Tables() {
		if t.Index() != first.Index() && !t.In(markdown.KindItem) && similar(first, t) {
			return r.rp.part(t.Header().Part), "the second table under " + title + " is not read; it has " +
				say.Count(len(t.Rows()), "row") + "; expected all rows in the first table" +
				r.rp.part(first.Part).where()
		}
	}
	for _, p := range section.Parts(markdown.KindParagraph) {
		if first.OK() && p.Start() > first.End() && strings.HasPrefix(p.Raw(), "|") && strings.Count(p.Raw(), "|") > 2 {
			return r.rp.part(p), "these rows are not read: blank lines or text separate them from the " +
				title + " table" + r.rp.part(first.Part).where()
		}
	}
	return at, ""
}

// similar reports whether two tables share most of their columns.
func similar(a, b markdown.Table) bool {
	shared := 0
	for _, name := range a.Columns() {
		if b.Column(name) >= 0 {
			shared++
		}
	}
	return 2*shared > len(a.Columns())
}

// unknownValue reports values that could not be read.
func unknownValue(k *look) {
	now, was := k.read()
	for _, o := range now.odd {
		if o.of != nil && o.of.review != nil && o.of.review.abandoned {
			continue
		}
		if o.of != nil {
			k.review = o.of.review
		}
		f := k.tell(o.value, o.name, say.Wrong(o.name, say.Quote(strings.TrimSpace(o.text)), o.expected))
		f.As(severityOf(was.read[o.name] && o.wordless() && strings.HasPrefix(o.name, "Status of ")))
		if word := o.proved(); word != "" && o.column < o.of.Len() {
			offer(f, "Set it to "+word, o.set(word))
		} else if word != "" {
			f.Advise("Complete the row", "The row is cut off. Write its other cells from "+progressName+".")
		}
	}
}

// proved returns the right value for a cell of an index row, according to its review, or "" if the review does not show
// it.
func (o *oddity) proved() string {
	switch w := o.of; {
	case w == nil || w.review == nil || w.review.lost:
		return ""
	case o.column == w.t.cols[colTopic]:
		return plain(w.review.topic)
	case o.column == w.t.cols[colMode]:
		return modeName(w.review.mode)
	case w.review.observed == complete:
		return "Complete"
	}
	return "In Progress"
}

func duplicateRow(k *look) {
	for _, s := range k.sources {
		if s.twin != nil && !s.bad() {
			f := k.tell(s.whole(), s.name, s.name+" has two rows: "+say.Quote(s.real(srcStatus))+" here, "+
				say.Quote(s.twin.real(srcStatus))+" in the first"+s.twin.whole().where())
			see(f, s.twin.whole(), "the first row, which is used")
		}
	}
	for _, p := range k.papers {
		if p.twin == nil {
			continue
		}
		message, key := p.cite()+" is listed twice; the first row is "+p.twin.cite(), "there twice"
		if p.id != "" && p.id == p.twin.id {
			message, key = p.cite()+" has "+p.id+", which "+p.twin.cite()+" already has", p.id
		}
		f := see(k.tell(p.whole(), say.Clip(fold(p.citation))+" "+key, message+p.twin.whole().where()),
			p.twin.whole(), "the first row")
		if p.spare() {
			offer(f, "Set it to Excluded", k.put(excluded, p))
		} else if p.twin.spare() {
			offer(f, "Set the first row to Excluded", k.put(excluded, p.twin))
		}
	}
	copies := k.lr.repeats()
	for _, e := range k.repeated {
		if len(copies) > 0 && max(e.Start(), e.twin.Start()) > copies[0].second.Start() {
			continue // duplicate-section reports the whole copy
		}
		message := "the entry " + say.Quote(e.title) + " is duplicated"
		if fold(e.title) != fold(e.twin.title) {
			message = "the entry " + say.Quote(e.title) + " has the same DOI or PMID as " + say.Quote(e.twin.title)
		}
		f := see(k.tell(e.value, e.name(), message+e.twin.where()), e.twin.value, "the entry that is used")
		if section := e.Section(); strings.TrimSpace(section.Raw()) == strings.TrimSpace(e.twin.Section().Raw()) &&
			section.Start() > e.twin.Start() {
			offer(f, "Remove the second one", k.lr.edit(markdown.Edit{Start: section.Start(), End: section.End()},
				true))
		}
	}
}

func duplicateIndexRow(k *look, w *row) {
	if w.twin == nil {
		return
	}
	first := w.twin.whole()
	name := "one folder"
	if w.twin.review != nil {
		name = w.twin.review.name
	}
	message := " has two rows: this one and the first"
	if w.status != w.twin.status {
		message = " has two rows: " + say.Quote(w.text(colStatus)) + " here, " + say.Quote(w.twin.text(colStatus)) +
			" in the first"
	}
	f := see(k.tell(w.whole(), w.key(), name+message+first.where()), first, "the first row, which is used")
	if markdown.Plain(w.Raw()) == markdown.Plain(w.twin.Raw()) && w.twin.Start() < w.Start() {
		f.Offer(sdk.Safe, "Remove the second row", first.d.edit(w.Row.Remove())...)
	}
}
