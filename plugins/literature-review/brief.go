package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
)

// resume writes the brief of one review.
func resume(p *sdk.Pass, d *sdk.Detection, findings []sdk.Diagnostic) {
	m := p.Model.(*model)
	r := m.named[d.Subject]
	if r == nil || r.abandoned {
		return
	}
	b := brief.Of(p, d, findings)
	switch {
	case r.lost:
		m.briefLost(r, b)
	case r.observed == complete:
		b.Read(r.rp.path, r.lr.path)
		b.Do("nothing to do: the review is complete")
		b.Done("all")
		return
	default:
		r.brief(b)
		m.context(r, b)
	}
	if list := m.open(); len(list) > 1 {
		b.Verify(b.First)
		b.First = "You have " + itoa(len(list)) + " reviews in progress:" + m.choices(list) + " Which would you like to continue, or would you like to start a new review?"
	} else if !r.lost {
		b.Verify("ask the user: Resume this review, or Start Fresh with a new one")
	}
}

func (m *model) briefLost(r *review, b *brief.Brief) {
	switch {
	case r.rp.merge > 0:
		b.First = progressName + " holds an unresolved merge: resolve it first"
	case !r.rp.known:
		b.First = progressName + " cannot be seen here"
	default:
		b.First = progressName + " is missing or cannot be read: recover first"
	}
	for _, d := range [...]*document{r.rp, r.sm, r.lr} {
		if d.filled {
			b.Read(d.path)
		}
	}
	if r.observed >= 0 {
		b.Know("the remaining files show phase " + phaseTitle(r.observed))
	}
	b.Do("ask the user how to go on")
	if heals := r.loss(); heals != "" {
		for _, remedy := range m.recoveriesOf(r, heals) {
			b.Left(remedy.Title)
		}
	}
}

// context tells of an upgrade, of what the user wrote down, and of budgets.
func (m *model) context(r *review, b *brief.Brief) {
	if r.nextSteps != "" {
		b.Know("Next Steps says: " + shown(r.nextSteps))
	}
	was := m.was(r)
	upgraded := was != nil && was.mode == narrow && r.mode == full
	for _, other := range m.modes(r) {
		upgraded = upgraded || r.mode == full && other.mode == narrow
	}
	if upgraded {
		b.Know("upgraded to Full Review: ask the supplementary questions, widen budgets and round cap, search the newly required sources, do the whole of phase 4; completed sources stay")
	}
	for i := range r.over {
		b.Know(r.over[i].name + " is over its budget: ask the user for a targeted extension, or close the source")
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
func (r *review) brief(b *brief.Brief) {
	b.Read(r.rp.path)
	for _, d := range [...]*document{r.sm, r.lr} {
		if r.observed >= searching && d.filled {
			b.Read(d.path)
		}
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
		b.Read(indexPath)
		next = r.briefText(&skip, &remaining)
	}
	p := lifecycle.Phases[r.observed]
	status := ""
	if done, total, unit := r.progress(); total > 0 {
		status = itoa(done) + " of " + say.Count(total, strings.TrimSuffix(unit, "s")) + " done. "
	}
	b.Do("Resuming review on " + r.called() + ". Currently at Phase " + itoa(p.Number) + ": " + p.Title + ". " + status + strings.ToUpper(next[:1]) + next[1:])
	b.Done(skip...)
	b.Left(remaining...)
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

func (r *review) briefPapers(skip, remaining *texts) string {
	next := ""
	switch {
	case r.unread[unreadPapers] || r.lacksColumn() || r.papersCut && len(r.papers) == 0:
		return "make Paper Tracking readable: a table with a row for each paper, its Citation and Status"
	case len(r.papers) == 0:
		return "write the papers that were found into Paper Tracking: it is empty"
	}
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
		if e.unverified(r) {
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
	switch {
	case len(open) > 0:
		return open[0] + never
	case r.critique:
		return "every check is done and the critique is written: set Status to " + lines[synthesizing]
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
