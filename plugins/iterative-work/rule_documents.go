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

var documentRules = group{"documents",
	"An iteration starts with a fresh context, so it knows only what the documents say.", []rule{
		// Only a context that is written in fields must contain the goal.
		{"context-missing", sdk.Warning, live | ofState | executed, func(r *check.Report, m *model) {
			d := m.docs.Get(contextPath)
			if !m.absent(contextPath) && !d.Readable() {
				return
			}
			all := d.Outline().Document()
			pairs, phase := all.Pairs(), "phase is "+say.Quote(m.claim.String())+", but "
			goal := all.FindFunc(func(h markdown.Heading) bool {
				return words.Mentions(h.Text(), "goal", "outcome",
					"objective")
			})
			const advice = "Write the goal, and what an iteration must know, in fewer than 200 words."
			switch {
			case d == nil:
				m.restore(r.Whole(contextPath, phase+"context.md does not exist"), contextPath).
					Advise("Write context.md", advice)
			case !slices.ContainsFunc(all.Meaning(), func(line string) bool { return !strings.HasPrefix(line, "#") }):
				m.restore(r.Whole(contextPath, phase+"context.md is empty"), contextPath).
					Advise("Write context.md", advice)
			case !goal.OK() && markdown.PairAmong(pairs, "Approach", "Key outputs", "Phase signals",
				"Patterns to follow") != nil && !said(pairs, "Goal", "Outcome", "Objective", "Purpose", "Task"):
				r.Whole(contextPath, "context.md does not name the goal").Advise("Write context.md", advice)
			}
		}, "A task is in progress, but context.md is missing, empty, or without the goal.", "", "", "", ""},
		{"context-too-long", sdk.Warning, live, func(r *check.Report, m *model) {
			if d := m.docs.Get(contextPath); d != nil && d.Summary.Words >= 200 {
				r.Whole(contextPath, "context.md has "+say.Int(d.Summary.Words)+" words; expected fewer than 200")
			}
		}, "context.md, which every iteration reads, has 200 words or more.", "", "", "Shorten it",
			"Keep what every iteration needs; move the rest to plan.md or guardrails.md."},
		{"guardrails-missing", sdk.Warning, live | ofState | executing | ofPhases, func(r *check.Report, m *model) {
			learned := func(e *entry) bool {
				return e.reason != "" || e.stop != 0 || e.verdict == failed || e.review == failed
			}
			if i := slices.IndexFunc(m.log.entries, learned); i >= 0 && m.absent(lessonsPath) {
				f := r.Whole(lessonsPath, `phase is "execute" and an iteration met a problem, but guardrails.md, `+
					"which every iteration reads first, does not exist").
					See(m.log.entries[i].at(), "the first entry with a problem")
				m.restore(f, lessonsPath).
					Offer(sdk.Review, "Create an empty guardrails.md",
						sdk.Create(lessonsPath,
							"# Guardrails\n\nRead before starting any iteration. Append when issues "+
								"are discovered.\n"))
			}
		}, "A task is being executed without guardrails.md, although an iteration met a problem.", "", "", "", ""},
		{"brief-incomplete", sdk.Warning, live | ofState, func(r *check.Report, m *model) {
			switch lacks := m.briefLacks(); {
			case m.claim < plan:
			case m.absent(briefPath):
				m.restore(r.Whole(briefPath, "phase is "+say.Quote(m.claim.String())+
					", but brief.md does not exist"), briefPath).
					Advise("Complete the brief", completeBrief)
			case lacks != nil:
				m.restore(r.Whole(briefPath, "brief.md has no text for "+say.And(lacks...)), briefPath).
					Advise("Complete the brief", completeBrief)
			}
		}, "The brief lacks its outcome or its criteria.", "", "", "", ""},
		// Any text is a lesson. A lesson with the context, or with where it was learned, has the form of the template
		// and must have all its fields.
		{"malformed-guardrail", sdk.Warning, live, func(r *check.Report, m *model) {
			for _, s := range lessons(m.docs.Get(lessonsPath)) {
				pairs, title := s.Pairs(), say.Clip(s.Heading().Text())
				if f := markdown.PairAmong(pairs, "Learned"); f != nil && m.holds(withLog|surePlan|sureState|withPlan) {
					if says := m.learned(f.Value); says != "" {
						r.At(atPair(lessonsPath, f), "the lesson "+say.Quote(title)+" was learned in "+
							say.Clip(f.Value)+
							says).Keyed(title + " learned")
					}
				}
				lacks := lacking(part{"Problem", said(pairs, "Problem", "Issue", "What went wrong", "Don't")},
					part{"Solution", said(pairs, "Solution", "Do", "Fix", "Rule", "Lesson", "How to avoid")},
					part{"Context", said(pairs, "Context", "When")}, part{"Learned", said(pairs, "Learned")})
				template := markdown.PairAmong(pairs, "Context", "Learned") != nil
				if len(lacks) > 0 && (template || len(s.Meaning()) == 0) && !settled(title) {
					r.At(sdk.AtBytes(lessonsPath, s.Heading().Start(), s.Heading().End()),
						"the lesson "+say.Quote(title)+" lacks "+say.And(lacks...)).Keyed(title)
				}
			}
		}, "A lesson is empty or lacks a field of its template.", "", "", "Complete the lesson",
			"Write when it applies (Context), what went wrong (Problem), how to avoid it (Solution) and the " +
				"phase and iteration in which it was learned (Learned)."},
		{"done-without-evidence", sdk.Error, live | ofPlan, func(r *check.Report, m *model, ph *phase) {
			if ph.status != done && (m.state.OK || m.state.Doc == nil && !m.holds(noState) || ph.proved() != done) {
				return // without a state, the log decides
			}
			for _, path := range ph.item.outputs(m.root) {
				below := func(d *sdk.Document) bool { return strings.HasPrefix(d.Path, path) }
				used := strings.HasSuffix(path, "/") &&
					(!m.docs.Known(path+"x") || slices.ContainsFunc(m.docs.All(), below))
				if m.absent(path) && !used {
					f := inPlan(r, ph.item, ph.id+" is done, but "+path+" does not exist").Keyed(path)
					if warnIf(!m.hasOutput() && !m.base.hasOutput(), f); m.state.OK {
						seeStatus(f, ph)
					}
					if n := m.news(ph); n > 0 { // the copy in the base does not prove that the phase is done
						f.Advise("Look for the newest copy", path+" in the base lacks the work of the last "+
							say.Count(n, "entry")+" for "+ph.id+". If there is no newer copy, restore it, append a "+
							"Revise entry that says what was lost, and set "+ph.id+" to in_progress.")
						continue
					}
					m.restore(f, path).Advise("Restore the output", "Restore it, correct its path in the plan, "+
						"or append a Revise entry to progress.md and set the phase to in_progress.")
				}
			}
		},
			"A phase is done, but one of its outputs does not exist. A warning if no output exists at all, now or in " +
				"the base.", "", "missing-output", "", ""},
		{"empty-output", sdk.Warning, live | ofState | ofPlan | claimsDone, func(r *check.Report, m *model, ph *phase) {
			for _, path := range ph.item.outputs(m.root) {
				d := m.docs.Get(path)
				if d != nil && len(d.Faults) == 0 && (d.Size == 0 || d.Need != sdk.Listed && d.Summary.Words == 0) {
					m.restore(r.Whole(path, ph.is()+", but "+path+" is empty").About(ph.id).
						See(ph.item.line, "an output of "+ph.id), path).
						Advise("Write the output", "Write the output, or set the phase back.")
				}
			}
		}, "A phase is done, but one of its outputs is empty.", "", "", "", ""},
		{"archived-not-complete", sdk.Error, ofState, func(r *check.Report, m *model) {
			if m.archived && m.claim != 0 && m.claim != complete {
				f := inState(r, "/phase", say.Wrong("phase", say.Quote(m.claim.String()),
					`"complete", because the task is in the archive`))
				setTask(warnIf(m.claim == deliver, f), m, complete)
				f.Advise("Move the task out of the archive", "Move the directory back to .iterative-work/"+m.name+".")
			}
		}, "A task in the archive is not complete. A warning if it was delivered.", "", "", "", ""},
		{"complete-not-archived", sdk.Warning, live | ofState, func(r *check.Report, m *model) {
			if m.claim == complete && !m.archived {
				inState(r, "/phase", `phase is "complete", but the task is not in the archive`)
			}
		}, "A task is complete, but not in the archive.", "", "", "Archive the task",
			"Move the directory to .iterative-work/archive."},
		// All texts are checked except outputs, whose paths may contain a pattern.
		{"unfilled-placeholder", sdk.Warning, live | ofState | executed, func(r *check.Report, m *model) {
			for _, d := range m.docs.All() {
				for _, n := range d.Outline().Nodes {
					if n.Kind == markdown.KindHeading || n.Kind == markdown.KindTask ||
						n.Kind == markdown.KindParagraph {
						for line := range strings.Lines(d.Text[n.Start:n.End]) {
							unfilled(r, d, n.Start, line)
						}
					}
				}
			}
		}, "A document still has a template placeholder.", "", "", "Fill it in", "Replace it with the actual text."},
	}}

