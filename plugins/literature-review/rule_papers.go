package literaturereview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// annotationsLost reports papers whose annotations are in no text.
func annotationsLost(k *look) {
	papers := those(k.papers, (*paper).annotated)
	if !k.textGone() {
		return
	}
	f := k.tell(papers[0].said(), "", "Paper Tracking has "+say.Count(len(papers), "annotated paper")+", but "+
		k.noEntry())
	if k.was.hasEntries && k.was.lr.readable() {
		offer(f, "Restore "+textName+" from the base", []sdk.Edit{sdk.Restore(k.lr.path)})
	}
	k.adviseText(f)
	if len(papers) < 1000 {
		offer(f, "Set those papers to Included", k.put(included, papers...))
	}
}

// adviseText says where to search for a text that the base lacks, too.
func (k *look) adviseText(f *check.Finding) {
	if k.textGone() && !k.was.hasEntries {
		f.Advise("Restore "+textName, "Restore it from git or a backup; annotate lost papers again.")
	}
}

// wrong returns a message that quotes the status of a paper and says what is wrong with it.
func (p *paper) wrong(but string) string {
	return "Status of " + p.cite() + " is " + say.Quote(cmp.Or(p.said().real(), paperStatuses.name(p.rank))) + but
}

func paperLeftBehind(k *look, p *paper) {
	if p.exemplar && p.rank == level2 {
		k.tell(p.said(), p.key(), p.wrong("; expected Level-3-Complete or higher for an exemplar in phase "+
			phaseTitle(k.observed))).As(sdk.Warning)
	}
	if p.rank != candidate && p.rank != included || p.entry != nil || !k.identifiable && k.hasEntries {
		return
	}
	f := k.tell(p.said(), p.key(), p.wrong("; expected Processed or Excluded in phase "+phaseTitle(k.observed)))
	atEnd := p.rank == candidate && k.observed == complete && k.identifiable
	f.As(severityOf(atEnd))
	k.offerStatus(f, organizing) // nothing shows that the paper should be excluded
}

func stalePaper(k *look, p *paper) {
	e := p.entry
	if v := first(k.tabled, p.isIn); v != nil && p.rank == excluded && e == nil {
		see(k.tell(p.said(), p.key(), p.wrong(", but the Evidence Table has a row for it"+v.where())), v, "its row")
		return
	}
	isOpen := (p.rank == candidate || p.rank == included) && k.observed >= organizing
	if e == nil || p.differs(e) || !isOpen && (p.rank != excluded || e.kind == demoted) {
		return
	}
	f := see(k.tell(p.said(), p.key(), p.wrong(", but it has an entry"+e.where())), e.value, "its entry")
	if p.rank == included && !((p.exemplar || !e.written) && k.observed >= antagonizing) {
		f.As(sdk.Info)
	}
	if level := k.supported(p); isOpen && level > included {
		offer(f, "Set it to "+paperStatuses.name(level), k.put(level, p))
	}
}

// supported returns the highest status that the entry of a paper supports: the one in the base if the entry did not
// change and lacks nothing that this status claims, or else what its content supports.
func (k *look) supported(p *paper) int {
	e, level, claimed := p.entry, p.entry.level(), *p
	if p.was != nil && p.was.rank != excluded && e.was != nil && e.was.paper == p.was &&
		strings.TrimSpace(e.was.Section().Raw()) == strings.TrimSpace(e.Section().Raw()) {
		if claimed.rank = p.was.rank; k.beyond(&claimed) == "" {
			level = max(level, claimed.rank)
		}
	}
	return level
}

// paperBeyond compares the status of a paper with the content of its entry.
func paperBeyond(k *look, p *paper) {
	e := p.entry
	if e == nil {
		// Only a processed paper must be in the text, but a later phase expects every paper to be processed.
		isEarly := p.rank != processed && k.observed == organizing
		// annotation-lost reports an entry that only the base has
		isTold := some(k.was.entries, func(old *entry) bool { return k.missing(old) == p })
		if p.named() && !isTold && (p.rank == processed || p.annotated() && !k.entryFile && !k.entryLost(p)) {
			f := k.tell(p.said(), p.key(), p.wrong(", but "+textName+" has no entry for it")).As(sdk.Warning)
			if isEarly {
				f.As(sdk.Info)
			}
			offer(f, "Set it to Included", k.put(included, p))
		}
		return
	}
	if lacks := k.beyond(p); lacks != "" {
		f := see(k.tell(p.said(), p.key(), p.wrong(", but "+lacks+e.where())).As(severityOf(!e.written)), e.value,
			"its entry")
		level := min(e.level(), p.rank-1)
		offer(f, "Set it to "+paperStatuses.name(level), k.put(level, p))
	}
}

// beyond returns what the status of a paper claims, but its entry lacks.
func (r *review) beyond(p *paper) string {
	e := p.entry
	// annotation-lost reports what the entry had in the base.
	hadMore := e.was != nil && (e.was.written && !e.written || e.was.deep > 0 && e.deep == 0 || e.poorer(e.was))
	switch {
	case !p.annotated() || hadMore:
		return ""
	case !e.written:
		return "its entry contains only a heading"
	case e.blank != "" && (p.rank >= level3 || among(e.blank, "Summary|Quality Note")):
		return e.blank + " in its entry is blank"
	case e.absent() != "":
		return "its entry has no " + e.absent()
	case p.rank == level3 && e.has == hasSummary|hasQuality && !e.other && e.deep == 0:
		return "its entry has only the fields Summary and Quality Note"
	case p.rank == level4 && e.noDeep && e.deep == 0:
		return "Deep Extraction in its entry is blank, N/A or Abstract only"
	case p.rank == level4 && e.deep == 0 && e.has&hasSummary != 0 && !e.other && !r.entryFile:
		return "its entry has no Deep Extraction"
	}
	return ""
}

