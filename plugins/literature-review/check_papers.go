package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
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

// mayLower reports whether a paper may lose its annotated status without the
// floor falling below the claim.
func (r *review) mayLower() bool {
	return r.hasEntries || r.isAntagonized() || r.claim.phase >= searching
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
			found := m.tell("unknown-paper-status", r, r.rp, r.statusAt(p), p.key(), p.cite()+": status "+shown(p.status))
			advise(found, "Use a known status", "write one of "+strings.Join(statusNames[:], ", "))
		}
		at := r.paperTable.at(p.Row, paperExemplar)
		if text := clean(at.Text()); text != "" && begins(fold(text), exemplarWords) == 0 {
			found := m.tell("unknown-exemplar-value", r, r.rp, at.Part, p.key(), shown(text))
			advise(found, "Use a known value", "write No, Yes, User-Designated or Promoted")
		}
		m.checkOpen(r, p)
		if p.exemplar && p.rank == level2 && r.observed >= antagonizing {
			found := m.tell("exemplar-short-of-level-3", r, r.rp, r.statusAt(p), p.key(), "exemplar "+p.cite()+" stopped at Level-2")
			advise(found, "Finish the entry", "write the relevance, the key methods and why it is an exemplar, or demote it")
		}
		if p.exemplar && p.entry != nil && p.entry.kind == demoted {
			found := m.tell("demoted-exemplar-still-marked", r, r.rp, at.Part, p.key(), p.cite()+" is demoted in the text")
			relate(found, r.lr, p.entry.Part, "its entry")
			offer(found, sdk.Review, "Set Exemplar? to No", r.rp.cell(p.Row, r.paperTable.cols[paperExemplar], "No"))
		}
	}
	m.checkTwins(r)
}

// checkOpen looks at a paper that is not finished where it should be.
func (m *model) checkOpen(r *review, p *paper) {
	at := r.statusAt(p)
	isOpen := p.rank == candidate || p.rank == included
	switch {
	case isOpen && p.entry != nil && r.observed >= organizing:
		found := m.tell("stale-paper-status", r, r.rp, at, p.key(), p.cite()+" is "+statusNames[p.rank]+" but has an entry")
		relate(found, r.lr, p.entry.Part, "its entry")
		if level := p.entry.level(); level > included {
			r.setPaper(found, p, level)
		} else {
			advise(found, "Finish the entry", "write its summary and quality note, then set the status to "+statusNames[level2])
		}
	case isOpen && p.entry != nil:
	case p.rank == candidate && r.observed == complete && r.identifiable:
		found := m.tell("candidate-in-complete-review", r, r.rp, at, p.key(), p.cite()+" was never triaged")
		r.setPaper(found, p, excluded)
		offer(found, sdk.Review, "Set Status to "+lines[organizing], m.backTo(r, organizing))
	case isOpen && r.observed >= antagonizing:
		found := m.tell("paper-left-behind", r, r.rp, at, p.key(), p.cite()+" is "+statusNames[p.rank]+" in phase "+itoa(lifecycle.Phases[r.observed].Number))
		r.setPaper(found, p, excluded)
		advise(found, "Process it", "triage and annotate the paper")
	case p.rank == processed && r.identifiable && p.entry == nil && p.matchable():
		found := m.tell("processed-paper-without-entry", r, r.rp, at, p.key(), p.cite()+" is Processed but has no entry")
		if r.mayLower() {
			r.setPaper(found, p, included)
		}
		advise(found, "Write the entry", "write the paper's entry into "+textName)
	}
}

// checkLostTable finds a text whose table of papers is gone.
func (m *model) checkLostTable(r *review) {
	if !r.identifiable || len(r.papers) > 0 || r.lacksColumn() {
		return
	}
	at := r.paperTable.Part
	if !at.OK() {
		at = r.rp.heading("papertracking").Part
	}
	found := m.tell("lost-tracking-table", r, r.rp, at, "", itoa(len(r.entries))+" entries, no tracked paper")
	relate(found, r.lr, r.entries[0].Part, "the first entry")
	edits := r.rebuiltRows()
	offer(found, sdk.Review, "Rebuild "+itoa(len(r.entries))+" rows from "+textName, edits)
	if len(edits) == 0 {
		advise(found, "Rebuild the table", "write a row for each entry of "+textName+" below Paper Tracking")
	}
}

