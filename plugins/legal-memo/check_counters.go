package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// checkCounters compares what a file counts.
func (m *model) checkCounters(a *agent) {
	for _, pair := range strings.Split(a.kind.pairs, " ") {
		x, y, ok := strings.Cut(pair, "<=")
		if !ok {
			continue
		}
		n, ok1 := a.number(x)
		total, ok2 := a.number(y)
		if ok1 && ok2 {
			m.checkPair(a, a.metric(x), x, y, n, total)
			if a.finished && a.kind != kinds[qa] && !strings.HasSuffix(x, "_verified") {
				m.checkBelow(a, a.workedAt(x), a.metric(x), x, y, n+a.siblings(a.metrics, x), total)
			} else if !strings.HasSuffix(x, "_verified") {
				m.checkDoneBelow(a, a.workedAt(x), x, y, n+a.siblings(a.metrics, x), total)
			}
		}
	}
	switch a.kind {
	case kinds[research]:
		m.checkResearch(a)
	case kinds[writer]:
		m.checkFindings(a)
	case kinds[facts], kinds[coverage]:
		m.checkConflicts(a)
	case kinds[risk]:
		m.checkRisk(a)
	case kinds[execSummary]:
		m.checkBeside(a, "sections_read")
		m.checkRead(a)
	case kinds[qa]:
		m.checkBeside(a, "dimensions_scored")
	case kinds[citation]:
		m.checkBeside(a, "sections_processed")
	case kinds[synthesis]:
		m.checkIntegrated(a)
	}
}

func (m *model) checkPair(a *agent, pointer, x, y string, n, total float64) {
	if n <= total {
		return
	}
	d := m.say(a, "counter-beyond-total", graded(a.kind == kinds[synthesis], sdk.Warning, sdk.Error), pointer, x, x+" is "+figure(n)+", but "+y+" is "+figure(total))
	count := a.countItems(complete)
	if x == "critical_issues_checked" { // a gap is checked, too
		count += a.countItems(skipped)
	}
	if len(a.items) > 0 && float64(count) <= total && pointer == a.metric(x) {
		offer(d, sdk.Review, "Set "+x+" to "+itoa(count), a.set(pointer, itoa(count)))
	}
	advise(d, "Count again", "count the items and set "+x+" or "+y)
}

// siblings sums the counters of the same noun that were left out on purpose.
func (a *agent) siblings(object value, x string) float64 {
	noun := x[:max(strings.LastIndexByte(x, '_'), 0)]
	sum := 0.0
	for _, end := range [...]string{"_excluded", "_skipped", "_deferred", "_failed"} {
		if f, ok := num(object.Get(noun + end)); ok {
			sum += f
		}
	}
	return sum
}

// workedAt is the phase in which a counter grows, -1 for none.
func (a *agent) workedAt(x string) int {
	switch x {
	case "exposures_classified":
		return 1
	case "exposures_weighted":
		return 3
	}
	return a.kind.worked
}

func (m *model) checkBelow(a *agent, at int, pointer, x, y string, n, total float64) {
	if n >= total {
		return
	}
	d := m.say(a, "finished-below-total", 0, pointer, x, x+" is "+figure(n)+", but "+y+" is "+figure(total)+", and "+a.claimText())
	if at >= 0 {
		offer(d, sdk.Review, "Reopen it at "+a.phases[at].name, a.reopen(at)...)
	}
	advise(d, "Finish the rest", "work through what is left, or set the counter")
}

// checkDoneBelow looks for a phase that is done although its counter does not reach the total.
func (m *model) checkDoneBelow(a *agent, at int, x, y string, n, total float64) {
	if at < 0 || a.claims || n >= total || !a.phases[at].in || a.phases[at].word.open() || len(a.openItems()) > 0 && at == a.kind.worked {
		return
	}
	d := m.say(a, "phase-done-below-total", 0, a.phasePointer(at), x, a.phases[at].name+" is done, but "+x+" is "+figure(n)+" and "+y+" is "+figure(total))
	offer(d, sdk.Review, "Set the phase open", a.openFrom(at)...)
	advise(d, "Decide what is done", "set the phase open and work through the rest, or set "+x)
}

// checkRead looks for sections that were read without a finding.
func (m *model) checkRead(a *agent) {
	for i := range a.items {
		it := &a.items[i]
		if v := it.body.Get("key_finding"); it.word == complete && v.Exists() && empty(v) {
			advise(m.say(a, "read-without-finding", 0, jsondoc.Pointer(a.itemsKey, it.key, "key_finding"), it.key, it.key+" is complete, but its key_finding is "+plain(v)), "Write the finding", "read the section again and write its key finding, or set it pending")
		}
	}
}

