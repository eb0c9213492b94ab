package literaturereview

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// key is what a paper is known by.
func (p *paper) key() string {
	if p.id != "" {
		return p.id
	}
	return short(fold(p.citation))
}

// cite names a paper in a message.
//
//go:noinline
func (p *paper) cite() string { return shown(p.citation) }

func (r *review) statusAt(p *paper) markdown.Part {
	if at := r.paperTable.at(p.Row, paperStatus); at.OK() {
		return at.Part
	}
	return p.Part
}

// setPaper offers to give a paper another status.
func (r *review) setPaper(found *sdk.Diagnostic, p *paper, rank int) {
	offer(found, sdk.Review, "Set it to "+statusNames[rank], r.paperEdit(p, rank))
}

func (r *review) paperEdit(p *paper, rank int) []sdk.Edit {
	return r.rp.cell(p.Row, r.paperTable.cols[paperStatus], statusNames[rank])
}

func (m *model) checkPapers(r *review) {
	m.checkLostTable(r)
	m.checkHolding(r)
	hasStatus := r.paperTable.cols[paperStatus] >= 0
	for _, p := range r.papers {
		if p.bad {
			continue
		}
		if hasStatus && p.rank == unknownStatus {
			found := m.tell("unknown-paper-status", r, r.rp, r.statusAt(p), p.key(), say.Wrong("Status of "+p.cite(), shown(p.status), say.Or(statusNames[:]...)))
			found.Severity = m.unknown(func(was *review) bool { return was.rankOf(p) >= 0 || r.observed == complete }, r)
			advise(found, "Use a known status", "write one of "+strings.Join(statusNames[:], ", "))
		}
		at := r.paperTable.at(p.Row, paperExemplar)
		if text := clean(at.Text()); text != "" && begins(yesNo(at.Text()), exemplarWords) == 0 {
			found := m.tell("unknown-exemplar-value", r, r.rp, at, p.key(), say.Wrong("Exemplar? of "+p.cite(), shown(text), "No, Yes, User-Designated or Promoted"))
			advise(found, "Use a known value", "write No, Yes, User-Designated or Promoted")
		}
		m.checkOpen(r, p)
		m.checkProof(r, p)
		if p.exemplar && p.rank == level2 && r.observed >= antagonizing {
			found := m.tell("exemplar-short-of-level-3", r, r.rp, r.statusAt(p), p.key(), "Status of the exemplar "+p.cite()+" is Level-2-Complete in phase "+phaseTitle(r.observed)+"; expected Level-3-Complete or more")
			advise(found, "Finish the entry", "write the relevance, the key methods and why it is an exemplar, or demote it")
		}
		if p.exemplar && p.entry != nil && p.entry.kind == demoted {
			found := m.tell("demoted-exemplar-still-marked", r, r.rp, at, p.key(), "Exemplar? of "+p.cite()+" is "+shown(clean(at.Text()))+", but the text has demoted it"+before(r.lr, p.entry))
			relate(found, r.lr, p.entry, "its entry")
			offer(found, sdk.Review, "Set Exemplar? to No", r.rp.cell(p.Row, r.paperTable.cols[paperExemplar], "No"))
		}
	}
	m.checkTwins(r)
}

// rankOf is the rank that a paper of another revision has here, -1 for none.
func (r *review) rankOf(other *paper) int {
	for _, p := range r.papers {
		if p.citation == other.citation || p.id != "" && p.id == other.id {
			return p.rank
		}
	}
	return unknownStatus
}