// rebuiltRows are the edits that write a row for each entry.
func (r *review) rebuiltRows() []sdk.Edit {
	h := r.rp.heading("papertracking")
	t := &r.paperTable
	if !t.OK() {
		if !h.OK() || !r.rp.closed() {
			return nil
		}
		return r.rp.insert(h.End(), "\n\n"+r.rebuiltTable())
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
	found := m.tell("annotations-without-review", r, r.rp, r.statusAt(first), "", itoa(n)+" papers annotated, no text holds them")
	if m.base != nil {
		if was := m.base.named[r.name]; was != nil && was.hasEntries && was.lr.readable() && m.holds(r.lr.path, was.lr) {
			offer(found, sdk.Review, "Restore "+textName+" from the base revision", []sdk.Edit{sdk.Restore(r.lr.path)})
		}
	}
	if r.claim.phase < organizing || r.gateWithoutText() {
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
}

// gateWithoutText reports whether the claim stands when no paper is annotated.
func (r *review) gateWithoutText() bool {
	return r.claim.phase <= r.ceiling && r.claim.phase >= searching
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
		found := m.tell("duplicate-paper", r, r.rp, p.Part, short(fold(p.citation))+" "+same, "rows "+orNone(twin.number)+" and "+orNone(p.number)+": same "+same)
		relate(found, r.rp, twin.Part, "the first row")
		if same[0] != '#' {
			if p.rank < level2 || r.hasEntries {
				r.setPaper(found, p, excluded)
			}
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

func (m *model) checkEntries(r *review) {
	isBad := false
	for _, p := range r.papers {
		isBad = isBad || p.bad
	}
	pending := 0
	var first *entry
	for _, e := range r.entries {
		key := orElse(e.id, short(fold(e.title)))
		if e.paper == nil && len(r.papers) > 0 && r.identifiable && !isBad {
			found := m.tell("untracked-entry", r, r.lr, e.Part, key, "entry "+shown(e.title)+" is not tracked")
			t := &r.paperTable
			if e.surname != "" && e.surname == surname(e.citation()) && e.year != "" && !r.lacksColumn() {
				offer(found, sdk.Review, "Add a row for the entry", r.rp.add(t, t.cells(r.entryCells(r.nextNumber(), e)...)))
			} else {
				advise(found, "Add a row for the entry", "track the paper of this entry in "+progressName)
			}
		}
		verified := clean(e.verified.Text())
		if e.hasDOI && verified == "" && r.observed >= antagonizing {
			at := e.verified.Part
			if !at.OK() {
				at = e.Part
			}
			found := m.tell("unverified-doi", r, r.lr, at, key, shown(e.title)+": DOI without verification")
			offer(found, sdk.Review, "Set Verified to Pending", r.lr.edit(e.verified.Set("Pending")))
			advise(found, "Verify the DOI", "resolve the DOI and record Yes or No")
		}
		if begins(fold(verified), "pending") == 1 {
			if pending++; first == nil {
				first = e
			}
		}
	}
	if pending > 0 && r.observed == complete {
		found := m.tell("pending-doi", r, r.lr, first.verified.Part, "", itoa(pending)+" DOIs still Pending")
		advise(found, "Verify the DOIs", "resolve each DOI and record Yes or No")
	}
	for _, t := range r.topics {
		if r.observed >= antagonizing && r.mode == full && r.untabled(t) {
			found := m.tell("missing-evidence-table", r, r.lr, t.heading.Part, short(fold(t.title)), "topic "+shown(t.title)+": "+itoa(t.exemplars)+" exemplars, no evidence row")
			advise(found, "Write the evidence table", "give the topic an Evidence Table with a row for each exemplar")
		}
	}
}

//go:noinline
func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func (m *model) checkCounts(r *review) {
	if r.observed < organizing || len(r.papers) == 0 || r.paperTable.cols[paperStatus] < 0 || r.lacksColumn() {
		return
	}
	marked, keptMarked, out, past, only := 0, 0, 0, 0, 0
	for _, p := range r.papers {
		if p.exemplar {
			if marked++; p.rank != excluded {
				keptMarked++
			}
		}
		switch p.rank {
		case excluded:
			out++
		case included:
			only++
			past++
		case candidate:
		case unknownStatus:
		default:
			past++
		}
	}
	total := len(r.papers)
	say := func(i int, isRight bool, want int) {
		if n := r.counts[i]; n >= 0 && !isRight {
			found := m.tell("wrong-count", r, r.rp, r.countFields[i].Value(), countKeys[i], countKeys[i]+" is "+itoa(n)+", the table has "+itoa(want))
			offer(found, sdk.Review, "Set "+countKeys[i]+" to "+itoa(want), r.rp.edit(r.countFields[i].Set(itoa(want))))
		}
	}
	n := r.counts[countIncluded]
	say(totalFound, r.counts[totalFound] >= total, total)
	say(countExcluded, r.counts[countExcluded] >= out, out)
	say(countExemplars, r.counts[countExemplars] == marked || r.counts[countExemplars] == keptMarked, marked)
	say(countIncluded, n == total-out || n == past || n == only, total-out)
}

func (m *model) checkOutputs(r *review) {
	if r.observed >= synthesizing {
		m.checkAntagonist(r)
	}
	for _, t := range r.outputs {
		text := t.Text()
		for _, d := range [...]*document{m.index.document, r.rp, r.sm, r.lr} {
			name := d.path[strings.LastIndexByte(d.path, '/')+1:]
			if !strings.Contains(text, name) {
				continue
			}
			switch {
			case t.Checked() && (d == r.sm || d == r.lr) && d.empty():
				found := m.tell("ticked-output-missing", r, r.rp, t.Part, name, name+" is ticked but absent")
				offer(found, sdk.Review, "Untick "+name, r.rp.edit(t.Uncheck()))
			case !t.Checked() && r.observed == complete && d.filled:
				found := m.tell("unticked-output", r, r.rp, t.Part, name, name+" is not ticked")
				offer(found, sdk.Safe, "Tick "+name, r.rp.edit(t.Check()))
			}
		}
	}
	if r.observed == complete {
		m.checkPlaceholders(r)
	}
}

func (m *model) checkAntagonist(r *review) {
	if r.mode == narrow && !r.isAntagonized() {
		m.tell("unrecorded-critique", r, r.rp, r.antagonist.Part, "", "no critique recorded")
	}
	if r.mode != full || r.ticked == 0 || r.ticked == len(r.checks) {
		return
	}
	open := r.openChecks(len(r.checks))
	found := m.tell("unticked-antagonistic-check", r, r.rp, r.checks[0].Part, "", itoa(len(open))+" of "+itoa(len(r.checks))+" checks open: "+few(open, 6))
	advise(found, "Finish the checks", "carry out the open checks and tick them")
}

// openChecks are the texts of the unticked checks among the first most.
func (r *review) openChecks(most int) []string {
	var open []string
	for i, t := range r.checks {
		if i < most && !t.Checked() {
			open = append(open, short(t.Text()))
		}
	}
	return open
}

// checkPlaceholders counts what was never filled, outside comments and code.
func (m *model) checkPlaceholders(r *review) {
	text := r.lr.text()
	if !r.lr.readable() || !strings.Contains(text, "{{") {
		return
	}
	n := 0
	var first markdown.Part
	for i := range r.lr.o.Nodes {
		node := &r.lr.o.Nodes[i]
		if node.Kind != markdown.KindHeading && !textual(node.Kind) {
			continue
		}
		if k := placeholders(text[node.Start:node.End]); k > 0 {
			if n += k; !first.OK() {
				first = r.lr.o.At(i)
			}
		}
	}
	if n > 0 {
		found := m.tell("unfilled-placeholder", r, r.lr, first, "", itoa(n)+" placeholders left")
		advise(found, "Fill the placeholders", "write what each placeholder asks for, or take it out")
	}
}

// placeholders counts {{…}} outside comments and code spans.
func placeholders(s string) int {
	n := 0
	for s != "" {
		at := strings.IndexAny(s, "`{<")
		if at < 0 {
			return n
		}
		s = s[at:]
		end, isPlaceholder := "", strings.HasPrefix(s, "{{")
		switch {
		case isPlaceholder:
			end = "}}"
		case strings.HasPrefix(s, "<!--"):
			end = "-->"
		case s[0] == '`':
			end = "`"
		}
		stop := -1
		if end != "" {
			stop = strings.Index(s[1:], end)
		}
		if stop < 0 {
			s = s[1:]
			continue
		}
		if isPlaceholder {
			n++
		}
		s = s[1+stop+len(end):]
	}
	return n
}
