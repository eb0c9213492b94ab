package legalmemo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// growing holds the fields with lists that only grow within a run.
var growing = [...]string{"errors", "conflicts_detected", "issues_found", "decisions_made", "input_files_read"}

// findings holds the growing lists whose entries agents never look for again.
var findings = [...]string{"conflicts_detected", "issues_found"}

// entryLost finds entries in a base list that the file lacks, even if another entry replaced them.
func entryLost(l *look, a *agent, field string) {
	now, old := a.root.Get(field), a.was.root.Get(field)
	has := func(list []value, e value) bool {
		return slices.ContainsFunc(list, func(n value) bool { return same(n, e) })
	}
	fresh := keep(now.Elements(), func(n value) bool { return !has(old.Elements(), n) })
	lost := keep(old.Elements(), func(e value) bool {
		moved := slices.ContainsFunc(a.root.Members(), func(m jsondoc.Member) bool {
			return has(m.Value.Elements(),
				e)
		})
		return !moved && !slices.ContainsFunc(fresh, func(n value) bool { return revised(n, e) })
	})
	if len(lost) == 0 {
		return
	}
	all := gather(append(now.Elements(), lost...), value.Raw)
	edits := a.set("/"+field, array(all))
	if n, ok := num(a.metrics.Get("conflicts_found")); ok && field == "conflicts_detected" && n == float64(now.Len()) {
		edits = append(edits, a.set("/metrics/conflicts_found", say.Int(len(all)))...)
	}
	l.say(a, "/"+field, field+" lacks "+plain(lost[0])+", which the base has"+say.Line(a.was.doc,
		lost[0].Start())).Keyed(field).As(graded(now.Len() < old.Len() && holds(findings[:], field), sdk.Error,
		sdk.Warning)).Offer(sdk.Review, "Restore "+field, edits...)
}

// revised reports whether an entry is a revision of one in the base: it contains at least half of that entry's words.
func revised(now, was value) bool {
	words, kept := entryWords(was), 0
	here := entryWords(now)
	for _, w := range words {
		if holds(here, w) {
			kept++
		}
	}
	return 2*kept >= len(words)
}

// entryWords returns the words of a value without its keys. Of a path, only the last element counts.
func entryWords(v value) (list []string) {
	switch v.Kind() {
	case jsondoc.Object:
		for _, m := range v.Members() {
			list = append(list, entryWords(m.Value)...)
		}
	case jsondoc.Array:
		for _, e := range v.Elements() {
			list = append(list, entryWords(e)...)
		}
	default:
		list = gather(strings.Fields(words.Lower(strings.Trim(v.Raw(), `"`))), baseName)
	}
	return list
}

// recordLost finds entries in a base list that the file lacks, and recorded fields of complete items that are now
// empty.
func recordLost(l *look, a *agent) {
	was := a.continued()
	if a.was.unresolved() && a.root.Get("blocking_issue").Kind() != jsondoc.Object {
		old := a.was.root.Get("blocking_issue")
		method := cmp.Or(a.was.blocker("resolution_method"), "not recorded")
		l.say(a, "", "blocking_issue is missing; it was unresolved in the base, with the type "+
			say.Quote(a.was.blocker("type"))+say.Line(a.was.doc, old.Start())).Keyed("blocking_issue").As(sdk.Warning).
			Offer(sdk.Review, "Restore blocking_issue", a.set("/blocking_issue", old.Raw())...).
			Offer(sdk.Review, "Restore blocking_issue as RESOLVED", a.set("/blocking_issue", with(old,
				"resolution_status", `"RESOLVED"`, "resolution_method", jsondoc.Quote(method)))...)
	}
	for _, field := range growing {
		if field == "errors" || was != nil {
			entryLost(l, a, field)
		}
	}
	if was == nil {
		return
	}
	reportsLost(l, a)
	for _, old := range was.items {
		now := a.itemLike(old)
		if old.word != complete || now == nil || now.word != complete {
			continue
		}
		for _, e := range old.body.Members() {
			if n := now.body.Get(e.Key); !empty(e.Value) && empty(n) {
				p := jsondoc.Pointer(a.itemsKey, now.key, e.Key)
				l.say(a, p, l.was(a, e.Key+" of "+say.Clip(now.key), n, e.Value)).Keyed(now.key+" "+
					e.Key).As(sdk.Warning).Offer(sdk.Review, "Restore "+e.Key, a.set(p, e.Value.Raw())...)
			}
		}
	}
}

const inventoryPointer = "/phases/PHASE_1_REPORT_INVENTORY/reports_list"

// reportsLost finds reports that the inventory lists in the base but not now. Names without a document do not count.
func reportsLost(l *look, a *agent) {
	path := func(s string) string {
		if d := cmp.Or(l.named(s), l.base.named(s)); d != nil {
			return d.Path
		}
		return ""
	}
	lacks := func(now, old value) []string {
		if now.Kind() != jsondoc.Array || old.Kind() != jsondoc.Array || isExcerpt(now) || isExcerpt(old) {
			return nil
		}
		has := gather(textsOf(now), path)
		return keep(textsOf(old), func(s string) bool { return path(s) != "" && !holds(has, path(s)) })
	}
	now, old := a.at(inventoryPointer), a.was.at(inventoryPointer)
	lost := lacks(now, old)
	if len(lost) == 0 {
		return
	}
	there := gather(keep(lost, func(s string) bool { return l.named(s) != nil }), path)
	var edits []sdk.Edit
	for _, pattern := range [...]string{"/phases/*/*", "/recovery_instructions/" + rescan} {
		eachAt(a.was.root, pattern, func(pointer string, was value) {
			is := a.at(pointer)
			back := keep(lacks(is, was), func(s string) bool { return holds(there, path(s)) })
			n, counts := num(is)
			if o, ok := num(was); counts && ok && n < o && o-n <= float64(len(there)) &&
				strings.HasPrefix(baseName(pointer), "reports_") {
				edits = append(edits, a.set(pointer, was.Raw())...)
			} else if len(back) > 0 {
				edits = append(edits, a.set(pointer, array(append(gather(is.Elements(), value.Raw),
					gather(back, jsondoc.Quote)...)))...)
			}
		})
	}
	message := "reports_list lacks " + list(lost) + ", which the base has" + say.Line(a.was.doc, old.Start())
	if len(there) == 0 {
		l.about(a.subject, path(lost[0]), message+"; the report does not exist").Keyed("reports_list").As(sdk.Warning)
		return
	}
	l.say(a, inventoryPointer, message).Keyed("reports_list").As(graded(a.finished, sdk.Warning, sdk.Error)).
		See(sdk.At(there[0]), "the report").Offer(sdk.Review, "Restore the reports in the lists", edits...)
}
