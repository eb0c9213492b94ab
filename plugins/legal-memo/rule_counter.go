package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

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
			l.say(a, pointer, but(pointer[1:], n, "the number of sections recorded as appended or in "+
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
