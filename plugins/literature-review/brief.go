package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

// brief is one switch over the phases.
func (r *review) brief(out *sdk.Resume) {
	out.ReadFirst = []string{r.rp.path}
	if r.observed >= searching && r.sm.filled {
		out.ReadFirst = append(out.ReadFirst, r.sm.path)
	}
	if r.observed >= searching && r.lr.filled {
		out.ReadFirst = append(out.ReadFirst, r.lr.path)
	}
	var skip, remaining texts
	next := ""
	switch r.observed {
	case initializing:
		next = "choose a mode, ask for existing documents, extract 2–5 concepts"
		remaining.add("interview")
	case interviewing:
		next = "finish the interview, then set Status to " + lines[searching]
		r.briefInterview(&skip, &remaining)
	case searching:
		next = r.briefSearch(&skip, &remaining)
	case organizing:
		next = r.briefPapers(&skip, &remaining)
	case antagonizing:
		next = r.briefChecks(&skip, &remaining)
	case synthesizing:
		out.ReadFirst = append(out.ReadFirst, indexPath)
		next = r.briefText(&skip, &remaining)
	}
	p := lifecycle.Phases[r.observed]
	out.Next = "Resuming " + r.called() + ", phase " + itoa(p.Number) + ": " + p.Title + ". " + strings.ToUpper(next[:1]) + next[1:]
	if r.nextSteps != "" {
		out.Context = append(out.Context, "Next Steps says: "+shown(r.nextSteps))
	}
	out.Skip, out.Remaining = skip, remaining
}

func (r *review) briefInterview(skip, remaining *texts) {
	for i := range r.concepts {
		c := &r.concepts[i]
		if c.lacks == "" {
			skip.add("concept " + short(c.name))
		} else {
			remaining.add("concept " + short(c.name) + ": " + c.lacks)
		}
	}
	for i, has := range r.goals {
		if !has {
			remaining.add([...]string{"Primary Research Question", "Methodological Needs", "Exclusions"}[i])
		}
	}
}

// ordered lists the sources in the order of search: those with a row, and in a
// full review those without.
func (r *review) ordered() []*source {
	var list []*source
	for id := range extraSource {
		found := false
		for _, s := range r.sources {
			if s.id == id && s.twin == nil {
				list, found = append(list, s), true
			}
		}
		if !found && (r.mode == full || id == webSearch) {
			s := &source{id: id, name: sourceNames[id], class: classPending, plan: r.planOf(id, "")}
			if s.plan == nil {
				s.plan = &plan{}
			}
			list = append(list, s)
		}
	}
	for _, s := range r.sources {
		if s.id == extraSource && s.twin == nil {
			list = append(list, s)
		}
	}
	return list
}

// isDown reports whether the server of a source is unavailable.
func (r *review) isDown(id int) bool {
	if id == recommendation {
		return r.down[pubMed] && r.down[semanticScholar]
	}
	return id < extraSource && r.down[id]
}

// current is the source to go on with, nil if none is left.
func (r *review) current() *source {
	for _, s := range r.ordered() {
		if !s.settled && offered(r.mode, s.id) {
			return s
		}
	}
	return nil
}

func (r *review) briefSearch(skip, remaining *texts) string {
	now := r.current()
	for _, s := range r.ordered() {
		open := s.plan.open()
		if s.settled {
			text := s.name + ": " + className(s.class)
			if s.class == classSkipped && len(open) > 0 {
				text += "; not executed: " + few(open, 5)
			}
			skip.add(text)
			continue
		}
		for i := range s.plan.items {
			if q := &s.plan.items[i]; q.executed {
				skip.add(s.name + ": " + q.text)
			}
		}
		if offered(r.mode, s.id) {
			r.leftOf(s, open, remaining)
		}
	}
	switch {
	case now == nil:
		offer := ""
		if r.mode == narrow {
			offer = " (offer the upgrade to Full Review)"
		}
		return "checkpoint with the user" + offer + ", then set Status to " + lines[organizing]
	case r.isDown(now.id):
		return now.name + ": the server is unavailable, mark it Skipped"
	case len(now.plan.items) == 0:
		return now.name + ": write its plan into " + methodsName
	case now.class == classPending:
		return now.name + ": set it to In Progress, then " + now.plan.step()
	}
	return now.name + ": " + now.plan.step()
}

