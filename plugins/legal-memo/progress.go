package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/words"
)

// progress counts an agent's finished work, up to the total.
func (m *model) progress(a *agent) (done, total int, unit string) {
	if !a.read {
		return 0, 0, "phases"
	}
	done, total, unit = m.tally(a)
	return min(done, total), total, unit
}

func (m *model) tally(a *agent) (done, total int, unit string) {
	count := func(pointer string, or int) int {
		if n, ok := integer(a.at(pointer)); ok {
			return max(n, 0)
		}
		return or
	}
	named := func(key string, or int) int { return count(a.metric(key), or) }
	items, all := a.countItems(complete), len(a.items)
	working := a.observed == a.kind.worked && all > 0
	switch a.kind {
	case kinds[research]:
		figure := scannedPointer
		if a.observed == 2 {
			figure = "/phases/PHASE_2_COMPLETENESS_REVIEW/reports_reviewed"
		}
		if total = count("/phases/PHASE_1_REPORT_INVENTORY/reports_found", -1); total >= 0 &&
			(a.observed == 2 || a.observed == 4) {
			return count(figure, 0), total, "reports"
		}
	case kinds[facts]:
		if working {
			return items, all, "categories"
		}
	case kinds[coverage]:
		if a.observed == 2 {
			total = max(named("critical_issues_total", 0), all)
			return min(named("critical_issues_checked", 0), total-len(a.openItems())), total, "issues"
		}
	case kinds[risk]:
		if a.observed == 3 {
			return named("exposures_weighted", 0), named("exposures_total", 0), "exposures"
		}
	case kinds[writer]:
		if all > 0 && (a.observed <= a.kind.worked || a.state == sdk.Finished || len(a.openItems()) > 0) {
			return items, all, "subsections"
		}
	case kinds[execSummary]:
		return items - len(m.unproven(a)), named(a.kind.all, len(m.letters)), "sections"
	case kinds[citation]:
		return items, named(a.kind.all, all), "sections"
	case kinds[synthesis]:
		if total = len(m.letters); total == 0 {
			total = count("/phases/PHASE_1_DISCOVERY/section_count", 0)
		}
		if m.memo == nil && !m.tracked {
			return len(a.recorded()), total, "sections"
		}
		return len(m.started), total, "sections"
	case kinds[qa]:
		if working {
			return items, named(a.kind.all, all), "dimensions"
		}
	}
	done = len(keep(a.phases, (*phase).done))
	return done, done + len(a.openPhases()), "phases"
}

// remaining returns the remaining work in order: the items, then the phases.
func (m *model) remaining(a *agent) []string {
	switch {
	case !a.read && a.kind == kinds[writer] && m.unfinishedText(a) != "":
		return subsections[min(max(lastSubsection(m.outputs(a)[0]), 0)+1, len(subsections)):]
	case !a.read:
		return nil
	}
	left := m.itemsLeft(a)
	if a.kind == kinds[qa] {
		left = append(left, m.scriptsLeft(a)...)
	}
	for i, p := range a.phases { // open phases, done phases that are refuted, and phases that the file lost
		if p.open() || a.lostPhase(i) || a.claims && a.state == sdk.Active && i >= a.observed && p.in {
			left = append(left, p.name)
		}
	}
	return left
}

// itemsLeft returns the remaining items, as the kind counts them, and those that the file lost.
func (m *model) itemsLeft(a *agent) []string {
	left := m.itemsRecorded(a)
	for _, old := range a.lostItems() {
		if old.word != complete && !holds(left, old.key) {
			left = append(left, old.key)
		}
	}
	return left
}

// lostItems returns the items of the base that the file no longer lists, although the same work continues.
func (a *agent) lostItems() []*item {
	if a.was == nil || a.itemsKey == "" || a.itemsKey != a.was.itemsKey || a.continued() == nil || a.elided() ||
		a.was.elided() || a.tooMany() || a.was.tooMany() {
		return nil
	}
	return keep(a.was.items, func(old *item) bool { return a.itemLike(old) == nil })
}

// lostPhase reports whether a phase that was open in the base has no flag.
func (a *agent) lostPhase(i int) bool {
	return !a.phases[i].in && a.was != nil && a.was.phases[i].open() && a.continued() != nil
}

