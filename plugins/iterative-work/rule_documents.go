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
	if !m.absent(contextPath) && !d.Readable() {
		return
	}
	all := d.Outline().Document()
	pairs, phase := all.Pairs(), "phase is "+m.claim.String()+", but "
	goal := all.FindFunc(func(h markdown.Heading) bool { return words.Mentions(h.Text(), "goal", "outcome", "objective") })
	switch {
	case d == nil:
		r.Whole(contextPath, phase+"there is no context.md")
	case !slices.ContainsFunc(all.Meaning(), func(line string) bool { return !strings.HasPrefix(line, "#") }):
		r.Whole(contextPath, phase+"context.md is empty")
	case !goal.OK() && markdown.PairAmong(pairs, "Approach", "Key outputs", "Phase signals", "Patterns to follow") != nil && !said(pairs, "Goal", "Outcome", "Objective", "Purpose", "Task"):
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
	if i := slices.IndexFunc(m.log.entries, learned); i >= 0 && m.absent(lessonsPath) {
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
	all := d.Outline().Document()
	has := func(begins ...string) bool {
		named := func(title string) bool {
			return slices.ContainsFunc(begins, func(name string) bool { return strings.HasPrefix(markdown.Name(title), name) })
		}
		return slices.ContainsFunc(all.Headings(), func(h markdown.Heading) bool {
			return named(h.Text()) && slices.ContainsFunc(h.Section().Meaning(), filled)
		}) || slices.ContainsFunc(all.Pairs(), func(p markdown.Pair) bool {
			return named(p.Key) && slices.ContainsFunc(p.Texts(), func(text string) bool { return words.Real(text) && filled(text) })
		})
	}
	return lacking(part{"Outcome", has("outcome", "goal", "objective")}, part{"Done When", has("donewhen", "acceptance", "successcriteria", "criteria")})
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
		if f := markdown.PairAmong(pairs, "Learned"); f != nil && m.holds(withLog|surePlan|sureState|withPlan) {
			if says := m.learned(f.Value); says != "" {
				r.At(atPair(lessonsPath, f), "the lesson "+say.Quote(title)+" was learned in "+say.Clip(f.Value)+says).Keyed(title + " learned")
			}
		}
		lacks := lacking(part{"Problem", said(pairs, "Problem", "Issue", "What went wrong", "Don't")}, part{"Solution", said(pairs, "Solution", "Do", "Fix", "Rule", "Lesson", "How to avoid")},
			part{"Context", said(pairs, "Context", "When")}, part{"Learned", said(pairs, "Learned")})
		template := markdown.PairAmong(pairs, "Context", "Learned") != nil
		if len(lacks) > 0 && (template || len(s.Meaning()) == 0) && !settled(title) {
			r.At(sdk.AtBytes(lessonsPath, s.Heading().Start(), s.Heading().End()), "the lesson "+say.Quote(title)+" does not say its "+say.And(lacks...)).Keyed(title)
		}
	}
}

// learned says what is wrong with the iteration in which a lesson was learned, "" if nothing is.
func (m *model) learned(where string) string {
	n, _ := iteration(where)
	id := upper(words.First(unmarked(where)))
	switch ph := m.byID[id]; {
	case !isID(id):
	case !ph.known():
		return ", which is neither in the plan nor in state.json"
	case n > max(ph.trail.works, ph.trail.highest, ph.used)+1:
		return "; progress.md has " + say.Count(ph.trail.works, "iteration") + " of it"
	}
	return ""
}

// hasBelow reports whether a file is below a directory.
func (m *model) hasBelow(dir string) bool {
	return slices.ContainsFunc(m.docs.All(), func(d *sdk.Document) bool { return strings.HasPrefix(d.Path, dir) })
}

// hasOutput reports whether any file is in an output directory, other than one that keeps the
// directory in git while its files are ignored.
func (m *model) hasOutput() bool {
	return slices.ContainsFunc(m.docs.All(), func(d *sdk.Document) bool {
		return strings.IndexByte(d.Path, '/') > 0 && !strings.Contains(d.Path, "/.")
	})
}

func missingOutput(r *check.Report, m *model, ph *phase) {
	for _, path := range ph.item.outputs(m.root) {
		if dir := strings.HasSuffix(path, "/"); !m.absent(path) || dir && (!m.docs.Known(path+"x") || m.hasBelow(path)) {
			continue
		}
		f := seeStatus(inPlan(r, ph.item, ph.is()+", but "+path+" does not exist").Keyed(path), ph)
		warnIf(!m.hasOutput() && !m.base.hasOutput(), f)
	}
}

func emptyOutput(r *check.Report, m *model, ph *phase) {
	for _, path := range ph.item.outputs(m.root) {
		d := m.docs.Get(path)
		if d != nil && len(d.Faults) == 0 && (d.Size == 0 || d.Need != sdk.Listed && d.Summary.Words == 0) {
			r.Whole(path, ph.is()+", but "+path+" is empty").Of(ph.id).See(ph.item.line, "an output of "+ph.id)
		}
	}
}

// unfilledPlaceholder checks all texts but outputs, whose paths may have a pattern.
func unfilledPlaceholder(r *check.Report, m *model) {
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
