package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// counterBesideItems compares counters with the number of complete items, and of all items.
func counterBesideItems(l *look, a *agent) {
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
		if !a.claims || len(a.openItems()) == 0 { // otherwise the items may be wrong
			f.Offer(sdk.Safe, "Set "+key+" to "+say.Int(done), a.set("/metrics/"+key, say.Int(done))...)
		}
	}
	// Some agents list an item only when they reach it.
	n, ok := num(a.metrics.Get(totalKey))
	if len(a.openItems()) > 0 && ok && n != float64(len(a.items)) && n != all &&
		(n > float64(done) || n < min(all, float64(len(a.items)))) {
		l.say(a, "/metrics/"+totalKey, but(totalKey, n, "the number of items in "+a.itemsKey,
			float64(len(a.items)))).Keyed("total").As(sdk.Warning)
	}
}

// appendedCounts holds the pointers where a synthesis counts its appended sections.
var appendedCounts = [...]string{"/phases/PHASE_4_ASSEMBLY/sections_appended", "/metrics/sections_integrated"}

// sectionsAppended compares the counts in an unfinished synthesis with its listed sections and the memorandum's
// sections.
func sectionsAppended(l *look, a *agent) {
	if a.kind != kinds[synthesis] || a.finished || !l.seesMemo() || cutShort(l.memo) {
		return
	}
	done := max(len(a.recorded()), len(l.started))
	for _, e := range a.recount(done) {
		n, _ := num(a.at(e.Range.Pointer))
		l.say(a, e.Range.Pointer, but(e.Range.Pointer[1:], n, "the number of sections recorded as appended or in "+
			memoPath, float64(done))).Keyed(e.Range.Pointer).
			Offer(sdk.Review, "Set the counts to "+say.Int(done), a.recount(done)...)
	}
}

// recount returns the edits after which a synthesis counts only existing sections.
func (a *agent) recount(done int) (edits []sdk.Edit) {
	for _, pointer := range appendedCounts {
		if n, ok := num(a.at(pointer)); ok && n > float64(done) {
			edits = append(edits, a.set(pointer, say.Int(done))...)
		}
	}
	return edits
}

// failChecks returns the edits after which no flag says that all checks passed.
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

// isExcerpt reports whether a list is an excerpt of a longer one.
func isExcerpt(v value) bool {
	return slices.ContainsFunc(textsOf(v), isEllipsis)
}

func isEllipsis(s string) bool { return s == "..." || s == "…" }