func (m *model) itemsRecorded(a *agent) []string {
	half := m.unproven(a)
	left := a.keys(func(it *item) bool { return it.word.left() || a.lacksResult(it) || slices.Contains(half, it) })
	if a.halfWritten() {
		return gather(half, func(it *item) string { return it.key })
	}
	switch a.kind {
	case kinds[research]:
		if a.observed == 4 {
			return a.unscanned()
		}
	case kinds[risk]:
		return nil
	case kinds[synthesis]:
		return sectionNames(m.unstarted(m.letters))
	case kinds[execSummary]:
		left = append(left, sectionNames(m.leftOut(a))...)
	case kinds[citation]:
		if from, lost := m.lostNotes(a); lost {
			return gather(a.items[from:], func(it *item) string { return it.key })
		}
	}
	return left
}

// unscanned returns the inventory's reports that no guard lists as scanned.
func (a *agent) unscanned() []string {
	scanned := gather(a.listed(rescan), baseName)
	return keep(textsOf(a.phases[1].body.Get("reports_list")),
		func(s string) bool { return !isEllipsis(s) && !garbage(s) && !holds(scanned, baseName(s)) })
}

const rescan, scannedPointer = "do_not_rescan_reports", "/phases/PHASE_3_HIGH_SEVERITY/reports_scanned"

// What scriptsLeft appends to the name of a script that was interrupted or reset.
const (
	again       = " again, because it was reset"
	interrupted = " is recorded as running; unless it still is, run it again from scratch"
)

// scriptsLeft returns the scripts to run, dependencies first.
func (m *model) scriptsLeft(a *agent) []string {
	var left, seen []string
	all := a.scripts()
	var add func(s *script)
	add = func(s *script) {
		if holds(seen, s.name) {
			return
		}
		seen = append(seen, s.name)
		dep := scriptNamed(all, s.needs)
		if dep != nil {
			add(dep)
		}
		switch {
		case s.status == "running" && s.executed && s.coded:
			left = append(left, "find out whether "+s.name+" ended, because its status is running but it has a result")
		case s.status == "running":
			left = append(left, s.name+interrupted)
		case (s.status == "not_run" || s.reset()) && dep != nil && dep.failed():
			left = append(left, "run "+s.name+" after "+dep.name+" exits with 0 or 1")
		case s.reset():
			left = append(left, "run "+s.name+again)
		case s.status == "not_run":
			left = append(left, "run "+s.name)
		case s.executed && (a.unmet(s) != nil || m.resultGone(s)):
			left = append(left, "run "+s.name+notProven)
		}
	}
	for _, s := range all {
		add(s)
	}
	return left
}

// namesDonePhase reports whether a text is about a done phase and not about an open one: it has every word of the
// done phase's title, and no word of an open phase's title.
func (a *agent) namesDonePhase(text string) bool {
	title := func(p *phase) []string {
		return keep(strings.Split(p.norm, "_"), func(w string) bool { return len(w) > 3 && w != "phase" })
	}
	said := func(w string) bool { return words.Mentions(text, w) }
	about := func(p *phase) bool {
		t := title(p)
		return p.done() && len(t) > 1 && len(keep(t, said)) == len(t)
	}
	open := func(p *phase) bool {
		stems := gather(title(p), func(w string) string { return w[:min(len(w), 5)] })
		folded := words.Lower(text)
		return p.open() && slices.ContainsFunc(stems, func(s string) bool { return strings.Contains(folded, s) })
	}
	return slices.ContainsFunc(a.phases, about) && !slices.ContainsFunc(a.phases, open)
}

// skipsSection reports whether a text names only sections after the first open one. The citation validator numbers the
// footnotes in the order of the sections.
func (a *agent) skipsSection(text string) bool {
	open := slices.IndexFunc(a.items, func(it *item) bool { return it.word == pending || it.word == inProgress })
	letters := sectionLetters(text)
	if a.kind != kinds[citation] || open < 0 || a.observed != a.kind.worked || len(letters) == 0 {
		return false
	}
	named := func(it *item) bool { return holds(letters, it.letter) }
	return !slices.ContainsFunc(a.items[:open+1], named) && slices.ContainsFunc(a.items[open:], named)
}
