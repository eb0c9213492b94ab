package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

// The sources of the upstream's templates in the order in which they are searched; others are extra.
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

// sourceWords are the names that they go by.
var sourceWords = [...]string{"websearch|web|websearches|generalwebsearch", "greyliterature|grayliterature|grey|gray", "pubmed|medline", "semanticscholar|s2",
	"citationchaining|chaining|citationchasing|snowballing", "seedbasedrecommendation|seedbasedrecommendations|recommendation|recommendations|seedbased"}

// sourceOf reads the name of a source.
func sourceOf(s string) int {
	if cut := strings.IndexAny(s, "(/,&+"); cut > 0 {
		s = s[:cut]
	}
	name := markdown.Name(s)
	for id, names := range sourceWords {
		if among(name, names) {
			return id
		}
	}
	return extraSource
}

// required and offered say which sources a review needs and may use. A review whose table names
// sources of its own needs them all.
func (r *review) required(id int) bool {
	return r.ownSources || r.mode == full && id < extraSource || id == webSearch
}

func (r *review) offered(id int) bool {
	return r.ownSources || r.mode != narrow || id != pubMed && id != semanticScholar
}

// The classes of a source's status; unknown is the zero class.
const (
	classPending = iota + 1
	classRunning
	classComplete
	classSkipped
)

const classWords = "pending,not started,planned,todo,to do,open,not begun|in progress,started,active,running,ongoing,searching|complete,completed,done,finished,searched|" +
	"skipped,n/a,not applicable,waived,rate limited,partial,unavailable,timed out,excluded"

func className(class int) string {
	return [...]string{"unknown", "Pending", "In Progress", "Complete", "Skipped"}[class]
}

// classOf reads the status of a source; a mark alone says that it is done.
func classOf(s string) int {
	if words := clean(s); words != "" {
		return begins(fold(words), classWords)
	}
	if yesNo(s) == "yes" {
		return classComplete
	}
	return classPending
}

// The columns of Search Status by Source.
const (
	srcType = iota
	srcStatus
	srcPlanned
	srcExecuted
	srcResults
	srcUnique
	srcQueries // planned or executed ones, which is not known
	srcColumns
)

// A source is a row of Search Status by Source.
type source struct {
	markdown.Row
	id      int
	name    string // as it is written
	key     string // the name in the form in which names are compared
	status  string
	class   int
	bad     bool // more cells than the header
	twin    *source
	counts  [srcColumns - srcPlanned]int
	plan    *plan // of Search_Methods.md, never nil
	settled bool
}

// A concept is a row of Core Concepts.
type concept struct {
	markdown.Row
	name, lacks string
	shallow     bool
}

func (r *review) readSources() {
	t := r.rp.table(sourcesSection, "!sourcetype|source|sourcename|searchsource|database|sources", "!status|state|searchstatus|progress",
		"queriesplanned|planned|plannedqueries", "queriesexecuted|executed|executedqueries|queriesrun|queriesdone",
		"results|papersfound|found|papers|hits|resultsfound|numberofresults", "newunique|new|unique|newpapers|uniquepapers", "queries|query*")
	r.sourceTable = t
	if t.cols[srcType] < 0 || t.cols[srcStatus] < 0 {
		return
	}
	if t.cols[srcQueries] == t.cols[srcPlanned] || t.cols[srcQueries] == t.cols[srcExecuted] {
		t.cols[srcQueries] = -1
	}
	known := 0
	for _, w := range t.rows {
		s := &source{Row: w, name: t.real(w, srcType), bad: t.excess(w), plan: &plan{}}
		if s.name == "" {
			continue
		}
		s.id, s.key = sourceOf(s.name), markdown.Name(s.name)
		s.class = classPending
		if s.bad {
			r.excess = append(r.excess, excess{w, t.width})
		} else {
			s.status = t.real(w, srcStatus)
			s.class = classOf(t.text(w, srcStatus))
		}
		for i := range s.counts {
			s.counts[i] = absent
			if !s.bad {
				s.counts[i] = r.countCell(&t, w, srcPlanned+i, s.name+" "+r.countName(i))
			}
		}
		for _, other := range r.sources {
			if s.twin == nil && (s.id < extraSource && other.id == s.id || fold(other.name) == fold(s.name)) {
				s.twin = other
			}
		}
		if s.id < extraSource && s.twin == nil {
			known++
		}
		r.sources = append(r.sources, s)
	}
	r.ownSources = known < 4 && len(r.sources) > 1 && known < len(r.sources)
}

// countName is how the table calls a counter.
func (r *review) countName(i int) string {
	if title := r.sourceTable.Header().Cell(r.sourceTable.cols[srcPlanned+i]).Text(); title != "" {
		return title
	}
	return [...]string{"Queries Planned", "Queries Executed", "Results", "New Unique", "Queries"}[i]
}

// unsettled reports whether a source still has to be searched.
func (r *review) unsettled(s *source) bool {
	return s.class == classRunning || s.class == 0 || s.class == classPending && r.required(s.id) && s.twin == nil
}
