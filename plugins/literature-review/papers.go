package literaturereview

import (
	"github.com/stategate/stategate/sdk/markdown"
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
)

// The statuses of a paper by their rank.
const (
	candidate = iota
	included
	level2
	level3
	level4
	processed
	excluded
	unknownStatus = -1
)

var statusNames = [...]string{"Candidate", "Included", "Level-2-Complete", "Level-3-Complete", "Level-4-Complete", "Processed", "Excluded"}

const statusWords = "candidate|included|level 2 complete,l2 complete|level 3 complete,l3 complete|level 4 complete,l4 complete|processed|excluded"

// A paper is a real row of Paper Tracking.
type paper struct {
	markdown.Row
	number, citation, status, id string
	rank                         int
	bad                          bool // more cells than the header
	exemplar, chosen             bool // chosen by the user
	entry                        *entry
	stage                        int
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
	t := r.rp.table(papersSection, "#|no|nr|id", "!citation|title|paper|reference|study|article|author*|papers", "sourcetype", "source",
		"relevance", "!status|processingstatus|state", "exemplar|exemplar*", "doi*|pmid|identifier")
	r.paperTable = t
	for _, w := range t.rows {
		if t.excess(w) {
			r.excess = append(r.excess, excess{w, t.width})
			r.papers = append(r.papers, &paper{Row: w, bad: true, rank: unknownStatus, citation: short(w.Raw())})
			continue
		}
		p := &paper{Row: w, citation: t.real(w, paperCitation), rank: unknownStatus}
		if p.citation == "" {
			continue
		}
		p.number, p.status = t.real(w, paperNumber), t.real(w, paperStatus)
		p.rank = begins(fold(p.status), statusWords) - 1
		p.id = identifier(t.text(w, paperID))
		kind := begins(yesNo(t.text(w, paperExemplar)), exemplarWords)
		p.exemplar, p.chosen = kind >= 2, kind == 3
		r.papers = append(r.papers, p)
	}
	fields := append(r.rp.fields(r.rp.heading(papersSection).Section()), r.rp.fields(r.rp.heading("literaturedensity").Section())...)
	for i, key := range [...]string{"totalfound|found", "included", "exemplars", "excluded"} {
		r.countFields[i] = pick(fields, key)
		r.counts[i] = r.count(r.rp, r.countFields[i], countKeys[i], r.countFields[i].Text())
	}
	r.density = pick(fields, "classification")
}

const exemplarWords = "no,n,none,false,0,supporting|yes,y,true,1,exemplar|user designated,user|promoted"

var countKeys = [...]string{"Total Found", "Included", "Exemplars", "Excluded"}

// The counts below the table of papers.
const (
	totalFound = iota
	countIncluded
	countExemplars
	countExcluded
)