const completeBrief = "In brief.md, write what the user wants (Outcome) and when it is done (Done When)."

// restore offers the text from the base for a lost document, or for all documents in a lost directory, unless the
// current text says something else.
func (m *model) restore(f *check.Finding, path string) *check.Finding {
	var edits []sdk.Edit
	for _, was := range m.base.docs.All() {
		now := m.docs.Get(was.Path)
		whole := !was.Dir && len(was.Faults) == 0 && was.Size > 0
		lost := now == nil && m.docs.Known(was.Path) || now != nil && (now.Size == 0 || now.Readable() &&
			strings.HasPrefix(was.Text, strings.TrimRight(now.Text, " \t\r\n")) && len(now.Text) < len(was.Text))
		if whole && lost && (was.Path == path || strings.HasSuffix(path, "/") && strings.HasPrefix(was.Path, path)) {
			edits = append(edits, sdk.Restore(was.Path))
		}
	}
	if len(edits) > 0 {
		f.Offer(sdk.Review, "Restore "+path+" from the base", edits...)
	}
	return f
}

// briefLacks returns the required sections that a brief lacks, or nil if it cannot be read.
func (m *model) briefLacks() []string {
	d := m.docs.Get(briefPath)
	if !d.Readable() {
		return nil
	}
	all := d.Outline().Document()
	has := func(begins ...string) bool {
		named := func(title string) bool {
			return slices.ContainsFunc(begins, func(name string) bool {
				return strings.HasPrefix(markdown.Name(title),
					name)
			})
		}
		return slices.ContainsFunc(all.Headings(), func(h markdown.Heading) bool {
			return named(h.Text()) && slices.ContainsFunc(h.Section().Meaning(), filled)
		}) || slices.ContainsFunc(all.Pairs(), func(p markdown.Pair) bool {
			return named(p.Key) && slices.ContainsFunc(p.Texts(),
				func(text string) bool { return words.Real(text) && filled(text) })
		})
	}
	return lacking(part{"Outcome", has("outcome", "goal", "objective")},
		part{"Done When", has("donewhen", "acceptance", "successcriteria", "criteria")})
}