func (m *model) checkFindings(a *agent) {
	s, _ := a.metrics.Get("findings_written").Text()
	before, after, ok := strings.Cut(s, "/")
	n, rest := leading(strings.TrimSpace(before))
	total, rest2 := leading(strings.TrimSpace(after))
	if !ok || rest != "" || rest2 != "" || before == "" || after == "" {
		return
	}
	m.checkPair(a, "/metrics/findings_written", "findings_written", "their total", float64(n), float64(total))
	if a.finished {
		m.checkBelow(a, a.kind.worked, "/metrics/findings_written", "findings_written", "their total", float64(n), float64(total))
	}
}

func (m *model) checkIntegrated(a *agent) {
	n, ok1 := a.number("sections_integrated")
	total, ok2 := num(a.phases[0].body.Get("section_count"))
	if ok1 && ok2 {
		m.checkPair(a, a.metric("sections_integrated"), "sections_integrated", "section_count", n, total)
	}
	appended, ok := num(a.phases[3].body.Get("sections_appended"))
	if recorded := len(a.recorded()); ok && recorded > 0 && appended != float64(recorded) && !a.finished {
		advise(m.say(a, "counter-beside-items", sdk.Warning, "/phases/PHASE_4_ASSEMBLY/sections_appended", "sections_appended", "sections_appended is "+figure(appended)+", but do_not_repeat and sections_complete list "+say.Count(recorded, "section")), "Count again", "count the sections of "+memoPath+", and set the counter or the list")
	}
}

// checkBeside compares a counter with the number of complete items.
func (m *model) checkBeside(a *agent, key string) {
	n, ok := num(a.metrics.Get(key))
	if !ok || len(a.items) == 0 || elided(a) {
		return
	}
	all, lettered := 0, 0
	for i := range a.items {
		switch a.items[i].word {
		case unknownWord, noWord:
			return
		case complete:
			all++
			if sectionLetter(a.items[i].key) != "" {
				lettered++
			}
		}
	}
	if n == float64(all) || a.kind == kinds[citation] && n == float64(lettered) {
		return
	}
	d := m.say(a, "counter-beside-items", 0, "/metrics/"+key, key, key+" is "+figure(n)+", but "+itoa(all)+" items of "+a.itemsKey+" are complete")
	offer(d, sdk.Safe, "Set "+key+" to "+itoa(all), a.set("/metrics/"+key, itoa(all)))
}

// elided reports whether the item object is an excerpt.
//
//go:noinline
func elided(a *agent) bool {
	for i := range a.items {
		if k := a.items[i].key; k == "..." || k == "…" {
			return true
		}
	}
	return false
}

// isExcerpt reports whether a list stands for a longer one.
//
//go:noinline
func isExcerpt(v value) bool {
	for _, e := range v.Elements() {
		if s, ok := e.Text(); ok && (s == "..." || s == "…") {
			return true
		}
	}
	return false
}

func (m *model) checkResearch(a *agent) {
	found, ok := num(a.phases[1].body.Get("reports_found"))
	inventory := a.phases[1].body.Get("reports_list")
	for i := range a.phases {
		for _, key := range [...]string{"reports_reviewed", "reports_scanned"} {
			body := a.phases[i].body
			n, has := num(body.Get(key))
			if !has || !ok {
				continue
			}
			pointer := jsondoc.Pointer("phases", a.phases[i].name, key)
			m.checkPair(a, pointer, key, "reports_found", n, found)
			if !a.phases[i].word.open() {
				m.checkBelow(a, i, pointer, key, "reports_found", n+a.siblings(body, key), found)
			}
			rest, has := num(body.Get("reports_remaining"))
			if has && n+rest != found {
				m.parts(a, pointer, key, key+" + reports_remaining are "+figure(n+rest), "reports_found is "+figure(found))
			}
		}
	}
	m.checkReviewed(a)
	m.checkWeighted(a, "total_exposure_weighted", "total_exposure_gross")
	if ok && inventory.Kind() == jsondoc.Array && !isExcerpt(inventory) {
		m.listed(a, "/phases/"+a.phases[1].name+"/reports_found", "reports_found", found, "reports_list", inventory.Len(), sdk.Warning, false)
	}
	high, ok1 := num(a.phases[4].body.Get("high_findings_extracted"))
	metric, ok2 := num(a.metrics.Get("high_findings_count"))
	if ok1 && ok2 && high != metric {
		d := m.say(a, "counter-beside-phase", sdk.Warning, "/metrics/high_findings_count", "high_findings_count", "high_findings_count is "+figure(metric)+", but high_findings_extracted is "+figure(high))
		offer(d, sdk.Review, "Set the metric to "+figure(high), a.set("/metrics/high_findings_count", figure(high)))
	}
}

