package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

// The sources in the order in which they are searched; further ones are extra.
const (
	webSearch = iota
	greyLiterature
	pubMed
	semanticScholar
	citationChaining
	recommendation
	extraSource
)

var sourceNames = [...]string{"Web search", "Grey literature", "PubMed", "Semantic Scholar", "Citation chaining", "Seed-based recommendation"}

// sourceOf reads the name of a source.
func sourceOf(s string) int {
	if cut := strings.IndexAny(s, "(/,&+"); cut > 0 {
		s = s[:cut]
	}
	switch markdown.Name(s) {
	case "websearch", "web", "websearches":
		return webSearch
	case "greyliterature", "grayliterature", "grey", "gray":
		return greyLiterature
	case "pubmed":
		return pubMed
	case "semanticscholar", "s2":
		return semanticScholar
	case "citationchaining", "chaining":
		return citationChaining
	case "seedbasedrecommendation", "seedbasedrecommendations", "recommendation", "recommendations":
		return recommendation
	}
	return extraSource
}

// required and offered say which sources a mode needs and may use.
func required(mode, id int) bool { return mode == full && id < extraSource || id == webSearch }

func offered(mode, id int) bool {
	return mode != narrow || id != pubMed && id != semanticScholar
}

// The classes of a source's status; unknown is the zero class.
const (
	classPending = iota + 1
	classRunning
	classComplete
	classSkipped
)

const classWords = "pending,not started,planned|in progress,started,active,running|complete,completed,done|" +
	"skipped,n/a,not applicable,waived,rate limited,partial,unavailable,timed out"

func className(class int) string {
	return [...]string{"unknown", "Pending", "In Progress", "Complete", "Skipped"}[class]
}

// The columns of Search Status by Source.
const (
	srcType = iota
	srcStatus
	srcPlanned
	srcExecuted
	srcResults
	srcUnique
)

// A source is a row of Search Status by Source.
type source struct {
	markdown.Row
	id      int
	name    string // as it is written
	status  string
	class   int
	bad     bool // more cells than the header
	twin    *source
	counts  [4]int // planned, executed, results, new unique
	plan    *plan  // of Search_Methods.md, never nil
	settled bool
}

// A concept is a row of Core Concepts.
type concept struct {
	markdown.Row
	name, lacks string
	shallow     bool
}

func (r *review) readSources() {
	t := r.rp.table("searchstatusbysource", "Source Type,Status,Queries Planned", "sourcetype", "status", "queriesplanned", "queriesexecuted", "results", "newunique")
	r.sourceTable = t
	if t.cols[srcType] < 0 || t.cols[srcStatus] < 0 {
		return
	}
	for _, w := range t.rows {
		s := &source{Row: w, name: t.real(w, srcType), bad: t.excess(w), plan: &plan{}, counts: [4]int{absent, absent, absent, absent}}
		if s.name == "" {
			continue
		}
		s.id = sourceOf(s.name)
		if s.bad {
			r.excess = append(r.excess, excess{w, t.width})
			s.class = classPending
		} else {
			s.status = t.real(w, srcStatus)
			s.class = begins(fold(s.status), classWords)
			if s.status == "" {
				s.class = classPending
			}
			for i := range s.counts {
				s.counts[i] = r.count(r.rp, t.at(w, srcPlanned+i).Part, s.name+" "+countNames[i])
			}
		}
		for _, other := range r.sources {
			if s.twin == nil && (s.id < extraSource && other.id == s.id || fold(other.name) == fold(s.name)) {
				s.twin = other
			}
		}
		r.sources = append(r.sources, s)
	}
}

var countNames = [...]string{"Queries Planned", "Queries Executed", "Results", "New Unique"}

// unsettled reports whether a source still has to be searched.
func (r *review) unsettled(s *source) bool {
	return s.class == classRunning || s.class == 0 || s.class == classPending && required(r.mode, s.id) && s.twin == nil
}
