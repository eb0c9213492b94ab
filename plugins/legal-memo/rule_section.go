package legalmemo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

func sectionCountOffReports(l *look, a *agent) {
	there := float64(len(l.letters))
	var wrong []string
	at := ""
	for _, pointer := range [...]string{"/input_files_verified/section_reports",
		"/phases/PHASE_1_DISCOVERY/section_count", "/metrics/sections_integrated"} {
		f, ok := num(a.at(pointer))
		integrated := pointer == "/metrics/sections_integrated" // the figure may include front and back matter
		if !ok || f == there || f == 0 && !a.phaseDone("loading") || integrated && (!a.finished || f > there) {
			continue
		}
		if wrong = append(wrong, pointer[1:]+" is "+figure(f)); at == "" {
			at = pointer
		}
	}
	if len(wrong) > 0 && there > 0 {
		l.say(a, at, list(wrong)+", but "+say.Count(len(l.letters), "section")+" have reports: "+
			list(l.letters)).As(graded(a.finished, sdk.Error, sdk.Warning))
	}
}

// sectionNotInMemorandum finds sections that the memorandum should contain.
func sectionNotInMemorandum(l *look, a *agent) {
	if a.kind == kinds[assembly] && (!a.finished || l.memo == nil || a.catFailed()) || !l.seesMemo() {
		return // a failed assembly has another finding
	}
	letters := append(a.recorded(), a.appended()...)
	recorded := len(letters) > 0
	if a.finished && l.memo != nil {
		letters = append(letters, l.letters...)
	}
	missing := l.unstarted(sorted(gather(letters, func(l string) string { return l })))
	if len(missing) == 0 {
		return
	}
	what := "lacks them"
	if l.memo == nil {
		what = "does not exist"
	}
	pointer := repeatPointer
	if !a.hasGuards {
		pointer = "/sections_complete"
	}
	claim := "these sections are recorded as appended"
	if !recorded {
		pointer, claim, what = a.claimPointer(), a.claimText(), "lacks these sections that have reports"
	}
	f := l.say(a, pointer, claim+", but "+memoPath+" "+what+": IV."+list(missing))
	for _, o := range keep(l.under("final-memorandum-"), measured) {
		if has := keep(startedIn(o), func(l string) bool { return holds(missing, l) }); len(has) > 0 {
			f.See(sdk.At(o.Path), "has IV."+list(has)).Advise("Adopt "+o.Path,
				"Compare it with "+memoPath+", and move the better one there.")
			return
		}
	}
	if extra := l.onlyHere(); len(extra) > 0 && len(l.base.unstarted(missing)) == 0 {
		f.Advise("Restore "+memoPath+" from the base",
			"Keep a copy of the current text, restore the base's, then append IV."+list(extra)+".")
		return
	}
	if l.base != nil && len(l.base.unstarted(append(missing, l.started...))) == 0 {
		f.Offer(sdk.Review, "Restore "+memoPath+" from the base", sdk.Restore(memoPath))
	}
	if a.kind == kinds[synthesis] {
		f.Offer(sdk.Review, "Remove the sections from the lists and reopen PHASE_4_ASSEMBLY", l.forget(a, missing)...)
	} else {
		f.Offer(sdk.Review, reassembly, l.reassemble(a)...)
	}
}

// sectionAppendedTwice finds sections whose heading the memorandum has twice.
func sectionAppendedTwice(l *look) {
	if twice := repeated(l.memo); len(twice) > 0 {
		l.about(l.ownerOf(memoPath), memoPath, memoPath+" has these headings twice: "+list(twice))
	}
}

// repeated returns the headings that start a section and appear twice in a document, with the same level and text. A
// heading that appears more often is a page header.
func repeated(d *sdk.Document) []string {
	if !measured(d) {
		return nil
	}
	return gather(d.Summary.Headings, func(h wire.HeadingLine) string {
		alike := func(o wire.HeadingLine) bool { return o.Level == h.Level && o.Text == h.Text }
		if n := len(keep(d.Summary.Headings, alike)); n < 2 || n > 3 || headingLetter(h.Text) == "" {
			return ""
		}
		return h.Text
	})
}

