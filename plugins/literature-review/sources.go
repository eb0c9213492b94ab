package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
)

// The sources in the upstream's templates, in the order in which they are searched. Every other source is an
// extraSource.
const (
	webSearch = iota
	greyLiterature
	pubMed
	semanticScholar
	citationChaining
	recommendation
	extraSource
)

var sourceNames = [...]string{"Web search", "Grey literature", "PubMed", "Semantic Scholar", "Citation chaining",
	"Seed-based recommendation"}

// sourceWords are the names that documents use for these sources.
var sourceWords = [...]string{"websearch|web", "greyliterature|grayliterature|grey|gray|greylit|graylit",
	"pubmed|medline", "semanticscholar|s2",
	"citationchaining|chaining|citationchasing|citationchase|snowballing",
	"seedbasedrecommendation|recommendation|recommendations|seedbased|seedrecommendation|seedrecommendations"}

// sourceFillers are words of a source's name that do not identify it.
const sourceFillers = "search|searches|searching|engine|engines|database|databases|api|source|sources|general|forward|backward|paper|papers|based|mcp|server"

// sourceOf returns the source that a name refers to.
func sourceOf(s string) int {
	if cut := strings.IndexAny(s, "(/,&+"); cut > 0 && markdown.Name(bareSource(s[:cut])) != "" {
		s = s[:cut]
	}
	for _, name := range [...]string{markdown.Name(s), markdown.Name(bareSource(s))} {
		if id := placeAmong(name, sourceWords[:]); id >= 0 {
			return id
		}
	}
	return extraSource
}

// bareSource returns the name of a source without fillers.
func bareSource(s string) string {
	parted := func(r rune) bool { return strings.ContainsRune(" \t-/", r) }
	bare := ""
	for _, word := range strings.FieldsFunc(s, parted) {
		if !among(markdown.Name(word), sourceFillers) {
			bare += word + " "
		}
	}
	return bare
}

// required reports whether a review needs a source. A review whose table names sources of its own needs them all.
func (r *review) required(id int) bool {
	return r.ownSources || r.mode == full && id < extraSource || id == webSearch
}

// offered reports whether a review may use a source.
func (r *review) offered(id int) bool {
	return r.hasOwnTable() || r.mode != narrow || id != pubMed && id != semanticScholar
}

// hasOwnTable reports whether the table of sources is not that of the templates: it has rows, but fewer than four of
// the templates' sources.
func (r *review) hasOwnTable() bool { return len(r.sources) > 0 && r.ofTemplates < 4 }

// The statuses of a source.
const (
	unknownStatus = iota - 1
	sourcePending
	sourceRunning
	sourceComplete
	sourceSkipped
)

var sourceStatuses = vocabulary{names: []string{"Pending", "In Progress", "Complete", "Skipped"},
	statuses: []status.Status{status.Open, status.InProgress, status.Done, status.Cancelled},
	own: map[string]status.Status{"planned": status.Open, "searching": status.InProgress, "searched": status.Done,
		"waived": status.Cancelled, "rate_limited": status.Cancelled, "partial": status.Cancelled,
		"unavailable": status.Cancelled, "timed_out": status.Cancelled, "excluded": status.Cancelled}}

// The columns of Search Status by Source.
const (
	srcType = iota
	srcStatus
	srcPlanned
	srcExecuted
	srcResults
	srcUnique
	srcQueries // planned or executed queries; the table does not say which
	srcColumns
)

// A source is a row of Search Status by Source.
type source struct {
	_ [0]func() // not comparable; see entry
	record
	id     int
	name   string // as the table writes it
	key    string // the name in the form in which names are compared
	status int
	twin   *source // an earlier row of the same source, which is used
	counts [srcColumns]count
	plan   *plan   // in Search_Methods.md; never nil
	was    *source // the same source in the base, or nil if it was missing or cannot be compared
	had    *plan   // the plan in the base; empty if there was none
}

func (s *source) settled() bool { return s.status == sourceComplete || s.status == sourceSkipped }

// executed reports whether every planned query of a source was executed.
func (s *source) executed() bool { return len(s.plan.items) > 0 && len(s.plan.open()) == 0 }

// unrecorded reports whether the state file has neither results nor papers of a source.
func (r *review) unrecorded(s *source) bool {
	return max(s.counts[srcResults].n, s.counts[srcUnique].n) <= 0 &&
		!some(r.papers, func(p *paper) bool { return !p.bad() && p.from(s) })
}

// ending returns what is still to be done before an open source is complete.
func (r *review) ending(s *source) string {
	left := ""
	switch open := s.plan.open(); {
	case s.executed() && r.unrecorded(s):
		return "every planned query is executed; record the papers that it found, if any, then set it to Complete"
	case s.executed():
		return "every planned query is executed; set it to Complete"
	case len(open) > 0:
		left = "; open: " + say.List(open)
	}
	return "it is " + sourceStatuses.name(s.status) + "; finish its search, or set it to Skipped" + left
}