// step is the next query of a plan.
func (p *plan) step() string {
	for i := range p.items {
		if q := &p.items[i]; !q.executed && !q.dropped {
			return "run query " + itoa(i+1) + " of " + itoa(len(p.items)) + ": " + q.text
		}
	}
	return "every planned query is executed, set it to Complete"
}

func (r *review) leftOf(s *source, open []string, remaining *texts) {
	optional := ""
	if !required(r.mode, s.id) && s.class == classPending {
		optional = " (optional)"
	}
	if r.isDown(s.id) {
		remaining.add(s.name + optional + ": mark it Skipped, the server is unavailable")
		return
	}
	if len(s.plan.items) == 0 {
		remaining.add(s.name + optional + ": plan and queries")
	}
	for _, q := range open {
		remaining.add(s.name + optional + ": " + q)
	}
	for i := range s.plan.listed {
		norm, isKnown := normal(s.plan.listed[i].text), false
		for j := range s.plan.items {
			isKnown = isKnown || s.plan.items[j].norm == norm
		}
		for _, n := range s.plan.norms {
			isKnown = isKnown || n == norm
		}
		if !isKnown && !allDigits(norm) {
			remaining.add(s.name + optional + ": " + short(s.plan.listed[i].text))
		}
	}
}

func (r *review) briefPapers(skip, remaining *texts) string {
	next := ""
	step := func(stage int, text string) {
		if stage == r.stage && next == "" {
			next = "stage " + stageNames[stage] + ": " + text
		}
	}
	open := 0
	for _, p := range r.papers {
		if p.stage < stageDone {
			open++
		} else {
			skip.add(short(p.citation))
		}
	}
	for stage := stage3A; stage <= stage3C; stage++ {
		for _, p := range r.papers {
			if p.stage != stage {
				continue
			}
			text := short(p.citation)
			switch {
			case stage == stage3A && p.chosen:
				text += " (user-designated: deduplicate only)"
			case p.rank >= level2 && p.entry == nil && !p.exemplar, p.rank >= level3 && p.rank <= level4:
				text += " (add its entry)"
			}
			step(stage, text)
			remaining.add(stageNames[stage] + ": " + text)
		}
	}
	for _, t := range r.topics {
		if r.untabled(t) {
			step(stage3D, "evidence table of "+short(t.title))
			remaining.add("3D: evidence table of " + short(t.title))
		}
	}
	for _, e := range r.entries {
		if e.unverified() {
			step(stage3E, "verify the DOI of "+short(e.title))
			remaining.add("3E: " + short(e.title))
		}
	}
	for _, name := range r.others {
		remaining.add(fullTexts + short(name))
	}
	if open > 50 {
		next += "; " + itoa(open) + " papers are open: work in batches of 25 in table order, 3A and 3B per batch, 3C after all"
	}
	return orElse(next, "every paper is done: set Status to "+lines[antagonizing])
}

// due is how many checks a mode asks for.
func (r *review) due() int {
	if r.mode == narrow {
		return min(3, len(r.checks))
	}
	return len(r.checks)
}

func (r *review) briefChecks(skip, remaining *texts) string {
	for _, t := range r.checks {
		if t.Checked() {
			skip.add(short(t.Text()))
		}
	}
	open := r.openChecks(r.due())
	for _, text := range open {
		remaining.add(text)
	}
	const never = "; user-designated exemplars are flagged, never demoted"
	if len(open) > 0 {
		return open[0] + never
	}
	return "write the Critique Summary, then set Status to " + lines[synthesizing] + never
}

// steps are what synthesizing writes, with what is done.
func (r *review) steps() (names [5]string, done [5]bool) {
	names = [...]string{"Key Methodological Insights", "Quantitative Summary", "Gaps and Limitations", "References", "index row Complete"}
	for i := range 4 {
		done[i] = r.lr.real(r.lr.heading(closings[i]), true)
	}
	done[4] = r.row != nil && r.row.status == rowComplete
	return names, done
}

func (r *review) briefText(skip, remaining *texts) string {
	names, done := r.steps()
	next := ""
	for i, name := range names {
		switch {
		case done[i]:
			skip.add(name)
		case next == "":
			next = "write " + name
			if i == 4 {
				next = "set the index row to Complete, then Status to " + lines[complete]
			}
		default:
			remaining.add(name)
		}
	}
	next = orElse(next, "set Status to "+lines[complete])
	for _, e := range r.entries {
		if e.kind == demoted {
			return "rebuild the evidence table, then " + next
		}
	}
	return next
}
