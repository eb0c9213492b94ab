package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// A limit is a figure that is at most another one, in every object at a pointer.
type limit struct {
	of       kindSet
	at       string // the pointer of the objects, in which * stands for every key
	x, y     string // their fields; a y that begins with / is a pointer
	severity sdk.Severity
	phase    int // in which x grows until it is y
}

// What is not the place of a phase.
const (
	noPhase  = -1
	anyPhase = 100 // x is y when all is done
	ownPhase = 101 // the phase that the figure is of
)

// limits without a pointer are of metrics, or of the root where metrics has no x.
var limits = [...]limit{
	{1 << facts, "", "facts_processed", "facts_total", sdk.Error, 1},
	{1 << coverage, "", "critical_issues_checked", "critical_issues_total", sdk.Error, 2},
	{1 << coverage, "", "critical_issues_verified", "critical_issues_total", sdk.Error, noPhase},
	{1 << risk, "", "exposures_classified", "exposures_total", sdk.Error, 1},
	{1 << risk, "", "exposures_weighted", "exposures_total", sdk.Error, 3},
	{1 << risk, "", "probability_weighted_so_far", "gross_total", sdk.Warning, noPhase},
	{1 << risk, "/aggregations_in_progress/*", "weighted", "gross", sdk.Warning, noPhase},
	{1 << risk, "/aggregations_complete/*", "weighted", "gross", sdk.Warning, noPhase},
	{1 << risk, "/aggregations/*", "weighted", "gross", sdk.Warning, noPhase},
	{1 << execSummary, "", "sections_read", "sections_total", sdk.Error, 1},
	{1 << citation, "", "sections_processed", "total_sections", sdk.Error, 1},
	{1 << synthesis, "", "sections_integrated", "/phases/PHASE_1_DISCOVERY/section_count", sdk.Warning, noPhase},
	{1 << qa, "", "dimensions_scored", "dimensions_total", sdk.Error, 1},
	{1 << qa, "", "aggregate_score_so_far", "max", sdk.Warning, noPhase},
	{1 << qa, "/qa_cycle/cycle_history/*", "issues_resolved", "issues_before", sdk.Error, noPhase},
	{1 << qa, "/dimensions_scored/*", "score", "max", sdk.Warning, noPhase},
	{1 << qa, "/dimensions_scored/*", "contribution", "max", sdk.Warning, noPhase},
	{1 << qa, "/scoring_breakdown/dimension_contributions/*", "score", "max", sdk.Warning, noPhase},
	{1 << qa, "/scoring_breakdown/dimension_contributions/*", "contribution", "max", sdk.Warning, noPhase},
	{1 << waves, "", "tasks_completed", "total_tasks", sdk.Error, anyPhase},
	{1 << waves, "", "tasks_verified", "tasks_completed", sdk.Error, noPhase},
	{1 << research, "", "total_exposure_weighted", "total_exposure_gross", sdk.Warning, noPhase},
	{1 << research, "/phases/*", "reports_reviewed", "/phases/PHASE_1_REPORT_INVENTORY/reports_found", sdk.Error,
		ownPhase},
	{1 << research, "/phases/*", "reports_scanned", "/phases/PHASE_1_REPORT_INVENTORY/reports_found", sdk.Error,
		ownPhase},
}

// A measure is a limit with the figures that a file has for it.
type measure struct {
	*limit
	pointer  string // of the figure
	object   value
	n, total float64
}

// measures lists the limits for which a file has both figures.
func (a *agent) measures() (list []measure) {
	add := func(l *limit, pointer string, object value) {
		n, ok1 := num(object.Get(l.x))
		total, ok2 := num(object.Get(l.y))
		switch {
		case l.y[0] == '/':
			total, ok2 = num(a.at(l.y))
		case l.y == "max" && !ok2:
			total, ok2 = 100, true
		}
		if ok1 && ok2 {
			list = append(list, measure{l, pointer, object, n, total})
		}
	}
	for i := range limits {
		l := &limits[i]
		if !l.of.has(a) {
			continue
		}
		at := l.at
		if l.at == "" {
			at = strings.TrimSuffix(a.metric(l.x), "/"+l.x)
		}
		eachAt(a.root, at, func(pointer string, object value) { add(l, pointer+"/"+l.x, object) })
	}
	if s, _ := a.metrics.Get("findings_written").Text(); a.kind == kinds[writer] {
		before, after, ok := strings.Cut(s, "/")
		n, rest := leading(strings.TrimSpace(before))
		total, rest2 := leading(strings.TrimSpace(after))
		if ok && rest == "" && rest2 == "" {
			list = append(list, measure{&limit{x: "findings_written", y: "their total", severity: sdk.Error,
				phase: a.kind.worked}, "/metrics/findings_written", value{}, float64(n), float64(total)})
		}
	}
	return list
}