// filled reports whether a line is not a template placeholder.
func filled(line string) bool { return words.Placeholder(strings.TrimLeft(line, "- *")) == "" }

// said reports whether a field with one of the keys has a value.
func said(pairs []markdown.Pair, keys ...string) bool {
	f := markdown.PairAmong(pairs, keys...)
	return slices.ContainsFunc(f.Texts(), func(text string) bool {
		return strings.TrimLeftFunc(text,
			markdown.Symbol) != ""
	})
}

// learned describes what is wrong with the iteration in which a lesson was learned, or returns "".
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

// hasOutput reports whether an output directory contains any file other than one that keeps the directory in git while
// its files are ignored.
func (m *model) hasOutput() bool {
	return slices.ContainsFunc(m.docs.All(), func(d *sdk.Document) bool {
		return strings.IndexByte(d.Path, '/') > 0 && !strings.Contains(d.Path, "/.")
	})
}

// unfilled reports a placeholder at the beginning of a line or of its value.
func unfilled(r *check.Report, d *sdk.Document, from int, line string) {
	key, value, _ := strings.Cut(line, ":")
	p := words.Placeholder(strings.TrimLeft(line, "# \t>[]*-"))
	if whole := strings.Trim(value, "*` \r\n"); p == "" && whole != "" && words.Placeholder(whole) == whole {
		p = whole
	} else if p == "" && !words.Mentions(key, "output") {
		p = words.Placeholder(strings.TrimLeft(value, "* "))
	}
	if p != "" {
		at := from + strings.Index(d.Text[from:], p)
		r.At(sdk.AtBytes(d.Path, at, at+len(p)), say.Quote(p)+" is a template placeholder").Keyed(say.Clip(p))
	}
}
