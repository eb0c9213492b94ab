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
	t := r.rp.table("papertracking", "Citation,Status", "#", "citation", "sourcetype", "source", "relevance", "status", "exemplar", "doi*")
	r.paperTable = t
	t.cols[paperID] = max(t.cols[paperID], columns(t.Table, []string{"pmid"}).cols[0])
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
		kind := begins(fold(t.real(w, paperExemplar)), exemplarWords)
		p.exemplar, p.chosen = kind >= 2, kind == 3
		r.papers = append(r.papers, p)
	}
	sections := [...]markdown.Section{r.rp.heading("papertracking").Section(), r.rp.heading("literaturedensity").Section()}
	for i, key := range countKeys {
		r.counts[i] = absent
		for _, s := range sections {
			if f := s.Field(key); f.OK() && !r.countFields[i].OK() {
				r.countFields[i] = f
				r.counts[i] = r.count(r.rp, f.Value(), key)
			}
		}
	}
	if r.density = sections[1].Field("Classification"); !r.density.OK() {
		r.density = sections[0].Field("Classification")
	}
}

const exemplarWords = "no,none|yes|user designated|promoted"

var countKeys = [...]string{"Total Found", "Included", "Exemplars", "Excluded"}

// The counts below the table of papers.
const (
	totalFound = iota
	countIncluded
	countExemplars
	countExcluded
)