// found returns the number of papers that a source added, or else the number of papers that it found.
func (s *source) found() int {
	if n := s.counts[srcUnique].n; n >= 0 {
		return n
	}
	return s.counts[srcResults].n
}

// said returns the status of a source as the table writes it.
func (s *source) said() *value { return s.cell(srcStatus) }

// word returns the status of a source for a message.
func (s *source) word() string {
	if text := s.said().real(); text != "" {
		return say.Quote(text)
	}
	return "blank"
}

// same reports whether two rows, in this revision or the base, are about the same source.
func (s *source) same(other *source) bool {
	return s.id < extraSource && other.id == s.id || fold(other.name) == fold(s.name)
}

func (r *review) readSources() {
	names := [...]string{"!sourcetype|source|sourcename|searchsource|database|sources",
		"!status|state|searchstatus|progress",
		"queriesplanned|planned|plannedqueries", "queriesexecuted|executed|executedqueries|queriesrun|queriesdone",
		"results|papersfound|found|papers|hits|resultsfound|numberofresults",
		"newunique|new|unique|newpapers|uniquepapers", "queries|query*"}
	t := r.rp.table(sourcesSection, names[:]...)
	if !r.rp.heading(sourcesSection).OK() && t.known == 2 && t.Column("Budget (Full)") >= 0 {
		t = r.rp.columns(markdown.Table{}, names[:]) // the table is Search Budget
	}
	r.tables[inSources] = t
	if t.cols[srcType] < 0 || t.cols[srcStatus] < 0 {
		return
	}
	if t.cols[srcQueries] == t.cols[srcPlanned] || t.cols[srcQueries] == t.cols[srcExecuted] {
		t.cols[srcQueries] = -1
	}
	for _, w := range t.records {
		s := &source{record: w, name: w.real(srcType)}
		if s.name == "" || among(fold(s.name), "total|totals|sum|overall|all sources") {
			continue
		}
		s.id, s.key = sourceOf(s.name), markdown.Name(s.name)
		switch at := s.said(); {
		case w.bad():
			r.excess = append(r.excess, w)
		case at.real() == "" && yesNo(at.text) == "yes":
			s.status = sourceComplete // the cell contains only a check mark
		case at.real() != "" || garbled(at.text):
			s.status = r.word(at, "Status of "+s.name, at.text, &sourceStatuses)
		}
		for i := range s.counts {
			if s.counts[i].n = absent; i >= srcPlanned && !w.bad() {
				s.counts[i] = counted(w.cell(i))
			}
		}
		if s.twin = first(r.sources, s.same); s.twin == nil && s.id < extraSource {
			r.ofTemplates++
		}
		r.sources = append(r.sources, s)
	}
	r.ownSources = r.hasOwnTable() && len(r.sources) > 1 && r.ofTemplates < len(r.sources)
}

// countName returns the table's name for a counter.
func (r *review) countName(i int) string {
	t := r.tables[inSources]
	if title := t.Header().Cell(t.cols[i]).Text(); title != "" {
		return title
	}
	return [...]string{srcPlanned: "Queries Planned", srcExecuted: "Queries Executed", srcResults: "Results",
		srcUnique: "New Unique", srcQueries: "Queries"}[i]
}

// has reports whether there is a row for a source.
func (r *review) has(id int) bool {
	return some(r.sources, func(s *source) bool { return s.id == id })
}

// unsettled reports whether a source still has to be searched.
func (r *review) unsettled(s *source) bool {
	return s.status == sourceRunning || s.status == unknownStatus || s.status == sourcePending && r.required(s.id) &&
		s.twin == nil
}

// begun returns the first source that was begun, or nil if none was.
func (r *review) begun() *source {
	return first(r.sources, func(s *source) bool { return s.status == sourceRunning || s.status == sourceComplete })
}

func (r *review) hasRun() bool { return r.ran || r.begun() != nil }

// isUnsettled reports whether any source is open. In a full review, a source without a row is open, too.
func (r *review) isUnsettled() bool {
	return some(r.sources, r.unsettled) || r.mode == full && !r.hasOwnTable() && r.ofTemplates < extraSource
}

// ordered returns the sources in table order, followed by the template sources that need a row and have none.
func (r *review) ordered() []*source {
	list := those(r.sources, func(s *source) bool { return s.twin == nil })
	for id, name := range sourceNames {
		if !r.hasOwnTable() && !r.unread[inSources] && r.required(id) && !r.has(id) {
			list = append(list, &source{id: id, name: name, key: markdown.Name(name), plan: r.plans[id]})
		}
	}
	return list
}