// eachAt calls a function for every value at a pointer in which * stands for every key or place.
func eachAt(v value, pointer string, f func(pointer string, v value)) {
	head, tail, many := strings.Cut(pointer, "/*")
	for _, key := range strings.Split(head, "/")[1:] {
		v = v.Get(key)
	}
	if !many {
		if v.Exists() {
			f(head, v)
		}
		return
	}
	for _, m := range v.Members() {
		eachAt(m.Value, tail, func(rest string, v value) { f(head+"/"+jsondoc.EscapeToken(m.Key)+rest, v) })
	}
	for i, e := range v.Elements() {
		eachAt(e, tail, func(rest string, v value) { f(head+"/"+say.Int(i)+rest, v) })
	}
}

func counterBeyondTotal(l *look, a *agent) {
	for _, m := range a.measures() {
		lie := m.severity == sdk.Error
		negative := m.y == "max" && m.n < 0
		if !negative && (lie && m.n <= m.total || abs(m.n) <= abs(m.total)) {
			continue
		}
		says := but(m.pointer[1:], m.n, m.y, m.total)
		if negative {
			says = say.Wrong(m.pointer[1:], figure(m.n), "0 to "+figure(m.total))
		}
		f := l.say(a, m.pointer, says).Keyed(m.pointer).As(m.severity)
		count := a.countItems(complete)
		if m.x == "critical_issues_checked" { // so is a gap
			count += a.countItems(skipped)
		}
		itemsKey, _, _ := strings.Cut(a.kind.items, " ")
		was, inBase := a.asInBase(m.pointer, m.total)
		switch isOfItems := m.x == a.kind.counts || m.x == itemsKey; {
		case lie && isOfItems && m.at == "" && len(a.items) > 0 && float64(count) <= m.total:
			f.Offer(sdk.Review, "Set "+m.x+" to "+say.Int(count), a.set(m.pointer, say.Int(count))...)
		case !isOfItems && inBase:
			f.Offer(sdk.Review, "Set "+m.x+" to "+plain(was)+", as in the base", a.set(m.pointer, was.Raw())...)
		}
	}
}

// asInBase is a figure of the base, if it does not exceed a total; so is one that is written before its own total.
func (a *agent) asInBase(pointer string, total float64) (was value, ok bool) {
	if a.was == nil {
		return was, false
	}
	was = a.was.at(pointer)
	n, ok := num(was)
	if text, is := was.Text(); is && !ok {
		before, _, cut := strings.Cut(text, "/")
		first, rest := leading(strings.TrimSpace(before))
		n, ok = float64(first), cut && rest == ""
	}
	return was, ok && n >= 0 && n <= total
}

// excluded sums the counters of the same noun that were left out on purpose.
func (m *measure) excluded() float64 {
	noun, sum := m.x[:max(strings.LastIndexByte(m.x, '_'), 0)], 0.0
	for _, end := range [...]string{"_excluded", "_skipped", "_deferred", "_failed"} {
		if f, ok := num(m.object.Get(noun + end)); ok {
			sum += f
		}
	}
	return sum
}

// short says that a figure does not reach its total.
func (m *measure) short() string {
	return say.Wrong(m.pointer[1:], figure(m.n), figure(m.total)+" ("+strings.TrimPrefix(m.y, "/")+")")
}

// shown is what a phase that is done has of its own: a truth, or a number above zero.
var shown = [...]struct {
	of      kindSet
	phase   int
	pointer string
}{
	{1 << assembly, 1, "/phases/PHASE_2_INITIALIZE/title_page_written"},
	{1 << assembly, 1, "/phases/PHASE_2_INITIALIZE/toc_appended"},
	{1 << facts, 3, "/metrics/sections_mapped"},
}

