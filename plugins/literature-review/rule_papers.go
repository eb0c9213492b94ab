package literaturereview

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// lostTable finds a text whose table of papers is gone.
func lostTable(k *look) {
	if len(k.papers) > 0 || k.lacksColumn || k.unread[inPapers] {
		return
	}
	f := k.tell(k.tableAt(inPapers), "", "Paper Tracking has no row, but "+textName+" has "+say.Count(len(k.entries), "entry")+k.entries[0].where())
	f.See(k.entries[0].at(), "the first entry")
	offer(f, "Rebuild "+say.Count(len(k.entries), "row")+" from "+textName, k.rebuiltRows())
}

// annotationsLost finds papers whose annotations are nowhere.
func annotationsLost(k *look) {
	annotated := slices.IndexFunc(k.papers, (*paper).annotated)
	isProcessed := slices.ContainsFunc(k.papers, func(p *paper) bool { return p.rank == processed })
	isGone := k.lr.empty() || isProcessed && k.lr.readable() && !k.hasEntries
	if annotated < 0 || !isGone || k.entryFile || !k.m.docs.Known(k.dir+"Paper_Entry.md") {
		return
	}
	n := k.annotated()
	f := k.tell(k.papers[annotated].said(), "", "Paper Tracking has "+say.Count(n, "annotated paper")+", but "+textName+" has no entry")
	if k.was != nil && k.was.hasEntries && k.was.lr.readable() {
		offer(f, "Restore "+textName+" from the base revision", []sdk.Edit{sdk.Restore(k.lr.path)})
	}
	var edits []sdk.Edit
	for _, p := range k.papers {
		if p.annotated() {
			edits = append(edits, p.set(included)...)
		}
	}
	if len(edits) == n && n < 1000 {
		offer(f, "Set those papers to Included", edits)
	}
}

// wrong says what the status of a paper is, and what is wrong with it.
func (p *paper) wrong(but string) string {
	return "Status of " + p.cite() + " is " + rankName(p.rank) + but
}

func paperLeftBehind(k *look, p *paper) {
	if p.rank != candidate && p.rank != included || p.entry != nil || !k.identifiable && k.hasEntries {
		return
	}
	f := k.tell(p.said(), p.key(), p.wrong("; expected Processed or Excluded in phase "+phaseTitle(k.observed)))
	atEnd := p.rank == candidate && k.observed == complete && k.identifiable
	f.As(severityOf(atEnd))
	offer(f, "Set it to Excluded", p.set(excluded))
	if atEnd {
		k.offerBack(f, organizing)
	}
}

func stalePaper(k *look, p *paper) {
	e := p.entry
	isOpen := (p.rank == candidate || p.rank == included) && k.observed >= organizing
	if e == nil || !isOpen && (p.rank != excluded || e.kind == demoted) {
		return
	}
	f := k.tell(p.said(), p.key(), p.wrong(", but it has an entry"+e.where())).See(e.at(), "its entry")
	if p.rank == included {
		f.As(sdk.Info)
	}
	if level := e.level(); isOpen && level > included {
		offer(f, "Set it to "+rankName(level), p.set(level))
	}
}

// paperBeyond compares the level of a paper with what its entry holds.
func paperBeyond(k *look, p *paper) {
	e := p.entry
	if e == nil {
		if p.rank == processed && p.matchable() {
			offer(k.tell(p.said(), p.key(), p.wrong(", but "+textName+" has no entry of it")).As(sdk.Warning), "Set it to Included", p.set(included))
		}
		return
	}
	// What the entry had in the base is reported by itself.
	hadMore := k.was != nil && slices.ContainsFunc(k.was.entries, func(old *entry) bool {
		return old.surname == e.surname && old.year == e.year && (old.written && !e.written || old.deep > 0 && e.deep == 0)
	})
	lacks := ""
	switch {
	case !p.annotated() || hadMore:
	case !e.written:
		lacks = "there is nothing below the heading of its entry"
	case k.observed == complete && strings.Contains(e.Section().Raw(), "{{"): // the placeholder is reported by itself
	case e.blank != "" && (p.rank >= level3 || among(e.blank, "Summary|Quality Note")):
		lacks = e.blank + " of its entry is blank"
	case e.absent() != "":
		lacks = "its entry has no " + e.absent()
	case p.rank == level4 && e.noDeep && e.deep == 0:
		lacks = "Deep Extraction of its entry is blank"
	case p.rank == level4 && e.deep == 0 && e.has&hasSummary != 0 && !e.other && !k.entryFile:
		lacks = "its entry has no Deep Extraction"
	}
	if lacks != "" {
		f := k.tell(p.said(), p.key(), p.wrong(", but "+lacks+e.where())).As(severityOf(!e.written)).See(e.at(), "its entry")
		level := min(e.level(), p.rank-1)
		offer(f, "Set it to "+rankName(level), p.set(level))
	}
}

