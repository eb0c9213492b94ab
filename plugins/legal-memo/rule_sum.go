package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// A sum says that some figures add up to another one.
type sum struct {
	of    kindSet
	when  byte   // which differences count; see sums
	whole string // pointer of the total
	// pointers of the parts; * stands for every key, and a leading # for the length of a list
	parts []string
}

// doneItems stands for the number of complete or skipped items.
const doneItems = "#items"

// sums holds the figures that must add up. when says which differences count:
//   - 0: any difference
//   - 'L': a lower sum counts only in a finished file, because the list may be incomplete before that
//   - 'C': only a lower sum counts, and only if all items are complete, because two items may share a part
var sums = [...]sum{
	{1 << citation, 0, "/metrics/total_sections",
		[]string{"/phases/PHASE_2_FOOTNOTE_EXTRACTION/sections_processed",
			"/phases/PHASE_2_FOOTNOTE_EXTRACTION/sections_remaining"}},
	{1 << research, 0, "/phases/PHASE_1_REPORT_INVENTORY/reports_found",
		[]string{"/phases/PHASE_2_COMPLETENESS_REVIEW/reports_reviewed",
			"/phases/PHASE_2_COMPLETENESS_REVIEW/reports_remaining"}},
	{1 << research, 0, "/phases/PHASE_1_REPORT_INVENTORY/reports_found",
		[]string{"/phases/PHASE_3_HIGH_SEVERITY/reports_scanned", "/phases/PHASE_3_HIGH_SEVERITY/reports_remaining"}},
	{1 << research, 0, "/phases/PHASE_2_COMPLETENESS_REVIEW/reports_reviewed",
		[]string{"/phases/PHASE_2_COMPLETENESS_REVIEW/reports_passing",
			"#/phases/PHASE_2_COMPLETENESS_REVIEW/reports_failing"}},
	{1 << research, 'L', "/phases/PHASE_1_REPORT_INVENTORY/reports_found",
		[]string{"#/phases/PHASE_1_REPORT_INVENTORY/reports_list"}},
	{1 << research, 0, "/metrics/high_findings_count",
		[]string{"/phases/PHASE_3_HIGH_SEVERITY/high_findings_extracted"}},
	{1 << facts, 0, "/metrics/conflicts_found", []string{"#/conflicts_detected"}},
	{1 << coverage, 'L', "/metrics/conflicts_found", []string{"#/conflicts_detected"}},
	{1 << facts, 'C', "/metrics/facts_processed", []string{"/categories_processed/*/facts_count"}},
	{1 << coverage, 'L', "/metrics/critical_issues_checked", []string{doneItems}},
	{1 << qa, 0, "/metrics/total_issues",
		[]string{"/metrics/critical_issues", "/metrics/high_issues", "/metrics/medium_issues", "/metrics/low_issues"}},
}

// add returns the sum of the parts. It reports false if a figure is missing or unreadable.
func (a *agent) add(parts []string) (total float64, names []string, ok bool) {
	for _, part := range parts {
		found, bad := false, false
		name := part[strings.LastIndexByte(part, '/')+1:]
		switch {
		case part == doneItems:
			name, found = "the number of checked items", len(a.items) > 0 && !a.elided()
			total += float64(a.countItems(complete) + a.countItems(skipped))
		case part[0] == '#':
			name = "the length of " + baseName(strings.TrimSuffix(part, "/*"))
			eachAt(a.root, part[1:], func(_ string, v value) {
				found, bad, total = true, bad || v.Kind() != jsondoc.Array || isExcerpt(v), total+float64(v.Len())
			})
		default:
			if strings.Contains(part, "*") {
				name = "the sum of " + strings.TrimSuffix(part[1:], "/*")
			}
			eachAt(a.root, part, func(_ string, v value) {
				f, is := num(v)
				found, bad, total = true, bad || !is && !empty(v), total+f
			})
		}
		if !found || bad {
			return 0, nil, false
		}
		names = append(names, name)
	}
	return total, names, true
}