// counterBelowTotal finds work that is called done although its counter does not reach the total, or what it was to
// make is not made.
func counterBelowTotal(l *look, a *agent) {
	for _, s := range shown {
		if !s.of.has(a) || !a.phases[s.phase].done() {
			continue
		}
		v := a.at(s.pointer)
		yes, truth := v.Bool()
		if n, number := num(v); truth && !yes || number && n == 0 {
			a.offerReopen(l.say(a, s.pointer, s.pointer[1:]+" is "+plain(v)+", but "+a.phases[s.phase].name+
				" is done").Keyed(s.pointer).As(graded(truth, sdk.Error, sdk.Warning)), s.phase)
		}
	}
	for _, m := range a.measures() {
		at := m.phase
		switch at {
		case ownPhase:
			at = a.phaseNamed(norm(strings.Split(m.pointer, "/")[2]))
		case anyPhase:
			at = noPhase
		}
		// other kinds count what is skipped
		if m.phase == noPhase || m.n+m.excluded() >= m.total || a.kind == kinds[qa] &&
			m.n+float64(a.countItems(skipped)) >= m.total {
			continue
		}
		over := at >= 0 && a.phases[at].done()
		listed := a.at("/phases/PHASE_1_REPORT_INVENTORY/reports_list")
		switch {
		case m.phase == ownPhase && m.n == float64(listed.Len()) && !isExcerpt(listed): // reports_found is what differs
		case m.phase == ownPhase && over || a.finished && a.kind != kinds[qa] && m.phase != ownPhase:
			f := l.say(a, m.pointer, m.short()+", since "+a.claimText()).Keyed(m.pointer)
			a.offerReopen(f, at)
		case over && m.phase != ownPhase && !a.claims && m.x != "findings_written" &&
			(at != a.kind.worked || len(a.openItems()) == 0):
			l.say(a, a.phasePointer(at), m.short()+", since "+a.phases[at].name+" is done").Keyed(m.pointer).
				Offer(sdk.Review, "Set the phase open", a.openFrom(at, nil)...)
		}
	}
}

// counterBesideItems compares counters with the items: the number of those that are complete, and of all.
func counterBesideItems(l *look, a *agent) {
	progressBeyond(l, a)
	sectionsAppended(l, a)
	key, totalKey := a.kind.counts, a.kind.all
	unread := func(it *item) bool { return it.word == unknownWord || it.word == noWord }
	if len(a.items) == 0 || key == "" || a.elided() || slices.ContainsFunc(a.items, unread) {
		return
	}
	lettered := keep(a.items, func(it *item) bool { return it.letter != "" })
	done, all := a.countItems(complete), float64(len(lettered))
	most, sections := float64(done+a.countItems(skipped)),
		len(keep(lettered, func(it *item) bool { return it.word == complete }))
	if n, ok := num(a.metrics.Get(key)); ok && (n < float64(done) || n > most) &&
		(a.kind != kinds[citation] || n != float64(sections)) {
		f := l.say(a, "/metrics/"+key, but(key, n, "the number of complete items in "+a.itemsKey, float64(done)))
		if !a.claims || len(a.openItems()) == 0 { // else the items may be what is wrong
			f.Offer(sdk.Safe, "Set "+key+" to "+say.Int(done), a.set("/metrics/"+key, say.Int(done))...)
		}
	}
	// Items that are not listed before their turn are not missing.
	n, ok := num(a.metrics.Get(totalKey))
	if len(a.openItems()) > 0 && ok && n != float64(len(a.items)) && n != all &&
		(n > float64(done) || n < min(all, float64(len(a.items)))) {
		l.say(a, "/metrics/"+totalKey, but(totalKey, n, "the number of items in "+a.itemsKey,
			float64(len(a.items)))).Keyed("total").As(sdk.Warning)
	}
}

// otherWork are what a figure of progress may be of beside work that is done.
var otherWork = [...]string{"remain", "left", "pending", "to go", "found", "discovered", "identified", "loaded",
	"verified", "available", "queued", "planned", "expected"}

