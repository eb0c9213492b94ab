package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

// resume writes the brief of one review.
func resume(p *sdk.Pass, d *sdk.Detection, findings []sdk.Diagnostic) {
	m := p.Model.(*model)
	r := m.named[d.Subject]
	if r == nil || r.abandoned {
		return
	}
	out := &d.Resume
	switch {
	case r.lost:
		m.resumeLost(r, out)
	case r.observed == complete:
		out.ReadFirst = []string{r.rp.path, r.lr.path}
		out.Next = "nothing to do: the review is complete"
		out.Skip = []string{"all"}
	default:
		r.brief(out)
		m.context(r, out)
		out.First = blocker(r, findings)
	}
	if list := m.open(); len(list) > 1 && r.observed != complete {
		if out.First != "" {
			out.Checks = append(out.Checks, out.First)
		}
		out.First = itoa(len(list)) + " reviews are in progress; ask the user which to continue, or whether to start a new one:" + m.choices(list)
	} else if r.observed != complete && !r.lost {
		out.Checks = append(out.Checks, "ask the user: Resume this review, or Start Fresh with a new one")
	}
}

// blocker is the first error about the review.
func blocker(r *review, findings []sdk.Diagnostic) string {
	for i := range findings {
		if f := &findings[i]; f.Subject == r.name && f.Severity == sdk.Error {
			return f.Message
		}
	}
	return ""
}

func (m *model) resumeLost(r *review, out *sdk.Resume) {
	out.First = progressName + " is missing or cannot be read: recover first"
	if r.rp.merge > 0 {
		out.First = progressName + " holds an unresolved merge: resolve it first"
	} else if !r.rp.known {
		out.First = progressName + " cannot be seen here"
	}
	for _, d := range [...]*document{r.rp, r.sm, r.lr} {
		if d.filled {
			out.ReadFirst = append(out.ReadFirst, d.path)
		}
	}
	if r.observed >= 0 {
		out.Context = append(out.Context, "the remaining files show phase "+phaseName(r.observed))
	}
	out.Next = "ask the user how to go on"
	if heals := r.loss(); heals != "" {
		for _, remedy := range m.recoveriesOf(r, heals) {
			out.Remaining = append(out.Remaining, remedy.Title)
		}
	}
}

// context tells of an upgrade.
func (m *model) context(r *review, out *sdk.Resume) {
	upgraded := false
	if m.base != nil {
		was := m.base.named[r.name]
		upgraded = was != nil && was.mode == narrow && r.mode == full
	}
	for _, other := range m.modes(r) {
		upgraded = upgraded || r.mode == full && other.mode == narrow
	}
	if upgraded {
		out.Context = append(out.Context, "upgraded to Full Review: ask the supplementary questions, widen budgets and round cap, search the newly required sources, do the whole of phase 4; completed sources stay")
	}
	for i := range r.over {
		out.Context = append(out.Context, r.over[i].name+" is over its budget: ask the user for a targeted extension, or close the source")
	}
}

// texts are some texts, and how many more there are.
type texts []string

const mostListed = 60

//go:noinline
func (t *texts) add(s string) {
	if len(*t) < mostListed {
		*t = append(*t, s)
	} else if len(*t) == mostListed {
		*t = append(*t, "… and more")
	}
}

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

func (r *review) settledSources() int {
	n := 0
	for _, s := range r.ordered() {
		if s.settled && offered(r.mode, s.id) && s.id < extraSource {
			n++
		}
	}
	return n
}

// progress counts what is done in the observed phase.
func (r *review) progress() (done, total int, unit string) {
	switch r.observed {
	case initializing:
		return 0, 2, "concepts"
	case interviewing:
		for i := range r.concepts {
			if r.concepts[i].lacks == "" {
				done++
			}
		}
		return done, max(2, len(r.concepts)), "concepts"
	case searching:
		total = extraSource
		if r.mode == narrow {
			total = extraSource - 2
		}
		return r.settledSources(), total, "sources"
	case organizing:
		for _, p := range r.papers {
			if p.stage == stageDone && p.rank != excluded {
				done++
			}
		}
		return done, r.kept(), "papers"
	case antagonizing:
		n := r.due()
		return n - len(r.openChecks(n)), n, "checks"
	case synthesizing:
		_, all := r.steps()
		for _, is := range all {
			if is {
				done++
			}
		}
		return done, len(all), "steps"
	case complete:
		return r.kept(), r.kept(), "papers"
	}
	return 0, 0, ""
}

// substate says where in its phase a review is.
func (r *review) substate() string {
	switch r.observed {
	case searching:
		if s := r.current(); s != nil {
			return s.name
		}
		return "every source is settled"
	case organizing:
		return stageNames[r.stage]
	case antagonizing:
		return itoa(r.ticked) + " of " + itoa(len(r.checks)) + " checks"
	}
	return ""
}
