package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
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

// recordWritten returns the edits that record the subsections in a report: those before another subsection are
// complete, and the last one must be checked.
func (m *model) recordWritten(a *agent, found []*item) (edits []sdk.Edit) {
	d := m.outputs(a)[0]
	last := subsections[max(lastSubsection(d), 0)][:1]
	guards, done := a.listed("do_not_repeat"), a.countItems(complete)
	for _, it := range found {
		word := "complete"
		if upper(it.norm[:1]) == last {
			word = "in_progress"
		} else {
			guards, done = append(guards, it.key), done+1
		}
		edits = append(edits, a.set(a.itemPointer(it), jsondoc.Quote(word))...)
	}
	if a.mayGuard() && len(guards) > len(a.listed("do_not_repeat")) {
		edits = append(edits, a.set(repeatPointer, texts(guards))...)
	}
	if n, ok := num(a.metrics.Get("word_count")); ok && n < wordCount(d) {
		edits = append(edits, a.set("/metrics/word_count", say.Int(d.Summary.Words))...)
	}
	edits = append(edits, a.setProgress(0, map[string]int{"subsections": done})...)
	return append(edits, a.nextAction(m.nextStep(a))...)
}

// outputAheadOfState finds an output that grew while its state did not change.
func outputAheadOfState(l *look, a *agent) {
	if found, followed := l.inReport(a); len(found) > 0 {
		path := l.outputs(a)[0].Path
		l.say(a, a.itemPointer(found[0]), path+" has headings for these pending subsections: "+
			list(gather(found, func(it *item) string { return it.key }))).Keyed("subsections").
			As(graded(followed, sdk.Warning, sdk.Info)).See(sdk.At(path), "the report").
			Offer(sdk.Review, "Record the subsections in the report", l.recordWritten(a, found)...)
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
