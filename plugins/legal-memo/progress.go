package legalmemo

import "github.com/stategate/stategate/sdk"

// progress counts what an agent has done, at most all there is.
func (m *model) progress(a *agent) (done, total int, unit string) {
	done, total, unit = m.tally(a)
	return min(done, total), total, unit
}

func (m *model) tally(a *agent) (done, total int, unit string) {
	switch {
	case !a.read:
		return 0, 0, "phases"
	case a.kind == kinds[research] && (a.observed == 2 || a.observed == 4):
		if f, ok := num(a.phases[1].body.Get("reports_found")); ok {
			n, _ := num(a.phases[a.observed].body.Get([...]string{2: "reports_reviewed", 4: "reports_scanned"}[a.observed]))
			return whole32(n), whole32(f), "reports"
		}
	case a.kind == kinds[facts] && a.observed == 1 && len(a.items) > 0:
		return a.countItems(complete), len(a.items), "categories"
	case a.kind == kinds[coverage] && a.observed == 2:
		done, total, unit = m.counted(a, "critical_issues_checked", "critical_issues_total", "issues")
		total = max(total, len(a.items))
		return min(done, total-len(a.openItems())), total, unit
	case a.kind == kinds[risk] && a.observed == 3:
		return m.counted(a, "exposures_weighted", "exposures_total", "exposures")
	case a.kind == kinds[writer] && len(a.items) > 0 && (a.observed <= a.kind.worked || a.state == sdk.Finished || len(a.openItems()) > 0):
		return a.countItems(complete), len(a.items), "subsections"
	case a.kind == kinds[execSummary]:
		total := len(m.letters)
		if f, ok := a.number("sections_total"); ok {
			total = whole32(f)
		}
		return a.countItems(complete), total, "sections"
	case a.kind == kinds[citation]:
		total := len(a.items)
		if f, ok := a.number("total_sections"); ok {
			total = whole32(f)
		}
		return a.countItems(complete), total, "sections"
	case a.kind == kinds[synthesis]:
		total := len(m.letters)
		if f, ok := num(a.phases[0].body.Get("section_count")); ok && total == 0 {
			total = whole32(f)
		}
		if m.memo == nil && !m.tracked {
			return len(a.recorded()), total, "sections"
		}
		return len(m.started), total, "sections"
	case a.kind == kinds[qa] && a.observed == 1 && len(a.items) > 0:
		total := len(a.items)
		if f, ok := a.number("dimensions_total"); ok {
			total = whole32(f)
		}
		return a.countItems(complete), total, "dimensions"
	case a.kind == kinds[waves]:
		done, total, unit = m.counted(a, "tasks_completed", "total_tasks", "tasks")
		if len(a.items) > 0 {
			done = a.countItems(complete)
		}
		return done, total, unit
	}
	for i := range a.phases {
		if a.phases[i].in {
			total++
			if !a.phases[i].word.open() {
				done++
			}
		}
	}
	return done, total, "phases"
}

func (m *model) counted(a *agent, x, y, unit string) (done, total int, name string) {
	n, _ := a.number(x)
	f, _ := a.number(y)
	return whole32(n), whole32(f), unit
}

// whole32 is a count as a small integer: what no count can be is 0.
func whole32(f float64) int {
	if f < 0 || f > 1e6 {
		return 0
	}
	return int(f)
}

func (m *model) progressText(a *agent) string {
	done, total, unit := m.progress(a)
	return itoa(done) + "/" + itoa(total) + " " + unit
}

// remaining lists what is left to do, in order: the items, then the phases.
func (m *model) remaining(a *agent) []string {
	if !a.read {
		return nil
	}
	left := m.itemsLeft(a)
	if a.kind == kinds[qa] {
		left = append(left, a.scriptsLeft()...)
	}
	for i := range a.phases {
		if p := &a.phases[i]; p.in && p.word.open() {
			left = append(left, p.name)
		}
	}
	return left
}

// itemsLeft lists the items that are left to do, as the kind counts them.
func (m *model) itemsLeft(a *agent) []string {
	var left []string
	switch a.kind {
	case kinds[research]:
		if a.observed == 4 {
			left = a.unscanned()
		}
	case kinds[risk]:
	case kinds[synthesis]:
		for _, l := range m.unstarted(m.letters) {
			left = append(left, "IV-"+l)
		}
	case kinds[waves]:
		for i := range a.phases {
			for j := range a.items {
				if it := &a.items[j]; a.phases[i].word.open() && a.waveOf(it) == a.phases[i].name && it.word != complete && it.word != skipped {
					left = append(left, it.key)
				}
			}
			if len(left) > 0 {
				break
			}
		}
	case kinds[execSummary]:
		left = a.openItems()
		for _, l := range m.uncounted(a) {
			left = append(left, "IV-"+l)
		}
	default:
		left = a.openItems()
	}
	return left
}

// unscanned lists the reports of the inventory that no guard calls scanned.
func (a *agent) unscanned() []string {
	var scanned, left []string
	for i := range a.guards {
		if a.guards[i].field == "do_not_rescan_reports" {
			scanned = append(scanned, a.guards[i].text)
		}
	}
	for _, e := range a.phases[1].body.Get("reports_list").Elements() {
		if s, ok := e.Text(); ok && !holds(scanned, s) && s != "..." && s != "…" {
			left = append(left, s)
		}
	}
	return left
}

const interrupted = " was interrupted, run again from scratch"

// scriptsLeft lists the scripts that are to be run, what they depend on first.
func (a *agent) scriptsLeft() []string {
	var left, seen []string
	all := a.scripts()
	var add func(s *script)
	add = func(s *script) {
		if holds(seen, s.name) {
			return
		}
		seen = append(seen, s.name)
		name, _ := s.body.Get("depends_on").Text()
		failed := ""
		for _, d := range all {
			if d.name == name {
				add(d)
				if d.coded && d.code == 2 || d.status == "error" {
					failed = name
				}
			}
		}
		switch {
		case s.status == "running":
			left = append(left, s.name+interrupted)
		case s.status == "not_run" && failed != "":
			left = append(left, "run "+s.name+" once "+failed+" ended with 0 or 1")
		case s.status == "not_run":
			left = append(left, "run "+s.name)
		}
	}
	for _, s := range all {
		add(s)
	}
	return left
}
