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
		{"context-missing", sdk.Warning, live | ofState | executed, func(r *check.Report, m *model) {
			d, says := m.docs.Get(contextPath), "does not exist"
			if d != nil {
				says = "is empty"
			}
			text := func(line string) bool { return !strings.HasPrefix(line, "#") }
			if m.absent(contextPath) || d.Readable() && !slices.ContainsFunc(d.Outline().Document().Meaning(), text) {
				m.restore(r.Whole(contextPath, "phase is "+say.Quote(m.claim.String())+", but context.md "+says),
					contextPath)
			}
		}, "A task is in progress, but context.md is missing or empty.", "", "", "Write context.md",
			"Write the goal, and what an iteration must know, in fewer than 200 words."},
		{"context-too-long", sdk.Warning, live, func(r *check.Report, m *model) {
			if d := m.docs.Get(contextPath); d != nil && d.Summary.Words >= 200 {
				r.Whole(contextPath, "context.md has "+say.Int(d.Summary.Words)+" words; expected fewer than 200")
			}
		}, "context.md, which every iteration reads, has 200 words or more.", "", "", "Shorten it",
			"Keep what every iteration needs; move the rest to plan.md or guardrails.md."},
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
		{"done-without-evidence", sdk.Error, live | ofPlan, func(r *check.Report, m *model, ph *phase) {
			m.declaredWithout(r, ph)
			if ph.status != done && (m.state.OK || m.state.Doc == nil && !m.holds(noState) || ph.proved() != done) {
				return // without a state, the log decides
			}
			for _, path := range ph.item.outputs(m.root) {
				d, was := m.docs.Get(path), m.base.docs.Get(path)
				if d != nil && was != nil && d.Need != sdk.Listed && d.Summary.Words > 0 && d.Summary.Words <= 2 &&
					was.Summary.Words > 20 && m.news(ph) == 0 {
					r.Whole(path, ph.id+" is done, but "+path+" has only "+say.Count(d.Summary.Words, "word")+
						"; the base has "+say.Int(was.Summary.Words)).About(ph.id).As(sdk.Warning).
						See(ph.item.line, "an output of "+ph.id).
						Offer(sdk.Review, "Restore "+path+" from the base", sdk.Restore(path))
				}
				if d != nil && len(d.Faults) == 0 &&
					(d.Size == 0 || d.Need != sdk.Listed && d.Summary.Words == 0) {
					m.restore(r.Whole(path, ph.id+" is done, but "+path+" is empty").About(ph.id).As(sdk.Warning).
						See(ph.item.line, "an output of "+ph.id), path).
						Advise("Write the output", "Write the output, or set the phase back.")
				}
				if m.lacksOutput(path) {
					f := inPlan(r, ph.item, ph.id+" is done, but "+path+" does not exist").Keyed(path)
					if warnIf(!m.hasOutput() && !m.base.hasOutput(), f); m.state.OK {
						seeStatus(f, ph)
					}
					// the copy in the base lacks the newest work
					if n := m.news(ph); n > 0 && !m.base.lacksOutput(path) {
						f.Advise("Look for the newest copy", path+" in the base lacks the work of "+
							say.Count(n, "newer entry")+" for "+ph.id+". If there is no newer copy, restore that one, "+
							"append a Revise entry that says what was lost, and set "+ph.id+" to in_progress.")
						continue
					}
					m.restore(f, path).Advise("Restore the output", "Restore it, correct its path in the plan, "+
						"or append a Revise entry to progress.md and set the phase to in_progress.")
				}
			}
		},
			"A phase is done, but one of its outputs does not exist. A warning if it lost its text, if no output " +
				"exists at all, now or in the base, or if the phase is being confirmed or verified.", "",
			"missing-output empty-output", "", ""},
		{"archived-not-complete", sdk.Error, ofState, func(r *check.Report, m *model) {
			if m.archived && m.claim != 0 && m.claim != complete {
				f := inState(r, "/phase", say.Wrong("phase", say.Quote(m.claim.String()),
					`"complete", because the task is in the archive`))
				back := "Move the directory back to .iterative-work/" + m.name + "."
				if m.claim == deliver {
					setTask(f.As(sdk.Warning), m, complete)
				} else {
					back += " Only if the task was reviewed and delivered, set phase to complete instead."
				}
				f.Advise("Move the task out of the archive", back)
			}
		}, "A task in the archive is not complete. A warning if it was delivered.", "", "", "", ""},
		{"complete-not-archived", sdk.Warning, live | ofState, func(r *check.Report, m *model) {
			if m.claim == complete && !m.archived && len(m.overtaken()) == 0 { // it must be finished first
				inState(r, "/phase", `phase is "complete", but the task is not in the archive`)
			}
		}, "A task is complete, but not in the archive.", "", "", "Archive the task",
			"Move the directory to .iterative-work/archive."},
	}}

const completeBrief = "In brief.md, write what the user wants (Outcome) and when it is done (Done When)."

// declaredWithout reports an output that does not exist although progress.md declares the work of a phase done. It
// reports nothing if the task has no output at all, because its outputs are then stored elsewhere.
func (m *model) declaredWithout(r *check.Report, ph *phase) {
	if ph.status != confirming && ph.status != verifying || ph.trail.done == 0 || !m.hasOutput() {
		return
	}
	for _, path := range ph.item.outputs(m.root) {
		if m.lacksOutput(path) {
			f := inPlan(r, ph.item, ph.is()+", but "+path+" does not exist").Keyed(path).As(sdk.Warning)
			m.restore(seeLast(f, ph), path).Advise("Write the output",
				"Find the output, or set "+ph.id+" to in_progress and write it.")
		}
	}
}

// lacksOutput reports whether an output does not exist. A directory exists if it contains a file.
func (m *model) lacksOutput(path string) bool {
	below := func(d *sdk.Document) bool { return strings.HasPrefix(d.Path, path) }
	used := strings.HasSuffix(path, "/") &&
		(!m.docs.Known(path+"x") || slices.ContainsFunc(m.docs.All(), below))
	return m.absent(path) && !used
}

// unlogged reports whether the outputs of a phase exist and the state says that the phase is done, but the log never
// does, or whether its last entry leaves nothing but signals for another phase. Then, probably only an entry is
// missing.
func (m *model) unlogged(ph *phase) bool {
	outputs, last := ph.item.outputs(m.root), ph.trail.lastWork
	return last != nil && last.misses() ||
		ph.status == done && ph.overstated() && ph.trail.done == 0 && ph.trail.lastGaps < 0 && len(outputs) > 0 &&
			!slices.ContainsFunc(outputs, m.lacksOutput)
}

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

// hasOutput reports whether an output directory contains a file. Hidden files do not count, because they may only keep
// a directory in git whose other files are ignored.
func (m *model) hasOutput() bool {
	return slices.ContainsFunc(m.docs.All(), func(d *sdk.Document) bool {
		return strings.IndexByte(d.Path, '/') > 0 && !strings.Contains(d.Path, "/.")
	})
}
