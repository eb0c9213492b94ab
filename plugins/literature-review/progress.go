package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

// The modes of a review.
const (
	noMode = iota
	narrow
	full
)

func modeName(mode int) string {
	return [...]string{"", "Narrow Search", "Full Review"}[mode]
}

// modeOf reads a mode. Of an upgrade the last one named counts, else the first.
func modeOf(s string) int {
	s = strings.ToLower(s)
	upgraded := strings.Contains(s, "→") || strings.Contains(s, "->") || strings.Contains(s, "upgraded to")
	find := strings.Index
	if upgraded {
		find = strings.LastIndex
	}
	a, b := find(s, "narrow"), find(s, "full")
	switch {
	case a < 0 && b < 0:
		return noMode
	case b < 0, a >= 0 && (a < b) != upgraded:
		return narrow
	}
	return full
}

// A claim is what a Status says.
type claim struct {
	text      string
	phase     int
	abandoned bool
	words     int // the phase that its words name if it is another one, else noPhase
}

const phaseWords = "initial|interview|search|organi|antagoni|synthesi|complete,done"

func claimOf(s string) claim {
	c := claim{text: s, phase: noPhase, words: noPhase}
	s = strings.ToLower(clean(s))
	if strings.HasPrefix(s, "abandoned") || strings.HasPrefix(s, "cancelled") {
		c.abandoned = true
		return c
	}
	rest, ok := strings.CutPrefix(s, "phase")
	rest = strings.TrimSpace(rest)
	if !ok || rest == "" || !digit(rest[0]) {
		c.phase = theWord(s)
		return c
	}
	n := 0
	for rest != "" && digit(rest[0]) && n < 10 {
		n, rest = n*10+int(rest[0]-'0'), rest[1:]
	}
	if rest != "" && rest[0] >= 'a' && rest[0] <= 'e' {
		rest = rest[1:]
	}
	named := strings.TrimLeft(rest, "-–—:( \t")
	if named != "" && len(named) == len(rest) || n > 5 {
		return c // words that nothing parts from the number, or no such phase
	}
	c.phase = n
	word := begins(named, phaseWords) - 1
	if n == 5 && word == complete {
		c.phase = complete
	}
	if word >= 0 && word != c.phase && word != complete {
		c.words = word
	}
	return c
}

// theWord is the phase that a text without a number names with one word.
func theWord(s string) int {
	found := noPhase
	for _, word := range strings.FieldsFunc(s, markdown.Symbol) {
		if n := begins(word, phaseWords) - 1; n >= 0 {
			if found >= 0 && found != n {
				return noPhase
			}
			found = n
		}
	}
	if begins(s, phaseWords)-1 != found {
		return noPhase
	}
	return found
}

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

// A round is a row of Convergence Tracking or a round of the search log.
type round struct {
	d       *document
	at      markdown.Part
	n       int
	overlap int
}

// A counted number is one that a rule wants to speak of.
type counted struct {
	d    *document
	at   markdown.Part
	name string
	text string
}

// readProgress reads REVIEW_PROGRESS.md.
func (r *review) readProgress() {
	d := r.rp
	r.readHeader()
	goals := d.heading("researchgoals").Section()
	for i, key := range [...]string{"Primary Research Question", "Methodological Needs", "Exclusions"} {
		r.goals[i] = d.real(goals.Find(key), true)
		if f := goals.Field(key); f.OK() {
			r.goals[i] = r.goals[i] || clean(f.Text()) != "" || f.Origin() != markdown.FromTable && len(d.follow(f.Index())) > 0
		}
	}
	artifacts := d.table("artifactintakerecord", "Artifact Type,Provided?", "artifacttype", "provided")
	for _, w := range artifacts.rows {
		given := artifacts.real(w, 1)
		r.artifact = r.artifact || given != "" && begins(fold(given), "no,none") == 0
	}
	r.readConcepts()
	r.readSources()
	r.readBudget()
	r.readRounds()
	r.readPapers()
	r.readChecks()
}

func (r *review) readHeader() {
	head := r.rp.o.Head()
	for _, f := range head.Fields() {
		if markdown.Name(f.Key()) == "status" {
			r.status = append(r.status, f)
		}
	}
	r.dateField, r.topicField, r.modeField = head.Field("Date"), head.Field("Topic"), head.Field("Mode")
	r.claim = claim{phase: noPhase, words: noPhase}
	if len(r.status) > 0 && clean(r.status[0].Text()) != "" {
		r.claim = claimOf(r.status[0].Text())
	}
	r.mode = modeOf(clean(r.modeField.Text()))
	r.topic = clean(r.topicField.Text())
	r.topicFolded = fold(r.topic)
}

func (r *review) readConcepts() {
	t := r.rp.table("coreconcepts", "Concept", "concept", "searchterms", "targetdepth")
	r.concepts = t.read(r)
	r.conceptTable = t
}

