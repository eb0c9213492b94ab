package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// check looks for everything that rules speak of.
func (m *model) check() {
	m.checkMerge(nil, m.index.document)
	for _, r := range m.reviews {
		m.checkLoss(r)
		for _, d := range [...]*document{r.rp, r.sm, r.lr} {
			m.checkMerge(r, d)
		}
		if r.lost || r.abandoned {
			continue
		}
		m.checkStatus(r)
		m.checkPhase(r)
		m.checkHeader(r)
		m.checkTables(r)
		m.checkConcepts(r)
		m.checkSources(r)
		m.checkPlans(r)
		m.checkRounds(r)
		m.checkPapers(r)
		m.checkEntries(r)
		m.checkCounts(r)
		m.checkOutputs(r)
	}
	m.checkIndex()
	m.checkRows()
	if m.base != nil {
		m.checkBase()
	}
}

func (m *model) checkMerge(r *review, d *document) {
	if d.merge == 0 {
		return
	}
	found := m.tell("conflict-markers", r, d, markdown.Part{}, "", "unresolved merge at line "+itoa(d.merge))
	found.Range.Line = d.merge
	advise(found, "Resolve the merge", "keep one side of each conflict in "+d.path+", or combine them, and take the markers out")
}

func (m *model) checkLoss(r *review) {
	switch {
	case r.rp.missing():
		has := methodsName
		switch {
		case r.sm.doc == nil:
			has = textName
		case r.lr.doc != nil:
			has += " and " + textName
		}
		found := m.tell("missing-progress", r, r.rp, markdown.Part{}, "", r.name+" has "+has+" but no "+progressName)
		advise(found, "Recover the state file", "choose one of the recoveries: restore, rebuild or start fresh")
	case r.unreadable:
		found := m.tell("unreadable-progress", r, r.rp, markdown.Part{}, "", "no status and no known section in "+itoa(int(r.rp.doc.Size))+" bytes")
		advise(found, "Recover the state file", "choose one of the recoveries: restore, rebuild or start fresh")
	}
}

func (m *model) checkStatus(r *review) {
	c := &r.claim
	var at place
	if len(r.status) > 0 {
		at = r.status[0]
	}
	switch {
	case c.text == "":
		found := m.tell("missing-status", r, r.rp, at, "", "no Status; the files show "+phaseName(r.observed))
		r.offerStatus(found)
		return
	case c.phase < 0 && !c.abandoned:
		r.offerStatus(m.tell("unknown-phase", r, r.rp, at, "", "Status "+shown(c.text)+" names no phase 0–5"))
		return
	}
	if c.words >= 0 {
		n := min(c.phase, synthesizing)
		found := m.tell("phase-name-mismatch", r, r.rp, at, "", "Phase "+itoa(n)+" is "+lifecycle.Phases[c.phase].Title+", not "+shown(c.text))
		if len(r.status) == 1 {
			offer(found, sdk.Review, "Set Status to "+lines[c.phase], r.setStatus(c.phase))
		}
	}
	for _, f := range r.status[1:] {
		other := claimOf(f.Text())
		if other.phase < 0 || other.phase == c.phase || c.phase < 0 {
			continue
		}
		found := m.tell("conflicting-status", r, r.rp, f, "", "Status is both "+shown(c.text)+" and "+shown(other.text))
		relate(found, r.rp, at, "the first Status")
		drop := f
		if other.phase == r.observed {
			drop = r.status[0]
		} else if c.phase != r.observed {
			continue
		}
		if len(r.status) == 2 {
			offer(found, sdk.Review, "Keep "+lines[r.observed], r.rp.dropLine(drop))
		}
		break
	}
}

// dropLine is the edit that takes out a part that has a line for itself.
func (d *document) dropLine(p place) []sdk.Edit {
	text := d.o.Text
	start := strings.LastIndexByte(text[:p.Start()], '\n') + 1
	end := len(text)
	if n := strings.IndexByte(text[p.End():], '\n'); n >= 0 {
		end = p.End() + n + 1
	}
	if strings.Contains(text[p.Start():p.End()], "\n") || markdown.Plain(text[p.End():end]) != "" || strings.Contains(text[start:p.Start()], " | ") {
		return nil
	}
	return d.edit(markdown.Edit{Start: start, End: end}, true)
}

func (m *model) checkPhase(r *review) {
	c := &r.claim
	if c.phase < 0 {
		return
	}
	at := r.status[0]
	switch {
	case r.fit == sdk.Ahead:
		why, where := r.failedGate()
		found := m.tell("phase-beyond-evidence", r, r.rp, at, "", "Status says "+phaseName(c.phase)+" but "+why)
		relate(found, r.rp, r.rp.heading(where).Part, why)
		r.offerStatus(found)
		advise(found, "Record the missing evidence", why+": record it where it belongs, if the work was done")
	case r.fit == sdk.Behind && c.phase <= interviewing && (r.hasRun() || r.floor >= organizing):
		why := itoa(max(r.annotated(), len(r.entries))) + " papers annotated"
		if s := r.begun(); s != nil {
			why = s.name + " is " + className(s.class)
		} else if r.ran && r.floor < organizing {
			why = "queries were executed"
		} else if r.isAntagonized() {
			why = "the antagonistic review is recorded"
		}
		r.offerStatus(m.tell("phase-stuck-at-start", r, r.rp, at, "", "Status still says "+shown(c.text)+" but "+why))
	case r.fit == sdk.Behind:
		r.offerStatus(m.tell("phase-behind-evidence", r, r.rp, at, "",
			"Status says "+phaseName(c.phase)+", nothing is open there, and "+r.proof()))
	case r.fit == sdk.Fits && c.phase == searching && r.floor > searching:
		open := "a source"
		status := "not listed"
		if s := r.reopened; s != nil {
			open, status = s.name, className(s.class)
		}
		m.tell("search-reopened", r, r.rp, at, "", "searching again: "+open+" is "+status+", "+itoa(max(r.annotated(), len(r.entries)))+" papers already annotated")
	}
}

// failedGate says why the phase after the ceiling cannot be, and in which
// section of the state file that would be seen.
func (r *review) failedGate() (why, section string) {
	switch r.ceiling + 1 {
	case searching:
		return "Core Concepts has no row", conceptsSection
	case organizing:
		return "Paper Tracking has no entry", papersSection
	case antagonizing:
		return textName + " has no entry", papersSection
	}
	return "no antagonistic check is recorded (Full Review)", antagonistSection
}

// proof says what puts the floor where it is.
func (r *review) proof() string {
	switch {
	case r.isAntagonized():
		return "the antagonistic review is recorded"
	case r.hasEntries:
		return textName + " has entries"
	case r.floor == organizing:
		return itoa(r.annotated()) + " papers are annotated"
	case r.hasRun():
		return "the search has begun"
	case r.planned:
		return "queries are planned"
	}
	return "goals or concepts are recorded"
}