func (m *model) checkReviewed(a *agent) {
	body := a.phases[2].body
	reviewed, ok1 := num(body.Get("reports_reviewed"))
	passing, ok2 := num(body.Get("reports_passing"))
	failing := body.Get("reports_failing")
	if ok1 && ok2 && failing.Kind() == jsondoc.Array && !isExcerpt(failing) && passing+float64(failing.Len()) != reviewed {
		m.parts(a, "/phases/"+a.phases[2].name+"/reports_reviewed", "reports_reviewed", "reports_passing and the reports_failing are "+figure(passing+float64(failing.Len())), "reports_reviewed is "+figure(reviewed))
	}
}

// parts tells of parts that do not make up their whole.
//
//go:noinline
func (m *model) parts(a *agent, pointer, key, parts, whole string) {
	advise(m.say(a, "parts-beside-whole", 0, pointer, key, parts+", but "+whole), "Count again", "count and set the figure that is wrong")
}

// listed compares a counter with the length of its list: of a finished file both
// ways, else only where the list is longer.
//
//go:noinline
func (m *model) listed(a *agent, pointer, key string, n float64, name string, length int, severity sdk.Severity, over bool) {
	if float64(length) == n || !a.finished && !over && float64(length) < n {
		return
	}
	advise(m.say(a, "list-beside-counter", severity, pointer, key, key+" is "+figure(n)+", but "+name+" has "+itoa(length)+" entries"), "Count again", "complete the list, or set the counter")
}

func (m *model) checkConflicts(a *agent) {
	found := a.root.Get("conflicts_detected")
	if n, ok := num(a.metrics.Get("conflicts_found")); ok && found.Kind() == jsondoc.Array && !isExcerpt(found) {
		m.listed(a, "/metrics/conflicts_found", "conflicts_found", n, "conflicts_detected", found.Len(), sdk.Warning, a.done("conflict_detection"))
	}
	if a.kind == kinds[coverage] {
		if n, ok := num(a.metrics.Get("critical_issues_checked")); ok && len(a.items) > 0 && !elided(a) {
			m.listed(a, "/metrics/critical_issues_checked", "critical_issues_checked", n, "critical_issues_checked", a.countItems(complete)+a.countItems(skipped), sdk.Warning, false)
		}
		return
	}
	sum, any := 0.0, false
	for i := range a.items {
		if f, ok := num(a.items[i].body.Get("facts_count")); ok {
			sum += f
			any = true
		}
	}
	if total, ok := num(a.metrics.Get("facts_total")); ok && any && a.finished && sum != total {
		m.say(a, "facts-do-not-add-up", 0, "/metrics/facts_total", "", "the categories have "+figure(sum)+" facts, but facts_total is "+figure(total))
	}
}

// done reports whether the phase whose name ends so is done.
//
//go:noinline
func (a *agent) done(name string) bool {
	for i := range a.phases {
		if p := &a.phases[i]; strings.HasSuffix(p.norm, name) {
			return p.in && !p.word.open()
		}
	}
	return false
}

// checkWeighted compares a weighted sum with the gross one.
func (m *model) checkWeighted(a *agent, weighted, gross string) {
	w, ok1 := a.number(weighted)
	g, ok2 := a.number(gross)
	if ok1 && ok2 && abs(w) > abs(g) {
		advise(m.say(a, "weighted-beyond-gross", 0, a.metric(weighted), weighted, weighted+" is "+figure(w)+", but "+gross+" is "+figure(g)),
			"Calculate again", "a weighted exposure is at most the gross one")
	}
}

// aggregations are the fields that hold sums, done or not.
var aggregations = [...]string{"aggregations_in_progress", "aggregations_complete", "aggregations"}

func (m *model) checkRisk(a *agent) {
	if n, ok := num(a.metrics.Get("exposures_classified")); ok && len(a.items) > 0 && !elided(a) {
		m.listed(a, "/metrics/exposures_classified", "exposures_classified", n, "exposures_classified", a.countItems(complete)+a.countItems(skipped), sdk.Info, false)
	}
	m.checkWeighted(a, "probability_weighted_so_far", "gross_total")
	for _, key := range aggregations {
		for _, e := range a.root.Get(key).Members() {
			gross, ok1 := num(e.Value.Get("gross"))
			weighted, ok2 := num(e.Value.Get("weighted"))
			if ok1 && ok2 && abs(weighted) > abs(gross) {
				advise(m.say(a, "weighted-beyond-gross", 0, jsondoc.Pointer(key, e.Key, "weighted"), key+" "+e.Key, e.Key+": weighted is "+figure(weighted)+", but gross is "+figure(gross)),
					"Calculate again", "a weighted exposure is at most the gross one")
			}
		}
	}
}

func abs(f float64) float64 {
	if f < 0 {
		return -f
	}
	return f
}
