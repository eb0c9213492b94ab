package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// contextMissing expects the goal of a context that is written in fields.
func contextMissing(r *check.Report, m *model) {
	d := m.docs.Get(contextPath)
	if m.claim < execute || !m.absent(contextPath) && !d.Readable() {
		return
	}
	pairs, goal, says := d.Outline().Document().Pairs(), false, false
	for _, h := range d.Outline().Headings() {
		goal = goal || words.Mentions(h.Text(), "goal", "outcome", "objective")
	}
	for _, line := range d.Outline().Document().Meaning() {
		says = says || !strings.HasPrefix(line, "#")
	}
	switch {
	case d == nil:
		r.Whole(contextPath, "phase is "+m.claim.String()+", but there is no context.md")
	case !says:
		r.Whole(contextPath, "phase is "+m.claim.String()+", but context.md is empty")
	case !goal && markdown.PairAmong(pairs, "Approach", "Key outputs", "Phase signals", "Patterns to follow") != nil && !said(pairs, "Goal", "Outcome", "Objective", "Purpose", "Task"):
		r.Whole(contextPath, "context.md does not name the goal")
	}
}

func contextTooLong(r *check.Report, m *model) {
	if d := m.docs.Get(contextPath); d != nil && d.Summary.Words >= 200 {
		r.Whole(contextPath, "context.md has "+say.Int(d.Summary.Words)+" words; expected fewer than 200")
	}
}

func guardrailsMissing(r *check.Report, m *model) {
	learned := func(e *entry) bool {
		return e.reason != "" || e.halted || e.stopped || e.verdict == failed || e.review == failed
	}
	if i := slices.IndexFunc(m.log.entries, learned); i >= 0 && m.claim == execute && full(m.state) && m.absent(lessonsPath) {
		r.Whole(lessonsPath, "phase is execute and an iteration met a problem, but there is no guardrails.md, which every iteration reads first").
			See(m.log.entries[i].at(), "the first entry with a problem").
			Offer(sdk.Review, "Create an empty guardrails.md", sdk.Create(lessonsPath, "# Guardrails\n\nRead before starting any iteration. Append when issues are discovered.\n"))
	}
}

func briefIncomplete(r *check.Report, m *model) {
	if m.claim < plan {
		return
	}
	if m.absent(briefPath) {
		r.Whole(briefPath, "phase is "+m.claim.String()+", but there is no brief.md")
	} else if lacks := m.briefLacks(); lacks != nil {
		r.Whole(briefPath, "brief.md has no text for "+say.And(lacks...))
	}
}

// briefLacks lists the sections that a brief must have and has not, nil if it cannot be read.
func (m *model) briefLacks() []string {
	d := m.docs.Get(briefPath)
	if !d.Readable() {
		return nil
	}
	var outcome, criteria bool
	says := func(title string, filled bool) {
		name := markdown.Name(title)
		outcome = outcome || filled && (strings.HasPrefix(name, "outcome") || strings.HasPrefix(name, "goal") || strings.HasPrefix(name, "objective"))
		criteria = criteria || filled && (strings.HasPrefix(name, "donewhen") || strings.HasPrefix(name, "acceptance") || strings.HasPrefix(name, "successcriteria") || strings.HasPrefix(name, "criteria"))
	}
	for _, h := range d.Outline().Headings() {
		says(h.Text(), slices.ContainsFunc(h.Section().Meaning(), filled))
	}
	for _, p := range d.Outline().Document().Pairs() {
		says(p.Key, slices.ContainsFunc(p.Texts(), func(text string) bool { return words.Real(text) && filled(text) }))
	}
	var lacks []string
	if !outcome {
		lacks = append(lacks, "Outcome")
	}
	if !criteria {
		lacks = append(lacks, "Done When")
	}
	return lacks
}

// filled reports whether a line is no placeholder of the template.
func filled(line string) bool {
	return words.Placeholder(strings.TrimLeftFunc(line, func(r rune) bool { return r == '-' || r == ' ' || r == '*' })) == ""
}

// said reports whether a field of some keys says something.
func said(pairs []markdown.Pair, keys ...string) bool {
	f := markdown.PairAmong(pairs, keys...)
	return slices.ContainsFunc(f.Texts(), func(text string) bool { return strings.TrimLeftFunc(text, markdown.Symbol) != "" })
}