// partsBesideWhole compares figures in one file that must add up.
func partsBesideWhole(l *look, a *agent) {
	for i := range sums {
		s := &sums[i]
		if !s.of.has(a) {
			continue
		}
		whole, ok1 := num(a.at(s.whole))
		total, names, ok2 := a.add(s.parts)
		over := a.finished || a.kind.stage <= 3 && strings.HasSuffix(s.whole, "conflicts_found") &&
			a.phaseDone("conflict_detection")
		if s.when == 'L' && strings.HasSuffix(s.parts[0], "reports_list") {
			over = over || a.phases[1].done() && total > 0
		}
		uncounted := !over && total == 0 && len(s.parts) == 1 && s.when != 'C'
		uncertain := func(it *item) bool { _, ok := num(it.body.Get("facts_count")); return !ok }
		limit, bounded := num(a.metrics.Get("facts_total")) // another rule reports more facts than that
		if s.when == 'C' && (len(a.openItems()) > 0 || slices.ContainsFunc(a.items, uncertain) || len(a.items) == 0 ||
			a.elided() || total > whole || bounded && whole > limit) {
			continue
		}
		if !ok1 || !ok2 || total == whole || uncounted || total < whole && s.when == 'L' && !over {
			continue
		}
		at := s.whole
		if p := s.parts[0]; a.was != nil && p[0] == '/' && !strings.Contains(p, "*") &&
			same(a.at(s.whole), a.was.at(s.whole)) && !same(a.at(p), a.was.at(p)) {
			at = p // the part that changed
		}
		l.say(a, at, but(strings.Join(names, " + "), total, s.whole[strings.LastIndexByte(s.whole, '/')+1:],
			whole)).Keyed(s.parts[0]).As(sdk.Warning)
	}
	issuesOffList(l, a)
}

// issuesOffList compares the issue counts by severity with the list, which receives every issue when it is found.
func issuesOffList(l *look, a *agent) {
	found := a.root.Get("issues_found")
	if a.kind != kinds[qa] || found.Kind() != jsondoc.Array || isExcerpt(found) {
		return
	}
	var off []string
	for _, s := range [...]string{"critical", "high", "medium", "low"} {
		count := 0
		for _, e := range found.Elements() {
			if t, _ := e.Get("severity").Text(); words.Lower(t) == s {
				count++
			}
		}
		if n, ok := num(a.metrics.Get(s + "_issues")); ok && float64(count) != n {
			off = append(off, s+"_issues is "+figure(n)+", but the list has "+say.Int(count))
		}
	}
	if len(off) > 0 {
		l.say(a, "/issues_found", list(off)).As(sdk.Warning)
	}
}

// phaseDone reports whether the phase whose name ends in name is done.
func (a *agent) phaseDone(name string) bool {
	p := first(a.phases, func(p *phase) bool { return strings.HasSuffix(p.norm, name) })
	return p != nil && p.done()
}

// countedDifferently compares figures for the same thing in two files.
func countedDifferently(l *look) {
	for _, a := range l.agents {
		key := "footnotes_included"
		if a.kind == kinds[assembly] {
			key = "footnote_count"
		}
		n, ok := num(a.metrics.Get(key))
		if c := l.find(kinds[citation].name); a.kind.stage == 7 && ok && a.finished && c != nil && c.finished {
			if f, has := c.collected(); has && f != n {
				l.say(a, "/metrics/"+key, but(key, n, "footnotes_collected of "+c.path(),
					f)).See(sdk.AtPointer(c.path(), "/metrics/footnotes_collected"),
					"footnotes_collected is "+figure(f))
			}
		}
	}
	if l.live == nil || !l.live.root.Get("qa_cycle").Get("current_cycle").Exists() {
		return
	}
	for _, g := range l.orch.gates {
		n, ok1 := num(g.body.Get("attempts"))
		if f, ok2 := num(l.live.root.Get("gate_attempts").Get(g.name).Get("attempts")); ok1 && ok2 && n != f {
			l.orchestrator(g.at, but("attempts of "+g.name, n, "the number in "+l.live.path(), f)).Keyed(g.name)
		}
		current, limit, isCurrent, isLimit := l.live.cycles()
		t, tried := tries(g.body) // another rule reports more attempts than the limit
		if n, ok := num(g.body.Get("cycles")); ok && isCurrent && n != float64(current) && !(tried && t.n > t.limit) {
			l.orchestrator(g.at, but("cycles of "+g.name, n, "current_cycle of "+l.live.path(),
				float64(current))).Keyed(g.name + " cycles")
		}
		if n, ok := num(g.body.Get("max_cycles")); ok && isLimit && n != float64(limit) {
			l.orchestrator(g.at, but("max_cycles of "+g.name, n, "max_cycles of "+l.live.path(),
				float64(limit))).Keyed(g.name + " max_cycles")
		}
	}
	for _, s := range l.orch.ids {
		if n, ok := num(s.body.Get("qa_cycles")); ok && s.group == 5 && n != float64(l.live.cycle) {
			l.orchestrator(s.at, but("qa_cycles of "+s.id, n, "current_cycle of "+l.live.path(),
				float64(l.live.cycle))).Keyed(s.id)
		}
	}
}
