package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

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

// readProgress reads REVIEW_PROGRESS.md below its header.
func (r *review) readProgress() {
	d := r.rp
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
