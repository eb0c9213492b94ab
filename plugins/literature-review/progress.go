package literaturereview

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// The names of the sections of a state file, joined by |.
const (
	goalsSection       = "researchgoals|goals|researchquestions|researchquestion|researchaims|aims"
	conceptsSection    = "coreconcepts|concepts|keyconcepts"
	sourcesSection     = "searchstatusbysource|searchstatus|searchstatuspersource|statusbysource|sourcestatus|sources|searchsources|searchprogress"
	papersSection      = "papertracking|paperstracking|papertracker|tracking|papers|trackedpapers|paperstatus"
	convergenceSection = "convergencetracking|convergence"
	antagonistSection  = "antagonisticreview|antagonisticcritique|antagonist|antagonizing"
	outputsSection     = "outputfiles|outputs"
	knownSections      = goalsSection + "|" + conceptsSection + "|" + sourcesSection + "|" + papersSection + "|" +
		antagonistSection + "|" + outputsSection +
		"|artifactintakerecord|searchbudget|convergencetracking|literaturedensity|sessionnotes|nextsteps|infrastructurestatus|gapsidentified|citationchainingprogress"
)

// needed are the sections that every state file needs, with their titles and needed columns.
var needed = [...]struct{ title, names, first, second string }{
	{"Core Concepts", conceptsSection, "Concept", "Search Terms"},
	{"Search Status by Source", sourcesSection, "Source Type", "Status"},
	{"Paper Tracking", papersSection, "Citation", "Status"},
}

// Indexes into needed.
const (
	inConcepts = iota
	inSources
	inPapers
)

// A count is a number and its location.
type count struct {
	*value
	n int
}

// counted reads the number in a value.
func counted(v *value) count { return count{v, number(v.text)} }

// An oddity is a word that is not in its vocabulary.
type oddity struct {
	_ [0]func() // not comparable; see entry
	*value
	name, expected string
	of             *row // the index row that contains it, or nil
}

// A readings records what could be read in a review or an index.
type readings struct {
	odd    []*oddity
	excess []record        // rows with more cells than their header
	read   map[string]bool // for each name: whether all its values could be read
}

// word reads a word, and records whether it is in its vocabulary.
func (l *readings) word(v *value, name, text string, words *vocabulary) int {
	place := words.find(text)
	l.note(v, name, say.Or(words.names...), place >= 0)
	return place
}

func (l *readings) note(v *value, name, expected string, ok bool) {
	if _, known := l.read[name]; !ok {
		l.read[name] = false
		l.odd = append(l.odd, &oddity{value: v, name: name, expected: expected})
	} else if !known {
		l.read[name] = true
	}
}

// A concept is a row of Core Concepts, or a list item or heading in that section.
type concept struct {
	_ [0]func() // not comparable; see entry
	*value
	name, lacks string
}

// A round is a row of Convergence Tracking or a round of the search log.
type round struct {
	*value
	n, total int
}

// readProgress reads REVIEW_PROGRESS.md below its header.
func (r *review) readProgress() {
	d := r.rp
	goals := d.heading(goalsSection)
	fields := d.fields(goals.Section())
	parted := false
	for i, key := range [...]string{"primaryresearchquestion", "methodologicalneeds", "exclusions"} {
		v, h := d.pick(fields, key), goals.Section().Find(key)
		r.goals[i] = says(v.text) || d.real(h, true)
		parted = parted || v.ok() || h.OK()
	}
	r.goals[0] = r.goals[0] || !r.goals[1] && !r.goals[2] && d.real(goals, true)
	if !parted && r.goals[0] {
		r.goals = [...]bool{true, true, true} // as free text, in which none is missing
	}
	r.readConcepts()
	r.readSources()
	r.readRounds()
	r.readPapers()
	r.readChecks()
	for i, t := range r.tables {
		h := d.heading(needed[i].names)
		r.unread[i] = h.OK() && !t.OK() && d.real(h, true) && (i != inConcepts || len(r.concepts) == 0)
	}
}

func (r *review) readHeader() {
	list := r.rp.header(knownSections)
	for _, f := range r.statusFields(list) {
		text := f.real()
		if text != "" && digit(text[0]) && strings.Contains(f.key, "phase") {
			text = "Phase " + text
		}
		c := claimOf(text)
		if c.named() && !r.claim.named() {
			r.status = append([]*value{f}, r.status...)
			r.claim = c
			continue
		} else if len(r.status) == 0 && text != "" {
			r.claim = c
		}
		r.status = append(r.status, f)
	}
	for i, f := range r.status { // a further Status may be damaged
		if r.claim.named() && (i == 0 || garbled(f.text)) {
			r.note(f, "Status of the review", "Phase 0 to Phase 5", i == 0)
		}
	}
	r.dateField = r.rp.pick(list,
		"date|started|startdate|datestarted|begun|created|reviewdate|starteddate|reviewstarted")
	r.topicField = r.rp.pick(list, "topic|reviewtopic|researchtopic|title|subject|review|question|researchquestion")
	r.modeField = r.rp.pick(list, "mode|reviewmode|searchmode|reviewtype|type")
	r.mode = modeOf(r.modeField.real())
	r.topic = cmp.Or(r.topicField.real(), r.rp.title())
	r.topicFolded = fold(r.topic)
}

