package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// growing are the lists that only grow in a run, by their field.
var growing = [...]string{"errors", "conflicts_detected", "issues_found", "decisions_made", "input_files_read"}

// findings are the growing lists whose entries no agent looks for again.
var findings = [...]string{"conflicts_detected", "issues_found"}

// entryLost finds entries of a list of the base that the file lacks, even if another entry took their place.
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
	restored := array(all)
	if len(all) == old.Len() && len(fresh) == 0 {
		restored = old.Raw() // in their order
	}
	edits := a.set("/"+field, restored)
	if n, ok := num(a.metrics.Get("conflicts_found")); ok && field == "conflicts_detected" && n == float64(now.Len()) {
		edits = append(edits, a.set("/metrics/conflicts_found", say.Int(len(all)))...)
	}
	l.say(a, "/"+field, field+" lacks "+plain(lost[0])+", which the base has"+say.Line(a.was.doc,
		lost[0].Start())).Keyed(field).As(graded(now.Len() < old.Len() && holds(findings[:], field), sdk.Error,
		sdk.Warning)).Offer(sdk.Review, "Restore "+field, edits...)
}

// revised reports whether an entry is one of the base with another text: it has half of its words or more.
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

// entryWords lists the words of a value without its keys; of a path its last element.
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
		list = gather(strings.Fields(lower(strings.Trim(v.Raw(), `"`))), baseName)
	}
	return list
}

// recordLost finds entries that a list of the base has and the file has not, and what a complete item of the base
// recorded and is empty now.
func recordLost(l *look, a *agent) {
	was := a.continued()
	for _, field := range growing {
		if field == "errors" || was != nil {
			entryLost(l, a, field)
		}
	}
	if was == nil {
		return
	}
	for _, field := range [...]string{"section_summary", "aggregations_in_progress"} {
		for _, old := range was.root.Get(field).Members() {
			stays := a.claims && field != "section_summary" // figures in progress are over then
			for _, in := range [...]string{field, "aggregations_complete", "aggregations"} {
				for _, e := range a.root.Get(in).Members() {
					stays = stays || norm(e.Key) == norm(old.Key) && !empty(e.Value)
				}
			}
			if p := jsondoc.Pointer(field, old.Key); !stays {
				l.say(a, "/"+field, field+" lacks "+say.Clip(old.Key)+", which the base has"+say.Line(was.doc,
					old.Value.Start())).Keyed(p).As(sdk.Warning).
					Offer(sdk.Review, "Restore "+say.Clip(old.Key), a.set(p, old.Value.Raw())...)
			}
		}
	}
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