// named reports whether the citation has a surname and a year, by which an entry can be found.
func (p *paper) named() bool { return p.surname != "" && len(p.years) > 0 }

// isIn reports whether a row of an evidence table names a paper by surname and year.
func (p *paper) isIn(v *value) bool {
	return p.surname != "" && surname(v.text) == p.surname && some(years(v.text), func(year string) bool {
		return slices.Contains(p.years, year)
	})
}

func untrackedEntry(k *look, e *entry) {
	if e.paper != nil || e.twin != nil && e.twin.paper != nil || len(k.papers) == 0 || k.cutPapers || k.badPaper {
		return
	}
	f := k.tell(e.value, e.name(), "the entry "+say.Quote(e.title)+" has no row in Paper Tracking"+
		k.tables[inPapers].whole().where())
	k.offerWhole(f, k.rp)
	if e.was != nil && e.was.paper != nil && e.was.paper.now == nil { // restore the row instead of making up its cells
		offer(f, "Restore the row", k.rowsBack([]*paper{e.was.paper}))
		return
	}
	if t := k.tables[inPapers]; e.surname != "" && e.surname == surname(unmarked(e.title)) && e.year != "" &&
		!k.lacksColumn {
		offer(f, "Add a row for the entry", t.add(t.cells(k.cells(e, k.tables[inPapers].next())...)))
	}
}

// untrackedEvidence reports rows of an evidence table that name a paper which is neither tracked nor has an entry, if
// other rows name tracked papers.
func untrackedEvidence(k *look) {
	isTracked := func(v *value) bool { return some(k.papers, func(p *paper) bool { return p.isIn(v) }) }
	if k.cutPapers || k.badPaper || !some(k.tabled, isTracked) {
		return
	}
	for _, v := range k.tabled {
		who := surname(v.text)
		// another row may name the paper by another of its authors
		isKnown := func(p *paper) bool { return !p.named() || strings.Contains(markdown.Lower(p.Raw()), who) }
		hasEntry := func(e *entry) bool { return e.surname == who || e.paper == nil }
		if who != "" && len(years(v.text)) == 1 && !some(k.papers, isKnown) && !some(k.entries, hasEntry) {
			k.tell(v, say.Clip(fold(v.text)), "the Evidence Table has a row for "+say.Quote(v.text)+
				", which is not in Paper Tracking"+k.tables[inPapers].whole().where()).Advise("Correct the row",
				"Name the paper that the row is about, or track this paper.")
		}
	}
}

func missingEvidence(k *look) {
	for _, t := range k.untabled() {
		if t.exemplars > 0 {
			k.tell(t.value, say.Clip(fold(t.title)),
				"the topic "+say.Quote(t.title)+" has "+say.Count(t.exemplars, "exemplar")+
					", but no Evidence Table with a row")
		} else if n := k.annotated(); n > 0 {
			k.tell(k.entries[0].value, "", textName+" has "+say.Count(n, "annotated paper")+
				", but no Evidence Table with a row")
		}
	}
}

// openDOIs returns the entries with unverified DOIs, the number of entries with a DOI, and whether the verification is
// still in progress: other DOIs are verified, and these are Pending.
func (r *review) openDOIs() (open []*entry, all int, isRunning bool) {
	have := those(r.entries, func(e *entry) bool { return e.hasDOI })
	open = those(have, func(e *entry) bool { return e.unverified(r) })
	waiting := those(open, func(e *entry) bool { return begins(fold(e.said), "pending") > 0 })
	return open, len(have), len(open) < len(have) && len(open) == len(waiting)
}

// unverifiedDOIs reports unverified DOIs. While the verification is in progress, it reports them only in a finished
// review.
func unverifiedDOIs(k *look) {
	open, all, isRunning := k.openDOIs()
	if len(open) == 0 || isRunning && k.observed < complete {
		return
	}
	titles := each(open, func(e *entry) string { return say.Clip(e.title) })
	at := k.lr.part(open[0].verified.Part).or(open[0].value)
	f := k.tell(at, "", say.Int(len(open))+" of "+say.Count(all, "DOI")+" are not recorded as verified: "+
		say.List(titles)+"; expected Verified: Yes, or No with the reason, in phase "+phaseTitle(k.observed))
	if isRunning {
		f.As(sdk.Info)
	}
}

func openAntagonist(k *look) {
	switch open := k.unticked; {
	case k.unfinished.ok():
		k.tell(k.unfinished, "", "the Antagonistic Review says "+say.Quote(k.unfinished.text)+
			"; expected it to be finished in phase "+phaseTitle(k.observed))
	case k.mode == narrow && !k.isAntagonized():
		k.tell(k.headingAt(antagonistSection), "",
			"the review is in phase "+phaseTitle(k.observed)+", but the Antagonistic Review records no critique")
	case k.mode == full && len(k.ticked) > 0 && len(open) > 0:
		k.tell(k.taskAt(k.checks[0]), "", "the Antagonistic Review has "+say.Int(len(open))+" of "+
			say.Count(len(k.checks), "check")+" open: "+say.List(open)+"; expected none to be open in phase "+
			phaseTitle(k.observed))
	}
}