// malformedGuardrail takes any words for a lesson. One with the context, or with where it was learned,
// has the form of the template and all of its fields.
func malformedGuardrail(r *check.Report, m *model) {
	for _, s := range lessons(m.docs.Get(lessonsPath)) {
		pairs, title := s.Pairs(), say.Clip(s.Heading().Text())
		if f := markdown.PairAmong(pairs, "Learned"); f != nil && m.hold&(withLog|surePlan) == withLog|surePlan && m.stateSeen() && len(m.plan.items) > 0 {
			n, _ := iteration(f.Value)
			id, says := upper(words.First(unmarked(f.Value))), ""
			switch ph := m.byID[id]; {
			case !isID(id):
			case !ph.known():
				says = ", which is neither in the plan nor in state.json"
			case n > max(ph.trail.works, ph.trail.highest, ph.used())+1:
				says = "; progress.md has " + say.Count(ph.trail.works, "iteration") + " of it"
			}
			if says != "" {
				r.At(atPair(lessonsPath, f), "the lesson "+say.Quote(title)+" was learned in "+say.Clip(f.Value)+says).Keyed(title + " learned")
			}
		}
		var lacks []string
		for _, keys := range [][]string{{"Problem", "Issue", "What went wrong", "Don't"}, {"Solution", "Do", "Fix", "Rule", "Lesson", "How to avoid"}, {"Context", "When"}, {"Learned"}} {
			if !said(pairs, keys...) {
				lacks = append(lacks, keys[0])
			}
		}
		template := markdown.PairAmong(pairs, "Context", "Learned") != nil
		if len(lacks) == 0 || !template && len(s.Meaning()) > 0 || settled(title) {
			continue
		}
		r.At(sdk.AtBytes(lessonsPath, s.Heading().Start(), s.Heading().End()), "the lesson "+say.Quote(title)+" does not say its "+say.And(lacks...)).Keyed(title)
	}
}

// hasOutput reports whether any file is in an output directory, other than one that keeps the
// directory in git while its files are ignored.
func (m *model) hasOutput() bool {
	for _, d := range m.docs.All() {
		if strings.IndexByte(d.Path, '/') > 0 && !strings.Contains(d.Path, "/.") {
			return true
		}
	}
	return false
}

func missingOutput(r *check.Report, m *model, ph *phase) {
	if ph.status != done || ph.item == nil {
		return
	}
	for _, path := range ph.item.outputs(m.root) {
		if m.docs.Get(path) != nil || !m.docs.Known(path) || strings.HasSuffix(path, "/") && m.below(path) {
			continue
		}
		f := inPlan(r, ph.item, ph.id+" is done, but "+path+" does not exist").Keyed(path)
		seeStatus(f, ph)
		if !m.hasOutput() && (m.base == nil || !m.base.hasOutput()) {
			f.As(sdk.Warning)
		}
	}
}

// below reports whether a file is below a directory, or may be.
func (m *model) below(dir string) bool {
	if !m.docs.Known(dir + "x") {
		return true
	}
	for _, d := range m.docs.All() {
		if strings.HasPrefix(d.Path, dir) {
			return true
		}
	}
	return false
}

func emptyOutput(r *check.Report, m *model, ph *phase) {
	if ph.status != done || ph.item == nil {
		return
	}
	for _, path := range ph.item.outputs(m.root) {
		d := m.docs.Get(path)
		if d == nil || len(d.Faults) > 0 || d.Size > 0 && (d.Need == sdk.Listed || d.Summary.Words > 0) {
			continue
		}
		r.Whole(path, ph.id+" is done, but "+path+" is empty").Of(ph.id).See(ph.item.at(), "an output of "+ph.id)
	}
}

// unfilledPlaceholder checks all texts but outputs, whose paths may have a pattern.
func unfilledPlaceholder(r *check.Report, m *model) {
	if m.claim < execute {
		return
	}
	paths := []string{briefPath, logPath, lessonsPath, contextPath}
	for _, d := range m.plan.docs {
		paths = append(paths, d.Path)
	}
	for _, path := range paths {
		o := m.docs.Get(path).Outline()
		for i := range o.Nodes {
			if n := &o.Nodes[i]; n.Kind == markdown.KindHeading || n.Kind == markdown.KindTask || n.Kind == markdown.KindParagraph {
				for line := range strings.Lines(o.Text[n.Start:n.End]) {
					unfilled(r, path, n.Start, line, o.Text)
				}
			}
		}
	}
}

// unfilled finds a placeholder that a line, or the value in it, begins with.
func unfilled(r *check.Report, path string, from int, line, text string) {
	key, value, _ := strings.Cut(line, ":")
	p := words.Placeholder(strings.TrimLeft(line, "# \t>[]*-"))
	if whole := strings.Trim(value, "*` \r\n"); p == "" && whole != "" && words.Placeholder(whole) == whole {
		p = whole
	} else if p == "" && !words.Mentions(key, "output") {
		p = words.Placeholder(strings.TrimLeft(value, "* "))
	}
	if p != "" {
		at := from + strings.Index(text[from:], p)
		r.At(sdk.AtBytes(path, at, at+len(p)), say.Quote(p)+" is a placeholder of the template").Keyed(say.Clip(p))
	}
}