func untrackedEntry(k *look, e *entry) {
	if e.paper != nil || len(k.papers) == 0 || k.cutPapers || k.badPaper {
		return
	}
	f := k.tell(e.value, e.name(), "the entry "+say.Quote(e.title)+" has no row in Paper Tracking"+k.tables[inPapers].whole().where())
	if t := k.tables[inPapers]; e.surname != "" && e.surname == surname(e.cite()) && e.year != "" && !k.lacksColumn {
		offer(f, "Add a row for the entry", t.add(t.cells(e.cells(k.nextNumber())...)))
	}
}

func shortExemplar(k *look, p *paper) {
	if p.exemplar && p.rank == level2 {
		k.tell(p.said(), p.key(), say.Wrong("Status of the exemplar "+p.cite(), rankName(level2), "Level-3-Complete or more in phase "+phaseTitle(k.observed)))
	}
}

func demotedMarked(k *look, p *paper) {
	if mark := p.cell(paperExemplar); p.exemplar && p.entry != nil && p.entry.kind == demoted {
		f := k.tell(mark, p.key(), say.Wrong("Exemplar? of "+p.cite(), say.Quote(mark.real()), "No, since its entry is demoted"+p.entry.where()))
		offer(f.See(p.entry.at(), "its entry"), "Set Exemplar? to No", mark.set("No"))
	}
}

func missingEvidence(k *look) {
	for _, t := range k.topics {
		if k.untabled(t) {
			k.tell(t.value, say.Clip(fold(t.title)), "the topic "+say.Quote(t.title)+" has "+say.Count(t.exemplars, "exemplar")+", but no Evidence Table with a row")
		}
	}
}

func unverifiedDOI(k *look, e *entry) {
	if e.unverified(k.review) && begins(fold(clean(e.verified.Text())), "pending") == 0 {
		f := k.tell(k.lr.part(e.verified.Part).or(e.value), e.name(), "the DOI of "+say.Quote(e.title)+" was not verified; expected Verified: Yes, or No with the reason")
		offer(f, "Set Verified to Pending", k.lr.edit(e.verified.Set("Pending")))
	}
}

func pendingDOI(k *look) {
	var first *value
	n := 0
	for _, e := range k.entries {
		if begins(fold(clean(e.verified.Text())), "pending") == 1 {
			n++
			first = first.or(k.lr.part(e.verified.Part))
		}
	}
	if n > 0 && k.observed == complete {
		k.tell(first, "", "the review is complete, but Verified is Pending for "+say.Count(n, "DOI")+"; expected Yes, or No with the reason").As(sdk.Info)
	}
}

func openAntagonist(k *look) {
	var open []string
	for _, t := range k.checks {
		if !t.Checked() {
			open = append(open, say.Clip(t.Text()))
		}
	}
	switch {
	case k.mode == narrow && !k.isAntagonized():
		k.tell(k.headingAt(antagonistSection), "", "the review is in phase "+phaseTitle(k.observed)+", but the Antagonistic Review records no critique")
	case k.mode == full && k.ticked > 0 && len(open) > 0:
		k.tell(k.taskAt(k.checks[0]), "", "the Antagonistic Review has "+say.Int(len(open))+" of "+say.Count(len(k.checks), "check")+" open: "+say.List(open)+"; expected none open in phase "+phaseTitle(k.observed))
	}
}
