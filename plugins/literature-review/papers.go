package literaturereview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// The columns of Paper Tracking.
const (
	paperNumber = iota
	paperCitation
	paperType
	paperSource
	paperRelevance
	paperStatus
	paperExemplar
	paperID
	paperAuthor
	paperYear
)

// The statuses of a paper, by rank.
const (
	candidate = iota
	included
	level2
	level3
	level4
	processed
	excluded
)

var paperStatuses = vocabulary{names: []string{"Candidate", "Included", "Level-2-Complete", "Level-3-Complete",
	"Level-4-Complete", "Processed", "Excluded"},
	groups: "candidate|included|level 2 complete,l2 complete|level 3 complete,l3 complete|level 4 complete,l4 " +
		"complete|processed|excluded"}

// exemplarWords are the words that mark an exemplar. The workflow does not define any.
const exemplarWords = "yes,y,true,1,exemplar,ja,oui,sí,si,sim,user designated,user,promoted"

// A paper is a row of Paper Tracking that is not a placeholder.
type paper struct {
	_ [0]func() // not comparable; see entry
	record
	number, citation, id string
	slug, surname        string // derived from the citation
	years                []string
	rank                 int
	exemplar             bool
	entry                *entry
	twin                 *paper // an earlier row of the same paper
	lesser               bool   // another row of the same paper records at least the same work
	was, now             *paper // the same paper in the base; for a paper of the base, the current one; or nil
}

// The stages of organizing.
const (
	stage3A = iota
	stage3B
	stage3C
	stage3D
	stage3E
	stageDone
)

var stageNames = [...]string{"3A", "3B", "3C", "3D", "3E", "done"}

func (r *review) readPapers() {
	t := r.rp.table(papersSection, "#|no|nr|id", "!citation|title|paper|reference|study|article|author*|papers",
		"sourcetype", "source",
		"relevance", "!status|processingstatus|state", "exemplar|exemplar*", "doi*|pmid|identifier", "author*",
		"year|publicationyear|date")
	r.tables[inPapers] = t
	r.lacksColumn = len(t.records) > 0 && (t.cols[paperCitation] < 0 || t.cols[paperStatus] < 0)
	for _, w := range t.records {
		p := &paper{record: w, rank: unknownStatus}
		if w.bad() {
			r.excess = append(r.excess, w)
			p.citation, r.badPaper = say.Clip(w.Raw()), true
		} else if p.citation = w.real(paperCitation); p.citation == "" {
			if w.Len() <= t.cols[paperCitation] {
				r.stub = w.whole()
			}
			continue
		} else {
			p.number, p.id = w.real(paperNumber), identifier(w.text(paperID))
			p.date(t.cols[paperAuthor] == t.cols[paperCitation])
			if status := w.cell(paperStatus); status.column >= 0 {
				p.rank = r.word(status, "Status of "+p.cite(), status.real(), &paperStatuses)
			}
			p.exemplar = begins(yesNo(w.text(paperExemplar)), exemplarWords) > 0
		}
		p.slug, p.surname, p.years = slug(p.citation), surname(p.citation), years(p.citation)
		r.papers = append(r.papers, p)
	}
	fields := append(r.rp.fields(r.rp.heading(papersSection).Section()),
		r.rp.fields(r.rp.heading("literaturedensity").Section())...)
	for i, key := range [...]string{"totalfound|found", "included", "exemplars", "excluded"} {
		r.counts[i] = counted(r.rp.pick(fields, key))
	}
	r.findTwins()
	_, cut := r.cutRows(needed[inPapers].title, papersSection)
	section := r.rp.heading(papersSection).Section()
	isTorn := section.End() >= len(r.rp.o.Text) && r.rp.torn() != "" // the file ends there, so rows may be lost
	r.cutPapers = cut != "" || isTorn || r.rp.elided(section.Start(), section.End()).ok()
}