// checkOpen looks at a paper that is not finished where it should be.
func (m *model) checkOpen(r *review, p *paper) {
	at := r.statusAt(p)
	isOpen := p.rank == candidate || p.rank == included
	switch {
	case isOpen && p.entry != nil && r.observed >= organizing:
		found := m.tell("stale-paper-status", r, r.rp, at, p.key(), "Status of "+p.cite()+" is "+statusNames[p.rank]+", but it has an entry"+before(r.lr, p.entry))
		if p.rank == included {
			found.Severity = sdk.Info
		}
		relate(found, r.lr, p.entry, "its entry")
		if level := p.entry.level(); level > included {
			r.setPaper(found, p, level)
		} else {
			advise(found, "Finish the entry", "write its summary and quality note, then set the status to "+statusNames[level2])
		}
	case isOpen && p.entry != nil:
	case p.rank == candidate && r.observed == complete && r.identifiable:
		found := m.tell("candidate-in-complete-review", r, r.rp, at, p.key(), "Status of "+p.cite()+" is Candidate, but the review is complete; it was never triaged")
		r.setPaper(found, p, excluded)
		offer(found, sdk.Review, "Set Status to "+lines[organizing], m.backTo(r, organizing))
	case isOpen && r.observed >= antagonizing && (r.identifiable || !r.hasEntries):
		found := m.tell("paper-left-behind", r, r.rp, at, p.key(), "Status of "+p.cite()+" is "+statusNames[p.rank]+" in phase "+phaseTitle(r.observed)+"; expected Processed or Excluded")
		r.setPaper(found, p, excluded)
		advise(found, "Process it", "triage and annotate the paper")
	case p.rank == excluded && p.entry != nil && p.entry.kind != demoted:
		found := m.tell("excluded-paper-with-entry", r, r.rp, at, p.key(), "Status of "+p.cite()+" is Excluded, but it has an entry"+before(r.lr, p.entry))
		relate(found, r.lr, p.entry, "its entry")
		advise(found, "Settle which is right", "take the entry out of "+textName+", or set the status to what was done")
	case p.rank == processed && r.identifiable && p.entry == nil && p.matchable():
		found := m.tell("processed-paper-without-entry", r, r.rp, at, p.key(), "Status of "+p.cite()+" is Processed, but "+textName+" has no entry of it")
		r.setPaper(found, p, included)
		advise(found, "Write the entry", "write the paper's entry into "+textName)
	}
}

// checkProof compares the level of a paper with what its entry holds.
func (m *model) checkProof(r *review, p *paper) {
	e := p.entry
	if e == nil || p.rank < level2 || p.rank == excluded || m.hadMore(r, e) {
		return
	}
	lacks := ""
	switch {
	case !e.written:
		lacks = "its entry has nothing but a heading"
	case p.rank >= level3 && e.blank != "":
		lacks = e.blank + " of its entry is blank"
	case p.rank == level4 && e.noDeep && e.deep == 0:
		lacks = "Deep Extraction of its entry is blank"
	default:
		return
	}
	found := m.tell("paper-status-beyond-entry", r, r.rp, r.statusAt(p), p.key(), "Status of "+p.cite()+" is "+statusNames[p.rank]+", but "+lacks+before(r.lr, e))
	if e.written {
		found.Severity = sdk.Warning
	}
	relate(found, r.lr, e, "its entry")
	r.setPaper(found, p, min(e.level(), p.rank-1))
	advise(found, "Finish the entry", "write what the entry lacks into "+textName)
}

// hadMore reports whether the entry has less than in the base, which other rules report.
func (m *model) hadMore(r *review, e *entry) bool {
	was := m.was(r)
	return was != nil && slices.ContainsFunc(was.entries, func(old *entry) bool {
		return old.surname == e.surname && old.year == e.year && (old.written && !e.written || old.deep > 0 && e.deep == 0)
	})
}

// checkLostTable finds a text whose table of papers is gone.
func (m *model) checkLostTable(r *review) {
	if !r.identifiable || len(r.papers) > 0 || r.lacksColumn() || r.unread[unreadPapers] {
		return
	}
	at := r.paperTable.Part
	if !at.OK() {
		at = r.rp.heading(papersSection).Part
	}
	found := m.tell("lost-tracking-table", r, r.rp, at, "", textName+" has "+say.Count(len(r.entries), "entry")+", but Paper Tracking has no row")
	relate(found, r.lr, r.entries[0].Part, "the first entry")
	edits := r.rebuiltRows()
	offer(found, sdk.Review, "Rebuild "+say.Count(len(r.entries), "row")+" from "+textName, edits)
	if len(edits) == 0 {
		advise(found, "Rebuild the table", "write a row for each entry of "+textName+" below Paper Tracking")
	}
}

