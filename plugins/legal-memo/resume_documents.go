package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
)

// readFirst lists the state file or its substitutes, then the orchestrator's state, the agent's output and its
// inputs.
func (m *model) readFirst(a *agent, b *brief.Brief) {
	own := gather(m.outputs(a), func(d *sdk.Document) string { return d.Path })
	if a.read {
		b.Read(a.doc.Path)
	} else {
		b.Read(own...)
	}
	b.Read(orchestratorPath)
	b.Read(own...)
	if a.doc != nil { // an unreadable state file comes last
		b.Read(a.doc.Path)
	}
	inputs := textsOf(a.root.Get("input_files_read"))
	if a.kind == kinds[research] {
		inputs = append(inputs, textsOf(a.at("/phases/PHASE_1_REPORT_INVENTORY/reports_list"))...)
	}
	for _, s := range inputs {
		if d := m.named(s); d != nil && !a.rereads(d.Path) {
			b.Read(d.Path)
		}
	}
}

// named returns the document that a path in a state file refers to: the one with that path, or else the first with
// that name.
func (m *model) named(path string) *sdk.Document {
	path = m.local(path)
	exact := func(d *sdk.Document) bool { return d.Path == path } // docs.Get is only for the workflow's own paths
	if d := first(m.docs.All(), exact); d != nil || path == "" {
		return d
	}
	return first(m.docs.All(), func(d *sdk.Document) bool { return !d.Dir && baseName(d.Path) == baseName(path) })
}

// rereads reports whether a guard says not to read a report again.
func (a *agent) rereads(path string) bool {
	return slices.ContainsFunc(a.guards, func(g *guard) bool {
		return (g.field == "do_not_reread_reports" || g.field == rescan) && baseName(g.text) == baseName(path)
	})
}

// lacking returns the step for a missing part of a finished agent's report or summary, or "" if nothing is missing.
func (m *model) lacking(a *agent) string {
	for _, d := range m.outputs(a) {
		if !a.claims || a.kind.stage > 5 || !a.kind.prose || !measured(d) {
			continue
		} else if was := m.longer(d); was != nil && brokenAt(d) >= 0 {
			return "restore " + d.Path + " from the base (" + say.Count(was.Summary.Words, "word") +
				"), then complete it"
		} else if at := brokenAt(d); unfilled(d) {
			return "replace [TBD] on line " + say.Int(d.Summary.Lines-len(d.Summary.Tail)+at+1) + " of " + d.Path
		} else if at >= 0 {
			return "continue writing " + d.Path + " from line " + say.Int(d.Summary.Lines-len(d.Summary.Tail)+at+1) +
				", where it is cut off"
		} else if short := tooShort(d, m.least(a.kind)); short != "" && len(a.openItems()) == 0 {
			return "complete the text: " + short
		}
	}
	return ""
}

// standIns lists the substitutes for a missing or unreadable state.
func (m *model) standIns(a *agent, b *brief.Brief) {
	text, how := "the state file is missing", "; rely on the outputs"
	if a.doc != nil {
		text = "the state file is unreadable"
		if m.rebuilt(a) != "" {
			how += ", or rebuild it with stategate recover"
		}
	}
	if m.recoverable(a) {
		how = ""
	}
	b.Know(text + how)
	there := m.outputs(a)
	if len(there) == 0 {
		there = m.softOutputs(a)
	}
	for _, d := range there {
		if !measured(d) {
			continue
		}
		s := d.Path + ": " + say.Int(d.Summary.Words) + " words"
		if n := len(d.Summary.Headings); n > 0 {
			s += ", last heading " + say.Quote(d.Summary.Headings[n-1].Text)
		}
		b.Know(s)
	}
}

// recoverable reports whether a missing or unreadable state file can be restored from the base.
func (m *model) recoverable(a *agent) bool {
	was := m.before(a)
	return !a.read && was != nil && was.read
}

// begunText reports whether the state says that a section or the summary is partly written, while the memorandum lacks
// it.
func (m *model) begunText(a *agent) bool {
	return a.kind == kinds[writer] && a.countItems(complete) > 0 && !m.written(a.letter) ||
		a.kind == kinds[execSummary] && a.phases[structure].done() && m.memo == nil && !m.anyStage7()
}

// writeAgain returns the step to take if the text of a section or the summary was lost, or "" if it was not.
func (m *model) writeAgain(a *agent) string {
	lost := a.read && m.tracked && m.complete && len(m.outputs(a)) == 0 && !m.written(a.letter)
	switch {
	case !lost || !m.begunText(a) && (!a.claims || a.proof != absent):
		return ""
	case a.kind == kinds[writer]:
		return "write the section again: its report is lost"
	case a.kind == kinds[execSummary]:
		return "write the summary again: it is lost"
	}
	return ""
}

// restorable returns the path of an agent's output that the base has and the session lacks, or "" if there is none.
func (m *model) restorable(a *agent) string {
	if m.base == nil {
		return ""
	}
	for _, was := range m.base.outputs(a) {
		if m.gone(was) {
			return was.Path
		}
	}
	return ""
}

// gone reports whether the session lacks a text that the base has.
func (m *model) gone(was *sdk.Document) bool {
	return m.docs.Get(was.Path) == nil && (wordCount(was) > 0 || !measured(was))
}