// findTwins finds rows of the same paper: with the same id, or with the same citation unless both have an id. Excluded
// rows do not count, and two Candidates may be the same paper, because triage decides that.
func (r *review) findTwins() {
	first := map[string]*paper{}
	for _, p := range r.papers {
		if p.bad() || p.rank == excluded {
			continue
		}
		citation := p.slug
		if strings.Count(citation, "-") < 2 {
			citation = slug(strings.Replace(p.Raw(), p.number, "", 1)) // several papers may have the same name and year
		}
		for i, mark := range [...]string{p.id, citation} {
			twin := first[mark]
			if mark == "" || twin == nil {
				first[mark] = p
			} else if !(i == 1 && p.id != "" && twin.id != "") && max(p.rank, twin.rank) >= included {
				p.twin, p.lesser = twin, p.rank <= twin.rank
				twin.lesser = twin.lesser || !p.lesser
				break
			}
		}
	}
}

// spare reports whether a row can be excluded, because another row of the same paper has its work.
func (p *paper) spare() bool { return p.lesser && p.entry == nil }

// date adds the author and the year, from their columns, to a citation that lacks a year.
func (p *paper) date(byAuthor bool) {
	author, year := p.real(paperAuthor), years(p.text(paperYear))
	if len(year) == 0 || len(years(p.citation)) > 0 {
		return
	}
	title := ": " + p.citation
	if byAuthor || author == "" {
		author, title = p.citation, ""
	}
	p.citation = author + " (" + year[0] + ")" + title
}

var countKeys = [...]string{"Total Found", "Included", "Exemplars", "Excluded"}

// The counts below the table of papers.
const (
	totalFound = iota
	countIncluded
	countExemplars
	countExcluded
)

// key returns the text that identifies a paper: its id, or else its citation.
func (p *paper) key() string {
	return cmp.Or(p.id, say.Clip(fold(p.citation)))
}

// cite returns the name of a paper for a message.
func (p *paper) cite() string { return say.Quote(p.citation) }

// said returns the status of a paper as the table writes it.
func (p *paper) said() *value { return p.cell(paperStatus) }

// annotated reports whether a paper has the status of an annotated paper.
func (p *paper) annotated() bool { return p.rank >= level2 && p.rank <= processed }

// annotated returns the number of annotated papers.
func (r *review) annotated() int { return r.many((*paper).annotated) }

// kept returns the number of papers that are not excluded.
func (r *review) kept() int { return r.many(func(p *paper) bool { return p.rank != excluded }) }

// many returns the number of papers that a function accepts.
func (r *review) many(are func(*paper) bool) int { return len(those(r.papers, are)) }

// means reports whether an entry may be about the paper.
func (p *paper) means(e *entry) bool {
	return !p.bad() && (p.sameID(e) || p.sameName(e))
}

// from reports whether the paper's row says that the paper was found in a source.
func (p *paper) from(s *source) bool {
	return s.key != "" && (markdown.Name(p.real(paperSource)) == s.key || markdown.Name(p.real(paperType)) == s.key)
}

// sameTitle reports whether the paper's citation contains the title of an entry, which must have at least three words.
func (p *paper) sameTitle(e *entry) bool { return !p.bad() && p.titled(e.title) }

func (p *paper) titled(title string) bool {
	words := slug(unnumbered(title))
	return strings.Count(words, "-") >= 2 && strings.Contains("-"+p.slug+"-", "-"+words+"-")
}

func (p *paper) sameID(e *entry) bool { return e.id != "" && e.id == p.id }

func (p *paper) sameName(e *entry) bool {
	return e.surname != "" && e.surname == p.surname && slices.Contains(p.years, e.year)
}

// differs reports whether a paper and an entry have different DOIs.
func (p *paper) differs(e *entry) bool {
	return strings.HasPrefix(p.id, "10.") && strings.HasPrefix(e.id, "10.") && p.id != e.id
}

// tracked returns the paper that an entry of the base is about, or nil if there is none or it has an entry now.
func (r *review) tracked(old *entry) *paper {
	return first(r.papers, func(p *paper) bool { return p.entry == nil && p.means(old) })
}