// rebuiltRows are the edits that write a row for each entry.
func (r *review) rebuiltRows() []sdk.Edit {
	h := r.rp.heading(papersSection)
	t := &r.paperTable
	switch {
	case t.OK():
	case !r.rp.closed():
		return nil
	case h.OK():
		return r.rp.insert(h.End(), "\n\n"+r.rebuiltTable())
	default:
		return r.rp.insert(len(r.rp.o.Text), "\n## "+needed[unreadPapers].title+"\n\n"+r.rebuiltTable()+"\n"+r.recounted())
	}
	var rows [][]string
	for i, e := range r.entries {
		rows = append(rows, t.cells(r.entryCells(i+1, e)...))
	}
	if t.cols[paperCitation] < 0 || t.cols[paperStatus] < 0 {
		return nil
	}
	return r.rp.add(t, rows...)
}

func (r *review) entryCells(n int, e *entry) []string {
	exemplar := "No"
	if e.kind == exemplars {
		exemplar = "Yes"
	}
	return []string{itoa(n), e.citation(), unmarked(e.source), "", "", statusNames[e.level()], exemplar, unmarked(strings.TrimPrefix(e.id, "pmid:"))}
}

// citation is the heading of an entry, fit for a cell.
func (e *entry) citation() string {
	if c := unmarked(e.title); clean(c) != "" {
		return c
	}
	return "Untitled entry"
}

// rebuiltTable is a table of papers made from the entries.
func (r *review) rebuiltTable() string {
	text, _, _ := strings.Cut(skeletons["Paper Tracking"], "|  |")
	for i, e := range r.entries {
		text += line(r.entryCells(i+1, e)) + "\n"
	}
	return text
}

// checkHolding finds papers whose annotations are nowhere.
func (m *model) checkHolding(r *review) {
	var first *paper
	n := 0
	isProcessed := false
	for _, p := range r.papers {
		if p.rank >= level2 && p.rank <= processed {
			if n++; first == nil {
				first = p
			}
			isProcessed = isProcessed || p.rank == processed
		}
	}
	isGone := r.lr.empty() || isProcessed && r.lr.readable() && !r.hasEntries
	if n == 0 || !isGone || r.entryFile || !m.docs.Known(r.dir+"Paper_Entry.md") {
		return
	}
	found := m.tell("annotations-without-review", r, r.rp, r.statusAt(first), "", "Paper Tracking has "+say.Count(n, "annotated paper")+", but "+textName+" has no entry")
	if was := m.was(r); was != nil && was.hasEntries && was.lr.readable() {
		offer(found, sdk.Review, "Restore "+textName+" from the base revision", []sdk.Edit{sdk.Restore(r.lr.path)})
	}
	var edits []sdk.Edit
	for _, p := range r.papers {
		if p.rank >= level2 && p.rank <= processed {
			edits = append(edits, r.paperEdit(p, included)...)
		}
	}
	if len(edits) == n && n < 1000 {
		offer(found, sdk.Review, "Set those papers to Included", edits)
	}
}

func (m *model) checkTwins(r *review) {
	byID, byNumber := map[string]*paper{}, map[string]*paper{}
	for _, p := range r.papers {
		if p.bad || p.rank == excluded {
			continue
		}
		twin, same := byID[p.id], p.id
		if p.id == "" || twin == nil {
			twin, same = byNumber[p.number], "#"+p.number
			if p.number == "" {
				twin = nil
			}
		}
		if p.id != "" && byID[p.id] == nil {
			byID[p.id] = p
		}
		if p.number != "" && byNumber[p.number] == nil {
			byNumber[p.number] = p
		}
		if twin == nil || twin.rank < included && p.rank < included {
			continue
		}
		found := m.tell("duplicate-paper", r, r.rp, p.Part, short(fold(p.citation))+" "+same, p.cite()+" and "+twin.cite()+before(r.rp, twin)+" are both "+same)
		relate(found, r.rp, twin.Part, "the first row")
		if same[0] != '#' {
			r.setPaper(found, p, excluded)
			continue
		}
		offer(found, sdk.Review, "Renumber the second row", r.rp.cell(p.Row, r.paperTable.cols[paperNumber], itoa(r.nextNumber())))
	}
}

func (r *review) nextNumber() int {
	highest := 0
	for _, p := range r.papers {
		highest = max(highest, number(p.number))
	}
	return highest + 1
}
