package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// A limit says that field x is at most field y, in every object at a pointer.
type limit struct {
	of       kindSet
	at       string // pointer of the objects; * stands for every key
	x, y     string // fields of the objects; a y that starts with / is a pointer
	severity sdk.Severity
	phase    int // the phase in which x grows to y
}

// Values of limit.phase that are not an index.
const (
	noPhase  = -1
	ownPhase = 100 // the phase that contains the figure
)

// limits holds all limits. A limit without a pointer applies to metrics, or to the root if metrics lacks x.
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
	{1 << research, "", "total_exposure_weighted", "total_exposure_gross", sdk.Warning, noPhase},
	{1 << research, "/phases/*", "reports_reviewed", "/phases/PHASE_1_REPORT_INVENTORY/reports_found", sdk.Error,
		ownPhase},
	{1 << research, "/phases/*", "reports_scanned", "/phases/PHASE_1_REPORT_INVENTORY/reports_found", sdk.Error,
		ownPhase},
}

// A measure is a limit with a file's two figures.
type measure struct {
	*limit
	pointer  string // pointer of the figure x
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

// eachAt calls f for every value at a pointer; * stands for every key or index.
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
		if lie && m.n <= m.total || abs(m.n) <= abs(m.total) {
			continue
		}
		f := l.say(a, m.pointer, but(m.pointer[1:], m.n, m.y, m.total)).Keyed(m.pointer).As(m.severity)
		count := a.countItems(complete)
		if m.x == "critical_issues_checked" { // gaps count as checked, too
			count += a.countItems(skipped)
		}
		itemsKey, _, _ := strings.Cut(a.kind.items, " ")
		if lie && (m.x == a.kind.counts || m.x == itemsKey) && m.at == "" && len(a.items) > 0 &&
			float64(count) <= m.total {
			f.Offer(sdk.Review, "Set "+m.x+" to "+say.Int(count), a.set(m.pointer, say.Int(count))...)
		}
	}
}

// short returns the message that a figure is below its total.
func (m *measure) short() string {
	return say.Wrong(m.pointer[1:], figure(m.n), figure(m.total)+" ("+strings.TrimPrefix(m.y, "/")+")")
}

// shown lists what a done phase must record: a true flag, or a number above zero.
var shown = [...]struct {
	of      kindSet
	phase   int
	pointer string
}{
	{1 << assembly, 1, "/phases/PHASE_2_INITIALIZE/title_page_written"},
	{1 << assembly, 1, "/phases/PHASE_2_INITIALIZE/toc_appended"},
	{1 << facts, 3, "/metrics/sections_mapped"},
}

// counterBelowTotal finds work that is marked done although its counter is below the total, or its product is
// missing.
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
		if at == ownPhase {
			at = a.phaseNamed(norm(strings.Split(m.pointer, "/")[2]))
		}
		// other kinds include skipped work in the counter
		if m.phase == noPhase || m.n >= m.total || a.kind == kinds[qa] &&
			m.n+float64(a.countItems(skipped)) >= m.total {
			continue
		}
		over := at >= 0 && a.phases[at].done()
		listed := a.at("/phases/PHASE_1_REPORT_INVENTORY/reports_list")
		switch {
		case m.phase == ownPhase && m.n == float64(listed.Len()) && !isExcerpt(listed): // reports_found is wrong
		case m.phase == ownPhase && over || a.finished && a.kind != kinds[qa] && m.phase != ownPhase:
			f := l.say(a, m.pointer, m.short()+", because "+a.claimText()).Keyed(m.pointer)
			a.offerReopen(f, at)
		case over && m.phase != ownPhase && !a.claims && m.x != "findings_written" &&
			(at != a.kind.worked || len(a.openItems()) == 0):
			l.say(a, a.phasePointer(at), m.short()+", because "+a.phases[at].name+" is done").Keyed(m.pointer).
				Offer(sdk.Review, "Reopen the phase", a.openFrom(at, nil)...)
		}
	}
}
