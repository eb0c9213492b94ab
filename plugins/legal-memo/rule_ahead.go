package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// inReport returns the pending subsections with a heading in a report, and whether a later subsection follows. If the
// report started as a skeleton, only headings that the base lacks count.
func (m *model) inReport(a *agent) (found []*item, followed bool) {
	docs := m.outputs(a)
	if a.kind != kinds[writer] || !a.read || a.claims || len(docs) != 1 || !measured(docs[0]) || m.written(a.letter) {
		return nil, false
	}
	there, before := lettered(docs[0]), []string(nil)
	if m.base != nil && measured(m.base.docs.Get(docs[0].Path)) {
		before = lettered(m.base.docs.Get(docs[0].Path))
	}
	for _, it := range a.items {
		mark, _, _ := strings.Cut(it.norm, "_")
		if l := upper(mark); it.word == pending && holds(there, l) && !holds(before, l) {
			found = append(found, it)
			followed = followed || l < there[len(there)-1]
		}
	}
	if len(before) == 0 && (len(found) > 1 || a.countItems(complete) == 0) {
		return nil, false // a skeleton
	}
	return found, followed
}

// outputAheadOfState finds an output that grew while its state did not change.
func outputAheadOfState(l *look, a *agent) {
	if found, followed := l.inReport(a); len(found) > 0 {
		path := l.outputs(a)[0].Path
		l.say(a, a.itemPointer(found[0]), path+" has headings for these pending subsections: "+
			list(gather(found, func(it *item) string { return it.key }))).Keyed("subsections").
			As(graded(followed, sdk.Warning, sdk.Info)).See(sdk.At(path), "the report")
		return
	}
	if a.was == nil || a.claims || !a.unchanged(a.was) || !a.kind.prose {
		return
	}
	least := 1000.0
	if a.kind.stage == 7 {
		least = 10000
	}
	for _, d := range l.outputs(a) {
		if old := l.base.docs.Get(d.Path); measured(d) && (old == nil || measured(old)) &&
			wordCount(d)-wordCount(old) >= least {
			l.say(a, "", say.Was("the word count of "+d.Path, say.Int(d.Summary.Words), figure(wordCount(old)), "")+
				", but the state is unchanged").Keyed(d.Path)
		}
	}
}
