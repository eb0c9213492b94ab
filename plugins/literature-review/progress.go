package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

// The sections of a state file by the names that they go by.
const (
	goalsSection      = "researchgoals|goals|researchquestions|researchquestion|researchaims|aims"
	conceptsSection   = "coreconcepts|concepts|keyconcepts"
	sourcesSection    = "searchstatusbysource|searchstatus|searchstatuspersource|statusbysource|sourcestatus|sources|searchsources|searchprogress"
	papersSection     = "papertracking|papertracker|papers|trackedpapers|paperstatus"
	antagonistSection = "antagonisticreview|antagonisticcritique|antagonist|antagonizing"
	outputsSection    = "outputfiles|outputs"
	knownSections     = goalsSection + "|" + conceptsSection + "|" + sourcesSection + "|" + papersSection + "|" + antagonistSection + "|" + outputsSection +
		"|artifactintakerecord|searchbudget|convergencetracking|literaturedensity|sessionnotes|nextsteps|infrastructurestatus|gapsidentified|citationchainingprogress"
)

// needed are the sections that a state file cannot do without, with their titles.
var needed = [...]struct{ title, names string }{
	{"Core Concepts", conceptsSection}, {"Search Status by Source", sourcesSection}, {"Paper Tracking", papersSection},
}

// A round is a row of Convergence Tracking or a round of the search log.
type round struct {
	d       *document
	at      markdown.Part
	n       int
	overlap int
}

// A counted number is one that a rule wants to report.
type counted struct {
	d    *document
	at   place
	name string
	text string
}

// readProgress reads REVIEW_PROGRESS.md below its header.
func (r *review) readProgress() {
	d := r.rp
	goals := d.heading(goalsSection)
	fields := d.fields(goals.Section())
	for i, key := range [...]string{"primaryresearchquestion", "methodologicalneeds", "exclusions"} {
		r.goals[i] = says(pick(fields, key).Text()) || d.real(goals.Section().Find(key), true)
	}
	r.goals[0] = r.goals[0] || !r.goals[1] && !r.goals[2] && d.real(goals, true)
	artifacts := d.table("artifactintakerecord", "!artifacttype|artifact", "!provided")
	for _, w := range artifacts.rows {
		given := artifacts.real(w, 1)
		r.artifact = r.artifact || given != "" && begins(fold(given), "no,none") == 0
	}
	r.conceptTable = d.table(conceptsSection, "!concept|coreconcept|concepts|coreconcepts|construct|topic|keyconcept|name",
		"searchterms|terms|keywords|synonyms|searchterm|keyterms|relatedterms|queryterms|searchkeywords|termsandsynonyms", "targetdepth|depth|targetlevel|level")
	r.concepts = r.conceptTable.read(r)
	r.readSources()
	r.readBudget()
	r.readRounds()
	r.readPapers()
	r.readChecks()
	for i, t := range [...]*table{&r.conceptTable, &r.sourceTable, &r.paperTable} {
		h := d.heading(needed[i].names)
		r.unread[i] = h.OK() && !t.OK() && d.real(h, true)
	}
}

// The needed sections by their place.
const (
	unreadConcepts = iota
	unreadSources
	unreadPapers
)

func (r *review) readHeader() {
	list := r.rp.header(knownSections)
	r.claim = claim{phase: noPhase, words: noPhase}
	for _, f := range r.statusFields(list) {
		text := clean(f.Text())
		if text != "" && digit(text[0]) && strings.Contains(markdown.Name(f.Key), "phase") {
			text = "Phase " + text
		}
		c := claimOf(text)
		named := c.phase >= 0 || c.abandoned
		if known := r.claim.phase >= 0 || r.claim.abandoned; named && !known {
			r.status = append([]*field{f}, r.status...)
			r.claim = c
			continue
		} else if len(r.status) == 0 && text != "" {
			r.claim = c
		}
		r.status = append(r.status, f)
	}
	r.dateField, r.topicField = pick(list, "date|started|startdate|datestarted|begun|created|reviewdate|starteddate|reviewstarted"), pick(list, "topic|reviewtopic|title|subject")
	r.modeField = pick(list, "mode|reviewmode|searchmode|reviewtype|type")
	r.mode = modeOf(clean(r.modeField.Text()))
	r.topic = clean(r.topicField.Text())
	r.topicFolded = fold(r.topic)
}

