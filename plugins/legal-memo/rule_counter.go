package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// counterBesideItems compares counters with the number of complete items, and of all items.
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
		if !a.claims || len(a.openItems()) == 0 { // otherwise the items may be wrong
			f.Offer(sdk.Safe, "Set "+key+" to "+say.Int(done), a.set("/metrics/"+key, say.Int(done))...)
		}
	}
	// Agents may list items only when they reach them.
	n, ok := num(a.metrics.Get(totalKey))
	if len(a.openItems()) > 0 && ok && n != float64(len(a.items)) && n != all &&
		(n > float64(done) || n < min(all, float64(len(a.items)))) {
		l.say(a, "/metrics/"+totalKey, but(totalKey, n, "the number of items in "+a.itemsKey,
			float64(len(a.items)))).Keyed("total").As(sdk.Warning)
	}
}

// otherWork holds the words that show that a progress figure counts something other than done work.
var otherWork = [...]string{"remain", "left", "pending", "to go", "found", "discovered", "identified", "loaded",
	"verified", "available", "queued", "planned", "expected"}

// progressBeyond compares a figure in compaction_summary.progress, such as 7/10 sections, with the recorded and
// proven work while items are processed. The figure may lag, and may include the current item.
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

// recordedWork returns the number of sections that a synthesis records as appended.
func (a *agent) recordedWork() int {
	if a.kind != kinds[synthesis] {
		return 0
	}
	return len(a.recorded())
}

// appendedCounts holds the pointers where a synthesis counts its appended sections.
var appendedCounts = [...]string{"/phases/PHASE_4_ASSEMBLY/sections_appended", "/metrics/sections_integrated",
	"/verification_status/sections_check/actual"}

// sectionsAppended compares the counts in an unfinished synthesis with its listed sections and the memorandum's
// sections.
func sectionsAppended(l *look, a *agent) {
	done := max(a.recordedWork(), len(l.started))
	if a.kind != kinds[synthesis] {
		return
	}
	for i, pointer := range appendedCounts {
		n, ok := num(a.at(pointer))
		if lags := i == 0 && n < float64(a.recordedWork()); ok && !a.finished && l.seesMemo() && !cutShort(l.memo) &&
			(n > float64(done) || lags) {
			l.say(a, pointer, but(pointer[1:], n, "the number of sections recorded as appended or in "+
				memoPath, float64(done))).Keyed(pointer).As(graded(lags, sdk.Warning, sdk.Error)).
				Offer(sdk.Review, "Set the counts to "+say.Int(done), a.recount(done)...)
		}
	}
}

// recount returns the edits after which a synthesis counts only existing sections.
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
