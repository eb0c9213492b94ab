package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func (m *model) checkEntries(r *review) {
	isBad := r.papersCut
	for _, p := range r.papers {
		isBad = isBad || p.bad
	}
	pending := 0
	var first *entry
	for _, e := range r.entries {
		key := orElse(e.id, short(fold(e.title)))
		if e.paper == nil && len(r.papers) > 0 && r.identifiable && !isBad {
			found := m.tell("untracked-entry", r, r.lr, e.Part, key, "the entry "+shown(e.title)+" has no row in Paper Tracking")
			t := &r.paperTable
			if e.surname != "" && e.surname == surname(e.citation()) && e.year != "" && !r.lacksColumn() {
				offer(found, sdk.Review, "Add a row for the entry", r.rp.add(t, t.cells(r.entryCells(r.nextNumber(), e)...)))
			} else {
				advise(found, "Add a row for the entry", "track the paper of this entry in "+progressName)
			}
		}
		verified := clean(e.verified.Text())
		if e.unverified(r) && r.observed >= antagonizing && begins(fold(verified), "pending") == 0 {
			at := e.verified.Part
			if !at.OK() {
				at = e.Part
			}
			found := m.tell("unverified-doi", r, r.lr, at, key, "the DOI of "+shown(e.title)+" was not verified; expected Verified: Yes, or No with the reason")
			offer(found, sdk.Review, "Set Verified to Pending", r.lr.edit(e.verified.Set("Pending")))
			advise(found, "Verify the DOI", "resolve the DOI and record Yes, or No with the reason")
		}
		if begins(fold(verified), "pending") == 1 {
			if pending++; first == nil {
				first = e
			}
		}
	}
	if pending > 0 && r.observed == complete {
		found := m.tell("pending-doi", r, r.lr, first.verified.Part, "", "the review is complete, but the verification of "+say.Count(pending, "DOI")+" is Pending")
		advise(found, "Verify the DOIs", "resolve each DOI and record Yes or No")
	}
	for _, t := range r.topics {
		if r.observed >= antagonizing && r.mode == full && r.untabled(t) {
			found := m.tell("missing-evidence-table", r, r.lr, t.heading.Part, short(fold(t.title)), "the topic "+shown(t.title)+" has "+say.Count(t.exemplars, "exemplar")+", but no Evidence Table")
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
	if r.observed < organizing || len(r.papers) == 0 || r.paperTable.cols[paperStatus] < 0 || r.lacksColumn() || r.papersCut {
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
			found := m.tell("wrong-count", r, r.rp, r.countFields[i], countKeys[i], say.Wrong(countKeys[i], itoa(n), itoa(want)+", as many as the table has"+before(r.rp, r.paperTable)))
			offer(found, sdk.Review, "Set "+countKeys[i]+" to "+itoa(want), r.countFields[i].set(itoa(want)))
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
				found := m.tell("ticked-output-missing", r, r.rp, t.Part, name, name+" is ticked, but it is missing or empty")
				offer(found, sdk.Review, "Untick "+name, r.rp.edit(t.Uncheck()))
			case !t.Checked() && r.observed == complete && d.filled:
				found := m.tell("unticked-output", r, r.rp, t.Part, name, name+" exists, but is not ticked")
				offer(found, sdk.Safe, "Tick "+name, r.rp.edit(t.Check()))
			}
		}
	}
	if r.observed == complete {
		m.checkPlaceholders(r)
		m.checkSynthesis(r)
	}
}

// checkSynthesis finds a finished review whose text has entries and nothing that was made of them.
func (m *model) checkSynthesis(r *review) {
	if !r.lr.readable() || r.synthesized() {
		return
	}
	found := m.tell("missing-synthesis", r, r.lr, nil, "", "the review is complete, but "+textName+" has no synthesis; expected text below Key Methodological Insights, Quantitative Summary, Gaps and Limitations or the like")
	offer(found, sdk.Review, "Set Status to "+lines[synthesizing], m.backTo(r, synthesizing))
	advise(found, "Write the synthesis", "write what the papers show together into "+textName)
}

// synthesized reports whether the review text has anything but entries: text in a section that
// synthesizing writes, or below a heading of a topic before its entries.
func (r *review) synthesized() bool {
	for i := range r.lr.heads {
		h := &r.lr.heads[i]
		if n := closing(h.name); n >= 0 && n < allClosings && n != 3 && r.lr.real(h.Heading, true) {
			return true
		}
		if h.level > 1 && closing(h.name) < 0 && kindOf(h.name) == nowhere && !r.isEntryHeading(h.Heading) && r.lr.real(h.Heading, false) {
			return true
		}
	}
	return len(r.entries) == 0
}

func (r *review) isEntryHeading(h markdown.Heading) bool {
	for _, e := range r.entries {
		if h.Start() >= e.Start() && h.Start() < e.Section().End() {
			return true
		}
	}
	return false
}

func (m *model) checkAntagonist(r *review) {
	if r.mode == narrow && !r.isAntagonized() {
		m.tell("unrecorded-critique", r, r.rp, r.antagonist.Part, "", "the review is written, but the Antagonistic Review records no critique")
	}
	if r.mode != full || r.ticked == 0 || r.ticked == len(r.checks) {
		return
	}
	open := r.openChecks(len(r.checks))
	found := m.tell("unticked-antagonistic-check", r, r.rp, r.checks[0].Part, "", "the Antagonistic Review has "+itoa(len(open))+" of "+say.Count(len(r.checks), "check")+" open: "+say.List(open))
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
	if !r.lr.readable() {
		return
	}
	n := 0
	var first markdown.Part
	for i := range r.lr.o.Nodes {
		node := &r.lr.o.Nodes[i]
		if node.Kind != markdown.KindHeading && !textual(node.Kind) {
			continue
		}
		if k := placeholders(text[node.Start:node.End]); k > 0 || isPlaceholder(text[node.Start:node.End]) {
			if n += max(k, 1); !first.OK() {
				first = r.lr.o.At(i)
			}
		}
	}
	if n > 0 {
		found := m.tell("unfilled-placeholder", r, r.lr, first, "", "the review is complete, but "+textName+" has "+say.Count(n, "placeholder"))
		advise(found, "Fill the placeholders", "write what each placeholder asks for, or take it out")
	}
}

// isPlaceholder reports whether a whole text only says that there will be one.
func isPlaceholder(raw string) bool {
	text := fold(strings.Trim(raw, "*_`[](){}<>. "))
	return begins(text, "tbd,tba,todo,to be written,to be completed,to be added,to be done,placeholder,coming soon,insert ") > 0 && len(text) < 40
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
