package openspec

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// section returns the first level-2 section with a title, or nil if there is none.
func (s *spec) section(title string) *section {
	for _, part := range s.sections {
		if fold(part.title) == title {
			return part
		}
	}
	return nil
}

func (m *model) eachSpec(f func(*spec)) {
	for _, s := range m.specs {
		if s.doc.Readable() {
			f(s)
		}
	}
}

func requirementRepeated(r *check.Report, m *model) {
	m.eachSpec(func(s *spec) {
		seen := map[string]*requirement{}
		for _, q := range s.reqs {
			first := seen[q.name]
			if first == nil {
				seen[q.name] = q
				continue
			}
			r.AtLine(s.doc.Path, q.line, s.doc.Path+" has the requirement "+say.Quote(q.name)+" twice (line "+
				say.Int(first.line)+")").Keyed(q.name).Blocks(m.changing(s.capability)...).
				See(sdk.AtLine(s.doc.Path, first.line), "the first requirement").Advise("Keep one of the two "+
				"requirements", "Combine them, or rename one.")
		}
	})
}

// changing returns the complete changes with a delta for a capability: their next step is `openspec archive`.
func (m *model) changing(capability string) []sdk.RunName {
	var runs []sdk.RunName
	for _, c := range m.active {
		if c.complete() && anyDelta([]*change{c}, capability, func(*change, *delta) bool { return true }) {
			runs = append(runs, c.run())
		}
	}
	return runs
}

func deltaHeadingInSpec(r *check.Report, m *model) {
	m.eachSpec(func(s *spec) {
		edits := s.added()
		for _, part := range s.sections {
			if operation(part.title) == "" {
				continue
			}
			f := r.AtLine(s.doc.Path, part.line,
				s.doc.Path+" has the delta heading "+say.Quote(part.title)+"; OpenSpec ignores "+
					say.Count(len(part.reqs), "requirement")+" under it").
				Keyed(part.title).Blocks(m.changing(s.capability)...)
			known := s.section("purpose") != nil || s.section("requirements") != nil || m.base != nil &&
				m.before(s.capability) == nil
			if !known {
				f.Advise("Restore the spec that the delta replaced", "Check git log -p for "+s.doc.Path+". If it had "+
					"other requirements, restore them, and fold the delta in.",
					"Otherwise write ## Purpose, and move the requirements under ## Requirements.")
			} else if edits != nil && part == s.section("added requirements") {
				title := "Rename the heading to Requirements"
				if s.section("requirements") != nil {
					title = "Remove the delta heading"
				}
				f.Offer(sdk.Review, title, edits...)
			} else {
				f.Advise("Fold the delta into the spec", "Move the requirements under ## Requirements.",
					"Remove the heading "+say.Quote(part.title)+".")
			}
		}
	})
}

// added returns edits that move requirements under "ADDED Requirements" to Requirements. They remove each such heading
// that directly follows Requirements or another such heading, and rename the first one if there is no Requirements
// section. added returns nil if other sections are in between, or if a requirement's name already exists.
func (s *spec) added() (edits []sdk.Edit) {
	last := slices.Index(s.sections, s.section("requirements"))
	for i, part := range s.sections {
		if fold(part.title) != "added requirements" {
			continue
		}
		heading := ""
		switch {
		case last < 0:
			heading = "## Requirements" + lineEnd(part.head.Raw())
		case last != i-1 || slices.ContainsFunc(part.reqs, func(q *requirement) bool {
			return slices.ContainsFunc(s.reqs, func(is *requirement) bool { return is.key() == q.key() })
		}):
			return nil
		}
		edits, last = append(edits, sdk.Replace(sdk.AtBytes(s.doc.Path, part.start, part.head.End()), heading)), i
	}
	return edits
}

// lineEnd returns the whitespace at the end of a string.
func lineEnd(text string) string { return text[len(strings.TrimRight(text, " \t\r\n")):] }

func requirementOutside(r *check.Report, m *model) {
	m.eachSpec(func(s *spec) {
		if s.section("requirements") == nil {
			return
		}
		first := true
		for _, part := range s.sections {
			inside := first && fold(part.title) == "requirements"
			first = first && !inside
			if inside || len(part.reqs) == 0 || operation(part.title) != "" {
				continue
			}
			r.AtLine(s.doc.Path, part.reqs[0].line,
				s.doc.Path+" has "+say.Count(len(part.reqs), "requirement")+" under "+say.Quote(part.title)+
					"; OpenSpec reads only those under ## Requirements").Keyed(part.title).
				Advise("Move the requirements under ## Requirements",
					"Move the requirements, or make "+say.Quote(part.title)+" a heading of level 3 or less.")
		}
	})
}

func requirementHeading(r *check.Report, m *model) {
	m.eachSpec(func(s *spec) {
		part := s.section("requirements")
		if part == nil || len(part.other) == 0 {
			return
		}
		r.AtLine(s.doc.Path, part.other[0].line, s.doc.Path+" has "+say.Count(len(part.other), "heading")+
			" of level 3 under Requirements without the prefix Requirement: "+say.List(texts(part.other))).
			Advise("Write the headings in OpenSpec's format", "Write each requirement as `### Requirement: NAME`.",
				"If a heading only groups requirements, make it bold text.")
	})
}