func pendingSectionFile(l *look) {
	var paths []string
	for _, d := range l.under("section-IV") {
		if strings.HasSuffix(d.Path, "-integrated.md") || strings.HasSuffix(d.Path, "-pending.md") {
			paths = append(paths, d.Path)
		}
	}
	if len(paths) > 0 {
		l.about("", paths[0], "these sections are in separate files instead of "+memoPath+": "+list(paths))
	}
}

// leftOut returns the sections that have a report but no item.
func (m *model) leftOut(a *agent) []string {
	return keep(m.letters, func(l string) bool {
		return !slices.ContainsFunc(a.items, func(it *item) bool { return it.letter == l })
	})
}

// sectionLeftOut finds sections with a report that the finished citations or summary lack.
func sectionLeftOut(l *look, a *agent) {
	missing := l.leftOut(a)
	over := a.finished || a.kind.worked >= 0 && a.phases[a.kind.worked].done() // all sections were processed
	if !over || a.elided() || len(missing) == 0 || a.kind == kinds[execSummary] && len(a.items) == 0 {
		return
	}
	at := "/" + cmp.Or(a.itemsKey, "sections_status")
	what := a.claimText()
	if !a.finished {
		what = a.phases[a.kind.worked].name + " is done"
	}
	l.say(a, at, what+", but "+at[1:]+" lacks these sections that have reports: "+
		list(missing)).As(graded(a.finished, sdk.Error, sdk.Warning)).
		See(sdk.At(l.reportsOf(missing[0])[0].Path), "the report of section "+missing[0])
}

func sectionWithoutReport(l *look, a *agent) {
	ghosts := l.ghosts(a)
	if len(ghosts) == 0 {
		return
	}
	letters := gather(ghosts, func(it *item) string { return it.letter })
	f := l.say(a, jsondoc.Pointer(a.itemsKey, ghosts[0].key),
		a.itemsKey+" marks these sections as complete, but "+reportsDir+" has no report for them: "+list(letters))
	had := l.base != nil && slices.ContainsFunc(letters, func(s string) bool { return holds(l.base.letters, s) })
	if a.kind != kinds[execSummary] || a.claims || had {
		return
	}
	edits := a.reopen(a.kind.worked, func(g *guard) bool {
		return !namesAny(g, ghosts) && !a.guardsPhase(g, a.kind.worked, len(a.phases), true)
	})
	for _, it := range ghosts {
		edits = append(edits, a.set(a.itemPointer(it), `"pending"`)...)
		if p := a.resultKey(); it.body.Get(p).Exists() {
			edits = append(edits, a.set(jsondoc.Pointer(a.itemsKey, it.key, p), "null")...)
		}
	}
	done := a.countItems(complete) - len(ghosts)
	if at := a.metric(a.kind.counts); a.at(at).Exists() {
		edits = append(edits, a.set(at, say.Int(done))...)
	}
	_, total, _ := l.tally(a)
	edits = append(append(edits, a.setProgress(done, total, "sections")...), a.nextAction(readAgain(ghosts[0]))...)
	f.Offer(sdk.Review, "Read the sections again once their reports exist", edits...)
}

// ghosts returns the complete items whose sections have no report.
func (m *model) ghosts(a *agent) []*item {
	if len(m.letters) == 0 || a.elided() {
		return nil
	}
	return keep(a.items, func(it *item) bool {
		return it.word == complete && it.letter != "" && !holds(m.letters, it.letter)
	})
}

func readAgain(it *item) string { return "read section " + it.key + " once its report exists" }

// copyOf returns the section whose state a file contains under another section's name. The state is the current one or
// the one in the base. copyOf returns nil if the file had its own state in the base.
func (m *model) copyOf(a *agent) *agent {
	_, letter, ok := a.section()
	if !ok || letter == a.letter {
		return nil
	}
	if was := m.before(a); was != nil {
		if _, own, _ := was.section(); own == a.letter {
			return nil
		}
	}
	return first(m.agents, func(b *agent) bool {
		was := m.before(b)
		return b.read && b.kind == kinds[writer] && b.letter == letter && (same(a.root, b.root) ||
			was != nil && was.read && same(a.root, was.root))
	})
}