// read reads a table of concepts; only those of the state file tell of rows
// that cannot be read.
func (t *table) read(r *review) []concept {
	var list []concept
	for _, w := range t.rows {
		if t.cols[0] < 0 {
			return nil
		}
		c := concept{Row: w, name: t.real(w, 0)}
		depth := t.real(w, 2)
		class := begins(fold(depth), "strong|moderate|any")
		c.shallow = class == 3
		switch {
		case t.excess(w):
			r.excess = append(r.excess, excess{w, t.width})
			c.name = c.name + " "
		case c.name == "":
			continue
		case t.real(w, 1) == "":
			c.lacks = "search terms"
		case depth == "":
			c.lacks = "target depth"
		case class == 0:
			c.lacks = "known depth (" + short(depth) + ")"
		}
		list = append(list, c)
	}
	return list
}

// An excess is a row with more cells than its table has headings.
type excess struct {
	markdown.Row
	width int
}

func (r *review) readSources() {
	t := r.rp.table("searchstatusbysource", "Source Type,Status", "sourcetype", "status", "queriesplanned", "queriesexecuted", "results", "newunique")
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

// count reads a number and notes an impossible one.
func (r *review) count(d *document, at markdown.Part, name string) int {
	text := at.Text()
	n := number(text)
	if n == impossible {
		r.odd = append(r.odd, counted{d, at, name, text})
		return absent
	}
	return n
}

// A budget is a row of Search Budget that has an Actual number.
type budget struct {
	at          markdown.Part
	name        string
	actual, max int
}

func (r *review) readBudget() {
	t := r.rp.table("searchbudget", "Source Type,Actual", "sourcetype", "actual", "budget(narrow)*", "budget(full)*")
	for _, w := range t.rows {
		name := t.real(w, 0)
		if name == "" || t.excess(w) || r.mode == noMode {
			continue
		}
		b := budget{at: t.at(w, 1).Part, name: name, max: upper(t.text(w, 1+r.mode))}
		if b.actual = r.count(r.rp, b.at, name+" Actual"); b.max >= 0 && b.actual > b.max {
			r.over = append(r.over, b)
		}
	}
}

func (r *review) readRounds() {
	t := r.rp.table("convergencetracking", "Round,Cumulative Total", "round", "overlap*", "newpapers", "cumulativetotal")
	section := r.rp.heading("convergencetracking").Section()
	r.capField = section.Field("Round Cap")
	r.roundCap, r.threshold = number(r.capField.Text()), number(section.Field("Convergence Threshold").Text())
	if r.threshold < 0 {
		r.threshold = 80
	}
	for _, w := range t.rows {
		if t.excess(w) {
			continue
		}
		at := t.at(w, 0).Part
		n := number(strings.TrimPrefix(strings.ToLower(t.real(w, 0)), "round"))
		if n == impossible {
			r.odd = append(r.odd, counted{r.rp, at, "Round", at.Text()})
		}
		if n < 0 {
			continue
		}
		r.count(r.rp, t.at(w, 2).Part, "New Papers")
		r.count(r.rp, t.at(w, 3).Part, "Cumulative Total")
		overlap := r.count(r.rp, t.at(w, 1).Part, "Overlap")
		if overlap > 100 {
			r.odd = append(r.odd, counted{r.rp, t.at(w, 1).Part, "Overlap", t.text(w, 1)})
		}
		r.rounds = append(r.rounds, round{r.rp, w.Part, n, overlap})
	}
}

// latest is the round of the highest number, nil if there is none.
func (r *review) latest() *round {
	var found *round
	for i := range r.rounds {
		if c := &r.rounds[i]; c.d == r.rp && (found == nil || c.n > found.n || c.n == found.n && c.overlap >= 0) {
			found = c
		}
	}
	return found
}

// converged reports whether the latest round found hardly anything new.
func (r *review) converged() bool {
	last := r.latest()
	return last != nil && last.overlap > r.threshold
}

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

func (r *review) readChecks() {
	h := r.rp.heading("antagonisticreview")
	r.antagonist = h
	r.checks = h.Section().Tasks()
	for _, t := range r.checks {
		if t.Checked() {
			r.ticked++
		}
	}
	r.critique = r.rp.real(h, true)
	r.outputs = r.rp.heading("outputfiles").Section().Tasks()
	r.nextSteps = quoted(r.rp, "nextsteps")
	r.readServers()
}

// readServers reads which servers are down.
func (r *review) readServers() {
	t := r.rp.table("infrastructurestatus", "Server,Status", "server", "status")
	for _, w := range t.rows {
		if begins(fold(t.real(w, 1)), "unavailable,down,offline,not available") > 0 {
			if id := sourceOf(t.real(w, 0)); id < extraSource {
				r.down[id] = true
			}
		}
	}
}

// quoted is the real text below a heading, as one line.
func quoted(d *document, name string) string {
	h := d.heading(name)
	if !h.OK() {
		return ""
	}
	text := ""
	for _, p := range h.Body().Parts(markdown.KindParagraph) {
		if t := d.prose(p.Index()); t != "" {
			text += "; " + t
		}
	}
	for _, p := range h.Body().Parts(markdown.KindTask) {
		if t := clean(p.Text()); t != "" && p.Node().Data == 0 {
			text += "; " + t
		}
	}
	return short(strings.TrimPrefix(text, "; "))
}

// unsettled reports whether a source still has to be searched.
func (r *review) unsettled(s *source) bool {
	return s.class == classRunning || s.class == 0 || s.class == classPending && required(r.mode, s.id) && s.twin == nil
}