// progressBeyond holds a figure of compaction_summary.progress, such as 7/10 sections, against what is recorded and
// proved while the items are worked through. It may lag, and name the one that is being done.
func progressBeyond(l *look, a *agent) {
	rest, _ := a.root.Get("compaction_summary").Get("progress").Text()
	done, _, unit := l.progress(a)
	done = max(done, a.recordedWork())
	working := a.observed == a.kind.worked || a.kind == kinds[synthesis] && a.observed == a.kind.output
	for working && !a.elided() && unit != "phases" {
		before, after, ok := strings.Cut(rest, "/")
		if !ok {
			return
		}
		text, most := strings.TrimRight(before, "0123456789"), done
		if strings.HasSuffix(strings.TrimSpace(text), "ing") {
			most++
		}
		n, _ := leading(before[len(text):])
		_, noun := leading(after)
		noun, _, _ = strings.Cut(noun, ",")
		if text != before && begins(noun, unit) && n > most && !mentions(noun, otherWork[:]...) {
			at := "/" + a.itemsKey
			if a.itemsKey == "" {
				at = repeatPointer
			}
			said := "progress is " + plain(a.at("/compaction_summary/progress"))
			l.say(a, at, said+", but "+say.Int(done)+" "+unit+
				" are recorded as done").Keyed("progress").See(sdk.AtPointer(a.path(), "/compaction_summary/progress"),
				said)
			return
		}
		rest = after
	}
}

// recordedWork is how many sections a synthesis records as appended.
func (a *agent) recordedWork() int {
	if a.kind != kinds[synthesis] {
		return 0
	}
	return len(a.recorded())
}

// appendedCounts are where a synthesis counts the sections that it appended.
var appendedCounts = [...]string{"/phases/PHASE_4_ASSEMBLY/sections_appended", "/metrics/sections_integrated",
	"/verification_status/sections_check/actual"}

// sectionsAppended compares the counts of an unfinished synthesis with the sections that it lists and that the
// memorandum has.
func sectionsAppended(l *look, a *agent) {
	done := max(a.recordedWork(), len(l.started))
	if a.kind != kinds[synthesis] {
		return
	}
	for i, pointer := range appendedCounts {
		n, ok := num(a.at(pointer))
		if lags := i == 0 && n < float64(a.recordedWork()); ok && !a.finished && l.seesMemo() && !cutShort(l.memo) &&
			(n > float64(done) || lags) {
			l.say(a, pointer, but(pointer[1:], n, "the number of sections that are recorded as appended or in "+
				memoPath, float64(done))).Keyed(pointer).As(graded(lags, sdk.Warning, sdk.Error)).
				Offer(sdk.Review, "Set the counts to "+say.Int(done), a.recount(done)...)
		}
	}
}

// recount are the edits after which a synthesis counts no more appended sections than there are.
func (a *agent) recount(done int) []sdk.Edit {
	var edits []sdk.Edit
	for i, pointer := range appendedCounts {
		if n, ok := num(a.at(pointer)); ok && (n > float64(done) || i == 0 && n < float64(done)) {
			if edits = append(edits, a.set(pointer, say.Int(done))...); i < 2 {
				continue
			}
			edits = append(append(edits, a.set("/verification_status/sections_check/passed", "false")...),
				a.failChecks()...)
		}
	}
	return edits
}

// failChecks are the edits after which no flag says that all checks passed.
func (a *agent) failChecks() (edits []sdk.Edit) {
	for _, flag := range qualityFlags {
		if at := "/phases/PHASE_5_QUALITY/" + flag; a.at(at).Exists() {
			edits = append(edits, a.set(at, "false")...)
		}
	}
	return edits
}

// elided reports whether the item object is an excerpt.
func (a *agent) elided() bool {
	return slices.ContainsFunc(a.items, func(it *item) bool { return isEllipsis(it.key) })
}

// isExcerpt reports whether a list stands for a longer one.
func isExcerpt(v value) bool {
	return slices.ContainsFunc(textsOf(v), isEllipsis)
}

func isEllipsis(s string) bool { return s == "..." || s == "…" }