func specSectionMissing(r *check.Report, m *model) {
	m.eachSpec(func(s *spec) {
		purpose, requirements := false, false
		if strings.TrimSpace(s.doc.Text) == "" {
			r.Whole(s.doc.Path, s.doc.Path+" is empty").
				Advise("Restore or remove the spec", "Restore "+s.doc.Path+" from git history, or remove it.")
			return
		}
		for _, t := range titles(s.doc) {
			purpose = purpose || fold(t.text) == "purpose"
			requirements = requirements || fold(t.text) == "requirements"
		}
		for _, part := range s.sections {
			requirements = requirements || operation(part.title) != "" // delta-heading-in-spec reports it
		}
		for _, miss := range []struct {
			title string
			has   bool
		}{{"Purpose", purpose}, {"Requirements", requirements}} {
			if !miss.has {
				r.Whole(s.doc.Path, s.doc.Path+" has no section "+miss.title).Keyed(miss.title).
					Advise("Add the missing section", "Add ## "+miss.title+" to "+s.doc.Path+".")
			}
		}
	})
}

// eachRequirement calls f with every requirement that must be complete: those in specs, and those that deltas add or
// modify, with the run of the delta's change.
func (m *model) eachRequirement(f func(run sdk.RunName, q *requirement)) {
	m.eachSpec(func(s *spec) {
		for _, q := range s.reqs {
			f(sdk.RunName{}, q)
		}
	})
	m.eachDelta(func(c *change, x *delta) {
		for _, list := range [][]*requirement{x.added, x.modified} {
			for _, q := range list {
				f(c.run(), q)
			}
		}
	})
}

func withoutScenario(r *check.Report, m *model) {
	m.eachRequirement(func(run sdk.RunName, q *requirement) {
		if len(q.scenarios) > 0 {
			q.oneMissed(r, run)
			return
		}
		at, text := q.line, say.Quote(q.name)+" has no scenario"
		title, step := "Write a scenario", "Write `#### Scenario: NAME` under the requirement, followed by a "+
			"condition and its outcome."
		if line, bold := q.disguised(); line > 0 {
			at, text = line, "the scenario of "+say.Quote(q.name)+
				" is not a heading of level 4; expected #### Scenario: NAME"
			if bold {
				text = "the scenario of " + say.Quote(q.name) + " is not a heading; expected #### Scenario: NAME"
			}
			title, step = "Correct the scenario's heading", "Begin the title of each scenario with `#### Scenario: `."
		}
		r.AtLine(q.doc.Path, at, text).Of(run).Keyed(q.key()).
			Advise(title, step)
	})
}

// oneMissed reports a scenario that has a heading of level 3, although others in its requirement have level 4. Such a
// heading ends the scenario before it.
func (r *requirement) oneMissed(report *check.Report, run sdk.RunName) {
	if r.missed.level != 3 {
		return
	}
	at := r.missed.head.Start()
	at += strings.IndexByte(r.doc.Text[at:], '#')
	report.AtLine(r.doc.Path, r.missed.line, say.Quote(r.missed.text)+" in "+say.Quote(r.name)+
		" is a heading of level 3; expected #### Scenario: NAME").Of(run).Keyed(r.key()).
		Offer(sdk.Review, "Make the scenario a heading of level 4", sdk.Replace(sdk.AtBytes(r.doc.Path, at, at), "#"))
}

// disguised returns the line of a scenario that is written as a heading of another level or as bold text. It returns 0
// if there is none.
func (r *requirement) disguised() (line int, bold bool) {
	if r.missed.line > 0 {
		return r.missed.line, false
	}
	n := r.line
	for text := range strings.Lines(r.doc.Text[r.head.Start():r.end]) {
		if _, ok := after(strings.TrimLeft(text, " \t-*+_"), "scenario"); ok {
			return n, true
		}
		n++
	}
	return 0, false
}

func withoutText(r *check.Report, m *model) {
	m.eachRequirement(func(run sdk.RunName, q *requirement) {
		if q.wordless() && len(q.scenarios) > 0 {
			r.AtLine(q.doc.Path, q.line, say.Quote(q.name)+
				" has scenarios, but no statement").Of(run).Keyed(q.key()).
				Advise("Write the requirement", "State under its heading what the system SHALL or MUST do.")
		}
	})
}

func purposePlaceholder(r *check.Report, m *model) {
	m.eachSpec(func(s *spec) {
		if part := s.section("purpose"); part != nil {
			if text := part.head.Body().Paragraph(); unwritten(text.Text()) {
				r.AtLine(s.doc.Path, text.Line(), "the purpose of "+s.capability+" is still a placeholder").
					Advise("Write the purpose", "Describe in one or two sentences what "+s.capability+" is for.")
			}
		}
	})
}

// unwritten reports whether a purpose begins with TBD or TODO, as OpenSpec reads them. A word in lowercase counts only
// before punctuation or at the end, because Spanish and Portuguese sentences can begin with "todo".
func unwritten(text string) bool {
	word := words.First(text)
	if k := strings.ToLower(word); k != "tbd" && k != "todo" {
		return false
	}
	rest := strings.TrimLeft(text[len(word):], " ")
	return word == "TBD" || word == "TODO" || rest == "" || !words.IsWord(rest[0]) || strings.HasPrefix(rest, "–") ||
		strings.HasPrefix(rest, "—")
}

func specMisplaced(r *check.Report, m *model) {
	for _, d := range m.docs.Match("specs/*.md") {
		n := 0
		for _, s := range read(d) {
			n += len(s.reqs)
		}
		if n > 0 {
			to := strings.TrimSuffix(d.Path, ".md") + "/spec.md"
			f := r.Whole(d.Path, d.Path+" has "+say.Count(n, "requirement")+", but OpenSpec reads only "+
				"specs/CAPABILITY/spec.md")
			if m.docs.Get(to) != nil {
				f.Advise("Keep one spec", "Move the requirements that "+to+" lacks to it, and remove "+d.Path+".")
			} else {
				f.Advise("Move the spec", "Move "+d.Path+" to "+to+".")
			}
		}
	}
}