// statusFields returns the fields that may name the phase: a header field, the text under a heading Status, or a line
// that begins with the phase.
func (r *review) statusFields(header []*value) []*value {
	const keys = "status|currentstatus|reviewstatus|statusline|phase|currentphase|phasestatus"
	d, list := r.rp, those(header, func(f *value) bool { return among(f.key, keys) })
	if p := d.heading("status|currentstatus|reviewstatus|phase|currentphase").Body().Paragraph(); len(list) == 0 &&
		p.OK() {
		list = append(list, d.fieldOf(markdown.PairOf("Status", p)))
	}
	for _, p := range d.o.Head().Parts(markdown.KindParagraph) {
		if len(list) == 0 && claimOf(p.Text()).phase >= 0 && strings.HasPrefix(fold(clean(p.Text())), "phase") &&
			!strings.Contains(p.Raw(), "\n") {
			list = append(list, d.fieldOf(markdown.PairOf("Status", p)))
		}
	}
	return list
}

// readConcepts reads the table of concepts, or else the list or the headings below Core Concepts.
func (r *review) readConcepts() {
	d := r.rp
	t := d.table(conceptsSection, "!concept|coreconcept|concepts|coreconcepts|construct|topic|keyconcept|name",
		"searchterms|terms|keywords|synonyms|searchterm|keyterms|relatedterms|queryterms|searchkeywords|termsandsynonyms", "targetdepth|depth|targetlevel|level")
	r.tables[inConcepts] = t
	first := max(t.cols[0], 0)
	if t.cols[0] < 0 && t.Column("#", "No", "Nr") == 0 {
		first = 1
	}
	for _, w := range t.records {
		c := &concept{value: w.whole(), name: clean(w.Cell(first).Text())}
		switch {
		case w.bad():
			r.excess = append(r.excess, w)
			c.name += " "
		case !says(c.name):
			continue
		case t.cols[1] >= 0 && w.real(1) == "":
			c.lacks = "search terms"
		case t.cols[2] >= 0 && w.real(2) == "":
			c.lacks = "target depth"
		}
		r.concepts = append(r.concepts, c)
	}
	if section := d.heading(conceptsSection).Section(); !t.OK() {
		parts := section.Parts(markdown.KindItem)
		if len(parts) == 0 {
			parts = section.Parts(markdown.KindHeading)
		}
		for _, p := range parts {
			text := p.Text()
			if name, _, _ := strings.Cut(text, ":"); says(name) && !p.In(markdown.KindItem) {
				r.concepts = append(r.concepts, &concept{value: d.part(p), name: clean(name)})
			}
		}
	}
}

// readRounds reads the rounds in Convergence Tracking.
func (r *review) readRounds() {
	d := r.rp
	const ordinal, sum = 0, 1
	for _, w := range d.table(convergenceSection, "!round", "!cumulativetotal|cumulative|total").records {
		n := number(strings.TrimPrefix(markdown.Lower(w.real(ordinal)), "round"))
		if r.badRound = r.badRound || w.bad(); n >= 0 && !w.bad() {
			r.rounds = append(r.rounds, &round{w.whole(), n, number(w.real(sum))})
		}
	}
}

func (r *review) readChecks() {
	d := r.rp
	antagonist := d.heading(antagonistSection)
	r.checks = antagonist.Section().Tasks()
	for _, t := range r.checks {
		if t.Checked() {
			r.ticked = append(r.ticked, t)
		} else {
			add(&r.unticked, say.Clip(t.Text()))
		}
	}
	r.unfinished = d.unfinished(antagonist)
	r.critique = d.real(antagonist, true) && !r.unfinished.ok()
	r.outputs = d.heading(outputsSection).Section().Tasks()
	var next []string
	body := d.heading("nextsteps|nextstep|nextactions|nextaction").Body()
	for _, p := range append(body.Parts(markdown.KindParagraph), body.Parts(markdown.KindTask)...) {
		if t := d.prose(p.Index()); says(t) && !(markdown.Task{Part: p}).Checked() {
			add(&next, t)
		}
	}
	r.nextSteps = say.Clip(strings.Join(next, "; "))
}