// statusFields are the fields that may name the phase: a field of the header, what stands below a
// heading Status, or a line that begins with the phase.
func (r *review) statusFields(header []*field) []*field {
	var list []*field
	for _, f := range header {
		if among(markdown.Name(f.Key), "status|currentstatus|reviewstatus|phase|currentphase|phasestatus") {
			list = append(list, f)
		}
	}
	d := r.rp
	if h := d.heading("status|currentstatus|reviewstatus|phase|currentphase"); len(list) == 0 && h.OK() {
		if p := h.Body().Paragraph(); p.OK() {
			list = append(list, &field{Pair: markdown.PairOf("Status", p), d: d})
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, p := range d.o.Head().Parts(markdown.KindParagraph) {
		if claimOf(p.Text()).phase >= 0 && strings.HasPrefix(fold(clean(p.Text())), "phase") && !strings.Contains(p.Raw(), "\n") {
			return append(list, &field{Pair: markdown.PairOf("Status", p), d: d})
		}
	}
	return nil
}

// read reads a table of concepts; only those of the state file tell of rows
// that cannot be read.
func (t *table) read(r *review) []concept {
	name := max(t.cols[0], 0)
	if t.cols[0] < 0 && t.Column("#", "No", "Nr") == 0 {
		name = 1
	}
	var list []concept
	for _, w := range t.rows {
		c := concept{Row: w, name: clean(w.Cell(name).Text())}
		c.shallow = begins(fold(t.real(w, 2)), "any") == 1
		switch {
		case t.excess(w):
			r.excess = append(r.excess, excess{w, t.width})
			c.name = c.name + " "
		case !says(c.name):
			continue
		case t.cols[1] >= 0 && t.real(w, 1) == "":
			c.lacks = "search terms"
		case t.cols[2] >= 0 && t.real(w, 2) == "":
			c.lacks = "target depth"
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

// count reads a number and notes an impossible one.
func (r *review) count(d *document, at place, name, text string) int {
	n := number(text)
	if n == impossible {
		r.odd = append(r.odd, counted{d, at, name, text})
		return absent
	}
	return n
}

// countCell is the same of a cell.
func (r *review) countCell(t *table, w markdown.Row, column int, name string) int {
	return r.count(r.rp, t.at(w, column), name, t.text(w, column))
}

// A budget is a row of Search Budget that has an Actual number.
type budget struct {
	at          markdown.Part
	name        string
	actual, max int
}

func (r *review) readBudget() {
	t := r.rp.table("searchbudget", "!sourcetype|source", "!actual", "budget(narrow)*", "budget(full)*")
	for _, w := range t.rows {
		name := t.real(w, 0)
		if name == "" || t.excess(w) || r.mode == noMode {
			continue
		}
		b := budget{at: t.at(w, 1).Part, name: name, max: upper(t.text(w, 1+r.mode))}
		if b.actual = r.countCell(&t, w, 1, name+" Actual"); b.max >= 0 && b.actual > b.max {
			r.over = append(r.over, b)
		}
	}
}

func (r *review) readRounds() {
	t := r.rp.table("convergencetracking|convergence", "!round", "!cumulativetotal|cumulative|total", "overlap*", "newpapers")
	fields := r.rp.fields(r.rp.heading("convergencetracking|convergence").Section())
	r.capField = pick(fields, "roundcap")
	r.roundCap, r.threshold = number(r.capField.Text()), number(pick(fields, "convergencethreshold").Text())
	if r.threshold < 0 {
		r.threshold = 80
	}
	for _, w := range t.rows {
		if t.excess(w) {
			continue
		}
		at := t.at(w, 0).Part
		n := r.count(r.rp, at, "Round", strings.TrimPrefix(strings.ToLower(t.real(w, 0)), "round"))
		if n < 0 {
			continue
		}
		r.countCell(&t, w, 3, "New Papers")
		r.countCell(&t, w, 1, "Cumulative Total")
		overlap := r.countCell(&t, w, 2, "Overlap")
		if overlap > 100 {
			r.odd = append(r.odd, counted{r.rp, t.at(w, 2), "Overlap", t.text(w, 2)})
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

func (r *review) readChecks() {
	d := r.rp
	r.antagonist = d.heading(antagonistSection)
	section := r.antagonist.Section()
	r.checks = section.Tasks()
	for _, t := range r.checks {
		if t.Checked() {
			r.ticked++
		}
	}
	if f := section.Field("Critique Summary", "Critique", "Summary"); f.OK() {
		for _, text := range d.follow(f.Index()) {
			r.critique = r.critique || says(text.text)
		}
	} else {
		r.critique = d.real(r.antagonist, true)
	}
	r.outputs = d.heading(outputsSection).Section().Tasks()
	r.nextSteps = quoted(d, "nextsteps|nextstep|nextactions|nextaction")
	t := d.table("infrastructurestatus", "!server", "!status")
	for _, w := range t.rows {
		if begins(fold(t.real(w, 1)), "unavailable,down,offline,not available") > 0 {
			if id := sourceOf(t.real(w, 0)); id < extraSource {
				r.down[id] = true
			}
		}
	}
}

// quoted is the real text below a heading, as one line.
func quoted(d *document, names string) string {
	h := d.heading(names)
	if !h.OK() {
		return ""
	}
	text := ""
	for _, p := range h.Body().Parts(markdown.KindParagraph) {
		if t := d.prose(p.Index()); says(t) {
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
